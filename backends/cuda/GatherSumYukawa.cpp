// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA kernels of gather-sums for Yukawa.
#include "GatherSumBuiltIn.hpp"

namespace Keramos::cuda {

template void launch_built_in<false>(const std::string&, const Kokkos::Cuda&, const core::GatherSumCall<float>&,
                                     const GatherCut&, const Yukawa&, double*);
template void launch_built_in<true>(const std::string&, const Kokkos::Cuda&, const core::GatherSumCall<float>&,
                                    const GatherCut&, const Yukawa&, double*);
template void launch_built_in<false>(const std::string&, const Kokkos::Cuda&, const core::GatherSumCall<double>&,
                                     const GatherCut&, const Yukawa&, double*);
template void launch_built_in<true>(const std::string&, const Kokkos::Cuda&, const core::GatherSumCall<double>&,
                                    const GatherCut&, const Yukawa&, double*);

} // namespace Keramos::cuda
