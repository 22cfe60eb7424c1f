// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.hpp"

namespace Keramos::cuda::stencil::library {

template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 32>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 128>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 1024>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 2048>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 3072>&, const core::StoreValue&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 32>&,
                          const core::LeapFrogEpilogue<double>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 128>&,
                          const core::LeapFrogEpilogue<double>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 1024>&,
                          const core::LeapFrogEpilogue<double>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 2048>&,
                          const core::LeapFrogEpilogue<double>&);
template void launch_tile(const Kernel&, const Kokkos::Cuda&, const TilePlan<double, 3072>&,
                          const core::LeapFrogEpilogue<double>&);

} // namespace Keramos::cuda::stencil::library
