// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoxRows.hpp"
#include "../Launch.hpp"
#include "Run.hpp"

namespace Keramos::cuda::transpose {

void run_box_rows(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    launch_kernel<box_rows_kernel<T, T, core::Move>>(
        taken, space, {plan.blocks, plan.threads, static_cast<unsigned>(plan.shared_bytes)}, static_cast<const T*>(in),
        static_cast<T*>(out), std::get<BoxRowsJob>(plan.job), core::Move());
  });
}

} // namespace Keramos::cuda::transpose
