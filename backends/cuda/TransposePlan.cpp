// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TransposePlan.hpp"
#include "TransposeKernels.hpp"
#include "TransposeLayout.hpp"
#include "TransposePlanBox.hpp"
#include "TransposeTuning.hpp"

#include <algorithm>
#include <numeric>

namespace Keramos::cuda {
namespace {

// ---- Tiles ----------------------------------------------------------------------------------------------------------

struct Sides {
  int a, b;
};

template <template <int> class Shapes>
Sides sides_of(int size)
{
  Sides sides{};
  with_size(size, [&](auto bytes) {
    if constexpr (!std::is_void_v<Shapes<bytes>>) sides = {Shapes<bytes>::a, Shapes<bytes>::b};
  });
  return sides;
}

/// "tile 64x64 v4"; `elements` is 0 where a lane moves one.
std::string tile_text(const char* what, const Sides& sides, int elements)
{
  const std::string text = std::string(what) + std::to_string(sides.a) + "x" + std::to_string(sides.b);
  return elements > 0 ? text + " v" + std::to_string(elements) : text;
}

/// Share of the tiles' elements that are elements of the array.
double fill(const MoveAxis& a, const MoveAxis& b, const Sides& sides)
{
  const auto along = [](std::int64_t extent, int side) {
    return static_cast<double>(extent) / static_cast<double>(ceil_div(extent, side) * side);
  };
  return along(a.extent, sides.a) * along(b.extent, sides.b);
}

/// Large tiles where they fill the GPU for long and are nearly as full as small ones.
MoveKind vector_tile_kind(const Device& device, const TransposeTuning& tuning, const MoveAxes& axes, int size, int x,
                          int y)
{
  const Sides large = sides_of<VectorTile>(size), small = sides_of<SmallVectorTile>(size);
  if (small.a == 0) return MoveKind::tile_vector;
  double tiles = ceil_div(axes[x].extent, large.a) * ceil_div(axes[y].extent, large.b);
  for (int k = 0; k < axes.count; ++k)
    if (k != x && k != y) tiles *= static_cast<double>(axes[k].extent);
  const bool last_long = tiles >= double(tuning.large_tiles) * device.multiprocessors;
  const bool full = fill(axes[x], axes[y], large) >= tuning.large_fill * fill(axes[x], axes[y], small);
  return last_long && full ? MoveKind::tile_vector : MoveKind::tile_vector_small;
}

MoveKind tile_kind(const Device& device, const TransposeTuning& tuning, const Layout& layout, int x, int y)
{
  const auto& axes = layout.axes;
  if (axes[x].out != 1 || axes[y].in != 1) return MoveKind::tile;
  const int v = 16 / layout.size;
  bool on_16_bytes = lies_on(layout.in, 16) && lies_on(layout.out, 16);
  for (int k = 0; k < axes.count; ++k)
    on_16_bytes = on_16_bytes && (k == y || axes[k].in % v == 0) && (k == x || axes[k].out % v == 0);
  if (on_16_bytes) return vector_tile_kind(device, tuning, axes, layout.size, x, y);
  return layout.size <= 4 ? MoveKind::tile_shifted : MoveKind::tile;
}

Sides tile_sides(MoveKind kind, int size)
{
  if (kind == MoveKind::tile_vector) return sides_of<VectorTile>(size);
  if (kind == MoveKind::tile_vector_small) return sides_of<SmallVectorTile>(size);
  if (kind == MoveKind::tile_shifted) return sides_of<ShiftedTile>(size);
  return sides_of<ElementTile>(size);
}

std::optional<MovePlan> plan_tile(const Layout& layout, int x, int y, MoveKind kind)
{
  const auto& axes = layout.axes;
  const int size = layout.size;
  const Sides sides = tile_sides(kind, size);
  const MoveAxis &a = axes[x], &b = axes[y];
  TileJob job{a.extent, b.extent, a.in, b.in, a.out, b.out, {}, {}, 0, 0, {}};
  if (kind == MoveKind::tile_vector || kind == MoveKind::tile_vector_small) {
    std::int64_t in_pitch = 0, out_pitch = 0;
    for (int k = 0; k < axes.count; ++k) {
      if (k != y) in_pitch = std::gcd(in_pitch, axes[k].in);
      if (k != x) out_pitch = std::gcd(out_pitch, axes[k].out);
    }
    job.lead_a = lead_of(layout.out, size, sides.a, a.extent, out_pitch);
    job.lead_b = lead_of(layout.in, size, sides.b, b.extent, in_pitch);
  }
  const int v = 16 / size; // shifted tiles share V rows, and lag behind by up to V - 1
  const std::int64_t tiles_a = kind == MoveKind::tile_shifted ? ceil_div(a.extent + v - 1, sides.a - v)
                                                              : ceil_div(a.extent + job.lead_a, sides.a);
  const std::int64_t tiles_b = ceil_div(b.extent + job.lead_b, sides.b);
  if (!make_batch(axes, x, y, job.batch)) return std::nullopt;
  const std::int64_t tiles = blocks_times(tiles_a, tiles_b), blocks = blocks_times(tiles, job.batch.size);
  if (blocks > most_blocks) return std::nullopt;
  job.tiles_a = block_divisor(tiles_a);
  job.tiles = block_divisor(tiles);

  MovePlan plan;
  plan.kind = kind;
  plan.size = size;
  plan.blocks = static_cast<unsigned>(blocks);
  plan.job = job;
  plan.variant = tile_text("tile ", sides, kind == MoveKind::tile ? 0 : 16 / size);
  if (kind == MoveKind::tile_shifted) plan.variant += " shifted";
  return plan;
}

// ---- Narrow matrices ------------------------------------------------------------------------------------------------

std::optional<MovePlan> plan_narrow(const Layout& layout, int x, int y)
{
  const auto& axes = layout.axes;
  if (axes[x].out != 1 || axes[y].in != 1) return std::nullopt;
  MovePlan plan;
  plan.kind = MoveKind::narrow;
  plan.size = layout.size;
  plan.to_planes = axes[x].in == axes[y].extent && axes[y].extent <= 4;
  if (!plan.to_planes && !(axes[y].out == axes[x].extent && axes[x].extent <= 4)) return std::nullopt;
  const MoveAxis &points = plan.to_planes ? axes[x] : axes[y], &components = plan.to_planes ? axes[y] : axes[x];
  plan.components = static_cast<int>(components.extent);
  if (layout.size == 16) return std::nullopt;

  NarrowJob job{points.extent, plan.to_planes ? components.out : components.in, {}, {}};
  if (!make_batch(axes, x, y, job.batch)) return std::nullopt;
  const auto lies_on_all = [&](int bytes) {
    const int v = bytes / layout.size;
    bool all = lies_on(layout.in, bytes) && lies_on(layout.out, bytes) && job.plane % v == 0;
    for (int k = 0; k < job.batch.count; ++k)
      all = all && job.batch.axis[k].in % v == 0 && job.batch.axis[k].out % v == 0;
    return all;
  };
  if (lies_on_all(16))
    plan.chunk_bytes = 16;
  else if (plan.components == 3 && layout.size >= 4)
    plan.chunk_bytes = layout.size;
  else
    return std::nullopt;

  const int v = plan.chunk_bytes / layout.size, bytes = plan.chunk_bytes * plan.components;
  const std::int64_t block_points = std::int64_t{256} * v * (bytes > 32 ? 1 : 64 / bytes);
  if (points.extent < block_points / 2) return std::nullopt;
  const std::int64_t blocks = ceil_div(points.extent, block_points), all = blocks_times(blocks, job.batch.size);
  if (all > most_blocks) return std::nullopt;
  job.blocks = block_divisor(blocks);
  plan.blocks = static_cast<unsigned>(all);
  plan.job = job;
  plan.variant = "narrow shuffle k=" + std::to_string(plan.components);
  if (v > 1) plan.variant += " v" + std::to_string(v);
  return plan;
}

// ---- Which ----------------------------------------------------------------------------------------------------------

/// Do the axes stand in one order on both sides, so that a copy reads as it writes?
bool same_order(const MoveAxes& axes)
{
  const auto order = input_order(axes);
  return std::is_sorted(order.begin(), order.begin() + axes.count);
}

} // namespace

std::optional<MovePlan> plan_move(const Device& device, const core::MoveAxes& axes, int size, const void* in,
                                  const void* out)
{
  Layout layout{axes, size, in, out};
  forget_emptiness(layout.axes);
  if (!narrow_to_alignment(layout)) return std::nullopt;
  widen(layout);
  if (layout.axes.count == 0) layout.axes = {1, {MoveAxis{1, 1, 1}}};
  const auto& moved = layout.axes;
  const TransposeTuning tuning = transpose_tuning(device, layout.size);
  const int x = 0, y = input_order(moved)[0];
  if (x == y) {
    const bool rows = moved[0].in == 1 && moved[0].out == 1 &&
                      (moved[0].extent * layout.size >= tuning.shortest_run_bytes || moved.count == 1);
    if (rows) return plan_copy_rows(moved, layout.size);
    return plan_boxes(tuning, moved, layout.size, layout.size, in, out);
  }
  if (auto plan = plan_narrow(layout, x, y)) return plan;
  const MoveKind kind = tile_kind(device, tuning, layout, x, y);
  if (fill(moved[x], moved[y], tile_sides(kind, layout.size)) >= tuning.least_fill)
    return plan_tile(layout, x, y, kind);
  return plan_boxes(tuning, moved, layout.size, layout.size, in, out);
}

std::optional<MovePlan> plan_functor_move(const Device& device, const core::MoveAxes& the_axes, int in_size,
                                          int out_size)
{
  core::MoveAxes axes = the_axes;
  forget_emptiness(axes);
  if (axes.count == 0) axes = {1, {MoveAxis{1, 1, 1}}};
  const int size = std::max(in_size, out_size);
  const TransposeTuning tuning = transpose_tuning(device, size);
  const int x = 0, y = input_order(axes)[0];
  if (x == y) {
    const bool short_runs = axes[0].extent * size < tuning.shortest_run_bytes || axes[0].in != 1;
    if (short_runs && !same_order(axes)) return plan_boxes(tuning, axes, size, out_size);
    return plan_copy(axes, size);
  }
  if (fill(axes[x], axes[y], sides_of<ElementTile>(size)) >= tuning.least_fill)
    return plan_tile({axes, size, nullptr, nullptr}, x, y, MoveKind::tile);
  return plan_boxes(tuning, axes, size, out_size);
}

std::optional<InPlacePlan> plan_in_place(const Device& device, std::int64_t the_order, std::int64_t fast,
                                         std::int64_t slow, const core::MoveAxes& the_stack, int size, const void* data,
                                         bool functor)
{
  const std::int64_t order = std::max<std::int64_t>(1, the_order);
  core::MoveAxes stack = the_stack;
  forget_emptiness(stack);
  if (!functor && !lies_on(data, size)) return std::nullopt;
  const TransposeTuning tuning = transpose_tuning(device, size);
  const std::int64_t most = std::min(most_box_elements, tuning.box_bytes / size);
  if (order <= most / order) { // whole matrices: a box is read before it is written
    std::array<MoveAxis, core::max_rank> all{MoveAxis{order, slow, fast}, MoveAxis{order, fast, slow}};
    for (int k = 0; k < stack.count; ++k) all[2 + k] = stack[k];
    std::stable_sort(all.begin(), all.begin() + 2 + stack.count,
                     [](const auto& a, const auto& b) { return a.out < b.out; });
    core::MoveAxes axes;
    axes.count = 2 + stack.count;
    std::copy_n(all.begin(), axes.count, axes.axis.data());
    BoxShape shape(axes, most);
    const auto is_of_matrix = [&](int k) { return axes[k].in != axes[k].out; };
    for (int k = 0; k < axes.count; ++k)
      if (is_of_matrix(k)) shape.grow(k, order);
    for (int k = 0; k < axes.count; ++k)
      if (!is_of_matrix(k)) shape.fill(k);
    auto plan = plan_box(axes, shape, size, size, functor ? nullptr : data, functor ? nullptr : data);
    if (!plan) return std::nullopt;
    return InPlacePlan(*plan);
  }

  SwapPlan plan;
  plan.size = size;
  plan.job = SwapJob{order, fast, slow, 0, 0, {}, {}, {}};
  if (!make_batch(stack, -1, -1, plan.job.stack)) return std::nullopt;
  const int v = 16 / size;
  plan.vector = !functor && fast == 1 && slow % v == 0 && lies_on(data, 16);
  for (int k = 0; k < stack.count; ++k) plan.vector = plan.vector && stack[k].out % v == 0;
  const Sides sides = plan.vector ? sides_of<VectorSwap>(size) : sides_of<ElementSwap>(size);
  if (plan.vector) {
    std::int64_t pitch = slow;
    for (int k = 0; k < stack.count; ++k) pitch = std::gcd(pitch, stack[k].out);
    plan.job.lead = lead_of(data, size, sides.a, order, pitch);
  }
  const std::int64_t tiles = ceil_div(order + plan.job.lead, sides.a), pairs = blocks_times((tiles + 1) / 2, tiles + 1);
  const std::int64_t blocks = blocks_times(pairs, plan.job.stack.size);
  if (blocks > most_blocks) return std::nullopt;
  plan.job.tiles = static_cast<unsigned>(tiles);
  plan.job.line = block_divisor(tiles + 1);
  plan.job.pairs = block_divisor(pairs);
  plan.blocks = static_cast<unsigned>(blocks);
  plan.variant = tile_text("swap ", sides, plan.vector ? v : 0);
  return InPlacePlan(plan);
}

void run_move(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  switch (plan.kind) {
  case MoveKind::tile_vector:
  case MoveKind::tile_vector_small:
    return run_tile_vector(plan, name, space, in, out);
  case MoveKind::tile_shifted:
    return run_tile_shifted(plan, name, space, in, out);
  case MoveKind::tile:
    return run_tile(plan, name, space, in, out);
  case MoveKind::copy:
  case MoveKind::copy_rows:
    return run_copy_rows(plan, name, space, in, out);
  case MoveKind::narrow:
    return run_narrow(plan, name, space, in, out);
  case MoveKind::box:
    return run_box(plan, name, space, in, out);
  }
}

} // namespace Keramos::cuda
