// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorStarInstances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_tensor_star(const Kernel&, const Kokkos::Cuda&, const TensorStarPlan<double>&,
                                 const core::LeapFrogEpilogue<double>&);

} // namespace Keramos::cuda::stencil::library
