// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers about the transpose kernels that planning needs as well: the shapes of tiles, what a warp moves, and how shared memory
// is laid out. No device code.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <type_traits>

namespace Keramos::cuda::transpose {

/// Calls f with std::integral_constant<int, size>.
template <class F>
void with_size(int size, const F& f)
{
  switch (size) {
  case 1:
    return f(std::integral_constant<int, 1>());
  case 2:
    return f(std::integral_constant<int, 2>());
  case 4:
    return f(std::integral_constant<int, 4>());
  case 8:
    return f(std::integral_constant<int, 8>());
  default:
    return f(std::integral_constant<int, 16>());
  }
}

/// Entry for Size of types listed for 1, 2, 4, 8 and 16 bytes.
template <int Size, class For1, class For2, class For4, class For8, class For16>
using BySize = std::conditional_t<
    Size == 1, For1,
    std::conditional_t<Size == 2, For2,
                       std::conditional_t<Size == 4, For4, std::conditional_t<Size == 8, For8, For16>>>>;

/// A tile of A x B elements for `Threads` threads: those of a warp lie along b to read, along a to write. A multiprocessor
/// shall hold `Blocks` blocks; 0: as many as come of it.
template <int A, int B, int Threads, int InFlight, int Blocks = 0>
struct TileShape {
  static constexpr int a = A, b = B, threads = Threads;
  static constexpr int warps = Threads / 32;
  static constexpr int blocks = Blocks;
  static constexpr int in_flight = InFlight; ///< loads of a thread before its first store
};

/// A tile of A x B elements that lies in sectors, for `Threads` threads, of which a multiprocessor shall hold `Blocks` blocks. Tiles
/// share `Lead` rows along a: a sector of the output, which they write so that it `Stays` in the cache like other data or is the first
/// to leave.
template <int A, int B, int Threads, int Blocks, int Lead, bool Stays>
struct SectorShape {
  static constexpr int a = A, b = B, threads = Threads;
  static constexpr int blocks = Blocks, lead = Lead;
  static constexpr bool stays = Stays;
};

/// A tile in shared memory where a lane moves an element: rows along a, one for each b. The pitch is an odd number of 4-byte
/// words, or of elements if these are larger, so that a column meets every bank.
template <int Size, class Shape>
struct TileMemory {
  static constexpr int pitch = Shape::a * Size + (Size > 4 ? Size : 4);
  static constexpr int bytes = pitch * Shape::b;
};

/// Shared memory of a tile by aligned vectors.
template <int Size, class Shape>
inline constexpr unsigned tile_vector_bytes = Size* Shape::a* Shape::b;

/// A box in shared memory: after each 128 bytes of slots a gap of a word, or of an element where these are larger, so that
/// strides of a power of two meet every bank.
template <int Size>
struct BoxMemory {
  /// Of a slot; of `slots` slots the bytes.
  static KOKKOS_FUNCTION constexpr unsigned offset(unsigned slots)
  {
    return slots * Size + slots / (128 / Size) * (Size > 4 ? Size : 4);
  }
};

/// Boxes by runs: the threads of the largest ones; the bytes of a sector, which memory writes as a whole, and of a line.
inline constexpr int box_rows_max_threads = 512, sector_bytes = 32, line_bytes = 128;
/// Blocks of so many threads that a multiprocessor shall hold: plain moves fill it, functors may take 64 registers. Shared memory
/// alone leaves room for half as many threads where boxes are as large as they may be (chosen, not measured).
template <bool Plain>
inline constexpr int box_rows_blocks = Plain ? 4 : 2;

/// What a warp gathers of the output's runs of narrow elements: so many vectors of each of so many runs.
inline constexpr unsigned patch_rows = 4, patch_vectors = 32 / patch_rows;

/// A run of a box: where it begins, in memory and in shared memory, and which of its elements are moved, from its base on: the
/// line or sector in which it begins.
struct alignas(16) BoxRow {
  std::uint64_t address;
  int slot;
  unsigned short begin, end;

  KOKKOS_FUNCTION std::uint64_t base(unsigned unit) const { return address & ~std::uint64_t{unit - 1}; }
};

/// Vectors of 16 bytes that a run of so many bytes meets, wherever its first element begins, rounded to `unit` bytes.
KOKKOS_FUNCTION constexpr unsigned vectors_of(unsigned run_bytes, int size, unsigned unit)
{
  return (run_bytes + 2 * unit - 1 - size) / unit * (unit / 16);
}

/// A tile of sectors in shared memory, see Sectors.hpp: rows have a sector more than their elements fill, and after as many
/// rows as a sector has elements there is a gap of one, so that 32 elements of one column meet all banks where the pitch of the
/// matrix is odd. Sectors lie on 32 bytes here as well, or each half of one would be fetched by itself (half as many sectors again
/// came from the L2 cache where every second group of rows lay on 16 bytes).
template <int Size, class Shape>
struct SectorMemory {
  static constexpr int sector = sector_bytes / Size, pitch = Shape::b + sector;
  static_assert(Shape::a % sector == 0 && Shape::b % sector == 0);
  static constexpr int bytes = (Shape::a * pitch + Shape::a) * Size;

  /// Of row r, in elements.
  static KOKKOS_FUNCTION constexpr int row(int r) { return r * pitch + r / sector * sector; }
};

/// Shared memory of a swap by aligned vectors, both tiles, and of an unaligned one.
template <int Size, class Shape>
constexpr int aligned_swap_bytes()
{
  return 2 * Size * Shape::a * Shape::b;
}
template <int Size, class Shape>
inline constexpr int unaligned_swap_bytes = 2 * SectorMemory<Size, Shape>::bytes;

/// Rows that are copied: a thread writes `InFlight` vectors, a multiprocessor shall hold `Blocks` blocks.
template <int Threads, int InFlight, int Blocks>
struct RowsShape {
  static constexpr int threads = Threads, in_flight = InFlight, blocks = Blocks;
};

/// What a warp of the narrow kernels moves, `in_flight` times: 32 * v points of some components, in accesses of v elements.
struct NarrowShape {
  int size, access_bytes, components;

  static constexpr int threads = 256;
  KOKKOS_FUNCTION constexpr int v() const { return access_bytes / size; }
  KOKKOS_FUNCTION constexpr int in_flight() const ///< 48 bytes of a lane and more
  {
    return access_bytes * components > 32 ? 1 : 64 / (access_bytes * components);
  }
  KOKKOS_FUNCTION constexpr int points() const { return 32 * v(); } ///< of a warp, once
  KOKKOS_FUNCTION constexpr int warp_points() const { return points() * in_flight(); }
  KOKKOS_FUNCTION constexpr int block_points() const { return warp_points() * (threads / 32); }
};

} // namespace Keramos::cuda::transpose
