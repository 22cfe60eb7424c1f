// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_line(const Kernel&, const Kokkos::Cuda&, const LinePlan<float>&, const core::StoreValue&);
template void launch_line_march(const Kernel&, const Kokkos::Cuda&, const LineMarchPlan<float>&);
template void launch_line_slab(const Kernel&, const Kokkos::Cuda&, const LineSlabPlan<float>&);

} // namespace Keramos::cuda::stencil::library
