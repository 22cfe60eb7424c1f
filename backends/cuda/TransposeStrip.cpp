// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.hpp"
#include "TransposeKernels.hpp"
#include "TransposeTuning.hpp"

namespace Keramos::cuda {

void run_strip(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    if constexpr (size < 16) {
      using T = Word<size>;
      using Shape = Strip<size>;
      launch_kernel(name, space, strip_kernel<size, Shape>, {plan.blocks, Shape::threads}, std::get<StripJob>(plan.job),
                    static_cast<const T*>(in), static_cast<T*>(out));
    }
  });
}

} // namespace Keramos::cuda
