// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of gather-sums whose sources are cut into chunks.
#include "GatherSumLaunch.hpp"

namespace Keramos::cuda {

template <bool WithGradient, class T>
void launch_chunks(const std::string& name, const Kokkos::Cuda& space, const core::GatherOutput<T>& output,
                   const GatherCut& cut, const double* partial)
{
  const auto& extent = output.potential.extent;
  int lanes = 1;
  while (lanes < 32 && lanes < cut.chunks) lanes *= 2;
  const std::int64_t targets_of_block = few_threads / lanes;
  const std::int64_t blocks = (extent[0] * extent[1] * extent[2] + targets_of_block - 1) / targets_of_block;
  launch_kernel(name + " totals", space, gather_chunks<T, WithGradient>,
                {dim3(static_cast<unsigned>(blocks)), few_threads}, output, partial, cut.chunks, lanes);
}

template void launch_chunks<false>(const std::string&, const Kokkos::Cuda&, const core::GatherOutput<float>&,
                                   const GatherCut&, const double*);
template void launch_chunks<true>(const std::string&, const Kokkos::Cuda&, const core::GatherOutput<float>&,
                                  const GatherCut&, const double*);
template void launch_chunks<false>(const std::string&, const Kokkos::Cuda&, const core::GatherOutput<double>&,
                                   const GatherCut&, const double*);
template void launch_chunks<true>(const std::string&, const Kokkos::Cuda&, const core::GatherOutput<double>&,
                                  const GatherCut&, const double*);

} // namespace Keramos::cuda
