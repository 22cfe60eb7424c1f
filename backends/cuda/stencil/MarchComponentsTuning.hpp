// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of stars that read one of three interleaved components by a march (MarchTuning.hpp, docs/tuning/stencil-march-boxes.md: Components). Planes come with
// all components, three times as many bytes as are read, so tiles are nearly square and blocks keep together: what lies beside a tile is in the L2.
#pragma once

#include "MarchShape.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::cuda::stencil {

inline constexpr int march_components = 3;

/// Of the copy of all that comes and what is stored, 509x511x513, an H200, by Star.hpp and so: float, radius 1 to 4, 87 and 92, 78 and 89, 76 and 85, 64
/// and 82%; double, radius 3 and 4, 77 and 86, 73 and 80%. An H100 84 and 95, 79 and 94, 73 and 91, 69 and 89%; radius 4 in double 71 and 86%.
KOKKOS_FUNCTION constexpr MarchShape march_components_shape(int radius, int element_bytes)
{
  const bool is_float = element_bytes == 4;
  constexpr int rates[] = {253, 244, 233, 223};
  return {.rows = is_float ? 8 : 4,
          .groups = is_float ? 4 : 8,
          .max_warps = is_float ? 4 : 2,
          .rate = is_float      ? rates[radius - 1]
                  : radius == 3 ? 118
                                : 109,
          .drift = 3,
          .producers = 3,
          .columns_beside = 1,
          .components = march_components};
}

/// What is left of a rate where a block sums so many planes: chunks are short where tiles are many. With 255 planes the rates are what was measured.
KOKKOS_FUNCTION constexpr double filled_chunk(std::int64_t chunk, int radius)
{
  return static_cast<double>(chunk) / static_cast<double>(chunk + 2 * radius);
}

/// Gpoint/s of Star.hpp from a component, whose tiles are so full: `rate`, but what memory gives (512^3, an H200). Double has no other bound.
constexpr double component_star_rate(double rate, double full, int radius, int element_bytes)
{
  if (element_bytes == 8) return full * (radius == 3 ? 114 : 107);
  return std::min(rate, radius == 1 ? 247. : 231.);
}

} // namespace Keramos::cuda::stencil
