// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Line.hpp"

#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"

#include <cstdlib>

namespace Keramos::cuda::stencil {
namespace {

/// The weights by offset along `axis`; false for an application's own operator that only calls itself a line.
template <class T>
bool set_weights(LineArguments<T>& arguments, const StencilRequest<T>& request, int axis)
{
  for (int t = 0; t < request.taps; ++t) {
    for (int p = 0; p < 3; ++p)
      if (p != axis && request.offset[t][p] != 0) return false;
    const int offset = request.offset[t][axis];
    if (std::abs(offset) > request.radius) return false;
    arguments.weight[offset + request.radius] += request.weight[t];
  }
  return true;
}

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

/// How the grid is divided into blocks; false if there are too many. Blocks have 256 threads, or fewer where that leaves
/// multiprocessors without work. Along the rows they are as long as may be, which makes the halo small.
template <class T>
bool set_grid(LinePlan<T>& plan, const StencilRequest<T>& request)
{
  const bool along = plan.along;
  LineArguments<T>& to = plan.arguments;
  // Points of one thread along each axis.
  const int own[3] = {along || plan.vectorised ? vector_width<T> : 1, along ? 1 : line_items(plan.radius), 1};
  std::int64_t threads_of[3];
  for (int p = 0; p < 3; ++p) {
    threads_of[p] = core::ceil_div(to.range[p].end - (p == 0 ? to.origin : to.range[p].begin), own[p]);
    if (threads_of[p] <= 0) return true; // no point: nothing will be launched
  }
  std::int64_t blocks = 1;
  for (int threads = 8; threads >= 6; --threads) {
    LineBlock& block = to.block;
    block.lanes = std::min(core::exponent_of(threads_of[0]), along ? threads : 5);
    block.across = std::min(core::exponent_of(threads_of[1]), threads - block.lanes);
    block.deep = along ? 0 : std::min(core::exponent_of(threads_of[2]), threads - block.lanes - block.across);
    const int exponents[3] = {block.lanes, block.across, block.deep};
    blocks = 1;
    for (int p = 0; p < 3; ++p) {
      const std::int64_t count = (threads_of[p] + (std::int64_t(1) << exponents[p]) - 1) >> exponents[p];
      if (count > INT32_MAX / blocks) return false; // blocks are numbered in 31 bits
      blocks *= count;
      to.blocks[p] = static_cast<unsigned>(count);
    }
    if (blocks >= line_occupancy * request.device.multiprocessors) break;
  }
  plan.shape.blocks = static_cast<unsigned>(blocks);
  plan.shape.threads = static_cast<unsigned>(to.block.threads());
  if (along) {
    const LineLayout layout = line_layout(plan.radius, vector_width<T>, 1 << to.block.lanes, 1 << to.block.across);
    plan.shape.shared_bytes = static_cast<unsigned>(sizeof(T) * layout.elements());
  }
  return true;
}

core::Text variant(int rank, int radius, bool along, const LineBlock& block, int vector)
{
  return [rank, radius, along, block, vector] {
    return core::text("line<", rank, ",", radius, "> ", along ? "along " : "across ", 1 << block.lanes, "x",
                      1 << block.across, "x", 1 << block.deep, " v", vector);
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
  if (!set_weights(plan->arguments, request, axis)) return std::nullopt;
  set_axes(*plan, request, axis);
  const std::optional<int> misalignment = shared_misalignment(request, false); // operands are read one by one
  const std::int64_t begin = request.begin[0];
  plan->vectorised = misalignment.has_value();
  plan->arguments.origin = misalignment ? aligned_begin(begin, *misalignment, vector_width<T>) : begin;
  if (!set_grid(*plan, request)) return std::nullopt;
  plan->variant =
      variant(request.rank, plan->radius, plan->along, plan->arguments.block, plan->vectorised ? vector_width<T> : 1);
  return plan;
}

template std::optional<LinePlan<float>> choose_line(const StencilRequest<float>&);
template std::optional<LinePlan<double>> choose_line(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
