// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sums by planes (backends/cuda/stencil/March.hpp) has the bits of the kernels that older GPUs take, which the rest of the
// suite compares with the reference: at every edge rule, alignment and shape of a tile, in Regions, with ends of rows near and far
// from those of the field. And it is what stars of odd pitch, boxes and sparse operators take.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;

/// The shape of operators in float whose threads have two columns.
constexpr int pairs = 3;

/// As on large grids: blocks keep together, those whose shape has a drift.
template <class T>
void keep_together(stencil::MarchPlan<T>& plan)
{
  plan.arguments.groups.steps = static_cast<int>(plan.arguments.chunk) + 2 * plan.radius;
}

template <class T, class Op>
class Case {
public:
  using Rules = Keramos::EdgeRules<3>;
  using Index = std::array<std::int64_t, 3>;

  Case(const Rules& rules, const Index& extents, const Index& halo, Memory memory)
      : rules_(rules), in_({extents[0] + halo[0], extents[1] + halo[1], extents[2] + halo[2]}, memory),
        by_other_(extents, memory), by_march_(extents, memory)
  {
    in_.randomise(3);
  }

  /// Returns how many shapes were there to compare.
  int check(const Keramos::Region<3>& region)
  {
    const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in_.view, by_other_.view, rules_, &region));
    const auto device = Keramos::cuda::device_of(own_instance());
    const auto request = stencil::request_of(device, problem, core::StoreValue());
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", "a test of kernels"};
    clear(by_other_);
    apply_as_older<Weighted<Op>>(in_.view, by_other_.view, rules_, region, core::StoreValue());
    int compared = 0;
    for (int number = 0; number < stencil::march_shapes; ++number) {
      auto plan = stencil::plan_march(request, number);
      if (!plan) continue;
      if (region.begin[0] == 0) keep_together(*plan);
      plan->arguments.out = by_march_.view.data();
      clear(by_march_);
      const auto march = [&] { stencil::library::launch_march(name, own_instance(), *plan); };
      launch_and_wait(march);
      std::int64_t differences = 0;
      by_other_.for_each(
          [&](const auto& i) { differences += std::memcmp(&by_other_.at(i), &by_march_.at(i), sizeof(T)) != 0; });
      EXPECT_EQ(differences, 0) << plan->variant.str();
      EXPECT_EQ(by_march_.touched_outside(), 0);
      ++compared;
    }
    return compared;
  }

private:
  static void clear(const Array<T, 3>& array)
  {
    array.for_each([&](const auto& i) { array.at(i) = T(-777); });
  }

  Rules rules_;
  Array<T, 3> in_, by_other_, by_march_;
};

template <class T, class Op, int Radius>
void check_bits()
{
  using Keramos::constant, Keramos::ghost, Keramos::sides;
  constexpr int r = Radius;
  const Keramos::EdgeRules<3> all[] = {Keramos::periodic,
                                       Keramos::periodic_closed,
                                       constant(0.3),
                                       Keramos::nearest,
                                       Keramos::reflect,
                                       Keramos::mirror,
                                       Keramos::interior,
                                       {sides(Keramos::reflect, constant(0.5)),
                                        sides(Keramos::interior, Keramos::mirror),
                                        sides(Keramos::nearest, constant(-1))},
                                       {constant(0.25), sides(constant(0.5), constant(2)), constant(0.75)},
                                       {sides(constant(0.25), Keramos::mirror), constant(0.5), Keramos::periodic}};
  std::int64_t turn = 0;
  int compared = 0;
  for (const auto& rules : all) {
    SCOPED_TRACE(testing::Message() << "radius " << r << " rules " << turn);
    const std::int64_t nx = 257 + 5 * turn, ny = 45 + turn, nz = 9 + turn % 3;
    Case<T, Op> one(rules, {nz, ny, nx}, {}, turn % 2 ? Memory::inside : Memory::right);
    compared += one.check({{0, 0, 0}, {nz, ny, nx}});
    compared += one.check({{1, 2, 3 + turn % 4}, {nz - 1, ny - 2, nx - turn % 5}});
    ++turn;
  }
  for (const std::int64_t nx : {256, 259, 509, 513, 523, 528}) { // the last two in double: two warps of columns beside
    Case<T, Op> one(ghost, {7, 43, nx}, {2 * r, 2 * r, 2 * r}, Memory::inside);
    compared += one.check({{0, 0, 0}, {7, 43, nx}});
    Case<T, Op> low(sides(ghost, Keramos::mirror), {7, 43, nx}, {r, r, r}, Memory::right);
    compared += low.check({{0, 0, 0}, {7, 43, nx}});
  }
  EXPECT_GT(compared, 16);
}

/// Pairs of columns where rows begin anywhere: fields whose first element, and whose last one, may be those of the allocation; even and odd
/// pitches; one tile and two of different alignment; rows and planes of which the last tile stores a part.
template <class Taps>
void check_pairs(const Keramos::EdgeRule& rule, const std::array<std::int64_t, 3>& extents, std::int64_t before,
                 std::int64_t more, std::int64_t more_rows)
{
  using Op = Weighted<Taps>;
  const std::int64_t halo = rule.kind == Keramos::Edge::ghost ? 2 * Taps::radius : 0;
  const Part<float> in({extents[0] + halo, extents[1] + halo, extents[2] + halo}, before, more, more_rows);
  const Part<float> expected(extents, 3 - before % 4, more), out(extents, 3 - before % 4, more);
  in.fill(static_cast<unsigned>(before));
  const Keramos::Region<3> region{{0, 0, 0}, extents};
  const core::StencilProblem problem(core::stencil_call(Op{}, in.view, out.view, Keramos::EdgeRules<3>(rule), &region));
  const auto device = Keramos::cuda::device_of(own_instance());
  auto plan = stencil::plan_march(stencil::request_of(device, problem, core::StoreValue()), pairs);
  ASSERT_TRUE(plan);
  if (more % 2 != 0) keep_together(*plan);
  apply_as_older<Op>(in.view, expected.view, rule, region, core::StoreValue());
  const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
  launch_and_wait([&] { stencil::library::launch_march(name, own_instance(), *plan); });
  const auto bytes = out.buffer.size() * sizeof(float); // what lies between rows, too
  EXPECT_EQ(std::memcmp(out.buffer.data(), expected.buffer.data(), bytes), 0)
      << testing::PrintToString(extents) << " before " << before << " more " << more << ", " << more_rows;
}

template <class Taps>
void check_pairs()
{
  for (const Keramos::EdgeRule& rule : {Keramos::constant(0), Keramos::ghost}) {
    for (std::int64_t before = 0; before < 9; ++before)
      for (const std::int64_t more : {0, 1, 2, 3}) check_pairs<Taps>(rule, {5, 25, 161}, before, more, before % 2);
    check_pairs<Taps>(rule, {19, 12, 576}, 1, 0, 0);
    check_pairs<Taps>(rule, {7, 29, 577}, 2, 0, 0);
    check_pairs<Taps>(rule, {1, 14, 5}, 3, 0, 0);
    check_pairs<Taps>(rule, {3, 13, 1153}, 0, 4, 1);
    // Outputs of which all, or those of some tiles, begin behind 8 bytes: tiles that begin a column earlier, and one that has none to spare.
    for (const std::int64_t before : {2, 3}) {
      check_pairs<Taps>(rule, {7, 29, 577}, before, 1, 0);
      check_pairs<Taps>(rule, {3, 30, 1153}, before, 1, 0);
      check_pairs<Taps>(rule, {5, 26, 575}, before, 1, 1);
      check_pairs<Taps>(rule, {5, 26, 576}, before, 2, 1);
    }
  }
}

TEST(StencilMarch, PairsOfColumns)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_pairs<Keramos::Star<3, 1>>();
  check_pairs<Keramos::Star<3, 2>>();
  check_pairs<Keramos::Star<3, 3>>();
  check_pairs<Keramos::Star<3, 4>>();
  check_pairs<Keramos::Box<3, 1>>();
  float element = 0; // planning reads nothing
  const StridedView<float, 3> view(&element, Kokkos::LayoutStride(33, 255 * 509, 255, 509, 509, 1));
  const auto suits = [&](const Keramos::EdgeRules<3>& rules) {
    const Keramos::Region<3> region{{0, 0, 0}, {33, 255, 509}};
    const core::StencilProblem problem(core::stencil_call(Weighted<Keramos::Star<3, 2>>{}, view, view, rules, &region));
    const auto request = stencil::request_of(Keramos::cuda::device_of(own_instance()), problem, core::StoreValue());
    return stencil::plan_march(request, pairs).has_value();
  };
  const auto zero = Keramos::constant(0);
  EXPECT_TRUE(suits({zero, Keramos::interior, zero}));
  EXPECT_FALSE(suits({zero, zero, Keramos::constant(-0.0)}));
  EXPECT_FALSE(suits({Keramos::periodic, zero, zero}));
  EXPECT_FALSE(suits({zero, Keramos::sides(zero, Keramos::nearest), zero}));
}

template <class T>
void check_stars()
{
  check_bits<T, Keramos::Star<3, 3>, 3>();
  check_bits<T, Keramos::Star<3, 4>, 4>();
}
template <class T>
void check_boxes()
{
  check_bits<T, Keramos::Box<3, 1>, 1>();
  check_bits<T, Keramos::Box<3, 2>, 2>();
  check_bits<T, SomeTaps<1, 13>, 1>();
  check_bits<T, SomeTaps<1, 26>, 1>();
  check_bits<T, SomeTaps<2, 31>, 2>();
}

TEST(StencilMarch, StarsInFloat)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_bits<float, Keramos::Star<3, 1>, 1>();
  check_bits<float, Keramos::Star<3, 2>, 2>();
  check_stars<float>();
}
TEST(StencilMarch, StarsInDouble)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_stars<double>();
}
TEST(StencilMarch, BoxesInFloat)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_boxes<float>();
}
TEST(StencilMarch, BoxesInDouble)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_boxes<double>();
}

template <class T, class Op>
std::string taken(const std::array<std::int64_t, 3>& extents, const Keramos::EdgeRule& rule = Keramos::constant(0))
{
  const Array<T, 3> in(extents, Memory::right), out(extents, Memory::right);
  const Keramos::Kernel kernel =
      Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Op>{}, in.view, out.view, rule);
  return kernel.variant.str();
}
template <class T, class Op>
bool takes_march(const std::array<std::int64_t, 3>& extents)
{
  return taken<T, Op>(extents).find("partial sums") != std::string::npos;
}

/// Stars whose rows lie on 16 bytes keep the other kernel, and so do small grids and narrow ones.
TEST(StencilMarch, IsTakenForOddRowsAndBoxes)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  using Star = Keramos::Star<3, 4>;
  using Box = Keramos::Box<3, 1>;
  EXPECT_TRUE((takes_march<float, Star>({33, 255, 509})));
  EXPECT_TRUE((takes_march<double, Star>({65, 255, 259}))); // of 509 and 513 by tensor copies of every second row
  EXPECT_FALSE((takes_march<float, Star>({33, 255, 512})));
  EXPECT_FALSE((takes_march<float, Star>({33, 127, 509})));
  EXPECT_FALSE((takes_march<float, Keramos::Star<3, 1>>({999, 127, 65})));
  EXPECT_TRUE((takes_march<float, Box>({33, 255, 509})));
  EXPECT_TRUE((takes_march<double, Box>({33, 256, 512})));
  EXPECT_TRUE((takes_march<float, SomeTaps<1, 13>>({33, 256, 512})));
  EXPECT_FALSE((takes_march<float, Box>({33, 31, 512})));
}

bool is_fast() { return Keramos::cuda::has_fast_memory(Keramos::cuda::device_of(own_instance())); }

/// Of the shapes that an operator has, rows take the one that they fill, and that the GPU's memory wants.
TEST(StencilMarch, ShapesByRows)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  const bool fast = is_fast();
  const auto tile = [](const char* shape, const char* columns) {
    return std::string(shape) + " partial sums " + columns;
  };
  EXPECT_EQ((taken<float, Keramos::Star<3, 1>>({33, 255, 509})), "star<3,1> partial sums 509x12 v2");
  EXPECT_EQ((taken<float, Keramos::Star<3, 1>>({33, 255, 509}, Keramos::periodic)), "star<3,1> partial sums 509x12");
  EXPECT_EQ((taken<float, Keramos::Star<3, 1>>({65, 255, 301}, Keramos::periodic)),
            tile("star<3,1>", fast ? "301x12" : "301x16"));
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({33, 255, 509})), "star<3,2> partial sums 509x12 v2");
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({33, 255, 513})), "star<3,2> partial sums 513x12 v2");
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({65, 255, 257})), "star<3,2> partial sums 257x12 v2");
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({129, 255, 129}).find("v2")), std::string::npos);
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({33, 255, 509}, Keramos::periodic)),
            tile("star<3,2>", fast ? "509x12" : "255x16"));
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({33, 255, 513}, Keramos::periodic)),
            tile("star<3,2>", fast ? "513x12" : "257x16")); // columns beside
  EXPECT_EQ((taken<float, Keramos::Star<3, 2>>({49, 301, 301}, Keramos::periodic)),
            tile("star<3,2>", fast ? "301x12" : "151x14"));
  EXPECT_EQ((taken<float, Keramos::Star<3, 3>>({33, 255, 513})), "star<3,3> partial sums 513x8 v2");
  EXPECT_EQ((taken<float, Keramos::Star<3, 3>>({129, 255, 190}).find("v2")), std::string::npos);
  EXPECT_EQ((taken<float, Keramos::Star<3, 3>>({33, 255, 513}, Keramos::periodic)), "star<3,3> partial sums 257x16");
  EXPECT_EQ((taken<float, Keramos::Star<3, 3>>({49, 301, 301}, Keramos::periodic)), "star<3,3> partial sums 151x28");
  EXPECT_EQ((taken<float, Keramos::Star<3, 4>>({33, 255, 513})), "star<3,4> partial sums 513x8 v2");
  EXPECT_EQ((taken<float, Keramos::Star<3, 4>>({33, 255, 513}, Keramos::periodic)), "star<3,4> partial sums 257x16");
  EXPECT_EQ((taken<float, Keramos::Star<3, 4>>({17, 640, 641})), "star<3,4> partial sums 216x16");
  EXPECT_EQ((taken<float, Keramos::Star<3, 4>>({49, 255, 383}, Keramos::periodic)), "star<3,4> partial sums 192x24");
  EXPECT_EQ((taken<float, Keramos::Box<3, 1>>({33, 255, 512})), "box<3,1> partial sums 512x12 v2");
  EXPECT_EQ((taken<float, Keramos::Box<3, 1>>({49, 301, 301})), "box<3,1> partial sums 301x12 v2");
  EXPECT_EQ((taken<float, Keramos::Box<3, 1>>({129, 255, 190}).find("v2")), std::string::npos);
  EXPECT_EQ((taken<float, Keramos::Box<3, 1>>({33, 255, 512}, Keramos::periodic)),
            tile("box<3,1>", fast ? "256x32" : "512x16"));
  EXPECT_EQ((taken<float, Keramos::Box<3, 1>>({33, 255, 513}, Keramos::periodic)),
            tile("box<3,1>", fast ? "513x12" : "513x16"));
  EXPECT_EQ((taken<float, Keramos::Box<3, 1>>({49, 301, 301}, Keramos::periodic)), "box<3,1> partial sums 151x32");
}

/// Blocks of boxes and stars keep together, as many as run at once on the multiprocessors that are said
/// to be there. Where these are more than there are, as when another stream has some, no block waits for ever for one that has not begun.
template <class T, class Op>
void check_together(int number = 0)
{
  const std::array<std::int64_t, 3> extents{33, 128, 509};
  const Array<T, 3> in(extents, Memory::right), expected(extents, Memory::right), out(extents, Memory::right);
  in.randomise(7);
  const Keramos::Region<3> region{{0, 0, 0}, extents};
  const Keramos::EdgeRules<3> rules = Keramos::constant(0);
  const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in.view, expected.view, rules, &region));
  const auto store = bound_epilogue<Op, decltype(Array<T, 3>::view)>(problem, core::StoreValue());
  auto device = Keramos::cuda::device_of(own_instance());
  const auto plan_for = [&](int multiprocessors) {
    device.multiprocessors = multiprocessors;
    auto plan = stencil::plan_march(stencil::request_of(device, problem, store), number);
    keep_together(*plan);
    return plan;
  };
  const int present = device.multiprocessors;
  apply_as_older<Weighted<Op>>(in.view, expected.view, rules, region, core::StoreValue());
  for (const int multiprocessors : {1, 2 * present, present}) {
    auto plan = plan_for(multiprocessors);
    EXPECT_TRUE(multiprocessors <= present || plan->shape.blocks.x > static_cast<unsigned>(present));
    plan->arguments.out = out.view.data();
    out.for_each([&](const auto& i) { out.at(i) = T(-777); });
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    launch_and_wait([&] { stencil::library::launch_march(name, own_instance(), *plan); });
    std::int64_t differences = 0;
    out.for_each([&](const auto& i) { differences += std::memcmp(&expected.at(i), &out.at(i), sizeof(T)) != 0; });
    EXPECT_EQ(differences, 0) << "of " << multiprocessors << " multiprocessors";
  }
}

TEST(StencilMarch, BlocksKeepTogether)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_together<float, Keramos::Box<3, 1>>();
  check_together<double, Keramos::Box<3, 1>>();
  check_together<float, Keramos::Star<3, 1>>();
  check_together<float, Keramos::Star<3, 2>>();
  check_together<float, Keramos::Star<3, 2>>(pairs);
  check_together<float, Keramos::Star<3, 3>>();
  check_together<float, Keramos::Star<3, 4>>();
}

template <class Op>
bool keeps_together(const std::array<std::int64_t, 3>& extents, int apart = 0, int number = 0)
{
  float element = 0; // planning reads nothing
  const auto [nz, ny, nx] = extents;
  const std::int64_t pitch = nx + apart;
  const Kokkos::LayoutStride layout(nz, ny * pitch, ny, pitch, nx, 1);
  const StridedView<float, 3> in(&element, layout), out(&element + nz * ny * pitch, layout);
  const Keramos::Region<3> region{{0, 0, 0}, extents};
  const Keramos::EdgeRules<3> rules = Keramos::constant(0);
  const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in, out, rules, &region));
  const auto device = Keramos::cuda::device_of(own_instance());
  const auto plan = stencil::plan_march(stencil::request_of(device, problem, core::StoreValue()), number);
  return plan && plan->arguments.groups.steps > 0;
}

TEST(StencilMarch, KeepsTogetherOnLargeGrids)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  EXPECT_NE((keeps_together<Keramos::Star<3, 4>>({509, 511, 513})), is_fast());
  EXPECT_TRUE((keeps_together<Keramos::Star<3, 4>>({509, 511, 507}, 6))); // a sub-view
  EXPECT_TRUE((keeps_together<Keramos::Star<3, 2>>({509, 511, 513})));
  EXPECT_TRUE((keeps_together<Keramos::Star<3, 2>>({400, 640, 641}))); // more blocks than run at once
  EXPECT_FALSE((keeps_together<Keramos::Star<3, 4>>({500, 511, 385})));
  EXPECT_TRUE((keeps_together<Keramos::Box<3, 1>>({509, 511, 513})));
  EXPECT_TRUE((keeps_together<Keramos::Box<3, 1>>({509, 511, 513}, 0, pairs)));
  EXPECT_NE((keeps_together<Keramos::Box<3, 1>>({500, 511, 385}, 0, pairs)), is_fast());
  EXPECT_NE((keeps_together<Keramos::Star<3, 4>>({509, 511, 507}, 6, pairs)), is_fast());
  EXPECT_FALSE((keeps_together<Keramos::Star<3, 4>>({500, 511, 385}, 0, pairs)));
}

template <class Taps>
bool begins_earlier(std::int64_t columns, std::int64_t pitch, int before)
{
  alignas(8) float elements[2] = {}; // planning reads nothing
  const Kokkos::LayoutStride in_layout(9, 40 * 1161, 40, 1161, columns, 1),
      layout(9, 40 * pitch, 40, pitch, columns, 1);
  const StridedView<float, 3> in(elements, in_layout), out(elements + before, layout);
  const Keramos::Region<3> region{{0, 0, 0}, {9, 40, columns}};
  const Keramos::EdgeRules<3> rules = Keramos::constant(0);
  const core::StencilProblem problem(core::stencil_call(Weighted<Taps>{}, in, out, rules, &region));
  const auto request = stencil::request_of(Keramos::cuda::device_of(own_instance()), problem, core::StoreValue());
  const auto plan = stencil::plan_march(request, pairs);
  return plan && plan->arguments.leads;
}

TEST(StencilMarch, PairsBeginEarlierWhereOutputsWouldNotLieOnEightBytes)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  EXPECT_TRUE((begins_earlier<Keramos::Star<3, 4>>(504, 510, 1)));
  EXPECT_FALSE((begins_earlier<Keramos::Star<3, 4>>(504, 510, 0)));
  EXPECT_FALSE((begins_earlier<Keramos::Star<3, 4>>(504, 511, 1)));
  EXPECT_FALSE((begins_earlier<Keramos::Star<3, 4>>(576, 580, 1)));
  EXPECT_FALSE((begins_earlier<Keramos::Star<3, 4>>(577, 580, 0))); // tiles at 0 and 288
  EXPECT_TRUE((begins_earlier<Keramos::Star<3, 4>>(578, 580, 0)));  // at 0 and 289
  EXPECT_TRUE((begins_earlier<Keramos::Star<3, 4>>(1153, 1154, 0)));
}

/// Calls of two streams at once, of which neither has all multiprocessors.
template <class Op>
void check_streams(int number)
{
  const std::array<std::int64_t, 3> extents{33, 255, 509};
  const Array<float, 3> in(extents, Memory::right), expected(extents, Memory::right);
  const Array<float, 3> first(extents, Memory::right), second(extents, Memory::right);
  in.randomise(4);
  const auto device = Keramos::cuda::device_of(own_instance());
  const Keramos::Region<3> region{{0, 0, 0}, extents};
  const Keramos::EdgeRules<3> rules = Keramos::constant(0);
  const auto apply = [&](const Exec& exec, const Array<float, 3>& out) {
    const core::StencilProblem problem(core::stencil_call(Op{}, in.view, out.view, rules, &region));
    auto plan = stencil::plan_march(stencil::request_of(device, problem, core::StoreValue()), number);
    keep_together(*plan);
    stencil::library::launch_march({Keramos::Backend::cuda, "apply_stencil", plan->variant}, exec, *plan);
  };
  apply(own_instance(), expected);
  own_instance().fence("the others are compared with it");
  const auto streams = Kokkos::Experimental::partition_space(own_instance(), 1, 1);
  for (int turn = 0; turn < 20; ++turn) {
    apply(streams[0], first);
    apply(streams[1], second);
  }
  for (const Exec& stream : streams) stream.fence("the host compares");
  std::int64_t differences = 0;
  expected.for_each([&](const auto& i) {
    differences += first.at(i) != expected.at(i);
    differences += second.at(i) != expected.at(i);
  });
  EXPECT_EQ(differences, 0);
}

TEST(StencilMarch, StreamsBesideEachOther)
{
  if (!is_hopper() || in_graphs()) GTEST_SKIP() << "bulk copies begin with sm_90; one stream is captured";
  check_streams<Weighted<Keramos::Box<3, 1>>>(0);
  check_streams<Weighted<Keramos::Star<3, 2>>>(pairs);
}

} // namespace
