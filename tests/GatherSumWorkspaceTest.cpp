// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scratch of gather-sums: how much a call takes, whose it is, what is wrong use of it, and that no sum depends on it.
// On a GPU few targets with many sources take some; nothing else does on the host.
#include "Run.hpp"
#include "Support.hpp"

#include <Keramos_GatherSum.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

using namespace test;
using Keramos::Coulomb, Keramos::Sources, Keramos::Workspace;

class GatherSumWorkspace : public testing::Test {
protected:
  using Bytes = Kokkos::View<char*, Shared>;

  Array<float, 2> positions{{40000, 3}, Memory::left}, points{{50, 3}, Memory::right};
  Array<float, 1> weights{{40000}, Memory::right}, out{{50}, Memory::right}, same{{50}, Memory::right};

  GatherSumWorkspace()
  {
    positions.randomise(1);
    points.randomise(2);
    weights.randomise(3);
  }

  auto sources() const { return Sources{positions.view, weights.view}; }
  std::size_t size() const
  {
    return Keramos::gather_sum_workspace_size(own_instance(), Coulomb{}, points.view, sources(), out.view);
  }
  /// The message of a call with this scratch, which a dry run has as well.
  template <class View>
  std::string said(const View& scratch) const
  {
    const auto said_on = [&](const auto& exec) {
      return message(
          [&] { Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), out.view, Workspace{scratch}); });
    };
    const std::string words = said_on(own_instance());
    EXPECT_EQ(said_on(Keramos::dry_run(own_instance())), words);
    return words;
  }
};

bool says(const Keramos::Kernel& kernel, const char* words)
{
  return kernel.variant.str().find(words) != std::string::npos;
}

TEST_F(GatherSumWorkspace, SizeAndOwner)
{
  EXPECT_EQ(size() > 0, has_cuda);
  EXPECT_EQ(size() % sizeof(double), 0u);
  const auto portable = Keramos::with_backend(own_instance(), Keramos::Backend::portable);
  EXPECT_EQ(Keramos::gather_sum_workspace_size(portable, Coulomb{}, points.view, sources(), out.view), 0u);
  const Bytes scratch("scratch", size());
  const auto allocating =
      run([&](const auto& exec) { return Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), out.view); });
  const auto given = run([&](const auto& exec) {
    return Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), same.view, Workspace{scratch});
  });
  EXPECT_EQ(says(allocating, "scratch allocated"), has_cuda) << allocating;
  EXPECT_FALSE(says(given, "scratch allocated")) << given;
  EXPECT_EQ(std::memcmp(out.view.data(), same.view.data(), 50 * sizeof(float)), 0);
  EXPECT_NE(out.at({7}), -777);
}

/// The gradient alone: as beside a potential, in scratch and without.
TEST_F(GatherSumWorkspace, OfTheGradientAlone)
{
  const Array<float, 2> slopes({50, 3}, Memory::spread), alone({50, 3}, Memory::spread);
  const auto bytes = Keramos::gather_sum_workspace_size(own_instance(), Coulomb{}, points.view, sources(),
                                                        Keramos::Gradient{alone.view});
  EXPECT_EQ(bytes > 0, has_cuda);
  const Bytes scratch("scratch", bytes);
  run([&](const auto& exec) {
    Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), Keramos::PotentialAndGradient{out.view, slopes.view});
    return Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), Keramos::Gradient{alone.view},
                               Workspace{scratch});
  });
  EXPECT_EQ(std::memcmp(slopes.buffer.data(), alone.buffer.data(), alone.buffer.size() * sizeof(float)), 0);
}

TEST_F(GatherSumWorkspace, NoneForManyTargetsOrFewSources)
{
  const Kokkos::View<float***, Shared> volume("volume", 160, 160, 160);
  const Keramos::UniformGrid<3> grid{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(Keramos::gather_sum_workspace_size(own_instance(), Coulomb{}, grid, sources(), volume), 0u);
  const auto rows = std::pair(0, 200);
  const Sources few{Kokkos::subview(positions.view, rows, Kokkos::ALL), Kokkos::subview(weights.view, rows)};
  EXPECT_EQ(Keramos::gather_sum_workspace_size(own_instance(), Coulomb{}, points.view, few, out.view), 0u);
  const Array<float, 1> none({0}, Memory::right);
  const Array<float, 2> no_points({0, 3}, Memory::right);
  EXPECT_EQ(Keramos::gather_sum_workspace_size(own_instance(), Coulomb{}, no_points.view, sources(), none.view), 0u);
}

TEST_F(GatherSumWorkspace, AnyUpdateAndLargerThanNeeded)
{
  const Kokkos::View<double*, Shared> scratch("scratch", size() / sizeof(double) + 3);
  Kokkos::deep_copy(out.buffer, 0.5f);
  Kokkos::deep_copy(same.buffer, 0.5f);
  run([&](const auto& exec) {
    return Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), out.view, Keramos::accumulate);
  });
  run([&](const auto& exec) {
    return Keramos::gather_sum(exec, Coulomb{}, points.view, sources(), same.view, Keramos::accumulate,
                               Workspace{scratch});
  });
  EXPECT_EQ(std::memcmp(out.view.data(), same.view.data(), 50 * sizeof(float)), 0);
}

TEST_F(GatherSumWorkspace, WrongUse)
{
  const std::string head = "Keramos::gather_sum: argument 'workspace': expected ";
  EXPECT_EQ(said(out.view), head + "no element in common with 'out', got Views that overlap in memory");
  EXPECT_EQ(said(weights.buffer),
            head + "no element in common with 'sources.weights', got Views that overlap in memory");
  const Kokkos::View<float**, Kokkos::LayoutLeft, Shared> table("table", 9, 9);
  EXPECT_EQ(said(Kokkos::subview(table, std::pair(1, 4), Kokkos::ALL)),
            head + "contiguous memory, got strides with gaps");
  if constexpr (has_cuda) {
    const Bytes scratch("scratch", size() + 8);
    EXPECT_EQ(said(Kokkos::subview(scratch, std::pair<std::size_t, std::size_t>(0, size() - 1))),
              head + Keramos::core::text("at least ", size(), " bytes, as gather_sum_workspace_size tells, got ",
                                         size() - 1));
  }
  const Bytes bytes("bytes", size() + 16);
  EXPECT_EQ(said(Kokkos::subview(bytes, std::pair<std::size_t, std::size_t>(4, size() + 4))),
            head + "memory aligned to 8 bytes, got another address");
  const Array<float, 2> slopes({50, 3}, Memory::right);
  EXPECT_EQ(message([&] {
              Keramos::gather_sum(own_instance(), Coulomb{}, points.view, sources(),
                                  Keramos::PotentialAndGradient{out.view, slopes.view}, Workspace{out.view});
            }),
            head + "no element in common with 'out.potential', got Views that overlap in memory");
  EXPECT_EQ(message([&] {
              Keramos::gather_sum(own_instance(), Coulomb{}, points.view, sources(), Keramos::Gradient{slopes.view},
                                  Workspace{slopes.buffer});
            }),
            head + "no element in common with 'out.gradient', got Views that overlap in memory");
  EXPECT_EQ(out.at({7}), -777); // nothing was written
}

} // namespace
