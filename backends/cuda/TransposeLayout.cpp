// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TransposeLayout.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace Keramos::cuda {

void forget_emptiness(MoveAxes& axes)
{
  for (int k = 0; k < axes.count; ++k) axes.axis[k].extent = std::max<std::int64_t>(1, axes[k].extent);
}

bool narrow_to_alignment(Layout& layout)
{
  int size = layout.size;
  while (!lies_on(layout.in, size) || !lies_on(layout.out, size)) size /= 2;
  const int parts = layout.size / size;
  if (parts == 1) return true;
  MoveAxes& axes = layout.axes;
  if (axes.count == core::max_rank) return false;
  for (int k = axes.count; k > 0; --k) {
    axes.axis[k] = axes[k - 1];
    layout.scale(k, parts, 1);
  }
  axes.axis[0] = {parts, 1, 1};
  axes = core::normalised(axes.axis.data(), axes.count + 1);
  layout.size = size;
  return true;
}

void widen(Layout& layout)
{
  MoveAxes& axes = layout.axes;
  const auto is_even = [&] {
    for (int k = 1; k < axes.count; ++k)
      if (axes[k].in % 2 || axes[k].out % 2) return false;
    return axes[0].extent % 2 == 0;
  };
  while (axes.count > 0 && axes[0].in == 1 && axes[0].out == 1 && layout.size < 16 && is_even() &&
         lies_on(layout.in, 2 * layout.size) && lies_on(layout.out, 2 * layout.size)) {
    layout.size *= 2;
    axes.axis[0].extent /= 2;
    for (int k = 1; k < axes.count; ++k) layout.scale(k, 1, 2);
    if (axes[0].extent == 1) axes = core::normalised(axes.axis.data(), axes.count);
  }
}

std::array<int, core::max_rank> input_order(const MoveAxes& axes)
{
  std::array<int, core::max_rank> order{0, 1, 2, 3, 4, 5};
  const auto key = [&](int k) { return axes[k].in == 0 ? INT64_MAX : std::abs(axes[k].in); };
  std::stable_sort(order.begin(), order.begin() + axes.count, [&](int a, int b) { return key(a) < key(b); });
  return order;
}

int lead_of(const void* data, int size, int side, std::int64_t extent, std::int64_t pitch)
{
  const std::int64_t unit = std::gcd(std::gcd(256, side * size), pitch * size);
  const int lead = static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % unit) / size;
  const bool few_more = extent >= 8 * side || ceil_div(extent + lead, side) == ceil_div(extent, side);
  return few_more ? lead : 0;
}

bool make_batch(const MoveAxes& axes, int x, int y, Batch& batch)
{
  std::int64_t size = 1;
  for (int k = 0; k < axes.count; ++k) {
    if (k == x || k == y) continue;
    size = blocks_times(size, axes[k].extent);
    if (size > most_blocks) return false;
    batch.axis[batch.count++] = {block_divisor(axes[k].extent), axes[k].in, axes[k].out};
  }
  batch.size = static_cast<unsigned>(size);
  return true;
}

} // namespace Keramos::cuda
