// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of the transpose kernels, by element size: tiles, rows and matrices, and which calls take them or boxes (BoxTuning.hpp);
// SwapTuning.hpp has transposes in place. Shapes are compiled in; the rest is decided per call. None differs between architectures so far.
#pragma once

#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// TileShape<extent along a, along b, threads, loads in flight, blocks of a multiprocessor>. Behind each: what it
/// reached on an H200, in % of a cudaMemcpy of the same bytes; where none stands, none was kept.
/// Of aligned vectors, the worst of six places, 1 byte at 16384^2, 32768^2, 30016^2: 94.4, 95.1, 86.3, and where arrays begin 128 bytes behind a unit of
/// memory 93.7, 94.9, 86.2 (three blocks of 128 threads 92.5, 94.8, 84.6; of 256, which spill, 78, 79, 73; the small tile 90.2, 90.9, 84.3 and 87.9,
/// 87.7, 84.2; an H100 has not run them); the worst of three, smaller tiles of 1 byte at 16384^2, 32768^2, 30016x35008: 91.9, 94.9, 90.9 (four blocks 92.3, 95.2, 90.7; six, which
/// spill, 86.7, 89.9, 75.8; 128x384 by 192 threads 90.7, 93.1, 91.4; 128x128 88.9, 91.6, 86.0); 2 bytes at 16384^2, 20000x24992, 15008x10016: 95.9,
/// 91.4, 89.0 (64x256 94.4, 93.1, 90.3; 64x128 94.2, 90.7, 88.5; 128x64 91.9, 87.0, 85.7); 8 bytes at 16384^2, 15008x10016, 2048^2: 95.1, 97.6, 104.5
/// (by 512 threads 95.5, 98.1, 102.3; 32x32 95.4, 97.5, 103.6; 64x64 95.3, 97.8, 100.3; 32x128 95.4, 97.7, 100.9; 16x64 92.4, 95.2, 103.0).
template <int Size>
using VectorTile = BySize<
    Size, TileShape<256, 256, 256, 16, 2>, TileShape<128, 128, 256, 8>,
    TileShape<64, 128, 512, 4>, // 16384^2, 15000x10008: 96.9, 94.0; 64x64: 96.9, 92.2
    TileShape<32, 64, 256, 4>,
    TileShape<32, 32, 512, 2, 4>>; // 8191x8193, 5000x12001, 1024^2: 95.6, 97.3, 92.8; 64x32 by 1024 threads, which an
                                   // H100 had, 94.6, 96.0, 81.8, by 512 95.7, 96.8, 91.1; 32x32 by 256 94.4, 96.4, 96.7
/// For few tiles; void: the same. 1024^2, 2048^2, 3072^2 from memory, GB/s: small tiles 1823, 3094, 3596, large ones 1724,
/// 3010, 3609, which are 1, 4 and 9 large tiles per multiprocessor. Of 1 byte the tile that was the only one.
template <int Size>
using SmallVectorTile = BySize<Size, TileShape<128, 256, 128, 16, 5>, void, TileShape<32, 64, 128, 4, 16>, void, void>;
/// Where rows of the output are so far from each other that a tile's are as many pages of memory, and where there are few of them:
/// 256x512x1024 (2 1 0), (2 0 1): 91.4, 94.9, of 64x128 88.3, 91.0; 3125000x64: 90.3, of 32x64 87.4; 4166668x48: 88.5, 67.3. Not else:
/// 15000x10008: 91.0, 92.1; 2000000x100: 88.7, 91.6; 6250000x32: 89.2, 90.2. So far is chosen between 64 KiB (16384^2: 97.1, 96.8)
/// and 512.
template <int Size>
using WideVectorTile = BySize<Size, void, void, TileShape<128, 64, 512, 4>, void, void>;
inline constexpr std::int64_t min_far_bytes = 256 << 10, min_far_rows = 512;
template <int Size>
using ElementTile =
    BySize<Size, TileShape<128, 128, 256, 10>, TileShape<64, 64, 256, 12>, // irregular strides and functors
           TileShape<96, 64, 256, 12>, // 10001x15013: 80.9; 64x64: 77.3; 96x96: 74.7
           TileShape<64, 64, 256, 6>,  // 9001x9011: 91.9; 64x32: 80.2; 32x64: 79.8
           TileShape<32, 32, 256, 4>>; // 7001x7011: 91.7
/// Odd pitches. Behind each what it reached, of a copy of 4.2 TB/s on an H200 (an H100 has not run them). Where 32 registers are left for
/// a thread it spills: 4 bytes by eight blocks make 64.3, 2 bytes in tiles of 144x96 by 512 threads and four blocks 66.3.
template <int Size>
using UnalignedTile =
    BySize<Size, SectorShape<288, 192, 512, 3, 32, true>, // 30001x35013, 30000x35016: 89.8, 86.3; 160x192 88.7, 85.8
           SectorShape<144, 128, 256, 5, 16, true>,       // 20001x25013, 20008x25016: 91.5, 90.2; 144x96 91.2, 90.8
           SectorShape<72, 64, 256, 6, 8, true>,          // 10001x15013, 8191x8193: 93.8, 93.6; 136x64 93.6, 93.5
           SectorShape<36, 64, 256, 6, 4, true>,          // 10001x15013, 8191x8193: 94.1, 94.4; 68x64 94.7, 95.1
           void>;
/// Matrices of so many bytes whose rows of the input such a tile holds have boxes, which cost no more than max_box_cost there. H200, 800 MB, tiles and boxes,
/// f32 of 53, 55, 57, 59, 60, 61, 62, 63, 64 columns: 85.3, 90.3; 87.5, 89.6; 89.4, 90.1; 88.9, 90.1; 88.5, 89.8; 88.5, 89.9; 87.8, 89.4; 88.3, 89.9; 87.8,
/// 89.4; f64 of 53, 58, 61, 64: 89.7, 90.3; 88.0, 89.1; 89.0, 89.8; 88.1, 89.5; f32 of 61 columns, 366, 146, 49 and 15 MB: 90.3, 90.7; 92.0, 91.0; 98.8,
/// 93.1; 107.8, 94.1.
inline constexpr std::int64_t min_narrow_matrix_bytes = 256 << 20;
/// Odd pitches of matrices of so few elements for each multiprocessor, or stacks of them; void: none. H100, 511^2, 1021^2, 2047^2 hot in the
/// cache, µs: 1.6, 3.2, 9.5; 32x32: 1.5, 3.2, 10.3; 64x64 by 512 threads 1.8, 3.0, 9.4; unaligned tiles, which do not begin early, 5.8,
/// 6.9, 12.9, and if they did 4.0, 5.6, 11.3; a copy 2.4, 3.1, 8.8. 3001^2 and 4093^2: 29.7, 56.2; unaligned tiles 30.5, 51.7.
/// Such matrices also have tiles of aligned vectors where their pieces of rows do not begin on sectors; others then have unaligned ones, or
/// boxes: 10004x15012 f32 89.0, 94.9; 10002x15014 f64 87.9, 95.8; 20008x25016 of 2 bytes 86.8, 93.4; 260x516x1028 f32 reversed 65.1, 88.7;
/// 68x124x100x108 f32 (3, 1, 2, 0) 58.9, 90.9.
template <int Size>
using SmallTile = BySize<Size, void, void, TileShape<64, 32, 256, 8>, void, void>;
inline constexpr std::int64_t max_small_elements = 48 << 10;
/// Rows that are copied, RowsShape<threads, vectors in flight, blocks of a multiprocessor>. H200, 638x598x624 floats into a sub-view at odd
/// offsets, out of one, and into one on 16 bytes, 256x512x1024 (1, 0, 2), and a single row of 1.2 GB: 91.0, 98.9, 99.0, 96.5, 99.8; 256
/// threads by two vectors 91.4, 98.1, 97.2, 96.5, 98.2, by one 90.8, 95.0, 97.0, 95.7, 98.6, by four 77.4, 79.9, 96.8, 95.9, -; 384 by one
/// 89.6, 92.6, 95.5, 94.0, -, 1024 84.4, 87.6, 89.5, 84.2, -; rows of 257 single bytes 64.4, 256 threads by one 66.1. An H100 had 384 by one,
/// with more instructions: 92.8, 98.7. Loads of 256 bytes or of fewer, and stores that stay as other data does or go first, are half a point
/// apart; loads that keep out of the first-level cache make 75.
using CopiedRows = RowsShape<128, 2, 12>;

/// Elements of fewer bytes are narrow.
inline constexpr int min_narrow_size = 4;
KOKKOS_FUNCTION constexpr bool narrows(int in_size, int out_size)
{
  return out_size < min_narrow_size && out_size < in_size;
}
/// Where these would be no boxes of lines, they have tiles in sectors: H100, 10001x15013 and 8191x8193, f32 to f16, boxes 96.1, 95.0;
/// tiles of 144x64 97.4, 97.1. H200: 144x64 and 144x96 by 256 threads, 144x128 by 512 91.6, 90.9; 94.4, 92.7; 95.5, 94.7; 144x96 by
/// three blocks of as many, where registers spill, 73.0, 73.4.
constexpr bool narrows_in_tiles(int in_size, int out_size)
{
  return narrows(in_size, out_size) && in_size >= min_narrow_size;
}
constexpr int narrowing_tile_a(int out_size) { return 128 + sector_bytes / out_size; }
constexpr int narrowing_tile_b(int in_size) { return 512 / in_size; }
template <int InSize, int OutSize>
using NarrowingTile =
    SectorShape<narrowing_tile_a(OutSize), narrowing_tile_b(InSize), 512, 2, sector_bytes / OutSize, false>;
/// Matrices whose rows lie on sectors, but not all alike among units of memory (memory_unit_bytes), have unaligned tiles where these are full and come soon to their
/// neighbours, if their rows and columns have so many bytes (those measured). H200, by vectors and so: f32 12000x9984 92.5, 95.1; 15008x10016
/// 92.3, 95.6; 8224x12064 92.2, 94.4; 240x520x1016 (0, 2, 1) 88.6, 94.0, (1, 2, 0) 91.3, 93.5, reversed 80.0, 85.7; 512x390624 94.2, 95.3; f64
/// 7504x10016 93.6, 96.5; 120x520x1016, so: 93.3, 97.6; 89.5, 94.0; 85.6, 86.6. Of units f32 8192^2 and 256x512x1024 (2, 1, 0) 94.4, 94.1;
/// 89.4, 84.8. In bands f32 2083328x96 91.9, 83.0. Of 2 bytes 15008x10016 86.2, 88.9, but 12000x9984 90.7, 89.5.
inline constexpr int min_bytes_of_rows_in_units = 960;
/// Boxes that cost no more than max_box_cost have matrices whose rows of the output are shorter than this, if tiles cut them within lines or rows of the
/// input do not lie on units of memory, or far and fill small tiles alone, and those whose rows of the input are narrow, as above, and share units in the
/// output, of doubles and where tiles are small; of more axes, what would have small tiles and does not lie on lines in the input. H200, the worst of
/// three arrays, on units and 128 bytes behind, f32, tiles and boxes: 88x1136328 90.6, 91.5; 88x2272712 90.7, 93.1; 6249992x32 90.4, 91.9; 1190472x168
/// 81.1, 85.4; f64 3124996x32 89.8, 91.2; earlier 340904x440 77.8, 85.2; 40000x96x80 (0, 2, 1) 88.1, 95.4; 64x120x96x104 (3, 1, 0, 2) 75.9, 84.4;
/// 32x40x24x32x72 reversed 65.9, 83.8. Not: 32x1562496 97.0, 91.8; 48x1769472 97.6, 92.5; 64x3124992 97.1, 94.9; 96x1041664 95.3, 93.4; 128x390592 94.3,
/// 91.1; 256x390592 94.1, 91.8; 384x520832 96.4, 94.5; f64 32x3124992 97.6, 95.9; 128x390592 95.2, 93.4; of narrow rows 4166664x48, 3125000x64,
/// 2083336x96, 1562504x128, 961544x208, 892808x224 90.5, 89.8; 90.6, 89.3; 89.0, 87.7; 89.3, 87.8; 89.5, 86.2; 88.4, 85.8. Nor else: 1562496x128 90.0,
/// 86.8; 390624x512 88.4, 85.3; f64 624960x120 89.6, 86.4; 72x128x96x88 (2, 0, 3, 1) 89.5, 81.9; 32x40x32x16x96 (3, 4, 2, 1, 0) 89.6, 84.1; stacks of
/// 96x176 94.5, 91.9, though of 64x64 91.5, 96.0; nor where boxes cost more: stacks of 32x32 96.7, 92.5.
inline constexpr int min_bytes_of_rows_in_tiles = 2048;
/// Boxes that cost more leave the call to tiles over joined axes, for elements of so many bytes. H200 and H100, f32, 167 and 239 permutations of
/// arrays near 65x128x96x111, 31x40x24x33x70 and 14x19x13x21x16x60 that do: 3.7 and 2.8 points more on average, up to 12.4 and 10.5;
/// 63x129x94x114 (3, 0, 2, 1), (3, 2, 1, 0), (0, 3, 2, 1): 80.5, 86.2; 80.2, 84.6; 87.3, 93.5; 33x37x23x30x73 (4, 3, 1, 0, 2) 75.0, 82.6. Those of
/// less cost lose 2. Doubles would gain 0.9 on average, 3.2 at most.
inline constexpr double max_box_cost = 0.09;
/// Boxes that share no sectors with each other and cost so much leave it to them where these come late to the next row of the input as well, after at
/// most so many bytes (7.0 to 11): (4, 3, 1, 2, 0) of 29x39x22x31x71, 33x37x23x30x73, 31x40x24x33x70, 33x41x23x31x71, 30x41x25x32x72 in boxes
/// and so 81.1, 85.6; 78.3, 84.6; 81.8, 84.8; 80.4, 83.5; 83.8, 85.1. Boxes that share some make 85 to 89 there, (4, 3, 0, 1, 2), and such tiles 84
/// to 86; with 24 MiB 14x19x13x21x16x60 (5, 4, 0, 1, 3, 2) 80.1, 72.1.
inline constexpr double max_split_box_cost = 0.12;
inline constexpr std::int64_t max_bytes_to_late_neighbour = 12 << 20;
inline constexpr int joined_tile_size = 4;
/// Bytes of a row of the input; from so many on, tiles have 96 rows of their own and 512 threads, else two thirds and half of that.
/// H200, medians of 35, 37 and 95 such permutations, rows of about 450, 290 and 240 bytes: 64 rows by 256 threads 85.4, 87.7, 88.0; 96 by 256
/// 86.1, 87.8, 87.8; by 512 86.7, 85.4, 81.8 (H100: 0.2 more than by 256). A thread has 42 registers, so that six blocks of 256 fit.
inline constexpr int joined_tile_row_bytes = 512, joined_tile_long_row_bytes = 384, joined_tile_rows = 96,
                     joined_tile_max_threads = 512, joined_tile_blocks = 3;
/// Tiles for each multiprocessor (chosen; 33x41x45x47 in the cache of an H100 68.1, 75.3); rows of the output, if it goes on with the input's: 14x13
/// and 13x14 in 13x20x14x19x17x61 and 14x19x13x21x16x60 (3, 4, 1, 5, 0, 2) lose 4.3 and 3.0, 23x33 and more gain. Rows of the input of 108 and
/// 124 bytes lose 8 and 1 on average, of 140 gain 5.8.
inline constexpr int min_joined_tiles = 2, min_joined_rows = 512, min_joined_row_bytes = 128;
/// Accumulations of so many bytes an element, whose tiles own lines: rows of the input, columns, threads, and blocks of a multiprocessor. H200, f32 += 257x514x1025 and
/// 255x510x1022 (2, 1, 0): 128x64 with lines 91.0, 91.0, with sectors 85.8, 84.0, 256x64 with units of 256 bytes 85.0, 82.5; with sectors 128x128 by 256 threads 86.6,
/// 86.6, 128x96 84.8, 83.9; boxes 80.4, 79.5. They take what boxes that cost more would have, if these are none of lines, and pieces of the input's rows fill so much of
/// the columns. H100, boxes and these: (2, 1, 0) of these 85.0, 92.9; 81.1, 93.4; 63x129x94x114 (3, 1, 0, 2), (3, 2, 1, 0), (1, 3, 0, 2), (0, 3, 2, 1) 83.3, 92.6; 85.8,
/// 92.2; 88.6, 98.0; 94.6, 100.5; 65x128x96x111 (3, 1, 0, 2), (3, 0, 2, 1) 93.1, 94.5; 95.5, 95.3; 14x19x13x21x16x60 (5, 0, 1, 2, 4, 3) 86.7, 96.2; 127x60x70x131
/// reversed (0.68) 79.9, 94.6; but, where it is 0.55 to 0.57, 31x40x24x33x70 (0, 4, 2, 3, 1), (4, 1, 2, 0, 3) 96.7, 86.7; 84.0, 94.4.
inline constexpr int joined_sum_size = 4, joined_sum_rows = 128, joined_sum_columns = 64, joined_sum_threads = 512,
                     joined_sum_blocks = 2;
inline constexpr double max_box_cost_of_sums = 0.1, min_joined_sum_fill = 0.65;
/// Small matrices: bytes of those of a block, about; threads, and the blocks that a multiprocessor shall hold. H200 and H100, f32, (1, 0, 2, 4, 3) of
/// 29x39x22x31x71, 24000x50x50, 937500x8x8: 28 KiB by 512 threads 94.0, 98.7, 98.0 and 98.3, 100.9, 98.7; 36 93.7, 98.4, 95.5 and 97.7, 100.1, 97.7;
/// 19 by 256 93.8, 99.9, 97.6 and 97.8, 100.9, 97.8; 54 by 1024 91.6, 96.8, 96.6 and 98.1, 100.3, 98.3; blocks of half as much lose: 63x63, one to a
/// block, 89, two 95.5. Stores that leave the cache first 90.7 for 93.7; sectors written in parts 93.9.
inline constexpr unsigned matrices_bytes = 28 << 10;
inline constexpr int matrices_threads = 512, matrices_blocks = 4;
/// For their SwizzledBytes: 32x32 without 58.1, by 3 and 4 98.3; 34x68 94.5, 95.4, 89.5. Odd columns need none, and lose nothing.
inline constexpr unsigned matrices_shift = 3;
/// Bytes of an element, and of one matrix: of 4 and 8 bytes 6x6 and 7x7 f32 95.5 and 94.8 for 98.0 and 96.8 in boxes; 150x150 (90 KB) 94.6 for 90.8.
inline constexpr int max_matrices_size = 8;
inline constexpr std::int64_t min_matrix_bytes = 128, min_wide_matrix_bytes = 256, max_matrix_bytes = 96 << 10;
/// Boxes by runs that cost more leave the call to them: those with tables of columns, and large ones. Cheaper ones are up to 3 points faster in double
/// (29x39x11x31x71 (1, 0, 2, 4, 3) 95.3 for 93.4) and level in float.
inline constexpr double max_box_cost_of_matrices = 0.06;
/// Blocks for each multiprocessor (chosen, not measured).
inline constexpr int min_matrices_blocks = 2;
/// Bytes of an element where the fast axes differ: 256x512x500 bytes reversed, 44.8 in tiles and 20.5 in these boxes. Narrow elements have
/// boxes where tiles would be emptier than min_narrow_fill, single bytes where there are none, in place of boxes by elements. H200, contiguous random shapes
/// of some 10^8 elements, the worst, the lower decile and the median before and so: 2 bytes, permutations of rank 3 18, 26, 75; 58, 66, 82, of rank 4
/// 19, 24, 70; 46, 62, 79, transposes 31, 60, 80; 53, 66, 80, 1 byte 24, 36, 57; 28, 42, 59 (some with tiles before that were faster, see min_fill).
inline constexpr int min_box_rows_size = 4;
/// So where the elements of both sides are smaller, functors have tiles; of so many bytes where there are no boxes (H200, 2 bytes,
/// Accumulate, % of three streams, the worst and the median of such shapes in tiles and in boxes: 12, 22; 29, 36). Others have none: their kernels are compiled in
/// applications, and there are fewer of them. 16384^2 and 10001x15013 in boxes, % of a copy of 4.27 TB/s: scaled f32 92, 84; f32
/// to f64 89, 87; f32 to f16 88, 57; conjugate c64 92, 91.
constexpr bool functor_takes_tiles(int in_size, int out_size)
{
  return in_size < min_box_rows_size && out_size < min_box_rows_size;
}
inline constexpr int min_functor_box_size = 2;
/// Runs that both sides share and that are shorter than this go through a box where the orders differ, others are copied. H200, (1, 0, 2), in a
/// box and copied: 4 bytes, runs of 404, 644, 804, 1028 and 1604 bytes: 95.7, 92.5; 95.0, 95.1; 95.1, 95.1; 95.9, 96.2; 96.7, 97.0; (2, 1, 0, 3)
/// 96.0, 91.4; 95.6, 94.4; 95.3, 94.5; 96.4, 95.6; 96.8, 96.7; 8 bytes, 520, 808 and 1288: 96.0, 95.1; 96.0, 95.9; 95.9, 96.5; 16 bytes, 112, 128
/// and 160: 96.5, 90.0; 96.8, 97.3; 96.6, 96.1; 2 bytes, 194, 258 and 402: 84.3, 71.5; 86.4, 82.1; 79.2, 86.0; 1 byte, 193 and 257: 58.1, 40.2;
/// 57.5, 64.4.
constexpr int max_box_group_bytes(int size) { return size == 16 ? 128 : size >= 4 ? 1024 : size == 2 ? 320 : 224; }

/// Tiles for which there is a small shape: fewer per multiprocessor take that, and so do those whose share of elements of
/// the array is less than this of what small tiles have. H200, from memory, of a copy of the same bytes, small and large, where there are 4, 5, 6, 7, 9,
/// 10, 12 and 16 large ones: 115.4, 108.4; 103.4, 102.8; 103.0, 102.7; 102.9, 102.4; 102.6, 101.9; 101.6, 102.0; 99.9, 100.5; 98.9, 100.2. The share
/// is chosen: stacks of 320^2, 448^2, 704^2 and 960^2, where it is 0.83, 0.88, 0.92 and 0.94, make 92.5, 95.2; 92.3, 95.0; 94.5, 96.4; 92.9, 94.3
/// (H100: 1.0 to 1.2 more by large ones), but where it is less boxes have a part in the choice.
inline constexpr int min_large_tiles = 8;
/// Of 1 byte, small and large, where there are 2, 8, 31, 58 and 124 large ones (4096^2, 8448^2, 16384^2, 20000x24992, 32768^2): 93.8, 92.2; 94.3, 93.2;
/// 95.0, 96.0; 91.4, 92.7; 95.4, 97.6 (H200).
inline constexpr int min_large_byte_tiles = 16;
inline constexpr double min_large_fill = 0.95;

/// The share of a tile's elements that are elements of the array: less is left to boxes. Boxes by runs take more where tiles are unaligned.
/// 65x128x96x111 floats in tiles and in boxes: (0, 1, 3, 2), tiles full by 0.65: 71.5, 93.1; (1, 3, 0, 2): 68.5, 90.8. 4166666x48, 0.75:
/// 71.0, 86.1. Of 2 bytes in tiles full by 0.52 to 0.59 and in boxes: 135236x147 68, 55; 9x8753x8x141 (2, 0, 3, 1) 68, 59; 191x9x181x314
/// (1, 3, 2, 0) 69, 63; 640x830x150 out of a sub-view, columns first, 65, 60; below 0.5 is chosen.
inline constexpr double min_fill = 0.4, min_unaligned_fill = 0.8, min_narrow_fill = 0.5;
/// The same along the output alone, of tiles that do not have whole rows of it. H100, in tiles and in boxes, floats by unaligned ones,
/// 13x20x14x19x17x61 (0, 3, 5, 4, 1, 2), full by 0.875: 87.9, 94.5; 257x509x1023 (1, 2, 0), 0.80, 93.3, 95.0, and (0, 2, 1), 0.884: 98.3,
/// 96.6; by aligned ones 100x2000000, 0.78: 89.1, 94.9; 72x2777776, 0.75: 94.2, 96.2; 80x2500000, 0.83: 95.0, 96.0; 30000x100x100, 0.78:
/// 90.4, 98.8; 14x19x13x21x16x60 reversed in double, 0.44: 68.4, 89.9.
inline constexpr double min_output_fill = 0.88;
/// Elements of 16 bytes want both sides as full. And where blocks come to the next tile of a row of the input after more bytes than this, these rows
/// have so many tiles, and lie on units of memory. H200, in tiles and boxes, 33x63x51x57 and 40x50x70x44 (1, 3, 2, 0) 70.2, 83.3; 68.4,
/// 83.2; 65x31x96x35 (0, 1, 3, 2) 84.3, 87.2; 64x60x40x61 (3, 2, 1, 0), (1, 3, 2, 0), (0, 2, 3, 1): 74.2, 79.8; 90.5, 88.2; 96.0, 89.9; 32x64x48x64 (3, 0, 1, 2),
/// (3, 2, 1, 0) 81.2, 84.7; 77.1, 81.6; 70000x140 (36 MB) 81.4, 85.2; 100000x300 (51) 84.2, 89.4; 40001x2001 (20) 84.6, 90.5;
/// 30000x333 (15) 86.4, 85.7; 20001x4001 (10) 94.3, 88.8; 100000x800, on units, 95.1, 91.9.
inline constexpr std::int64_t max_bytes_to_late_rows = 16 << 20;
inline constexpr int min_tiles_of_late_rows = 8;

/// Tiles that begin anywhere, and boxes whose runs of the input are short, share lines of the input with their neighbours, which find them
/// in the cache if no more bytes than this were moved in between. Where more were, boxes take the place of tiles, boxes go along the
/// input first, and tiles of elements that have no boxes lie in bands. H100, before and so: 130815x1021 f32 69.6, 93.7, f64 80.3, 93.7;
/// 65535x4097 f32 77.1, 94.1, f64 80.0, 94.1; 65x128x96x111 (3, 0, 1, 2) in double 79.9, 94.1; 31x40x24x33x70 (4, 3, 0, 1, 2) 81.5, 91.7;
/// 13x20x14x19x17x61 (4, 0, 1, 5, 3, 2) 69.7, 91.7. With 8 MiB 31x40x24x33x70 (3, 4, 0, 1, 2) 88.6 for 92.3, with 12 33x41x23x31x71
/// (3, 4, 1, 2, 0) 82.4 for 88.1. Short rows that are copied have their neighbours next where these would come as late: 14x19x13x21x16x60
/// (4, 2, 1, 0, 3, 5) 70.2, 90.7.
inline constexpr std::int64_t max_bytes_to_neighbour = 6 << 20;
/// Where there are no boxes, tiles lie in bands from more bytes on. H200, 2 bytes, 25013x20001 (6.1 MiB) and 40001x12503 (9.8) without bands
/// and in them: 90.0, 84.1; 84.8, 82.2; 1 byte, 60001x17501 (11.0): 77.6, 83.4.
inline constexpr std::int64_t max_bytes_without_bands = 8 << 20;
/// Runs of 220 to 736 bytes gain up to 1.3 times by that, those of 880 to 904 lose 2 to 3%, longer ones up to 9.
inline constexpr int short_run_bytes = 768;
/// Tiles of a band. 2 bytes, 261631x1021 and 65535x8193, by 32, 64, 128 and 256 tiles: 90.8, 89.6, 87.0, 85.5 and 89.5, 90.3, 91.3, 91.7;
/// 1 byte, 523263x1021 and 131071x4097: 86.8, 84.3, 80.5, 73.3 and 85.8, 85.6, 85.1, 84.3; without bands 64.0, 74.0, 55.7, 56.8.
inline constexpr std::int64_t max_band_tiles = 32;

/// Runs that both sides share and that are shorter than this are not copied as rows. H200, into and out of sub-views, in boxes of elements and
/// copied: 4 bytes, runs of 32, 40 and 60: 36.8, 35.6 and 67.8, 76.9; 32.4, 36.9 and 64.6, 71.1; 33.4, 40.3 and 66.7, 77.6; 8 bytes, 32: 33.1, 35.8
/// and 68.3, 79.3; 16 bytes, 32: 26.5, 43.1 and 71.4, 80.0; 2 bytes, 60: 31.0, 28.0 and 40.4, 42.5; 1 byte, 60: 23.7, 17.2 and 25.0, 19.8.
constexpr int min_run_bytes(int size) { return size >= 4 ? 32 : 64; }
/// Those of two bytes that are shorter than this go through boxes by runs instead where they become runs of the output of so many bytes and
/// boxes need no table of columns. H200, out of sub-views, copied and so: 236x8603x39 37, 65; 43x63440x28 44, 58; with a table of 6160 columns
/// 12771x140x44 66, 32. Where they end is chosen.
constexpr int max_packed_run_bytes(int size) { return size == 2 ? 160 : 0; }
inline constexpr int min_packed_bytes = 1024;

} // namespace Keramos::cuda::transpose
