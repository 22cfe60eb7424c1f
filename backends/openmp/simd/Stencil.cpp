// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencil.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

/// `Vectors` vectors of `Lanes` points at x: sums stay in registers over all taps.
template <bool LeapFrog, int Lanes, int Vectors, class T>
inline __attribute__((always_inline)) void points(const StencilRow<T>& row, std::int64_t x)
{
  using V = Vector<T, Lanes>;
  V sum[Vectors] = {};
  for (int t = 0; t < row.taps; ++t) {
    const T* tap = row.tap[t] + x;
    const T weight = row.weight[t];
    for (int v = 0; v < Vectors; ++v) sum[v] += weight * load<V>(tap + v * Lanes);
  }
  for (int v = 0; v < Vectors; ++v) {
    const std::int64_t at = x + v * Lanes;
    if constexpr (LeapFrog) {
      V scale{};
      if (row.scale)
        scale = load<V>(row.scale + at);
      else
        scale += row.scale_value;
      sum[v] = 2 * load<V>(row.centre + at) - load<V>(row.previous + at) + scale * sum[v];
    }
    store<V>(row.out + at, sum[v]);
  }
}

/// Whole blocks, then what is left by halves: no point is computed twice, because `out` may be `previous`.
template <bool LeapFrog, class T>
void run(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = 8; // independent sums: enough to hide the latency of 2 FMA pipes
  std::int64_t x = 0;
  for (; x + vectors * lanes <= row.length; x += vectors * lanes) points<LeapFrog, lanes, vectors>(row, x);
  for (; x + 2 * lanes <= row.length; x += 2 * lanes) points<LeapFrog, lanes, 2>(row, x);
  if (x + lanes <= row.length) points<LeapFrog, lanes, 1>(row, x), x += lanes;
  if constexpr (lanes > 4)
    for (; x + 4 <= row.length; x += 4) points<LeapFrog, 4, 1>(row, x);
  for (; x < row.length; ++x) points<LeapFrog, 1, 1>(row, x);
}

} // namespace

namespace KERAMOS_SIMD {
extern const StencilKernels stencil_kernels = {run<false, float>, run<false, double>, run<true, float>,
                                               run<true, double>};
}

} // namespace Keramos::openmp
