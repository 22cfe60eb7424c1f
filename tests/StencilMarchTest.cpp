// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars by partial sums (backends/cuda/stencil/March.hpp) have the bits of the other star kernel, which the rest of the suite
// compares with the reference: at every edge rule, alignment and shape of a tile, in Regions, with ends of rows near and far from
// those of the field. And they are what calls with rows of odd pitch take.
#include "StencilSupport.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;

template <class T, int Radius>
class Case {
public:
  using Rules = Keramos::EdgeRules<3>;
  using Index = std::array<std::int64_t, 3>;

  Case(const Rules& rules, const Index& extents, const Index& halo, Memory memory)
      : rules_(rules), in_({extents[0] + halo[0], extents[1] + halo[1], extents[2] + halo[2]}, memory),
        by_star_(extents, memory), by_march_(extents, memory)
  {
    in_.randomise(3);
  }

  /// Returns how many shapes were there to compare.
  int check(const Keramos::Region<3>& region)
  {
    const core::StencilProblem problem(
        core::stencil_call(Weighted<Keramos::Star<3, Radius>>{}, in_.view, by_star_.view, rules_, &region));
    const auto device = Keramos::cuda::device_of(own_instance());
    const auto request = stencil::request_of(device, problem, core::StoreValue());
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", "a test of kernels"};
    clear(by_star_);
    stencil::library::launch_star<3>(name, own_instance(), *stencil::choose_star(request), core::StoreValue());
    own_instance().fence("the next arrays are cleared by the host");
    int compared = 0;
    for (int number = 0; number < stencil::march_shapes; ++number) {
      auto plan = stencil::plan_march(request, number);
      if (!plan) continue;
      plan->arguments.star.out = by_march_.view.data();
      clear(by_march_);
      stencil::library::launch_march(name, own_instance(), *plan);
      own_instance().fence("the test reads what was written");
      std::int64_t differences = 0;
      by_star_.for_each(
          [&](const auto& i) { differences += std::memcmp(&by_star_.at(i), &by_march_.at(i), sizeof(T)) != 0; });
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
  Array<T, 3> in_, by_star_, by_march_;
};

bool is_hopper() { return Keramos::cuda::device_of(own_instance()).architecture >= 90; }

template <class T, int Radius>
void check_radius()
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
                                        sides(Keramos::nearest, constant(-1))}};
  std::int64_t turn = 0;
  int compared = 0;
  for (const auto& rules : all) {
    SCOPED_TRACE(testing::Message() << "radius " << r << " rules " << turn);
    const std::int64_t nx = 257 + 5 * turn, ny = 45 + turn, nz = 9 + turn % 3;
    Case<T, Radius> one(rules, {nz, ny, nx}, {}, turn % 2 ? Memory::inside : Memory::right);
    compared += one.check({{0, 0, 0}, {nz, ny, nx}});
    compared += one.check({{1, 2, 3 + turn % 4}, {nz - 1, ny - 2, nx - turn % 5}});
    ++turn;
  }
  for (const std::int64_t nx : {256, 259, 513}) {
    Case<T, Radius> one(ghost, {7, 43, nx}, {2 * r, 2 * r, 2 * r}, Memory::inside);
    compared += one.check({{0, 0, 0}, {7, 43, nx}});
    Case<T, Radius> low(sides(ghost, Keramos::mirror), {7, 43, nx}, {r, r, r}, Memory::right);
    compared += low.check({{0, 0, 0}, {7, 43, nx}});
  }
  EXPECT_GT(compared, 16);
}

TEST(StencilMarch, HasTheBitsOfTheStarKernelInFloat)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_radius<float, 1>();
  check_radius<float, 2>();
  check_radius<float, 3>();
  check_radius<float, 4>();
}

TEST(StencilMarch, HasTheBitsOfTheStarKernelInDouble)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_radius<double, 3>();
  check_radius<double, 4>();
}

template <class T>
Keramos::Kernel taken(const std::array<std::int64_t, 3>& extents)
{
  const Array<T, 3> in(extents, Memory::right), out(extents, Memory::right);
  return Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, 4>>{}, in.view, out.view,
                                Keramos::constant(0));
}

/// Rows on 16 bytes, small grids and narrow ones keep the other kernel.
TEST(StencilMarch, IsTakenForOddRows)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  const auto is_march = [](const Keramos::Kernel& kernel) {
    return std::string(kernel.variant).find("partial sums") != std::string::npos;
  };
  EXPECT_TRUE(is_march(taken<float>({33, 255, 509})));
  EXPECT_TRUE(is_march(taken<double>({33, 255, 509})));
  EXPECT_FALSE(is_march(taken<float>({33, 255, 512})));
  EXPECT_FALSE(is_march(taken<float>({33, 127, 509})));
  EXPECT_FALSE(is_march(taken<float>({999, 127, 65})));
}

} // namespace
