// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel large stars take on GPUs that are not here, and how tiles are divided among their blocks. Planning reads no memory, and the
// Views of these tests have none.
#include "Devices.hpp"
#include "StencilSupport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace test;
using Keramos::cuda::Device;
using testing::HasSubstr;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;

/// The name of the kernel for a star.
template <class T, int Radius>
std::string taken(const Device& device, std::int64_t nz, std::int64_t ny, std::int64_t nx,
                  const Keramos::EdgeRules<3>& edges = Keramos::constant(0))
{
  using View = Kokkos::View<T***, Kokkos::LayoutRight, Exec, Kokkos::MemoryUnmanaged>;
  const auto at = [&](int terabytes) {
    return View(reinterpret_cast<T*>(std::uintptr_t(terabytes) << 40), nz, ny, nx);
  };
  const core::StencilProblem problem(core::stencil_call(Keramos::Star<3, Radius>{}, at(1), at(2), edges,
                                                        static_cast<const Keramos::Region<3>*>(nullptr)));
  return stencil::choose(device, problem, core::StoreValue()).value().kernel.variant.str();
}

/// Where tiles of 128 x 32 fit the grid, the kernel by tensor copies; where they leave much of the GPU idle, pairs of columns.
TEST(DeviceStars, AlignedRowsInFloat)
{
  for (const Device& device : {h100, h200}) {
    EXPECT_THAT((taken<float, 1>(device, 512, 512, 512)), HasSubstr("boxes 128x32"));
    EXPECT_THAT((taken<float, 2>(device, 512, 512, 512)), HasSubstr("boxes 128x32"));
    EXPECT_THAT((taken<float, 4>(device, 512, 1024, 1024)), HasSubstr("boxes 128x32"));
    EXPECT_THAT((taken<float, 4>(device, 300, 300, 300)), HasSubstr("boxes 128x32"));
    EXPECT_THAT((taken<float, 1>(device, 514, 515, 520)), HasSubstr("partial sums 520x12 v2"));
    EXPECT_THAT((taken<float, 2>(device, 264, 264, 264)), HasSubstr("partial sums 264x12 v2"));
    EXPECT_THAT((taken<float, 3>(device, 514, 515, 520)), HasSubstr("partial sums 520x8 v2"));
    EXPECT_THAT((taken<float, 4>(device, 512, 528, 512)), HasSubstr("partial sums 512x8 v2"));
    EXPECT_THAT((taken<float, 4>(device, 514, 516, 520, Keramos::periodic)), HasSubstr("boxes 128x32")) << "alone";
    EXPECT_THAT((taken<float, 2>(device, 200, 200, 264)), HasSubstr("boxes 128x32")) << "few points";
  }
}

TEST(DeviceStars, AlignedRowsInDouble)
{
  for (const Device& device : {h100, h200}) {
    EXPECT_THAT((taken<double, 4>(device, 512, 512, 512)), HasSubstr("> boxes 64x32"));
    EXPECT_THAT((taken<double, 4>(device, 514, 515, 520)), HasSubstr("> boxes 64x32"));
    EXPECT_THAT((taken<double, 1>(device, 512, 512, 512)), HasSubstr("> boxes 64x32"));
    EXPECT_THAT((taken<double, 1>(device, 1000, 1000, 1000)), HasSubstr("> boxes 64x32"));
    EXPECT_THAT((taken<double, 1>(device, 514, 515, 520)), HasSubstr("partial sums 130x16"));
    EXPECT_THAT((taken<double, 2>(device, 514, 515, 514)), HasSubstr("partial sums 129x16"));
    EXPECT_THAT((taken<double, 3>(device, 514, 515, 514)), HasSubstr("strided boxes 129x16"));
    EXPECT_THAT((taken<double, 4>(device, 258, 514, 258)), HasSubstr("strided boxes 129x16"));
    EXPECT_THAT((taken<double, 4>(device, 258, 516, 258, Keramos::periodic)), HasSubstr("> boxes 64x32")) << "alone";
  }
}

/// Each plane of each tile is one block's.
void check_parts(std::int64_t planes, std::int64_t tiles, std::int64_t together, bool has_rest)
{
  const auto schedule =
      (has_rest ? stencil::schedule_with_rest : stencil::even_schedule)(planes, tiles, together, 10, 64);
  std::vector<int> times(static_cast<std::size_t>(tiles * planes));
  std::int64_t longest = 0;
  for (std::int64_t block = 0; block < schedule.blocks; ++block) {
    const auto [tile, chunk, length] =
        stencil::part_of(static_cast<unsigned>(block), static_cast<unsigned>(tiles), schedule.chunk, schedule.rest);
    longest = std::max(longest, length);
    for (std::int64_t z = chunk * length; z < std::min(planes, (chunk + 1) * length); ++z)
      ++times.at(static_cast<std::size_t>(tile * planes + z));
  }
  EXPECT_THAT(times, testing::Each(1)) << planes << " planes, " << tiles << " tiles, " << together << " at once";
  EXPECT_EQ(longest, schedule.longest());
  EXPECT_LE(stencil::marching_part(schedule, planes, tiles, together), 1);
}

TEST(DeviceStars, BlocksShareAllPlanes)
{
  int rests = 0;
  for (const std::int64_t planes : {1, 7, 64, 65, 131})
    for (const std::int64_t tiles : {1, 4, 7, 8, 9, 17, 33})
      for (const std::int64_t together : {1, 4, 8, 13}) {
        check_parts(planes, tiles, together, false);
        check_parts(planes, tiles, together, true);
        rests += stencil::schedule_with_rest(planes, tiles, together, 10, 64).rest.chunk > 0;
      }
  EXPECT_GT(rests, 20);
}

} // namespace
