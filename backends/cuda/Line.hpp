// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines (derivatives along one axis; every operator of rank 1): what the host decides. The kernels (LineKernel.hpp) see
// the axes as x (fastest), then, where the line lies across the rows, the line's axis, then the rest.
#pragma once

#include "Star.hpp"

namespace Keramos::cuda {

/// A line with its axes in the kernel's order.
template <class T>
struct LineProblem {
  using value_type = T;
  int rank, radius;
  int axis; ///< of the line: 0, along the rows, or 1, across them
  KernelOrder order;
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxis<T> edges; ///< of the line's axis
  core::Index3 begin, end;
  T weight[2 * largest_radius + 1]{}; ///< offsets -radius ... radius
};

/// The problem as a line, if it is one that the kernels cover.
template <class T, int Capacity>
std::optional<LineProblem<T>> line_problem(const core::StencilProblem<T, Capacity>& problem)
{
  const auto& call = problem.call;
  const bool is_line = call.shape == Shape::line || (call.rank == 1 && call.shape != Shape::sparse);
  if (!is_line || call.radius < 1 || call.radius > largest_radius) return std::nullopt;
  int axis = 0;
  for (int p = 1; p < 3; ++p)
    if (problem.axes[p].reach_low > 0 || problem.axes[p].reach_high > 0) axis = p;
  LineProblem<T> line;
  line.rank = call.rank;
  line.radius = call.radius;
  line.axis = axis > 0;
  line.order = axis == 2 ? KernelOrder{0, 2, 1} : KernelOrder{0, 1, 2};
  line.in = permuted(problem.in, line.order);
  line.out = permuted(problem.out, line.order);
  line.edges = problem.axes[axis];
  for (int p = 0; p < 3; ++p) {
    line.begin[p] = problem.begin[line.order[p]];
    line.end[p] = problem.end[line.order[p]];
  }
  for (int t = 0; t < problem.taps.count; ++t) {
    for (int p = 0; p < 3; ++p)
      if (p != axis && problem.taps.offset[t][p] != 0) return std::nullopt;
    const int offset = problem.taps.offset[t][axis];
    if (std::abs(offset) > line.radius) return std::nullopt;
    line.weight[offset + line.radius] += problem.taps.weight[t];
  }
  return line;
}

/// How a line runs. A block is 2^lanes x 2^across x 2^deep threads along the axes of the kernel.
struct LinePlan {
  int vector = 1;          ///< points of an access to global memory
  std::int64_t origin = 0; ///< x of the first block's first point
  int lanes = 5, across = 0, deep = 0;
  unsigned blocks[3] = {};
  int shared_bytes = 0;

  unsigned threads() const { return 1u << (lanes + across + deep); }
};

template <class T>
std::optional<LinePlan> plan_line(const Device& device, const LineProblem<T>& line, bool vectorised);

extern template std::optional<LinePlan> plan_line(const Device&, const LineProblem<float>&, bool);
extern template std::optional<LinePlan> plan_line(const Device&, const LineProblem<double>&, bool);

template <class T>
std::optional<LinePlan> choose_line(const Device& device, const LineProblem<T>& line)
{
  const auto phase = vector_phase(line.in);
  return plan_line(device, line, phase && aligned_like(*phase, line.out));
}

/// "line<3,4> across 32x8x1 v4".
template <class T>
std::string line_variant(const LineProblem<T>& line, const LinePlan& plan)
{
  return core::text("line<", line.rank, ",", line.radius, "> ", line.axis == 0 ? "along " : "across ", 1 << plan.lanes,
                    "x", 1 << plan.across, "x", 1 << plan.deep, " v", plan.vector);
}

} // namespace Keramos::cuda
