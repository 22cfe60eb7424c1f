// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilInstances.hpp"

namespace Keramos::cuda::library {

template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 32>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 32>&, const core::LeapFrogFields<double>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 128>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 128>&, const core::LeapFrogFields<double>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 1024>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 1024>&, const core::LeapFrogFields<double>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 2048>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 2048>&, const core::LeapFrogFields<double>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 3072>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<double, 3072>&, const core::LeapFrogFields<double>&);

} // namespace Keramos::cuda::library
