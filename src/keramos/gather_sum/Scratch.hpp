// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of one gather-sum: the caller's, or allocated and freed for it. On CUDA that is done in the order of the instance's
// stream, which neither blocks nor keeps a call from being captured in a graph.
#pragma once

#include "../core/Cuda.hpp"
#include "../core/Execution.hpp"
#include "Problem.hpp"

#include <cstddef>
#include <cstdlib>
#include <type_traits>

namespace Keramos::core {

/// Memory for launches on `space` that are made while this lives; no bytes: none.
template <class Space>
class GatherScratch {
public:
  GatherScratch(const Space& space, const GatherWorkspace& workspace, std::size_t bytes) : space_(space)
  {
    if (bytes == 0) return;
    owned_ = !workspace.given;
    data_ = owned_ ? allocate(bytes) : workspace.data;
  }
  ~GatherScratch()
  {
    if (owned_) release();
  }
  GatherScratch(const GatherScratch&) = delete;
  GatherScratch& operator=(const GatherScratch&) = delete;

  void* data() const { return data_; }

private:
#ifdef KOKKOS_ENABLE_CUDA
  static constexpr bool in_stream_order = std::is_same_v<Space, Kokkos::Cuda>;
#else
  static constexpr bool in_stream_order = false;
#endif

  void* allocate(std::size_t bytes) const
  {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (in_stream_order) {
      void* data = nullptr;
      const cuda::CurrentDevice device(space_);
      cuda::require_success(cudaMallocAsync(&data, bytes, space_.cuda_stream()),
                            [] { return "scratch for gather_sum"; });
      return data;
    }
#endif
    if constexpr (is_synchronous<Space>)
      return ::operator new(bytes);
    else
      return Kokkos::kokkos_malloc<typename Space::memory_space>("scratch for gather_sum", bytes);
  }

  void release() const
  {
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (in_stream_order) {
      cudaFreeAsync(data_, space_.cuda_stream());
      return;
    }
#endif
    if constexpr (is_synchronous<Space>) {
      ::operator delete(data_);
    } else { // nothing is freed in the order of such an instance
      space_.fence("scratch of gather_sum is freed");
      Kokkos::kokkos_free<typename Space::memory_space>(data_);
    }
  }

  const Space& space_;
  void* data_ = nullptr;
  bool owned_ = false;
};

} // namespace Keramos::core
