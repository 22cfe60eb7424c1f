// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout.hpp"
#include "../core/Integer.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::core {
namespace {

/// Are two neighbours along the fastest axis always a pair, in both arrays?
bool come_in_pairs(const MoveAxes& axes)
{
  if (axes.count == 0 || axes[0].in != 1 || axes[0].out != 1 || axes[0].extent % 2) return false;
  for (int k = 1; k < axes.count; ++k)
    if (axes[k].in % 2 || axes[k].out % 2) return false;
  return true;
}

} // namespace

int widen(MoveAxes& axes, int size, int max_size)
{
  for (; 2 * size <= max_size && come_in_pairs(axes); size *= 2) {
    axes.axis[0].extent /= 2;
    for (int k = 1; k < axes.count; ++k) {
      axes.axis[k].in /= 2;
      axes.axis[k].out /= 2;
    }
    if (axes[0].extent == 1) axes = normalised(axes.axis.data(), axes.count);
  }
  return size;
}

std::array<int, max_rank> input_order(const MoveAxes& axes)
{
  std::array<int, max_rank> order{0, 1, 2, 3, 4, 5};
  sort_few(order.data(), axes.count,
           [&](int k) { return axes[k].in == 0 ? INT64_MAX : std::int64_t{std::abs(axes[k].in)}; });
  return order;
}

bool same_order(const MoveAxes& axes)
{
  const auto order = input_order(axes);
  return std::is_sorted(order.begin(), order.begin() + axes.count);
}

void BoxShape::grow(int k, std::int64_t wanted)
{
  const std::int64_t axis = axes_[k].extent, others = volume_ / extent_[k];
  if (extent_[k] == 1 && long_axes_ == limits_.axes) return;
  wanted = std::min(wanted, axis);
  if (limits_.lanes > 1 && axis < 4 * wanted) // a short axis is partitioned evenly
    wanted = ceil_div(axis, std::max<std::int64_t>(1, (axis + wanted / 2) / wanted));
  const std::int64_t next = std::max(extent_[k], std::min(wanted, limits_.elements / others));
  if (extent_[k] == 1 && next > 1) ++long_axes_;
  extent_[k] = next;
  volume_ = others * next;
}

void BoxShape::fill(int k)
{
  const std::int64_t room = limits_.elements / (volume_ / extent_[k]);
  grow(k,
       room >= axes_[k].extent || room < std::int64_t{2} * limits_.lanes ? room : room / limits_.lanes * limits_.lanes);
}

void BoxShape::span(std::int64_t output_run, std::int64_t input_run)
{
  const auto by_input = input_order(axes_);
  for (const bool output : {true, false}) {
    const std::int64_t run = output ? output_run : input_run;
    std::int64_t covered = 1;
    for (int p = 0; p < axes_.count && covered < run; ++p) {
      const int k = output ? p : by_input[p];
      grow(k, ceil_div(run, covered));
      covered *= extent_[k];
    }
  }
}

void BoxShape::cover(std::int64_t run)
{
  span(run, run);
  for (int k = 0; k < axes_.count; ++k) fill(k);
}

} // namespace Keramos::core
