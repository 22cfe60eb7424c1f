// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DistributedSources: the sources of a gather-sum that several processes hold, and the memory through which they travel.
#pragma once

#include "../gather_sum/Arguments.hpp"
#include "../gather_sum/Problem.hpp"
#include "Partition.hpp"

#include <Kokkos_Core.hpp>

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Keramos {
namespace core {

/// The View that holds the positions, or the first of them.
template <class... Views, class Weights>
const auto& positions_of(const Sources<Points<Views...>, Weights>& sources)
{
  return std::get<0>(sources.positions.coordinates);
}
template <class Positions, class Weights>
const Positions& positions_of(const Sources<Positions, Weights>& sources)
{
  return sources.positions;
}
template <class Packed>
const Packed& positions_of(const Sources<Packed>& sources)
{
  return sources.packed;
}

/// What a rank tells the others at every call.
struct SourceTerms {
  std::int64_t count = 0;     ///< of its sources
  std::int64_t dimension = 0; ///< coordinates of a source; 0: the rank has neither sources nor targets, and suits any
  bool fails = false;         ///< its arguments are wrong
};

/// What calls keep: grown at the first call of a kind, and then used again.
template <class T, class Memory>
struct SourceBuffers {
  /// A node of the tree of blocks: what a call brings at once.
  static constexpr std::int64_t capacity = node_blocks(GatherCarry::level) * source_block;

  /// Kernels of hosts read what MPI writes; a GPU has a copy of it.
  static constexpr bool is_staged = !Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
  template <class Space>
  using Rows = Kokkos::View<T**, Kokkos::LayoutRight, Space>;

  std::array<Rows<Memory>, 2> rows; ///< coordinates and weight of each source, of the even nodes and of the odd ones
  Rows<Kokkos::SharedHostPinnedSpace> staging;
  std::any lane; ///< of the execution space of the last call
  Kokkos::View<double*, Memory> carry;
  Kokkos::View<char*, Memory> workspace;
  std::vector<SourceTerms> terms;                         ///< of every rank
  std::string fence_name = "Keramos: sources are packed"; ///< Kokkos takes a string: made once

  template <class Space>
  void reserve_rows(const Space& space, std::int64_t dimension, std::int64_t nodes)
  {
    for (std::size_t i = 0; i < (nodes > 1 ? 2u : 1u); ++i) reserve_rows(space, rows[i], dimension);
    if constexpr (is_staged) reserve_rows(space, staging, dimension);
  }
  template <class Space, class Element>
  static Element* reserve(const Space& space, Kokkos::View<Element*, Memory>& memory, std::size_t count)
  {
    if (memory.size() < count)
      memory = Kokkos::View<Element*, Memory>(
          Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "Keramos: gather_sum"), count);
    return memory.data();
  }

private:
  template <class Space, class Where>
  static void reserve_rows(const Space& space, Rows<Where>& rows, std::int64_t dimension)
  {
    if (static_cast<std::int64_t>(rows.extent(1)) == dimension + 1) return;
    rows = Rows<Where>(); // the smaller ones first
    rows = Rows<Where>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "Keramos: sources"),
                       static_cast<std::size_t>(capacity), static_cast<std::size_t>(dimension + 1));
  }
};

} // namespace core

/// Sources that several processes hold: those of the first rank, then those of the next one, and so on; a rank may have none.
/// Their number may change from call to call. A copy is another handle of the same sources.
///
///     Keramos::DistributedSources all(ranks, Keramos::Sources{positions, weights});   // Views of this rank's sources
///     all.assign(Keramos::Sources{more_positions, more_weights});                     // later: this rank has others
///
/// Cost     131072 sources' memory from the first call on, twice that from a call with more sources on
template <class LocalSources>
class DistributedSources {
public:
  using local_type = LocalSources;
  using view_type = std::remove_cvref_t<decltype(core::positions_of(std::declval<const LocalSources&>()))>;
  using Buffers = core::SourceBuffers<typename view_type::non_const_value_type, typename view_type::memory_space>;

  template <int Rank>
  DistributedSources(const Cartesian<Rank>& ranks, const LocalSources& local)
      : state_(std::make_shared<State>(State{ranks.group(), local, {}}))
  {
    state_->buffers.terms.resize(static_cast<std::size_t>(ranks.size()));
  }

  /// This rank's sources from now on; the other ranks need not do the same.
  void assign(const LocalSources& local) const { state_->local = local; }

  const LocalSources& local() const { return state_->local; }
  core::Communicator& communicator() const { return *state_->communicator; }
  /// What calls keep; not for applications.
  Buffers& buffers() const { return state_->buffers; }

private:
  struct State {
    std::shared_ptr<core::Communicator> communicator;
    LocalSources local;
    Buffers buffers;
  };
  std::shared_ptr<State> state_;
};
template <int Rank, class LocalSources>
DistributedSources(const Cartesian<Rank>&, const LocalSources&) -> DistributedSources<LocalSources>;

} // namespace Keramos
