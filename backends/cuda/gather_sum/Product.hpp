// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Gaussian on a grid, which is a product of functions of one coordinate and hence a product of matrices:
//
//     sum[i, j, k] = the sum over sources s of A[(i, j), s] B[s, k]
//     A[(i, j), s] = weight(s) exp(-rate (dx(i)^2 + dy(j)^2)),   B[s, k] = exp(-rate dz(k)^2)
//
// A thread block has a tile of rows (i, j) and columns k. It brings the factors of a slice of sources to shared memory, two
// slices deep, and its warps multiply them on the matrix units, 8 sources at once. Columns are the last of the user's axes, or of his two, so
// that a target's bits do not depend on strides. Blocks of 256 sources are summed in the value type, and their totals, which
// wait in shared memory, in double by the tree of blocks.
#pragma once

#include "Launch.hpp"
#include "MatrixUnits.hpp"
#include "ProductTile.hpp"

namespace Keramos::cuda::gather_sum {

/// The factors of 8 sources in shared memory, where what a lane hands to the matrix units lies side by side, in float for both
/// halves of them, and the lanes of a load meet in no bank.
template <class T, class Tile>
struct ProductStep {
  static constexpr int row_pitch = Tile::rows / 2 + 2, column_pitch = Tile::columns + 4;
  static_assert(row_pitch % 8 == 2 && column_pitch % 8 == 4);

  T row[4 * row_pitch * 4], column[4 * column_pitch * 2];

  /// Rows r and r + 8 of 16 are neighbours. t and half: source t + 4 half.
  __device__ static int row_at(int t, int half, int r)
  {
    const int pair = r / 16 * 8 + r % 8, second = r / 8 % 2;
    return sizeof(T) == 4 ? ((t * row_pitch + pair) * 2 + half) * 2 + second
                          : ((half * 4 + t) * row_pitch + pair) * 2 + second;
  }
  __device__ static int column_at(int t, int half, int c)
  {
    return sizeof(T) == 4 ? (t * column_pitch + c) * 2 + half : (half * 4 + t) * column_pitch + c;
  }
};

/// The shared memory of a thread block.
template <class T, class Tile>
struct ProductShared {
  double total[Tile::targets][Tile::threads];
  alignas(16) ProductStep<T, Tile> slice[2][Tile::steps];
};

/// Where a thread's targets are: rows of A and columns of B, as indices of the call.
template <class T>
class ProductPlaces {
public:
  __device__ ProductPlaces(const core::GatherSumCall<T>& call, const ProductAxes& axes)
      : call_(call), axes_(axes), rows_(call.output.potential.extent[0] * call.output.potential.extent[axes.second])
  {
  }
  __device__ std::int64_t rows() const { return rows_; }
  __device__ std::int64_t columns() const { return call_.output.potential.extent[axes_.column]; }

  /// Beyond the last one stands the last.
  __device__ core::Index3 index(std::int64_t row, std::int64_t column) const
  {
    const auto& extent = call_.output.potential.extent;
    const std::int64_t r = row < rows_ ? row : rows_ - 1, fast = extent[axes_.second_is_faster ? axes_.second : 0];
    core::Index3 i{};
    (axes_.second_is_faster ? i[axes_.second] : i[0]) = r % fast;
    (axes_.second_is_faster ? i[0] : i[axes_.second]) = r / fast;
    i[axes_.column] = column < columns() ? column : columns() - 1;
    return i;
  }
  /// x, y of a row, z of a column.
  __device__ core::Point<T> at(const core::Index3& i) const
  {
    const auto place = [&](int axis) { return static_cast<T>(call_.targets.position(axis, i[axis])); };
    return {place(0), place(axes_.second), place(axes_.column)};
  }

private:
  const core::GatherSumCall<T>& call_;
  ProductAxes axes_;
  std::int64_t rows_;
};

/// Where the targets of a thread block are.
template <class T>
struct TilePlace {
  ProductPlaces<T> places;
  std::int64_t row, column;
};

/// One line of A or B, of which a thread computes a share of each slice. The lines of the tile are its rows, then its columns.
template <class T, class Tile>
class ProductLine {
public:
  ProductLine() = default;
  __device__ ProductLine(const TilePlace<T>& tile, int number)
      : number_(number % Tile::lines), share_(number / Tile::lines * sources), is_row_(number_ < Tile::rows),
        at_(tile.places.at(tile.places.index(tile.row + number_, tile.column + max(number_ - Tile::rows, 0))))
  {
  }

  /// The factors of its share of a slice; behind the last source there are zeros.
  template <class Radial>
  __device__ void compute(const Radial& radial, const StagedSources<T>& staged, int slice)
  {
    const auto of_each = [&](const auto& value) {
#pragma unroll
      for (int j = 0; j < sources; ++j) {
        const int number = slice * Tile::slice + share_ + j;
        const SourceRecord<T> source = staged.records[min(number, staged.count - 1)];
        const T dx = at_[0] - source.x, dy = at_[1] - source.y, dz = at_[2] - source.z;
        factor_[j] = number < staged.count ? value(dx, dy, dz, source.weight) : 0;
      }
    };
    if (is_row_)
      of_each([&](T dx, T dy, T, T weight) { return weight * radial(fma(dx, dx, dy * dy), T(1)).value; });
    else
      of_each([&](T, T, T dz, T) { return radial(dz * dz, T(1)).value; });
  }
  __device__ void store(ProductStep<T, Tile> (&slice)[Tile::steps]) const
  {
#pragma unroll
    for (int j = 0; j < sources; ++j) {
      const int number = share_ + j, t = number % 4, half = number / 4 % 2;
      ProductStep<T, Tile>& to = slice[number / 8];
      (is_row_ ? to.row[to.row_at(t, half, number_)] : to.column[to.column_at(t, half, number_ - Tile::rows)]) =
          factor_[j];
    }
  }

private:
  static constexpr int sources = Tile::slice / Tile::shares; ///< of a share

  int number_, share_; ///< the first source of the share
  bool is_row_;
  core::Point<T> at_;
  T factor_[sources];
};

/// A block of sources: the sums of a thread's targets.
template <class T, class Tile>
class ProductSums {
public:
  using Line = ProductLine<T, Tile>;
  using Step = ProductStep<T, Tile>;

  T sum[Tile::row_products][Tile::column_products][4] = {};

  template <class Radial>
  __device__ void add(ProductShared<T, Tile>& shared, Line (&line)[Tile::lines_a_thread], const Radial& radial,
                      const StagedSources<T>& sources)
  {
    const auto of_lines = [&](const auto& f) {
      f(line[0]);
#pragma unroll
      for (int l = 1; l < Tile::lines_a_thread; ++l)
        if (static_cast<int>(threadIdx.x) + l * Tile::threads < Tile::lines) f(line[l]);
    };
    const auto compute = [&](int slice) { of_lines([&](Line& one) { one.compute(radial, sources, slice); }); };
    const auto store = [&](int slice) { of_lines([&](const Line& one) { one.store(shared.slice[slice % 2]); }); };
    compute(0);
    store(0);
    const int slices = static_cast<int>(core::ceil_div(sources.count, Tile::slice));
    for (int slice = 0; slice < slices; ++slice) { // all have left the other buffer when all are here
      __syncthreads();
      if (slice + 1 < slices) compute(slice + 1);
#pragma unroll
      for (int step = 0; step < Tile::steps; ++step)
        if (Tile::steps == 1 || slice * Tile::slice + step * 8 < sources.count) multiply(shared.slice[slice % 2][step]);
      if (slice + 1 < slices) store(slice + 1);
    }
  }

private:
  __device__ void multiply(const Step& step)
  {
    const int warp = static_cast<int>(threadIdx.x) / 32, g = static_cast<int>(threadIdx.x) % 32 / 4,
              t = static_cast<int>(threadIdx.x) % 4;
    const int first_row = warp / Tile::warp_columns * Tile::row_products * 16 + g;
    const int first_column = warp % Tile::warp_columns * Tile::column_products * 8 + g;
    T a[Tile::row_products][4];
#pragma unroll
    for (int m = 0; m < Tile::row_products; ++m) load_row(a[m], step.row, t, first_row + m * 16);
    constexpr int at_once = sizeof(T) == 4 ? Tile::column_products : 1; // columns of doubles fill the registers
#pragma unroll
    for (int n = 0; n < Tile::column_products; n += at_once) {
      T b[at_once][2];
#pragma unroll
      for (int k = 0; k < at_once; ++k) load_column(b[k], step.column, t, first_column + (n + k) * 8);
      multiply_add(sum, n, a, b);
    }
  }

  __device__ static void load_row(float (&to)[4], const float* row, int t, int r)
  {
    load_packed<4>(to, row + Step::row_at(t, 0, r));
  }
  __device__ static void load_row(double (&to)[4], const double* row, int t, int r)
  {
    for (int half = 0; half < 2; ++half) {
      double two[2];
      load_packed<2>(two, row + Step::row_at(t, half, r));
      to[2 * half] = two[0];
      to[2 * half + 1] = two[1];
    }
  }
  __device__ static void load_column(float (&to)[2], const float* column, int t, int c)
  {
    load_packed<2>(to, column + Step::column_at(t, 0, c));
  }
  __device__ static void load_column(double (&to)[2], const double* column, int t, int c)
  {
    for (int half = 0; half < 2; ++half) to[half] = column[Step::column_at(t, half, c)];
  }
};

/// Row and column in the tile of a thread's target `number`, as ProductSums::sum counts them.
template <class Tile>
__device__ void place_in_tile(int number, int& row, int& column)
{
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int product = number / 4, m = product / Tile::column_products, n = product % Tile::column_products;
  row = (warp / Tile::warp_columns * Tile::row_products + m) * 16 + lane / 4 + number % 4 / 2 * 8;
  column = (warp % Tile::warp_columns * Tile::column_products + n) * 8 + lane % 4 * 2 + number % 2;
}

/// A block of sources once more for one target whose sum is not finite. Rare, and so out of line.
template <class Tile, class Pair, class T>
__device__ __noinline__ double exact_product(const TilePlace<T> tile, const Pair& pair, const StagedSources<T> sources,
                                             core::GatherTotal<T> sum, int number)
{
  int row = 0, column = 0;
  place_in_tile<Tile>(number, row, column);
  const core::Index3 i = tile.places.index(tile.row + row, tile.column + column);
  return pair.template total<false>(sum, tile.places.at(i), sources).potential;
}

template <class Tile, class Pair, class T = typename Pair::value_type>
__global__ void __launch_bounds__(Tile::threads, 1)
    gather_product(const __grid_constant__ core::GatherSumCall<T> call,
                   const __grid_constant__ GatherPartition partition, const __grid_constant__ Pair pair,
                   const ProductAxes axes, const GatherResult<T, false> result)
{
  extern __shared__ __align__(16) unsigned char memory[];
  auto& shared = *reinterpret_cast<ProductShared<T, Tile>*>(memory);
  const TilePlace<T> tile{ProductPlaces<T>(call, axes), blockIdx.x % partition.column_tiles * Tile::rows,
                          blockIdx.x / partition.column_tiles * Tile::columns};
  const ProductPlaces<T>& places = tile.places;

  using Sums = ProductSums<T, Tile>;
  ProductLine<T, Tile> line[Tile::lines_a_thread];
#pragma unroll
  for (int l = 0; l < Tile::lines_a_thread; ++l) line[l] = {tile, static_cast<int>(threadIdx.x) + l * Tile::threads};
#pragma unroll 1
  for (int k = 0; k < Tile::targets; ++k) shared.total[k][threadIdx.x] = 0;
  UpperLevels<Tile::targets, false> upper(partition.chunk);

  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  for_each_staged(call.sources, partition.order, chunk, true, [&](const StagedSources<T>& sources) {
    Sums sums;
    sums.add(shared, line, pair.radial, sources);
#pragma unroll
    for (int k = 0; k < Tile::targets; ++k) {
      core::GatherTotal<T> sum;
      sum.potential = sums.sum[k / 4 / Tile::column_products][k / 4 % Tile::column_products][k % 4];
      shared.total[k][threadIdx.x] +=
          is_finite<false>(sum) ? static_cast<double>(sum.potential) : exact_product<Tile>(tile, pair, sources, sum, k);
    }
    if (!core::completes_parent(0, sources.number)) return;
#pragma unroll 1
    for (int k = 0; k < Tile::targets; ++k) {
      upper.carry(k, {shared.total[k][threadIdx.x], {}}, sources.number);
      shared.total[k][threadIdx.x] = 0;
    }
  });
#pragma unroll 1
  for (int k = 0; k < Tile::targets; ++k) {
    int row = 0, column = 0;
    place_in_tile<Tile>(k, row, column);
    if (tile.row + row < places.rows() && tile.column + column < places.columns())
      result.store(call.output, places.index(tile.row + row, tile.column + column),
                   upper.total(k, {shared.total[k][threadIdx.x], {}}));
  }
}

/// The kernel of a partition whose shape is a product.
template <class T>
void launch_product(const GatherJob<T>& job, const Kokkos::Cuda& space, const FastPair<T, Gaussian>& pair,
                    double* partial)
{
  const auto launch = [&]<class Tile>(Tile) {
    static_assert(sizeof(ProductShared<T, Tile>) == Tile::template shared_bytes<T>);
    const dim3 blocks(static_cast<unsigned>(job.partition.tiles), static_cast<unsigned>(job.partition.chunks));
    launch_kernel<gather_product<Tile, FastPair<T, Gaussian>>>(
        job.kernel, space, {blocks, Tile::threads, Tile::template shared_bytes<T>}, job.call, job.partition, pair,
        ProductAxes(job.call), GatherResult<T, false>{partial});
  };
  job.partition.targets_per_thread == WideTile<T>::targets ? launch(WideTile<T>()) : launch(NarrowTile());
}

} // namespace Keramos::cuda::gather_sum
