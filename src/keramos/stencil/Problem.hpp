// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil call in two forms. StencilCall is what the user said, axes in View index order: the reference backend takes
// it. StencilProblem is the same call normalised, which is what every other backend takes: three axes sorted fastest
// first (by the strides of `in`), ghost and interior turned into ranges, so that LayoutLeft, LayoutRight and sub-views
// are one case.
#pragma once

#include "../core/Field.hpp"
#include "EdgeRule.hpp"
#include "Operators.hpp"
#include "TapArray.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace Keramos::core {

/// Taps by value, so that a kernel can carry them unless they are very many. Capacity is a rounded-up count: few distinct kernels,
/// many operators.
template <class T, int Capacity>
struct Taps {
  int count = 0;
  TapArray<T, Capacity> weight;
  TapArray<Kokkos::Array<int, 3>, Capacity> offset;

  /// Of those that there are, not of all that there is room for.
  Taps copy() const
  {
    Taps result;
    result.count = count;
    std::copy(&weight[0], &weight[0] + count, &result.weight[0]);
    std::copy(&offset[0], &offset[0] + count, &result.offset[0]);
    return result;
  }
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
  Index3 begin{}, end{};                           ///< the region, in indices of out
  Kokkos::Array<int, 3> reach_low{}, reach_high{}; ///< how far the taps reach below and above their point

  /// The halo that `ghost` asks for, the same on either side.
  std::int64_t reach(int axis) const { return std::max(reach_low[axis], reach_high[axis]); }
  /// What `in` has of it below index 0 and above the last index.
  std::int64_t halo_low(int axis) const { return edges[axis].low.kind == Edge::ghost ? reach(axis) : 0; }
  std::int64_t halo_high(int axis) const { return edges[axis].high.kind == Edge::ghost ? reach(axis) : 0; }
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
    else if (has_halo) // further out than the operator reaches, in the padding of a kernel's tile: any index inside
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

  /// Turns the index of an operand into the one to read; false if it is `value` instead. Where several axes say
  /// constant, the last View index decides, as in numpy.pad.
  KOKKOS_FUNCTION bool resolve(Index3& operand, T& value) const
  {
    bool is_index = true;
    for (int k = 0; k < 3; ++k) {
      std::int64_t& index = operand[position[k]];
      index = axis[position[k]].resolve(index, value);
      if (index == no_index) is_index = false;
    }
    return is_index;
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
    const auto stride = [&](int p) { return std::abs(call.in.stride[layout[p]]); };
    for (int p = 1; p < call.rank; ++p) // by insertion, which leaves equal strides in order and allocates nothing
      for (int q = p; q > 0 && stride(q) < stride(q - 1); --q) std::swap(layout[q], layout[q - 1]);
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

  /// A tap and its offsets, slowest axis of the layout first, in one number: of 64 bits where that is enough, as nearly always, because
  /// they sort faster; or of 128.
  using NearKey = std::uint64_t;
  using FarKey = std::array<std::uint64_t, 2>;
  static constexpr int near_reach = 1 << 17, near_taps = 1 << 10;

  bool is_near() const
  {
    bool near = call.taps.count <= near_taps;
    for (int axis = 0; axis < 3; ++axis)
      near = near && call.reach_low[axis] <= near_reach && call.reach_high[axis] < near_reach;
    return near;
  }

  void set_key(NearKey& key, int tap, const std::array<int, 3>& layout) const
  {
    key = 0;
    for (int p = 2; p >= 0; --p)
      key = key * static_cast<NearKey>(2 * near_reach) +
            static_cast<NearKey>(call.taps.offset[tap][layout[p]] + near_reach);
    key = key * near_taps + static_cast<NearKey>(tap);
  }
  void set_key(FarKey& key, int tap, const std::array<int, 3>& layout) const
  {
    const auto bits = [&](int axis) {
      return static_cast<std::uint64_t>(call.taps.offset[tap][axis] - std::int64_t{INT32_MIN});
    };
    key = {bits(layout[2]) << 32 | bits(layout[1]), bits(layout[0]) << 32 | static_cast<std::uint64_t>(tap)};
  }
  static int tap_of(NearKey key) { return static_cast<int>(key % near_taps); }
  static int tap_of(const FarKey& key) { return static_cast<int>(key[1] & UINT32_MAX); }

  template <class Key>
  void add_sorted(const std::array<int, 3>& layout)
  {
    TapArray<Key, Capacity> keys;
    for (int t = 0; t < call.taps.count; ++t) set_key(keys[t], t, layout);
    Key* const first = keys;
    Key* const last = first + call.taps.count;
    if (!std::is_sorted(first, last)) std::sort(first, last); // boxes and lines often are
    for (const Key* key = first; key != last; ++key) add_tap(tap_of(*key));
  }

  void sort_taps(const std::array<int, 3>& layout)
  {
    is_near() ? add_sorted<NearKey>(layout) : add_sorted<FarKey>(layout);
    if (order == layout) return;
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
            call.reach_low[user_axis],
            call.reach_high[user_axis]};
    if (!in.empty()) in.data += halo * in.stride[p];
    begin[p] = call.begin[user_axis];
    end[p] = call.end[user_axis];
    if (low.kind == Edge::interior) begin[p] = std::max<std::int64_t>(begin[p], axis.reach_low);
    if (high.kind == Edge::interior) end[p] = std::min<std::int64_t>(end[p], extent - axis.reach_high);
  }
};

} // namespace Keramos::core
