// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Operands.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {

int column_radius(const Kokkos::Array<int, 3>* offset, int taps, bool gathers)
{
  // The taps are in order, and so the column's are the first and the last ones.
  const int radius = taps > 0 ? offset[taps - 1][2] : 0;
  if (gathers || radius <= 0 || radius > max_block_radius || taps < 2 * radius) return 0;
  const auto is_at = [&](int tap, int distance) {
    return offset[tap][0] == 0 && offset[tap][1] == 0 && offset[tap][2] == distance;
  };
  for (int distance = 1; distance <= radius; ++distance)
    if (!is_at(radius - distance, -distance) || !is_at(taps - 1 - radius + distance, distance)) return 0;
  for (int t = radius; t < taps - radius; ++t)
    if (offset[t][2] != 0) return 0;
  return radius;
}

int line_radius(const Kokkos::Array<int, 3>* offset, int taps)
{
  int radius = 0;
  for (int t = 0; t < taps;) {
    const int reach = -offset[t][0];
    if (reach < 0 || reach > max_line_radius || (reach > 0 && radius > 0 && reach != radius)) return 0;
    if (reach > 0) radius = reach;
    if (t + 2 * reach >= taps) return 0;
    for (int n = 1; n <= 2 * reach; ++n)
      for (int axis = 0; axis < 3; ++axis)
        if (offset[t + n][axis] != offset[t][axis] + (axis == 0 ? n : 0)) return 0;
    t += 2 * reach + 1;
  }
  return radius;
}

PlaneReach plane_reach(const Kokkos::Array<int, 3>* offset, int taps)
{
  if (taps % 2 == 0 || offset[0][1] > 0) return {};
  const int rows = -offset[0][1], elements = taps / 2 - rows;
  if (elements < 0) return {};
  const auto is_at = [&](int tap, int x, int y) {
    return offset[tap][0] == x && offset[tap][1] == y && offset[tap][2] == 0;
  };
  for (int n = 1; n <= rows; ++n)
    if (!is_at(rows - n, 0, -n) || !is_at(taps - 1 - rows + n, 0, n)) return {};
  for (int n = -elements; n <= elements; ++n)
    if (!is_at(rows + elements + n, n, 0)) return {};
  return {rows, elements};
}

int star_radius(const Kokkos::Array<int, 3>* offset, int taps, int column_radius)
{
  const int radius = column_radius;
  if (radius > max_star_radius || taps != 6 * radius + 1) return 0;
  const PlaneReach reach = plane_reach(offset + radius, taps - 2 * radius);
  return reach.rows == radius && reach.elements == radius ? radius : 0;
}

int find_padded_rows(const Kokkos::Array<int, 3>* offset, int taps, bool gathers, int* tap_of_row, int* row_of_tap)
{
  int rows = 0;
  for (int first = 0, end = 0; first < taps; first = end) { // neighbours of one row
    bool padded = gathers;
    for (; end < taps && offset[end][1] == offset[first][1] && offset[end][2] == offset[first][2]; ++end)
      padded = padded || offset[end][0] != 0;
    std::fill(row_of_tap + first, row_of_tap + end, padded ? rows : -1);
    if (padded) tap_of_row[rows++] = first;
  }
  return rows;
}

int count_rows(const Kokkos::Array<int, 3>* offset, int taps)
{
  int rows = taps > 0 ? 1 : 0;
  for (int t = 1; t < taps; ++t) rows += offset[t][1] != offset[t - 1][1] || offset[t][2] != offset[t - 1][2];
  return rows;
}

} // namespace Keramos::openmp::stencil
