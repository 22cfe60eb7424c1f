// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coulomb, Yukawa and Gaussian over a tile of targets, anywhere or in a row of a grid. The hot loop has no masks: a
// block whose sum is not finite is computed again by the exact form.

#include "GatherSum.hpp"
#include "Families.hpp"

namespace Keramos::openmp {
namespace {

// ---- Offsets from the sources to a tile -----------------------------------------------------------------------------

/// Targets anywhere: three coordinates each.
template <class T>
struct Points {
  static constexpr int coordinates = 3;
  const GatherTile<T>& tile;
  T softening;

  Points(const GatherTile<T>& the_tile, T offset) : tile(the_tile), softening(offset) {}

  /// r^2, and the target minus source j in d.
  KERAMOS_INLINE Wide<T> squared(const Wide<T>* target, int j, Wide<T>* d) const
  {
    for (int k = 0; k < 3; ++k) d[k] = target[k] - tile.source[k][j];
    return d[0] * d[0] + (d[1] * d[1] + (d[2] * d[2] + softening));
  }
};

/// Targets in a row of a grid: what is across the row is one number per source, computed once for the whole row.
template <class T>
struct Row {
  static constexpr int coordinates = 1;
  const GatherTile<T>& tile;
  T across[gather_sources], first[gather_sources], second[gather_sources];

  Row(const GatherTile<T>& the_tile, T offset) : tile(the_tile)
  {
    const T a = tile.target[1][0], b = tile.target[2][0];
    for (int j = 0; j < tile.sources; ++j) {
      first[j] = a - tile.source[1][j];
      second[j] = b - tile.source[2][j];
      across[j] = first[j] * first[j] + (second[j] * second[j] + offset);
    }
  }

  KERAMOS_INLINE Wide<T> squared(const Wide<T>* target, int j, Wide<T>* d) const
  {
    d[0] = target[0] - tile.source[0][j];
    d[1] = first[j] - Wide<T>{}; // x - 0 is x, so this is only a broadcast
    d[2] = second[j] - Wide<T>{};
    return d[0] * d[0] + across[j];
  }
};

// ---- Sums of a tile -------------------------------------------------------------------------------------------------

/// The potential, if it is summed, then the components of the gradient.
template <class T, GatherParts Parts>
struct Sums {
  static constexpr int count = Parts == GatherParts::potential ? 1 : Parts == GatherParts::both ? 4 : 3;
  static constexpr int gradient = Parts == GatherParts::gradient ? 0 : 1; ///< its first component
  Wide<T> sum[count] = {};

  /// Adds the source's value, and its gradient along d.
  template <class Family>
  KERAMOS_INLINE void add(Wide<T> value, Wide<T> ratio, const Wide<T>* d)
  {
    if constexpr (Parts != GatherParts::gradient) sum[0] += value;
    if constexpr (Parts != GatherParts::potential) {
      const Wide<T> slope = Family::has_ratio ? value * ratio : value;
      for (int k = 0; k < 3; ++k) sum[gradient + k] += slope * d[k];
    }
  }

  KERAMOS_INLINE bool all_finite() const
  {
    Wide<T> zero = sum[0] - sum[0];
    for (int k = 1; k < count; ++k) zero += sum[k] - sum[k];
    return !any_nan(zero);
  }
};

template <class T, class Offsets>
KERAMOS_INLINE void load_targets(const GatherTile<T>& tile, int at, Wide<T>* target)
{
  for (int k = 0; k < Offsets::coordinates; ++k) target[k] = load<Wide<T>>(tile.target[k] + at);
}

/// One vector of targets again, where a sum came out as no finite number: coincident sources, r^2 out of range,
/// infinities and NaN in the input. Lanes that were finite keep their sum, so that a target never depends on its
/// neighbours.
template <class T, class Family, class Offsets, GatherParts Parts>
__attribute__((noinline)) void sum_exactly(const GatherTile<T>& tile, const Offsets& offsets, const Family& family,
                                           int at, Sums<T, Parts>& fast)
{
  Wide<T> target[3], d[3], ratio{};
  load_targets<T, Offsets>(tile, at, target);
  const T singularity = tile.singular ? 0 : -1; // the r^2 that adds nothing
  Sums<T, Parts> sums;
  for (int j = 0; j < tile.sources; ++j) {
    const Wide<T> s = offsets.squared(target, j, d);
    Sums<T, Parts> added = sums;
    const Wide<T> value = family.exact(s, ratio);
    added.template add<Family>(tile.weight[j] * value, ratio, d);
    for (int k = 0; k < sums.count; ++k) sums.sum[k] = s == singularity ? sums.sum[k] : added.sum[k];
  }
  for (int k = 0; k < sums.count; ++k) {
    const Wide<T> zero = fast.sum[k] - fast.sum[k];
    fast.sum[k] = zero == 0 ? fast.sum[k] : sums.sum[k];
  }
}

template <class T>
KERAMOS_INLINE void add_to(double* total, Wide<T> sum, T scale)
{
  sum *= scale;
  for (int lane = 0; lane < native_lanes<T>; ++lane) total[lane] += static_cast<double>(sum[lane]);
}

/// `Vectors` vectors of targets at `at`: their sums stay in registers over all sources.
template <int Vectors, GatherParts Parts, class T, class Family, class Offsets>
KERAMOS_INLINE void sum_vectors(const GatherTile<T>& tile, const Offsets& offsets, const Family& family, int at)
{
  Wide<T> target[Vectors][3];
  Sums<T, Parts> sums[Vectors];
  for (int v = 0; v < Vectors; ++v) load_targets<T, Offsets>(tile, at + v * native_lanes<T>, target[v]);
  for (int j = 0; j < tile.sources; ++j) {
    for (int v = 0; v < Vectors; ++v) {
      Wide<T> d[3], ratio{};
      const Wide<T> value = family.fast(offsets.squared(target[v], j, d), ratio);
      sums[v].template add<Family>(tile.weight[j] * value, ratio, d);
    }
  }
  for (int v = 0; v < Vectors; ++v) {
    const int first = at + v * native_lanes<T>;
    if (!sums[v].all_finite()) sum_exactly(tile, offsets, family, first, sums[v]);
    if constexpr (Parts != GatherParts::gradient) add_to<T>(tile.potential + first, sums[v].sum[0], family.value_scale);
    for (int k = sums[v].gradient; k < sums[v].count; ++k)
      add_to<T>(tile.gradient[k - sums[v].gradient] + first, sums[v].sum[k], family.value_scale * family.ratio_scale);
  }
}

/// Vectors of targets in registers: with their sums they must fit beside the temporaries of a kernel.
template <class Offsets, GatherParts Parts>
constexpr int vectors_at_once()
{
  constexpr int registers = vector_bytes == 64 ? 32 : 16;
  constexpr int each = Offsets::coordinates + Sums<float, Parts>::count;
  constexpr int fit = (registers - 8) / each;
  return fit >= 8 ? 8 : fit >= 4 ? 4 : fit >= 2 ? 2 : 1;
}

template <class T, class Family, class Offsets, GatherParts Parts>
void sum_tile(const GatherTile<T>& tile)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int max_vectors = vectors_at_once<Offsets, Parts>();
  const Family family(tile.parameter);
  const Offsets offsets(tile, family.offset);
  int at = 0;
  for (; at + (max_vectors - 1) * lanes < tile.targets; at += max_vectors * lanes)
    sum_vectors<max_vectors, Parts>(tile, offsets, family, at);
  if constexpr (max_vectors > 2)
    for (; at + lanes < tile.targets; at += 2 * lanes) sum_vectors<2, Parts>(tile, offsets, family, at);
  for (; at < tile.targets; at += lanes) sum_vectors<1, Parts>(tile, offsets, family, at);
}

template <class T, class Family, class Offsets>
constexpr void set_parts(GatherFunction<T> (&by_parts)[3])
{
  by_parts[static_cast<int>(GatherParts::potential)] = sum_tile<T, Family, Offsets, GatherParts::potential>;
  by_parts[static_cast<int>(GatherParts::both)] = sum_tile<T, Family, Offsets, GatherParts::both>;
  by_parts[static_cast<int>(GatherParts::gradient)] = sum_tile<T, Family, Offsets, GatherParts::gradient>;
}

template <class T>
constexpr GatherFunctions<T> all_functions()
{
  GatherFunctions<T> all{};
  set_parts<T, CoulombFamily<T>, Row<T>>(all.row[0]);
  set_parts<T, YukawaFamily<T>, Row<T>>(all.row[1]);
  set_parts<T, CoulombFamily<T>, Points<T>>(all.points[0]);
  set_parts<T, YukawaFamily<T>, Points<T>>(all.points[1]);
  set_parts<T, GaussianFamily<T>, Points<T>>(all.points[2]);
  return all;
}

} // namespace

namespace KERAMOS_SIMD {
extern const GatherSumKernels gather_sum_kernels = {all_functions<float>(), all_functions<double>()};
}

} // namespace Keramos::openmp
