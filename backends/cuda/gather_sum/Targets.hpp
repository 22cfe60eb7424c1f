// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels of gather-sums share about targets: where those of a thread lie, and where their sums go.
#pragma once

#include "../../../src/keramos/gather_sum/Problem.hpp"

#include <cstdint>

namespace Keramos::cuda::gather_sum {

/// Index `flat` of the targets counted fastest axis first. Divisions of 64 bits, a hundred instructions each, only
/// where there are so many targets.
__device__ inline core::Index3 index_of(std::int64_t flat, const core::Index3& extent)
{
  if (extent[1] == 1 && extent[2] == 1) return {flat, 0, 0};
  if (core::count_of(extent) > UINT32_MAX) return core::unflatten(flat, extent);
  const unsigned n0 = static_cast<unsigned>(extent[0]), n1 = static_cast<unsigned>(extent[1]);
  const unsigned i = static_cast<unsigned>(flat), row = i / n0;
  return {i % n0, row % n1, row / n1};
}

/// Where a kernel leaves the sums of its chunk of sources: in the output, or in scratch where there are several chunks.
/// Out of line and by value, like every step that a thread takes once for each of its targets: inlined J times they
/// outgrow the hot loop tenfold.
template <class T, bool WithGradient>
struct GatherResult {
  double* partial = nullptr; ///< [chunk][component][target]

  static constexpr int components = core::total_components<WithGradient>;

  __device__ __noinline__ void store(const core::GatherOutput<T>& output, core::Index3 i,
                                     core::GatherTotal<double> total) const
  {
    if (!partial) return output.template store<WithGradient>(i, total);
    const auto& extent = output.potential.extent;
    store_partial(core::count_of(extent), i[0] + extent[0] * (i[1] + extent[1] * i[2]), total);
  }

  /// Of target i, counted fastest axis first: of points, where a thread has few sources, in a few instructions.
  __device__ void store_flat(const core::GatherOutput<T>& output, std::int64_t i,
                             const core::GatherTotal<double>& total) const
  {
    const auto& extent = output.potential.extent;
    if (partial)
      store_partial(core::count_of(extent), i, total);
    else if (WithGradient || output.accumulates || output.carry.sums || extent[1] != 1 || extent[2] != 1)
      store(output, index_of(i, extent), total);
    else
      output.potential.data[i * output.potential.stride[0]] = static_cast<T>(total.potential);
  }

private:
  __device__ void store_partial(std::int64_t count, std::int64_t i, const core::GatherTotal<double>& total) const
  {
    double* const first = partial + blockIdx.y * components * count + i;
    first[0] = total.potential;
    for (int d = 0; d + 1 < components; ++d) first[(d + 1) * count] = total.gradient[d];
  }
};

/// Target i, with the coordinates order[0], order[1] and order[2] as x, y and z.
template <class T>
__device__ __noinline__ core::Point<T> target_at(const core::GatherSumCall<T>& call, const Kokkos::Array<int, 3>& order,
                                                 std::int64_t i)
{
  const core::Point<T> target = call.targets[index_of(i, call.output.potential.extent)];
  return {target[order[0]], target[order[1]], target[order[2]]};
}

/// The J targets of a thread from `first` on, so far apart; beyond the last one stands the first. Where sources are few, and
/// where targets are, reading points counts, and so there is no call and no product for each.
template <int Apart, int J, class T>
__device__ void read_targets(core::Point<T> (&target)[J], const core::GatherSumCall<T>& call,
                             const Kokkos::Array<int, 3>& order, std::int64_t first, std::int64_t count)
{
  const std::int64_t here = first < count ? first : 0;
  if (call.targets.on_grid) {
#pragma unroll
    for (int k = 0; k < J; ++k) {
      const std::int64_t i = first + k * Apart;
      target[k] = target_at(call, order, i < count ? i : here);
    }
    return;
  }
  const core::GatherPoints<T>& points = call.targets.points;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const bool moves = order[d] < points.dimension;
    const std::int64_t stride = moves ? points.stride[order[d]] : 0;
    const T* at = moves ? points.data[order[d]] + here * stride : nullptr;
#pragma unroll
    for (int k = 0; k < J; ++k) {
      target[k][d] = moves ? *at : T(0);
      if (first + (k + 1) * Apart < count) at += Apart * stride;
    }
  }
}

/// The gradient by coordinate from the one by x, y and z.
__device__ inline core::GatherTotal<double> by_coordinate(const core::GatherTotal<double>& total,
                                                          const Kokkos::Array<int, 3>& coordinate)
{
  core::GatherTotal<double> result{total.potential, {}};
#pragma unroll
  for (int d = 0; d < 3; ++d) // no run-time index: registers have none
    result.gradient[d] = coordinate[0] == d   ? total.gradient[0]
                         : coordinate[1] == d ? total.gradient[1]
                                              : total.gradient[2];
  return result;
}

} // namespace Keramos::cuda::gather_sum
