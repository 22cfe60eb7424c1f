// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmallStar.hpp"

#include "WithRadius.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// Rows of elements that follow one another, and few enough for 32 bits.
template <class T>
bool all_fields_fit(const StencilRequest<T>& request)
{
  const auto fits = [](const auto& field) { return field.stride[0] == 1 && is_small(field, max_small_star_radius); };
  bool result = fits(request.in) && fits(request.out);
  for (int n = 0; n < request.operands; ++n)
    result = result && (!request.operand[n].is_field() || fits(request.operand[n].field));
  return result;
}

/// False where rules want a table.
template <class T>
bool set_small_axes(SmallStarPlan<T>& plan, const StencilRequest<T>& request)
{
  SmallStarArguments<T>& to = plan.arguments;
  to.has_zeros = true;
  for (int p = 0; p < 3; ++p) {
    to.points[p] = static_cast<int>(request.end[p] - request.begin[p]);
    to.out_stride[p] = static_cast<int>(request.out.stride[p]);
    const auto axis = small_axis(request, p);
    if (!axis || to.points[p] <= 0) return false;
    to.axis[p] = *axis;
    to.has_zeros = to.has_zeros && has_zeros(*axis);
  }
  const std::optional<int> misalignment = shared_misalignment(request, true);
  const auto is_whole = [](std::int64_t columns) { return columns % vector_width<T> == 0; };
  plan.has_vectors = misalignment && is_whole(*misalignment + request.begin[0]) && is_whole(to.points[0]) &&
                     is_whole(to.axis[0].begin) && is_whole(to.axis[0].end);
  return true;
}

/// 2^lanes x 2^across x 2^deep threads along x, y and z.
struct SmallBlock {
  int lanes, across, deep;
};

/// Along x as many threads as a row has vectors, or fewer where more of them have one then, 8 at least; of more than a third without one fewer
/// yet. Then about as many rows as planes. f32, radius 4, on an H100: 160^3 takes 14.0 us with 8 and 15.5 with 16, 100^3 6.7 with 16 and 8.2 with 4.
template <class T>
SmallBlock small_block(std::int64_t vectors, int planes)
{
  const auto places = [&](int lanes) { return core::round_up(vectors, std::int64_t(1) << lanes); };
  int lanes = std::min(core::exponent_of(vectors), small_star_lanes(sizeof(T)));
  for (int fewer = lanes - 1; fewer >= 3; --fewer)
    if (places(fewer) < places(lanes)) lanes = fewer;
  while (lanes > 1 && 3 * places(lanes) > 4 * vectors) --lanes;
  const int rest = core::exponent_of(small_star_threads) - lanes, deep = planes > 1 ? 1 : rest - (rest - 1) / 2;
  return {lanes, rest - deep, deep};
}

template <class T>
void set_small_grid(SmallStarPlan<T>& plan, int planes)
{
  constexpr int width = vector_width<T>;
  const int(&points)[3] = plan.arguments.points;
  const SmallBlock block = small_block<T>(points[0] / width, planes);
  const auto blocks = [&](int p, int of_thread, int exponent) {
    return static_cast<unsigned>(core::ceil_div(points[p], of_thread << exponent));
  };
  plan.arguments.planes = planes;
  plan.shape.blocks =
      dim3(blocks(0, width, block.lanes), blocks(1, small_star_items, block.across), blocks(2, planes, block.deep));
  plan.shape.threads = dim3(1u << block.lanes, 1u << block.across, 1u << block.deep);
  plan.variant = [=, radius = plan.arguments.radius] {
    return core::text("star<3,", radius, "> small ", width << block.lanes, "x", small_star_items << block.across, "x",
                      planes << block.deep, " v", width);
  };
}

template <class T>
std::int64_t bytes_of(const StencilRequest<T>& request)
{
  return points_of(request) * static_cast<std::int64_t>(sizeof(T));
}

/// Chunks are as long as they must be for all blocks to run at once.
template <class T>
void set_small_march(SmallStarPlan<T>& plan, const Device& device)
{
  SmallStarArguments<T>& to = plan.arguments;
  constexpr SmallMarchShape shape = small_march_shape;
  constexpr int columns = shape.lanes * vector_width<T>, rows = shape.across * shape.rows;
  static_assert(shape.rows == small_star_items, "a thread has all of its rows");
  const std::int64_t across = core::ceil_div(to.points[0], columns), down = core::ceil_div(to.points[1], rows);
  const std::int64_t chunks = std::max<std::int64_t>(shape.blocks * device.multiprocessors / (across * down), 1);
  to.marches = true;
  to.planes = static_cast<int>(core::ceil_div(to.points[2], chunks));
  plan.shape.blocks = dim3(static_cast<unsigned>(across), static_cast<unsigned>(down),
                           static_cast<unsigned>(core::ceil_div(to.points[2], to.planes)));
  plan.shape.threads = dim3(shape.lanes, shape.across);
  library::with_radius<max_small_star_radius>(
      to.radius, [&](auto radius) { plan.shape.shared_bytes = SmallMarchTile<T, radius.value>::bytes; });
  plan.variant = [columns, rows, radius = to.radius, planes = to.planes] {
    return core::text("star<3,", radius, "> small march ", columns, "x", rows, "x", planes);
  };
}

/// By registers, one plane a thread; whether all blocks run at once.
template <class T>
bool set_one_plane(SmallStarPlan<T>& plan, const StencilRequest<T>& request)
{
  set_small_grid(plan, 1);
  const dim3& blocks = plan.shape.blocks;
  const int of_one = small_star_blocks(small_star_planes(sizeof(T), request.operands));
  return std::int64_t(blocks.x) * blocks.y * blocks.z <= of_one * request.device.multiprocessors;
}

/// Whether there is a way.
template <class T>
bool set_small_way(SmallStarPlan<T>& plan, const StencilRequest<T>& request)
{
  const SmallStarArguments<T>& to = plan.arguments;
  const bool fits = plan.has_vectors && to.points[1] % small_star_items == 0;
  if (!fits && !to.has_zeros) return false;
  if (fits && to.has_zeros && has_small_march<T>(request.radius, request.operands) &&
      bytes_of(request) >= min_small_march_bytes * request.device.multiprocessors)
    set_small_march(plan, request.device);
  else if (fits && set_one_plane(plan, request))
    return true;
  else if (to.has_zeros)
    set_small_planes(plan, request);
  else
    set_small_grid(plan, small_star_planes(sizeof(T), request.operands));
  return true;
}

} // namespace

template <class T>
std::optional<SmallStarPlan<T>> plan_small_star(const StencilRequest<T>& request)
{
  if (request.rank != 3 || request.radius > max_small_star_radius || !all_fields_fit(request)) return std::nullopt;
  const auto weights = star_weights(request, {0, 1, 2});
  if (!weights) return std::nullopt;
  std::optional<SmallStarPlan<T>> plan(std::in_place);
  plan->begin = request.begin;
  SmallStarArguments<T>& to = plan->arguments;
  to.radius = request.radius;
  to.in = &request.in[request.begin];
  to.out = &request.out[request.begin];
  to.weights.centre = weights->centre;
  for (int p = 0; p < 3; ++p) std::copy_n(weights->weight[p], 2 * request.radius, to.weights.weight[p]);
  if (!set_small_axes(*plan, request) || !set_small_way(*plan, request)) return std::nullopt;
  constexpr unsigned max_blocks = 65535; // along y and z
  return plan->shape.blocks.y <= max_blocks && plan->shape.blocks.z <= max_blocks ? plan : std::nullopt;
}

template <class T>
std::optional<SmallStarPlan<T>> choose_small_star(const StencilRequest<T>& request)
{
  if (request.device.architecture < 90) return std::nullopt; // where it was measured
  const std::int64_t bytes = bytes_of(request);
  const auto max_bytes = [&](bool has_zeros, bool has_vectors) {
    return max_small_star_bytes(sizeof(T), request.radius, has_zeros, has_vectors, request.operands);
  };
  if (bytes > max_bytes(true, true)) return std::nullopt; // large ones need not be planned
  auto plan = plan_small_star(request);
  return plan && bytes <= max_bytes(plan->arguments.has_zeros, plan->has_vectors) ? plan : std::nullopt;
}

template std::optional<SmallStarPlan<float>> plan_small_star(const StencilRequest<float>&);
template std::optional<SmallStarPlan<double>> plan_small_star(const StencilRequest<double>&);
template std::optional<SmallStarPlan<float>> choose_small_star(const StencilRequest<float>&);
template std::optional<SmallStarPlan<double>> choose_small_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
