// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines on small grids whose rows are made of whole vectors, by registers: what the kernels of LineAcross.hpp and LineSmall.hpp do there. Such
// a grid waits for every instruction before the first load, so a thread's place is a product of block and thread, in 32 bits.
#pragma once

#include "Line.hpp"
#include "SmallLoads.hpp"

namespace Keramos::cuda::stencil {

/// A vector of each of `Items` rows along y. `IsZero`: beyond both ends of the line's axis.
template <class T, int Radius, int Items, bool IsZero>
struct LineVectors {
  static constexpr int width = vector_width<T>;
  using Vector = T[width];

  const LineArguments<T>& a;
  const SmallLine<T>& line;
  const int x, y, z; ///< of its first point, from the first one to compute

  __device__ const T* own() const { return settled(line.in + (x + y * line.in_stride[1] + z * line.in_stride[2])); }

  /// The sum of a row that the line lies across, whose own vector and neighbours are `rows`.
  __device__ void add(Vector& sum, const Vector* rows) const
  {
    fill(sum, T(0));
#pragma unroll
    for (int k = 0; k <= 2 * Radius; ++k)
#pragma unroll
      for (int v = 0; v < width; ++v) sum[v] += a.weight[k] * rows[k][v];
  }

  template <class Epilogue>
  __device__ void finish(const Epilogue& epilogue, Vector& sum, const Vector& centre, int item) const
  {
    const auto index = [&](int p, int from_first) { return a.range[p].begin + from_first; };
    if (!finish_points(epilogue, sum, centre, index(0, x), 1, index(1, y + item), index(2, z), all_points<width>))
      return;
    store_packed(line.out + (x + (y + item) * line.out_stride[1] + z * line.out_stride[2]), sum);
  }

  template <class Epilogue>
  __device__ void run_across(const Epilogue& epilogue) const
  {
    const Beyond<T> below(line.axis, 0, y), above(line.axis, 1, y);
    const T* const from = own();
    Vector rows[Items + 2 * Radius];
#pragma unroll
    for (int k = -Radius; k < Items + Radius; ++k)
      load_at<IsZero>(rows[k + Radius], line.axis, k < 0 ? below : above, from, y, k,
                      k <= Radius || y + k < line.points[1] + Radius);
#pragma unroll
    for (int item = 0; item < Items; ++item) {
      if (item > 0 && y + item >= line.points[1]) break;
      Vector sum;
      add(sum, rows + item);
      finish(epilogue, sum, rows[item + Radius], item);
    }
  }

  template <class Epilogue>
  __device__ void run_along(const Epilogue& epilogue) const
  {
    constexpr int halo = line_halo(Radius, width) * width;
    T row[halo + width + halo];
    Vector centre, sum;
    const T* const from = own();
    load_packed(centre, from);
    load_sides<IsZero, Radius>(row, line.axis, from, x);
#pragma unroll
    for (int v = 0; v < width; ++v) row[halo + v] = centre[v];
    fill(sum, T(0));
#pragma unroll
    for (int k = -Radius; k <= Radius; ++k)
#pragma unroll
      for (int v = 0; v < width; ++v) sum[v] += a.weight[k + Radius] * row[halo + v + k];
    finish(epilogue, sum, centre, 0);
  }
};

template <int Radius, int Items, bool IsAlong, class T, class Epilogue>
__device__ void run_line_vectors(const LineArguments<T>& a, const Epilogue& epilogue)
{
  const SmallLine<T>& line = a.small;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * vector_width<T>;
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * Items;
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x >= line.points[0] || y >= line.points[1] || z >= line.points[2]) return;
  const auto run = [&](const auto& thread) {
    if constexpr (IsAlong)
      thread.run_along(epilogue);
    else
      thread.run_across(epilogue);
  };
  if (line.has_zeros)
    run(LineVectors<T, Radius, Items, true>{a, line, x, y, z});
  else
    run(LineVectors<T, Radius, Items, false>{a, line, x, y, z});
}

} // namespace Keramos::cuda::stencil
