// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedStarInstances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_strided_star(const Kernel&, const Kokkos::Cuda&, const StridedStarPlan<double>&);

} // namespace Keramos::cuda::stencil::library
