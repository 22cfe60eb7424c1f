// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of transposes in place.

#include "../../../src/keramos/core/Integer.hpp"
#include "BoxTuning.hpp"
#include "PlanBox.hpp"
#include "PlanTile.hpp"
#include "SwapTuning.hpp"

#include <algorithm>
#include <numeric>

namespace Keramos::cuda::transpose {
namespace {

/// Boxes of whole matrices, which are read before they are written.
std::optional<MovePlan> plan_matrices(const InPlaceLayout& layout, std::int64_t max_elements, bool functor)
{
  const auto& stack = layout.stack;
  MoveAxes axes;
  axes.count = 2 + stack.count;
  axes.axis[0] = {layout.order, layout.slow, layout.fast};
  axes.axis[1] = {layout.order, layout.fast, layout.slow};
  std::copy_n(stack.axis.data(), stack.count, axes.axis.data() + 2);
  core::sort_few(axes.axis.data(), axes.count, [](const MoveAxis& axis) { return axis.out; });
  core::BoxShape shape(axes, box_limits(max_elements));
  const auto is_of_matrix = [&](int k) { return axes[k].in != axes[k].out; };
  for (int k = 0; k < axes.count; ++k)
    if (is_of_matrix(k)) shape.grow(k, layout.order);
  for (int k = 0; k < axes.count; ++k)
    if (!is_of_matrix(k)) shape.fill(k);
  const void* const known = functor ? nullptr : layout.data;
  return plan_box({axes, layout.size, layout.size, known, known}, shape);
}

/// Whether there is a swap of unaligned rows for these elements, and shared memory for it.
bool has_unaligned_swap(const Device& device, int size)
{
  bool result = false;
  with_size(size, [&](auto bytes) {
    if constexpr (!std::is_void_v<UnalignedSwap<bytes>>)
      result = unaligned_swap_bytes<bytes, UnalignedSwap<bytes>> <= device.shared_per_block;
  });
  return result;
}

double bytes_of(const InPlaceLayout& layout)
{
  return double(layout.order) * double(layout.order * layout.size) * double(layout.stack.size());
}

/// See until_written().
bool keeps(const InPlaceLayout& layout, SwapKind kind)
{
  const bool wants_order = layout.size <= 4 && kind == SwapKind::unaligned;
  return bytes_of(layout) >= min_kept_bytes && (!wants_order || layout.order >= min_kept_order);
}

/// On how many bytes rows lie that vectors move, where there is an unaligned swap. Narrow elements of rows that begin alike would meet few
/// banks in that.
int bytes_of_vector_rows(const InPlaceLayout& layout)
{
  if (layout.size < min_narrow_size) return 16;
  const bool is_large =
      layout.order * layout.size >= min_vector_swap_row_bytes && bytes_of(layout) >= min_vector_swap_pitch_bytes;
  return is_large ? line_bytes : vector_swap_bytes;
}

SwapKind swap_kind(const Device& device, const InPlaceLayout& layout, bool functor)
{
  if (functor || layout.fast != 1) return SwapKind::element;
  const auto pitches_are_multiples_of = [&](int bytes) {
    bool all = layout.slow * layout.size % bytes == 0;
    for (int k = 0; k < layout.stack.count; ++k) all = all && layout.stack[k].out * layout.size % bytes == 0;
    return all;
  };
  const bool has_unaligned = has_unaligned_swap(device, layout.size);
  const int bytes = has_unaligned ? std::min(vector_swap_bytes, bytes_of_vector_rows(layout)) : 16;
  const bool aligned = is_aligned(layout.data, bytes) && pitches_are_multiples_of(bytes);
  if (has_unaligned && (!aligned || !pitches_are_multiples_of(bytes_of_vector_rows(layout))))
    return SwapKind::unaligned;
  return aligned ? SwapKind::vector : SwapKind::element;
}

Sides swap_sides(SwapKind kind, int size)
{
  if (kind == SwapKind::vector) return sides_of<VectorSwap>(size);
  if (kind == SwapKind::unaligned) return sides_of<UnalignedSwap>(size);
  return sides_of<ElementSwap>(size);
}

/// Pairs of tiles.
std::optional<SwapPlan> plan_swap(const Device& device, const InPlaceLayout& layout, bool functor)
{
  const auto& stack = layout.stack;
  SwapPlan plan;
  plan.kind = swap_kind(device, layout, functor);
  plan.size = layout.size;
  plan.job = SwapJob{layout.order, layout.fast, layout.slow, 0, 0, 0, {}, {}, {}, keeps(layout, plan.kind)};
  if (!make_batch(stack, -1, -1, plan.job.stack)) return std::nullopt;
  const Sides sides = swap_sides(plan.kind, layout.size);
  bool on_units = false;
  if (plan.kind == SwapKind::vector) {
    std::int64_t pitch = layout.slow;
    for (int k = 0; k < stack.count; ++k) pitch = std::gcd(pitch, stack[k].out);
    plan.job.peel = peel_of(layout.data, layout.size, sides.a, layout.order, pitch);
    on_units = pitch * layout.size % memory_unit_bytes == 0;
  }
  const std::int64_t tiles = core::ceil_div(layout.order + plan.job.peel, sides.a);
  plan.job.group = on_units || tiles < min_grouped_tiles ? 0
                   : plan.kind == SwapKind::unaligned    ? unaligned_swap_group(tiles)
                                                         : swap_group;
  const std::int64_t groups = core::ceil_div(tiles, std::int64_t{1} << plan.job.group);
  const std::int64_t pairs =
      blocks_times(blocks_times((groups + 1) / 2, groups + 1), std::int64_t{1} << 2 * plan.job.group);
  const std::int64_t blocks = blocks_times(pairs, plan.job.stack.size);
  if (blocks > max_blocks) return std::nullopt;
  plan.job.tiles = static_cast<unsigned>(tiles);
  plan.job.line = block_divisor(groups + 1);
  plan.job.pairs = block_divisor(pairs);
  plan.blocks = static_cast<unsigned>(blocks);
  plan.variant = tile_text("swap ", sides, plan.kind == SwapKind::element ? 0 : 16 / layout.size,
                           plan.kind == SwapKind::unaligned ? " shifted" : "");
  return plan;
}

} // namespace

std::optional<InPlaceMove> plan_in_place(const Device& device, const InPlaceLayout& the_layout, bool functor)
{
  InPlaceLayout layout = the_layout;
  layout.order = std::max<std::int64_t>(1, layout.order);
  count_empty_as_one(layout.stack);
  if (!functor && !is_aligned(layout.data, layout.size)) return std::nullopt;
  const std::int64_t max_elements = std::min(max_box_elements, box_bytes / layout.size);
  if (layout.order <= max_elements / layout.order) return plan_matrices(layout, max_elements, functor);
  return plan_swap(device, layout, functor);
}

} // namespace Keramos::cuda::transpose
