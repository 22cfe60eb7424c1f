// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_plane(const Kernel&, const Kokkos::Cuda&, const PlanePlan<double>&,
                           const core::LeapFrogEpilogue<double>&);

} // namespace Keramos::cuda::stencil::library
