// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencil.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

/// What is stored at x: the sum, or the wave update of it.
template <bool LeapFrog, class V, class T>
[[gnu::always_inline]] inline V finished(const OperandRows<T>& rows, std::int64_t x, V sum)
{
  if constexpr (!LeapFrog) return sum;
  const V scale = rows.operand[1] ? load<V>(rows.operand[1] + x) : V{} + rows.number[1];
  return multiply_add(2 * load<V>(rows.centre + x) - load<V>(rows.operand[0] + x), scale, sum);
}

/// Adds the taps to `Vectors` vectors of `Lanes` sums, which stay in registers.
template <class V, int Lanes, int Vectors, class T>
[[gnu::always_inline]] inline void add_taps(V (&sum)[Vectors], const StencilTaps<T>& taps, std::int64_t x)
{
  for (int s = 0, t = 0; s < taps.segments; ++s) {
    const std::int64_t at = x + taps.segment[s].shift;
    for (const int end = taps.segment[s].end; t < end; ++t)
      for (int v = 0; v < Vectors; ++v)
        sum[v] = multiply_add(sum[v], taps.weight[t], load<V>(taps.tap[t] + at + v * Lanes));
  }
}

template <bool LeapFrog, int Lanes, int Vectors, class T>
[[gnu::always_inline]] inline void points(const StencilRow<T>& row, std::int64_t x)
{
  using V = Vector<T, Lanes>;
  V sum[Vectors] = {};
  add_taps<V, Lanes>(sum, row.taps, x);
  for (int v = 0; v < Vectors; ++v) {
    const std::int64_t at = x + v * Lanes;
    store<V>(row.out + at, finished<LeapFrog>(row.operands, at, sum[v]));
  }
}

/// The same for the planes of a block.
template <class V, int Lanes, int Vectors, class T>
[[gnu::always_inline]] inline void add_block_taps(V (&sum)[block_planes][Vectors], const StencilTaps<T>& taps,
                                                  std::int64_t x)
{
  for (int s = 0, t = 0; s < taps.segments; ++s) {
    const std::int64_t at = x + taps.segment[s].shift;
    for (const int end = taps.segment[s].end; t < end; ++t)
#pragma GCC unroll 4
      for (int p = 0; p < block_planes; ++p)
        for (int v = 0; v < Vectors; ++v)
          sum[p][v] = multiply_add(sum[p][v], taps.weight[t], load<V>(taps.tap[t * block_planes + p] + at + v * Lanes));
  }
}

/// Adds the half of the column whose offsets are First ... First + Radius - 1; its rows are loaded once for all planes.
template <int Radius, int First, class V, int Lanes, int Vectors, class T>
[[gnu::always_inline]] inline void add_column(V (&sum)[block_planes][Vectors], const StencilBlock<T>& block,
                                              std::int64_t x)
{
#pragma GCC unroll 20
  for (int s = Radius + First; s < 2 * Radius + First + block_planes - 1; ++s) {
    V row[Vectors];
    for (int v = 0; v < Vectors; ++v) row[v] = load<V>(block.column[s] + block.column_shift + x + v * Lanes);
#pragma GCC unroll 4
    for (int p = 0; p < block_planes; ++p)
      if (s - p >= Radius + First && s - p < 2 * Radius + First)
        for (int v = 0; v < Vectors; ++v) sum[p][v] = multiply_add(sum[p][v], block.column_weight[s - p], row[v]);
  }
}

template <bool LeapFrog, int Radius, int Lanes, int Vectors, class T>
[[gnu::always_inline]] inline void block_points(const StencilBlock<T>& block, std::int64_t x)
{
  using V = Vector<T, Lanes>;
  V sum[block_planes][Vectors] = {};
  if constexpr (Radius > 0) add_column<Radius, -Radius, V, Lanes>(sum, block, x);
  add_block_taps<V, Lanes>(sum, block.taps, x);
  if constexpr (Radius > 0) add_column<Radius, 1, V, Lanes>(sum, block, x);
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p)
    for (int v = 0; v < Vectors; ++v) {
      const std::int64_t at = x + v * Lanes;
      store<V>(block.out[p] + at, finished<LeapFrog>(block.operands[p], at, sum[p][v]));
    }
}

/// Whole vectors, then what is left by smaller ones: no point is computed twice, because `out` may be an operand.
template <bool LeapFrog, class T>
void row_kernel(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = 8; // independent sums: enough to hide the latency of two FMA pipes
  std::int64_t x = 0;
  for (; x + vectors * lanes <= row.length; x += vectors * lanes) points<LeapFrog, lanes, vectors>(row, x);
  for (; x + 2 * lanes <= row.length; x += 2 * lanes) points<LeapFrog, lanes, 2>(row, x);
  if (x + lanes <= row.length) points<LeapFrog, lanes, 1>(row, x), x += lanes;
  if constexpr (lanes > 4)
    for (; x + 4 <= row.length; x += 4) points<LeapFrog, 4, 1>(row, x);
  for (; x < row.length; ++x) points<LeapFrog, 1, 1>(row, x);
}

template <bool LeapFrog, int Radius, class T>
void block_kernel(const StencilBlock<T>& block)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = vector_bytes == 64 ? 4 : 2; // block_planes * vectors sums, within 32 or 16 registers
  std::int64_t x = 0;
  for (; x + vectors * lanes <= block.length; x += vectors * lanes)
    block_points<LeapFrog, Radius, lanes, vectors>(block, x);
  for (; x + lanes <= block.length; x += lanes) block_points<LeapFrog, Radius, lanes, 1>(block, x);
  if constexpr (lanes > 4)
    for (; x + 4 <= block.length; x += 4) block_points<LeapFrog, Radius, 4, 1>(block, x);
  for (; x < block.length; ++x) block_points<LeapFrog, Radius, 1, 1>(block, x);
}

template <bool LeapFrog, class T>
constexpr FinishedKernels<T> finished_kernels()
{
  return {row_kernel<LeapFrog, T>,
          {block_kernel<LeapFrog, 0, T>, block_kernel<LeapFrog, 1, T>, block_kernel<LeapFrog, 2, T>,
           block_kernel<LeapFrog, 3, T>, block_kernel<LeapFrog, 4, T>, block_kernel<LeapFrog, 5, T>,
           block_kernel<LeapFrog, 6, T>, block_kernel<LeapFrog, 7, T>, block_kernel<LeapFrog, 8, T>}};
}

template <class T>
constexpr StencilKernelsOf<T> kernels_of()
{
  return {finished_kernels<false, T>(), finished_kernels<true, T>()};
}

} // namespace

namespace KERAMOS_SIMD {
extern const StencilKernels stencil_kernels = {kernels_of<float>(), kernels_of<double>()};
}

} // namespace Keramos::openmp
