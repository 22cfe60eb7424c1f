// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars and boxes (MarchBoxPairs.hpp) in float by partial sums, see MarchKernel.hpp, by threads that own rows of two neighbouring columns,
// and stars in double before a functor (MarchPairFunctor.hpp) by those that own one:
// what they read of a row of a plane are 8-byte accesses, half as many. Whether a thread's pair lies on 8 bytes alternates with the rows
// where their pitch is odd, so that there is code for each alignment of even and of odd rows. Planes come by MarchPairCopies.hpp.
//
// Sums fill the registers: whatever is the same for a warp is found by way of one lane's value, so that it stands in uniform registers, and
// loads and their order are those that are written here. A word that is spilled costs every plane an access.
#pragma once

#include "MarchPairCopies.hpp"
#include "MarchPairStores.hpp"

namespace Keramos::cuda::stencil {

/// What is read of rows that lie where `Rows` says.
template <class Rows>
struct PairLoads {
  /// Columns First to Last of a row, each by itself.
  template <int First, int Last, int Below, int Columns>
  __device__ void load(double (&to)[Columns], int row, bool) const
  {
#pragma unroll
    for (int k = First; k <= Last; ++k) load_shared(to[k + Below], static_cast<const Rows&>(*this)(row, k));
  }
  /// Columns First to Last of a row, by 8 bytes, and so perhaps one more on either side; a pair alone that does not lie on 8 bytes by four.
  /// Column 0 goes to `to[Below]`.
  template <int First, int Last, int Below, int Columns>
  __device__ void load(float (&to)[Columns], int row, bool is_odd) const
  {
    const auto& rows = static_cast<const Rows&>(*this);
    if (Last - First == 1 && is_odd) {
#pragma unroll
      for (int k = First; k <= Last; ++k) load_shared(to[k + Below], rows(row, k));
      return;
    }
#pragma unroll
    for (int k = is_odd ? 1 - Below : -Below; k <= Last; k += 2) {
      if (k + 1 < First) continue;
      float two[2];
      load_shared(two, rows(row, k));
      to[k + Below] = two[0];
      to[k + 1 + Below] = two[1];
    }
  }
};

/// Where a thread's rows of a plane lie, those beside its own included.
template <class T, int Radius>
struct PairRows : PairLoads<PairRows<T, Radius>> {
  static constexpr int alike = PairLayout<T>::alike, bytes = sizeof(T);

  int row_bytes;
  SharedAddress begin[alike]; ///< of rows r, r + alike, ... as row 0

  /// `at`: the first column in row 0, `behind` how far behind a boundary that row begins.
  __device__ PairRows(SharedAddress at, unsigned behind, unsigned row_step, int the_row_bytes)
      : row_bytes(the_row_bytes)
  {
#pragma unroll
    for (int k = 0; k < alike; ++k) begin[k] = at + (behind + k * row_step) % alike * bytes;
  }
  __device__ SharedAddress operator()(int row, int column) const
  {
    return begin[(row + alike * Radius) % alike] + row * row_bytes + column * bytes;
  }
};

/// By name, and so one instruction whatever the compiler may fuse.
__device__ inline float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }

/// A star's sums of a thread. Where own rows are kept, what a plane begins, the last sums, is summed with the next plane, and has no registers
/// in between; but of radius 1, where these are what the next plane goes on with.
template <class T, int Radius, class TheShape>
struct PairSums {
  using Shape = TheShape;
  using Weights = StarWeights<T>;
  static constexpr MarchShape shape = Shape::value;
  static constexpr int radius = Radius, rows = shape.rows, columns = shape.columns;
  static constexpr int beyond = Radius; ///< planes at either end of a march of which not all counts
  static constexpr bool begins_late = shape.keeps_centres && Radius > 1;
  /// A row is stored as soon as its sums end, before the next row's begin: kept until all end, two sums of radius 4 were spilled (docs/tuning/stencil-marches.md).
  static constexpr bool stores_early = Radius == 4 && !begins_late;
  static constexpr int below = (Radius + 1) / 2 * 2 + 2, around = 2 * below + 2;
  using Row = T[around]; ///< columns -below to 1 + below

  /// Those of a thread whose points have another shape.
  template <class OtherShape>
  using Of = PairSums<T, Radius, OtherShape>;

  const Weights& weights;
  T sum[2 * Radius + 1][rows][columns]; ///< see PartialSums.hpp

  __device__ explicit PairSums(const Weights& the_weights) : weights(the_weights), sum{} {}

  /// A plane of the block if `Within`, else one of which only the points above and below the block's count. `is_odd`: pairs of row 0 do
  /// not lie on 8 bytes; those of the next row do then where they `Alternate`. `ended(r, sums)` for each row whose sums end.
  template <bool Within, bool Alternate, class Rows, class Ended>
  __device__ void add(const Rows& plane, bool is_odd, const Ended& ended)
  {
    if (is_odd)
      add_rows<Within, true, !Alternate>(plane, ended);
    else
      add_rows<Within, false, Alternate>(plane, ended);
  }
  template <bool Within, bool Alternate, class Rows>
  __device__ void add(const Rows& plane, bool is_odd)
  {
    add<Within, Alternate>(plane, is_odd, [](int, const T(&)[columns]) {});
  }

private:
  __device__ T weight(int axis, int offset) const { return weights.at(Radius, axis, offset); }

  template <bool Within, bool EvenIsOdd, bool OddIsOdd, class Rows, class Ended>
  __device__ void add_rows(const Rows& plane, const Ended& ended)
  {
    T now[rows][columns];
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int i = 0; i < columns; ++i) now[r][i] = sum[Radius + 1][r][i];
#pragma unroll
    for (int from = Within ? -Radius : 0; from < (Within ? rows + Radius : rows); ++from) {
      const bool is_own = from >= 0 && from < rows, is_odd = from % 2 == 0 ? EvenIsOdd : OddIsOdd;
      Row row;
      if (Within && is_own)
        plane.template load<-Radius, Radius + columns - 1, below>(row, from, is_odd);
      else
        plane.template load<0, columns - 1, below>(row, from, is_odd);
      if (is_own) {
        T before[columns]{};
        if constexpr (begins_late) {
#pragma unroll
          for (int i = 0; i < columns; ++i) load_shared(before[i], plane.before(from, i));
        }
        add_beside(is_own ? from : 0, row, before);
        ended(from, sum[0][is_own ? from : 0]);
      }
      if constexpr (Within) add_in_plane(now, from, row);
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int i = 0; i < columns; ++i) sum[Radius][r][i] = now[r][i];
  }

  /// To the sums of other planes. Multiply-adds by name: the compiler merges the ends of branches, and would round twice.
  __device__ void add_beside(int r, const Row& row, const T (&before)[columns])
  {
#pragma unroll
    for (int i = 0; i < columns; ++i) {
      const T own = row[below + i];
      if constexpr (begins_late) sum[2 * Radius][r][i] = multiply_add(weight(2, -Radius), before[i], T(0));
#pragma unroll
      for (int k = 0; k < 2 * Radius; ++k)
        if (k != Radius) sum[k][r][i] = multiply_add(weight(2, Radius - k), own, sum[k + 1][r][i]);
      if constexpr (!begins_late) sum[2 * Radius][r][i] = multiply_add(weight(2, -Radius), own, T(0));
    }
  }

  __device__ void add_in_plane(T (&now)[rows][columns], int from, const Row& row) const
  {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int offset = from - r;
      if (offset < -Radius || offset > Radius) continue;
#pragma unroll
      for (int i = 0; i < columns; ++i) {
        if (offset != 0) {
          now[r][i] = multiply_add(weight(1, offset), row[below + i], now[r][i]);
          continue;
        }
#pragma unroll
        for (int k = -Radius; k <= Radius; ++k) now[r][i] = multiply_add(weight(0, k), row[below + i + k], now[r][i]);
      }
    }
  }
};

/// All planes of a block, by a thread that sums. `Everything`: its warp stores all its points, asked only where sums store early.
template <class Sums, bool Alternate, bool Everything, class Tile, class Output>
__device__ void add_pairs(const Tile& tile, const typename Sums::Weights& weights, int column, int first_row,
                          Output& output)
{
  using T = typename Tile::Element;
  constexpr int radius = Sums::radius, bytes = sizeof(T), row_bytes = Tile::layout.row_bytes();
  const auto row_step = static_cast<unsigned>(tile.a.axis[1].stride),
             plane_step = static_cast<unsigned>(tile.a.axis[2].stride);
  const SharedAddress own = tile.shared + (radius + first_row) * row_bytes + (radius + column) * bytes;
  unsigned behind = __shfl_sync(~0u, elements_behind(tile.operands_of(radius + first_row)), 0);
  Sums sums(weights);
  const auto add_plane = [&](const auto& plane, bool is_odd, bool stores, auto within) {
    if constexpr (Sums::stores_early) {
      T* row = output.to;
      sums.template add<decltype(within)::value, Alternate>(plane, is_odd, [&](int r, const auto& value) {
        if (stores) output.template store_row<Everything>(row, r, value);
        row += output.stride[1];
      });
    } else {
      sums.template add<decltype(within)::value, Alternate>(plane, is_odd);
    }
  };
  const auto add_some = [&](int begin, int end, auto within) {
    for (int step = begin; step < end; ++step) {
      const PairSlot<Tile> at(step);
      const bool stores = step >= 2 * radius;
      wait_for_phase(at.of(tile.ready), at.parity);
      add_plane(PairRows<T, radius>(at.in(own), behind, row_step, row_bytes), (behind + radius) % 2 != 0, stores,
                within);
      arrive(at.of(tile.empty));
      if (stores) {
        if constexpr (Sums::stores_early)
          output.next_plane();
        else
          output.store(sums.sum[0]);
      }
      behind += plane_step;
    }
  };
  add_some(0, Sums::beyond, std::false_type{});
  add_some(Sums::beyond, tile.planes - Sums::beyond, std::true_type{});
  add_some(tile.planes - Sums::beyond, tile.planes, std::false_type{});
}

template <class Sums, class Tile>
__device__ void add_pairs(const Tile& tile, const typename Sums::Weights& weights, int column, int first_row)
{
  PairOutput<typename Tile::Element, Sums::rows> output(tile, column, first_row);
  const auto add = [&](auto everything) {
    if (tile.a.axis[1].stride % 2 != 0)
      add_pairs<Sums, true, decltype(everything)::value>(tile, weights, column, first_row, output);
    else
      add_pairs<Sums, false, decltype(everything)::value>(tile, weights, column, first_row, output);
  };
  if (Sums::stores_early && output.stores_everything)
    add(std::bool_constant<Sums::stores_early>());
  else
    add(std::false_type());
}

/// One thread of a block; of those that sum add_all(tile, its warp among these, how many of them are side by side).
template <class Tile, class Shape, class Beside, class AddAll>
__device__ void march_by_pairs(const MarchArguments<typename Tile::Element>& arguments, const unsigned char* shared,
                               const Beside& beside, const AddAll& add_all)
{
  constexpr MarchShape shape = Shape::value;
  static_assert(shape.helpers() == 2);
  const auto planes = static_cast<SharedAddress>(__cvta_generic_to_shared(shared)); // a constant, in no register
  const Tile tile(arguments, planes);
  tile.prepare();
  const int warp = warp_of_block() - shape.helpers();
  if (warp == -2) return copy_planes<Tile, shape.drift, Beside>(tile);
  if (warp == -1) {
    if (is_incomplete<Beside>(tile)) complete_planes(tile, beside);
    return;
  }
  add_all(tile, warp, (static_cast<int>(blockDim.x) / 32 - shape.helpers()) / shape.groups);
}

template <class Sums>
__device__ void march_by_pairs(const MarchArguments<float>& arguments, const typename Sums::Weights& weights,
                               const unsigned char* shared)
{
  using Shape = typename Sums::Shape;
  using Tile = PairTile<float, Sums::radius, Shape>;
  march_by_pairs<Tile, Shape>(arguments, shared, NothingBeside(), [&](const Tile& tile, int warp, int across) {
    const int column = 2 * (warp % across * 32 + static_cast<int>(threadIdx.x % 32)),
              first_row = warp / across * Sums::rows;
    add_pairs<Sums>(tile, weights, column, first_row);
  });
}

} // namespace Keramos::cuda::stencil
