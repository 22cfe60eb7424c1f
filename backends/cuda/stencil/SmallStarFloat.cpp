// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_small_star(const Kernel&, const Kokkos::Cuda&, const SmallStarPlan<float>&,
                                const core::StoreValue&);
template void launch_small_star(const Kernel&, const Kokkos::Cuda&, const SmallStarPlan<float>&,
                                const core::LeapFrogEpilogue<float>&);

} // namespace Keramos::cuda::stencil::library
