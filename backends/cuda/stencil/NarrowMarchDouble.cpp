// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NarrowMarchInstances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_narrow_march(const Kernel&, const Kokkos::Cuda&, const NarrowMarchPlan<double>&,
                                  const core::StoreValue&);
template void launch_narrow_rows(const Kernel&, const Kokkos::Cuda&, const NarrowRowsPlan<double>&,
                                 const core::StoreValue&);

} // namespace Keramos::cuda::stencil::library
