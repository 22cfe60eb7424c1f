// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel sums of middling sizes take on an H200: the one that was fastest there
// (docs/tuning/gather-sums.md). Behind it stands how long the former choice took, and how long this one takes, in us.
#include "Devices.hpp"

#include <gtest/gtest.h>

namespace {

namespace core = Keramos::core;
namespace sums = Keramos::cuda::gather_sum;
using Keramos::Coulomb, Keramos::Gaussian, Keramos::Yukawa;
using sums::GatherShape;
using test::h200;

template <class T, bool WithGradient, class K>
GatherShape on_grid(core::Index3 extent, std::int64_t sources)
{
  return sums::partition_gather_sum(h200, core::count_of(extent), &extent, sources,
                                    sums::BuiltInTargets<T, WithGradient, K>::per_thread)
      .shape;
}

template <class T, bool WithGradient, class K>
GatherShape at_points(std::int64_t targets, std::int64_t sources)
{
  return sums::partition_gather_sum(h200, targets, nullptr, sources,
                                    sums::BuiltInTargets<T, WithGradient, K>::per_thread)
      .shape;
}

template <class T>
sums::GatherPartition product(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t sources)
{
  return sums::partition_product(h200, nx * ny, nz, sources, sums::wide_size<T>, sums::narrow_size<T>);
}

/// Targets of a thread in the tile of a product.
template <class T>
int of_tile(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t sources)
{
  return product<T>(nx, ny, nz, sources).targets_per_thread;
}

/// By warps a lane with one target reads a source for every pair.
TEST(DeviceSums, GridsWithManySources)
{
  EXPECT_EQ((on_grid<float, false, Coulomb>({30, 23, 18}, 300'000)), GatherShape::grid);  // 2220, 1168
  EXPECT_EQ((on_grid<float, false, Coulomb>({48, 48, 48}, 60'000)), GatherShape::grid);   // 2071, 1729
  EXPECT_EQ((on_grid<float, false, Coulomb>({52, 41, 33}, 15'000)), GatherShape::grid);   // 635, 354
  EXPECT_EQ((on_grid<double, false, Coulomb>({64, 64, 64}, 300'000)), GatherShape::grid); // 59448, 39531
  EXPECT_EQ((on_grid<float, false, Yukawa>({30, 23, 18}, 300'000)), GatherShape::grid);   // 2834, 2260
  EXPECT_EQ((on_grid<double, false, Yukawa>({52, 41, 33}, 60'000)), GatherShape::grid);   // 6883, 6130
}

TEST(DeviceSums, FewerSources)
{
  EXPECT_EQ((on_grid<float, false, Coulomb>({24, 17, 13}, 500)),
            GatherShape::points_by_warps); // 10.5 as before, by chunks 17.0
  EXPECT_EQ((on_grid<float, false, Coulomb>({30, 23, 18}, 4000)), GatherShape::grid_by_warps); // 36.9, 26.9
  EXPECT_EQ((at_points<float, false, Coulomb>(5304, 4000)), GatherShape::points);              // 26.5, 19.0
  EXPECT_EQ((at_points<float, true, Coulomb>(1680, 4000)), GatherShape::points);               // 22.8, 20.8
}

/// A wide tile's thread stores its sums one after the other, and its thread block has a multiprocessor to itself.
TEST(DeviceSums, TilesOfProducts)
{
  EXPECT_EQ(of_tile<float>(33, 41, 52, 500), 8);      // 67.6, 22.3
  EXPECT_EQ(of_tile<float>(48, 48, 48, 500), 8);      // 66.0, 25.1
  EXPECT_EQ(of_tile<double>(24, 31, 40, 500), 8);     // 53.0, 37.4
  EXPECT_EQ(of_tile<double>(18, 23, 30, 60'000), 64); // 468, 360 in 235 chunks
  EXPECT_EQ(of_tile<float>(256, 256, 256, 4000), 96); // as before
}

/// Every chunk's sums are stored: no more chunks than fill the GPU, and fewer where they are short.
TEST(DeviceSums, ChunksOfProducts)
{
  EXPECT_EQ(product<float>(10, 12, 14, 4000).chunks, 16); // a block of sources each
  EXPECT_EQ(product<float>(58, 73, 93, 500).chunks, 1);
  EXPECT_EQ(product<double>(58, 73, 93, 60'000).chunks, 30); // eight blocks
  for (std::int64_t sources = 1; sources < std::int64_t{1} << 40; sources += sources / 8 + 1) {
    const sums::GatherPartition chosen = product<float>(21, 27, 35, sources);
    EXPECT_GE(chosen.chunks * chosen.chunk, sources);
    EXPECT_LT((chosen.chunks - 1) * chosen.chunk, sources);
    if (chosen.chunks > 1) EXPECT_EQ(chosen.chunk, core::node_blocks(chosen.level) * core::source_block);
  }
}

} // namespace
