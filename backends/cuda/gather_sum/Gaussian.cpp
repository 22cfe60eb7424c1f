// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA kernels of gather-sums for Gaussian.
#include "BuiltIn.hpp"

namespace Keramos::cuda::gather_sum {

template void launch_built_in<false>(const GatherJob<float>&, const Kokkos::Cuda&, const Gaussian&, double*);
template void launch_built_in<true>(const GatherJob<float>&, const Kokkos::Cuda&, const Gaussian&, double*);
template void launch_built_in<false>(const GatherJob<double>&, const Kokkos::Cuda&, const Gaussian&, double*);
template void launch_built_in<true>(const GatherJob<double>&, const Kokkos::Cuda&, const Gaussian&, double*);
template void launch_built_in<true>(const GatherJob<float>&, const Kokkos::Cuda&, const core::GradientOnly<Gaussian>&,
                                    double*);
template void launch_built_in<true>(const GatherJob<double>&, const Kokkos::Cuda&, const core::GradientOnly<Gaussian>&,
                                    double*);

template void launch_built_in_cutoff<false>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<float>&,
                                            const Gaussian&, const core::CutoffRule<float>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<float>&, const Gaussian&,
                                           const core::CutoffRule<float>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<float>&,
                                           const core::GradientOnly<Gaussian>&, const core::CutoffRule<float>&);
template void launch_built_in_cutoff<false>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<double>&,
                                            const Gaussian&, const core::CutoffRule<double>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<double>&,
                                           const Gaussian&, const core::CutoffRule<double>&);
template void launch_built_in_cutoff<true>(const Kernel&, const Kokkos::Cuda&, const CutoffJob<double>&,
                                           const core::GradientOnly<Gaussian>&, const core::CutoffRule<double>&);

} // namespace Keramos::cuda::gather_sum
