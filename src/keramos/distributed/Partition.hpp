// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who owns which points: ranks in a Cartesian grid, and the cuts of every axis between them. Axes are View index positions,
// as everywhere.
#pragma once

#include "../core/Error.hpp"
#include "Communicator.hpp"
#include "transports/Mpi.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace Keramos {
namespace core {

/// The number of ranks along every axis: `wanted`, where 0 stands for a choice, such that their product is `ranks` and the
/// chosen ones are as equal as they can be, the larger first. Throws Error where there is none.
std::vector<int> grid_shape(int ranks, std::span<const int> wanted);

/// The cuts of an axis of `extent` points between `parts` ranks, even to one point: parts + 1 numbers from 0 to extent.
std::vector<std::int64_t> even_cuts(std::int64_t extent, int parts);

/// The part of an axis that owns a point: the one with cuts[part] <= index < cuts[part + 1].
int part_of(std::span<const std::int64_t> cuts, std::int64_t index);

/// Throws Error unless the cuts are parts + 1 ascending numbers from 0 to extent.
void check_cuts(int axis, std::span<const std::int64_t> cuts, std::int64_t extent, int parts);

} // namespace core

/// Half-open box of global points that a rank owns.
template <int Rank>
struct Subdomain {
  std::array<std::int64_t, Rank> begin{}, end{};

  std::int64_t extent(int axis) const { return end[axis] - begin[axis]; }
  bool empty() const
  {
    for (int axis = 0; axis < Rank; ++axis)
      if (begin[axis] >= end[axis]) return true;
    return false;
  }
  friend bool operator==(const Subdomain&, const Subdomain&) = default;
};

/// Ranks in a grid of `Rank` axes; the last axis runs fastest, as in MPI_Cart_create.
///
///     Keramos::Cartesian<3> ranks(MPI_COMM_WORLD, {0, 1, 1});   // slabs along View index 0; 0: as many as there are
///
/// A copy is another handle of the same group. Calls over fields of one group are made by all its ranks in the same order.
template <int Rank>
class Cartesian {
public:
  /// (collective) Over the ranks of a communicator, which is duplicated: messages of the application and of other groups
  /// never meet. Throws Error, on all ranks, where the shape is not one of theirs, and where `comm` cannot be used: MPI is
  /// not initialised, or not with MPI_THREAD_FUNNELED while Kokkos runs threads; a transport that is not to be had is
  /// found when fields are first exchanged. The end of the last handle is collective, too.
  Cartesian(MPI_Comm comm, const std::array<int, Rank>& shape, Transport transport = Transport::automatic)
      : Cartesian(core::mpi_communicator(comm, transport), shape)
  {
  }

  /// (collective) Over ranks that already are a group. Throws Error, on all ranks, where the shape is not one of theirs.
  Cartesian(std::shared_ptr<core::Communicator> ranks, const std::array<int, Rank>& shape)
      : communicator_(std::move(ranks))
  {
    core::agree(*communicator_, [&] {
      const std::vector<int> chosen = core::grid_shape(communicator_->size(), shape);
      std::copy(chosen.begin(), chosen.end(), shape_.begin());
    });
  }

  /// (collective) The same ranks in another grid: between partitions of both, fields can be moved.
  template <int Other>
  Cartesian(const Cartesian<Other>& same, const std::array<int, Rank>& shape) : Cartesian(same.group(), shape)
  {
  }

  core::Communicator& communicator() const { return *communicator_; }
  const std::shared_ptr<core::Communicator>& group() const { return communicator_; }
  int rank() const { return communicator_->rank(); }
  int size() const { return communicator_->size(); }
  const std::array<int, Rank>& shape() const { return shape_; }

  std::array<int, Rank> coordinates(int rank) const
  {
    std::array<int, Rank> result{};
    for (int axis = Rank - 1; axis >= 0; --axis) {
      result[axis] = rank % shape_[axis];
      rank /= shape_[axis];
    }
    return result;
  }
  int rank_at(const std::array<int, Rank>& coordinates) const
  {
    int rank = 0;
    for (int axis = 0; axis < Rank; ++axis) rank = rank * shape_[axis] + coordinates[axis];
    return rank;
  }

private:
  std::shared_ptr<core::Communicator> communicator_;
  std::array<int, Rank> shape_{};
};

/// A global box of points cut between the ranks of a grid.
///
///     Keramos::Partition<3> cut(ranks, {nx, ny, nz});                       // even to one point
///     Keramos::Partition<2> uneven(ranks, {9, 4}, {{{0, 2, 2, 9}, {0, 4}}});  // rank 1 has no points
template <int Rank>
class Partition {
public:
  using Cuts = std::array<std::vector<std::int64_t>, Rank>;

  /// (collective) Even cuts: extents differ by one point at most.
  Partition(const Cartesian<Rank>& ranks, const std::array<std::int64_t, Rank>& extents)
      : Partition(ranks, extents, even(ranks, extents))
  {
  }

  /// (collective) cuts[axis] are the first points of the ranks along an axis and, last, its extent. Throws Error, on all
  /// ranks, where they are not, or not the same on all.
  Partition(const Cartesian<Rank>& ranks, const std::array<std::int64_t, Rank>& extents, const Cuts& cuts)
      : ranks_(ranks), extents_(extents), cuts_(cuts)
  {
    core::agree(ranks_.communicator(), [&] {
      for (int axis = 0; axis < Rank; ++axis) core::check_cuts(axis, cuts_[axis], extents_[axis], ranks_.shape()[axis]);
    });
    const bool is_same = core::is_same_everywhere(ranks_.communicator(), checksum());
    core::agree(ranks_.communicator(), [&] {
      if (!is_same) core::fail("Partition", "cuts", "the same on all ranks", "different ones");
    });
  }

  const Cartesian<Rank>& ranks() const { return ranks_; }
  const std::array<std::int64_t, Rank>& extents() const { return extents_; }
  const std::vector<std::int64_t>& cuts(int axis) const { return cuts_[axis]; }

  /// Of the shape and the cuts: two partitions that have the same one are taken for equal.
  std::uint64_t checksum() const
  {
    std::uint64_t sum = 0xcbf29ce484222325u; // FNV-1a, a number at a time
    const auto add = [&](std::int64_t number) { sum = (sum ^ static_cast<std::uint64_t>(number)) * 0x100000001b3u; };
    for (int axis = 0; axis < Rank; ++axis) {
      add(ranks_.shape()[axis]);
      for (const std::int64_t cut : cuts_[axis]) add(cut);
    }
    return sum;
  }

  /// What a rank owns, in global indices.
  Subdomain<Rank> box(int rank) const
  {
    const auto at = ranks_.coordinates(rank);
    Subdomain<Rank> result;
    for (int axis = 0; axis < Rank; ++axis) {
      result.begin[axis] = cuts_[axis][static_cast<std::size_t>(at[axis])];
      result.end[axis] = cuts_[axis][static_cast<std::size_t>(at[axis]) + 1];
    }
    return result;
  }
  Subdomain<Rank> box() const { return box(ranks_.rank()); }

private:
  static Cuts even(const Cartesian<Rank>& ranks, const std::array<std::int64_t, Rank>& extents)
  {
    Cuts cuts;
    for (int axis = 0; axis < Rank; ++axis) cuts[axis] = core::even_cuts(extents[axis], ranks.shape()[axis]);
    return cuts;
  }

  Cartesian<Rank> ranks_;
  std::array<std::int64_t, Rank> extents_;
  Cuts cuts_;
};

} // namespace Keramos
