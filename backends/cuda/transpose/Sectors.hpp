// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that holds what lies in memory as far behind a sector of 32 bytes as there: rows of tiles, runs, small matrices.
#pragma once

#include "Access.hpp"
#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// Elements between the beginning of a sector and `address`, which lies in it.
template <int Size>
__device__ __forceinline__ int sector_misalignment_of(const void* address)
{
  return static_cast<int>((reinterpret_cast<std::uintptr_t>(address) & (sector_bytes - 1)) / Size);
}

/// A tile as it came: `from`, the place of its first element in memory, says how far behind a sector each row begins.
template <int Size, class Shape>
struct SectorTile {
  static constexpr int v = 16 / Size, sector = sector_bytes / Size;

  Word<Size>* slots;
  int first, step; ///< misalignment of the first row, and from row to row

  __device__ __forceinline__ SectorTile(unsigned char* memory, const Word<Size>* from, std::int64_t pitch)
      : slots(reinterpret_cast<Word<Size>*>(memory)), first(sector_misalignment_of<Size>(from)),
        step(static_cast<int>(pitch & (sector - 1)))
  {
  }
  /// Where the sectors of row r begin.
  __device__ __forceinline__ Word<Size>* row(int r) const { return slots + SectorMemory<Size, Shape>::row(r); }
  __device__ __forceinline__ int misalignment(int r) const { return (first + r * step) & (sector - 1); }
  __device__ __forceinline__ const Word<Size>* element(int r, int c) const { return row(r) + misalignment(r) + c; }
};

/// Shared memory by bytes. The vectors of 128 bytes change places by an exclusive or with bits in which the lanes differ that
/// gather a run of the output: they meet eight groups of banks, whatever the strides.
struct SwizzledBytes {
  unsigned char* memory;
  unsigned shift;

  __device__ __forceinline__ unsigned char* at(unsigned byte) const { return memory + (byte ^ (byte >> shift & 0x70)); }
};

/// Calls f(row, vector) for all vectors of all rows, which the threads share: those of one thread, one after the other. `index` of
/// `count`: of the thread, or of such as move a part together.
template <class F>
__device__ __forceinline__ void for_each_vector(unsigned rows, unsigned vectors, unsigned index, unsigned count,
                                                const F& f)
{
  unsigned row = index / vectors, vector = index - row * vectors;
  const unsigned row_step = count / vectors, vector_step = count - row_step * vectors;
#pragma unroll 1
  while (row < rows) {
    f(row, vector);
    row += row_step;
    vector += vector_step;
    if (vector >= vectors) vector -= vectors, ++row;
  }
}

template <class F>
__device__ __forceinline__ void for_each_vector(unsigned rows, unsigned vectors, const F& f)
{
  for_each_vector(rows, vectors, threadIdx.x, blockDim.x, f);
}

/// The same by patches: a warp has eight vectors of each of four rows that follow each other. Narrow elements of rows that begin beside each
/// other lie in few words, which all of them read at once, and those of eight vectors in eight groups of banks.
template <class F>
__device__ __forceinline__ void for_each_vector_of_patches(bool by_patches, unsigned rows, unsigned vectors, const F& f)
{
  const unsigned of_patch = by_patches ? patch_rows : 1, width = by_patches ? patch_vectors : 1;
  const unsigned lane = by_patches ? threadIdx.x % 32 : 0, below = lane / patch_vectors, along = lane % patch_vectors;
  const unsigned threads = of_patch * width;
  for_each_vector((rows + of_patch - 1) / of_patch, (vectors + width - 1) / width, threadIdx.x / threads,
                  blockDim.x / threads, [&](unsigned group, unsigned part) {
                    const unsigned row = group * of_patch + below, vector = part * width + along;
                    if (row < rows && vector < vectors) f(row, vector);
                  });
}

} // namespace Keramos::cuda::transpose
