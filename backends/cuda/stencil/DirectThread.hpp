// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes, by registers. A thread has 16 bytes along x in each row of a column, four rows, and adds what these read:
//
//     c - R         own
//     c             left sides |  own, and R rows below and above it along the other axis  | right sides
//     ...
//     c + 3         left sides |  own, and R rows below and above it along the other axis  | right sides
//     c + 3 + R     own
//
// The column lies along y or z, whichever is thin. The threads of a block lie so that what one reads again another has just brought to
// the L1: no shared memory, no barrier. A warp decides once which way it goes, so that no load waits for a branch.
#pragma once

#include "Direct.hpp"

namespace Keramos::cuda::stencil {

/// What a warp finds where its points read: along x the rules' values, and along the others whole columns and no end; values along all axes;
/// values or indices elsewhere (DirectEnd); or anything, and vectors that are not whole.
enum class DirectEdges { none, values, shifted, any };

/// One thread: `Points` neighbours along x, which lie on 16 bytes, or one, in each row.
template <class T, int Radius, int Points, DirectEdges Edges>
struct DirectThread {
  static constexpr int items = direct_items, together = Edges == DirectEdges::any ? items : direct_together<T>,
                       rows = items + 2 * Radius;
  static constexpr int halo = static_cast<int>(core::round_up(Radius, Points)), width = halo + Points + halo;

  const DirectArguments<T>& a;
  std::int64_t at[3];  ///< its first point: along x, the column and the other axis
  int low[3], high[3]; ///< indices from its first point to the valid ones' begin and end, or far
  int count;           ///< rows that are to be computed
  const T* own[items]; ///< the first point of each; where there is none, of the last one

  __device__ DirectThread(const DirectArguments<T>& arguments, std::int64_t x, std::int64_t c, std::int64_t o)
      : a(arguments), at{x, c, o}
  {
    constexpr std::int64_t far = 1 << 30;
#pragma unroll
    for (int p = 0; p < 3; ++p) {
      low[p] = static_cast<int>(min(at[p] - a.axis[p].valid_begin, far));
      high[p] = static_cast<int>(min(a.axis[p].valid_end - at[p], far));
    }
    count = static_cast<int>(min(a.range[1].end - c, std::int64_t(items)));
    own[0] = a.in + x * a.axis[0].stride + c * a.axis[1].stride + o * a.axis[2].stride;
#pragma unroll
    for (int n = 1; n < items; ++n) own[n] = own[n - 1] + (has_item(n) ? a.axis[1].stride : 0);
  }

  __device__ bool has_item(int n) const { return Edges == DirectEdges::none || n < count; }

  /// Whether what is k indices further along axis p is a valid index, and the value beyond that end.
  __device__ bool is_valid(int p, int k) const { return k < 0 ? low[p] + k >= 0 : k < high[p]; }
  __device__ T value(int p, int k) const { return k < 0 ? a.axis[p].low_value : a.axis[p].high_value; }

  /// Its points k indices along the column or the other axis from those at `from`, which `place` points to if it is a valid index.
  __device__ void load(T (&to)[Points], int p, int k, const T* from, const T* place) const
  {
    if constexpr (Edges == DirectEdges::none)
      load_packed(to, place);
    else
      load_at_edge(to, p, k, from, place);
  }

  __device__ void load_at_edge(T (&to)[Points], int p, int k, const T* from, const T* place) const
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) to[v] = value(p, k);
    bool is_there = is_valid(p, k);
    if constexpr (Edges == DirectEdges::any) {
      const std::int64_t beyond = a.axis[p].offset_beyond(k < 0 ? low[p] + k : k - high[p]);
      if (!is_there) place = from - at[p] * a.axis[p].stride + beyond;
      is_there = is_there || beyond != core::no_index;
    } else {
      place = shifted(is_there, p, k, place);
    }
    load_if(is_there, to, place);
  }

  /// Where an index k further along an axis is that would be at `place`, and whether it is anywhere and wanted.
  __device__ const T* shifted(bool& is_there, int p, int k, const T* place) const
  {
    if constexpr (Edges == DirectEdges::shifted) {
      const DirectEnd& end = a.beyond[p][k < 0 ? 0 : 1];
      if (!is_there) place += end.shift;
      is_there = is_there || (end.is_shifted && (p != 1 || k < count + Radius));
    }
    return place;
  }

  // A point's sum goes through its operands as core::StencilProblem has the taps: the slowest axis first.

  __device__ void add(T (&sum)[Points], T weight, const T (&value)[Points]) const
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) sum[v] += weight * value[v];
  }

  /// What lies beside the rows from `row` on along the other axis, at `Radius` offsets. Pointers go from one to the next: multiples of a
  /// stride take registers, and then loads wait for sums.
  template <int First>
  __device__ void add_others(T (&sum)[items][Points], int row) const
  {
    const T* place[together];
#pragma unroll
    for (int n = 0; n < together; ++n) place[n] = own[row + n] + First * a.axis[2].stride;
#pragma unroll
    for (int k = First; k < First + Radius; ++k)
#pragma unroll
      for (int n = 0; n < together; ++n) {
        T value[Points];
        load(value, 2, k, own[row + n], place[n]);
        add(sum[row + n], a.weights.at(Radius, 2, k), value);
        place[n] += a.axis[2].stride;
      }
  }

  /// What lies along the column, likewise.
  template <int First>
  __device__ void add_column(T (&sum)[items][Points], const T (&column)[rows][Points], int row) const
  {
#pragma unroll
    for (int n = row; n < row + together; ++n)
#pragma unroll
      for (int k = First; k < First + Radius; ++k) add(sum[n], a.weights.at(Radius, 1, k), column[n + Radius + k]);
  }

  /// What lies along x in row n, whose own points are the centres.
  __device__ void add_along(T (&sum)[Points], int n, const T (&centre)[Points]) const
  {
    T side[width]; // side[k]: element k - halo
#pragma unroll
    for (int v = 0; v < Points; ++v) side[halo + v] = centre[v];
    if constexpr (Edges == DirectEdges::any) {
      load_side_elements<-Radius>(side, n);
      load_side_elements<Points>(side, n);
    } else {
#pragma unroll
      for (int k = -halo; k < Points + halo; k += Points)
        if (k != 0) load_side_vector(side, n, k);
    }
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
      for (int v = 0; v < Points; ++v) sum[v] += a.weights.at(Radius, 0, offset) * side[halo + v + offset];
  }

  /// The vector that begins k elements from its points, or the rule's value.
  __device__ void load_side_vector(T (&side)[width], int n, int k) const
  {
    T values[Points];
#pragma unroll
    for (int v = 0; v < Points; ++v) values[v] = value(0, k);
    bool is_there = is_valid(0, k);
    const T* place = shifted(is_there, 0, k, own[n] + k * (Points > 1 ? 1 : a.axis[0].stride));
    load_if(is_there, values, place);
#pragma unroll
    for (int v = 0; v < Points; ++v) side[halo + k + v] = values[v];
  }

  /// The elements First ... First + Radius - 1 from its points, by the rules.
  template <int First>
  __device__ void load_side_elements(T (&side)[width], int n) const
  {
    a.axis[0].template for_each_offset<Radius>(at[0] + First, [&](int k, std::int64_t along, T value) {
      side[halo + First + k] = value;
      load_if(along != core::no_index, side[halo + First + k], own[n] - at[0] * a.axis[0].stride + along);
    });
  }

  __device__ void load_column(T (&column)[rows][Points]) const
  {
    const T* place = own[0] - Radius * a.axis[1].stride;
#pragma unroll
    for (int r = -Radius; r < items + Radius; ++r, place += a.axis[1].stride)
      load(column[r + Radius], 1, r, own[0], place);
  }

  /// The sums, and the column, whose own rows are the centres.
  __device__ void add_all(T (&sum)[items][Points], T (&column)[rows][Points]) const
  {
    const auto add_own = [&](int row) {
#pragma unroll
      for (int n = row; n < row + together; ++n) add_along(sum[n], n, column[n + Radius]);
    };
    if (a.column_is_slowest) {
      load_column(column);
#pragma unroll
      for (int row = 0; row < items; row += together) {
        add_column<-Radius>(sum, column, row);
        add_others<-Radius>(sum, row);
        add_own(row);
        add_others<1>(sum, row);
        add_column<1>(sum, column, row);
      }
    } else {
#pragma unroll
      for (int row = 0; row < items; row += together) {
        add_others<-Radius>(sum, row);
        if (row == 0) load_column(column);
        add_column<-Radius>(sum, column, row);
        add_own(row);
        add_column<1>(sum, column, row);
        add_others<1>(sum, row);
      }
    }
  }

  // ---- Epilogue -----------------------------------------------------------------------------------------------------------

  /// The operands of the epilogue at the points of row n, those of `mask`.
  template <class Epilogue>
  __device__ void load_operands(const Epilogue& epilogue, T (&to)[Epilogue::operands + 1][Points], int n,
                                unsigned mask) const
  {
    if constexpr (Epilogue::operands > 0) {
#pragma unroll
      for (int m = 0; m < Epilogue::operands; ++m) {
        const auto& operand = epilogue.operand[m];
#pragma unroll
        for (int v = 0; v < Points; ++v) to[m][v] = operand.number;
        const auto& field = operand.field;
        const T* from = field.data + at[0] * field.stride[0] + (at[1] + n) * field.stride[1] + at[2] * field.stride[2];
        const bool is_there = operand.is_field() && has_item(n), is_whole = mask == all_points<Points>;
        load_if(is_there && is_whole, to[m], from);
        if constexpr (Edges == DirectEdges::any && Points > 1) {
#pragma unroll
          for (int v = 0; v < Points; ++v)
            load_if(is_there && !is_whole && (mask >> v & 1), to[m][v], from + v * field.stride[0]);
        }
      }
    }
  }

  /// Its points of `mask`.
  template <class Epilogue>
  __device__ void run(const Epilogue& epilogue, unsigned mask) const
  {
    constexpr int operands = Epilogue::operands;
    const OrderedEpilogue<core::usual_order<Epilogue>(), Epilogue> ordered{epilogue};
    T sum[items][Points] = {}, column[rows][Points];
    T operand[items][operands + 1][Points]; // the last one only because no array is empty
    add_all(sum, column);
#pragma unroll
    for (int n = 0; n < items; ++n) load_operands(epilogue, operand[n], n, mask);
    bool is_returned = false;
#pragma unroll
    for (int n = 0; n < items; ++n) { // all rows before the first is stored: no load passes a store
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int m = 0; m < operands; ++m) at_point[m] = operand[n][m][v];
        }
        return at_point;
      };
      if (has_item(n))
        is_returned = finish_points(ordered, sum[n], column[n + Radius], operands_of, at[0], 1, at[1] + n, at[2], mask);
    }
    T* to = a.out + at[0] * a.out_stride[0] + at[1] * a.out_stride[1] + at[2] * a.out_stride[2];
#pragma unroll
    for (int n = 0; n < items; ++n, to += a.out_stride[1])
      if (is_returned && has_item(n)) store_points<(Points > 1)>(to, a.out_stride[0], sum[n], 1, mask);
  }
};

} // namespace Keramos::cuda::stencil
