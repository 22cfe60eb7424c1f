// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread of PlaneKernel.hpp loads, and its sums.
#pragma once

#include "Plane.hpp"
#include "SmallLoads.hpp"

#include <utility>

namespace Keramos::cuda::stencil {

/// One thread. `Plain`: all it reads lies within the rules' valid indices, and all its points are to be computed. `Step`: so many elements more
/// than whole vectors lie between rows, and its points lie that much further before x from row to row.
template <class T, bool IsStar, int Radius, PlaneRows Rows, int Step, bool Plain, bool HasEpilogue>
struct PlaneThread {
  static constexpr int points = vector_width<T>;
  static constexpr int items = plane_items, rows = items + 2 * Radius, side = 2 * Radius + 1;
  static constexpr bool is_shifted = Rows == PlaneRows::shifted;
  static constexpr int lean = Step == 0 ? 0 : points - 1; ///< of its points before x, at most
  static_assert(items % points == 0, "the first row of all threads begins at x");
  /// Rows that are on their way while one is added; or 0, where the compiler decides.
  static constexpr bool in_order = Plain && plane_in_order({IsStar, Radius, sizeof(T), Step != 0, HasEpilogue});
  static constexpr int ahead = in_order ? plane_rows_ahead : 0;

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

} // namespace Keramos::cuda::stencil
