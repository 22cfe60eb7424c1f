// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classic kernels of the 3-D star whose weights are the same along each axis, written afresh after P. Micikevicius, "3D
// finite difference computation on GPUs using CUDA" (GPGPU-2, 2009): one thread a point from global memory; two passes, one
// within planes and one across them; and one pass that walks through the planes with a queue in registers and the current
// plane in shared memory. And what each of them asks memory for, point by point.
//
// Arrays carry their halo: pointers are to the first point that is written. Blocks at the end of a row or a plane may hang over; then
// they read what lies there and write nothing.
#pragma once

#include "Buffers.hpp"

#include <cstdint>

namespace perf::classic {

/// nx points a row, which lie `row` floats apart, ny rows a plane, which lie `plane` floats apart, and nz planes.
struct Volume {
  int nx, ny, nz;
  std::int64_t row, plane;
};

/// weight[r] is that of the points at distance r along each axis.
template <int Radius>
struct Weights {
  float weight[Radius + 1];
};

constexpr int over(int a, int b) { return (a + b - 1) / b; }

// ---- One thread a point -----------------------------------------------------------------------------------------------

template <int Radius>
__global__ void star_kernel(const float* __restrict__ in, float* __restrict__ out, const Volume v,
                            const __grid_constant__ Weights<Radius> w)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= v.nx || y >= v.ny) return;
  const std::int64_t at = blockIdx.z * v.plane + y * v.row + x;
  const float* const p = in + at;
  float sum = w.weight[0] * p[0];
#pragma unroll
  for (int r = 1; r <= Radius; ++r)
    sum += w.weight[r] * (p[-r] + p[r] + p[-r * v.row] + p[r * v.row] + p[-r * v.plane] + p[r * v.plane]);
  out[at] = sum;
}

template <int Radius>
void star_from_global_memory(const float* in, float* out, const Volume& v, const Weights<Radius>& w)
{
  star_kernel<Radius><<<dim3(over(v.nx, 32), over(v.ny, 8), v.nz), dim3(32, 8), 0, stream()>>>(in, out, v, w);
  require_launched("one thread a point");
}

// ---- Two passes -------------------------------------------------------------------------------------------------------

/// Threads of a tile's block: all columns, and rows enough for at most 1024.
template <int TileX, int TileY>
constexpr int block_rows = TileX* TileY <= 1024 ? TileY : TileY / 4;

/// out = the part of the star within the plane, from a tile with its halo.
template <int Radius, int TileX, int TileY>
__global__ void star_in_plane_kernel(const float* __restrict__ in, float* __restrict__ out, const Volume v,
                                     const __grid_constant__ Weights<Radius> w)
{
  constexpr int rows = block_rows<TileX, TileY>;
  __shared__ float kept[TileY + 2 * Radius][TileX + 2 * Radius];
  const int x0 = blockIdx.x * TileX, y0 = blockIdx.y * TileY, x = threadIdx.x;
  const float* const plane = in + blockIdx.z * v.plane;
  for (int b = threadIdx.y; b < TileY + 2 * Radius; b += rows)
    for (int a = x; a < TileX + 2 * Radius; a += TileX) kept[b][a] = plane[(y0 + b - Radius) * v.row + x0 + a - Radius];
  __syncthreads();
  for (int y = threadIdx.y; y < TileY; y += rows) {
    float sum = w.weight[0] * kept[y + Radius][x + Radius];
#pragma unroll
    for (int r = 1; r <= Radius; ++r)
      sum += w.weight[r] * (kept[y + Radius][x + Radius - r] + kept[y + Radius][x + Radius + r] +
                            kept[y + Radius - r][x + Radius] + kept[y + Radius + r][x + Radius]);
    if (x0 + x < v.nx && y0 + y < v.ny) out[blockIdx.z * v.plane + (y0 + y) * v.row + x0 + x] = sum;
  }
}

/// out += the part across the planes, from a tile along x and z.
template <int Radius, int TileX, int TileZ>
__global__ void star_across_planes_kernel(const float* __restrict__ in, float* __restrict__ out, const Volume v,
                                          const __grid_constant__ Weights<Radius> w)
{
  constexpr int rows = block_rows<TileX, TileZ>;
  __shared__ float kept[TileZ + 2 * Radius][TileX];
  const int x = threadIdx.x, z0 = blockIdx.y * TileZ;
  const std::int64_t at = blockIdx.z * v.row + blockIdx.x * TileX + x;
#pragma unroll
  for (int up = 0; up < TileZ + 2 * Radius; up += rows) {
    const int b = up + threadIdx.y;
    if (b < TileZ + 2 * Radius && z0 + b < v.nz + 2 * Radius) kept[b][x] = in[(z0 + b - Radius) * v.plane + at];
  }
  __syncthreads();
  for (int z = threadIdx.y; z < TileZ; z += rows) {
    float sum = 0;
#pragma unroll
    for (int r = 1; r <= Radius; ++r) sum += w.weight[r] * (kept[z + Radius - r][x] + kept[z + Radius + r][x]);
    if (blockIdx.x * TileX + x < v.nx && z0 + z < v.nz) out[(z0 + z) * v.plane + at] += sum;
  }
}

template <int Radius, int Tile>
void star_in_two_passes(const float* in, float* out, const Volume& v, const Weights<Radius>& w)
{
  const dim3 threads(Tile, block_rows<Tile, Tile>);
  star_in_plane_kernel<Radius, Tile, Tile>
      <<<dim3(over(v.nx, Tile), over(v.ny, Tile), v.nz), threads, 0, stream()>>>(in, out, v, w);
  star_across_planes_kernel<Radius, Tile, Tile>
      <<<dim3(over(v.nx, Tile), over(v.nz, Tile), v.ny), threads, 0, stream()>>>(in, out, v, w);
  require_launched("two passes");
}

// ---- One pass -----------------------------------------------------------------------------------------------------------

/// What the kernel does of its work: everything, or one of three parts alone.
enum class Part { all, arithmetic, reads, writes };

/// The third time of a wave: out = 2 in - previous + scale * star(in). Null where it is the star alone.
struct WaveTerms {
  const float *previous, *scale;
};

/// A block walks through all planes with a tile of points, one a thread. Of the points above and below, each thread keeps
/// Radius in registers; those beside it are in shared memory.
template <int Radius, int TileX, int TileY, bool Wave, Part Does>
__global__ void __launch_bounds__(TileX* TileY)
    star_plane_by_plane_kernel(const float* __restrict__ in, float* __restrict__ out, const Volume v,
                               const __grid_constant__ Weights<Radius> w, const WaveTerms wave)
{
  constexpr bool reads = Does == Part::all || Does == Part::reads;
  constexpr bool writes = Does == Part::all || Does == Part::writes;
  constexpr bool computes = Does == Part::all || Does == Part::arithmetic;
  __shared__ float kept[TileY + 2 * Radius][TileX + 2 * Radius];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TileX + tx, y = blockIdx.y * TileY + ty;
  const bool inside = x < v.nx && y < v.ny;
  std::int64_t at = y * v.row + x;
  // Before the first step the queue stands one plane earlier: below[r] is r + 1 planes under current.
  float below[Radius], current = reads ? in[at - v.plane] : static_cast<float>(x), above[Radius], all_seen = 0;
#pragma unroll
  for (int r = 0; r < Radius; ++r) {
    below[r] = reads && r + 2 <= Radius ? in[at - (r + 2) * v.plane] : 1.0f;
    above[r] = reads ? in[at + r * v.plane] : 1.0f;
  }
  for (int z = 0; z < v.nz; ++z, at += v.plane) {
#pragma unroll
    for (int r = Radius - 1; r > 0; --r) below[r] = below[r - 1];
    below[0] = current;
    current = above[0];
#pragma unroll
    for (int r = 0; r < Radius - 1; ++r) above[r] = above[r + 1];
    above[Radius - 1] = reads ? in[at + Radius * v.plane] : below[Radius - 1];
    float value = static_cast<float>(z);
    if constexpr (Does != Part::writes) {
      __syncthreads();
      if (ty < Radius) {
        kept[ty][tx + Radius] = reads ? in[at - Radius * v.row] : current;
        kept[ty + TileY + Radius][tx + Radius] = reads ? in[at + TileY * v.row] : current;
      }
      if (tx < Radius) {
        kept[ty + Radius][tx] = reads ? in[at - Radius] : current;
        kept[ty + Radius][tx + TileX + Radius] = reads ? in[at + TileX] : current;
      }
      kept[ty + Radius][tx + Radius] = current;
      __syncthreads();
    }
    if constexpr (computes) {
      value = w.weight[0] * current;
#pragma unroll
      for (int r = 1; r <= Radius; ++r)
        value += w.weight[r] * (below[r - 1] + above[r - 1] + kept[ty + Radius][tx + Radius - r] +
                                kept[ty + Radius][tx + Radius + r] + kept[ty + Radius - r][tx + Radius] +
                                kept[ty + Radius + r][tx + Radius]);
      if constexpr (Wave)
        if (inside) value = 2 * current - wave.previous[at] + wave.scale[at] * value;
    }
    if constexpr (writes) {
      if (inside) out[at] = value;
    } else {
      all_seen += value + above[Radius - 1] + kept[(ty + Radius) ^ 1][tx];
    }
  }
  if (!writes && all_seen == 1.2345e30f) out[0] = all_seen; // never; without it the compiler would drop everything
}

template <int Radius, int TileX, int TileY, bool Wave = false, Part Does = Part::all>
void star_plane_by_plane(const float* in, float* out, const Volume& v, const Weights<Radius>& w,
                         const WaveTerms& wave = {})
{
  star_plane_by_plane_kernel<Radius, TileX, TileY, Wave, Does>
      <<<dim3(over(v.nx, TileX), over(v.ny, TileY)), dim3(TileX, TileY), 0, stream()>>>(in, out, v, w, wave);
  require_launched("plane by plane");
}

// ---- What they ask memory for -------------------------------------------------------------------------------------------

/// Loads and stores of a block a point that it writes; 2 is the least for a star and 4 for a wave.
constexpr double accesses_from_global_memory(int radius) { return 6.0 * radius + 1 + 1; }

constexpr double accesses_in_two_passes(int radius, double tile)
{
  const double halo = 2.0 * radius / tile;
  return (1 + halo) * (1 + halo) + 1 // the tile with its corners; its part
         + (1 + halo) + 1 + 1;       // the tile across; the part again; the whole
}

constexpr double accesses_plane_by_plane(int radius, double tile_x, double tile_y, double planes, bool wave)
{
  return (planes + 2 * radius) / planes + 2 * radius * (tile_x + tile_y) / (tile_x * tile_y) + 1 + (wave ? 2 : 0);
}

} // namespace perf::classic
