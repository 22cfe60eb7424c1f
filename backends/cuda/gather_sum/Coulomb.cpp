// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA kernels of gather-sums for Coulomb, which InverseMultiquadric is too.
#include "BuiltIn.hpp"

namespace Keramos::cuda::gather_sum {

template void launch_built_in<false>(const GatherJob<float>&, const Kokkos::Cuda&, const Coulomb&, double*);
template void launch_built_in<true>(const GatherJob<float>&, const Kokkos::Cuda&, const Coulomb&, double*);
template void launch_built_in<false>(const GatherJob<double>&, const Kokkos::Cuda&, const Coulomb&, double*);
template void launch_built_in<true>(const GatherJob<double>&, const Kokkos::Cuda&, const Coulomb&, double*);
template void launch_built_in<true>(const GatherJob<float>&, const Kokkos::Cuda&, const core::GradientOnly<Coulomb>&,
                                    double*);
template void launch_built_in<true>(const GatherJob<double>&, const Kokkos::Cuda&, const core::GradientOnly<Coulomb>&,
                                    double*);

template void launch_built_in_cutoff<false>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<float>&, const Coulomb&,
                                            const core::CutoffRule<float>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<float>&, const Coulomb&,
                                           const core::CutoffRule<float>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<float>&,
                                           const core::GradientOnly<Coulomb>&, const core::CutoffRule<float>&);
template void launch_built_in_cutoff<false>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<double>&,
                                            const Coulomb&, const core::CutoffRule<double>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<double>&, const Coulomb&,
                                           const core::CutoffRule<double>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<double>&,
                                           const core::GradientOnly<Coulomb>&, const core::CutoffRule<double>&);

} // namespace Keramos::cuda::gather_sum
