// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// transpose, permute and copy against index arithmetic, for every backend. Fields are built with run-time strides, so
// that one instantiation a rank and element size covers all layouts.
#include "TransposeSupport.hpp"

#include <random>

using namespace test;
using Keramos::Backend;

namespace {

TEST(Transpose, EverySizeAroundTheTiles)
{
  for_each_size([](auto size) {
    for (const Backend backend : all_backends())
      for (const std::int64_t m : {0, 1, 2, 3, 4, 7, 16, 17, 31, 33, 64, 65, 131, 257})
        for (const std::int64_t n : {0, 1, 2, 3, 5, 8, 15, 16, 32, 33, 63, 67, 128, 259}) {
          check_permute<size, 2>(Shape({m, n}, right(2)), {1, 0}, right(2), 1, 0, 0, backend);
          check_permute<size, 2>(Shape({m, n}, right(2), 1, 5, 3), {1, 0}, right(2), 1, 3, 1, backend);
        }
  });
}

TEST(Transpose, LayoutsSpacingAndOffsets)
{
  for_each_size([](auto size) {
    for (const Backend backend : all_backends())
      for (const auto& in_order : {left(2), right(2)})
        for (const auto& out_order : {left(2), right(2)})
          for (const Numbers& axes : {Numbers{0, 1}, Numbers{1, 0}})
            for (const std::int64_t in_spacing : {1, 2, 3})
              for (const std::int64_t out_spacing : {1, 3})
                check_permute<size, 2>(Shape({67, 41}, in_order, in_spacing, 1, 2), axes, out_order, out_spacing, 2, 5,
                                       backend);
  });
}

/// Rows of whole lines of 256 bytes behind every place in the first of them: kernels may have tiles keep to the lines.
TEST(Transpose, PitchesOfWholeLines)
{
  for_each_size([](auto size) {
    constexpr std::int64_t line = 256 / size;
    const std::int64_t m = 17 * 64 - 3, n = (size == 1 ? 17 : 9) * 128 - 1; // large tiles are as full as small ones
    for (const std::int64_t start : {std::int64_t{0}, std::int64_t{16} / size, line / 2, line - 16 / size, line - 1}) {
      const Shape in({m, n}, right(2), 1, line - n % line, start);
      check_permute<size, 2>(in, {1, 0}, right(2), 1, line - m % line, (start + line / 4) % line);
#ifdef KOKKOS_ENABLE_CUDA
      const Shape out({n, m}, right(2), 1, line - m % line, start);
      const auto kernel = check_move<size, 2>(in, {1, 0}, out, [](const auto& from, const auto& to) {
        return permute_on_small_gpu<2>({1, 0}, from, to);
      });
      if (size == 4 && start % 4 == 0) EXPECT_EQ(kernel.variant, "tile 64x128 v4");
#endif
      check_in_place<size, 2>(Shape({m, m}, right(2), 1, line - m % line, start), [](const auto& matrix) {
        return run([&](const auto& exec) { return Keramos::transpose_in_place(exec, matrix); });
      });
    }
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Small matrices of 4 bytes have tiles of their own, but not on a GPU with one multiprocessor.
TEST(Transpose, UnalignedTilesOfLargeMatrices)
{
  for (const std::int64_t m : {223, 258, 449})
    for (const std::int64_t n : {255, 483, 514})
      for (const std::int64_t pad : {0, 1, 2, 3})
        check_move<4, 2>(Shape({m, n}, right(2), 1, pad, 5 * pad), {1, 0}, Shape({n, m}, right(2), 1, 3 - pad, pad),
                         [](const auto& from, const auto& to) {
                           return permute_on_small_gpu<2>({1, 0}, from, to);
                         });
}
#endif

/// Pitches that are no multiple of 16 bytes, tiles that end at every place in a sector of either side, and sub-views.
TEST(Transpose, UnalignedTilesAtTheirEdges)
{
  for_each_size([](auto size) {
    for (const std::int64_t m : {192, 223, 225, 256, 447, 449, 515})
      for (const std::int64_t n : {239, 255, 257 + 226, 512})
        for (const std::int64_t pad : {1, 2, 4, 7, 8}) {
          const std::int64_t start = (m + n + 3 * pad) % 33;
          const auto variant = check_permute<size, 2>(Shape({m, n}, right(2), 1, (pad - n % 8 + 8) % 8, start), {1, 0},
                                                      right(2), 1, (pad + 8 - m % 8) % 8 + 1, 31 - start % 32);
          if (size == 1 && first_backend == Backend::cuda) EXPECT_EQ(variant, "tile 288x192 sectors");
          if (size == 2 && first_backend == Backend::cuda) EXPECT_EQ(variant, "tile 144x128 sectors");
        }
    check_permute<size, 3>(Shape({3, 251, 247}, right(3), 1, 0, 1), {0, 2, 1}, right(3), 1, 0, 5);
    check_permute<size, 3>(Shape({247, 2, 253}, right(3), 1, 1, 17), {2, 1, 0}, right(3), 1, 3, 2);
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Tiles of small elements whose neighbours along the input come late: bands of tiles, the last of them with fewer; and first the axis that
/// continues the rows of the input.
TEST(Transpose, UnalignedTilesInBands)
{
  check_permute<1, 2>(Shape({66561, 259}, right(2), 1, 0, 3), {1, 0}, right(2), 1, 0, 5);
  check_permute<2, 2>(Shape({44100, 195}, right(2), 1, 0, 1), {1, 0}, right(2), 1, 0, 5);
  check_permute<1, 4>(Shape({259, 149, 3, 101}, right(4), 1, 0, 1), {2, 1, 3, 0}, right(4), 1, 0, 2);
}
#endif

#ifdef KOKKOS_ENABLE_CUDA
/// Aligned matrices with few columns, in whole units of memory along the others.
TEST(Transpose, WideTilesForFewRowsOfTheOutput)
{
  for (const std::int64_t columns : {40, 48, 56, 64}) {
    const Shape in({1344, columns}, right(2)), out({columns, 1344}, right(2));
    const auto kernel = check_move<4, 2>(in, {1, 0}, out, [](const auto& from, const auto& to) {
      return permute_on_small_gpu<2>({1, 0}, from, to);
    });
    EXPECT_EQ(kernel.variant, "tile 128x64 v4");
  }
}
#endif

/// Reversed axes in aligned rows: the blocks of tiles go through all that lies between the two fast axes before they go along the input.
TEST(Transpose, TilesGoThroughTheBatchFirst)
{
  for_each_size([](auto size) {
    for (const std::int64_t m : {64, 144, 272})
      for (const std::int64_t n : {80, 128, 272}) {
        const Shape volume({m, 5, n}, right(3)), more({m, 2, 3, n}, right(4));
        std::string variant = check_permute<size, 3>(volume, {2, 1, 0}, right(3));
        if (size == 4 && first_backend == Backend::cuda) EXPECT_EQ(variant, "tile 32x64 v4");
        check_permute<size, 4>(more, {3, 2, 1, 0}, right(4));
        check_permute<size, 4>(more, {3, 1, 2, 0}, right(4));
#ifdef KOKKOS_ENABLE_CUDA
        check_move<size, 3>(volume, {2, 1, 0}, Shape({n, 5, m}, right(3)), [](const auto& from, const auto& to) {
          return permute_on_small_gpu<3>({2, 1, 0}, from, to);
        });
#endif
      }
  });
}

/// Pairs of tiles of every kernel, at their edges, with rows and stacks that begin anywhere.
TEST(Transpose, InPlaceAroundPairsOfTiles)
{
  for_each_size([](auto size) {
    for (const std::int64_t order : {127, 128, 129, 130, 161, 191, 192, 193, 223, 224, 225, 231, 255, 257, 289, 337})
      for (const std::int64_t start : {0, 1, 3, 4})
        check_in_place<size, 3>(Shape({2, order, order}, right(3), 1, start, start), [](const auto& stack) {
          return run([&](const auto& exec) { return Keramos::transpose_in_place(exec, stack); });
        });
  });
}

/// So many tiles along a side that they come in groups, of which the last is not full; or one by one, where rows begin on lines.
TEST(Transpose, InPlaceInGroupsOfTiles)
{
  const auto check = [](auto size, std::int64_t order) {
    for (const std::int64_t pad : {0, 3})
      check_in_place<size, 2>(Shape({order, order}, right(2), 1, pad, pad), [](const auto& matrix) {
        return run([&](const auto& exec) { return Keramos::transpose_in_place(exec, matrix); });
      });
  };
  check(std::integral_constant<int, 2>(), 2113);
  check(std::integral_constant<int, 4>(), 3709);
  check(std::integral_constant<int, 4>(), 3712);
  check(std::integral_constant<int, 8>(), 2571);
  check(std::integral_constant<int, 16>(), 1091);
}

#ifdef KOKKOS_ENABLE_CUDA
/// Lets the kernel behind it begin at once, and writes late.
__global__ void store_late(float* data, float value)
{
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  for (const long long begin = clock64(); clock64() - begin < 100000;) {
  }
  data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

TEST(Transpose, WaitsForTheKernelInFront)
{
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace> in("in", 256, 512), out("out", 512, 256);
  const Kokkos::Cuda exec = own_instance();
  for (int round = 1; round <= 20; ++round) {
    store_late<<<512, 256, 0, exec.cuda_stream()>>>(in.data(), static_cast<float>(round));
    Keramos::transpose(exec, in, out);
    const auto seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    exec.fence("the test reads what was written");
    for (std::size_t n = 0; n < seen.size(); ++n) ASSERT_EQ(seen.data()[n], static_cast<float>(round)) << n;
  }
}

/// By vectors and unaligned.
TEST(Transpose, InPlaceWaitsForTheKernelInFront)
{
  const Kokkos::Cuda exec = own_instance();
  for (const int order : {512, 511}) {
    const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace> matrix("matrix", order, order);
    for (int round = 1; round <= 20; ++round) {
      store_late<<<order, order, 0, exec.cuda_stream()>>>(matrix.data(), static_cast<float>(round));
      Keramos::transpose_in_place(exec, matrix);
      const auto seen = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), matrix);
      exec.fence("the test reads what was written");
      for (std::size_t n = 0; n < seen.size(); ++n) ASSERT_EQ(seen.data()[n], static_cast<float>(round)) << n;
    }
  }
}
#endif

/// All orders of `rank` axes, or `samples` of them.
std::vector<Numbers> permutations(int rank, int samples = 0)
{
  std::vector<Numbers> result;
  Numbers axes = left(rank);
  do result.push_back(axes);
  while (std::next_permutation(axes.begin(), axes.end()));
  if (samples) {
    std::shuffle(result.begin(), result.end(), std::mt19937(rank));
    result.resize(samples);
  }
  return result;
}

/// Every permutation x backend x layout of both sides.
template <int Rank>
void permute_all(const Numbers& extent, int samples = 0)
{
  for_each_size([&](auto size) {
    int which = 0;
    for (const Numbers& axes : permutations(Rank, samples))
      for (const auto& in_order : {left(Rank), right(Rank)})
        for (const auto& out_order : {left(Rank), right(Rank)})
          for (const Backend backend : all_backends()) {
            const std::int64_t pad = which++ % 3; // packed, or pitches that are odd and that are even
            check_permute<size, Rank>(Shape(extent, in_order, 1, pad, pad), axes, out_order, 1, (pad + 1) % 3, 1,
                                      backend);
          }
  });
}

TEST(Permute, AllOfRank3)
{
  permute_all<3>({17, 33, 20});
  permute_all<3>({64, 2, 35});
}
TEST(Permute, AllOfRank4) { permute_all<4>({9, 5, 18, 4}); }
TEST(Permute, SomeOfRank5) { permute_all<5>({3, 6, 5, 4, 7}, 40); }
TEST(Permute, SomeOfRank6) { permute_all<6>({3, 2, 5, 4, 3, 6}, 40); }

TEST(Permute, RandomLayouts)
{
  std::mt19937 engine(7);
  const auto below = [&](int n) { return static_cast<std::int64_t>(engine() % n); };
  for (int trial = 0; trial < 300; ++trial) {
    const auto orders = permutations(4);
    const Numbers extent{1 + below(40), 1 + below(12), 1 + below(9), 1 + below(20)};
    const Shape in(extent, orders[below(24)], 1 + below(2), below(4), below(9));
    const Numbers axes = orders[below(24)], out_order = orders[below(24)];
    const std::int64_t spacing = 1 + below(2), pad = below(4), start = below(70);
    check_permute<2, 4>(in, axes, out_order, spacing, pad, start);
    check_permute<4, 4>(in, axes, out_order, spacing, pad, start);
    check_permute<16, 4>(in, axes, out_order, spacing, pad, start);
  }
}

/// Large enough for stores past the caches, in odd places.
TEST(Permute, Streamed)
{
  for_each_size([](auto size) {
    const std::int64_t elements = (5 << 20) / size;
    for (const std::int64_t n : {523, 4096}) {
      const std::int64_t m = elements / n + 1;
      for (const std::int64_t pad : {0, 5}) {
        EXPECT_EQ(
            (check_permute<size, 2>(Shape({m, n}, right(2), 1, pad, 1), {1, 0}, right(2), 1, pad, 3, Backend::openmp))
                .substr(0, 5),
            "tiles");
        check_permute<size, 2>(Shape({m, n}, right(2), 1, pad, 1), {1, 0}, right(2), 1, pad, 3);
        check_permute<size, 3>(Shape({m / 7, 7, n}, right(3), 1, pad, 1), {1, 0, 2}, right(3), 1, pad, 3);
        check_permute<size, 3>(Shape({m / 7, 7, n}, right(3), 1, pad, 1), {1, 2, 0}, right(3), 1, pad, 3);
      }
    }
  });
}

TEST(Permute, SkinnyBothWays)
{
  for_each_size([](auto size) {
    for (const std::int64_t k : {2, 3, 4, 5, 6, 7, 8, 12, 16, 37})
      for (const std::int64_t n :
           {std::int64_t{1}, std::int64_t{31}, std::int64_t{517}, std::int64_t{5 << 20} / (size * k) + 3}) {
        if (n > 600 && k > 8 && k != 12) continue;
        check_permute<size, 2>(Shape({n, k}, right(2), 1, 0, 1), {1, 0}, right(2), 1, 0, 3);
        check_permute<size, 2>(Shape({k, n}, right(2), 1, 0, 1), {1, 0}, right(2), 1, 0, 3);
        check_permute<size, 2>(Shape({k, n}, right(2), 1, 1, 1), {1, 0}, right(2), 1, 1, 3);
        check_permute<size, 2>(Shape({n, k}, right(2), 1, 1, 1), {1, 0}, right(2), 1, 1, 3);
      }
  });
}

/// Past the caches, where rows of the output begin on lines, with and without points that fill no vector.
TEST(Permute, SkinnyOnWholeLines)
{
  for_each_size([](auto size) {
    for (const std::int64_t k : {2, 3, 4, 5, 6, 7, 8, 16})
      for (const std::int64_t rest : {0, 5}) {
        const std::int64_t n = (5 << 20) / (size * k) / 64 * 64 - rest;
        check_permute<size, 2>(Shape({n, k}, right(2)), {1, 0}, right(2), 1, rest, 0);
        check_permute<size, 2>(Shape({k, n}, right(2)), {1, 0}, right(2), 1, 0, 0);
      }
  });
}

/// Short runs that stay together, of every number of bytes up to some lines.
TEST(Permute, GroupsThatStayTogether)
{
  for_each_size([](auto size) {
    for (const std::int64_t k : {1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 16, 17, 23, 33, 65, 67})
      for (const std::int64_t pad : {0, 1}) {
        check_permute<size, 3>(Shape({37, 41, k}, right(3), 1, pad, 1), {1, 0, 2}, right(3), 1, pad, 3);
        check_permute<size, 3>(Shape({k, 19, 80}, left(3), 1, pad, 1), {0, 2, 1}, left(3), 1, pad, 3);
      }
  });
  for (const std::int64_t k : {3, 5, 20, 63}) // past the caches
    for (const std::int64_t pad : {0, 1}) {
      const Shape in({300, (5 << 20) / (300 * 4 * k) + 1, k}, right(3), 1, pad, 1);
      const auto variant = check_permute<4, 3>(in, {1, 0, 2}, right(3), 1, 0, 3, Backend::openmp);
      EXPECT_EQ(variant.substr(0, 6) == "groups", pad == 0) << variant;
    }
}

/// Axes shorter than a tile's rows come together with those that continue them; past the caches.
TEST(Permute, ShortAxesTogether)
{
  for_each_size([](auto size) {
    for (const std::int64_t n : {29, 31, 65})
      for (const std::int64_t pad : {0, 1}) {
        const Numbers extent{n, 23, (5 << 20) / (size * n * 23 * 7 * 37) + 1, 7, 37}, reversal{4, 3, 2, 1, 0};
        const Shape in(extent, right(5), 1, pad, 1);
        EXPECT_EQ((check_permute<size, 5>(in, reversal, right(5), 1, 0, 3, Backend::openmp)).substr(0, 5), "tiles");
        check_permute<size, 5>(in, reversal, right(5), 1, pad, 3);
      }
  });
}

/// Many small planes, which come several to a box.
TEST(Permute, SmallPlanes)
{
  for_each_size([](auto size) {
    for (const std::int64_t m : {2, 3, 5, 9, 16, 31})
      for (const std::int64_t n : {2, 4, 7, 15, 17, 30})
        for (const std::int64_t pad : {0, 2})
          check_permute<size, 3>(Shape({57, m, n}, right(3), 1, pad, 1), {0, 2, 1}, right(3), 1, pad, 3);
  });
  check_permute<4, 3>(Shape({10001, 12, 15}, right(3)), {0, 2, 1}, right(3)); // past the caches
}

/// Past the caches, where what follows a plane is prefetched: rows of several lines side by side, and planes too small without the axes
/// that continue theirs.
TEST(Permute, SmallPlanesPastTheCaches)
{
  const auto kind = [](const std::string& variant) { return variant.substr(0, variant.find(' ')); };
  for (const std::int64_t n : {65, 128, 250})
    EXPECT_EQ(kind(check_permute<4, 4>(Shape({n, 131072 / n, 17, 11}, right(4)), {1, 2, 3, 0}, right(4), 1, 0, 3,
                                       Backend::openmp)),
              "interleave");
  EXPECT_EQ(kind(check_permute<4, 5>(Shape({14, 19, 13, 21, 29}, right(5)), {4, 3, 2, 1, 0}, right(5), 1, 0, 3,
                                     Backend::openmp)),
            "tiles");
  EXPECT_EQ(kind(check_permute<8, 5>(Shape({14, 19, 13, 21, 29}, right(5)), {4, 2, 3, 0, 1}, right(5), 1, 0, 3,
                                     Backend::openmp)),
            "tiles");
  check_permute<4, 5>(Shape({14, 19, 13, 21, 29}, right(5)), {3, 1, 0, 4, 2}, right(5));
}

} // namespace
