// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "Tuning.hpp"

#include <algorithm>
#include <numeric>

namespace Keramos::cuda::transpose {

std::string bytes_text(int in_size, int out_size)
{
  return in_size == out_size ? core::text(in_size, " B") : core::text(in_size, " to ", out_size, " B");
}

void count_empty_as_one(MoveAxes& axes)
{
  for (int k = 0; k < axes.count; ++k) axes.axis[k].extent = std::max<std::int64_t>(1, axes[k].extent);
}

bool fit_to_alignment(Layout& layout)
{
  MoveAxes& axes = layout.axes;
  int alignment = 16;
  while (!layout.is_aligned(alignment)) alignment /= 2;
  int size = layout.size();
  if (const int parts = size / alignment; parts > 1) {
    if (axes.count == core::max_rank) return false;
    for (int k = axes.count; k > 0; --k)
      axes.axis[k] = {axes[k - 1].extent, axes[k - 1].in * parts, axes[k - 1].out * parts};
    axes.axis[0] = {parts, 1, 1};
    axes = core::normalised(axes.axis.data(), axes.count + 1);
    size = alignment;
  }
  layout.in_size = layout.out_size = core::widen(axes, size, alignment);
  core::ensure_axis(axes);
  return true;
}

int peel_of(const void* data, int size, int side, std::int64_t extent, std::int64_t pitch)
{
  const std::int64_t unit = std::gcd(std::gcd(256, side * size), pitch * size);
  const int peel = static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % unit) / size;
  const bool few_more = extent >= 8 * side || core::ceil_div(extent + peel, side) == core::ceil_div(extent, side);
  return few_more ? peel : 0;
}

int late_neighbour(const MoveAxes& axes, int count, std::int64_t elements, int size)
{
  const std::int64_t bytes = elements * size;
  std::int64_t between = bytes;
  int k = count;
  for (; k < axes.count && axes[k].in != elements; ++k) between *= axes[k].extent;
  return k < axes.count && bytes < short_run_bytes && between > max_bytes_to_neighbour ? k : 0;
}

bool make_batch(const MoveAxes& axes, int x, int y, Batch& batch)
{
  std::int64_t size = 1;
  for (int k = 0; k < axes.count; ++k) {
    if (k == x || k == y) continue;
    size = blocks_times(size, axes[k].extent);
    if (size > max_blocks) return false;
    batch.axis[batch.count++] = {block_divisor(axes[k].extent), axes[k].in, axes[k].out};
  }
  batch.size = static_cast<unsigned>(size);
  return true;
}

} // namespace Keramos::cuda::transpose
