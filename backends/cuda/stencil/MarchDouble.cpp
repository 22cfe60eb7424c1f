// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MarchInstances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_march(const Kernel&, const Kokkos::Cuda&, const MarchPlan<double>&);

} // namespace Keramos::cuda::stencil::library
