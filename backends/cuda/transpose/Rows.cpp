// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rows.hpp"
#include "../Launch.hpp"
#include "Run.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

void run_rows(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    launch_kernel<rows_kernel<size, CopiedRows>>(taken, space, {plan.blocks, CopiedRows::threads},
                                                 static_cast<const T*>(in), static_cast<T*>(out),
                                                 std::get<RowsJob>(plan.job));
  });
}

} // namespace Keramos::cuda::transpose
