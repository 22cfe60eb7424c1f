// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Box.hpp"
#include "../Launch.hpp"
#include "BoxTuning.hpp"
#include "Run.hpp"

namespace Keramos::cuda::transpose {

void run_box(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    launch_kernel<box_kernel<box_threads, box_in_flight<size>, T, T, core::Move>>(
        taken, space, {plan.blocks, box_threads, static_cast<unsigned>(plan.shared_bytes)}, static_cast<const T*>(in),
        static_cast<T*>(out), std::get<BoxJob>(plan.job), core::Move());
  });
}

} // namespace Keramos::cuda::transpose
