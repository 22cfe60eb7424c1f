// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulations in tiles over joined axes of the output (TileJoined.hpp), which own whole lines of it: no other block reads or writes a part of
// what a tile adds to. A thread loads what the output holds, 16 bytes of each of its rows, while the rows of the input are on their way.
#pragma once

#include "TileJoined.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// Rows of the output of one thread, at the same 16 bytes behind the line in which each begins.
template <class Out>
struct JoinedSums {
  static constexpr int size = sizeof(Out), lead = line_bytes / size, width = 16 / size;
  static constexpr int warps = joined_sum_threads / 32, like = lead;           ///< rows so many apart begin alike
  static constexpr int turns = like / warps, rows = joined_sum_columns / like; ///< of a thread: rows that begin alike
  static_assert(like % warps == 0 && joined_sum_columns % like == 0 && joined_sum_rows == 32 * width);
  struct alignas(16) Elements {
    Word<size> element[width];
  };
  struct Part { ///< of a row: elements from a on
    Word<size>* row;
    int a;
  };

  Elements held[turns][rows];

  static __device__ __forceinline__ Part part(Word<size>* out, const std::int64_t& pitch, int first)
  {
    Word<size>* const row = out + first * pitch;
    const auto behind = static_cast<int>((reinterpret_cast<std::uintptr_t>(row + lead) & (line_bytes - 1)) / size);
    return {row, lead - behind + static_cast<int>(threadIdx.x % 32) * width};
  }
  static __device__ __forceinline__ int first_row(int turn)
  {
    return turn * warps + static_cast<int>(threadIdx.x) / 32;
  }
  static __device__ __forceinline__ bool is_whole(const RowRange& rows, int a)
  {
    return rows.contains(a) && rows.contains(a + width - 1);
  }

  __device__ __forceinline__ void load(Word<size>* out, const std::int64_t& pitch, const RowRange& own, int nb)
  {
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const Part at = part(out, pitch, first_row(turn));
#pragma unroll
      for (int n = 0; n < rows; ++n) {
        if (first_row(turn) + n * like >= nb) continue;
        const Word<size>* const from = at.row + n * like * pitch + at.a;
        if (is_whole(own, at.a)) {
          held[turn][n] = __builtin_bit_cast(Elements, load_vector(from));
        } else {
#pragma unroll
          for (int e = 0; e < width; ++e)
            if (own.contains(at.a + e)) held[turn][n].element[e] = from[e];
        }
      }
    }
  }

  template <class In, class F>
  __device__ __forceinline__ void store(Word<size>* out, const std::int64_t& pitch, const RowRange& own, int nb,
                                        const JoinedTile<sizeof(In)>& tile, const F& f)
  {
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      const Part at = part(out, pitch, first_row(turn));
      const Word<sizeof(In)>* from[width];
#pragma unroll
      for (int e = 0; e < width; ++e)
        if (own.contains(at.a + e)) from[e] = tile.element(at.a + e, first_row(turn));
#pragma unroll
      for (int n = 0; n < rows; ++n) {
        if (first_row(turn) + n * like >= nb) continue;
        Elements& sum = held[turn][n];
#pragma unroll
        for (int e = 0; e < width; ++e)
          if (own.contains(at.a + e)) sum.element[e] = result_of<In, Out>(f, from[e][n * like], sum.element[e]);
        Word<size>* const to = at.row + n * like * pitch + at.a;
        if (is_whole(own, at.a)) {
          store_vector_through(to, __builtin_bit_cast(Vector, sum));
        } else { // the ends of the joined axes
#pragma unroll
          for (int e = 0; e < width; ++e)
            if (own.contains(at.a + e)) to[e] = sum.element[e];
        }
      }
    }
  }
};

/// The input is contiguous along b, the output along the joined axes.
template <class In, class Out, class F>
__global__ void __launch_bounds__(joined_sum_threads, joined_sum_blocks)
    tile_joined_sum_kernel(const In* in_data, Out* out_data, const __grid_constant__ JoinedTileJob job,
                           const __grid_constant__ F f)
{
  constexpr int size = sizeof(In), lead = line_bytes / sizeof(Out);
  extern __shared__ __align__(32) unsigned char joined_sum_memory[];
  const JoinedTile<size> tile{reinterpret_cast<Word<size>*>(joined_sum_memory),
                              reinterpret_cast<const Word<size>**>(joined_sum_memory + job.first_row), job.pitch};
  const JoinedPosition position = position_of(job);
  const auto* const data = reinterpret_cast<const Word<size>*>(in_data);
  const RowRange rows{position.a == 0 ? lead : 0, position.na + lead};
  find_rows<size>(job, data + position.batch.in + position.b, position.a - lead, rows, tile);
  __syncthreads();
  read_joined<size>(rows, position.nb, job.vectors, {data + job.in_begin, data + job.in_end}, tile);
  auto* const out =
      reinterpret_cast<Word<size>*>(out_data) + position.batch.out + position.b * job.out_b + position.a - lead;
  JoinedSums<Out> sums;
  sums.load(out, job.out_b, rows, position.nb);
  wait_for_copies<0>();
  __syncthreads();
  sums.template store<In>(out, job.out_b, rows, position.nb, tile, f);
}

} // namespace Keramos::cuda::transpose
