// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 32>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 128>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 1024>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 2048>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 3072>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 4096>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 5120>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 32>&,
                          const core::LeapFrogEpilogue<float>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 128>&,
                          const core::LeapFrogEpilogue<float>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 1024>&,
                          const core::LeapFrogEpilogue<float>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 2048>&,
                          const core::LeapFrogEpilogue<float>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 3072>&,
                          const core::LeapFrogEpilogue<float>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 4096>&,
                          const core::LeapFrogEpilogue<float>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<float, 5120>&,
                          const core::LeapFrogEpilogue<float>&);

} // namespace Keramos::cuda::stencil::library
