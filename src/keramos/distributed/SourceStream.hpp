// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources of all ranks come by: packed by the ranks that have them, broadcast, a node of the tree of blocks at a time. On a
// GPU the next node comes while its kernels read the one before.
#pragma once

#include "../core/Dispatch.hpp"
#include "../core/Integer.hpp"
#include "DistributedSources.hpp"
#include "Lane.hpp"

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace Keramos::core {

/// Row j of the message is source `first` + j.
template <class T>
struct PackSources {
  GatherSources<T> sources;
  std::int64_t first;
  T* rows;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    const int dimension = sources.positions.dimension;
    T* row = rows + j * (dimension + 1);
    const Point<T> point = sources[first + j];
    for (int d = 0; d < dimension; ++d) row[d] = point[d];
    row[dimension] = sources.weight(first + j);
  }
};

/// The sources of all ranks, in their order, a node at a time, in the buffers:
///
///     bring(0), then for each node:   take()   kernels that read node(number), in `space`   bring(number + 1)
template <class Buffers, class Space, class T>
class SourceStream {
public:
  SourceStream(Communicator& communicator, Buffers& buffers, const On<Space>& on, const GatherSources<T>& mine)
      : communicator_(communicator), buffers_(buffers), space_(on.space), label_(on.label), mine_(mine)
  {
    for (const SourceTerms& terms : buffers.terms) count_ += terms.count;
  }

  std::int64_t nodes() const { return std::max<std::int64_t>(ceil_div(count_, Buffers::capacity), 1); }

  /// The first memory that it needs.
  void reserve()
  {
    buffers_.reserve_rows(space_, mine_.positions.dimension, nodes());
    if (!std::any_cast<Lane<Space>>(&buffers_.lane)) buffers_.lane = Lane<Space>(LaneOf::packing);
    lane().begin(space_);
  }

  GatherSources<T> node(std::int64_t number) const
  {
    const std::int64_t count = std::min(count_ - number * Buffers::capacity, Buffers::capacity);
    const int dimension = mine_.positions.dimension;
    const Field<const T, 2> rows{rows_of(number).data(), {count, dimension + 1}, {dimension + 1, 1}};
    return {points_of(rows, dimension), column(rows, dimension)};
  }

  /// (collective) The messages of a node, which take() waits for.
  void bring(std::int64_t number)
  {
    const ProfilingRegion region("gather_sum::exchange", label_);
    const std::int64_t begin = number * Buffers::capacity, end = std::min(begin + Buffers::capacity, count_);
    const Space& space = lane().space(space_);
    space.fence(buffers_.fence_name); // the message before has left its memory
    std::int64_t first = 0;
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const std::int64_t last = first + buffers_.terms[static_cast<std::size_t>(rank)].count;
      const std::int64_t from = std::max(begin, first), to = std::min(end, last);
      if (from < to) {
        if (rank == communicator_.rank()) pack(space, number, from - first, {from - begin, to - begin});
        const std::int64_t pitch = mine_.positions.dimension + 1;
        communicator_.broadcast(message_of(number).data() + (from - begin) * pitch,
                                static_cast<std::size_t>((to - from) * pitch) * sizeof(T), rank);
      }
      first = last;
    }
    if constexpr (Buffers::is_staged) copy(space, rows_of(number), buffers_.staging, {0, end - begin});
  }

  /// What enters `space` from now on finds the node that was brought last; the next one takes the place of what has been
  /// read by then.
  void take()
  {
    lane().end(space_);
    lane().begin(space_);
  }

private:
  using Range = std::pair<std::int64_t, std::int64_t>;

  const Lane<Space>& lane() const { return *std::any_cast<Lane<Space>>(&buffers_.lane); }
  auto& rows_of(std::int64_t number) const { return buffers_.rows[static_cast<std::size_t>(number % 2)]; }
  /// Where MPI reads and writes it.
  auto& message_of(std::int64_t number) const
  {
    if constexpr (Buffers::is_staged)
      return buffers_.staging;
    else
      return rows_of(number);
  }

  void pack(const Space& space, std::int64_t number, std::int64_t first, const Range& rows) const
  {
    const ProfilingRegion region("gather_sum::pack", label_);
    const std::int64_t pitch = mine_.positions.dimension + 1;
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    const bool is_read = Kokkos::Tools::profileLibraryLoaded();
    Kokkos::parallel_for(is_read ? labelled(label_, "Keramos::gather_sum::pack") : std::string(),
                         Policy(space, 0, rows.second - rows.first),
                         PackSources<T>{mine_, first, rows_of(number).data() + rows.first * pitch});
    if constexpr (Buffers::is_staged) copy(space, buffers_.staging, rows_of(number), rows);
    space.fence(buffers_.fence_name);
  }

  template <class To, class From>
  static void copy(const Space& space, const To& to, const From& from, const Range& rows)
  {
    Kokkos::deep_copy(space, Kokkos::subview(to, rows, Kokkos::ALL), Kokkos::subview(from, rows, Kokkos::ALL));
  }

  Communicator& communicator_;
  Buffers& buffers_;
  const Space& space_;
  const std::string& label_;
  GatherSources<T> mine_;
  std::int64_t count_ = 0;
};

} // namespace Keramos::core
