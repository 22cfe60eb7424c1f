// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MarchEpilogueInstances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_march_epilogue(const Kernel&, const Kokkos::Cuda&, const MarchPlan<float>&,
                                    const core::LeapFrogEpilogue<float>&);

} // namespace Keramos::cuda::stencil::library
