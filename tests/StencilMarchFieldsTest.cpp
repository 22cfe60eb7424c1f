// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared fields, and the wave update's, behind a star that sums by pairs of columns, in double by single ones
// (backends/cuda/stencil/MarchPairFields.hpp, MarchPairOperands.hpp): fields of odd pitches that lie each by itself, in place, in Regions, bit
// for bit as by the kernel of older GPUs. And what takes them.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;
using Keramos::constant;

/// Of declared fields, and a number between them.
template <class T>
struct OfFields {
  KOKKOS_FUNCTION T operator()(T value, T centre, T before, T scale, T field) const
  {
    return 2 * centre - before + scale * value * field;
  }
  KOKKOS_FUNCTION T operator()(T value, T centre, T field) const { return centre + field * value; }
};

/// Fields of odd pitches, each in an array of its own pitch; the first is updated in place. By the kernel of older GPUs, and by pairs of columns
/// or by single ones.
template <class T>
class FieldsAnywhere {
public:
  using Op = Keramos::Star<3, 4>;

  FieldsAnywhere(const Index& extents, int shift)
      : in_(extents, shift, 2), by_other_(extents, 1 + shift, 4, 1), by_pairs_(extents, 1 + shift, 4, 1),
        before_(extents, 2 * shift, 2), scale_(extents, 3, 7 + shift)
  {
    in_.fill(1), before_.fill(2), scale_.fill(3);
  }

  template <class EpilogueOf, class Launch>
  void check(const Keramos::Region<3>& region, const EpilogueOf& epilogue_of, const Launch& launch) const
  {
    for (const auto& out : {by_other_, by_pairs_}) out.fill(4);
    const Rules rules = constant(0);
    apply_as_older<Weighted<Op>>(in_.view, by_other_.view, rules, region, epilogue_of(by_other_.view));
    const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in_.view, by_pairs_.view, rules, &region));
    const auto epilogue = bound_epilogue<Op, StridedView<T, 3>>(problem, epilogue_of(by_pairs_.view));
    const auto device = Keramos::cuda::device_of(own_instance());
    const auto request = stencil::request_of(device, problem, epilogue);
    const std::size_t bytes = by_other_.buffer.size() * sizeof(T);
    for (int number = stencil::functor_pairs;
         stencil::has_march_functor_shape(Op::radius, sizeof(T), request.operands, number); ++number) {
      const auto shape = stencil::march_functor_shape(Op::radius, sizeof(T), request.operands, number);
      by_pairs_.fill(4);
      auto plan = stencil::plan_march_functor(request, number);
      ASSERT_EQ(plan.has_value(), region.end[1] - region.begin[1] >= shape.height()) << "of a tile's rows at least";
      if (!plan) continue;
      if (region.begin[0] == 0) // blocks keep together, as on large grids
        plan->arguments.groups.steps = static_cast<int>(plan->arguments.chunk) + 2 * Op::radius;
      launch(Keramos::Kernel{Keramos::Backend::cuda, "apply_stencil", plan->variant}, own_instance(), *plan, epilogue);
      own_instance().fence("the host reads what was written");
      EXPECT_EQ(std::memcmp(by_other_.buffer.data(), by_pairs_.buffer.data(), bytes), 0) << plan->variant.str();
    }
  }

  void check(const Keramos::Region<3>& region) const
  {
    const auto as_users = [](const auto&... arguments) { stencil::launch_march_functor_of<4>(arguments...); };
    const auto as_library = [](const auto&... arguments) { stencil::library::launch_march_epilogue(arguments...); };
    check(
        region,
        [&](const auto& out) {
          return Keramos::Epilogue{OfFields<T>(), out, T(0.3), scale_.view};
        },
        as_users);
    check(
        region,
        [](const auto& out) {
          return Keramos::Epilogue{OfFields<T>(), out};
        },
        as_users);
    check(
        region,
        [&](const auto& out) {
          return Keramos::LeapFrog{out, scale_.view};
        },
        as_library);
    check(
        region,
        [](const auto& out) {
          return Keramos::LeapFrog{out, T(0.3)};
        },
        as_library);
    check(
        region,
        [&](const auto&) {
          return Keramos::LeapFrog{before_.view, scale_.view};
        },
        as_library);
  }

private:
  Part<T> in_, by_other_, by_pairs_, before_, scale_;
};

template <class T>
void check_anywhere(const Index& extents, int shift)
{
  SCOPED_TRACE(testing::Message() << extents[1] << "x" << extents[2] << " shift " << shift);
  const auto [planes, rows, columns] = extents;
  const FieldsAnywhere<T> fields(extents, shift);
  fields.check({{0, 0, 0}, {planes, rows, columns}});
  fields.check({{1, 2, 3 + shift}, {planes - 1, rows - 1, columns - 2}});
}

TEST(StencilMarchFields, FieldsLieAnywhere)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  for (int shift = 0; shift < 4; ++shift) {
    check_anywhere<float>({9, 43, 509}, shift);
    check_anywhere<double>({9, 43, 509}, shift);
    check_anywhere<double>({9, 31, 260}, shift); // tiles of 130 columns, two of which have a warp of their own
    check_anywhere<double>({9, 31, 263}, shift); // two of 132, with more operands than one three of 88
    check_anywhere<double>({17, 19, 37}, shift); // narrow ones, and fewer rows than two tiles
  }
  check_anywhere<double>({19, 541, 517}, 1); // the last tiles in shorter chunks
}

/// The widest tile that fields in shared memory allow and a column more, tiles that meet no end of a row, the fewest rows and many planes.
TEST(StencilMarchFields, TilesHaveAnyWidth)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  for (const std::int64_t columns : {33, 130, 536, 537, 577, 1611}) {
    check_anywhere<float>({37, 11, columns}, static_cast<int>(columns % 4)); // its inner Region has a tile's 8 rows
    check_anywhere<float>({6, 21, columns}, 1);
  }
}

template <class T, int Radius, class EpilogueOf>
bool takes(const Index& extents, const std::string& tile, const Rules& rules, const EpilogueOf& epilogue_of)
{
  const Array<T, 3> in(extents, Memory::right), out(extents, Memory::right);
  const Keramos::Kernel kernel =
      Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, Radius>>{}, in.view, out.view,
                             rules, epilogue_of(out.view));
  return std::string(kernel.variant).find(tile) != std::string::npos;
}

/// Radius 4 by this tile, in rows of 257 by the shorter one; not other edges and radii, even rows and small grids. `for_others`: whether fields
/// at other edges, or that lie across the rows, have that tile.
template <class T>
void check_taken(const Index& extents, const std::string& tile, const std::string& shorter, const std::string& others,
                 bool for_others)
{
  const Array<T, 3> across(extents, Memory::left);
  const auto wave = [](const auto& out) { return Keramos::LeapFrog{out, 0.5}; };
  const auto field = [](const auto& out) { return Keramos::Epilogue{OfFields<T>(), out, T(0.3), out}; };
  const auto other = [&](const auto& out) { return Keramos::Epilogue{OfFields<T>(), out, T(0.3), across.view}; };
  EXPECT_TRUE((takes<T, 4>(extents, tile + " leap-frog", constant(0), wave)));
  EXPECT_TRUE((takes<T, 4>({65, 255, 257}, shorter + " leap-frog", constant(0), wave)));
  EXPECT_FALSE((takes<T, 4>(extents, "partial sums", Keramos::periodic, wave)));
  EXPECT_FALSE((takes<T, 3>(extents, "partial sums", constant(0), wave)));
  EXPECT_FALSE((takes<T, 4>({extents[0], extents[1], 512}, "partial sums", constant(0), wave)));
  EXPECT_FALSE((takes<T, 4>({9, 127, 509}, "partial sums", constant(0), wave)));
  EXPECT_TRUE((takes<T, 4>(extents, tile, constant(0), field)));
  EXPECT_EQ((takes<T, 4>(extents, others, Keramos::periodic, field)), for_others);
  EXPECT_EQ((takes<T, 4>(extents, others, constant(0), other)), for_others);
}

/// Of radius 4 in float by pairs of columns, but where fields lie across the rows, or edges are others.
TEST(StencilMarchFields, IsTakenForFieldsOfOddRows)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_taken<float>({33, 255, 513}, "513x8 v2", "257x8 v2", "257x12", true);
}

/// In double by single columns.
TEST(StencilMarchFields, IsTakenForFieldsOfOddRowsInDouble)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_taken<double>({33, 252, 513}, "129x15", "129x15", "129x15", false);
  const auto field = [](const auto& out) { return Keramos::Epilogue{OfFields<double>(), out, 0.3, out}; };
  EXPECT_FALSE((takes<double, 4>({33, 252, 512}, "partial sums", constant(0), field)));
}

/// Waves of large grids whose rows lie on 16 bytes, of Views that nobody reads.
template <class T>
bool takes_for_waves(const Index& extents, const std::string& tile)
{
  const Kokkos::LayoutStride layout(extents[0], extents[1] * extents[2], extents[1], extents[2], extents[2], 1);
  const auto view_at = [&](std::uintptr_t address) { return StridedView<T, 3>(reinterpret_cast<T*>(address), layout); };
  const auto in = view_at(std::uintptr_t(1) << 36), out = view_at(std::uintptr_t(1) << 37);
  const Keramos::Kernel kernel =
      Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, 4>>{}, in, out, constant(0),
                             Keramos::LeapFrog{out, 0.5});
  return std::string(kernel.variant).find(tile + " leap-frog") != std::string::npos;
}

/// The kernel by tensor copies keeps those whose tiles are filled.
TEST(StencilMarchFields, IsTakenForWavesThatFillNoTiles)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  EXPECT_TRUE((takes_for_waves<float>({514, 515, 520}, "520x8 v2")));
  EXPECT_TRUE((takes_for_waves<float>({512, 512, 576}, "576x8 v2")));
  EXPECT_TRUE((takes_for_waves<float>({512, 512, 512}, "boxes 128x32")));
  EXPECT_TRUE((takes_for_waves<float>({320, 320, 320}, "boxes 128x32")));
  EXPECT_TRUE((takes_for_waves<double>({258, 258, 258}, "129x15")));
  EXPECT_TRUE((takes_for_waves<double>({512, 512, 512}, "boxes 64x32")));
}

/// Fields in shared memory leave room for 536 columns; where rows want wider tiles, and one field in short rows, they come from the L2.
TEST(StencilMarchFields, IsTakenByTilesThatFit)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  const auto wave = [](const auto& out) { return Keramos::LeapFrog{out, 0.5}; };
  const auto field = [](const auto& out) { return Keramos::Epilogue{OfFields<float>(), out}; };
  EXPECT_TRUE((takes<float, 4>({33, 255, 535}, "535x8 v2 leap-frog", constant(0), wave)));
  EXPECT_TRUE((takes<float, 4>({33, 255, 561}, "561x8 v2 leap-frog", constant(0), wave)));
  EXPECT_TRUE((takes<float, 4>({33, 255, 641}, "321x8 v2 leap-frog", constant(0), wave)));
  EXPECT_TRUE((takes<float, 4>({33, 255, 513}, "513x8 v2", constant(0), field)));
  EXPECT_TRUE((takes<float, 4>({65, 255, 561}, "561x8 v2", constant(0), field)));
  EXPECT_TRUE((takes<float, 4>({65, 255, 257}, "257x8 v2", constant(0), field)));
}

} // namespace
