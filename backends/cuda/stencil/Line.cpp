// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Line.hpp"

#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"

namespace Keramos::cuda::stencil {
namespace {

template <class T>
void set_axes(LinePlan<T>& plan, const StencilRequest<T>& request, int axis)
{
  LineArguments<T>& to = plan.arguments;
  to.in = request.in.data;
  to.out = request.out.data;
  for (int p = 0; p < 3; ++p) {
    const int from = plan.order[p];
    to.in_stride[p] = request.in.stride[from];
    to.out_stride[p] = request.out.stride[from];
    to.range[p] = {request.begin[from], request.end[from]};
  }
  to.line = edge_axis(request.axes[axis], request.in.stride[axis], request.radius);
}

/// The points along an axis.
template <class T>
std::int64_t points_along(const LineArguments<T>& arguments, int axis)
{
  return arguments.range[axis].end - arguments.range[axis].begin;
}

/// Numbers the blocks, of so many points each; false if there are too many.
template <class T>
bool set_blocks(LinePlan<T>& plan, const std::int64_t (&blocks)[3], int threads)
{
  LineArguments<T>& to = plan.arguments;
  const std::int64_t padded[3] = {blocks[0], blocks[1], core::round_up(blocks[2], 1 << to.together)};
  std::int64_t count = 1;
  for (int p = 0; p < 3; ++p) {
    if (padded[p] > INT32_MAX / count) return false; // blocks are numbered in 31 bits
    count *= padded[p];
    to.blocks[p] = static_cast<unsigned>(padded[p]);
  }
  plan.shape.blocks = static_cast<unsigned>(count);
  plan.shape.threads = static_cast<unsigned>(threads);
  return true;
}

/// Blocks along the rows of a large grid: whole rows if they fit, else even shares of one.
template <class T>
bool set_large_pencils(LinePlan<T>& plan, std::int64_t vectors_of_row)
{
  constexpr int vectors = large_pencil_vectors, threads = core::exponent_of(large_pencil_threads);
  LineArguments<T>& to = plan.arguments;
  LineBlock& block = to.block;
  const std::int64_t rows = points_along(to, 1), planes = points_along(to, 2);
  const std::int64_t shares = vectors_of_row <= max_pencil_width ? 1 : core::ceil_div(vectors_of_row, vectors);
  to.width = static_cast<int>(core::ceil_div(vectors_of_row, shares));
  // The power of two of pencils that comes nearest; where rows are short, their halos count as well.
  const int length = pencil_length(to.width, plan.radius, vector_width<T>);
  const std::int64_t pencils = std::min<std::int64_t>(core::ceil_div(3 * vectors / 4, to.width), 2 * vectors / length);
  const int exponent = core::exponent_of(pencils);
  block.across = std::min(core::exponent_of(rows), exponent);
  block.deep = std::min(core::exponent_of(planes), exponent - block.across);
  const int lanes = std::max(threads - block.across - block.deep, pencil_lanes(to.width));
  block.lanes = std::clamp(lanes, 0, threads);
  plan.shape.shared_bytes = 16u * static_cast<unsigned>(length << (block.across + block.deep));
  const std::int64_t blocks[3] = {shares, core::ceil_div(rows, std::int64_t(1) << block.across),
                                  core::ceil_div(planes, std::int64_t(1) << block.deep)};
  return set_blocks(plan, blocks, large_pencil_threads);
}

/// Blocks along the rows of a small grid, of 2^threads threads: as long as may be, which makes the halo small.
template <class T>
bool set_small_pencils(LinePlan<T>& plan, int threads)
{
  LineArguments<T>& to = plan.arguments;
  LineBlock& block = to.block;
  const std::int64_t vectors = core::ceil_div(to.range[0].end - to.origin, vector_width<T>);
  block.lanes = std::min(core::exponent_of(vectors), threads);
  block.across = std::min(core::exponent_of(points_along(to, 1)), threads - block.lanes);
  block.deep = 0;
  const PencilLayout layout = pencil_layout(plan.radius, vector_width<T>, 1 << block.lanes, 1 << block.across);
  plan.shape.shared_bytes = static_cast<unsigned>(sizeof(T)) * layout.elements();
  const std::int64_t blocks[3] = {core::ceil_div(vectors, layout.width),
                                  core::ceil_div(points_along(to, 1), layout.pencils), points_along(to, 2)};
  return set_blocks(plan, blocks, 1 << (block.lanes + block.across));
}

/// The vectors of the longest row. Where rows begin anywhere, the first point of some is the last one of a vector.
template <class T>
std::int64_t vectors_of_row(const LinePlan<T>& plan, const StencilRequest<T>& request)
{
  const std::int64_t points = points_along(plan.arguments, 0);
  const std::optional<int> misalignment = row_misalignment(request.out);
  const std::int64_t before = misalignment ? (request.begin[0] + *misalignment) % vector_width<T> : vector_width<T> - 1;
  return core::ceil_div(points + before, vector_width<T>);
}

/// Blocks across the rows, of 2^threads threads.
template <class T>
bool set_columns(LinePlan<T>& plan, int threads)
{
  LineArguments<T>& to = plan.arguments;
  const int columns = to.vectorised || plan.is_large ? vector_width<T> : small_line_columns<T>(plan.radius);
  const int own[3] = {columns, plan.is_large ? large_line_items : small_line_items(plan.radius), 1};
  std::int64_t threads_of[3], blocks[3];
  for (int p = 0; p < 3; ++p) {
    const std::int64_t begin = to.range[p].begin, peel = p == 0 ? (begin - to.origin) % own[0] : 0;
    threads_of[p] = core::ceil_div(to.range[p].end - begin + peel, own[p]);
  }
  LineBlock& block = to.block;
  const bool is_slowest = plan.order[1] == 2;
  block.lanes = std::min(core::exponent_of(threads_of[0]), line_lanes(plan.is_large && plan.arguments.vectorised));
  block.across = std::min(core::exponent_of(threads_of[1]), threads - block.lanes);
  if (is_slowest && plan.is_large) block.across = std::min(block.across, max_slowest_across);
  block.deep = std::min(core::exponent_of(threads_of[2]), threads - block.lanes - block.across);
  const int exponents[3] = {block.lanes, block.across, block.deep};
  for (int p = 0; p < 3; ++p) blocks[p] = core::ceil_div(threads_of[p], std::int64_t(1) << exponents[p]);
  // As many as leave few blocks without work.
  to.together = is_slowest ? lines_together(sizeof(T), to.vectorised && plan.is_large) : 0;
  while (to.together > 0 && core::round_up(blocks[2], 1 << to.together) > blocks[2] + blocks[2] / 16) --to.together;
  return set_blocks(plan, blocks, 1 << (block.lanes + block.across + block.deep));
}

/// How the grid is divided into blocks; false if there are too many. Large grids have kernels of their own, small ones blocks of fewer
/// threads where that leaves multiprocessors without work.
template <class T>
bool set_grid(LinePlan<T>& plan, const StencilRequest<T>& request)
{
  const LineArguments<T>& to = plan.arguments;
  for (int p = 0; p < 3; ++p)
    if (points_along(to, p) <= 0) return true; // no point: nothing will be launched
  const unsigned enough = line_occupancy * request.device.multiprocessors;
  const std::int64_t points = points_along(to, 0) * points_along(to, 1) * points_along(to, 2);
  if (plan.along) {
    const bool is_contiguous = request.in.stride[0] == 1 && request.out.stride[0] == 1;
    plan.is_large = is_contiguous && points / (2 * large_pencil_vectors * vector_width<T>) >= enough;
    if (plan.is_large) {
      plan.arguments.vectorised = true;
      plan.arguments.origin = request.begin[0];
      return set_large_pencils(plan, vectors_of_row(plan, request));
    }
  } else {
    plan.is_large = to.vectorised || points_along(to, 0) >= 32;
    const std::int64_t origin = to.origin;
    const auto misalignment = shared_misalignment(request, false, line_boundary<T>);
    if (misalignment && points_along(to, 0) >= line_boundary<T>)
      plan.arguments.origin = aligned_begin(request.begin[0], *misalignment, line_boundary<T>);
    if (plan.is_large && !set_columns(plan, line_threads)) return false;
    if (plan.is_large && plan.shape.blocks.x >= enough) return true;
    plan.is_large = false;
    plan.arguments.origin = origin;
  }
  for (int threads = plan.along ? 8 : line_threads; threads >= 6; --threads) {
    if (!(plan.along ? set_small_pencils(plan, threads) : set_columns(plan, threads))) return false;
    if (plan.shape.blocks.x >= enough) break;
  }
  return true;
}

/// Whether the grid is made of whole vectors and told in 32 bits.
template <class T>
bool set_small_line(SmallLine<T>& to, const LinePlan<T>& plan, const StencilRequest<T>& request)
{
  constexpr int width = vector_width<T>;
  const LineArguments<T>& from = plan.arguments;
  const std::optional<SmallAxis<T>> axis = small_axis(request, plan.along ? 0 : plan.order[1]);
  if (!axis || !from.vectorised || from.origin != request.begin[0] || points_along(from, 0) % width != 0) return false;
  if (plan.along && (axis->begin % width != 0 || axis->end % width != 0)) return false;
  if (!is_small(request.in, plan.radius) || !is_small(request.out, plan.radius)) return false;
  to.has_zeros = has_zeros(*axis);
  to.in = &request.in[request.begin];
  to.out = &request.out[request.begin];
  for (int p = 0; p < 3; ++p) {
    to.points[p] = static_cast<int>(points_along(from, p));
    to.in_stride[p] = static_cast<int>(from.in_stride[p]);
    to.out_stride[p] = static_cast<int>(from.out_stride[p]);
  }
  to.axis = *axis;
  return true;
}

/// Threads of a block along the rows: whole rows if they are short, else even shares; across the rows as many as rows read alike.
template <class T>
dim3 small_line_block(const LinePlan<T>& plan, const std::int64_t (&threads)[3])
{
  if (plan.along) {
    const std::int64_t shares = core::ceil_div(threads[0], max_small_line_lanes);
    const std::int64_t lanes = core::ceil_div(threads[0], shares);
    const int rows = core::exponent_of(small_line_threads / lanes + 1) - 1;
    return dim3(static_cast<unsigned>(lanes), 1u << std::min(core::exponent_of(threads[1]), rows));
  }
  const int across = std::min(core::exponent_of(threads[1]), small_line_across);
  const int deep = std::min(core::exponent_of(threads[2]), small_line_across - across);
  const int lanes = std::min(core::exponent_of(threads[0]), 2 * small_line_across - across - deep);
  return dim3(1u << lanes, 1u << across, 1u << deep);
}

/// Blocks of such a grid lie along its axes; false if there are too many.
template <class T>
bool set_small_grid(LinePlan<T>& plan)
{
  SmallLine<T>& to = plan.arguments.small;
  const int own[3] = {vector_width<T>, plan.along ? 1 : small_line_items(plan.radius), 1};
  std::int64_t threads[3];
  for (int p = 0; p < 3; ++p) threads[p] = core::ceil_div(std::int64_t(to.points[p]), std::int64_t(own[p]));
  const dim3 block = small_line_block(plan, threads);
  const auto blocks = [](std::int64_t count, unsigned each) {
    return static_cast<unsigned>(core::ceil_div(count, std::int64_t(each)));
  };
  plan.shape.blocks = dim3(blocks(threads[0], block.x), blocks(threads[1], block.y), blocks(threads[2], block.z));
  plan.shape.threads = block;
  to.is_taken = plan.shape.blocks.y <= UINT16_MAX && plan.shape.blocks.z <= UINT16_MAX; // CUDA's limits
  return to.is_taken;
}

/// Whether the call has points and few of them for this GPU.
template <class T>
bool is_small_grid(const LinePlan<T>& plan, const StencilRequest<T>& request)
{
  double bytes = sizeof(T);
  for (int p = 0; p < 3; ++p) bytes *= static_cast<double>(std::max<std::int64_t>(points_along(plan.arguments, p), 0));
  return bytes > 0 && bytes <= static_cast<double>(request.device.multiprocessors * max_small_line_bytes(plan.along));
}

template <class T>
core::Text variant(int rank, const LinePlan<T>& plan)
{
  const LineBlock block = plan.arguments.block;
  const bool small = plan.arguments.small.is_taken;
  dim3 n(plan.along && plan.is_large ? plan.arguments.width : 1u << block.lanes, 1u << block.across, 1u << block.deep);
  if (small) n = plan.shape.threads;
  const int vector = plan.arguments.vectorised ? vector_width<T> : 1;
  return [radius = plan.radius, along = plan.along, small, x = n.x, y = n.y, z = n.z, rank, vector] {
    return core::text("line<", rank, ",", radius, "> ", small ? "small " : "", along ? "along " : "across ", x, "x", y,
                      "x", z, " v", vector);
  };
}

} // namespace

template <class T>
std::optional<LinePlan<T>> choose_line(const StencilRequest<T>& request)
{
  const bool is_line = request.shape == Shape::line || (request.rank == 1 && request.shape != Shape::sparse);
  if (!is_line || request.radius < 1 || request.radius > max_radius) return std::nullopt;
  int axis = 0;
  for (int p = 1; p < 3; ++p)
    if (request.axes[p].reach_low > 0 || request.axes[p].reach_high > 0) axis = p;
  std::optional<LinePlan<T>> plan(std::in_place);
  plan->radius = request.radius;
  plan->along = axis == 0;
  plan->order = axis == 2 ? KernelOrder{0, 2, 1} : KernelOrder{0, 1, 2};
  if (!set_line_weights(plan->arguments, request, axis)) return std::nullopt;
  set_axes(*plan, request, axis);
  const std::optional<int> misalignment = shared_misalignment(request, false); // operands are read one by one
  const std::int64_t begin = request.begin[0];
  plan->arguments.vectorised = misalignment.has_value();
  plan->arguments.origin = misalignment ? aligned_begin(begin, *misalignment, vector_width<T>) : begin;
  const bool small = is_small_grid(*plan, request) && set_small_line(plan->arguments.small, *plan, request);
  if (!(small && set_small_grid(*plan)) && !set_grid(*plan, request)) return std::nullopt;
  plan->variant = variant(request.rank, *plan);
  return plan;
}

template std::optional<LinePlan<float>> choose_line(const StencilRequest<float>&);
template std::optional<LinePlan<double>> choose_line(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
