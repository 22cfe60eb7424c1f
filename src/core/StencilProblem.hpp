// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil call in two forms. StencilCall is what the user said, axes in View index order: the reference backend takes
// it. StencilProblem is the same call normalised, which is what every other backend takes: three axes sorted fastest
// first (by the strides of `in`), ghost and interior turned into ranges, so that LayoutLeft, LayoutRight and sub-views
// are one case.
#pragma once

#include "EdgeRule.hpp"
#include "Field.hpp"
#include "Operators.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>

namespace Keramos::core {

/// Taps by value, so that a kernel can carry them. Capacity is a rounded-up count: few distinct kernels, many
/// operators.
template <class T, int Capacity>
struct Taps {
  int count = 0;
  T weight[Capacity];
  Kokkos::Array<int, 3> offset[Capacity];
};

constexpr int tap_capacity(int count) { return count <= 32 ? 32 : count <= 128 ? 128 : (count + 1023) / 1024 * 1024; }

template <class T, int Capacity>
struct StencilCall {
  int rank = 3; ///< of the user's Views; the axes behind have extent 1
  Shape shape = Shape::sparse;
  int radius = 0;
  Taps<T, Capacity> taps;
  Field<const T, 3> in;
  Field<T, 3> out;
  bool last_index_fastest = true; ///< of the layout of `in`, where strides do not tell (an extent of 1)
  std::array<AxisRule, 3> edges{periodic, periodic, periodic};
  Index3 begin{}, end{}; ///< the region, in indices of out

  int reach_low(int axis) const
  {
    int reach = 0;
    for (int t = 0; t < taps.count; ++t) reach = std::max(reach, -taps.offset[t][axis]);
    return reach;
  }
  int reach_high(int axis) const
  {
    int reach = 0;
    for (int t = 0; t < taps.count; ++t) reach = std::max(reach, taps.offset[t][axis]);
    return reach;
  }
  /// The halo that `ghost` asks for, the same on either side.
  int reach(int axis) const { return std::max(reach_low(axis), reach_high(axis)); }
  /// What `in` has of it below index 0 and above the last index.
  int halo_low(int axis) const { return edges[axis].low.kind == Edge::ghost ? reach(axis) : 0; }
  int halo_high(int axis) const { return edges[axis].high.kind == Edge::ghost ? reach(axis) : 0; }
};

/// One axis of a normalised problem: operand indices in [valid_begin, valid_end) are read as they are, others by the
/// rules.
template <class T>
struct ProblemAxis {
  Edge low, high;
  T low_value, high_value;
  std::int64_t extent; ///< of out, and of the edge rules' index maps
  std::int64_t valid_begin, valid_end;
  int reach_low, reach_high;

  /// The index to read for `index`, or no_index with the value of the rule in `value`.
  KOKKOS_FUNCTION std::int64_t resolve(std::int64_t index, T& value) const
  {
    if (index >= valid_begin && index < valid_end) return index;
    const bool is_low = index < valid_begin, has_halo = valid_begin < 0 || valid_end > extent;
    const Edge rule = is_low ? low : high;
    index = has_halo ? edge_index_beside_ghost(rule, is_low, index, extent) : edge_index(rule, index, extent);
    if (index == no_index)
      value = is_low ? low_value : high_value;
    else if (has_halo) // further out than the operator reaches, in the padding of a kernel's tile: any place inside
      index = Kokkos::clamp(index, valid_begin, valid_end - 1);
    return index;
  }
};

/// The three axes of a normalised problem, asked together.
template <class T>
struct ProblemAxes {
  Kokkos::Array<ProblemAxis<T>, 3> axis;
  Kokkos::Array<int, 3> position; ///< View index k is axis position[k]

  KOKKOS_FUNCTION const ProblemAxis<T>& operator[](int p) const { return axis[p]; }

  /// No operand of this point lies beyond an edge.
  KOKKOS_FUNCTION bool inside(const Index3& point) const
  {
    for (int p = 0; p < 3; ++p)
      if (point[p] - axis[p].reach_low < axis[p].valid_begin || point[p] + axis[p].reach_high >= axis[p].valid_end)
        return false;
    return true;
  }

  /// Turns the place of an operand into the place to read; false if it is `value` instead. Where several axes say
  /// constant, the last View index decides, as in numpy.pad.
  KOKKOS_FUNCTION bool resolve(Index3& place, T& value) const
  {
    bool is_place = true;
    for (int k = 0; k < 3; ++k) {
      std::int64_t& index = place[position[k]];
      index = axis[position[k]].resolve(index, value);
      if (index == no_index) is_place = false;
    }
    return is_place;
  }
};

/// A point's sum is one chain of multiply-adds that begins with zero: the taps in the order of `taps`, which is that of
/// their offsets along the slowest axis of the layout, then along the next, then along the fastest. Every kernel keeps to
/// it, so that a point's bits depend on no extent, region, tile or thread count.
template <class T, int Capacity>
struct StencilProblem {
  using value_type = T;
  static constexpr int capacity = Capacity;

  StencilCall<T, Capacity> call;
  std::array<int, 3> order; ///< axis p of this problem is axis order[p] of the call
  Taps<T, Capacity> taps;   ///< every offset once
  /// Going through the taps, axis 0 of this problem runs fastest and axis 2 slowest. Not so where axes of extent 1, which
  /// `order` has last, lie between the others in memory.
  bool taps_follow_axes = true;
  Field<const T, 3> in; ///< in[{0, 0, 0}] is the operand at the centre of out[{0, 0, 0}]
  Field<T, 3> out;
  ProblemAxes<T> axes;
  Index3 begin, end; ///< the points to compute, in indices of out

  explicit StencilProblem(const StencilCall<T, Capacity>& the_call) : call(the_call)
  {
    const std::array<int, 3> layout = fastest_first();
    order = moving_first(layout);
    sort_taps(layout);
    in = permuted(call.in, order);
    out = permuted(call.out, order);
    for (int p = 0; p < 3; ++p) normalise_axis(p);
  }

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }

private:
  /// The axes by the strides of `in`, whatever the extents. The ones behind the rank come last.
  std::array<int, 3> fastest_first() const
  {
    std::array<int, 3> layout{0, 1, 2};
    if (call.last_index_fastest) std::reverse(layout.begin(), layout.begin() + call.rank);
    std::stable_sort(layout.begin(), layout.begin() + call.rank,
                     [&](int a, int b) { return std::abs(call.in.stride[a]) < std::abs(call.in.stride[b]); });
    return layout;
  }

  /// The same for kernels, whose first axis should have points.
  std::array<int, 3> moving_first(const std::array<int, 3>& layout) const
  {
    std::array<int, 3> result{};
    int next = 0;
    for (const bool moves : {true, false})
      for (const int axis : layout)
        if ((call.out.extent[axis] != 1 || call.in.extent[axis] != 1) == moves) result[next++] = axis;
    return result;
  }

  void sort_taps(const std::array<int, 3>& layout)
  {
    const auto place = [&](int tap, int axis) { return call.taps.offset[tap][axis]; };
    const auto before = [&](int a, int b) {
      for (int p = 2; p >= 0; --p)
        if (place(a, layout[p]) != place(b, layout[p])) return place(a, layout[p]) < place(b, layout[p]);
      return a < b;
    };
    std::array<int, Capacity> sorted;
    std::iota(sorted.begin(), sorted.begin() + call.taps.count, 0);
    std::sort(sorted.begin(), sorted.begin() + call.taps.count, before);
    for (int s = 0; s < call.taps.count; ++s) add_tap(sorted[s]);
    for (int t = 1; t < taps.count; ++t) taps_follow_axes = taps_follow_axes && follows(t);
  }

  void add_tap(int tap)
  {
    Kokkos::Array<int, 3> offset;
    for (int p = 0; p < 3; ++p) offset[p] = call.taps.offset[tap][order[p]];
    const int last = taps.count - 1;
    if (taps.count > 0 && offset == taps.offset[last]) { // an operator may name a point twice
      taps.weight[last] += call.taps.weight[tap];
      return;
    }
    taps.offset[taps.count] = offset;
    taps.weight[taps.count++] = call.taps.weight[tap];
  }

  bool follows(int tap) const
  {
    const auto &here = taps.offset[tap], &before = taps.offset[tap - 1];
    for (int p = 2; p >= 0; --p)
      if (here[p] != before[p]) return here[p] > before[p];
    return true;
  }

  void normalise_axis(int p)
  {
    const int user_axis = order[p];
    const auto [low, high] = call.edges[user_axis];
    const std::int64_t extent = out.extent[p], halo = call.halo_low(user_axis);
    auto& axis = axes.axis[p];
    axes.position[user_axis] = p;
    axis = {low.kind,
            high.kind,
            static_cast<T>(low.value),
            static_cast<T>(high.value),
            extent,
            -halo,
            extent + call.halo_high(user_axis),
            call.reach_low(user_axis),
            call.reach_high(user_axis)};
    if (!in.empty()) in.data += halo * in.stride[p];
    begin[p] = call.begin[user_axis];
    end[p] = call.end[user_axis];
    if (low.kind == Edge::interior) begin[p] = std::max<std::int64_t>(begin[p], axis.reach_low);
    if (high.kind == Edge::interior) end[p] = std::min<std::int64_t>(end[p], extent - axis.reach_high);
  }
};

} // namespace Keramos::core
