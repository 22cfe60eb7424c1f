// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources of all ranks come by: packed by the ranks that have them, broadcast, a node of the tree of blocks at a time.
#pragma once

#include "../core/Dispatch.hpp"
#include "../core/Integer.hpp"
#include "DistributedSources.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Keramos::core {

/// Row j of the message is source `first` + j.
template <class T>
struct PackSources {
  GatherSources<T> sources;
  std::int64_t first;
  T* rows;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const
  {
    const std::int64_t dimension = sources.positions.extent[1];
    T* row = rows + j * (dimension + 1);
    for (std::int64_t d = 0; d < dimension; ++d) row[d] = sources.positions(first + j, d);
    row[dimension] = sources.weights(first + j);
  }
};

/// The sources of all ranks, in their order, a node at a time, in the buffers.
template <class Buffers, class Space, class T>
class SourceStream {
public:
  SourceStream(Communicator& communicator, Buffers& buffers, const Space& space, const GatherSources<T>& mine)
      : communicator_(communicator), buffers_(buffers), space_(space), mine_(mine)
  {
    for (const SourceTerms& terms : buffers.terms) count_ += terms.count;
  }

  std::int64_t nodes() const { return std::max<std::int64_t>(ceil_div(count_, Buffers::capacity), 1); }

  /// The sources of a node; they are in the buffer after bring().
  GatherSources<T> node(std::int64_t number) const
  {
    const std::int64_t count = std::min(count_ - number * Buffers::capacity, Buffers::capacity);
    const std::int64_t dimension = mine_.positions.extent[1];
    T* const rows = buffers_.rows.data();
    return {{rows, {count, dimension}, {dimension + 1, 1}}, {rows + dimension, {count}, {dimension + 1}}};
  }

  /// (collective)
  void bring(std::int64_t number)
  {
    const ProfilingRegion region("gather_sum::exchange");
    const std::int64_t begin = number * Buffers::capacity, end = std::min(begin + Buffers::capacity, count_);
    const std::int64_t pitch = mine_.positions.extent[1] + 1;
    space_.fence(buffers_.fence_name); // the node before has been read
    std::int64_t first = 0;
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const std::int64_t last = first + buffers_.terms[static_cast<std::size_t>(rank)].count;
      const std::int64_t from = std::max(begin, first), to = std::min(end, last);
      if (from < to) {
        if (rank == communicator_.rank()) pack(from - first, from - begin, to - from);
        communicator_.broadcast(buffers_.on_host.data() + (from - begin) * pitch,
                                static_cast<std::size_t>((to - from) * pitch) * sizeof(T), rank);
      }
      first = last;
    }
    if (buffers_.on_host.data() != buffers_.rows.data()) Kokkos::deep_copy(space_, buffers_.rows, buffers_.on_host);
  }

private:
  void pack(std::int64_t first, std::int64_t row, std::int64_t count)
  {
    const ProfilingRegion region("gather_sum::pack");
    const std::int64_t pitch = mine_.positions.extent[1] + 1;
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(Policy(space_, 0, count), PackSources<T>{mine_, first, buffers_.rows.data() + row * pitch});
    if (buffers_.on_host.data() != buffers_.rows.data()) Kokkos::deep_copy(space_, buffers_.on_host, buffers_.rows);
    space_.fence(buffers_.fence_name);
  }

  Communicator& communicator_;
  Buffers& buffers_;
  const Space& space_;
  GatherSources<T> mine_;
  std::int64_t count_ = 0;
};

} // namespace Keramos::core
