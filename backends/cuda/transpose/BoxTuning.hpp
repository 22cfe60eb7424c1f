// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of boxes: how large they are, and how blocks take them. Tuning.hpp says which calls do.
#pragma once

#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// By elements: threads, and loads of each in flight.
inline constexpr int box_threads = 256;
template <int Size>
inline constexpr int box_in_flight = Size == 16 ? 4 : 8;
/// Boxes: bytes of shared memory, without gaps; bytes of a box on either side, before it grows elsewhere.
inline constexpr int box_bytes = 16 << 10;
constexpr int box_side_bytes(int size) { return size <= 2 ? 128 : 256; }

/// Boxes by runs: the bytes of a run to begin with, on either side. f32, boxes of 24, 36 and 48 KiB: 10000000x33: 89.4, 90.3, 90.3;
/// 31x40x24x33x70 reversed: 51.9, 74.5, 60.7; a stack of 100x100: 87.3, 87.1, 93.6; 65x128x96x111 (1, 3, 0, 2): 72.7, 73.3, 89.8.
inline constexpr int box_run_bytes[] = {240, 360, 480, 720, 960, 1440, 1920};
/// The bytes of a box without gaps that longer runs shall not exceed; more, where pieces of runs then end with a vector, and where
/// that makes runs longer by so much; and a block's shared memory at most. 48 and 62 KiB where they are longer: 65x128x96x111
/// (3, 2, 1, 0), f32 63.9, 77.2, f64 78.8, 83.6; (1, 3, 2, 0) 81.4, 84.5; with 1.3 for 1.5: 14x19x13x21x16x60 reversed 69.6 for 74.9.
/// Where blocks are given, a multiprocessor shall hold so many of them, of so many threads where they share sectors, else as many as
/// `uncut_blocks`, of 256: f32 to f16 16384^2 by 256 and 320 threads 98.1, 92.0.
/// Boxes that cut runs share the sectors at the ends, if they are `own_per_shared` times longer than what that adds.
struct BoxRowsBytes {
  int box, whole_vectors, longer_runs, shared;
  int blocks = 0, threads = 0, uncut_blocks = blocks;
  int own_per_shared = 12;
};
inline constexpr BoxRowsBytes box_rows_bytes{36 << 10, 48 << 10, 62 << 10, 112 << 10, 0, 0, 0, 5};
/// Then there are boxes of so many bytes whose runs of the input have so many: of all, that is taken which costs least beside the bytes
/// that it moves, as a part of their time. Runs cost sectors: of the output where two boxes write those at their ends, where one does, and
/// where boxes share elements; of the input; then there are the shared elements, as a part of their own; few boxes of a multiprocessor; and
/// tables of columns; and many rows of the output out of a single run of the input. H200, fitted to 29000 boxes of 2100 permutations: what it takes of those is 0.7 points behind the best, and so much
/// were costs without the last two, 3 and 0.15 for the first and the shared, 4 points.
struct BoxCosts {
  double split_run, whole_run, shared_run, input_run, shared, single_block, table, column, rows_of_run = 0;
};
inline constexpr BoxCosts box_costs{1.4, 0.1, 0.07, 0.42, 0.75, 0.16, 0.06, 1.1};
inline constexpr int costed_box_bytes[] = {28 << 10, 40 << 10, 56 << 10, 88 << 10},
                     costed_run_bytes[] = {160, 208, 256, 320, 400, 512, 640, 800};
/// Of accumulations over more than two axes, which hold as much again (with fewer bytes in all they stay behind). H200, fitted to 2100 boxes of 42
/// permutations. What they had before and so, f32: 65x128x96x111 (3, 1, 0, 2), (1, 0, 3, 2), (3, 0, 2, 1), (2, 3, 1, 0), (3, 2, 1, 0): 87.3, 92.0;
/// 91.7, 96.5; 89.1, 93.9; 78.9, 81.9; 83.9, 82.6; 66x127x97x113 the same: 67.8, 84.2; 72.8, 95.9; 78.6, 82.7; 66.0, 91.2; 83.2, 82.3;
/// 31x40x24x33x70 and 14x19x13x21x16x60 reversed 72.6, 81.6; 70.3, 80.0; f64 66x63x97x113 (0, 3, 2, 1), (3, 2, 1, 0): 87.0, 97.2; 92.2, 86.1.
/// The last cost came later: (3, 1, 0, 2), (1, 3, 0, 2) without it and so: 68x129x95x110 77.3, 87.3; 78.6, 88.9; 63x128x95x104 71.9, 85.2; 79.3, 88.3;
/// 67x130x90x116 79.3, 87.1; 81.7, 89.9; 65x128x96x111 91.2, 90.9; 93.9, 94.9.
inline constexpr BoxCosts held_box_costs{0.6, 0.65, 0.4, 0.5, 0.1, 0.2, 0, 0.15, 0.04};
inline constexpr int costed_held_bytes[] = {20 << 10, 24 << 10, 28 << 10, 36 << 10, 44 << 10},
                     min_costed_held_bytes = 38 << 10;
/// Those over two axes have them where boxes lie behind the ends of the array by more than this part of it, as two or three to a row do. H200, f32 257x400000
/// and 260x390000, by their own boxes and so: 85.1, 95.2; 88.1, 96.5; 257x514x1025 and 259x510x1021 (1, 2, 0) 79.3, 89.3; 80.0, 88.1; f64 100x500000 87.2, 96.5.
/// From 0.08 to 0.21 gains of up to 3.9 stand beside losses of up to 5.7: f32 300x340000, 200000x500 98.0, 95.1; 93.9, 91.1; f64 200000x257 96.4, 90.7.
inline constexpr double max_empty_held_part = 0.25;
/// From so many bytes of shared memory on they have as many threads as boxes that share sectors: 384 for 256 are 0.8, 1.3, 3.6 and 6.0 more where
/// boxes have 56, 64, 72 and 80 KB, but 2.5 and 4.1 less where they have 48 and 40.
inline constexpr int large_held_bytes = 56 << 10;
/// Copies by a functor, in one run, have boxes of so many bytes. 10001x15013 scaled f32, f64 and f32 to f64, by the boxes of others and so: 96.5,
/// 98.6; 96.4, 98.4; 93.3, 96.0. Not those that make elements narrow: f32 to f16 101.1, 84.
inline constexpr int computed_run_bytes = 8 << 10;
inline constexpr double min_longer_runs = 1.5;
/// The same for whole rows of the input. 65x128x96x111 (3, 1, 2, 0), (3, 2, 1, 0) in double, boxes of 65x56 and 65x111: 78.0, 80.4;
/// 78.7, 80.9.
inline constexpr double min_longer_whole_runs = 1.3;
/// Accumulations keep what the output holds in shared memory as well. B += A^T, 16384^2 and 10001x15013, % of three streams, 20,
/// 24, 28 and 32 KiB: f32 91.1, 96.9, 96.0, 93.4 and 84.0, 85.2, 87.3, 70.4; f64 92.2, 97.7, 96.0, 97.3 and 85.3, 86.2, 95.1, 94.6.
/// What boxes share added, they have whole sectors: f32 10001x15013, 89, 105, 110, 111, 113, 120, 121, 122 and 123 by 60:
/// 92.0, 90.3, 88.4, 90.3, 91.8, 87.6, 93.2, 87.6, 70.8 (two blocks); 113 and 121 by 384 threads: 93.4, 94.0; 8191x8193, 9001x9011,
/// 15013x10001, 110 or 112 and 113: 86.7, 90.1; 86.8, 89.7; 86.2, 91.2. (With loads in registers, f32 87 and 73, f64 73 and 70.)
inline constexpr BoxRowsBytes held_box_rows_bytes{30 << 10, 36 << 10, 36 << 10, 96 << 10, 3, 384};
/// Where functors narrow elements, as f32 to f16: as much as three blocks of a multiprocessor hold, so that runs of the output are long
/// enough to share their sectors. 10001x15013, boxes of 152x60 that share none, and of 193x60, 205x60, 209x60, 211x60, 217x60 and 225x60
/// that do: 77.4, 79.1, 80.3, 81.2, 83.1, 84.2, 69.7 (two blocks); 209x60 by 192, 256, 320, 384 and 512 threads: 76.0, 81.2, 83.5, 82.6,
/// 68.5. Whole sectors together make no difference here. Four blocks where no sectors are shared: 3x100000000 in boxes of 3x4768, of
/// which there are three, 3x4736, 3x4096, 3x3072 and 3x2048: 97.7, 100.6, 100.3, 100.4, 90.0.
inline constexpr BoxRowsBytes narrowing_box_rows_bytes{56 << 10, 56 << 10, 62 << 10, 80 << 10, 3, 320, 4};
/// What CUDA takes of each block's shared memory for itself; by how much boxes become smaller until the blocks fit (chosen).
inline constexpr int reserved_shared_bytes = 1 << 10, box_bytes_step = 1 << 10;
/// Threads take the vectors of a run from the sector in which it begins, not from its line of 128 bytes, if they are so many times
/// fewer. Lines alone and so: 65x128x96x111 (1, 3, 2, 0): 69.4, 81.2; 14x19x13x21x16x60 reversed: 67.8, 75.0; 10001x15013, f32 to
/// f16: 68.2, 75.3; with 1.3: 5999x8003x3 (1, 0, 2): 84.4 for 89.5.
inline constexpr double min_fewer_vectors = 1.1;
/// Boxes for each multiprocessor, before they become smaller (chosen, not measured).
inline constexpr int min_boxes = 4;
/// Blocks walk so many boxes along the input first, and more where these would come late (max_bytes_to_neighbour). f32, 65x128x96x111 with
/// 1, 16 and 256: (3, 0, 2, 1): 77.6, 83.5, 83.1; (1, 3, 0, 2): 91.2, 90.8, 84.4.
inline constexpr int max_neighbours = 16;
/// Boxes take whole lines of the input's fast axis where they divide it in so many pieces or more, else sectors (chosen, not
/// measured). Accumulations have boxes of lines that are full, however few they are: 256x512x1024 f32 (2, 1, 0), (1, 2, 0), (0, 2, 1), (2, 0, 1)
/// 84.5, 92.9; 90.5, 100.8; 101.7, 103.0; 95.0, 97.1; 256x512x512 f64 (2, 1, 0) 88.2, 91.9.
inline constexpr int min_pieces_of_lines = 8;
/// Threads of a block, by its shared memory: as few as let a multiprocessor fill all that it has, for what is on its way there decides, and
/// what a block does before its first load is done by each warp. H200, 1500 boxes by several numbers each: so much of the copy less than
/// the best of them made, mean and worst, 12 to 16 KiB by 128 and 256: 0 and 1, 20 and 27; 20 to 24 KiB: 1 and 3, 2 and 16; 28 to 32 by 128,
/// 256 and 512: 2 and 5, 0 and 1, 16 and 25; 44 to 48 by 256 and 512: 0.5 and 2, 4 and 17; 52 to 56: 2 and 5, 0 and 2. Boxes that are a single
/// run of the input gain 1.6 from 40 KiB on by 512, 0.4 at worst lost. The bytes are those of the output where a functor makes more of them: f32
/// to f64, 16384^2, 8191x8193, 3x50000000, 65x128x96x111 (0, 2, 1, 3) by 128 (256) threads and by twice as many: 91.8, 94.0; 89.8, 92.4; 93.0, 94.7;
/// 90.9, 93.4; 50000000x3 94.0, 93.7.
constexpr unsigned box_rows_threads(std::int64_t shared_bytes, const BoxRowsBytes& limits, bool shares_sectors,
                                    bool single_run)
{
  if (limits.blocks > 0 && shared_bytes >= 22 << 10) return shares_sectors ? limits.threads : 256;
  if (shared_bytes >= (single_run ? 40 << 10 : 51 << 10)) return 512;
  return shared_bytes >= 22 << 10 ? 256 : shared_bytes >= 10 << 10 ? 128 : 64;
}
/// Where all rows of both sides begin at one place among 256 bytes, the unit in which memory is read and written, boxes have so many
/// whole units of an output's row and one of an input's. 16384^2 128 bytes behind such a place, former boxes, and of these one by one and
/// two by one: scaled f32 92.6, 92.0, 94.7; doubles 90.1, -, 94.0; f32 to f64 89.8, -, 93.2; f32 to f16 92.0, 99.6, 98.2; Accumulate
/// f32 96.4, 100.1, 99.7, f64 -, -, 97.5. Without peels scaled f32 90.0; f32 to f16 by 320 threads 91.1. Elements of 16 bytes were not
/// measured.
inline constexpr int memory_unit_bytes = 256, max_box_of_lines_size = 8;
constexpr int units_of_output(bool narrow) { return narrow ? 1 : 2; }
/// Bytes of the shortest runs (chosen, not measured), and where the array has no longer ones, as sub-views with short rows do not. H200, sub-views of random
/// shapes whose rows become columns, the worst, the lower decile and the median in boxes by elements and so: f32 37, 76, 82; 71, 78, 82; 2 bytes 19, 25, 69;
/// 36, 54, 72.
inline constexpr int min_box_run_bytes = 128, min_short_run_bytes = 32;

} // namespace Keramos::cuda::transpose
