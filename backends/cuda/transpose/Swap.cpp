// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Launch.hpp"
#include "Run.hpp"
#include "SwapUnaligned.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

void run_swap(const SwapPlan& plan, const Kernel& taken, const Kokkos::Cuda& space, void* data)
{
  constexpr bool begins_early = true;
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    if (plan.kind == SwapKind::vector) {
      using Shape = VectorSwap<size>;
      constexpr unsigned shared_bytes = aligned_swap_bytes<size, Shape>();
      launch_kernel<swap_vector_kernel<size, Shape>>(
          taken, space, {plan.blocks, Shape::threads, shared_bytes, begins_early}, static_cast<T*>(data), plan.job);
    } else if (plan.kind == SwapKind::element) {
      using Shape = ElementSwap<size>;
      launch_kernel<swap_kernel<Shape, T, core::Move>>(taken, space, {plan.blocks, Shape::threads},
                                                       static_cast<T*>(data), plan.job, core::Move());
    } else if constexpr (!std::is_void_v<UnalignedSwap<size>>) {
      using Shape = UnalignedSwap<size>;
      constexpr unsigned shared_bytes = unaligned_swap_bytes<size, Shape>;
      launch_kernel<swap_unaligned_kernel<size, Shape>>(
          taken, space, {plan.blocks, Shape::threads, shared_bytes, begins_early}, static_cast<T*>(data), plan.job);
    }
  });
}

} // namespace Keramos::cuda::transpose
