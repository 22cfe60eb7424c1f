// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stencils: the points are cut into tiles, one task each; a task marches through its tile run by run of the
// fastest axis, and a compiled vector kernel sums the taps of a run. Layouts, shapes, radii and edge rules are data;
// only the user's epilogue, if there is one, is instantiated here.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/Execution.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "StencilRuns.hpp"

#include <algorithm>
#include <optional>

namespace Keramos::openmp {

struct StencilPlan {
  Kernel kernel;
};

/// The tile of a task for so many points, and planes that one point reads, along each axis.
core::Index3 stencil_tile(const core::Index3& points, const core::Index3& planes, int concurrency);

/// "star<3,4>", "line<2,1>", "sparse<2,7 taps>" and how the epilogue is applied.
std::string stencil_variant(Shape shape, int rank, int radius, int taps, const char* epilogue);

/// Where LeapFrog inside the vector kernel reads and writes the fields themselves.
template <class T, int Capacity>
bool fuses(const core::StencilProblem<T, Capacity>& problem, const core::LeapFrogFields<T>& fields)
{
  const auto unit = [&](const auto& field) { return field.stride[0] == 1 || problem.out.extent[0] == 1; };
  return unit(problem.in) && unit(problem.out) && unit(fields.previous) && (!fields.scale.data || unit(fields.scale));
}

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan> choose(const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  // By its strides, not its extents: parts of an array are computed by the kernels of the whole.
  const bool contiguous = std::count(problem.in.stride.data(), problem.in.stride.data() + 3, 1) > 0;
  if (!contiguous && problem.in.extent[0] != 1 && !problem.empty()) return std::nullopt;
  if (std::int64_t{problem.axes[0].reach_low} + problem.axes[0].reach_high > longest_reach) return std::nullopt;
  const char* how = "";
  if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
    how = fuses(problem, epilogue) ? " leap-frog" : " leap-frog strided";
  else if constexpr (!std::is_same_v<Epilogue, core::Store>)
    how = " epilogue";
  const auto& call = problem.call;
  StencilPlan plan{{Backend::openmp, "apply_stencil", ""}};
  plan.kernel.variant = stencil_variant(call.shape, call.rank, call.radius, call.taps.count, how);
  return plan;
}

/// The epilogue over one run, point by point.
template <class T, class Epilogue>
void finish_run(const Epilogue& epilogue, const StencilArguments<T>& arguments, const T* value, std::int64_t first,
                std::int64_t last, std::int64_t j, std::int64_t k)
{
  for (std::int64_t i = first; i < last; ++i)
    core::finish(epilogue, arguments.out, value[i - first], arguments.in(i, j, k), i, j, k);
}

/// A user's functor with its indices at places known at compile time: View indices count the problem's axes backwards
/// (LayoutRight) or forwards (LayoutLeft).
template <bool Backwards, class F, class T, int Rank, Shape S, int R>
auto call_ordered(const core::UserFunctor<F, T, Rank, S, R>& functor, T value, T centre, std::int64_t i, std::int64_t j,
                  std::int64_t k)
{
  if constexpr (Rank == 1)
    return functor.f(value, centre, i);
  else if constexpr (Rank == 2)
    return Backwards ? functor.f(value, centre, j, i) : functor.f(value, centre, i, j);
  else
    return Backwards ? functor.f(value, centre, k, j, i) : functor.f(value, centre, i, j, k);
}

/// The same run as a loop that compilers vectorise through the functor (half the time of a wave update with one): unit
/// strides, indices in a known order, and the promise that points do not depend on each other.
template <bool Backwards, class F, class T, int Rank, Shape S, int R>
void finish_unit_run(const core::UserFunctor<F, T, Rank, S, R>& functor, const StencilArguments<T>& arguments,
                     const T* value, std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k)
{
  const T* centre = &arguments.in(first, j, k);
  [[maybe_unused]] T* out = &arguments.out(first, j, k);
  const std::int64_t count = last - first;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::int64_t n = 0; n < count; ++n) {
    if constexpr (std::is_void_v<decltype(call_ordered<Backwards>(functor, *value, *centre, first, j, k))>)
      call_ordered<Backwards>(functor, value[n], centre[n], first + n, j, k);
    else
      out[n] = static_cast<T>(call_ordered<Backwards>(functor, value[n], centre[n], first + n, j, k));
  }
}

template <class T, class F, int Rank, Shape S, int R>
void finish_run(const core::UserFunctor<F, T, Rank, S, R>& functor, const StencilArguments<T>& arguments,
                const T* value, std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k)
{
  bool forwards = arguments.in.stride[0] == 1 && arguments.out.stride[0] == 1, backwards = forwards;
  for (int axis = 0; axis < Rank; ++axis) {
    forwards = forwards && functor.position[axis] == axis;
    backwards = backwards && functor.position[axis] == Rank - 1 - axis;
  }
  if (backwards) return finish_unit_run<true>(functor, arguments, value, first, last, j, k);
  if (forwards) return finish_unit_run<false>(functor, arguments, value, first, last, j, k);
  for (std::int64_t i = first; i < last; ++i)
    core::finish(functor, arguments.out, value[i - first], arguments.in(i, j, k), i, j, k);
}

/// One task: the runs of one tile, plane after plane, or block after block of planes.
template <class T, class Epilogue>
void stencil_tile_task(const StencilArguments<T>& arguments, const Epilogue& epilogue, const core::Index3& begin,
                       const core::Index3& end)
{
  StencilRuns<T> runs(arguments);
  const auto& out = arguments.out;
  T buffer[block_planes][longest_run];
  const auto run = [&](std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes) {
    runs.select(first, last, j, k, planes);
    if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>) {
      runs.leap_frog(epilogue);
    } else {
      const bool direct = std::is_same_v<Epilogue, core::Store> && arguments.fused;
      T* to[block_planes];
      for (int p = 0; p < planes; ++p) to[p] = direct ? &out(first, j, k + p) : buffer[p];
      runs.sum(to);
      for (int p = 0; p < planes && !direct; ++p) finish_run(epilogue, arguments, buffer[p], first, last, j, k + p);
    }
  };
  for (std::int64_t first = begin[0]; first < end[0]; first += longest_run) {
    const std::int64_t last = std::min<std::int64_t>(first + longest_run, end[0]);
    for (std::int64_t k = begin[2]; k < end[2];) {
      const int planes = end[2] - k >= arguments.planes() ? arguments.planes() : 1;
      for (std::int64_t j = begin[1]; j < end[1]; ++j) run(first, last, j, k, planes);
      k += planes;
    }
  }
}

template <class Space, class T, int Capacity, class Epilogue>
void launch(const StencilPlan& plan, const Space& space, const core::StencilProblem<T, Capacity>& problem,
            const Epilogue& epilogue)
{
  const core::Index3 &begin = problem.begin, &end = problem.end;
  core::Index3 points, planes, tiles;
  for (int p = 0; p < 3; ++p) {
    points[p] = end[p] - begin[p];
    planes[p] = std::int64_t{problem.axes[p].reach_low} + problem.axes[p].reach_high + 1;
  }
  const core::Index3 tile = stencil_tile(points, planes, space.concurrency());
  for (int p = 0; p < 3; ++p) tiles[p] = (points[p] + tile[p] - 1) / tile[p];

  StencilArguments<T> arguments(problem.in, problem.out, problem.axes, problem.taps.weight, problem.taps.offset,
                                problem.taps.count);
  if constexpr (std::is_same_v<Epilogue, core::LeapFrogFields<T>>)
    arguments.fused = fuses(problem, epilogue);
  else
    arguments.fused = problem.out.stride[0] == 1 || problem.out.extent[0] == 1;

  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      plan.kernel.name(), Policy(space, 0, tiles[0] * tiles[1] * tiles[2], Kokkos::ChunkSize(1)),
      [&](std::int64_t task) {
        const core::Index3 place{task % tiles[0], task / tiles[0] % tiles[1], task / tiles[0] / tiles[1]};
        core::Index3 first, last;
        for (int p = 0; p < 3; ++p) {
          first[p] = begin[p] + place[p] * tile[p];
          last[p] = std::min(first[p] + tile[p], end[p]);
        }
        stencil_tile_task(arguments, epilogue, first, last);
      });
}

} // namespace Keramos::openmp
