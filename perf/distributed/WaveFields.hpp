// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of a wave equation: three times, of which each step writes the oldest over, and c^2 dt^2. And the check of a step,
// point by point, against the sum in double over numbers that follow from global indices.
#pragma once

#include "Fields.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace perf::distributed {

using Laplacian = decltype(Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0));
inline constexpr std::int64_t wave_radius = 4;
inline constexpr std::uint64_t seed_now = 1, seed_before = 2, seed_scale = 3;

/// Views of owned points with a halo along axis 0, or none. Ranks without points have empty ones.
struct Wave {
  std::array<Volume, 3> at; ///< now, next, before; a step later they have changed places
  Volume scale;
  Point3 first; ///< the global point of the first element
  Box3 owned;
  int steps = 0;

  const Volume& now() const { return at[static_cast<std::size_t>(steps % 3)]; }
  const Volume& next() const { return at[static_cast<std::size_t>((steps + 1) % 3)]; }
  const Volume& before() const { return at[static_cast<std::size_t>((steps + 2) % 3)]; }
};

inline Wave make_wave(const Box3& owned, std::int64_t halo)
{
  const auto length = [&](int axis) { return static_cast<std::size_t>(owned.end[axis] - owned.begin[axis]); };
  const auto array = [&](const std::string& label) {
    return Volume(Kokkos::view_alloc(Kokkos::WithoutInitializing, label),
                  length(0) + 2 * static_cast<std::size_t>(halo), length(1), length(2));
  };
  return {{array("now"), array("next"), array("before")},
          array("scale"),
          {owned.begin[0] - halo, owned.begin[1], owned.begin[2]},
          owned};
}

/// c^2 dt^2, small enough for a wave to stay one.
struct FillScale {
  Fill random;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    random(i, j, k);
    random.field.view(i, j, k) = 0.05f * (1 + random.field.view(i, j, k));
  }
};

/// Random numbers; NaN in halos and in what a step writes.
inline void poison(Wave& wave)
{
  wave.steps = 0;
  fill(Placed(wave.now(), wave.first), wave.owned, seed_now);
  fill(Placed(wave.before(), wave.first), wave.owned, seed_before);
  fill(Placed(wave.next(), wave.first), Box3({0, 0, 0}, {0, 0, 0}), 0);
  Kokkos::parallel_for("perf::fill", elements(wave.scale),
                       FillScale{{Placed(wave.scale, wave.first), wave.owned, seed_scale}});
}

/// For steps that no exchange comes before: NaN would spread from there.
inline void zero_halo(const Volume& view)
{
  const auto planes = static_cast<std::int64_t>(view.extent(0));
  const auto clear = [&](std::int64_t begin) {
    const Kokkos::pair<std::int64_t, std::int64_t> range(begin, begin + wave_radius);
    Kokkos::deep_copy(exec(), Kokkos::subview(view, range, Kokkos::ALL, Kokkos::ALL), 0.0f);
  };
  clear(0);
  clear(planes - wave_radius);
}

/// Points whose next value is not what it must be, where all is zero outside of `domain`.
struct WrongWave {
  Placed next;
  Box3 owned, domain;
  Kokkos::Array<double, Laplacian::tap_count> weight;
  Kokkos::Array<int, 3 * Laplacian::tap_count> offset;
  double tolerance = 0;

  KOKKOS_FUNCTION double now(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    return domain.has(x, y, z) ? number_at(seed_now, x, y, z) : 0;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t& count) const
  {
    const std::int64_t x = next.first[0] + i, y = next.first[1] + j, z = next.first[2] + k;
    if (!owned.has(x, y, z)) return;
    double sum = 0;
    for (int t = 0; t < Laplacian::tap_count; ++t)
      sum += weight[t] * now(x + offset[3 * t], y + offset[3 * t + 1], z + offset[3 * t + 2]);
    const double scale = 0.05f * (1 + number_at(seed_scale, x, y, z));
    const double expected = 2 * now(x, y, z) - number_at(seed_before, x, y, z) + scale * sum;
    const double error = Kokkos::abs(next.view(i, j, k) - expected);
    if (!(error <= tolerance)) ++count; // NaN is wrong as well
  }
};

/// After one step, whose result has become `now`.
inline std::string mistake(const Wave& wave, const Laplacian& op, const Box3& domain)
{
  WrongWave wrong{Placed(wave.now(), wave.first), wave.owned, domain, {}, {}};
  double sum = 0;
  for (int t = 0; t < Laplacian::tap_count; ++t) {
    wrong.weight[t] = op.weight(t);
    for (int axis = 0; axis < 3; ++axis) wrong.offset[3 * t + axis] = static_cast<int>(op.offset(t)[axis]);
    sum += std::abs(op.weight(t));
  }
  wrong.tolerance = (Laplacian::tap_count + 3) * std::numeric_limits<float>::epsilon() * (sum + 3);
  std::int64_t count = 0;
  Kokkos::parallel_reduce("perf::wrong wave", elements(wave.now()), wrong, count);
  return mistakes_text(count);
}

/// The same memory as fields of ranks.
struct WaveFields {
  std::vector<Field> at;
  Field scale;
};

inline WaveFields fields_by(const Way& way, const Wave& wave, const Point3& extents)
{
  const Keramos::Halo<3> halo({wave_radius, 0, 0});
  WaveFields result{{}, field_by(way, wave.scale, extents, halo)};
  for (const Volume& view : wave.at) result.at.push_back(field_by(way, view, extents, halo));
  return result;
}

} // namespace perf::distributed
