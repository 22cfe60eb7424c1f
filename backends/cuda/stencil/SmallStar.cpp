// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmallStar.hpp"

#include "Star.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

template <class T>
bool all_fields_are_small(const StencilRequest<T>& request)
{
  bool result = is_small(request.in, max_small_star_radius) && is_small(request.out, max_small_star_radius);
  for (int n = 0; n < request.operands; ++n)
    result = result && (!request.operand[n].is_field() || is_small(request.operand[n].field, max_small_star_radius));
  return result;
}

/// False where the kernel's threads and vectors do not fit, or rules want a table.
template <class T>
bool set_small_axes(SmallStarArguments<T>& to, const StencilRequest<T>& request)
{
  constexpr int width = vector_width<T>;
  to.has_zeros = true;
  for (int p = 0; p < 3; ++p) {
    to.points[p] = static_cast<int>(request.end[p] - request.begin[p]);
    to.out_stride[p] = static_cast<int>(request.out.stride[p]);
    const auto axis = small_axis(request, p);
    if (!axis || to.points[p] <= 0) return false;
    to.axis[p] = *axis;
    to.has_zeros = to.has_zeros && has_zeros(*axis);
  }
  return to.points[1] % small_star_items == 0 && to.points[0] % width == 0 && to.axis[0].begin % width == 0 &&
         to.axis[0].end % width == 0;
}

/// 2^lanes x 2^across x 2^deep threads along x, y and z.
struct SmallBlock {
  int lanes, across, deep;
};

/// Along x as many threads as a row has vectors, as long as few of them have none; then about as many rows as planes.
template <class T>
SmallBlock small_block(std::int64_t vectors, int planes)
{
  int lanes = std::min(core::exponent_of(vectors), small_star_lanes(sizeof(T)));
  while (lanes > 1 && 4 * core::round_up(vectors, std::int64_t(1) << lanes) > 5 * vectors) --lanes;
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

/// A thread has one plane as long as all blocks run at once.
template <class T>
void set_small_grid(SmallStarPlan<T>& plan, const StencilRequest<T>& request)
{
  const int planes = small_star_planes(sizeof(T), request.operands);
  set_small_grid(plan, 1);
  const dim3& blocks = plan.shape.blocks;
  if (std::int64_t(blocks.x) * blocks.y * blocks.z > small_star_blocks(planes) * request.device.multiprocessors)
    set_small_grid(plan, planes);
}

} // namespace

template <class T>
std::optional<SmallStarPlan<T>> plan_small_star(const StencilRequest<T>& request)
{
  if (request.rank != 3 || request.radius > max_small_star_radius || !all_fields_are_small(request))
    return std::nullopt;
  const auto weights = star_weights(request, {0, 1, 2});
  const std::optional<int> misalignment = shared_misalignment(request, true);
  if (!weights || !misalignment || (*misalignment + request.begin[0]) % vector_width<T> != 0) return std::nullopt;
  std::optional<SmallStarPlan<T>> plan(std::in_place);
  plan->begin = request.begin;
  SmallStarArguments<T>& to = plan->arguments;
  to.radius = request.radius;
  to.in = &request.in[request.begin];
  to.out = &request.out[request.begin];
  to.centre = weights->centre;
  for (int p = 0; p < 3; ++p) std::copy_n(weights->weight[p], 2 * request.radius, to.weight[p]);
  if (!set_small_axes(to, request)) return std::nullopt;
  set_small_grid(*plan, request);
  return plan;
}

template <class T>
std::optional<SmallStarPlan<T>> choose_small_star(const StencilRequest<T>& request)
{
  if (request.device.architecture < 90) return std::nullopt; // where it was measured
  std::int64_t bytes = sizeof(T);
  for (int p = 0; p < 3; ++p) bytes *= std::max<std::int64_t>(request.end[p] - request.begin[p], 0);
  if (bytes > max_small_star_bytes(true)) return std::nullopt; // large ones need not be planned
  auto plan = plan_small_star(request);
  return plan && bytes <= max_small_star_bytes(plan->arguments.has_zeros) ? plan : std::nullopt;
}

template std::optional<SmallStarPlan<float>> plan_small_star(const StencilRequest<float>&);
template std::optional<SmallStarPlan<double>> plan_small_star(const StencilRequest<double>&);
template std::optional<SmallStarPlan<float>> choose_small_star(const StencilRequest<float>&);
template std::optional<SmallStarPlan<double>> choose_small_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
