// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Gaussian on a grid, which is a product of functions of one coordinate and hence a product of matrices:
//
//     sum[i, j, k] = the sum over sources s of A[(i, j), s] B[s, k]
//     A[(i, j), s] = weight(s) exp(-rate (dx(i)^2 + dy(j)^2)),   B[s, k] = exp(-rate dz(k)^2)
//
// A thread block has a tile of rows (i, j) and columns k, and its warps multiply on the matrix units, 8 sources at once; where their
// factors come from is RegisterProduct.hpp's matter in float and SharedProduct.hpp's in double. Columns are the last of the user's
// axes, or of his two, so that a target's bits do not depend on strides. Blocks of 256 sources are summed in the value type, and
// their totals, which wait in shared memory, in double by the tree of blocks.
#pragma once

#include "Launch.hpp"
#include "RegisterProduct.hpp"
#include "SharedProduct.hpp"

namespace Keramos::cuda::gather_sum {

template <class T, class Tile>
using ProductSums = std::conditional_t<std::is_same_v<T, float>, RegisterProduct<Tile>, SharedProduct<Tile>>;

/// Every thread's totals.
template <class Tile>
using ProductTotals = double[Tile::targets][Tile::threads];

/// The shared memory of a thread block.
template <class T, class Tile>
struct ProductShared : ProductSums<T, Tile>::Shared {
  ProductTotals<Tile> total;
};

/// The trees of blocks of a thread's targets. Their lowest levels are the totals in shared memory, those above lie in local memory:
/// a thread comes here once in eight blocks, for all its targets together, so that what it reads is on its way side by side.
template <class Tile>
class ProductTrees {
public:
  __device__ explicit ProductTrees(std::int64_t sources) : levels_(core::levels_of(sources) - 1)
  {
    for (int i = 0; i < levels_ * Tile::targets; ++i) sums_[i] = 0;
  }

  /// Eight blocks, of which the last one is `block`, have been added up: nodes of level 1.
  __device__ __noinline__ void carry(ProductTotals<Tile>& total, std::int64_t block)
  {
    add(&total[0][threadIdx.x], Tile::threads, sums_);
    std::int64_t number = block >> core::tree_radix_bits;
    for (int level = 1; core::completes_parent(level, number); ++level, number >>= core::tree_radix_bits)
      add(sums_ + (level - 1) * Tile::targets, 1, sums_ + level * Tile::targets);
  }

  /// The totals of all blocks.
  __device__ __noinline__ void finish(ProductTotals<Tile>& total) const
  {
    for (int level = 0; level < levels_; ++level)
#pragma unroll 8
      for (int k = 0; k < Tile::targets; ++k)
        total[k][threadIdx.x] = sums_[level * Tile::targets + k] + total[k][threadIdx.x];
  }

private:
  int levels_;
  double sums_[(core::tree_levels - 1) * Tile::targets];

  /// Nodes into their parents.
  __device__ static void add(double* node, int pitch, double* parent)
  {
#pragma unroll 8
    for (int k = 0; k < Tile::targets; ++k) {
      parent[k] += node[k * pitch];
      node[k * pitch] = 0;
    }
  }
};

/// A target's total with the sum of a block of sources, of products of two values that each want to be scaled. In one rounding, so that
/// a target has its bits wherever this is inlined.
template <class Pair, class T>
__device__ double with_product(double total, const Pair&, T sum)
{
  constexpr double scale = decltype(Pair::radial)::value_scale;
  return fma(static_cast<double>(sum), scale * scale, total);
}

/// The same, and where the sum is not finite once more. Rare, and so out of line.
template <class Pair, class T>
__device__ __noinline__ double with_exact_product(double total, const TilePlace<T> tile, int row, int column,
                                                  const Pair& pair, const StagedSources<T> sources, T sum)
{
  const core::GatherTotal<T> of_block{sum, {}};
  if (is_finite<false>(of_block)) return with_product(total, pair, sum);
  return total + pair.template total<false>(of_block, tile.at(row, column), sources).potential;
}

/// The number among the totals of a thread's target in its row r and column c.
template <class Tile>
__device__ constexpr int target_number(int r, int c)
{
  return (r / 2 * Tile::column_products + c / 2) * 4 + r % 2 * 2 + c % 2;
}

/// f(sum, r, c) for the targets of a thread.
template <class Tile, class Sums, class F>
__device__ void for_each_target(Sums& sums, const F& f)
{
#pragma unroll
  for (int r = 0; r < 2 * Tile::row_products; ++r)
#pragma unroll
    for (int c = 0; c < 2 * Tile::column_products; ++c) f(sums.sum[r / 2][c / 2][r % 2 * 2 + c % 2], r, c);
}

/// total += the sums of a block of sources.
template <class T, class Tile, class Pair>
__device__ void add_to_totals(ProductTotals<Tile>& total, const ProductSums<T, Tile>& sums, const TilePlace<T>& tile,
                              const Pair& pair, const StagedSources<T>& sources)
{
  T zero = 0;
  for_each_target<Tile>(sums, [&](T sum, int, int) { zero = fma(T(0), sum, zero); });
  if (zero == 0) {
    for_each_target<Tile>(sums, [&](T sum, int r, int c) {
      double& of_target = total[target_number<Tile>(r, c)][threadIdx.x];
      of_target = with_product(of_target, pair, sum);
    });
    return;
  }
  for_each_target<Tile>(sums, [&](T sum, int r, int c) {
    double& of_target = total[target_number<Tile>(r, c)][threadIdx.x];
    of_target = with_exact_product(of_target, tile, Tile::row(r), Tile::column(c), pair, sources, sum);
  });
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
  ProductSums<T, Tile> sums(tile);
  if constexpr (std::is_same_v<T, double>) PowersInSharedMemory::fill();
  for (int k = 0; k < Tile::targets; ++k) shared.total[k][threadIdx.x] = 0;
  ProductTrees<Tile> trees(partition.chunk);

  const SourceRange chunk(blockIdx.y, partition.chunk, call.sources.count());
  for_each_staged(call.sources, partition, chunk, true, [&](const StagedSources<T>& sources) {
    for_each_target<Tile>(sums, [](T& sum, int, int) { sum = 0; });
    sums.add(shared, pair.radial, sources);
    add_to_totals<T, Tile>(shared.total, sums, tile, pair, sources);
    if (core::completes_parent(0, sources.number)) trees.carry(shared.total, sources.number);
  });
  trees.finish(shared.total);
#pragma unroll 1
  for (int r = 0; r < 2 * Tile::row_products; ++r) {
    const std::int64_t row = tile.first_row + Tile::row(r);
    if (row >= tile.places.rows()) return;
    const core::Index3 in_row = tile.places.in_row(row);
#pragma unroll 1
    for (int c = 0; c < 2 * Tile::column_products; ++c) {
      const std::int64_t column = tile.first_column + Tile::column(c);
      if (column >= tile.places.columns()) break;
      result.store(call.output, tile.places.in_column(in_row, column),
                   {shared.total[target_number<Tile>(r, c)][threadIdx.x], {}});
    }
  }
}

/// The kernel of a partition whose shape is a product.
template <class T>
void launch_product(const GatherJob<T>& job, const Kokkos::Cuda& space, const FastPair<T, Gaussian>& pair,
                    double* partial)
{
  const auto launch = [&]<class Tile>(Tile) {
    static_assert(sizeof(ProductShared<T, Tile>) == product_shared_bytes<T, Tile>);
    const dim3 blocks(static_cast<unsigned>(job.partition.tiles), static_cast<unsigned>(job.partition.chunks));
    launch_kernel<gather_product<Tile, FastPair<T, Gaussian>>>(
        job.kernel, space, {blocks, Tile::threads, product_shared_bytes<T, Tile>}, job.call, job.partition, pair,
        ProductAxes(job.call), GatherResult<T, false>{partial});
  };
  job.partition.targets_per_thread == WideTile<T>::targets ? launch(WideTile<T>()) : launch(NarrowTile());
}

} // namespace Keramos::cuda::gather_sum
