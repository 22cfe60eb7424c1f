// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A functor behind a star that sums by planes (backends/cuda/stencil/MarchFunctor.hpp) is called once for each point, with the value,
// centre, fields and indices that the kernel of older GPUs calls it with, bit for bit: at edge rules, alignments and layouts, in
// Regions and in place. And it is what stars of odd rows with a functor take.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;
using Keramos::constant, Keramos::sides;

/// Of declared fields, and a number between them.
template <class T>
struct OfFields {
  KOKKOS_FUNCTION T operator()(T value, T centre, T before, T scale, T field) const
  {
    return 2 * centre - before + scale * value * field;
  }
};

template <class T>
struct OfField {
  KOKKOS_FUNCTION T operator()(T value, T centre, T field) const { return centre + value * field; }
};

template <class T, int Radius>
class Case {
public:
  using Op = Keramos::Star<3, Radius>;

  Case(const Rules& rules, const Index& extents, const Index& halo, Memory memory)
      : rules_(rules), in_({extents[0] + halo[0], extents[1] + halo[1], extents[2] + halo[2]}, memory),
        field_(extents, memory), by_other_(extents, memory), by_march_(extents, memory)
  {
    in_.randomise(3);
    field_.randomise(4);
  }

  /// Returns whether there was a march, by the shape of this number.
  bool check(const Keramos::Region<3>& region, int number)
  {
    const bool taken = same(region, number, [&](const auto&) { return ReadsView<T>{field_.view}; });
    if (in_graphs() || !taken) return taken; // the second run would find what the first one left
    same(region, number, [](const auto& out) { return Stores<T>{out.view}; });
    same(region, number, [&](const auto&) { return Keramos::Epilogue{OfField<T>(), field_.view}; });
    same(region, number, [&](const auto& out) {
      return Keramos::Epilogue{OfFields<T>(), out.view, T(0.3), field_.view};
    });
    return true;
  }

private:
  template <class EpilogueOf>
  bool same(const Keramos::Region<3>& region, int number, const EpilogueOf& epilogue_of)
  {
    for (const auto& out : {by_other_, by_march_}) Kokkos::deep_copy(out.buffer, T(0.25));
    const auto device = Keramos::cuda::device_of(own_instance());
    apply_as_older<Weighted<Op>>(in_.view, by_other_.view, rules_, region, epilogue_of(by_other_));
    const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in_.view, by_march_.view, rules_, &region));
    const auto epilogue = bound_epilogue<Op, StridedView<T, 3>>(problem, epilogue_of(by_march_));
    auto plan = stencil::plan_march_functor(stencil::request_of(device, problem, epilogue), number);
    if (!plan) return false;
    if (region.begin[0] == 0) // blocks whose shape has a drift keep together, as on large grids
      plan->arguments.groups.steps = static_cast<int>(plan->arguments.chunk) + 2 * Radius;
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    const auto launch = [&] { stencil::launch_march_functor_of<Radius>(name, own_instance(), *plan, epilogue); };
    launch_and_wait(launch);
    std::int64_t differences = 0;
    for (std::size_t i = 0; i < by_march_.buffer.size(); ++i)
      differences += std::memcmp(&by_other_.buffer(i), &by_march_.buffer(i), sizeof(T)) != 0;
    EXPECT_EQ(differences, 0) << plan->variant.str();
    return true;
  }

  Rules rules_;
  Array<T, 3> in_, field_, by_other_, by_march_;
};

template <class T, int Radius>
void check_bits(int number)
{
  constexpr int r = Radius;
  if (!stencil::has_march_functor_shape(r, sizeof(T), 0, number)) return;
  const Rules rules[] = {constant(0),
                         Keramos::periodic,
                         Keramos::interior,
                         {sides(Keramos::reflect, constant(0.5)), sides(Keramos::interior, Keramos::mirror),
                          sides(Keramos::nearest, constant(-1))}};
  int compared = 0;
  for (std::int64_t turn = 0; turn < std::ssize(rules); ++turn) {
    SCOPED_TRACE(testing::Message() << "radius " << r << " shape " << number << " rules " << turn);
    const std::int64_t nx = 255 + 7 * turn, ny = 41 + turn, nz = 7 + 3 * turn;
    const bool left = turn % 2 == 1;
    const Index extents = left ? Index{nx, ny, nz} : Index{nz, ny, nx};
    Case<T, r> one(rules[turn], extents, {}, left ? Memory::left : Memory::right);
    compared += one.check({{0, 0, 0}, extents}, number);
    compared += one.check({{1, 2, 3}, {extents[0] - 1, extents[1] - 2, extents[2]}}, number);
  }
  Case<T, r> inside(Keramos::ghost, {9, 43, 513}, {2 * r, 2 * r, 2 * r}, Memory::inside);
  compared += inside.check({{0, 0, 0}, {9, 43, 513}}, number);
  // Of two tiles the second stores fewer columns. Of tiles of 543 the last warp of pairs has 31 columns, one a lane, and takes one that another warp
  // leaves; of 544 it has pairs. In double tiles of 131 and 132 have two warps of columns beside.
  for (const std::int64_t nx : {523, 528, 544, 579, 1029, 1085}) {
    Case<T, r> wide(constant(0), {7, 43, nx}, {}, Memory::right);
    compared += wide.check({{0, 0, 0}, {7, 43, nx}}, number);
  }
  Case<T, r> left(constant(0), {515, 47, 9}, {}, Memory::left);
  compared += left.check({{0, 0, 0}, {515, 47, 9}}, number);
  EXPECT_GT(compared, 9);
}

TEST(StencilMarchFunctor, Float)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  for (int number = 0; number < stencil::march_shapes; ++number) {
    check_bits<float, 1>(number);
    check_bits<float, 2>(number);
    check_bits<float, 3>(number);
    check_bits<float, 4>(number);
  }
}

TEST(StencilMarchFunctor, Double)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  for (int number = 0; number < stencil::march_shapes; ++number) {
    check_bits<double, 1>(number);
    check_bits<double, 2>(number);
    check_bits<double, 3>(number);
    check_bits<double, 4>(number);
  }
  Case<double, 4> many(constant(0), {19, 541, 517}, {},
                       Memory::right); // the last tiles in shorter chunks, a column beside
  EXPECT_TRUE(many.check({{0, 0, 0}, {19, 541, 517}}, 1));
  EXPECT_TRUE(many.check({{2, 3, 5}, {19, 540, 516}}, 1));
}

template <class T, int Radius>
bool takes_march(const StridedView<T, 3>& in, const StridedView<T, 3>& out, const std::string& tile,
                 const Rules& rules = constant(0))
{
  const Keramos::Kernel kernel = Keramos::apply_stencil(
      Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, Radius>>{}, in, out, rules, ReadsView<T>{in});
  return std::string(kernel.variant).find(tile) != std::string::npos;
}
template <class T, int Radius>
bool takes_march(const Index& extents, const std::string& tile = "partial sums", const Rules& rules = constant(0))
{
  const Array<T, 3> in(extents, Memory::right), out(extents, Memory::right);
  return takes_march<T, Radius>(in.view, out.view, tile, rules);
}
/// Of Views that nobody reads, of large grids.
template <class T, int Radius>
bool takes_march_if_large(const Index& extents, const std::string& tile)
{
  const Kokkos::LayoutStride layout(extents[0], extents[1] * extents[2], extents[1], extents[2], extents[2], 1);
  const auto view_at = [&](std::uintptr_t address) { return StridedView<T, 3>(reinterpret_cast<T*>(address), layout); };
  return takes_march<T, Radius>(view_at(std::uintptr_t(1) << 36), view_at(std::uintptr_t(1) << 37), tile);
}
/// Of Views whose middle index counts the fastest axis.
template <class T, int Radius>
bool takes_march_across(const Index& extents, const std::string& tile)
{
  const Array<T, 3> in(extents, Memory::right), out(extents, Memory::right);
  const auto turned = [&](const Array<T, 3>& a) {
    const Kokkos::LayoutStride layout(extents[0], extents[1] * extents[2], extents[2], 1, extents[1], extents[2]);
    return StridedView<T, 3>(a.view.data(), layout);
  };
  return takes_march<T, Radius>(turned(in), turned(out), tile);
}

/// Small grids keep the other kernel. Shapes are such that rows fill them.
TEST(StencilMarchFunctor, IsTakenForOddRows)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  EXPECT_TRUE((takes_march<float, 1>({33, 255, 509})));
  EXPECT_TRUE((takes_march<float, 1>({33, 255, 509}, "509x12 v2"))); // pairs of columns
  EXPECT_TRUE((takes_march<float, 1>({65, 255, 301}, "301x12 v2")));
  EXPECT_TRUE((takes_march<float, 1>({33, 255, 509}, "509x12", Keramos::periodic)));
  EXPECT_TRUE((takes_march<float, 2>({33, 255, 509}, "509x12 v2")));
  EXPECT_TRUE((takes_march<float, 2>({49, 301, 301}, "301x12 v2")));
  EXPECT_TRUE((takes_march<float, 3>({33, 255, 513}, "513x8 v2")));
  EXPECT_TRUE((takes_march<float, 3>({49, 301, 301}, "301x12 v2"))); // higher tiles where none is wide
  EXPECT_TRUE((takes_march_if_large<float, 2>({200, 511, 641}, "321x18 v2")));
  EXPECT_TRUE((takes_march<float, 3>({33, 255, 513}, "257x16", Keramos::periodic)));
  EXPECT_TRUE((takes_march<float, 4>({33, 255, 513}, "513x8 v2")));
  EXPECT_TRUE((takes_march<float, 4>({65, 255, 257}, "257x8 v2")));
  EXPECT_TRUE((takes_march<float, 4>({33, 255, 509}, "256x12", Keramos::periodic)));
  EXPECT_TRUE((takes_march<float, 4>({33, 255, 513}, "257x12", Keramos::periodic))); // a column beside
  EXPECT_TRUE((takes_march<double, 1>({17, 511, 513}, "129x16")));                   // single columns
  EXPECT_TRUE((takes_march<double, 2>({17, 511, 513}, "129x16")));
  EXPECT_TRUE((takes_march<double, 3>({17, 511, 513}, "129x15")));
  EXPECT_TRUE((takes_march<double, 4>({17, 511, 513}, "129x15")));
  EXPECT_TRUE((takes_march<double, 4>({33, 255, 509}, "128x15")));
  EXPECT_TRUE((takes_march<double, 4>({17, 511, 513}, "129x12", Keramos::periodic)));
  EXPECT_FALSE((takes_march<double, 4>({33, 255, 509}, "partial sums", Keramos::periodic))); // the other kernel's tiles
  EXPECT_TRUE((takes_march_across<double, 4>({17, 511, 513}, "129x12"))); // indices are asked for point by point
  EXPECT_TRUE((takes_march_across<float, 4>({33, 255, 513}, "257x12")));
  EXPECT_FALSE((takes_march<double, 3>({33, 255, 513}, "partial sums", Keramos::periodic)));
  EXPECT_FALSE((takes_march<float, 4>({9, 127, 509})));
  EXPECT_FALSE((takes_march<float, 5>({33, 255, 509})));
}

/// Where tiles are filled and the grid is small they keep the other kernel.
TEST(StencilMarchFunctor, IsTakenForRowsOn16Bytes)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  EXPECT_TRUE((takes_march_if_large<float, 1>({512, 512, 512}, "512x12 v2")));
  EXPECT_TRUE((takes_march_if_large<float, 2>({514, 515, 520}, "520x12 v2")));
  EXPECT_TRUE((takes_march_if_large<float, 3>({514, 515, 520}, "520x8 v2")));
  EXPECT_TRUE((takes_march_if_large<float, 4>({514, 515, 520}, "520x8 v2")));
  EXPECT_TRUE((takes_march_if_large<float, 4>({264, 264, 264}, "264x12 v2")));
  EXPECT_TRUE((takes_march_if_large<double, 1>({512, 512, 512}, "128x16")));
  EXPECT_TRUE((takes_march_if_large<double, 4>({512, 512, 512}, "128x15")));
  EXPECT_FALSE((takes_march_if_large<float, 1>({256, 256, 256}, "partial sums")));
  EXPECT_FALSE((takes_march_if_large<float, 3>({600, 600, 600}, "partial sums")));
  EXPECT_FALSE((takes_march_if_large<float, 4>({256, 256, 256}, "partial sums")));
  EXPECT_FALSE((takes_march_if_large<double, 2>({320, 320, 320}, "partial sums")));
  EXPECT_FALSE((takes_march_if_large<double, 4>({256, 256, 256}, "partial sums")));
  EXPECT_FALSE((takes_march_if_large<double, 4>({200, 576, 576}, "partial sums"))); // a tenth of its tiles is empty
  EXPECT_FALSE((takes_march<float, 4>({33, 255, 512})));
  EXPECT_FALSE((takes_march<double, 4>({33, 255, 512})));
}

} // namespace
