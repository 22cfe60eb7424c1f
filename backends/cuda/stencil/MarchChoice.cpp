// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MarchChoice.hpp"
#include "MarchFunctorTuning.hpp"
#include "TensorStar.hpp"

#include <algorithm>
#include <cmath>

namespace Keramos::cuda::stencil {
namespace {

/// Of the kernel that takes the call otherwise.
template <class T>
double other_rate(const MarchPlan<T>& plan, const StencilRequest<T>& request)
{
  if (request.in.stride[0] != 1 && plan.kind == MarchKind::star) {
    const double rate = odd_star_rate(request);
    return component_star_rate(rate, rate / unaligned_star_rate(plan.radius, sizeof(T)), plan.radius, sizeof(T));
  }
  const bool is_aligned = shared_misalignment(request, true).has_value();
  return plan.kind == MarchKind::star
             ? (is_aligned ? aligned_star_rate : odd_star_rate(request))
             : tile_rate(plan.kind, plan.radius, sizeof(T), is_aligned) * tile_part(points_of(request, 0));
}

/// The kernel by tensor copies, where pairs of columns, in double single ones, are asked whether they are faster.
template <class T>
std::optional<TensorStarPlan<T>> tensor_star_beside_pairs(const MarchPlan<T>& plan, const StencilRequest<T>& request)
{
  const bool is_asked = (sizeof(T) == 4 || plan.radius < 3) && plan.kind == MarchKind::star &&
                        points_of(request) >= min_aligned_pair_points;
  return is_asked ? choose_tensor_star(request) : std::nullopt;
}

/// The best of the shapes that were asked, if any is faster than others, and what the next must be expected to make more than.
template <class T>
struct BestMarch {
  std::optional<MarchPlan<T>> plan;
  double rate;
};

/// Of a shape of a march with an epilogue, by its operands' number and kind.
template <class T>
MarchShape functor_shape(const StencilRequest<T>& request, int radius, int number)
{
  MarchShape shape = march_functor_shape(radius, sizeof(T), request.operands, number);
  const auto* end = request.operand + request.operands;
  const auto fields = std::count_if(request.operand, end, [](const auto& operand) { return operand.is_field(); });
  const bool has_one_field = request.operands == 2 && fields == 1 && has_fast_memory(request.device);
  if (number == wide_functor_pairs && has_one_field) shape.rate = one_field_pairs_rate;
  return shape;
}

/// By this shape, with an epilogue, if it is faster than others by the part of their time in which they march. Where rows lie on 16 bytes only those
/// serve whose rows come whole, and the kernel that takes the call otherwise is among the others; else it is asked without that part.
template <class T>
void set_if_faster(BestMarch<T>& best, const StencilRequest<T>& request, int number, bool is_aligned)
{
  const auto plan = plan_march_functor(request, number);
  if (!plan) return;
  const MarchShape shape = functor_shape(request, plan->radius, number);
  if (points_of(request, 0) < shape.min_row || (is_aligned && !shape.has_row_copies())) return;
  const double rate = expected_rate(*plan, shape, has_fast_memory(request.device));
  const bool is_asked = is_aligned || rate > other_rate(*plan, request);
  if (is_asked && rate * plan->marching > best.rate) best = {plan, rate * plan->marching};
}

} // namespace

template <class T>
double expected_rate(const MarchPlan<T>& plan, const MarchShape& shape, bool fast_memory)
{
  const MarchArguments<T>& grid = plan.arguments;
  const int width = shape.warp_columns() * shape.warps_across(grid.columns);
  const auto extent = [&](int p) { return grid.range[p].end - grid.range[p].begin; };
  const double across =
      static_cast<double>(extent(0)) / (static_cast<double>(grid.tiles[0]) * std::max(width, grid.columns));
  const double narrowness = width / (1. * shape.warp_columns() * shape.max_warps);
  const int rate = fast_memory || shape.slow_rate == 0 ? shape.rate : shape.slow_rate;
  const double chunk = shape.components > 1 ? filled_chunk(grid.chunk, plan.radius) : 1;
  return rate * across * filled(extent(1), shape.height()) * chunk *
         std::pow(narrowness, shape.suffers_narrow_tiles() ? 2. / 3 : 1. / 3);
}

double single_columns_rate(const StencilRequest<double>& request)
{
  if (points_of(request) < min_march_points) return 0;
  const auto plan = plan_march(request, single_columns);
  if (!plan || plan->kind != MarchKind::star) return 0;
  const MarchShape shape = march_shape(MarchKind::star, plan->radius, sizeof(double), single_columns);
  return expected_rate(*plan, shape, has_fast_memory(request.device));
}

template <class T>
std::optional<MarchPlan<T>> choose_march(const StencilRequest<T>& request)
{
  if (points_of(request) < min_march_points) return std::nullopt;
  auto plan = march_without_shape(request);
  if (!plan) return std::nullopt;
  const auto tensor = tensor_star_beside_pairs(*plan, request);
  std::optional<MarchPlan<T>> best;
  double best_rate = tensor ? busy_tensor_rate(plan->radius, sizeof(T)) * tensor->busy : other_rate(*plan, request);
  for (int number = 0; number < march_shapes; ++number) {
    if (!set_march_shape(*plan, request, number)) continue;
    const MarchShape shape = march_shape(plan->kind, plan->radius, sizeof(T), number);
    if (points_of(request, 0) < shape.min_row || (tensor && !shape.has_row_copies())) continue;
    const bool fast_memory = has_fast_memory(request.device) || tensor; // busy_tensor_rate() is of an H200
    const double rate = expected_rate(*plan, shape, fast_memory) * (tensor ? plan->marching : 1);
    if (rate > best_rate) best = plan, best_rate = rate;
  }
  return best;
}

template <class T>
std::optional<MarchPlan<T>> choose_march_functor(const StencilRequest<T>& request)
{
  if (points_of(request) < min_march_points) return std::nullopt;
  const bool is_aligned = shared_misalignment(request, true).has_value();
  const int busy_rate = busy_functor_rate(request.radius, sizeof(T), request.operands);
  BestMarch<T> best{{}, is_aligned ? busy_rate * filled_star_tiles(request) : 0};
  for (int number = 0; number < march_shapes; ++number) set_if_faster(best, request, number, is_aligned);
  return best.plan;
}

template <class T>
std::optional<MarchPlan<T>> choose_march_epilogue(const StencilRequest<T>& request)
{
  if (request.radius != march_epilogue_radius || points_of(request) < min_march_points) return std::nullopt;
  const bool is_aligned = shared_misalignment(request, true).has_value();
  const auto tensor = is_aligned ? choose_tensor_star(request) : std::nullopt;
  if (is_aligned && !tensor) return std::nullopt;
  BestMarch<T> best{{}, tensor ? busy_wave_rate(sizeof(T)) * tensor->busy : 0};
  for (const int number : {functor_pairs, wide_functor_pairs}) set_if_faster(best, request, number, is_aligned);
  return best.plan;
}

template double expected_rate(const MarchPlan<float>&, const MarchShape&, bool);
template double expected_rate(const MarchPlan<double>&, const MarchShape&, bool);

template std::optional<MarchPlan<float>> choose_march(const StencilRequest<float>&);
template std::optional<MarchPlan<double>> choose_march(const StencilRequest<double>&);

template std::optional<MarchPlan<float>> choose_march_functor(const StencilRequest<float>&);
template std::optional<MarchPlan<double>> choose_march_functor(const StencilRequest<double>&);

template std::optional<MarchPlan<float>> choose_march_epilogue(const StencilRequest<float>&);
template std::optional<MarchPlan<double>> choose_march_epilogue(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
