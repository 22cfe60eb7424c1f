// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coverage/gather_sum.txt lists what the preferred backend takes: no more and no less.
#include "GatherSumCases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace {

using namespace test;

/// The lines of the list that begin with `head`.
std::set<std::string> listed(const std::string& head)
{
  std::ifstream file(KERAMOS_TEST_DATA "/../coverage/gather_sum.txt");
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);)
    if (line.rfind(head, 0) == 0) lines.insert(line);
  return lines;
}

/// Only asks, with as many points along the fastest axis as `fast`, for argument_of(output); true if the preferred backend takes it.
template <class T, int Rank, int Dimension, class K, class Targets, class Argument>
bool is_fast(const K& kernel, const Targets& targets, Memory memory, std::int64_t fast, const Argument& argument_of)
{
  std::array<std::int64_t, Rank> extents;
  extents.fill(3);
  extents[memory == Memory::left || memory == Memory::left_padded ? 0 : Rank - 1] = fast;
  const Output<T, Rank, Dimension, true> out(extents, memory);
  const Array<T, 2> positions({40, Dimension}, Memory::left),
      points({Rank == 1 ? extents[0] : 1, Dimension}, Memory::right);
  const Array<T, 1> weights({40}, Memory::right);
  const auto call = [&](const auto& the_targets) {
    return Keramos::gather_sum(Keramos::dry_run(own_instance()), kernel, the_targets,
                               Keramos::Sources{positions.view, weights.view}, argument_of(out));
  };
  if constexpr (std::is_same_v<Targets, std::nullptr_t>)
    return call(points.view).backend == first_backend;
  else
    return call(targets).backend == first_backend;
}

template <class T, class K>
void check(const K& kernel)
{
  std::string name = K::name;
  std::replace(name.begin(), name.end(), ' ', '_');
  const std::string head = name + (std::is_same_v<T, float> ? " float " : " double ");
  std::set<std::string> fast;
  const auto ask = [&]<int Rank, int Dimension>(const char* what, const auto& targets,
                                                std::integer_sequence<int, Rank, Dimension>) {
    constexpr const char* names[] = {"right", "left", "right_padded", "left_padded", "inside", "spread"};
    for (const Memory memory : memories)
      for (const std::int64_t extent : {1, 7, 33, 600}) {
        const std::string end = names[static_cast<int>(memory)];
        const auto expect_fast = [&](const std::string& sums, const auto& argument_of) {
          EXPECT_TRUE((is_fast<T, Rank, Dimension>(kernel, targets, memory, extent, argument_of)))
              << head << what << sums << end << extent;
          fast.insert(head + what + sums + end);
        };
        expect_fast(" potential ", [](const auto& out) { return out.potential.view; });
        expect_fast(" gradient ", [](const auto& out) { return out.argument(); });
        expect_fast(" gradient_alone ", [](const auto& out) { return out.gradient_alone(); });
      }
  };
  const Keramos::UniformGrid<3> grid{{-0.9, -0.4, 0.1}, {0.05, 0.07, 0.11}};
  ask("grid3", grid, std::integer_sequence<int, 3, 3>());
  ask("grid2", Keramos::UniformGrid<2>{{0, 0}, {1, 1}}, std::integer_sequence<int, 2, 2>());
  ask("plane", grid.plane(1, 2), std::integer_sequence<int, 2, 3>());
  ask("points3", nullptr, std::integer_sequence<int, 1, 3>());
  ask("points2", nullptr, std::integer_sequence<int, 1, 2>());
  EXPECT_EQ(listed(head), fast); // nothing listed that is not asked, nothing fast that is not listed
}

template <class K>
void check_both(const K& kernel)
{
  check<float>(kernel);
  check<double>(kernel);
}

#ifdef KOKKOS_ENABLE_CUDA
/// A functor of r^2, or of r^2 and 1/r, gets the kernel that shares the distance across a row.
template <class T, bool WithGradient, class K>
void check_functor(const K& kernel)
{
  const Output<T, 3, 3, WithGradient> out({96, 96, 96}, Memory::right);
  const Array<T, 2> positions({4000, 3}, Memory::left);
  const Array<T, 1> weights({4000}, Memory::right);
  const Keramos::Kernel taken = Keramos::gather_sum(Keramos::dry_run(Kokkos::Cuda()), kernel,
                                                    Keramos::UniformGrid<3>{{-0.9, -0.4, 0.1}, {0.05, 0.07, 0.11}},
                                                    Keramos::Sources{positions.view, weights.view}, out.argument());
  EXPECT_EQ(taken.backend, Keramos::Backend::cuda);
  EXPECT_EQ(taken.variant, WithGradient ? "radial functor grid x4 gradient" : "radial functor grid x8");
}

/// What sums with a built-in kernel in float take.
template <bool WithGradient>
Keramos::cuda::gather_sum::GatherShape shape_on_h200(std::int64_t targets, const Keramos::core::Index3* on_grid,
                                                     std::int64_t sources)
{
  namespace sums = Keramos::cuda::gather_sum;
  constexpr Keramos::cuda::Device h200{90, 132, 227 << 10, 228 << 10};
  return sums::partition_gather_sum(h200, targets, on_grid, sources,
                                    sums::BuiltInTargets<float, WithGradient>::per_thread)
      .shape;
}

/// Where neither targets nor blocks of sources fill an H200, all sources of a target go to the warps of a thread block, by one
/// kernel without scratch; few targets and large sums stay with the others.
TEST(GatherSumCoverage, SmallSumsByWarps)
{
  using Keramos::cuda::gather_sum::GatherShape;
  const auto shape = shape_on_h200<false>;
  const Keramos::core::Index3 small{128, 128, 1}, large{256, 256, 256};
  EXPECT_EQ(shape(3000, nullptr, 3000), GatherShape::points_by_warps);
  EXPECT_EQ(shape(128 * 128, &small, 4000), GatherShape::grid_by_warps);
  EXPECT_EQ(shape(20000, nullptr, 20000), GatherShape::points);
  EXPECT_EQ(shape(256 * 256 * 256, &large, 4000), GatherShape::grid);
  EXPECT_EQ(shape(100, nullptr, 10'000'000), GatherShape::few);
}

/// With gradients in float a warp that reads a source for every pair takes twice as long for it as a thread of four targets on a grid.
TEST(GatherSumCoverage, SmallSumsWithGradients)
{
  using Keramos::cuda::gather_sum::GatherShape;
  const auto shape = shape_on_h200<true>;
  const Keramos::core::Index3 small{128, 128, 1}, middle{300, 300, 1};
  EXPECT_EQ(shape(128 * 128, &small, 500), GatherShape::points_by_warps);
  EXPECT_EQ(shape(128 * 128, &small, 4000), GatherShape::grid);
  EXPECT_EQ(shape(300 * 300, &middle, 4000), GatherShape::grid);
  EXPECT_EQ(shape(3000, nullptr, 3000), GatherShape::points_by_warps);
  EXPECT_EQ(shape(20000, nullptr, 4000), GatherShape::points);
}

/// Few targets are alone in their groups, in fours or in fives, with 8 or 64 blocks of sources side by side, as was fastest on an H200.
TEST(GatherSumCoverage, FewTargets)
{
  namespace sums = Keramos::cuda::gather_sum;
  constexpr Keramos::cuda::Device h200{90, 132, 227 << 10, 228 << 10};
  const auto expect = [&](std::int64_t targets, std::int64_t sources, int of_group, int step, int threads,
                          std::int64_t tiles, int slice_bytes) {
    const sums::GatherPartition chosen =
        sums::partition_gather_sum(h200, targets, nullptr, sources, sums::BuiltInTargets<float, false>::per_thread);
    EXPECT_EQ(chosen.shape, sums::GatherShape::few) << targets << ", " << sources;
    EXPECT_EQ(chosen.targets_per_thread, of_group) << targets << ", " << sources;
    EXPECT_EQ(chosen.step, step) << targets << ", " << sources;
    EXPECT_EQ(chosen.threads, threads) << targets << ", " << sources;
    EXPECT_EQ(chosen.tiles, tiles) << targets << ", " << sources;
    EXPECT_EQ(chosen.slice_bytes, slice_bytes) << targets << ", " << sources;
  };
  expect(1, 100'000, 1, 8, 32, 1, 512);
  expect(20, 100'000, 1, 8, 96, 2, 1024);
  expect(20, 1 << 20, 5, 8, 32, 1, 512);
  expect(64, 1 << 20, 4, 8, 128, 1, 1024);
  expect(1, 3'000'000, 1, 64, 64, 1, 256);
  expect(1, 10'000'000, 1, 64, 64, 1, 128);
  expect(3, 10'000'000, 4, 64, 64, 1, 128);
  expect(10, 10'000'000, 5, 64, 128, 1, 128);
  expect(100, 10'000'000, 5, 8, 160, 1, 1024);
  expect(320, 10'000'000, 5, 8, 128, 4, 1024);
}

/// Of all GPUs from one multiprocessor to a B200's and more, none gets more chunks of sources than a grid has blocks along its second axis.
TEST(GatherSumCoverage, NoMoreChunksThanAGridHas)
{
  namespace sums = Keramos::cuda::gather_sum;
  const auto expect_fewer = [](const sums::TargetsPerThread& per_thread) {
    for (const int multiprocessors : {1, 84, 132, 148, 188})
      for (const std::int64_t targets : {1, 8, 16, 20, 64, 320, 5000}) {
        const Keramos::cuda::Device device{90, multiprocessors, 227 << 10, 228 << 10};
        for (std::int64_t sources = 1 << 20; sources < std::int64_t{1} << 46; sources += sources / 32) {
          const sums::GatherPartition chosen =
              sums::partition_gather_sum(device, targets, nullptr, sources, per_thread);
          ASSERT_LE(chosen.chunks, 65535) << multiprocessors << ", " << targets << ", " << sources;
          ASSERT_GE(chosen.chunks * chosen.chunk, sources) << multiprocessors << ", " << targets << ", " << sources;
        }
      }
  };
  expect_fewer(sums::BuiltInTargets<float, false>::per_thread);
  expect_fewer(sums::BuiltInTargets<double, false>::per_thread);
  expect_fewer(sums::BuiltInTargets<double, true>::per_thread);
  expect_fewer(sums::FunctorTargets<true, false>::per_thread);
}

/// Only a Gaussian has 8 targets a thread at points, and only where thread blocks of them fill an H200.
TEST(GatherSumCoverage, GaussiansAtManyPoints)
{
  namespace sums = Keramos::cuda::gather_sum;
  constexpr Keramos::cuda::Device h200{90, 132, 227 << 10, 228 << 10};
  const auto targets_per_thread = [&](std::int64_t targets, const sums::TargetsPerThread& per_thread) {
    const sums::GatherPartition chosen = sums::partition_gather_sum(h200, targets, nullptr, 16384, per_thread);
    EXPECT_EQ(chosen.shape, sums::GatherShape::points) << targets;
    return chosen.targets_per_thread;
  };
  constexpr sums::TargetsPerThread of_gaussian = sums::BuiltInTargets<float, false, Keramos::Gaussian>::per_thread;
  EXPECT_EQ(targets_per_thread(1 << 20, of_gaussian), 8);
  EXPECT_EQ(targets_per_thread(527 * 1024, of_gaussian), 4);
  EXPECT_EQ(targets_per_thread(1 << 20, sums::BuiltInTargets<float, false>::per_thread), 4);
}

TEST(GatherSumCoverage, FunctorsOnGrids)
{
  check_functor<float, false>(Logarithm());
  check_functor<float, true>(Screened());
  check_functor<double, false>(Screened());
}
#endif

TEST(GatherSumCoverage, Coulomb) { check_both(Keramos::Coulomb{}); }
TEST(GatherSumCoverage, Yukawa) { check_both(Keramos::Yukawa{.kappa = 1.3}); }
TEST(GatherSumCoverage, Gaussian) { check_both(Keramos::Gaussian{.sigma = 0.4}); }
TEST(GatherSumCoverage, InverseMultiquadric) { check_both(Keramos::InverseMultiquadric{.c = 0.2}); }

} // namespace
