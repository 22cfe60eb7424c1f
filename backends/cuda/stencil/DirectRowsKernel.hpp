// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes on Regions that are thin along x, by rows in shared memory. A block has a square of rows, and brings of each what
// its few points read, of those around the square what lies above and below the points:
//
//     z + R       own
//     ...
//     z      side own side  |  own of R rows below and above it along y
//     ...
//     z - R       own
//
// Such rows are short pieces far from each other, each in a sector or two of memory that nobody else reads: so all pieces of a row are asked
// for, and stored, by neighbouring threads at once, and no piece twice.
#pragma once

#include "../BulkCopy.hpp"
#include "Direct.hpp"
#include "PlaneTerms.hpp"

namespace Keramos::cuda::stencil {

template <class T, class Epilogue>
class DirectRows {
public:
  static constexpr int radius = max_direct_radius, side = direct_rows_side, all = direct_rows_all;
  static constexpr int width = vector_width<T>, beside = direct_rows_beside<T>, operands = Epilogue::operands;
  using Vector = T[width];

  __device__ DirectRows(const DirectArguments<T>& arguments, const Epilogue& the_epilogue, SharedAddress the_shared)
      : a(arguments), epilogue(the_epilogue), shared(the_shared), pitch(a.row_vectors + 2 * beside),
        y(a.range[1].begin + std::int64_t(blockIdx.x) * side), z(a.range[2].begin + std::int64_t(blockIdx.y) * side)
  {
  }

  __device__ void run() const
  {
    for_vectors(side * side, pitch, [&](int row, int v) { bring(row % side, row / side, v - beside); });
    for_vectors(4 * radius * side, a.row_vectors, [&](int row, int v) {
      const int along = row % side, n = row / side % (2 * radius), around = n < radius ? n - radius : side + n - radius;
      const bool is_along_y = row < 2 * radius * side;
      bring(is_along_y ? around : along, is_along_y ? along : around, v);
    });
    commit_copies();
    wait_for_copies<0>();
    __syncthreads();
    for_vectors(side * side, a.row_vectors, [&](int row, int v) { compute(row % side, row / side, v); });
  }

private:
  /// f(row, vector) for so many rows of so many vectors, by a thread each.
  template <class F>
  __device__ static void for_vectors(int rows, int vectors, const F& f)
  {
#pragma unroll 1
    for (int n = static_cast<int>(threadIdx.x); n < rows * vectors; n += direct_rows_threads)
      f(n / vectors, n % vectors);
  }

  /// Of row j of plane k, counted from the square's first, as is v from the first point.
  __device__ SharedAddress at(int j, int k, int v) const
  {
    return shared + (((k + radius) * all + j + radius) * pitch + v + beside) * 16;
  }

  __device__ void bring(int j, int k, int v) const
  {
    const std::int64_t index[] = {a.origin + v * width, y + j, z + k};
    if (index[1] >= a.range[1].end + radius || index[2] >= a.range[2].end + radius) return;
    const SharedAddress to = at(j, k, v);
    const std::int64_t row = a.axis[1].offset(index[1]), plane = a.axis[2].offset(index[2]);
    if (row == core::no_index)
      store_value(to, a.axis[1].value(index[1]));
    else if (plane == core::no_index)
      store_value(to, a.axis[2].value(index[2]));
    else if (a.axis[0].plain(index[0], index[0] + width))
      copy_vector(to, a.in + index[0] + row + plane);
    else
      bring_elements(to, a.in + row + plane, index[0]);
  }
  __device__ static void store_value(SharedAddress to, T value)
  {
    Vector values;
#pragma unroll
    for (int n = 0; n < width; ++n) values[n] = value;
    store_shared(to, values);
  }
  /// Where the rules of x have a say.
  __device__ void bring_elements(SharedAddress to, const T* row, std::int64_t x) const
  {
#pragma unroll 1
    for (int n = 0; n < width; ++n) {
      const std::int64_t along = a.axis[0].offset(x + n);
      store_shared(to + n * static_cast<int>(sizeof(T)), along == core::no_index ? a.axis[0].value(x + n) : row[along]);
    }
  }

  __device__ void compute(int j, int k, int v) const
  {
    const std::int64_t x = a.origin + v * width, row = y + j, plane = z + k;
    const unsigned mask = points_inside<width>(a.range[0], x, 1);
    if (row >= a.range[1].end || plane >= a.range[2].end) return;
    Vector sum = {}, centre, operand[operands + 1]; // the last one only because no array is empty
    load_operands(operand, mask, x, row, plane);
    add_all(sum, centre, j, k, v);
    const auto operands_of = [&](int n) {
      Kokkos::Array<T, operands> at_point;
      if constexpr (operands > 0) {
#pragma unroll
        for (int m = 0; m < operands; ++m) at_point[m] = operand[m][n];
      }
      return at_point;
    };
    finish_points(epilogue, sum, centre, operands_of, x, 1, row, plane, mask);
    store_points<true>(a.out + x + row * a.out_stride[1] + plane * a.out_stride[2], 1, sum, 1, mask);
  }

  /// A point's sum goes through its operands as core::StencilProblem has the taps: the slowest axis first.
  __device__ void add_all(Vector& sum, Vector& centre, int j, int k, int v) const
  {
    const auto add = [&](int axis, int offset) {
      Vector value;
      load_shared(value, at(j + (axis == 1 ? offset : 0), k + (axis == 2 ? offset : 0), v));
#pragma unroll
      for (int n = 0; n < width; ++n) sum[n] += a.weights.at(radius, axis, offset) * value[n];
    };
#pragma unroll
    for (int offset = -radius; offset < 0; ++offset) add(2, offset);
#pragma unroll
    for (int offset = -radius; offset < 0; ++offset) add(1, offset);
    add_along(sum, centre, at(j, k, v));
#pragma unroll
    for (int offset = 1; offset <= radius; ++offset) add(1, offset);
#pragma unroll
    for (int offset = 1; offset <= radius; ++offset) add(2, offset);
  }
  __device__ void add_along(Vector& sum, Vector& centre, SharedAddress own_at) const
  {
    constexpr int halo = beside * width;
    T window[halo + width + halo];
#pragma unroll
    for (int v = -beside; v <= beside; ++v) {
      Vector value;
      load_shared(value, own_at + v * 16);
      set_row(window, v + beside, value);
    }
    get_row(centre, window, beside);
#pragma unroll
    for (int offset = -radius; offset <= radius; ++offset)
#pragma unroll
      for (int n = 0; n < width; ++n) sum[n] += a.weights.at(radius, 0, offset) * window[halo + n + offset];
  }

  __device__ void load_operands(Vector (&to)[operands + 1], unsigned mask, std::int64_t x, std::int64_t row,
                                std::int64_t plane) const
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int m = 0; m < operands; ++m) {
        const auto& [field, number] = epilogue.operand[m];
        const T* const from = field.data + x + row * field.stride[1] + plane * field.stride[2];
        const bool is_field = field.data != nullptr, is_whole = mask == all_points<width>;
#pragma unroll
        for (int n = 0; n < width; ++n) to[m][n] = number;
        load_if(is_field && is_whole, to[m], from);
#pragma unroll
        for (int n = 0; n < width; ++n) load_if(is_field && !is_whole && (mask >> n & 1), to[m][n], from + n);
      }
    }
  }

  const DirectArguments<T>& a;
  const Epilogue& epilogue;
  SharedAddress shared;
  int pitch;         ///< vectors of a row
  std::int64_t y, z; ///< of the square's first row
};

template <class T, class Epilogue>
__global__ void __launch_bounds__(direct_rows_threads)
    direct_rows_kernel(const __grid_constant__ DirectArguments<T> a, const __grid_constant__ Epilogue epilogue)
{
  extern __shared__ __align__(16) unsigned char direct_rows_shared[];
  wait_for_kernel_before();
  let_next_kernel_begin();
  DirectRows(a, epilogue, shared_address(direct_rows_shared)).run();
}

} // namespace Keramos::cuda::stencil
