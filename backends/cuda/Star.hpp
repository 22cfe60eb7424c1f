// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over two and three axes: what the host decides. The kernel (StarKernel.hpp) marches along the slowest axis, so it
// sees the axes as x (fastest), y (middle: the rows of a tile) and z (march); with two axes there is no y.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "StencilPoints.hpp"
#include "StencilTuning.hpp"

#include <array>
#include <cstdlib>
#include <optional>

namespace Keramos::cuda {

/// A star with its axes in the kernel's order, and its weights by axis and offset.
template <class T>
struct StarProblem {
  using value_type = T;
  int rank, radius;
  KernelOrder order;
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  std::array<core::ProblemAxis<T>, 3> axis;
  core::Index3 begin, end;
  T centre{};
  T weight[3][2 * largest_radius]{}; ///< offsets -radius ... -1, 1 ... radius
};

/// The problem as a star, if it is one that the kernels cover.
template <class T, int Capacity>
std::optional<StarProblem<T>> star_problem(const core::StencilProblem<T, Capacity>& problem)
{
  const auto& call = problem.call;
  if (call.shape != Shape::star || call.rank < 2 || call.radius < 1 || call.radius > largest_radius ||
      !problem.taps_follow_axes)
    return std::nullopt;
  StarProblem<T> star;
  star.rank = call.rank;
  star.radius = call.radius;
  star.order = call.rank == 2 ? KernelOrder{0, 2, 1} : KernelOrder{0, 1, 2};
  star.in = permuted(problem.in, star.order);
  star.out = permuted(problem.out, star.order);
  for (int p = 0; p < 3; ++p) {
    star.axis[p] = problem.axes[star.order[p]];
    star.begin[p] = problem.begin[star.order[p]];
    star.end[p] = problem.end[star.order[p]];
  }
  for (int t = 0; t < problem.taps.count; ++t) {
    int moved = -1;
    for (int p = 0; p < 3; ++p) {
      if (problem.taps.offset[t][star.order[p]] == 0) continue;
      if (moved >= 0) return std::nullopt; // an application's own operator that only calls itself a star
      moved = p;
    }
    const int offset = moved < 0 ? 0 : problem.taps.offset[t][star.order[moved]];
    if (std::abs(offset) > star.radius) return std::nullopt;
    if (moved < 0)
      star.centre += problem.taps.weight[t];
    else
      star.weight[moved][offset < 0 ? offset + star.radius : offset + star.radius - 1] += problem.taps.weight[t];
  }
  return star;
}

/// How a star runs.
struct StarPlan {
  int vector = 1;          ///< points of an access to global memory
  std::int64_t origin = 0; ///< x of the first tile's first point
  int width = 0;           ///< threads along x
  int height = 1;          ///< and along y
  int rows = 1;            ///< of a tile
  unsigned tiles[2] = {};  ///< along x and y
  std::int64_t chunk = 0;  ///< planes of a block
  unsigned chunks = 0;
  int shared_bytes = 0;

  unsigned threads() const { return static_cast<unsigned>(width * height); }
  unsigned blocks() const { return tiles[0] * tiles[1] * chunks; }
};

/// The 16-byte boundary at or before the first point along x of a problem whose `in` has a phase.
template <class Problem>
std::int64_t aligned_origin(const Problem& problem)
{
  constexpr int width = vector_width<typename Problem::value_type>;
  return problem.begin[0] - (problem.begin[0] + *vector_phase(problem.in)) % width;
}

/// The fields that the kernel reads and writes at its own points have rows aligned like `in`.
template <class T>
bool aligned_like(int phase, const core::Field<T, 3>& field)
{
  return vector_phase(field) == phase;
}
template <class T, class Epilogue>
bool epilogue_aligned_like(int phase, const Epilogue& epilogue)
{
  if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
    return aligned_like(phase, epilogue.previous) && (!epilogue.scale.data || aligned_like(phase, epilogue.scale));
  else
    return true;
}

/// Fields that the epilogue reads through the kernel's rings.
template <class T, class Epilogue>
int companions(const Epilogue& epilogue)
{
  if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
    return epilogue.scale.data ? 2 : 1;
  else
    return 0;
}

/// Empty if shared memory does not suffice or the grid has too many blocks.
template <class T>
std::optional<StarPlan> plan_star(const Device& device, const StarProblem<T>& star, bool vectorised, int companions);

extern template std::optional<StarPlan> plan_star(const Device&, const StarProblem<float>&, bool, int);
extern template std::optional<StarPlan> plan_star(const Device&, const StarProblem<double>&, bool, int);

template <class T, class Epilogue>
std::optional<StarPlan> choose_star(const Device& device, const StarProblem<T>& star, const Epilogue& epilogue)
{
  const auto phase = vector_phase(star.in);
  const bool vectorised =
      phase && aligned_like(*phase, star.out) && epilogue_aligned_like<T>(*phase, reordered(epilogue, star.order));
  return plan_star(device, star, vectorised, companions<T>(epilogue));
}

/// "star<3,4> tile 128x16 v4".
template <class T>
std::string star_variant(const StarProblem<T>& star, const StarPlan& plan)
{
  const int points = plan.width * vector_width<T>;
  const std::string tile = star.rank == 2 ? core::text("row ", points) : core::text("tile ", points, "x", plan.rows);
  return core::text("star<", star.rank, ",", star.radius, "> ", tile, " v", plan.vector);
}

} // namespace Keramos::cuda
