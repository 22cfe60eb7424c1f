// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TransposePlan.hpp"
#include "TransposeKernels.hpp"
#include "TransposeTuning.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::cuda {
namespace {

using core::MoveAxes;
using core::MoveAxis;

constexpr std::int64_t most_blocks = 0x7fffffff;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// a * b, or a number past most_blocks.
std::int64_t blocks_times(std::int64_t a, std::int64_t b) { return a > most_blocks / b ? most_blocks + 1 : a * b; }

bool lies_on(const void* pointer, int bytes) { return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0; }

/// Both arrays and what an element is.
struct Layout {
  MoveAxes axes;
  int size;
  const void *in, *out;

  void scale(int k, int up, int down)
  {
    axes.axis[k].in = axes[k].in * up / down;
    axes.axis[k].out = axes[k].out * up / down;
  }
};

/// Nothing to move is planned as one element: it is never launched.
void forget_emptiness(MoveAxes& axes)
{
  for (int k = 0; k < axes.count; ++k) axes.axis[k].extent = std::max<std::int64_t>(1, axes[k].extent);
}

/// Elements that do not lie on their size become several smaller ones. False: too many axes.
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

/// Where neighbours are neighbours in both arrays, 2, 4, 8 or 16 bytes of them are one element.
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

/// Axes by the stride of the input, fastest first; those that repeat the input come last.
std::array<int, core::max_rank> input_order(const MoveAxes& axes)
{
  std::array<int, core::max_rank> order{0, 1, 2, 3, 4, 5};
  const auto key = [&](int k) { return axes[k].in == 0 ? INT64_MAX : std::abs(axes[k].in); };
  std::stable_sort(order.begin(), order.begin() + axes.count, [&](int a, int b) { return key(a) < key(b); });
  return order;
}

/// All axes but x and y. False: more than blocks can count.
bool make_batch(const MoveAxes& axes, int x, int y, Batch& batch)
{
  std::int64_t size = 1;
  for (int k = 0; k < axes.count; ++k) {
    if (k == x || k == y) continue;
    size = blocks_times(size, axes[k].extent);
    if (size > most_blocks) return false;
    batch.axis[batch.count++] = {static_cast<unsigned>(axes[k].extent), axes[k].in, axes[k].out};
  }
  batch.size = static_cast<unsigned>(size);
  return true;
}

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

MoveKind tile_kind(const Layout& layout, int x, int y)
{
  const auto& axes = layout.axes;
  if (axes[x].out != 1 || axes[y].in != 1) return MoveKind::tile;
  const int v = 16 / layout.size;
  bool on_16_bytes = lies_on(layout.in, 16) && lies_on(layout.out, 16);
  for (int k = 0; k < axes.count; ++k)
    on_16_bytes = on_16_bytes && (k == y || axes[k].in % v == 0) && (k == x || axes[k].out % v == 0);
  if (on_16_bytes) return MoveKind::tile_vector;
  return layout.size <= 4 ? MoveKind::tile_shifted : MoveKind::tile;
}

Sides tile_sides(MoveKind kind, int size)
{
  if (kind == MoveKind::tile_vector) return sides_of<VectorTile>(size);
  if (kind == MoveKind::tile_shifted) return sides_of<ShiftedTile>(size);
  return sides_of<ElementTile>(size);
}

std::optional<MovePlan> plan_tile(const TransposeTuning& tuning, const MoveAxes& axes, int size, int x, int y,
                                  MoveKind kind)
{
  const Sides sides = tile_sides(kind, size);
  const MoveAxis &a = axes[x], &b = axes[y];
  TileJob job{a.extent, b.extent, a.in, b.in, a.out, b.out, 0, 0, 0, tuning.batches_first, {}};
  const int v = 16 / size; // shifted tiles share V rows, and lag behind by up to V - 1
  const std::int64_t tiles_a =
      kind == MoveKind::tile_shifted ? ceil_div(a.extent + v - 1, sides.a - v) : ceil_div(a.extent, sides.a);
  const std::int64_t tiles_b = ceil_div(b.extent, sides.b);
  if (!make_batch(axes, x, y, job.batch)) return std::nullopt;
  const std::int64_t blocks = blocks_times(blocks_times(tiles_a, tiles_b), job.batch.size);
  if (blocks > most_blocks) return std::nullopt;
  job.tiles_a = static_cast<unsigned>(tiles_a);
  job.tiles_b = static_cast<unsigned>(tiles_b);
  job.group = std::min(tuning.group, job.tiles_a);

  MovePlan plan;
  plan.kind = kind;
  plan.size = size;
  plan.blocks = static_cast<unsigned>(blocks);
  plan.job = job;
  plan.variant = tile_text("tile ", sides, kind == MoveKind::tile ? 0 : 16 / size);
  if (kind == MoveKind::tile_shifted) plan.variant += " shifted";
  return plan;
}

// ---- Boxes and copies -----------------------------------------------------------------------------------------------

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

/// Boxes begin on 16 bytes of an array: `stride` is its stride of an axis.
template <class Stride>
bool begins_on_chunks(const BoxJob& job, const void* data, int size, const Stride& stride)
{
  bool all = data && lies_on(data, 16);
  for (int k = 0; k < job.count; ++k)
    all = all && (job.axis[k].blocks == 1 || stride(job.axis[k]) * job.axis[k].chunk * size % 16 == 0);
  return all;
}

/// `in` and `out` are null where nothing is known of them.
std::optional<BoxJob> make_box(const MoveAxes& axes, const BoxShape& shape, int size, const void* in, const void* out)
{
  BoxJob job{};
  std::int64_t boxes = 1;
  for (int k = 0; k < axes.count; ++k) {
    const std::int64_t blocks = ceil_div(axes[k].extent, shape.chunk[k]);
    job.axis[k] = {axes[k].extent,
                   axes[k].in,
                   axes[k].out,
                   static_cast<unsigned>(shape.chunk[k]),
                   static_cast<unsigned>(std::min(blocks, most_blocks)),
                   static_cast<unsigned>(boxes)};
    boxes = blocks_times(boxes, blocks);
    if (boxes > most_blocks) return std::nullopt;
  }
  job.count = axes.count;
  job.boxes = static_cast<unsigned>(boxes);
  for (int k = 0; k < axes.count; ++k)
    if (shape.chunk[k] > 1) job.out_order[job.inner++] = k;
  int inner = 0;
  for (const int k : input_order(axes))
    if (k < axes.count && shape.chunk[k] > 1) job.in_order[inner++] = k;
  if (job.inner == 0) job.inner = 1; // one element a block: along its first axis, of one
  unsigned chunk[core::max_rank];
  for (int k = 0; k < axes.count; ++k) chunk[k] = job.axis[k].chunk;
  for (int k = 0; k < job.inner; ++k) job.chunk[k] = divisor(chunk[job.out_order[k]]);

  job.read_vector = begins_on_chunks(job, in, size, [](const auto& axis) { return axis.in; });
  job.write_vector = begins_on_chunks(job, out, size, [](const auto& axis) { return axis.out; });
  const auto walks = [&](bool slots_as_output) { // slots in an order that makes one side a single run, if any does
    job.slots_as_output = slots_as_output;
    job.read = box_walk(job, chunk, false, 16 / size);
    job.write = box_walk(job, chunk, true, 16 / size);
  };
  walks(true);
  if (job.write.count > 1) walks(false);
  return job;
}

MovePlan box_plan(const BoxJob& job, int size, MoveKind kind)
{
  MovePlan plan;
  plan.kind = kind;
  plan.size = size;
  plan.blocks = job.boxes;
  plan.job = job;
  plan.variant = (kind == MoveKind::box ? "box " : "copy ") + std::to_string(size) + " B";
  return plan;
}

/// Through shared memory, where an element has `shared_size` bytes.
std::optional<MovePlan> plan_box(const MoveAxes& axes, const BoxShape& shape, int size, int shared_size, const void* in,
                                 const void* out)
{
  const auto job = make_box(axes, shape, size, in, out);
  if (!job) return std::nullopt;
  MovePlan plan = box_plan(*job, size, MoveKind::box);
  with_size(shared_size, [&](auto bytes) {
    plan.shared_bytes = static_cast<int>(box_slot_bytes<bytes>(static_cast<unsigned>(shape.volume())));
  });
  if (size < 16 && (job->read.vector || job->write.vector)) plan.variant += " v" + std::to_string(16 / size);
  return plan;
}

std::optional<MovePlan> plan_copy(const MoveAxes& axes, int size)
{
  std::int64_t elements = 0;
  with_size(size, [&](auto bytes) { elements = box_threads * copy_in_flight<bytes>; });
  BoxShape shape(axes, elements);
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  const auto job = make_box(axes, shape, size, nullptr, nullptr);
  return job ? std::optional(box_plan(*job, size, MoveKind::copy)) : std::nullopt;
}

std::optional<MovePlan> plan_copy_rows(const MoveAxes& the_axes, int size)
{
  const int v = 16 / size;
  core::MoveAxes axes = the_axes;
  axes.axis[0] = {(axes[0].extent + 2 * v - 2) / v, v, v}; // chunks, wherever a row begins
  BoxShape shape(axes, box_threads * copy_rows_in_flight);
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  auto job = make_box(axes, shape, 16, nullptr, nullptr);
  if (!job) return std::nullopt;
  job->row = the_axes[0].extent;
  return box_plan(*job, size, MoveKind::copy_rows);
}

std::optional<MovePlan> plan_boxes(const TransposeTuning& tuning, const MoveAxes& axes, int size, int shared_size,
                                   const void* in = nullptr, const void* out = nullptr)
{
  const std::int64_t most = std::min(most_box_elements, tuning.box_bytes / shared_size);
  const std::int64_t side = std::max(1, tuning.box_side_bytes / size);
  const auto by_input = input_order(axes);
  BoxShape shape(axes, most);
  for (const bool output : {true, false}) {
    std::int64_t covered = 1;
    for (int p = 0; p < axes.count && covered < side; ++p) {
      const int k = output ? p : by_input[p];
      shape.grow(k, ceil_div(side, covered));
      covered *= shape.chunk[k];
    }
  }
  for (int k = 0; k < axes.count; ++k) shape.fill(k);
  return plan_box(axes, shape, size, shared_size, in, out);
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

  NarrowJob job{points.extent, plan.to_planes ? components.out : components.in, 0, {}};
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
  job.blocks = static_cast<unsigned>(blocks);
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
  const MoveKind kind = tile_kind(layout, x, y);
  if (fill(moved[x], moved[y], tile_sides(kind, layout.size)) >= tuning.least_fill)
    return plan_tile(tuning, moved, layout.size, x, y, kind);
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
    return plan_tile(tuning, axes, size, x, y, MoveKind::tile);
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
  plan.job = {order, fast, slow, 0, 0, {}};
  if (!make_batch(stack, -1, -1, plan.job.stack)) return std::nullopt;
  const int v = 16 / size;
  plan.vector = !functor && fast == 1 && slow % v == 0 && lies_on(data, 16);
  for (int k = 0; k < stack.count; ++k) plan.vector = plan.vector && stack[k].out % v == 0;
  const Sides sides = plan.vector ? sides_of<VectorSwap>(size) : sides_of<ElementSwap>(size);
  const std::int64_t tiles = ceil_div(order, sides.a), pairs = blocks_times((tiles + 1) / 2, tiles + 1);
  const std::int64_t blocks = blocks_times(pairs, plan.job.stack.size);
  if (blocks > most_blocks) return std::nullopt;
  plan.job.tiles = static_cast<unsigned>(tiles);
  plan.job.pairs = static_cast<unsigned>(pairs);
  plan.blocks = static_cast<unsigned>(blocks);
  plan.variant = tile_text("swap ", sides, plan.vector ? v : 0);
  return InPlacePlan(plan);
}

void run_move(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  switch (plan.kind) {
  case MoveKind::tile_vector:
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
