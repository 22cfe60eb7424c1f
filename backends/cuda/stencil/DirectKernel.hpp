// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes, by registers. A thread has 16 bytes along x in each of `Items` rows, and loads all that these read before it
// sums:
//
//     y - R                      own
//     y            left sides |  own, and R planes below and above it  | right sides
//     y + 1        left sides |  own, and R planes below and above it  | right sides
//     y + 1 + R                  own
//
// The threads of a block lie so that what one reads again another has just brought to the L1: no shared memory, no barrier, and all
// loads on their way at once, which is what a small grid waits for.
#pragma once

#include "Direct.hpp"

namespace Keramos::cuda::stencil {

/// One thread: `Points` neighbours along x, which lie on 16 bytes, or one. `Plain`: all it reads along y and z lies within the rules'
/// valid indices, and all its rows are to be computed. Along x that is asked where it reads.
template <class T, int Radius, int Items, int Points, bool Plain>
struct DirectThread {
  static constexpr int rows = Items + 2 * Radius;
  static constexpr int halo = static_cast<int>(core::round_up(Radius, Points));
  static constexpr int width = halo + Points + halo;

  const DirectArguments<T>& a;
  std::int64_t x, y, z;                       ///< of its first point
  const T* own;                               ///< this point; where not plain, its x in the row of index 0
  std::int64_t row[Plain ? 1 : rows];         ///< where rows are; or no_index: there is a value
  std::int64_t plane[Plain ? 1 : 2 * Radius]; ///< likewise the planes below and above

  __device__ DirectThread(const DirectArguments<T>& arguments, std::int64_t the_x, std::int64_t the_y,
                          std::int64_t the_z)
      : a(arguments), x(the_x), y(the_y), z(the_z), own(a.in + x * a.axis[0].stride)
  {
    if constexpr (Plain) {
      own += y * a.axis[1].stride + z * a.axis[2].stride;
    } else {
      const auto settle = [](std::int64_t& to, std::int64_t offset) { to = offset; };
      a.axis[1].template for_each_offset<rows>(y - Radius, [&](int k, std::int64_t at, T) { settle(row[k], at); });
      a.axis[2].template for_each_offset<Radius>(z - Radius, [&](int k, std::int64_t at, T) { settle(plane[k], at); });
      a.axis[2].template for_each_offset<Radius>(z + 1,
                                                 [&](int k, std::int64_t at, T) { settle(plane[Radius + k], at); });
    }
  }

  /// Its points in row n, or in one below or above its rows.
  __device__ void load_row(T (&to)[Points], int n) const
  {
    if constexpr (Plain)
      load_packed(to, own + n * a.axis[1].stride);
    else
      load_or(a.axis[1].value(y + n), row[n + Radius], z * a.axis[2].stride, to);
  }

  /// Its points in row n of the k-th plane of those below, then above.
  __device__ void load_plane(T (&to)[Points], int n, int k) const
  {
    const int offset = k < Radius ? k - Radius : k - Radius + 1;
    if constexpr (Plain)
      load_packed(to, own + n * a.axis[1].stride + offset * a.axis[2].stride);
    else
      load_or(a.axis[2].value(z + offset), plane[k], row[n + Radius], to);
  }

  __device__ void load_or(T value, std::int64_t offset, std::int64_t other, T (&to)[Points]) const
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) to[v] = value;
    load_if(offset != core::no_index && other != core::no_index, to, own + offset + other);
  }

  /// The first point of row n, and whether there is one.
  __device__ const T* row_begin(int n) const
  {
    if constexpr (Plain) return own + n * a.axis[1].stride;
    return own + row[n + Radius] + z * a.axis[2].stride;
  }
  __device__ bool has_row(int n) const { return Plain || row[n + Radius] != core::no_index; }

  /// What lies beside its points: side[n][k] is element k - halo of row n; its own are left out.
  __device__ void load_sides(T (&side)[Items][width]) const
  {
    if (a.axis[0].plain(x - halo, x + Points + halo)) {
#pragma unroll
      for (int n = 0; n < Items; ++n)
#pragma unroll
        for (int k = 0; k < width; k += Points) {
          if (k == halo || !has_row(n)) continue;
          T values[Points];
          load_packed(values, row_begin(n) + (k - halo) * (Points > 1 ? 1 : a.axis[0].stride));
#pragma unroll
          for (int v = 0; v < Points; ++v) side[n][k + v] = values[v];
        }
      return;
    }
    load_sides_at_edge<halo - Radius>(side, x - Radius);
    load_sides_at_edge<halo + Points>(side, x + Points);
  }

  /// The elements First ... First + Radius - 1, which begin at index `first`, by the rules.
  template <int First>
  __device__ void load_sides_at_edge(T (&side)[Items][width], std::int64_t first) const
  {
    a.axis[0].template for_each_offset<Radius>(first, [&](int k, std::int64_t along, T value) {
      const bool is_place = along != core::no_index;
#pragma unroll
      for (int n = 0; n < Items; ++n) {
        side[n][First + k] = value;
        load_if(is_place && has_row(n), side[n][First + k], row_begin(n) - x * a.axis[0].stride + along);
      }
    });
  }

  // A point's sum goes through its operands as core::StencilProblem has the taps: below along z, then the plane row by row, then above.

  __device__ void add_row(T (&sum)[Points], const T (&side)[width], const T (&centre)[Points]) const
  {
#pragma unroll
    for (int offset = -Radius; offset <= Radius; ++offset)
#pragma unroll
      for (int v = 0; v < Points; ++v) {
        const int at = v + offset;
        sum[v] += a.weights.at(Radius, 0, offset) * (at >= 0 && at < Points ? centre[at] : side[halo + at]);
      }
  }

  __device__ void add(T (&sum)[Points], T weight, const T (&value)[Points]) const
  {
#pragma unroll
    for (int v = 0; v < Points; ++v) sum[v] += weight * value[v];
  }

  /// The sums and the column of its rows, whose own are the centres.
  __device__ void add_all(T (&sum)[Items][Points], T (&column)[rows][Points]) const
  {
    T side[Items][width];
    load_sides(side);
    add_planes<0>(sum);
#pragma unroll
    for (int k = 0; k < rows; ++k) load_row(column[k], k - Radius);
#pragma unroll
    for (int n = 0; n < Items; ++n)
#pragma unroll
      for (int k = -Radius; k <= Radius; ++k) {
        if (k == 0)
          add_row(sum[n], side[n], column[n + Radius]);
        else
          add(sum[n], a.weights.at(Radius, 1, k), column[n + Radius + k]);
      }
    add_planes<Radius>(sum);
  }

  /// sum += the operands in `Radius` planes, the ones below or above.
  template <int First>
  __device__ void add_planes(T (&sum)[Items][Points]) const
  {
    T value[Radius][Items][Points];
#pragma unroll
    for (int k = 0; k < Radius; ++k)
#pragma unroll
      for (int n = 0; n < Items; ++n) load_plane(value[k][n], n, First + k);
#pragma unroll
    for (int k = 0; k < Radius; ++k)
#pragma unroll
      for (int n = 0; n < Items; ++n)
        add(sum[n], a.weights.at(Radius, 2, First == 0 ? k - Radius : k + 1), value[k][n]);
  }

  // ---- Epilogue -----------------------------------------------------------------------------------------------------------

  __device__ bool has_item(int n) const { return Plain || y + n < a.range[1].end; }

  /// The operands of the epilogue at the points of row n.
  template <class Epilogue>
  __device__ void load_operands(const Epilogue& epilogue, T (&to)[Epilogue::operands + 1][Points], int n) const
  {
    if constexpr (Epilogue::operands > 0) {
#pragma unroll
      for (int m = 0; m < Epilogue::operands; ++m) {
        const auto& operand = epilogue.operand[m];
#pragma unroll
        for (int v = 0; v < Points; ++v) to[m][v] = operand.number;
        if (!operand.is_field() || !has_item(n)) continue;
        const auto& field = operand.field;
        load_packed(to[m], field.data + x * field.stride[0] + (y + n) * field.stride[1] + z * field.stride[2]);
      }
    }
  }

  template <class Epilogue>
  __device__ void run(const Epilogue& epilogue) const
  {
    constexpr int operands = Epilogue::operands;
    const OrderedEpilogue<core::usual_order<Epilogue>(), Epilogue> ordered{epilogue};
    T sum[Items][Points] = {}, column[rows][Points];
    T operand[Items][operands + 1][Points]; // the last one only because no array is empty
#pragma unroll
    for (int n = 0; n < Items; ++n) load_operands(epilogue, operand[n], n);
    add_all(sum, column);
    bool is_returned = false;
#pragma unroll
    for (int n = 0; n < Items; ++n) { // all rows before the first is stored: no load passes a store
      const auto operands_of = [&](int v) {
        Kokkos::Array<T, operands> at_point;
        if constexpr (operands > 0) {
#pragma unroll
          for (int m = 0; m < operands; ++m) at_point[m] = operand[n][m][v];
        }
        return at_point;
      };
      if (has_item(n))
        is_returned =
            finish_points(ordered, sum[n], column[n + Radius], operands_of, x, 1, y + n, z, all_points<Points>);
    }
    T* to = a.out + x * a.out_stride[0] + y * a.out_stride[1] + z * a.out_stride[2];
#pragma unroll
    for (int n = 0; n < Items; ++n, to += a.out_stride[1])
      if (is_returned && has_item(n)) store_points<(Points > 1)>(to, a.out_stride[0], sum[n], 1, all_points<Points>);
  }
};

/// `Points` of them at x, if they are to be computed.
template <int Radius, int Items, int Points, class T, class Epilogue>
__device__ void run_direct(const DirectArguments<T>& a, const Epilogue& epilogue, std::int64_t x, std::int64_t y,
                           std::int64_t z, bool is_plain)
{
  if (is_plain)
    DirectThread<T, Radius, Items, Points, true>(a, x, y, z).run(epilogue);
  else
    DirectThread<T, Radius, Items, Points, false>(a, x, y, z).run(epilogue);
}

template <class T, int Radius, int Items, class Epilogue>
__global__ void __launch_bounds__(direct_threads)
    direct_kernel(const __grid_constant__ DirectArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  constexpr int width = vector_width<T>;
  const int points = a.vectorised ? width : 1;
  const auto first = [](unsigned block, unsigned threads, unsigned thread) {
    return std::int64_t(block) * threads + thread;
  };
  const std::int64_t x = a.origin + first(blockIdx.x, blockDim.x, threadIdx.x) * points;
  const std::int64_t y = a.range[1].begin + first(blockIdx.y, blockDim.y, threadIdx.y) * Items;
  const std::int64_t z = a.range[2].begin + first(blockIdx.z, blockDim.z, threadIdx.z);
  const bool is_idle = x >= a.range[0].end || y >= a.range[1].end || z >= a.range[2].end;
  const bool is_inside = y + Items <= a.range[1].end && a.axis[1].plain(y - Radius, y + Items + Radius) &&
                         a.axis[2].plain(z - Radius, z + Radius + 1);
  const bool is_plain = __all_sync(0xffffffffu, is_idle || is_inside); // a warp goes one way
  if (is_idle) return;
  if (!a.vectorised) return run_direct<Radius, Items, 1>(a, epilogue, x, y, z, is_plain);
  const unsigned mask = points_inside<width>(a.range[0], x, 1);
  if (mask == all_points<width>) return run_direct<Radius, Items, width>(a, epilogue, x, y, z, is_plain);
#pragma unroll 1
  for (int v = 0; v < width; ++v) // the end of a row, one point after the other
    if (mask >> v & 1) run_direct<Radius, Items, 1>(a, epilogue, x + v, y, z, false);
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_direct_of(const Kernel& taken, const Kokkos::Cuda& space, const DirectPlan<T>& plan,
                      const Epilogue& epilogue)
{
  launch_kernel<direct_kernel<T, Radius, direct_items, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
}

} // namespace Keramos::cuda::stencil
