// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilInstances.hpp"

namespace Keramos::cuda::library {

template void launch_star<2>(const std::string&, const Kokkos::Cuda&, const StarPlan&, const StarProblem<double>&,
                             const core::Store&);

} // namespace Keramos::cuda::library
