// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix product of a Gaussian over rows of a grid: its two factors, and the multiplication in registers.

#include "GaussianRows.hpp"
#include "Math.hpp"

namespace Keramos::openmp {
namespace {

/// exp(-rate s)
template <class T>
KERAMOS_INLINE Wide<T> gaussian(T rate, Wide<T> s)
{
  return exponential2(-rate * log2_e<T> * s);
}

/// The left factor: w exp(-a (d1^2 + d2^2)) for each source and row, rows fastest; with a gradient also times d1 and
/// times d2.
template <class T, GatherParts Parts>
struct Across {
  static constexpr int count = Parts == GatherParts::potential ? 1 : 3;
  alignas(64) T value[count][gather_sources * gaussian_rows];

  explicit Across(const GaussianRows<T>& block)
  {
    for (int j = 0; j < block.sources; ++j)
      for (int row = 0; row < block.rows; row += native_lanes<T>) {
        const Wide<T> d1 = load<Wide<T>>(block.across[0] + row) - block.source[1][j];
        const Wide<T> d2 = load<Wide<T>>(block.across[1] + row) - block.source[2][j];
        const Wide<T> factor = block.weight[j] * gaussian<T>(block.rate, d1 * d1 + d2 * d2);
        const Wide<T> all[] = {factor, factor * d1, factor * d2};
        for (int k = 0; k < count; ++k) store(value[k] + j * gaussian_rows + row, all[k]);
      }
  }
};

constexpr int vectors = 2; ///< of targets at once: with 256 sources at most 32 KiB, the nearest cache
static_assert(gaussian_padding % (vectors * native_lanes<float>) == 0);

/// The right factor: exp(-a d0^2) for each source and target, and with a gradient also times d0.
template <class T, GatherParts Parts>
struct Along {
  static constexpr int count = Parts == GatherParts::potential ? 1 : 2;
  static constexpr int targets = vectors * native_lanes<T>;
  alignas(64) T value[count][gather_sources * targets];

  Along(const GaussianRows<T>& block, int at)
  {
    for (int j = 0; j < block.sources; ++j)
      for (int i = 0; i < targets; i += native_lanes<T>) {
        const Wide<T> d0 = load<Wide<T>>(block.along + at + i) - block.source[0][j];
        const Wide<T> factor = gaussian<T>(block.rate, d0 * d0);
        store(value[0] + j * targets + i, factor);
        if constexpr (count > 1) store(value[1] + j * targets + i, factor * d0);
      }
  }
};

/// sum[row][v] = sum over the sources of across * along, in registers.
template <class T, int Rows>
KERAMOS_INLINE void multiply(const T* across, const T* along, int sources, Wide<T> (*sum)[vectors])
{
  constexpr int lanes = native_lanes<T>;
  for (int row = 0; row < Rows; ++row)
    for (int v = 0; v < vectors; ++v) sum[row][v] = Wide<T>{};
  for (int j = 0; j < sources; ++j, across += gaussian_rows, along += vectors * lanes) {
    Wide<T> factor[vectors];
    for (int v = 0; v < vectors; ++v) factor[v] = load<Wide<T>>(along + v * lanes);
    for (int row = 0; row < Rows; ++row)
      for (int v = 0; v < vectors; ++v) sum[row][v] += across[row] * factor[v];
  }
}

/// One vector of targets without the separation, where a sum came out as no finite number: infinities and NaN then
/// travel as in the other kernels. component 0 is the potential, the others are the gradient's, without its factor.
template <class T>
__attribute__((noinline)) Wide<T> sum_directly(const GaussianRows<T>& block, int row, int at, int component)
{
  const Wide<T> target = load<Wide<T>>(block.along + at);
  Wide<T> sum{};
  for (int j = 0; j < block.sources; ++j) {
    const Wide<T> d[] = {target - block.source[0][j], block.across[0][row] - block.source[1][j] + Wide<T>{},
                         block.across[1][row] - block.source[2][j] + Wide<T>{}};
    const Wide<T> value = block.weight[j] * gaussian<T>(block.rate, d[0] * d[0] + (d[1] * d[1] + d[2] * d[2]));
    sum += component == 0 ? value : value * d[component - 1];
  }
  return sum;
}

/// Adds one product to the totals of `Rows` rows.
template <class T, int Rows>
KERAMOS_INLINE void add_product(const GaussianRows<T>& block, const T* across, const T* along, int row, int at,
                                int component)
{
  constexpr int lanes = native_lanes<T>;
  double* total = component == 0 ? block.potential : block.gradient[component - 1];
  const T scale = component == 0 ? 1 : -2 * block.rate;
  Wide<T> sum[Rows][vectors];
  multiply<T, Rows>(across + row, along, block.sources, sum);
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < vectors && at + v * lanes < block.targets; ++v) {
      Wide<T> result = sum[r][v];
      const Wide<T> zero = result - result;
      if (any_nan(zero)) {
        const Wide<T> direct = sum_directly(block, row + r, at + v * lanes, component);
        result = zero == 0 ? result : direct;
      }
      result *= scale;
      double* to = total + (row + r) * block.pitch + at + v * lanes;
      for (int lane = 0; lane < lanes; ++lane) to[lane] += static_cast<double>(result[lane]);
    }
}

template <class T, GatherParts Parts, int Rows>
KERAMOS_INLINE void add_rows(const GaussianRows<T>& block, const Across<T, Parts>& across, const Along<T, Parts>& along,
                             int row, int at)
{
  if constexpr (Parts != GatherParts::gradient)
    add_product<T, Rows>(block, across.value[0], along.value[0], row, at, 0);
  if constexpr (Parts != GatherParts::potential) {
    add_product<T, Rows>(block, across.value[0], along.value[1], row, at, 1);
    add_product<T, Rows>(block, across.value[1], along.value[0], row, at, 2);
    add_product<T, Rows>(block, across.value[2], along.value[0], row, at, 3);
  }
}

template <class T, GatherParts Parts>
void sum_rows(const GaussianRows<T>& block)
{
  constexpr int rows_at_once = vector_bytes == 64 ? 8 : 4; // sums in half of the registers
  const Across<T, Parts> across(block);
  for (int at = 0; at < block.targets; at += vectors * native_lanes<T>) {
    const Along<T, Parts> along(block, at);
    int row = 0;
    for (; row + rows_at_once <= block.rows; row += rows_at_once)
      add_rows<T, Parts, rows_at_once>(block, across, along, row, at);
    for (; row < block.rows; ++row) add_rows<T, Parts, 1>(block, across, along, row, at);
  }
}

} // namespace

namespace KERAMOS_SIMD {
extern const GaussianKernels gaussian_kernels = {
    {sum_rows<float, GatherParts::potential>, sum_rows<float, GatherParts::both>,
     sum_rows<float, GatherParts::gradient>},
    {sum_rows<double, GatherParts::potential>, sum_rows<double, GatherParts::both>,
     sum_rows<double, GatherParts::gradient>}};
}

} // namespace Keramos::openmp
