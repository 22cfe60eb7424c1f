// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small stars and boxes over two axes, by registers. A thread has `Points` neighbours along x in each of `plane_items` rows, and loads
// all that these read, 16 bytes at a time:
//
//     y - R                own
//     ...                  own
//     y             left | own | right     of a box, the rows above and below have their sides as well
//     y + 1         left | own | right
//     ...                  own
//
// Where the pitch is no multiple of 16 bytes, own points lean back from row to row by what it is more, so that they are a vector in all of
// them; what a row is read for is known at compile time, and costs a load more at most but no shift.
// The threads of a block lie so that what one reads again another has just brought to the L1: no shared memory, no barrier, and few
// instructions beside the sums.
#pragma once

#include "PlaneFinish.hpp"
#include "PlaneThread.hpp"

namespace Keramos::cuda::stencil {

/// By one thread of a block.
__device__ inline void ask_for_later_rows(const PlanePrefetch& prefetch, unsigned block_x, unsigned block_y)
{
  const std::uint64_t offset = std::uint64_t(block_y) * prefetch.band + block_x * prefetch.piece;
  if (offset < prefetch.end) prefetch_bytes(prefetch.from + offset / 16 * 16, static_cast<int>(prefetch.piece));
}

/// Where a thread's points begin. `lean`: of its points before x, at most.
template <class T>
struct PlanePlace {
  std::int64_t x, y;
  bool is_plain, has_points;

  __device__ PlanePlace(const PlaneArguments<T>& a, int lean)
  {
    if (blockIdx.x < a.ends.blocks)
      at_end(a);
    else
      between(a, blockIdx.x - a.ends.blocks);
    has_points = x - lean < a.range[0].end && y < a.range[1].end;
  }

private:
  /// Neighbouring lanes have the vectors at the ends of the same rows.
  __device__ void at_end(const PlaneArguments<T>& a)
  {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, count = a.ends.low + a.ends.high;
    const unsigned rows = thread / count, vector = thread % count;
    x = a.origin + (vector < a.ends.low ? vector : a.ends.high_from + vector - a.ends.low) * vector_width<T>;
    y = a.range[1].begin + std::int64_t(rows) * plane_items;
    is_plain = false;
  }

  __device__ void between(const PlaneArguments<T>& a, unsigned block)
  {
    const unsigned block_y = quotient(block, a.blocks_along_x), block_x = block - block_y * a.blocks_along_x.d;
    if (threadIdx.x == 0) ask_for_later_rows(a.prefetch, block_x, block_y);
    const unsigned lane = threadIdx.x & ((1u << a.lanes) - 1), across = threadIdx.x >> a.lanes;
    std::int64_t vector = (std::int64_t(block_x) << a.lanes) + lane;
    if (a.warps_overlap) vector -= vector / 32;
    const bool is_end = a.ends.blocks > 0 && (vector < a.ends.low || vector >= a.ends.high_from);
    x = a.origin + vector * vector_width<T>;
    y = is_end ? a.range[1].end : a.range[1].begin + ((std::int64_t(block_y) << a.across) + across) * plane_items;
    is_plain = a.plain[0].has(x) && a.plain[1].has(y);
  }
};

template <class T, bool IsStar, int Radius, PlaneRows Rows, int Step, bool Plain, class Epilogue>
__device__ __forceinline__ void run_plane_at(const PlaneArguments<T>& a, const Epilogue& epilogue, std::int64_t x,
                                             std::int64_t y, bool whole_warp)
{
  T sum[plane_items][vector_width<T>], centre[plane_items][vector_width<T>];
  PlaneThread<T, IsStar, Radius, Rows, Step, Plain, !core::only_stores<Epilogue>>(a, x, y).add(sum, centre);
  PlaneFinish<T, Rows, Plain>{a, x, y, Step}.run(epilogue, sum, centre, whole_warp);
}

/// One thread, where rows lie `Step` elements more than whole vectors apart. Called, not inlined, it would read its arguments by generic loads.
template <class T, bool IsStar, int Radius, PlaneRows Rows, int Step, class Epilogue>
__device__ __forceinline__ void run_plane(const PlaneArguments<T>& a, const Epilogue& epilogue)
{
  const PlanePlace<T> at(a, Step == 0 ? 0 : vector_width<T> - 1);
  const bool whole_warp = Rows == PlaneRows::shifted && a.warps_overlap && __all_sync(0xffffffffu, at.is_plain);
  if (!at.has_points) return;
  if (at.is_plain)
    run_plane_at<T, IsStar, Radius, Rows, Step, true>(a, epilogue, at.x, at.y, whole_warp);
  else
    run_plane_at<T, IsStar, Radius, Rows, Step, false>(a, epilogue, at.x, at.y, false);
}

/// The same for all steps but 0 where an epilogue is behind: only the sums are compiled for each. What a branch computes stays there:
/// the compiler would keep what is common to several in registers that it has not.
template <class T, bool IsStar, int Radius, bool Plain, class Epilogue>
__device__ __forceinline__ void run_functor_at(const PlaneArguments<T>& a, const Epilogue& epilogue, std::int64_t x,
                                               std::int64_t y)
{
  T sum[plane_items][vector_width<T>], centre[plane_items][vector_width<T>];
  const auto add = [&]<int Step>() {
    std::int64_t own_x = x;
    settle(own_x);
    PlaneThread<T, IsStar, Radius, PlaneRows::alike, Step, Plain, true>(a, own_x, y).add(sum, centre);
  };
  if (vector_width<T> == 2 || a.step == 1)
    add.template operator()<1>();
  else if constexpr (vector_width<T> == 4)
    a.step == 2 ? add.template operator()<2>() : add.template operator()<3>();
  settle(x), settle(y);
  PlaneFinish<T, PlaneRows::alike, Plain>{a, x, y, vector_width<T> == 2 ? 1 : a.step}.run(epilogue, sum, centre, false);
}
template <class T, bool IsStar, int Radius, class Epilogue>
__device__ __forceinline__ void run_plane_functor(const PlaneArguments<T>& a, const Epilogue& epilogue)
{
  const PlanePlace<T> at(a, vector_width<T> - 1);
  if (!at.has_points) return;
  if (at.is_plain)
    run_functor_at<T, IsStar, Radius, true>(a, epilogue, at.x, at.y);
  else
    run_functor_at<T, IsStar, Radius, false>(a, epilogue, at.x, at.y);
}

/// A kernel for every step, or of two the one for whole vectors, or the other.
enum class PlaneSteps { every, none, some };

template <class T, bool IsStar, int Radius, PlaneSteps Steps, class Epilogue>
inline constexpr PlaneKind plane_kind{IsStar, Radius, sizeof(T), Steps == PlaneSteps::some,
                                      !core::only_stores<Epilogue>};

template <class T, bool IsStar, int Radius, PlaneRows Rows, PlaneSteps Steps, class Epilogue>
__global__ void __launch_bounds__(1 << plane_threads(plane_kind<T, IsStar, Radius, Steps, Epilogue>),
                                  Rows == PlaneRows::shifted
                                      ? min_plane_blocks
                                      : plane_blocks(plane_kind<T, IsStar, Radius, Steps, Epilogue>))
    plane_kernel(const __grid_constant__ PlaneArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  if constexpr (Steps == PlaneSteps::some && !core::only_stores<Epilogue>) {
    run_plane_functor<T, IsStar, Radius>(a, epilogue);
  } else {
    if constexpr (Steps != PlaneSteps::none) {
      if (a.step == 1) return run_plane<T, IsStar, Radius, Rows, 1>(a, epilogue);
      if constexpr (vector_width<T> == 4) {
        if (a.step == 2) return run_plane<T, IsStar, Radius, Rows, 2>(a, epilogue);
        if (a.step == 3) return run_plane<T, IsStar, Radius, Rows, 3>(a, epilogue);
      }
    }
    if constexpr (Steps != PlaneSteps::some) run_plane<T, IsStar, Radius, Rows, 0>(a, epilogue);
  }
}

/// The plan's radius is this.
template <bool IsStar, int Radius, class T, class Epilogue>
void launch_plane_of(const Kernel& taken, const Kokkos::Cuda& space, const PlanePlan<T>& plan, const Epilogue& epilogue)
{
  const auto launch = [&]<PlaneRows Rows, PlaneSteps Steps>() {
    launch_kernel<plane_kernel<T, IsStar, Radius, Rows, Steps, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                          epilogue);
  };
  using enum PlaneSteps;
  if (plan.rows == PlaneRows::shifted) {
    if constexpr (has_shifted_planes<Epilogue> && has_plane<T>(IsStar, Radius, PlaneRows::shifted))
      launch.template operator()<PlaneRows::shifted, none>();
  } else if constexpr (has_plane<T>(IsStar, Radius, PlaneRows::alike)) {
    constexpr bool only_stores = core::only_stores<Epilogue>;
    if constexpr (only_stores && !steps_apart(IsStar, Radius))
      launch.template operator()<PlaneRows::alike, every>();
    else if (plan.arguments.step == 0)
      launch.template operator()<PlaneRows::alike, none>();
    else if constexpr (only_stores || has_epilogue_steps(IsStar, Radius))
      launch.template operator()<PlaneRows::alike, some>();
  }
}

} // namespace Keramos::cuda::stencil
