// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.hpp"
#include "TransposeKernels.hpp"
#include "TransposeTuning.hpp"

namespace Keramos::cuda {

void run_copy_rows(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    launch_kernel(name, space, copy_rows_kernel<size, box_threads, copy_rows_in_flight>, {plan.blocks, box_threads},
                  static_cast<const T*>(in), static_cast<T*>(out), std::get<BoxJob>(plan.job));
  });
}

void run_box(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    launch_kernel(name, space, box_kernel<box_threads, box_in_flight<size>, T, T, core::Move>,
                  {plan.blocks, box_threads, static_cast<unsigned>(plan.shared_bytes)}, static_cast<const T*>(in),
                  static_cast<T*>(out), std::get<BoxJob>(plan.job), core::Move());
  });
}

} // namespace Keramos::cuda
