// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a shape of the march with partial sums consists of. MarchTuning.hpp and MarchFunctorTuning.hpp have the numbers of each.
#pragma once

#include <Kokkos_Macros.hpp>

namespace Keramos::cuda::stencil {

/// How a block of the march with partial sums is built. A thread owns `rows` rows of one column or two.
struct MarchShape {
  int rows;
  int groups = 1;          ///< threads along the middle axis
  int columns = 1;         ///< of a thread, side by side; 2: MarchPairs.hpp, which has other producers
  int max_warps;           ///< along the fastest axis
  int blocks = 1;          ///< per multiprocessor, of as many warps: this bounds the registers
  int rate;                ///< Gpoint/s where tiles fit the grid
  int slow_rate = 0;       ///< the same where has_fast_memory() is not; 0: this one
  int ring = 3, ahead = 1; ///< planes in shared memory, and of these in flight
  int drift = 0;           ///< of blocks that keep together, see Lockstep.hpp; 0: each for itself
  int wide = 0;            ///< columns of a tile from which they do where has_fast_memory() is
  int slow_wide = 0;       ///< the same where it is not
  int min_row = 0;         ///< points of a row from which it is asked
  bool last_first = false; ///< the last row of tiles before the others
  int stages = 0; ///< planes on their way out by bulk copies, see MarchStores.hpp; 0: each thread stores its points
  /// Warps that only begin with planes, `ring` of them in flight; 0: all warps do, each with some rows. Beside `stages` another one
  /// sends these.
  int producers = 0;
  bool in_turn = false; ///< these begin with whole planes, in turn; else each with some rows of every plane
  /// That a tile may have beside those of `max_warps`: warps of their own sum them, a point a lane.
  int columns_beside = 0;
  /// That are interleaved in the input, of which one is meant: all come, and columns lie so far apart.
  int components = 1;
  bool keeps_centres =
      false; ///< until sums end: a functor wants them (MarchPairFunctor.hpp), by pairs or by single columns
  bool keeps_planes = false; ///< of single columns, those beside a block's own rows as well, in the ring as they come
  /// By pairs that keep centres: declared fields come to shared memory, so many planes of theirs and of the rows beside own ones, of tiles so
  /// many columns wide at most, see MarchPairFields.hpp; 0: they come from the L2, and tiles are as wide as warps are.
  int fields_ring = 0, fields_columns = 0;
  KOKKOS_FUNCTION constexpr int height() const { return rows * groups; }
  KOKKOS_FUNCTION constexpr bool has_pairs() const { return columns == 2; }
  /// Single columns whose planes come as those of pairs.
  KOKKOS_FUNCTION constexpr bool has_singles() const { return keeps_centres && columns == 1; }
  KOKKOS_FUNCTION constexpr bool has_row_copies() const { return has_pairs() || has_singles(); }
  KOKKOS_FUNCTION constexpr int warp_columns() const { return 32 * columns; }
  KOKKOS_FUNCTION constexpr bool stages_fields() const { return fields_ring > 0; }
  KOKKOS_FUNCTION constexpr int max_columns() const
  {
    return stages_fields() ? fields_columns : warp_columns() * max_warps + columns_beside;
  }
  /// Of a tile so many columns wide.
  KOKKOS_FUNCTION constexpr int warps_across(int width) const
  {
    const int warps = (width + warp_columns() - 1) / warp_columns();
    return warps < max_warps ? warps : max_warps;
  }
  /// Warps that begin with the same plane, 0: all of the block; and those that begin with planes in turn.
  KOKKOS_FUNCTION constexpr int beginning() const { return in_turn ? 1 : producers; }
  KOKKOS_FUNCTION constexpr int turns() const { return in_turn ? producers : 1; }
  KOKKOS_FUNCTION constexpr bool has_sender() const { return producers > 0 && stages > 0; }
  /// Warps that sum nothing, the first ones.
  KOKKOS_FUNCTION constexpr int helpers() const { return producers + (has_sender() ? 1 : 0); }
  /// Whether tiles of fewer warps than `max_warps` cost more than they do otherwise, see expected_rate().
  KOKKOS_FUNCTION constexpr bool suffers_narrow_tiles() const { return stages > 0 || (has_pairs() && groups > 2); }
  /// Columns of a warp of those beside, and how many such warps a tile so many columns wide has.
  KOKKOS_FUNCTION constexpr int warp_columns_beside() const { return 32 / height(); }
  KOKKOS_FUNCTION constexpr int warps_beside(int width) const
  {
    const int beside = width - warp_columns() * max_warps;
    return columns_beside == 0 || beside <= 0 ? 0 : (beside + warp_columns_beside() - 1) / warp_columns_beside();
  }
  /// Of a lane of the warp `beside` of these, which come behind `across` others; one that no tile has where the lane is one too many.
  KOKKOS_FUNCTION constexpr int column_beside(int across, int beside, int lane) const
  {
    const int column = lane / height();
    return column < warp_columns_beside() ? warp_columns() * across + beside * warp_columns_beside() + column
                                          : max_columns();
  }
  KOKKOS_FUNCTION constexpr int threads() const
  {
    return 32 * (max_warps * groups + helpers() + warps_beside(max_columns()));
  }
};

} // namespace Keramos::cuda::stencil
