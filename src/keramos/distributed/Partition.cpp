// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Partition.hpp"

#include "../core/Error.hpp"

#include <algorithm>
#include <cmath>

namespace Keramos::core {
namespace {

/// The largest divisor of `number` that is no larger than its `axes`-th root.
int balanced_divisor(int number, int axes)
{
  int divisor = static_cast<int>(std::lround(std::ceil(std::pow(number, 1.0 / axes))));
  while (number % divisor != 0 || (divisor > 1 && std::pow(divisor, axes) > number)) --divisor;
  return divisor;
}

} // namespace

std::vector<int> grid_shape(int ranks, std::span<const int> wanted)
{
  int rest = ranks, free = 0;
  bool fits = true;
  for (const int count : wanted) {
    fits = fits && count >= 0;
    if (count == 0) ++free;
    if (count <= 0) continue;
    fits = fits && rest % count == 0;
    rest /= count;
  }
  if (!fits || (free == 0 && rest != 1))
    fail("Cartesian", "shape", text("numbers of ranks per axis whose product is ", ranks, ", or 0 for a choice"),
         tuple_text(wanted));
  std::vector<int> chosen;
  for (; free > 0; --free) {
    chosen.push_back(balanced_divisor(rest, free));
    rest /= chosen.back();
  }
  std::sort(chosen.rbegin(), chosen.rend());
  std::vector<int> shape(wanted.begin(), wanted.end());
  auto next = chosen.begin();
  for (int& count : shape)
    if (count == 0) count = *next++;
  return shape;
}

std::vector<std::int64_t> even_cuts(std::int64_t extent, int parts)
{
  std::vector<std::int64_t> cuts;
  for (int part = 0; part <= parts; ++part)
    cuts.push_back(extent / parts * part + std::min<std::int64_t>(part, extent % parts));
  return cuts;
}

int part_of(std::span<const std::int64_t> cuts, std::int64_t index)
{
  return static_cast<int>(std::upper_bound(cuts.begin(), cuts.end(), index) - cuts.begin()) - 1;
}

void check_cuts(int axis, std::span<const std::int64_t> cuts, std::int64_t extent, int parts)
{
  if (extent < 0) fail("Partition", "extents", text("no negative extent along axis ", axis), text(extent));
  const bool fits = cuts.size() == static_cast<std::size_t>(parts) + 1 && cuts.front() == 0 && cuts.back() == extent &&
                    std::is_sorted(cuts.begin(), cuts.end());
  if (!fits)
    fail("Partition", "cuts", text(parts + 1, " ascending numbers from 0 to ", extent, " along axis ", axis),
         tuple_text(cuts));
}

} // namespace Keramos::core
