// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of what is no tile: boxes through shared memory, and copies.
#pragma once

#include "TransposeLayout.hpp"
#include "TransposePlan.hpp"
#include "TransposeTuning.hpp"

#include <algorithm>

namespace Keramos::cuda {

/// Grows a box within `most` elements.
class BoxShape {
public:
  BoxShape(const MoveAxes& axes, std::int64_t most) : axes_(axes), most_(most) { chunk.fill(1); }

  /// At least `wanted` along axis k if it is that long. Long axes are cut there, short ones evenly.
  void grow(int k, std::int64_t wanted)
  {
    const std::int64_t extent = axes_[k].extent, others = volume_ / chunk[k];
    if (chunk[k] == 1 && inner_ == box_axes) return;
    wanted = std::min(wanted, extent);
    if (extent < 4 * wanted) wanted = ceil_div(extent, std::max<std::int64_t>(1, (extent + wanted / 2) / wanted));
    const std::int64_t next = std::max(chunk[k], std::min(wanted, most_ / others));
    if (chunk[k] == 1 && next > 1) ++inner_;
    chunk[k] = next;
    volume_ = others * next;
  }

  /// Along k as far as the box goes, in whole rows of 32 if it does not reach the end.
  void fill(int k)
  {
    const std::int64_t others = volume_ / chunk[k], room = most_ / others;
    grow(k, room >= axes_[k].extent || room < 64 ? room : room / 32 * 32);
  }

  std::int64_t volume() const { return volume_; }
  std::array<std::int64_t, core::max_rank> chunk;

private:
  const MoveAxes& axes_;
  std::int64_t most_, volume_ = 1;
  int inner_ = 0;
};

/// Through shared memory, where an element has `shared_size` bytes.
std::optional<MovePlan> plan_box(const MoveAxes& axes, const BoxShape& shape, int size, int shared_size, const void* in,
                                 const void* out);

/// Through boxes of the shape that suits short axes on either side. `in` and `out` are null where nothing is known of them.
std::optional<MovePlan> plan_boxes(const TransposeTuning& tuning, const MoveAxes& axes, int size, int shared_size,
                                   const void* in = nullptr, const void* out = nullptr);

/// The fast axis is one on both sides: element by element.
std::optional<MovePlan> plan_copy(const MoveAxes& axes, int size);
/// The same where rows are contiguous.
std::optional<MovePlan> plan_copy_rows(const MoveAxes& axes, int size);

} // namespace Keramos::cuda
