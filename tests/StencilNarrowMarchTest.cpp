// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The march through grids whose rows are short (backends/cuda/stencil/NarrowMarch.hpp) has the bits of the kernel that older GPUs take, which the rest of
// the suite compares with the reference: under all rules, at rows of any length, pitch and layout, in Regions, in place and behind a functor. And it is
// what such grids take.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;
using Keramos::constant;

template <class T>
struct OfFields {
  KOKKOS_FUNCTION T operator()(T value, T centre, T before, T scale) const
  {
    return 2 * centre - before + scale * value;
  }
};

template <class T, int Radius>
class Case {
public:
  using Op = Keramos::Star<3, Radius>;

  Case(const Rules& rules, const Index& extents, Memory memory)
      : rules_(rules), in_(with_halo(extents, rules), memory), field_(extents, memory), by_other_(extents, memory),
        by_march_(extents, memory)
  {
    in_.randomise(3);
    field_.randomise(4);
  }

  void check(const Keramos::Region<3>& region) const
  {
    const auto as_library = [](const auto&... arguments) { stencil::library::launch_narrow_march(arguments...); };
    const auto as_users = [](const auto&... arguments) { stencil::launch_narrow_march_of<Radius>(arguments...); };
    same(
        region, [](const auto&) { return core::StoreValue(); }, as_library);
    if (in_graphs()) return; // the second run would find what the first one left
    same(
        region,
        [&](const auto& out) {
          return Keramos::LeapFrog{out.view, field_.view};
        },
        as_library);
    same(
        region, [&](const auto&) { return ReadsView<T>{field_.view}; }, as_users);
    same(
        region, [](const auto& out) { return Stores<T>{out.view}; }, as_users);
    same(
        region,
        [](const auto& out) {
          return Keramos::Epilogue{OfFields<T>(), out.view, T(0.3)};
        },
        as_users);
  }

private:
  static Index with_halo(Index extents, const Rules& rules)
  {
    for (int axis = 0; axis < 3; ++axis) extents[axis] += ghost_sides(rules[axis]) * Radius;
    return extents;
  }
  static auto bound(const auto&, const core::StoreValue& store) { return store; }
  static auto bound(const auto& problem, const auto& epilogue)
  {
    return bound_epilogue<Op, StridedView<T, 3>>(problem, epilogue);
  }

  template <class EpilogueOf, class Launch>
  void same(const Keramos::Region<3>& region, const EpilogueOf& epilogue_of, const Launch& launch) const
  {
    for (const auto& out : {by_other_, by_march_}) Kokkos::deep_copy(out.buffer, T(0.25));
    apply_as_older<Weighted<Op>>(in_.view, by_other_.view, rules_, region, epilogue_of(by_other_));
    const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in_.view, by_march_.view, rules_, &region));
    const auto epilogue = bound(problem, epilogue_of(by_march_));
    const auto device = Keramos::cuda::device_of(own_instance());
    const auto plan = stencil::plan_narrow_march(stencil::request_of(device, problem, epilogue));
    ASSERT_TRUE(plan);
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    launch_and_wait([&] { launch(name, own_instance(), *plan, epilogue); });
    std::int64_t differences = 0;
    for (std::size_t i = 0; i < by_march_.buffer.size(); ++i)
      differences += std::memcmp(&by_other_.buffer(i), &by_march_.buffer(i), sizeof(T)) != 0;
    EXPECT_EQ(differences, 0) << plan->variant.str();
  }

  Rules rules_;
  Array<T, 3> in_, field_, by_other_, by_march_;
};

template <class T, int Radius>
void check_case(const Rules& rules, const Index& extents, Memory memory)
{
  SCOPED_TRACE(testing::Message() << "radius " << Radius << ", " << extents[0] << "x" << extents[1] << "x"
                                  << extents[2]);
  const Case<T, Radius> one(rules, extents, memory);
  one.check({{0, 0, 0}, extents});
  if (extents[0] > 3 && extents[1] > 3 && extents[2] > 3)
    one.check({{1, 2, 3}, {extents[0] - 1, extents[1], extents[2]}});
}

template <class T, int Radius>
void check_bits()
{
  constexpr std::int64_t least = 2 * Radius + 1;
  std::int64_t turn = 0;
  for (const Rules& rules : all_rules) {
    SCOPED_TRACE(testing::Message() << "rules " << turn);
    const bool is_left = turn % 2 == 1;
    const std::int64_t row = 31 + turn, rows = 67 + 5 * turn, planes = least + turn;
    check_case<T, Radius>(rules, is_left ? Index{row, rows, planes} : Index{planes, rows, row},
                          is_left ? Memory::left : Memory::right);
    ++turn;
  }
  for (const std::int64_t row : {2, Radius + 1, 2 * Radius + 1, 31, 32, 33, 97, 163}) {
    check_case<T, Radius>(constant(0), {least, 45, row}, Memory::right);
    check_case<T, Radius>(Keramos::ghost, {3, 70, row}, Memory::inside);
  }
  check_case<T, Radius>(constant(0), {3, 2, 521},
                        Memory::right); // tiles along the rows, and fewer of these than a thread has
  check_case<T, Radius>(Keramos::mirror, {600, 9, 12}, Memory::right); // chunks
}

TEST(StencilNarrowMarch, Float)
{
  check_bits<float, 1>();
  check_bits<float, 2>();
  check_bits<float, 3>();
  check_bits<float, 4>();
}

TEST(StencilNarrowMarch, Double)
{
  check_bits<double, 1>();
  check_bits<double, 2>();
  check_bits<double, 3>();
  check_bits<double, 4>();
}

/// The name of the kernel for Views that nobody reads; behind epilogue_of(a third View).
template <class T, int Radius, class... EpilogueOf>
std::string taken(const Index& extents, const EpilogueOf&... epilogue_of)
{
  const Kokkos::LayoutStride layout(extents[0], extents[1] * extents[2], extents[1], extents[2], extents[2], 1);
  const auto view_at = [&](std::uintptr_t address) { return StridedView<T, 3>(reinterpret_cast<T*>(address), layout); };
  const Keramos::Kernel kernel = Keramos::apply_stencil(
      Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, Radius>>{}, view_at(std::uintptr_t(1) << 36),
      view_at(std::uintptr_t(1) << 37), Rules(constant(0)), epilogue_of(view_at(std::uintptr_t(1) << 38))...);
  return kernel.variant.str();
}
template <class T, int Radius, class... EpilogueOf>
bool is_taken(const Index& extents, const EpilogueOf&... epilogue_of)
{
  return taken<T, Radius>(extents, epilogue_of...).find("narrow") != std::string::npos;
}

TEST(StencilNarrowMarch, IsTakenForShortRows)
{
  if (!is_hopper()) GTEST_SKIP() << "where it was measured";
  EXPECT_TRUE((is_taken<float, 1>({1000, 1001, 33})));
  EXPECT_TRUE((is_taken<float, 4>({1000, 1001, 75})));
  EXPECT_TRUE((is_taken<double, 1>({1000, 1001, 33})));
  EXPECT_TRUE((is_taken<double, 4>({1000, 1001, 33})));
  EXPECT_TRUE((is_taken<float, 1>({3000, 1001, 6})));    // by registers where there are few
  EXPECT_FALSE((is_taken<float, 1>({100, 101, 33})));    // which other kernels of small grids take
  EXPECT_TRUE((is_taken<float, 1>({1000, 1001, 64})));   // half of the tiles by tensor copies
  EXPECT_FALSE((is_taken<float, 1>({1000, 1001, 128}))); // which fill these
  EXPECT_FALSE((is_taken<float, 1>({1000, 1001, 257})));
  EXPECT_FALSE((is_taken<double, 4>({1000, 1001, 129})));
  const auto wave = [](const auto& view) { return Keramos::LeapFrog{view, view}; };
  EXPECT_TRUE((is_taken<float, 1>({1000, 1001, 129}, wave)));
  EXPECT_FALSE((is_taken<double, 4>({1000, 1001, 33}, wave)));
  const auto functor = [](const auto& view) { return Keramos::Epilogue{OfFields<float>(), view, 1.f}; };
  EXPECT_TRUE((is_taken<float, 4>({1000, 1001, 97}, functor)));
  EXPECT_FALSE((is_taken<float, 4>({1000, 1001, 128}, functor)));
  EXPECT_TRUE((is_taken<float, 1>({9, 16'000'000, 33})));
  EXPECT_FALSE((is_taken<float, 1>({9, 17'000'000, 33}))); // places in a plane have 32 bits
}

/// Of few planes, or of rows of a few points.
TEST(StencilNarrowMarch, IsTakenByMarchesOnLargeThinGrids)
{
  if (!is_hopper()) GTEST_SKIP() << "where it was measured";
  const auto is_direct = [](const std::string& variant) { return variant.find("direct") != std::string::npos; };
  EXPECT_FALSE(is_direct(taken<float, 1>({8, 1032, 9489})));
  EXPECT_FALSE(is_direct(taken<double, 4>({8, 1032, 9489})));
  EXPECT_TRUE(is_direct(taken<float, 1>({8, 132, 949})));
  EXPECT_TRUE(is_direct(taken<float, 1>({8, 1032, 9488}))); // on 16 bytes
  EXPECT_FALSE(is_direct(taken<float, 4>({3000, 1001, 6})));
  const auto wave = [](const auto& view) { return Keramos::LeapFrog{view, view}; };
  EXPECT_TRUE(is_direct(taken<double, 4>({3000, 1001, 6}, wave)));
}

} // namespace
