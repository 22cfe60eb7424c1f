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
#include "SmallLoads.hpp"

#include <utility>

namespace Keramos::cuda::stencil {

/// One thread. `Plain`: all it reads lies within the rules' valid indices, and all its points are to be computed. `Step`: so many elements more
/// than whole vectors lie between rows, and its points lie that much further before x from row to row.
template <class T, bool IsStar, int Radius, PlaneRows Rows, int Step, bool Plain>
struct PlaneThread {
  static constexpr int points = vector_width<T>;
  static constexpr int items = plane_items, rows = items + 2 * Radius, side = 2 * Radius + 1;
  static constexpr bool is_shifted = Rows == PlaneRows::shifted;
  static constexpr int lean = Step == 0 ? 0 : points - 1; ///< of its points before x, at most
  static_assert(items % points == 0, "the first row of all threads begins at x");
  /// Rows that are on their way while one is added; or 0, where the compiler decides.
  static constexpr int ahead = Plain && plane_in_order(IsStar, Radius, sizeof(T), Step != 0) ? plane_rows_ahead : 0;

  const PlaneArguments<T>& a;
  std::int64_t x, y;                  ///< of its first point
  const T* own;                       ///< this point; where not plain, element 0
  std::int64_t row[Plain ? 1 : rows]; ///< where rows are, from element 0; or no_index: there is a value

  __device__ PlaneThread(const PlaneArguments<T>& arguments, std::int64_t the_x, std::int64_t the_y)
      : a(arguments), x(the_x), y(the_y), own(a.in)
  {
    if constexpr (Plain)
      own += x + y * a.axis[1].stride;
    else
      a.axis[1].template for_each_offset<rows>(y - Radius, [&](int k, std::int64_t offset, T) { row[k] = offset; });
  }

  /// Elements by which its points in row r, from y - Radius on, lie before x.
  KOKKOS_FUNCTION static constexpr int back(int r) { return (r - Radius + points * Radius) * Step % points; }

  /// How many elements before its own points in row r, or behind them, its points read there. Whole vectors, where rows are alike.
  KOKKOS_FUNCTION static constexpr int elements_beside(int r, bool before)
  {
    int result = 0;
    for (int n = 0; n < items; ++n) {
      if (n > r || n < r - 2 * Radius) continue;
      const int ahead = back(r) - back(n + Radius), along = IsStar && n + Radius != r ? 0 : Radius;
      const int reached = along + (before ? -ahead : ahead);
      result = result < reached ? reached : result;
    }
    return is_shifted ? result : static_cast<int>(core::round_up(result, points));
  }

  /// Elements First ... First + Count - 1 of a row; 0 is the thread's first point.
  template <int First, int Count>
  __device__ void load(T (&to)[Count], int r) const
  {
    if constexpr (Plain && Rows == PlaneRows::shifted) {
      constexpr int length = static_cast<int>(core::round_up(Count + points - 1, points));
      const T* const from = own + (r - Radius) * a.axis[1].stride + First;
      const int behind = elements_from_boundary(from);
      T values[length];
      load_vectors(values, from - behind);
      shift_down(to, values, behind);
    } else if constexpr (Plain) {
      load_vectors(to, own + (r - Radius) * a.axis[1].stride + First - back(r));
    } else {
#pragma unroll
      for (int k = 0; k < Count; ++k) to[k] = T{};
#pragma unroll
      for (int k = 0; k < Count; k += points) load_at_edge(to, k, x + First + k - back(r), r);
    }
  }

  template <int Count>
  __device__ static void load_vectors(T (&to)[Count], const T* from)
  {
#pragma unroll
    for (int k = 0; k < Count; k += points) {
      T values[points];
      if constexpr (ahead > 0)
        load_if(true, values, from + k); // stays where it is written
      else
        load_packed(values, from + k);
#pragma unroll
      for (int v = 0; v < points; ++v) to[k + v] = values[v];
    }
  }

  /// to[k ...] = elements x ... of a row, a vector of them. Only where some lie beyond an end are all asked for, one by one.
  template <int Count>
  __device__ void load_at_edge(T (&to)[Count], int k, std::int64_t first, int r) const
  {
    constexpr int some = Count < points ? Count : points;
    const std::int64_t offset = row[r];
    const bool is_row = offset != core::no_index;
    if constexpr (!is_shifted && Step == 0) // rows beyond an end may be others, which lie otherwise
      if (is_row && a.axis[0].plain(first, first + points)) {
        T values[points];
        load_packed(values, own + offset + first);
#pragma unroll
        for (int v = 0; v < points; ++v) to[k + v] = values[v];
        return;
      }
    const T row_value = a.axis[1].value(y - Radius + r);
    a.axis[0].template for_each_offset<some>(first, [&](int v, std::int64_t along, T value) {
      if (k + v >= Count) return;
      const bool is_place = along != core::no_index;
      to[k + v] = is_place || (!is_row && a.y_decides) ? row_value : value;
      load_if(is_row && is_place, to[k + v], own + offset + along);
    });
  }

  /// What its points read of row R.
  template <int R>
  struct Window {
    static constexpr int before = elements_beside(R, true), after = elements_beside(R, false);
    T element[before + points + after];
  };
  template <class Sequence>
  struct Windows;
  template <int... R>
  struct Windows<std::integer_sequence<int, R...>> : Window<R>... {
  };
  using AllRows = std::make_integer_sequence<int, rows>;

  /// Row R meets the weights of all points that it lies near.
  template <int R>
  __device__ void add_row(T (&sum)[items][points], T (&centre)[items][points], const Window<R>& row_of) const
  {
    constexpr int before = Window<R>::before;
    const auto& window = row_of.element;
#pragma unroll
    for (int n = 0; n < items; ++n) {
      const int j = R - n, own_points = before + back(R) - back(n + Radius);
      if (j < 0 || j >= side) continue;
#pragma unroll
      for (int i = 0; i < side; ++i) {
        if (IsStar && j != Radius && i != Radius) continue;
#pragma unroll
        for (int v = 0; v < points; ++v) sum[n][v] += a.weight[j][i] * window[own_points + v + i - Radius];
      }
#pragma unroll
      for (int v = 0; v < points; ++v)
        if (j == Radius) centre[n][v] = window[own_points + v];
    }
  }

  /// Row R is added while others come.
  template <int R>
  __device__ void step(T (&sum)[items][points], T (&centre)[items][points], Windows<AllRows>& windows) const
  {
    constexpr int next = R + ahead;
    if constexpr (next < rows) {
      Window<next>& row_of = windows;
      load<-Window<next>::before>(row_of.element, next);
    }
    if constexpr (R >= 0) add_row<R>(sum, centre, windows);
    if constexpr (R >= 0 && ahead > 0) {
#pragma unroll
      for (int n = 0; n < items; ++n)
#pragma unroll
        for (int v = 0; v < points; ++v) settle(sum[n][v]);
    }
  }

  /// Row by row: each point sums in the order of the taps.
  template <int... N>
  __device__ void add_rows(T (&sum)[items][points], T (&centre)[items][points], std::integer_sequence<int, N...>) const
  {
    Windows<AllRows> windows;
    (step<N - ahead>(sum, centre, windows), ...);
  }

  /// The sums of its points, and what lies at these.
  __device__ void add(T (&sum)[items][points], T (&centre)[items][points]) const
  {
#pragma unroll
    for (int n = 0; n < items; ++n) fill(sum[n], T(0));
    add_rows(sum, centre, std::make_integer_sequence<int, ahead + rows>());
  }
};

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
    const unsigned block_y = quotient(blockIdx.x, a.blocks_along_x),
                   block_x = blockIdx.x - block_y * a.blocks_along_x.d;
    if (threadIdx.x == 0) ask_for_later_rows(a.prefetch, block_x, block_y);
    const unsigned lane = threadIdx.x & ((1u << a.lanes) - 1), across = threadIdx.x >> a.lanes;
    std::int64_t vector = (std::int64_t(block_x) << a.lanes) + lane;
    if (a.warps_overlap) vector -= vector / 32;
    x = a.origin + vector * vector_width<T>;
    y = a.range[1].begin + ((std::int64_t(block_y) << a.across) + across) * plane_items;
    is_plain = a.plain[0].has(x) && a.plain[1].has(y);
    has_points = x - lean < a.range[0].end && y < a.range[1].end;
  }
};

template <class T, bool IsStar, int Radius, PlaneRows Rows, int Step, bool Plain, class Epilogue>
__device__ __forceinline__ void run_plane_at(const PlaneArguments<T>& a, const Epilogue& epilogue, std::int64_t x,
                                             std::int64_t y, bool whole_warp)
{
  T sum[plane_items][vector_width<T>], centre[plane_items][vector_width<T>];
  PlaneThread<T, IsStar, Radius, Rows, Step, Plain>(a, x, y).add(sum, centre);
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

/// The same for all steps but 0 behind an application's functor: only the sums are compiled for each. What a branch computes stays there:
/// the compiler would keep what is common to several in registers that it has not.
template <class T, bool IsStar, int Radius, bool Plain, class Epilogue>
__device__ __forceinline__ void run_functor_at(const PlaneArguments<T>& a, const Epilogue& epilogue, std::int64_t x,
                                               std::int64_t y)
{
  T sum[plane_items][vector_width<T>], centre[plane_items][vector_width<T>];
  const auto add = [&]<int Step>() {
    std::int64_t own_x = x;
    settle(own_x);
    PlaneThread<T, IsStar, Radius, PlaneRows::alike, Step, Plain>(a, own_x, y).add(sum, centre);
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

template <class T, bool IsStar, int Radius, PlaneRows Rows, PlaneSteps Steps, class Epilogue>
__global__ void __launch_bounds__(1 << plane_threads(IsStar, Radius, sizeof(T), Steps == PlaneSteps::some),
                                  Rows == PlaneRows::shifted
                                      ? min_plane_blocks
                                      : plane_blocks(IsStar, Radius, sizeof(T), Steps == PlaneSteps::some))
    plane_kernel(const __grid_constant__ PlaneArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  if constexpr (Steps == PlaneSteps::some && !Epilogue::form::in_library) {
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
    constexpr bool in_library = Epilogue::form::in_library;
    if constexpr (in_library && !steps_apart(IsStar, Radius))
      launch.template operator()<PlaneRows::alike, every>();
    else if (plan.arguments.step == 0)
      launch.template operator()<PlaneRows::alike, none>();
    else if constexpr (in_library || has_functor_steps(IsStar, Radius))
      launch.template operator()<PlaneRows::alike, some>();
  }
}

} // namespace Keramos::cuda::stencil
