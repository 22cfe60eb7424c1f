// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct Coulomb summation on a grid, written afresh after J. Stone et al., "Accelerating molecular modeling applications with
// graphics processors" (J. Comput. Chem. 28, 2007) and W. Hwu, D. Kirk and I. El Hajj, "Programming massively parallel
// processors", 4th edition (2022), chapter 18: scatter with atomics, gather with one point a thread, and gather with eight
// points a thread that share dy^2 + dz^2. Their atoms come from the constant bank, chunk by chunk. And what special function
// units allow where nothing else costs time: eight points a thread and sources in shared memory.
#pragma once

#include "Buffers.hpp"

#include <algorithm>

namespace perf::classic {

/// `planes` planes of `rows` rows of `side` points, whose coordinates are origin + index * spacing along each axis.
/// potential: plane by plane, row by row.
struct Slab {
  float* potential;
  int planes, rows, side;
  float origin, spacing;

  __device__ float at(int index) const { return origin + index * spacing; }
};

/// Atoms: x across planes, y across rows, z along a row, w the charge.
constexpr int atoms_of_a_chunk = 4000; // 64,000 of the 65,536 bytes of the constant bank
static __constant__ float4 chunk_of_atoms[atoms_of_a_chunk];

constexpr int coulomb_threads = 256;

// ---- Scatter ------------------------------------------------------------------------------------------------------------

/// A thread an atom, which adds it to every point.
__global__ void scatter_kernel(const Slab slab, const float4* atoms, int count)
{
  const int n = blockIdx.x * coulomb_threads + threadIdx.x;
  if (n >= count) return;
  const float4 atom = atoms[n];
  float* potential = slab.potential;
  for (int plane = 0; plane < slab.planes; ++plane) {
    const float dx = slab.at(plane) - atom.x;
    for (int row = 0; row < slab.rows; ++row) {
      const float dy = slab.at(row) - atom.y, beside = dx * dx + dy * dy;
      for (int column = 0; column < slab.side; ++column, ++potential) {
        const float dz = slab.at(column) - atom.z;
        atomicAdd(potential, atom.w * rsqrtf(dz * dz + beside));
      }
    }
  }
}

inline void scatter(const Slab& slab, const float4* atoms, int count)
{
  const std::int64_t points = std::int64_t{slab.planes} * slab.rows * slab.side;
  require_success(cudaMemsetAsync(slab.potential, 0, points * sizeof(float), stream()), "zeros");
  scatter_kernel<<<(count + coulomb_threads - 1) / coulomb_threads, coulomb_threads, 0, stream()>>>(slab, atoms, count);
  require_launched("scatter");
}

// ---- Gather -------------------------------------------------------------------------------------------------------------

/// Points a thread: neighbours in the loop are blockDim.x apart, so that a warp writes whole lines. What the constant bank
/// delivers bounds it: eight atoms under way and blocks of 256 threads give 3470 Gpair/s for eight points on an H200,
/// where the loop as the compiler leaves it and blocks of 128 give 1340.
template <int Points>
__global__ void gather_kernel(const Slab slab, int count, bool first)
{
  const int column = blockIdx.x * Points * blockDim.x + threadIdx.x, row = blockIdx.y, plane = blockIdx.z;
  const float x = slab.at(plane), y = slab.at(row), z = slab.at(column), step = slab.spacing * blockDim.x;
  float sum[Points] = {};
#pragma unroll 8
  for (int n = 0; n < count; ++n) {
    const float4 atom = chunk_of_atoms[n];
    const float dx = x - atom.x, dy = y - atom.y, beside = dx * dx + dy * dy, dz = z - atom.z;
#pragma unroll
    for (int k = 0; k < Points; ++k) {
      const float d = dz + k * step;
      sum[k] += atom.w * rsqrtf(d * d + beside);
    }
  }
  float* const potential = slab.potential + (std::int64_t{plane} * slab.rows + row) * slab.side + column;
#pragma unroll
  for (int k = 0; k < Points; ++k) {
    if (column + k * static_cast<int>(blockDim.x) >= slab.side) break;
    float& out = potential[k * blockDim.x];
    out = first ? sum[k] : out + sum[k];
  }
}

template <int Points>
void gather(const Slab& slab, const float4* atoms, int count)
{
  const int threads = std::min(256, std::max(32, slab.side / Points));
  const dim3 blocks((slab.side + threads * Points - 1) / (threads * Points), slab.rows, slab.planes);
  for (int begin = 0; begin < count; begin += atoms_of_a_chunk) {
    const int chunk = std::min(atoms_of_a_chunk, count - begin);
    require_success(cudaMemcpyToSymbolAsync(chunk_of_atoms, atoms + begin, chunk * sizeof(float4), 0,
                                            cudaMemcpyDeviceToDevice, stream()),
                    "a chunk of atoms");
    gather_kernel<Points><<<blocks, threads, 0, stream()>>>(slab, chunk, begin == 0);
    require_launched("gather");
  }
}

// ---- Roots ----------------------------------------------------------------------------------------------------------------

/// What is left where sources need not be read: they stand on a line along the rows, so far apart that places are exact, and
/// have one charge.
struct SourcesOnALine {
  static constexpr float x = -8.25f, first_y = -8, apart = 16.f / 4096, z = -8.25f, charge = 1.f / 64;
};

constexpr int root_points = 16, root_threads = 128, root_block = 256;

/// Neighbouring threads have neighbouring columns, and a thread sixteen rows; a pair is a difference, a multiply-add, the estimate
/// of the root and a multiply-add, all in registers. Blocks of sources are summed by themselves, for accuracy. H200, 2048^2 and 256^3 with 4000
/// sources: 3928 and 4007 Gpair/s; eight rows 3905 and 4012; what read its sources from shared memory 3674 and 3785.
static __global__ void __launch_bounds__(root_threads, 5) roots_kernel(const Slab slab, int count)
{
  using Line = SourcesOnALine;
  const int column = blockIdx.x * root_threads + threadIdx.x, first = blockIdx.y * root_points, plane = blockIdx.z;
  const float dx = slab.at(plane) - Line::x, dz = slab.at(column) - Line::z, beside = fmaf(dx, dx, dz * dz);
  float dy[root_points], total[root_points] = {};
#pragma unroll
  for (int k = 0; k < root_points; ++k) dy[k] = slab.at(first + k) - Line::first_y;
  for (int begin = 0; begin < count; begin += root_block) {
    const int end = min(count, begin + root_block);
    float sum[root_points] = {};
#pragma unroll 4
    for (int n = begin; n < end; ++n)
#pragma unroll
      for (int k = 0; k < root_points; ++k) {
        const float square = fmaf(dy[k], dy[k], beside);
        float root;
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(square));
        sum[k] = fmaf(Line::charge, root, sum[k]);
        dy[k] -= Line::apart;
      }
#pragma unroll
    for (int k = 0; k < root_points; ++k) total[k] += sum[k];
  }
  if (column >= slab.side) return;
#pragma unroll
  for (int k = 0; k < root_points; ++k)
    if (first + k < slab.rows)
      slab.potential[(std::int64_t{plane} * slab.rows + first + k) * slab.side + column] = total[k];
}

inline void roots(const Slab& slab, int count)
{
  const dim3 blocks((slab.side + root_threads - 1) / root_threads, (slab.rows + root_points - 1) / root_points,
                    slab.planes);
  roots_kernel<<<blocks, root_threads, 0, stream()>>>(slab, count);
  require_launched("roots");
}

} // namespace perf::classic
