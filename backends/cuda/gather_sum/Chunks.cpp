// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of gather-sums whose sources are partitioned into chunks: it adds the chunks of every target, in a
// fixed order.
#include "../../../src/keramos/core/Integer.hpp"
#include "Launch.hpp"

namespace Keramos::cuda::gather_sum {
namespace {

/// `lanes` neighbouring threads, a power of two up to 32, add the chunks of a target.
template <class T, bool WithGradient>
__global__ void __launch_bounds__(few_threads)
    gather_chunks(const __grid_constant__ core::GatherOutput<T> output, const double* const partial,
                  const std::int64_t chunks, const int lanes)
{
  constexpr int components = GatherResult<T, WithGradient>::components;
  const std::int64_t count = core::count_of(output.potential.extent);
  const std::int64_t i = (std::int64_t{blockIdx.x} * few_threads + threadIdx.x) / lanes;
  const int lane = threadIdx.x % lanes;
  double sum[components] = {};
  if (i < count)
    for (std::int64_t chunk = lane; chunk < chunks; chunk += lanes)
      for (int c = 0; c < components; ++c) sum[c] += partial[(chunk * components + c) * count + i];
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    for (int c = 0; c < components; ++c) sum[c] += __shfl_xor_sync(0xffffffffu, sum[c], offset);
  if (i >= count || lane != 0) return;
  core::GatherTotal<double> total{sum[0], {}};
  if constexpr (WithGradient)
    for (int d = 0; d < 3; ++d) total.gradient[d] = sum[d + 1];
  output.template store<WithGradient>(index_of(i, output.potential.extent), total);
}

} // namespace

template <bool WithGradient, class T>
void launch_chunks(const GatherJob<T>& job, const Kokkos::Cuda& space, const double* partial)
{
  const core::GatherOutput<T>& output = job.call.output;
  const std::int64_t chunks = job.partition.chunks;
  int lanes = 1;
  while (lanes < 32 && lanes < chunks) lanes *= 2;
  const std::int64_t blocks = core::ceil_div(core::count_of(output.potential.extent), few_threads / lanes);
  Kernel totals = job.kernel;
  totals.variant = job.kernel.variant.followed_by(" totals");
  launch_kernel<gather_chunks<T, WithGradient>>(totals, space, {dim3(static_cast<unsigned>(blocks)), few_threads},
                                                output, partial, chunks, lanes);
}

template void launch_chunks<false>(const GatherJob<float>&, const Kokkos::Cuda&, const double*);
template void launch_chunks<true>(const GatherJob<float>&, const Kokkos::Cuda&, const double*);
template void launch_chunks<false>(const GatherJob<double>&, const Kokkos::Cuda&, const double*);
template void launch_chunks<true>(const GatherJob<double>&, const Kokkos::Cuda&, const double*);

} // namespace Keramos::cuda::gather_sum
