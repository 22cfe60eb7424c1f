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
  /// The halo that `ghost` asks for, the same on both sides.
  int reach(int axis) const { return std::max(reach_low(axis), reach_high(axis)); }
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
    const bool is_low = index < valid_begin;
    index = edge_index(is_low ? low : high, index, extent);
    if (index == no_index) value = is_low ? low_value : high_value;
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

template <class T, int Capacity>
struct StencilProblem {
  using value_type = T;
  static constexpr int capacity = Capacity;

  StencilCall<T, Capacity> call;
  std::array<int, 3> order; ///< axis p of this problem is axis order[p] of the call
  Taps<T, Capacity> taps;
  Field<const T, 3> in; ///< in[{0, 0, 0}] is the operand at the centre of out[{0, 0, 0}]
  Field<T, 3> out;
  ProblemAxes<T> axes;
  Index3 begin, end; ///< the points to compute, in indices of out

  explicit StencilProblem(const StencilCall<T, Capacity>& the_call) : call(the_call), order(fastest_first(the_call))
  {
    taps.count = call.taps.count;
    for (int t = 0; t < taps.count; ++t) {
      taps.weight[t] = call.taps.weight[t];
      for (int p = 0; p < 3; ++p) taps.offset[t][p] = call.taps.offset[t][order[p]];
    }
    in = permuted(call.in, order);
    out = permuted(call.out, order);
    for (int p = 0; p < 3; ++p) normalise_axis(p);
  }

  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }

private:
  static std::array<int, 3> fastest_first(const StencilCall<T, Capacity>& call)
  {
    std::array<int, 3> order{0, 1, 2};
    const auto rank_of = [&](int axis) { // axes that do not move come last
      return call.out.extent[axis] == 1 && call.in.extent[axis] == 1 ? INT64_MAX : std::abs(call.in.stride[axis]);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank_of(a) < rank_of(b); });
    return order;
  }

  void normalise_axis(int p)
  {
    const int user_axis = order[p];
    const auto [low, high] = call.edges[user_axis];
    const std::int64_t extent = out.extent[p];
    auto& axis = axes.axis[p];
    axes.position[user_axis] = p;
    axis = {low.kind, high.kind, static_cast<T>(low.value), static_cast<T>(high.value), extent,
            0,        extent,    call.reach_low(user_axis), call.reach_high(user_axis)};
    begin[p] = call.begin[user_axis];
    end[p] = call.end[user_axis];
    if (low.kind == Edge::ghost) {
      const std::int64_t reach = call.reach(user_axis);
      if (!in.empty()) in.data += reach * in.stride[p];
      axis.valid_begin = -reach;
      axis.valid_end = extent + reach;
    }
    if (low.kind == Edge::interior) begin[p] = std::max<std::int64_t>(begin[p], axis.reach_low);
    if (high.kind == Edge::interior) end[p] = std::min<std::int64_t>(end[p], extent - axis.reach_high);
  }
};

} // namespace Keramos::core
