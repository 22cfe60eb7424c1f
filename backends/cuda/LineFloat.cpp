// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilInstances.hpp"

namespace Keramos::cuda::library {

template void launch_line(const std::string&, const Kokkos::Cuda&, const LinePlan&, const LineProblem<float>&);

} // namespace Keramos::cuda::library
