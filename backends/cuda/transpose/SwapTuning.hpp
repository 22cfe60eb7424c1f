// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of transposes in place, see Tuning.hpp.
#pragma once

#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// As in Tuning.hpp, tiles with what they reached; behind some, what loads and stores that are first to leave the caches reached.
template <int Size>
using VectorSwap =
    BySize<Size, TileShape<128, 128, 64, 16>, // 32768^2: 79.5; 70.5
           TileShape<64, 64, 64, 8>,          // 16384^2: 82.0; 72.8
           TileShape<64, 64, 256, 4>,         // 16384^2: 93.0; 92.3
           TileShape<64, 64, 512, 2, 2>,      // 8192^2, 10000^2, 10004^2: 91.2, 86.2, 83.9; 32x32: 91.7, 84.8, 76.6
           TileShape<32, 32, 256, 4>>;        // 8192^2: 90.8; 89.3
/// Those of which the L2 cache is told what until_written() says, as all unaligned ones, from so many bytes on; unaligned ones of 4 bytes from such an order on.
/// Without and so: f32 2047^2, 17 MB, 61.1, 60.3; 4001^2, 64 MB, 66.1, 67.4; f64 3001^2, 72 MB, 74.5, 76.0; stacks of 257^2 and 1021^2 f32 66.6, 62.1;
/// 80.3, 78.6; by vectors f32 3520^2, 50 MB, 103.0, 102.6; 4096^2 92.4, 95.1; 8192^2 91.7, 94.5; 16384^2 93.9, 95.3; stacks of 288^2, 1024^2 93.8, 97.7; 97.9, 99.9.
/// Not of 16 bytes (8192^2 92.0, 93.4; 5000^2 86.9, 86.4; 60 of 1024^2 97.8, 96.9), 2 (16384^2 83.2, 79.5) and 1 (32768^2 79.8, 76.5).
template <int Size>
inline constexpr bool is_kept_until_written = Size == 4 || Size == 8;
inline constexpr std::int64_t min_kept_bytes = 48 << 20, min_kept_order = 2048;
/// void: elements. Two blocks of a multiprocessor: more, or more bytes of one, are slower. H200, with the threads of before and now: f32 8191^2, 15013^2,
/// 1000 of 521^2 82.2, 83.4, 74.7 and 86.7, 84.6, 85.5 (64x64 by five blocks of 256 threads 80, 80.4; 96x96 by 256 and 1024 threads 83.0 and 84.6 where 512
/// made 84.4); f64 8191^2, 10003^2, 2000 of 257^2 86.1, 86.0, 80.2 (80x80 by 640 threads) and 87.0, 86.9, 88.7 (80x80 by 512 85.8, 85.5; 64x64 by three
/// blocks of 512 threads and of 256 82.8, 82.5 and 84.6, 84.9). 2 bytes, random orders, the worst, the lower decile and the median by elements and so: 34,
/// 39, 46; 54, 59, 70; other shapes were not tried.
template <int Size>
using UnalignedSwap = BySize<Size, void, TileShape<128, 128, 512, 0, 2>, TileShape<96, 96, 512, 0, 2>,
                             TileShape<64, 64, 512, 0, 2>, void>;
/// Where there are unaligned swaps, those by aligned vectors want rows that begin on so many bytes: f32 15012^2, on 16 bytes, 75.8 by
/// vectors and 80.4 unaligned; f64 10002^2 75.7 and 81.5; f32 15016^2, on 32 bytes, 81.7 and 82.4; 16384^2 94.4 and 82.9.
inline constexpr int vector_swap_bytes = 32;
/// Large ones, whose rows have so many bytes, want rows that lie on lines, too. H200, so much of the copy by vectors and unaligned: f32 5000^2, 8200^2, 12016^2,
/// 15016^2 80.9, 85.9; 81.4, 88.5; 83.4, 88.4; 81.7, 87.9; stacks of 264^2, 520^2, 2008^2 73.3, 83.9; 79.4, 86.5; 83.3, 91.5; f64 3004^2, 4004^2, 10004^2
/// 87.8, 90.3; 91.3, 93.0; 87.8, 88.7; stacks of 132^2, 260^2, 1004^2 73.4, 78.8; 83.1, 91.9; 94.3, 98.2. Not: f32 4008^2 (64 MB) 85.7, 83.4; stacks of
/// 200^2 71.8, 70.0; in the cache f32 2008^2 92.2, 80.4, f64 2004^2 123, 113; and on lines, f32 8224^2, 10016^2, 12064^2, 15008^2, 16 of 4064^2 90.9, 89.2; 87.9, 89.1;
/// 89.4, 88.7; 88.5, 88.7; 93.5, 92.5, where the array lies otherwise by 128 bytes 92.1, 90.2; 89.7, 88.7; 90.8, 90.0; 89.5, 89.6; 94.0, 92.5.
inline constexpr std::int64_t min_vector_swap_row_bytes = 1024, min_vector_swap_pitch_bytes = 64 << 20;
template <int Size>
using ElementSwap = BySize<Size, TileShape<64, 64, 256, 12>, TileShape<64, 64, 256, 12>,
                           TileShape<64, 64, 256, 12>, // 10001^2: 64; 32x32: 50
                           TileShape<32, 32, 256, 4>,  // 9001^2: 66
                           TileShape<32, 32, 256, 4>>;

/// Groups of 2^2 x 2^2 tiles, from so many tiles along a side on (chosen, not measured). What two tiles share of a line is then
/// written soon after one another. Tiles one by one, 2 x 2, 4 x 4, 8 x 8: elements, f64 10001^2: 65.3, 68.3, 75.8, 74.4; vectors,
/// f32 15016^2: 67.7 one by one, 81.7 by 4 x 4.
inline constexpr int swap_group = 2, min_grouped_tiles = 32;
/// Unaligned ones, whose reads bring 256 bytes, by the tiles along a side. H200, 2 x 2, 4 x 4, 8 x 8: f32 5001^2 86.5, 88.5, 88.3; 8191^2 84.9, 86.7, 85.6;
/// 11001^2 82.6, 82.8, 82.6; 12289^2 85.4, 83.8, 84.7; 15013^2 84.6, 83.7, 84.7; 20001^2 80.1, 80.5, 81.8; 28001^2 79.3, 81.9, 83.5; f64 4001^2 89.7, 91.8, 90.3;
/// 7001^2 88.1, 88.1, 87.3; 9001^2 86.9, 86.0, 86.7; 10001^2 84.4, 83.6, 83.8; 12289^2 86.5, 85.5, 86.1; 14001^2 85.6, 85.2, 86.0; 20001^2 81.8, 84.0, 85.0.
constexpr int unaligned_swap_group(std::int64_t tiles)
{
  if (tiles < 120) return 2;
  return tiles < 180 ? 1 : 3;
}

} // namespace Keramos::cuda::transpose
