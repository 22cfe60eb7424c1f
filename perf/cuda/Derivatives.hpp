// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classic first derivatives of 8th order through pencils in shared memory, written afresh after G. Ruetsch and M. Harris,
// "Finite difference methods in CUDA C/C++", parts 1 and 2 (NVIDIA developer blog, 2013). The last point of an axis repeats
// the first, so that the period is extent - 1.
//
// A block keeps pencils of 64 points along the derivative with four more at each end. Where 64 points are the whole axis, as
// in the originals, these come from the pencil itself; on longer axes from the array. Extents are multiples of 64.
#pragma once

#include "Buffers.hpp"

#include <cstdint>

namespace perf::classic {

constexpr int pencil = 64, halo = 4, threads_along = 4;

/// weight[r] for the difference of the points at distance r, r = 1 ... 4: as a kernel parameter,
struct ByValue {
  float weight[halo + 1];
  __device__ float operator[](int r) const { return weight[r]; }
};
/// or as a symbol, one for all streams, as in the originals.
static __constant__ float constant_weight[halo + 1];
struct BySymbol {
  __device__ float operator[](int r) const { return constant_weight[r]; }
};

/// A cube of `side` points an axis, x contiguous.
struct Cube {
  const float* in;
  float* out;
  int side;
};

/// The point of the array at position n of a periodic axis, -side < n < 2 side - 1.
__device__ inline int wrapped(int n, int side) { return n < 0 ? n + side - 1 : n >= side ? n - (side - 1) : n; }

template <class Weights, class At>
__device__ float difference(const Weights& weight, const At& at)
{
  float sum = 0;
#pragma unroll
  for (int r = 1; r <= halo; ++r) sum += weight[r] * (at(r) - at(-r));
  return sum;
}

/// d/dx: Pencils rows a block, 64 x 4 threads.
template <int Pencils, bool Whole, class Weights>
__global__ void along_x_kernel(const Cube cube, const __grid_constant__ Weights weight)
{
  __shared__ float kept[Pencils][pencil + 2 * halo];
  const int x = threadIdx.x, first = blockIdx.x * pencil;
  const std::int64_t row0 = std::int64_t{blockIdx.z} * cube.side + blockIdx.y * Pencils;
  for (int p = threadIdx.y; p < Pencils; p += threads_along)
    kept[p][x + halo] = cube.in[(row0 + p) * cube.side + first + x];
  if constexpr (Whole) __syncthreads();
  if (x < halo) {
    for (int p = threadIdx.y; p < Pencils; p += threads_along) {
      if constexpr (Whole) {
        kept[p][x] = kept[p][x + pencil - 1];
        kept[p][x + pencil + halo] = kept[p][x + halo + 1];
      } else {
        const float* const row = cube.in + (row0 + p) * cube.side;
        kept[p][x] = row[wrapped(first + x - halo, cube.side)];
        kept[p][x + pencil + halo] = row[wrapped(first + x + pencil, cube.side)];
      }
    }
  }
  __syncthreads();
  for (int p = threadIdx.y; p < Pencils; p += threads_along)
    cube.out[(row0 + p) * cube.side + first + x] = difference(weight, [&](int r) { return kept[p][x + halo + r]; });
}

/// d/dy and d/dz: Pencils neighbours along x a block, which has Pencils x (256 / Pencils) threads. `stride` is that of the
/// derivative's axis, `other` that of the third one, where the blocks lie along blockIdx.z.
template <int Pencils, bool Whole, class Weights>
__global__ void across_kernel(const Cube cube, const std::int64_t stride, const std::int64_t other,
                              const __grid_constant__ Weights weight)
{
  constexpr int step = pencil * threads_along / Pencils;
  __shared__ float kept[pencil + 2 * halo][Pencils];
  const int x = threadIdx.x, first = blockIdx.y * pencil;
  const std::int64_t place = blockIdx.z * other + blockIdx.x * Pencils + x;
  const float* const in = cube.in + place;
  float* const out = cube.out + place;
  for (int n = threadIdx.y; n < pencil; n += step) kept[n + halo][x] = in[(first + n) * stride];
  if constexpr (Whole) __syncthreads();
  if (threadIdx.y < halo) {
    const int n = threadIdx.y;
    if constexpr (Whole) {
      kept[n][x] = kept[n + pencil - 1][x];
      kept[n + pencil + halo][x] = kept[n + halo + 1][x];
    } else {
      kept[n][x] = in[wrapped(first + n - halo, cube.side) * stride];
      kept[n + pencil + halo][x] = in[wrapped(first + n + pencil, cube.side) * stride];
    }
  }
  __syncthreads();
  for (int n = threadIdx.y; n < pencil; n += step)
    out[(first + n) * stride] = difference(weight, [&](int r) { return kept[n + halo + r][x]; });
}

/// axis 0 is x, which is contiguous.
template <int Pencils, bool Whole, class Weights>
void launch_derivative(int axis, const Cube& cube, const Weights& weight)
{
  const unsigned side = cube.side, pieces = side / pencil;
  if (axis == 0) {
    along_x_kernel<Pencils, Whole, Weights>
        <<<dim3(pieces, side / Pencils, side), dim3(pencil, threads_along), 0, stream()>>>(cube, weight);
  } else {
    const std::int64_t row = cube.side, plane = row * cube.side;
    across_kernel<Pencils, Whole, Weights>
        <<<dim3(side / Pencils, pieces, side), dim3(Pencils, pencil * threads_along / Pencils), 0, stream()>>>(
            cube, axis == 1 ? row : plane, axis == 1 ? plane : row, weight);
  }
  require_launched("a derivative");
}

/// Pencils of 4 or 32; `weight` by value or, copied there before, by symbol.
template <int Pencils, class Weights>
void derivative(int axis, const Cube& cube, const Weights& weight)
{
  cube.side == pencil ? launch_derivative<Pencils, true>(axis, cube, weight)
                      : launch_derivative<Pencils, false>(axis, cube, weight);
}

inline void set_constant_weights(const ByValue& weight)
{
  require_success(cudaMemcpyToSymbolAsync(constant_weight, weight.weight, sizeof(weight.weight), 0,
                                          cudaMemcpyHostToDevice, stream()),
                  "the weights' symbol");
}

} // namespace perf::classic
