// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of columns (MarchPairs.hpp), in double single ones, with an application's functor behind a star. When a sum ends, its centre lies
// Radius planes behind the one that has come: so long a plane's own rows stay, in a ring of their own; those beside them leave when they
// are read, but in double before functors of indices, where whole planes stay. What a plane begins is summed with the next one, out of the
// own rows that stay, so that a functor finds as many registers. So does the wave update. In double plain stars go this way as well, behind
// which a value is only stored (MarchInstances.hpp).
#pragma once

#include "MarchPairFields.hpp"
#include "MarchPairs.hpp"

namespace Keramos::cuda::stencil {

/// Where a thread's rows of a plane lie, see PairRows: its own, those below and above, and its own of the plane before. Those beside the
/// block's lie elsewhere, unless planes stay whole.
template <class T, int Radius, class Shape>
struct KeptPairRows : PairLoads<KeptPairRows<T, Radius, Shape>> {
  using Tile = PairTile<T, Radius, Shape>;
  static constexpr int alike = PairLayout<T>::alike, bytes = sizeof(T), row_bytes = Tile::layout.row_bytes();
  static constexpr int rows = Shape::value.rows, height = Shape::value.height();
  static constexpr bool is_whole = Tile::layout.kept == 0; ///< rows beside its own stay as well
  static constexpr bool is_low =
      !is_whole && rows < Radius; ///< rows on a side are some another's own ones, some nobody's

  /// What is beside is found from first_row. By constants the wave update in float was 1% slower (docs/tuning/stencil-march-functors.md).
  static constexpr bool is_far = is_low || Shape::value.stages_fields();

  SharedAddress own[alike], below[alike], above[alike]; ///< of rows r, r + alike, ... as row 0
  SharedAddress own_before[alike];
  int first_row; ///< of a low one

  /// `first`: the thread's column in the first row of shared memory; `behind`: how far behind a boundary its row 0 begins.
  __device__ KeptPairRows(SharedAddress first, int the_first_row, int step, unsigned behind,
                          const EdgeAxis<T> (&axis)[3])
      : first_row(the_first_row)
  {
    const auto row_step = static_cast<unsigned>(axis[1].stride), plane_step = static_cast<unsigned>(axis[2].stride);
    const SharedAddress beside_at = first + Tile::beside_offset(step), own_at = row_0(first, first_row, step),
                        before_at = row_0(first, first_row, max(step - 1, 0));
    // By constants where they are known: what follows from first_row takes a register, for which others were spilled.
    const SharedAddress below_own = beside_at + (Radius + (is_far ? first_row : 0)) * row_bytes,
                        above_own = below_own - (is_far ? height : rows) * row_bytes;
    const SharedAddress below_at = !is_whole && (is_low || first_row == 0) ? below_own : own_at;
    const SharedAddress above_at = !is_whole && (is_low || first_row + rows == height) ? above_own : own_at;
#pragma unroll
    for (int k = 0; k < alike; ++k) {
      const unsigned shift = shift_of(behind, k, row_step);
      own[k] = own_at + shift, below[k] = below_at + shift, above[k] = above_at + shift;
      own_before[k] = before_at + shift_of(behind - plane_step, k, row_step);
    }
  }

  __device__ SharedAddress operator()(int row, int column) const
  {
    const int k = (row + alike * Radius) % alike;
    if constexpr (is_low) {
      const int at = first_row + row;
      return (at < 0 ? below[k] : at < height ? own[k] : above[k]) + row * row_bytes + column * bytes;
    }
    return (row < 0 ? below[k] : row < rows ? own[k] : above[k]) + row * row_bytes + column * bytes;
  }
  __device__ SharedAddress before(int row, int column) const
  {
    return own_before[row % alike] + row * row_bytes + column * bytes;
  }

  /// The thread's row 0 of a plane, if that begins on a boundary.
  __device__ static SharedAddress row_0(SharedAddress first, int first_row, int step)
  {
    return first + Tile::own_offset(step) + first_row * row_bytes;
  }
  __device__ static unsigned shift_of(unsigned behind, int row, unsigned row_step)
  {
    return (behind + row * row_step) % alike * bytes;
  }
};

/// Of a thread. Columns that a tile stores without their pair would be evaluated after the others of their warp, which then waits twice. So where there
/// is room, the last warp takes them, and its own columns, one a lane.
struct PairColumn {
  int column;
  bool has_singles = false, is_single = false; ///< the block has such a warp; this is it
  bool is_second = false;                      ///< of its two columns such a lane stores this one

  __device__ explicit PairColumn(int the_column) : column(the_column) {}
  template <class Tile>
  __device__ PairColumn(const Tile& tile, int warp, int across) : column(2 * (warp * 32 + threadIdx.x % 32))
  {
    const int columns = tile.a.columns, lane = threadIdx.x % 32, skipped = static_cast<int>(tile.stored_x - tile.x),
              begin = min(64 * (across - 1), columns / 2 * 2), own = columns - begin;
    has_singles = own < 32;
    is_single = has_singles && warp == across - 1;
    if (!is_single) return;
    int single = begin + lane < columns ? begin + lane : columns / 2 * 2 + 2; // nobody's
    if (lane == own && skipped % 2 != 0) single = skipped; // of another warp: fewer are skipped than a row has tiles
    is_second = single % 2 != 0;
    column = single - is_second;
  }
};

/// The points of a thread, of which it finishes a plane after the other; a functor that returns nothing stores by itself.
template <class T, int Rows, int Columns, class Epilogue, class Operands>
struct PairFinish : PairOutput<T, Rows, Columns, Operands::shifts_pairs> {
  using Output = PairOutput<T, Rows, Columns, Operands::shifts_pairs>;
  using Output::first_stored;

  const OrderedEpilogue<core::usual_order<Epilogue>(), Epilogue> epilogue;
  std::int64_t x, y, z;
  Operands operands;

  template <class Tile>
  __device__ PairFinish(const Tile& tile, const PairColumn& of, int first_row, const Epilogue& the_epilogue)
      : Output(tile, of.column, first_row), epilogue{the_epilogue}, x(tile.x + of.column), y(tile.y + first_row),
        z(tile.first), operands(tile, the_epilogue, x, y, z)
  {
    if constexpr (Columns == 2) {
      const bool hands_over = of.has_singles && !of.is_single && (first_stored[0] < Rows) != (first_stored[1] < Rows);
      const int left = of.is_single ? of.is_second ? 1 : 2 : hands_over ? 3 : 0; // to others, a bit a column
      if (left & 1) first_stored[0] = Rows;
      if (left & 2) first_stored[1] = Rows;
    }
  }

  /// `centre_at(row)`: the first of its centres.
  template <class CentreAt>
  __device__ void finish(const T (&sum)[Rows][Columns], const CentreAt& centre_at)
  {
    T value[Rows][Columns];
#pragma unroll
    for (int r = 0; r < Rows; ++r)
#pragma unroll
      for (int i = 0; i < Columns; ++i) value[r][i] = sum[r][i];
    finish_from<0>(value, centre_at);
    operands.leave();
    if constexpr (core::returns_value<Epilogue, T>) Output::store(value); // after all is read: no load passes a store
    ++z;
    operands.next_plane();
  }

private:
  /// All points together that are stored: between two of them the first one's loads would be waited for.
  template <int Begin, class CentreAt>
  __device__ void finish_from(T (&value)[Rows][Columns], const CentreAt& centre_at) const
  {
    const bool first = first_stored[0] == Begin, second = first_stored[Columns - 1] == Begin;
    if (first && second)
      finish_rows<Begin>(value, centre_at);
    else if (Columns == 2 && (first || second))
      finish_column<Begin>(value, centre_at, second);
    else if constexpr (Begin + 1 < Rows)
      finish_from<Begin + 1>(value, centre_at);
  }

  template <int Begin, class CentreAt>
  __device__ void finish_rows(T (&value)[Rows][Columns], const CentreAt& centre_at) const
  {
#pragma unroll
    for (int r = Begin; r < Rows; ++r) {
      const T* const at = centre_at(r);
      T centre[Columns];
#pragma unroll
      for (int i = 0; i < Columns; ++i) centre[i] = at[i];
      const auto points = operands.all_at(r);
      finish_points(
          epilogue, value[r], centre, [&](int i) { return points[i]; }, x, 1, y + r, z, all_points<Columns>);
    }
  }

  template <int Begin, class CentreAt>
  __device__ void finish_column(T (&value)[Rows][Columns], const CentreAt& centre_at, bool second) const
  {
#pragma unroll
    for (int r = Begin; r < Rows; ++r) {
      T one[1] = {second ? value[r][Columns - 1] : value[r][0]};
      const T centre[1] = {centre_at(r)[second]};
      finish_points(
          epilogue, one, centre, [&](int) { return operands.at(r, second); }, x + second, 1, y + r, z, 1u);
      value[r][0] = second ? value[r][0] : one[0];
      value[r][Columns - 1] = second ? one[0] : value[r][Columns - 1];
    }
  }
};

/// A plane of the block if it is `within`, else one above or below it.
template <class Sums, class Rows>
__device__ void add_pair_plane(Sums& sums, const Rows& plane, bool within, bool alternate, bool is_odd)
{
  if constexpr (Sums::columns == 1) {
    if (within)
      sums.template add<true, false>(plane, false);
    else
      sums.template add<false, false>(plane, false);
  } else if (within && alternate) {
    sums.template add<true, true>(plane, is_odd);
  } else if (within) {
    sums.template add<true, false>(plane, is_odd);
  } else if (alternate) {
    sums.template add<false, true>(plane, is_odd);
  } else {
    sums.template add<false, false>(plane, is_odd);
  }
}

/// All planes of a block, by a thread that sums. Operands: PairOperands or PairFields.
template <class Sums, class Operands, class Tile, class Epilogue>
__device__ void finish_planes(const Tile& tile, const typename Sums::Weights& weights, const PairColumn& of,
                              int first_row, const unsigned char* shared, const Epilogue& epilogue)
{
  using T = typename Tile::Element;
  constexpr int radius = Sums::radius, bytes = sizeof(T);
  using Rows = KeptPairRows<T, radius, typename Sums::Shape>;
  // Where registers are scarce, centres are found from where shared memory begins, which each plane has to ask for; sooner, from the thread's column,
  // they cost words that are spilled. An H200, Gpoint/s, 509x511x513, the one way and the other, a View, a coefficient, a declared field: double, radius
  // 4, 136, 119; 188, 183; 159, 148; float 280, 282; 368, 375; 319, 327, radius 3 291, 295; 385, 396; 331, 335.
  constexpr bool is_scarce = radius == 4 && (bytes == 8 || Operands::count > 2);
  const auto& axis = tile.a.axis;
  const auto row_step = static_cast<unsigned>(axis[1].stride), plane_step = static_cast<unsigned>(axis[2].stride);
  const SharedAddress first = base_address(tile.shared + (radius + of.column) * bytes);
  unsigned behind = elements_behind(tile.operands_of(radius + first_row));
  PairFinish<T, Sums::rows, Sums::columns, Epilogue, Operands> output(tile, of, first_row, epilogue);
  Sums sums(weights);
  for (int step = 0; step < tile.planes; ++step, behind += plane_step) {
    const PairSlot<Tile> at(step);
    wait_for_phase(at.of(tile.ready), at.parity);
    const bool within = step >= radius && step < tile.planes - radius;
    if (within) tile.wait_for_rows_beside(step);
    add_pair_plane(sums, Rows(first, first_row, step, behind, axis), within, row_step % 2 != 0,
                   (behind + radius) % 2 != 0);
    if (step >= 2 * radius) {
      const unsigned behind_centre = behind - radius * plane_step;
      const SharedAddress centre = Rows::row_0(first, first_row, step - radius) - (is_scarce ? tile.shared : 0);
      output.operands.enter(tile, step - 2 * radius);
      output.finish(sums.sum[0], [&](int r) {
        const unsigned at_row = centre + r * Rows::row_bytes + Rows::shift_of(behind_centre, r, row_step);
        if constexpr (is_scarce) return reinterpret_cast<const T*>(shared + at_row);
        return static_cast<const T*>(__cvta_shared_to_generic(at_row));
      });
    }
    if constexpr (Tile::is_left_early) {
      if (step < 2 * radius) arrive(at.of(tile.empty));
    } else if constexpr (!Rows::is_whole)
      arrive(at.of(tile.empty));
    else if (step >= radius)
      arrive(PairSlot<Tile>(step - radius).of(tile.empty));
  }
}

/// The same by its warp among those that sum, where columns go by themselves: those beside have warps, a point a lane.
template <class Sums, class Tile, class Epilogue>
__device__ void finish_single_columns(const Tile& tile, const typename Sums::Weights& weights, int warp, int across,
                                      const unsigned char* shared, const Epilogue& epilogue)
{
  using Beside = ShapeBeside<typename Sums::Shape>;
  using Operands = PairOperands<typename Tile::Element, 1, Epilogue>;
  constexpr MarchShape shape = Sums::shape;
  const int lane = threadIdx.x % 32, beside = warp - across * shape.groups;
  if (beside >= 0)
    finish_planes<typename Sums::template Of<Beside>, Operands>(
        tile, weights, PairColumn(shape.column_beside(across, beside, lane)), lane % shape.height(), shared, epilogue);
  else
    finish_planes<Sums, Operands>(tile, weights, PairColumn(warp % across * 32 + lane), warp / across * Sums::rows,
                                  shared, epilogue);
}

/// One thread of a block.
template <class T, class Sums, class Epilogue>
__device__ void march_by_pairs(const MarchArguments<T>& arguments, const StarWeights<T>& weights,
                               const unsigned char* shared, const Epilogue& epilogue)
{
  using Shape = typename Sums::Shape;
  if constexpr (Shape::value.stages_fields()) {
    using Tile = PairFieldsTile<T, Sums::radius, Shape, Epilogue::operands>;
    march_with_fields<Tile, Shape>(arguments, shared, epilogue, [&](const Tile& tile, int warp, int across) {
      finish_planes<Sums, PairFields<Tile, Epilogue>>(tile, weights, PairColumn(tile, warp % across, across),
                                                      warp / across * Sums::rows, shared, epilogue);
    });
  } else {
    using Tile = PairTile<T, Sums::radius, Shape>;
    using Operands = PairOperands<T, Sums::columns, Epilogue>;
    const PairOperandRows<T, Epilogue, Shape::value.height()> rows{epilogue};
    march_by_pairs<Tile, Shape>(arguments, shared, rows, [&](const Tile& tile, int warp, int across) {
      if constexpr (Sums::columns == 1)
        finish_single_columns<Sums>(tile, weights, warp, across, shared, epilogue);
      else
        finish_planes<Sums, Operands>(tile, weights, PairColumn(tile, warp % across, across),
                                      warp / across * Sums::rows, shared, epilogue);
    });
  }
}

} // namespace Keramos::cuda::stencil
