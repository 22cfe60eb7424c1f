// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the transpose kernels, by element size. Shapes are compiled in; the rest is decided per call. None differs
// between architectures so far.
#pragma once

#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// Entry for Size of types listed for 1, 2, 4, 8 and 16 bytes.
template <int Size, class For1, class For2, class For4, class For8, class For16>
using BySize = std::conditional_t<
    Size == 1, For1,
    std::conditional_t<Size == 2, For2,
                       std::conditional_t<Size == 4, For4, std::conditional_t<Size == 8, For8, For16>>>>;

/// TileShape<extent along a, along b, threads, loads in flight, blocks of a multiprocessor>. Behind each: what it
/// reached on an H200, in % of a cudaMemcpy of the same bytes; where none stands, none was kept.
template <int Size>
using VectorTile = BySize<Size, TileShape<128, 256, 128, 16, 5>, TileShape<128, 128, 256, 8>,
                          TileShape<64, 128, 512, 4>, // 16384^2, 15000x10008: 96.9, 94.0; 64x64: 96.9, 92.2
                          TileShape<32, 64, 256, 4>, TileShape<64, 32, 512, 4>>; // 7001x7011: 94.5
/// For few tiles; void: the same. 1024^2, 2048^2, 3072^2 from memory, GB/s: small tiles 1823, 3094, 3596, large ones 1724,
/// 3010, 3609, which are 1, 4 and 9 large tiles per multiprocessor.
template <int Size>
using SmallVectorTile = BySize<Size, void, void, TileShape<32, 64, 128, 4, 16>, void, void>;
template <int Size>
using ElementTile =
    BySize<Size, TileShape<128, 128, 256, 10>, TileShape<64, 64, 256, 12>, // irregular strides and functors
           TileShape<96, 64, 256, 12>, // 10001x15013: 80.9; 64x64: 77.3; 96x96: 74.7
           TileShape<64, 64, 256, 6>,  // 9001x9011: 91.9; 64x32: 80.2; 32x64: 79.8
           TileShape<32, 32, 256, 4>>; // 7001x7011: 91.7
/// Odd pitches. Threads that fill a multiprocessor are worth more than long rows: with one block fewer on it 4 bytes
/// reached 81.7, 2 bytes 77.9, 1 byte 70.2.
template <int Size>
using UnalignedTile =
    BySize<Size, UnalignedShape<256, 128, 128, 4, 8, false>, // 30001x30011: 78.1; from next lane: 75.3
           UnalignedShape<128, 128, 256, 3, 8, false>,       // 20001x20011: 87.6; from next lane: 75.9
           UnalignedShape<128, 64, 512, 3, 4, true>,         // 10001x15013: 90.7; 64x128: 90.2; 64x64: 89.0
           void, void>;
template <int Size>
using VectorSwap =
    BySize<Size, TileShape<128, 128, 64, 16>, // 32768^2: 72
           TileShape<64, 64, 64, 8>, TileShape<64, 64, 256, 4>, TileShape<32, 32, 256, 2>, TileShape<32, 32, 256, 4>>;
template <int Size>
using ElementSwap = BySize<Size, TileShape<64, 64, 256, 12>, TileShape<64, 64, 256, 12>,
                           TileShape<64, 64, 256, 12>, // 10001^2: 64; 32x32: 50
                           TileShape<32, 32, 256, 4>,  // 9001^2: 66
                           TileShape<32, 32, 256, 4>>;

inline constexpr int box_threads = 256;
template <int Size>
inline constexpr int box_in_flight = Size == 16 ? 4 : 8;
template <int Size>
inline constexpr int copy_in_flight = Size == 16 ? 4 : 8;
inline constexpr int copy_rows_in_flight = 4;

/// Boxes: bytes of shared memory, without gaps; bytes of a box on either side, before it grows elsewhere.
inline constexpr int box_bytes = 16 << 10;
constexpr int box_side_bytes(int size) { return size <= 2 ? 128 : 256; }

/// Tiles for which there is a small shape: fewer per multiprocessor take that, and so do those whose share of elements of
/// the array is less than this of what small tiles have (chosen, not measured).
inline constexpr int min_large_tiles = 8;
inline constexpr double min_large_fill = 0.95;

/// The share of a tile's elements that are elements of the array: less is left to boxes.
inline constexpr double min_fill = 0.4;

/// Runs that both sides share: shorter ones go through a box where the orders differ.
inline constexpr int min_run_bytes = 64;

} // namespace Keramos::cuda::transpose
