// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.hpp"
#include "TransposeKernels.hpp"
#include "TransposeTuning.hpp"

namespace Keramos::cuda {

void run_swap(const SwapPlan& plan, const std::string& name, const Kokkos::Cuda& space, void* data)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    if (plan.vector) {
      using Shape = VectorSwap<size>;
      launch_kernel(name, space, swap_vector_kernel<size, Shape>, {plan.blocks, Shape::threads}, static_cast<T*>(data),
                    plan.job);
    } else {
      using Shape = ElementSwap<size>;
      launch_kernel(name, space, swap_kernel<Shape, T, core::Move>, {plan.blocks, Shape::threads},
                    static_cast<T*>(data), plan.job, core::Move());
    }
  });
}

} // namespace Keramos::cuda
