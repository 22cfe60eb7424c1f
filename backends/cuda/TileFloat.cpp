// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StencilInstances.hpp"

namespace Keramos::cuda::library {

template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 32>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 32>&, const core::LeapFrogFields<float>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 128>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 128>&, const core::LeapFrogFields<float>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 1024>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 1024>&, const core::LeapFrogFields<float>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 2048>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 2048>&, const core::LeapFrogFields<float>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 3072>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 3072>&, const core::LeapFrogFields<float>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 4096>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 4096>&, const core::LeapFrogFields<float>&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 5120>&, const core::Store&);
template void launch_tile(const std::string&, const Kokkos::Cuda&, const TilePlan&,
                          const core::StencilProblem<float, 5120>&, const core::LeapFrogFields<float>&);

} // namespace Keramos::cuda::library
