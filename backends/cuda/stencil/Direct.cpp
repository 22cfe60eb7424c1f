// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Direct.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// 2^lanes x 2^across x 2^deep threads along x, y and z.
struct Block {
  int lanes, across, deep;
};

/// How the grid is divided into blocks; false if there are too many.
template <class T>
bool set_grid(DirectPlan<T>& plan, const Block& block, int items)
{
  DirectArguments<T>& to = plan.arguments;
  const int points = to.vectorised ? vector_width<T> : 1;
  const auto blocks = [&](int p, std::int64_t begin, int of_thread, int exponent) {
    return std::max<std::int64_t>(core::ceil_div(to.range[p].end - begin, std::int64_t(of_thread) << exponent), 0);
  };
  const std::int64_t along = blocks(0, to.origin, points, block.lanes);
  const std::int64_t across = blocks(1, to.range[1].begin, items, block.across);
  const std::int64_t deep = blocks(2, to.range[2].begin, 1, block.deep);
  if (along == 0 || across == 0 || deep == 0) return true;                         // no point: nothing will be launched
  if (along > INT32_MAX || across > UINT16_MAX || deep > UINT16_MAX) return false; // CUDA's limits
  plan.shape.blocks = dim3(static_cast<unsigned>(along), static_cast<unsigned>(across), static_cast<unsigned>(deep));
  plan.shape.threads = dim3(1u << block.lanes, 1u << block.across, 1u << block.deep);
  return true;
}

template <class T>
core::Text variant(int radius, bool vectorised, const Block& block, int items)
{
  const int points = vectorised ? vector_width<T> : 1;
  return [=] {
    return core::text("star<3,", radius, "> direct ", points << block.lanes, "x", items << block.across, "x",
                      1 << block.deep, " v", points);
  };
}

/// Without blocks.
template <class T>
std::optional<DirectPlan<T>> plan_without_blocks(const StencilRequest<T>& request)
{
  if (request.rank != 3 || request.radius > max_direct_radius) return std::nullopt;
  const auto weights = star_weights(request, {0, 1, 2});
  if (!weights) return std::nullopt;
  std::optional<DirectPlan<T>> plan(std::in_place);
  DirectArguments<T>& to = plan->arguments;
  plan->radius = request.radius;
  to.weights = *weights;
  set_grid_arguments(to, request, {0, 1, 2}, request.radius);
  const std::optional<int> misalignment = shared_misalignment(request, true);
  to.vectorised = misalignment.has_value();
  to.origin = misalignment ? aligned_begin(to.range[0].begin, *misalignment, vector_width<T>) : to.range[0].begin;
  return plan;
}

/// Rows that blocks of this shape load, with what they have no point for: own ones, and a radius of them on four sides.
template <class T>
std::int64_t rows_loaded(const DirectPlan<T>& plan, const Block& block)
{
  const Range *const range = plan.arguments.range, &y = range[1], &z = range[2];
  const std::int64_t height = std::int64_t(direct_items) << block.across, depth = std::int64_t(1) << block.deep;
  const std::int64_t blocks = core::ceil_div(y.end - y.begin, height) * core::ceil_div(z.end - z.begin, depth);
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
  for (int deep = 1; lanes + deep <= threads; ++deep) {
    const Block block{lanes, threads - lanes - deep, deep};
    if (rows_loaded(plan, block) < rows_loaded(plan, best)) best = block;
  }
  return best;
}

} // namespace

template <class T>
std::optional<DirectPlan<T>> plan_direct(const StencilRequest<T>& request)
{
  auto plan = plan_without_blocks(request);
  if (!plan) return std::nullopt;
  Block block{};
  for (int threads = 8; threads >= 6; --threads) { // fewer where that leaves multiprocessors without work
    block = best_block(*plan, threads);
    if (!set_grid(*plan, block, direct_items)) return std::nullopt;
    const dim3& blocks = plan->shape.blocks;
    if (std::int64_t(blocks.x) * blocks.y * blocks.z * 4 >= std::int64_t(request.device.multiprocessors) * 3) break;
  }
  plan->variant = variant<T>(plan->radius, plan->arguments.vectorised, block, direct_items);
  return plan;
}

template <class T>
std::optional<DirectPlan<T>> choose_direct(const StencilRequest<T>& request)
{
  if (request.device.architecture < 90) return std::nullopt; // where it was measured
  const auto extent = [&](int p) { return std::max<std::int64_t>(request.end[p] - request.begin[p], 0); };
  const bool is_thin = extent(0) <= max_direct_extent || extent(1) <= max_direct_extent;
  return is_thin && extent(0) * extent(1) * extent(2) >= min_direct_points ? plan_direct(request) : std::nullopt;
}

template std::optional<DirectPlan<float>> plan_direct(const StencilRequest<float>&);
template std::optional<DirectPlan<double>> plan_direct(const StencilRequest<double>&);
template std::optional<DirectPlan<float>> choose_direct(const StencilRequest<float>&);
template std::optional<DirectPlan<double>> choose_direct(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
