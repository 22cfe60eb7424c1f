// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Direct.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// 2^lanes x 2^column x 2^other threads along the kernel's axes.
struct Block {
  int lanes, column, other;
};

/// How the grid is divided into blocks; false if there are too many.
template <class T>
bool set_grid(DirectPlan<T>& plan, const Block& block)
{
  DirectArguments<T>& to = plan.arguments;
  const int points = to.vectorised ? vector_width<T> : 1;
  const auto blocks = [&](int p, std::int64_t begin, int of_thread, int exponent) {
    return std::max<std::int64_t>(core::ceil_div(to.range[p].end - begin, std::int64_t(of_thread) << exponent), 0);
  };
  const std::int64_t along = blocks(0, to.origin, points, block.lanes);
  const std::int64_t column = blocks(1, to.range[1].begin, direct_items, block.column);
  const std::int64_t other = blocks(2, to.range[2].begin, 1, block.other);
  if (along == 0 || column == 0 || other == 0) return true; // no point: nothing will be launched
  if (along > INT32_MAX || column > UINT16_MAX || other > UINT16_MAX) return false; // CUDA's limits
  plan.shape.blocks = dim3(static_cast<unsigned>(along), static_cast<unsigned>(column), static_cast<unsigned>(other));
  plan.shape.threads = dim3(1u << block.lanes, 1u << block.column, 1u << block.other);
  return true;
}

template <class T>
core::Text variant(const DirectPlan<T>& plan, const Block& block)
{
  const int radius = plan.radius, points = plan.arguments.vectorised ? vector_width<T> : 1;
  int y = direct_items << block.column, z = 1 << block.other;
  if (plan.arguments.column_is_slowest) std::swap(y, z);
  return [=, how = plan.plain ? "plain " : ""] {
    return core::text("star<3,", radius, "> direct ", how, points << block.lanes, "x", y, "x", z, " v", points);
  };
}

/// What lies beyond this end of an axis, so many indices; `width` of them stay together.
template <class T>
DirectEnd direct_end(const EdgeAxis<T>& axis, int radius, bool is_high, std::int64_t origin, int width)
{
  const std::int64_t end = is_high ? axis.valid_end : axis.valid_begin, first = is_high ? end : end - radius;
  const std::int64_t* place = axis.beyond + axis.reach + (is_high ? 0 : -radius);
  const std::int64_t shift = *place == core::no_index ? 0 : *place - first * axis.stride;
  DirectEnd result{(end - origin) % width == 0, (end - origin) % width == 0 && shift % width == 0, shift};
  for (int k = 0; k < radius; ++k) {
    result.is_value &= place[k] == core::no_index;
    result.is_shifted &= place[k] != core::no_index && place[k] == (first + k) * axis.stride + shift;
  }
  if (!result.is_shifted) result.shift = 0;
  return result;
}

/// What lies beyond the ends of all axes.
template <class T>
void set_ends(DirectArguments<T>& to, int radius)
{
  const int width[] = {to.vectorised ? vector_width<T> : 1, 1, 1};
  for (int p = 0; p < 3; ++p)
    for (const bool is_high : {false, true})
      to.beyond[p][is_high] = direct_end(to.axis[p], radius, is_high, to.origin, width[p]);
}

/// Whether what lies beyond this end is not read, or is zero by whole vectors.
template <class T>
bool asks_nothing(const DirectArguments<T>& a, int p, bool is_high, int reach)
{
  const Range& range = a.range[p];
  const EdgeAxis<T>& axis = a.axis[p];
  if (is_high ? range.end > axis.valid_end : range.begin < axis.valid_begin) return false;
  if (is_high ? range.end + reach <= axis.valid_end : range.begin - reach >= axis.valid_begin) return true;
  return p != 1 && a.beyond[p][is_high].is_value && is_zero(is_high ? axis.high_value : axis.low_value);
}

/// What whole vectors and columns that have nothing to ask are told. Empty for others, and for extents of more than 32 bits.
template <class T>
std::optional<DirectPlainArguments<T>> plain_arguments(const DirectArguments<T>& a, int radius)
{
  constexpr std::int64_t limit = 1 << 30;
  constexpr int width = vector_width<T>;
  const auto extent = [&](int p) { return a.range[p].end - a.range[p].begin; };
  if (!a.vectorised || a.origin != a.range[0].begin || extent(0) % width != 0 || extent(1) % direct_items != 0)
    return std::nullopt;
  std::optional<DirectPlainArguments<T>> to(std::in_place);
  to->in = a.in, to->out = a.out;
  to->column_is_slowest = a.column_is_slowest;
  to->weights = a.weights;
  for (int p = 0; p < 3; ++p) {
    const Range& range = a.range[p];
    const EdgeAxis<T>& axis = a.axis[p];
    const int reach = p == 0 ? static_cast<int>(core::round_up(radius, width)) : radius;
    if (extent(p) >= limit || !asks_nothing(a, p, false, reach) || !asks_nothing(a, p, true, reach))
      return std::nullopt;
    to->extent[p] = static_cast<int>(extent(p));
    to->stride[p] = axis.stride, to->out_stride[p] = a.out_stride[p];
    to->in += range.begin * axis.stride, to->out += range.begin * a.out_stride[p];
    if (p == 1) continue;
    to->begin[p / 2] = static_cast<int>(std::max(axis.valid_begin - range.begin, -limit));
    to->end[p / 2] = static_cast<int>(std::min(axis.valid_end - range.begin, 2 * limit - 1));
  }
  return to;
}

/// Whether a few vectors hold the points of a row, and there is a square of rows.
template <class T>
bool goes_by_rows(const StencilRequest<T>& request, std::optional<int> misalignment)
{
  if (!misalignment || request.radius != max_direct_radius) return false;
  const auto extent = [&](int p) { return request.end[p] - request.begin[p]; };
  const std::int64_t origin = aligned_begin(request.begin[0], *misalignment, vector_width<T>);
  return request.end[0] - origin <= vector_width<T> * max_direct_row_vectors<T> &&
         std::min(extent(1), extent(2)) >= direct_rows_side;
}

/// Without blocks. The column lies along the thinner of the two axes; by rows there is none.
template <class T>
std::optional<DirectPlan<T>> plan_without_blocks(const StencilRequest<T>& request)
{
  if (request.rank != 3 || request.radius > max_direct_radius) return std::nullopt;
  const std::optional<int> misalignment = shared_misalignment(request, true);
  const bool by_rows = goes_by_rows(request, misalignment);
  const bool is_slowest = !by_rows && request.end[2] - request.begin[2] < request.end[1] - request.begin[1];
  const KernelOrder order = is_slowest ? KernelOrder{0, 2, 1} : KernelOrder{0, 1, 2};
  const auto weights = star_weights(request, order);
  if (!weights) return std::nullopt;
  std::optional<DirectPlan<T>> plan(std::in_place);
  DirectArguments<T>& to = plan->arguments;
  plan->radius = request.radius;
  plan->by_rows = by_rows;
  plan->order = order;
  plan->shape.begins_early = true;
  to.weights = *weights;
  to.column_is_slowest = is_slowest;
  set_grid_arguments(to, request, order, request.radius);
  to.vectorised = misalignment.has_value();
  to.origin = misalignment ? aligned_begin(to.range[0].begin, *misalignment, vector_width<T>) : to.range[0].begin;
  set_ends(to, request.radius);
  if (!by_rows && request.only_stores && has_direct_plain<T>(request.radius))
    plan->plain = plain_arguments(to, request.radius);
  return plan;
}

/// Rows that blocks of this shape load, with what they have no point for: own ones, and a radius of them on four sides.
template <class T>
std::int64_t rows_loaded(const DirectPlan<T>& plan, const Block& block)
{
  const Range *const range = plan.arguments.range, &column = range[1], &other = range[2];
  const std::int64_t height = std::int64_t(direct_items) << block.column, depth = std::int64_t(1) << block.other;
  const std::int64_t blocks =
      core::ceil_div(column.end - column.begin, height) * core::ceil_div(other.end - other.begin, depth);
  return blocks * (height * depth + 2 * plan.radius * (height + depth));
}

/// Of so many threads, as an exponent: the shape that loads the fewest rows.
template <class T>
Block best_block(const DirectPlan<T>& plan, int threads)
{
  const DirectArguments<T>& to = plan.arguments;
  const std::int64_t points = to.vectorised ? vector_width<T> : 1;
  const int lanes = std::min(core::exponent_of(core::ceil_div(to.range[0].end - to.origin, points)), 5);
  Block best{lanes, threads - lanes, 0};
  for (int other = 1; lanes + other <= threads; ++other) {
    const Block block{lanes, threads - lanes - other, other};
    if (rows_loaded(plan, block) < rows_loaded(plan, best)) best = block;
  }
  return best;
}

/// By rows, which are whole vectors; false if there are too many blocks.
template <class T>
bool set_rows(DirectPlan<T>& plan)
{
  constexpr int width = vector_width<T>;
  const DirectArguments<T>& to = plan.arguments;
  const auto blocks = [&](int p) {
    return std::max<std::int64_t>(core::ceil_div(to.range[p].end - to.range[p].begin, std::int64_t(direct_rows_side)),
                                  0);
  };
  if (blocks(1) > INT32_MAX || blocks(2) > UINT16_MAX) return false; // CUDA's limits
  const auto vectors = static_cast<int>(core::ceil_div(to.range[0].end - to.origin, std::int64_t(width)));
  plan.arguments.row_vectors = vectors;
  plan.shape.blocks = dim3(static_cast<unsigned>(blocks(1)), static_cast<unsigned>(blocks(2)));
  plan.shape.threads = direct_rows_threads;
  plan.shape.shared_bytes = static_cast<unsigned>(direct_rows_bytes<T>(vectors));
  plan.variant = [vectors, width, radius = plan.radius] {
    constexpr int side = direct_rows_side;
    return core::text("star<3,", radius, "> direct rows ", width * vectors, "x", side, "x", side, " v", width);
  };
  return true;
}

} // namespace

template <class T>
std::optional<DirectPlan<T>> plan_direct(const StencilRequest<T>& request)
{
  auto plan = plan_without_blocks(request);
  if (!plan) return std::nullopt;
  if (plan->by_rows) return set_rows(*plan) ? plan : std::nullopt;
  Block block{};
  for (int threads = 8; threads >= 6; --threads) { // fewer where that leaves multiprocessors without work
    block = best_block(*plan, threads);
    if (!set_grid(*plan, block)) return std::nullopt;
    const dim3& blocks = plan->shape.blocks;
    if (std::int64_t(blocks.x) * blocks.y * blocks.z * 4 >= std::int64_t(request.device.multiprocessors) * 3) break;
  }
  const dim3& blocks = plan->shape.blocks;
  plan->arguments.prefetches =
      plan->arguments.vectorised &&
      std::int64_t(blocks.x) * blocks.y * blocks.z <= std::int64_t(request.device.multiprocessors) * direct_blocks;
  plan->variant = variant(*plan, block);
  return plan;
}

/// Whether marches make more of a large grid that is thin: through rows that are (NarrowMarch.hpp), but for waves in double, and of few planes whose rows
/// lie anywhere. Of the copy, an H200, by registers and so, 3000x1000x6, radius 1 and 4 25, 16 and 57, 28, 8x1032x9489 26, 12 and 68, 38.
template <class T>
bool is_for_marches(const StencilRequest<T>& request)
{
  if (points_of(request) < min_thin_march_points || request.rank != 3) return false;
  if (points_of(request, 0) <= max_direct_extent) return sizeof(T) == 4 || request.only_stores;
  return points_of(request, 2) <= max_direct_extent && points_of(request, 1) > max_direct_extent &&
         !shared_misalignment(request, true);
}

template <class T>
std::optional<DirectPlan<T>> choose_direct(const StencilRequest<T>& request)
{
  if (request.device.architecture < 90) return std::nullopt; // where it was measured
  const auto extent = [&](int p) { return std::max<std::int64_t>(request.end[p] - request.begin[p], 0); };
  const bool is_thin = extent(0) <= max_direct_extent || extent(1) <= max_direct_extent ||
                       (extent(2) <= max_direct_extent && extent(2) % direct_items == 0);
  const std::int64_t points = extent(0) * extent(1) * extent(2);
  if (!is_thin || points < min_direct_points || is_for_marches(request)) return std::nullopt;
  return plan_direct(request);
}

template std::optional<DirectPlan<float>> plan_direct(const StencilRequest<float>&);
template std::optional<DirectPlan<double>> plan_direct(const StencilRequest<double>&);
template std::optional<DirectPlan<float>> choose_direct(const StencilRequest<float>&);
template std::optional<DirectPlan<double>> choose_direct(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
