// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars on small grids (backends/cuda/stencil/SmallStar.hpp) have the bits of the march that older GPUs take: around the ends of blocks,
// on tiny extents, at every edge rule, in Regions, sub-views and both layouts, behind the library's epilogues. And they are taken there.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;
using Keramos::constant, Keramos::sides;

bool is_small_star(const Keramos::Kernel& kernel) { return kernel.variant.str().find("small") != std::string::npos; }

/// Whose rows begin on 16 bytes if they are made of whole vectors.
template <class T>
Array<T, 3> aligned(const Index& extents, Memory memory)
{
  Array<T, 3> array(extents, memory);
  array.view = StridedView<T, 3>(array.buffer.data() + 8, array.view.layout());
  return array;
}

template <class T, class Op>
class Case {
public:
  /// Extents of `out`, and how much longer those of `in` are.
  Case(const Rules& rules, const Index& extents, const Index& halo, Memory memory)
      : rules_(rules), in_(aligned<T>({extents[0] + halo[0], extents[1] + halo[1], extents[2] + halo[2]}, memory)),
        scale_(aligned<T>(extents, memory)), by_march_(aligned<T>(extents, memory)),
        by_registers_(aligned<T>(extents, memory))
  {
    in_.randomise(3);
    scale_.randomise(4);
  }

  void check(const Keramos::Region<3>& region)
  {
    compare(region, [](const auto&) { return core::StoreValue(); });
    if (in_graphs()) return; // the second run would find what the first one left
    compare(region, [](const auto& out) { return Keramos::LeapFrog{out.view, T(0.3)}; });
    compare(region, [&](const auto& out) { return Keramos::LeapFrog{out.view, scale_.view}; });
    compare(region, [&](const auto&) { return Keramos::LeapFrog{scale_.view, T(0.3)}; });
  }

private:
  /// The same bits everywhere, outside of the View as well.
  template <class EpilogueOf>
  void compare(const Keramos::Region<3>& region, const EpilogueOf& epilogue_of)
  {
    const core::StencilProblem problem(core::stencil_call(Op{}, in_.view, by_march_.view, rules_, &region));
    if (problem.empty()) return; // nobody would be asked
    apply(older_device(), by_march_, region, epilogue_of);
    auto device = Keramos::cuda::device_of(own_instance());
    for (const int multiprocessors : {device.multiprocessors, 8, 1, 0}) { // the fewer, the more grids are large ones
      device.multiprocessors = multiprocessors;
      EXPECT_TRUE(is_small_star(apply(device, by_registers_, region, epilogue_of)));
      const auto bytes = by_march_.buffer.size() * sizeof(T);
      EXPECT_EQ(std::memcmp(by_march_.buffer.data(), by_registers_.buffer.data(), bytes), 0);
    }
  }

  template <class EpilogueOf>
  Keramos::Kernel apply(const Keramos::cuda::Device& device, const Array<T, 3>& out, const Keramos::Region<3>& region,
                        const EpilogueOf& epilogue_of)
  {
    Kokkos::deep_copy(out.buffer, T(0.25));
    const core::StencilProblem problem(core::stencil_call(Op{}, in_.view, out.view, rules_, &region));
    const auto plan =
        stencil::choose(device, problem, bound_epilogue<Op, StridedView<T, 3>>(problem, epilogue_of(out)));
    launch_and_wait([&] { stencil::launch(*plan, own_instance()); });
    return plan->kernel;
  }

  Rules rules_;
  Array<T, 3> in_, scale_, by_march_, by_registers_;
};

/// Along the rows, x, whole vectors; along y, whole threads. Of `interior` and `ghost` radius 4 leaves that.
template <class T, int Radius>
void check_radius()
{
  using Star = Case<T, Weighted<Keramos::Star<3, Radius>>>;
  int turn = 0;
  for (const std::int64_t nx : {12, 16, 28, 64, 68, 132})
    for (const auto& [nz, ny] : {std::pair(6, 6), {6, 18}, {7, 34}, {17, 8}, {33, 10}, {13, 26}})
      for (const Memory memory : {Memory::right, Memory::left}) {
        const Rules& rules = all_rules[turn++ % std::size(all_rules)];
        if (Radius < 4 && rules[1].low == Keramos::interior) continue;
        SCOPED_TRACE(testing::Message() << "radius " << Radius << " turn " << turn << ": " << nx << " x " << ny << " x "
                                        << nz);
        const bool right = memory == Memory::right;
        const auto in_view_order = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
          return right ? Index{z, y, x} : Index{x, y, z};
        };
        const Index extents = in_view_order(nx, ny, nz);
        Star star(rules, extents, {}, memory);
        star.check({{0, 0, 0}, extents});
        star.check({in_view_order(4, 2, 1), in_view_order(nx - 4, ny, nz - 1)});
      }
  if constexpr (Radius == 4)
    for (const std::int64_t nx : {12, 64}) {
      const Keramos::Region<3> everywhere{{0, 0, 0}, {6, 8, nx}};
      Star(Keramos::ghost, everywhere.end, {8, 8, 8}, Memory::right).check(everywhere);
      Star(sides(Keramos::ghost, Keramos::mirror), everywhere.end, {4, 4, 4}, Memory::right).check(everywhere);
    }
}

/// Chunks of fewer planes than a star reaches, or of a few more, and tiles that end beyond the field.
template <class T>
void check_few_planes()
{
  for (const std::int64_t nz : {1, 2, 3, 4, 5, 8, 9, 23})
    for (const std::int64_t nx : {12, 36, 84}) {
      SCOPED_TRACE(testing::Message() << nz << " planes, rows of " << nx);
      const Keramos::Region<3> everywhere{{0, 0, 0}, {nz, 18, nx}};
      Case<T, Weighted<Keramos::Star<3, 3>>>(constant(0), everywhere.end, {}, Memory::right).check(everywhere);
      Case<T, Weighted<Keramos::Star<3, 4>>>(constant(0), everywhere.end, {}, Memory::right).check(everywhere);
    }
}

/// Rows that begin anywhere and have any length, with zeros or memory beyond them.
template <class T, int Radius>
void check_odd_rows()
{
  using Star = Case<T, Weighted<Keramos::Star<3, Radius>>>;
  constexpr std::int64_t halo = 2 * Radius;
  for (const std::int64_t nx : {9, 31, 33, 67, 130})
    for (const auto& [nz, ny] : {std::pair(9, 9), {10, 19}, {23, 11}, {14, 12}}) {
      SCOPED_TRACE(testing::Message() << "radius " << Radius << ": " << nx << " x " << ny << " x " << nz);
      const Keramos::Region<3> everywhere{{0, 0, 0}, {nz, ny, nx}};
      Star zeros(constant(0), everywhere.end, {}, Memory::right);
      zeros.check(everywhere);
      zeros.check({{1, 2, 3}, {nz - 1, ny, nx - 1}});
      Star(Keramos::interior, everywhere.end, {}, Memory::right).check(everywhere);
      Star(Keramos::ghost, everywhere.end, {halo, halo, halo}, Memory::right).check(everywhere);
      Star(constant(0), {nx, ny, nz}, {}, Memory::left).check({{0, 0, 0}, {nx, ny, nz}});
    }
}

template <class T>
void check_bits()
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  check_few_planes<T>();
  check_odd_rows<T, 1>();
  check_odd_rows<T, 2>();
  check_odd_rows<T, 3>();
  check_odd_rows<T, 4>();
  check_radius<T, 1>();
  check_radius<T, 2>();
  check_radius<T, 3>();
  check_radius<T, 4>();
}

TEST(StencilSmallStar, HasTheBitsOfAMarchInFloat) { check_bits<float>(); }
TEST(StencilSmallStar, HasTheBitsOfAMarchInDouble) { check_bits<double>(); }

template <class T>
Keramos::Kernel kernel_of(const Index& extents, const Rules& rules = constant(0))
{
  const auto in = aligned<T>(extents, Memory::right), out = aligned<T>(extents, Memory::right);
  return Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, 4>>{}, in.view, out.view,
                                rules);
}

template <class T>
bool is_taken(const Index& extents, const Rules& rules = constant(0))
{
  return is_small_star(kernel_of<T>(extents, rules));
}

std::string variant_of(const Keramos::Kernel& kernel) { return kernel.variant.str(); }

/// By planes as soon as not all threads of one plane would run at once, and where rows begin anywhere.
TEST(StencilSmallStar, GoesByPlanesOnLargerGrids)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  if (Keramos::cuda::device_of(own_instance()).multiprocessors != 132) GTEST_SKIP() << "these are the figures of 132";
  EXPECT_EQ(variant_of(kernel_of<float>({64, 64, 64})), "star<3,4> small 64x4x4 v4");
  EXPECT_EQ(variant_of(kernel_of<float>({80, 80, 80})), "star<3,4> small planes 80x8x8 v4");
  EXPECT_EQ(variant_of(kernel_of<float>({96, 96, 96})), "star<3,4> small planes 96x6x12 v4");
  EXPECT_EQ(variant_of(kernel_of<float>({128, 128, 128})), "star<3,4> small planes 128x8x16 v4");
  EXPECT_EQ(variant_of(kernel_of<float>({97, 97, 97})), "star<3,4> small planes 49x4x8 v1");
  EXPECT_EQ(variant_of(kernel_of<float>({96, 95, 97})), "star<3,4> small planes 49x6x12 v1");
  EXPECT_EQ(variant_of(kernel_of<double>({32, 32, 32})), "star<3,4> small 32x4x4 v2");
  EXPECT_EQ(variant_of(kernel_of<double>({64, 64, 64})), "star<3,4> small planes 64x4x8 v2");
  EXPECT_EQ(variant_of(kernel_of<double>({96, 96, 96})), "star<3,4> small planes 96x6x12 v2");
  EXPECT_EQ(variant_of(kernel_of<float>({96, 96, 96}, Keramos::periodic)), "star<3,4> small 32x16x8 v4");
}

TEST(StencilSmallStar, IsNotPlannedForMoreBlocksThanAGridHas)
{
  const Index extents{2000000, 2, 4};
  const auto in = aligned<float>(extents, Memory::right), out = aligned<float>(extents, Memory::right);
  const Rules rules = constant(0);
  const Keramos::Region<3>* const everywhere = nullptr;
  const core::StencilProblem problem(
      core::stencil_call(Weighted<Keramos::Star<3, 4>>{}, in.view, out.view, rules, everywhere));
  const auto device = Keramos::cuda::device_of(own_instance());
  EXPECT_FALSE(stencil::plan_small_star(stencil::request_of(device, problem, core::StoreValue())).has_value());
}

/// In double, where zero is beyond all ends: in chunks for which all blocks run at once.
TEST(StencilSmallStar, MarchesThroughTheLargerOnes)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  if (Keramos::cuda::device_of(own_instance()).multiprocessors != 132) GTEST_SKIP() << "these are the figures of 132";
  EXPECT_EQ(kernel_of<double>({104, 104, 104}).variant.str(), "star<3,4> small march 16x16x11");
  EXPECT_EQ(kernel_of<double>({128, 128, 128}).variant.str(), "star<3,4> small march 16x16x16");
  EXPECT_EQ(kernel_of<double>({160, 160, 160}).variant.str(), "star<3,4> small march 16x16x32");
}

/// Where zero is beyond all ends, or rows are made of whole vectors and no rule wants a table.
TEST(StencilSmallStar, IsTakenForSmallGrids)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  for (const std::int64_t side : {8, 32, 64, 128, 192}) EXPECT_TRUE(is_taken<float>({side, side, side})) << side;
  for (const std::int64_t side : {8, 32, 64, 96, 160}) EXPECT_TRUE(is_taken<double>({side, side, side})) << side;
  for (const std::int64_t side : {33, 63, 127, 159}) EXPECT_TRUE(is_taken<float>({side, side, side})) << side;
  for (const std::int64_t side : {163, 200}) EXPECT_FALSE(is_taken<float>({side, side, side})) << side;
  EXPECT_FALSE(is_taken<float>({63, 63, 63}, Keramos::periodic));
  EXPECT_TRUE(is_taken<float>({96, 96, 96}, Keramos::periodic));
  EXPECT_FALSE(is_taken<float>({128, 128, 128}, Keramos::periodic));
  EXPECT_FALSE(is_taken<float>({64, 63, 64}, Keramos::periodic));
  EXPECT_TRUE(is_taken<float>({3, 64, 64}));
  EXPECT_FALSE(is_taken<float>({3, 64, 64}, Keramos::reflect));
  EXPECT_FALSE(is_taken<float>({5, 64, 64}, Keramos::periodic_closed));
}

} // namespace
