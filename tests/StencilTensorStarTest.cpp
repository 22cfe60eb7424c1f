// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars by tensor copies (backends/cuda/stencil/TensorStar.hpp) have the bits of the kernel that older GPUs take, which
// the rest of the suite compares with the reference: with the edges and alignments that they cover, in Regions, with the
// wave update in place and apart. And they are what large aligned stars take, where they are faster by it.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;

/// A View whose rows all begin `shift` elements behind a 16-byte boundary.
template <class T>
Part<T> aligned(const Index& extents, std::int64_t shift)
{
  return {extents, shift, core::round_up(extents[2] + shift, 16) - extents[2]};
}

template <class T, class Op>
class Case {
public:
  Case(const Rules& rules, const Index& extents, std::int64_t halo, std::int64_t shift)
      : rules_(rules), shift_((shift + halo) % 16), halo_(halo),
        in_(aligned<T>({extents[0] + 2 * halo, extents[1] + 2 * halo, extents[2] + 2 * halo}, shift)),
        scale_(aligned<T>(extents, shift_)), by_other_(aligned<T>(extents, shift_)),
        by_boxes_(aligned<T>(extents, shift_))
  {
    in_.fill(1);
    scale_.fill(2);
  }

  /// Whether it was taken, and with the same bits everywhere, outside of the View as well.
  template <class EpilogueOf>
  testing::AssertionResult same(const Keramos::Region<3>& region, const EpilogueOf& epilogue_of)
  {
    by_other_.fill(3);
    apply_as_older<Weighted<Op>>(in_.view, by_other_.view, rules_, region, epilogue_of(by_other_));
    const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in_.view, by_boxes_.view, rules_, &region));
    const auto epilogue = bound_epilogue<Op, StridedView<T, 3>>(problem, epilogue_of(by_boxes_));
    auto device = Keramos::cuda::device_of(own_instance());
    for (const int multiprocessors : {device.multiprocessors, 4}) { // of four some tiles are left, which come last
      device.multiprocessors = multiprocessors;
      by_boxes_.fill(3);
      const auto plan = stencil::plan_tensor_star(stencil::request_of(device, problem, epilogue));
      if (!plan) return testing::AssertionFailure() << "not taken";
      const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
      launch_and_wait([&] { stencil::library::launch_tensor_star(name, own_instance(), *plan, epilogue); });
      for (std::size_t i = 0; i < by_boxes_.buffer.size(); ++i)
        if (std::memcmp(&by_other_.buffer(i), &by_boxes_.buffer(i), sizeof(T)) != 0)
          return testing::AssertionFailure()
                 << "element " << i << " of the memory is " << by_boxes_.buffer(i) << ", not " << by_other_.buffer(i);
    }
    return testing::AssertionSuccess();
  }

  void check(const Keramos::Region<3>& region)
  {
    EXPECT_TRUE(same(region, [](const Part<T>&) { return core::StoreValue(); }));
    if (in_graphs()) return; // the second run would find what the first one left
    EXPECT_TRUE(same(region, [](const Part<T>& out) { return Keramos::LeapFrog{out.view, T(0.3)}; }));
    EXPECT_TRUE(same(region, [&](const Part<T>& out) { return Keramos::LeapFrog{out.view, scale_.view}; }));
    EXPECT_TRUE(same(region, [&](const Part<T>&) { return Keramos::LeapFrog{scale_.view, T(0.3)}; }));
  }

private:
  Rules rules_;
  std::int64_t shift_, halo_;
  Part<T> in_, scale_, by_other_, by_boxes_;
};

/// Edges that warps settle: tiles that end with the field, and those that share points with the one before.
template <class T, class Op>
void check_settled(std::int64_t stride)
{
  using Keramos::constant, Keramos::sides, Keramos::nearest, Keramos::periodic, Keramos::reflect;
  constexpr int r = Op::radius;
  if (r > stencil::max_settled_radius) return;
  const Rules rules[] = {
      periodic,
      nearest,
      {sides(reflect, constant(2)), sides(constant(-0.), Keramos::periodic_closed), sides(constant(3), reflect)},
      {constant(-1.5), constant(0), sides(constant(0), Keramos::mirror)},
      {periodic, sides(nearest, Keramos::interior), sides(Keramos::interior, nearest)}};
  for (std::int64_t turn = 0; turn < std::ssize(rules); turn += stride) {
    SCOPED_TRACE(testing::Message() << "radius " << r << " settled rules " << turn);
    const std::int64_t nx = 132 + 60 * turn, ny = 36 + 12 * turn, nz = 2 * r + 3 + 5 * turn;
    Case<T, Op> one(rules[turn], {nz, ny, nx}, 0, 0);
    one.check({{0, 0, 0}, {nz, ny, nx}});
    one.check({{1, 4, 3 + turn}, {nz - 1, ny - 2, nx - turn}});
    one.check({{0, 4, 4}, {nz, ny, nx - 1}});
    one.check({{2, 0, 0}, {3 + turn, ny, nx}}); // fewer planes than are on their way, as many, and more
  }
  Case<T, Op> one_tile(periodic, {2 * r + 1, 32, 128}, 0, 0);
  one_tile.check({{0, 0, 0}, {2 * r + 1, 32, 128}});
}

/// With every `stride`-th of the rules and alignments.
template <class T, int Radius>
void check_bits(std::int64_t stride)
{
  using Keramos::constant, Keramos::ghost, Keramos::sides;
  constexpr int r = Radius;
  using Op = Keramos::Star<3, r>;
  const Rules with_zero[] = {
      constant(0),
      Keramos::interior,
      {Keramos::periodic, constant(0), constant(0)},
      {sides(Keramos::reflect, Keramos::nearest), sides(constant(0), Keramos::interior), constant(0)},
      {sides(Keramos::interior, constant(0)), constant(0), Keramos::interior}};
  for (std::int64_t turn = 0; turn < std::ssize(with_zero); turn += stride) {
    const Rules& rules = with_zero[turn];
    SCOPED_TRACE(testing::Message() << "radius " << r << " rules " << turn);
    const std::int64_t nx = 256 + 7 * turn, ny = 64 + 13 * turn, nz = 2 * r + 3 + 9 * turn;
    Case<T, Op> one(rules, {nz, ny, nx}, 0, 0);
    one.check({{0, 0, 0}, {nz, ny, nx}});
    one.check({{1, 2, 3 + turn}, {nz - 1, ny - 2, nx - turn}});
  }
  check_settled<T, Op>(stride);
  const std::int64_t shifts[] = {0, 1, 2, 15};
  for (std::int64_t turn = 0; turn < std::ssize(shifts); turn += stride) {
    const std::int64_t shift = shifts[turn];
    SCOPED_TRACE(testing::Message() << "radius " << r << " shift " << shift);
    Case<T, Op> one(ghost, {19, 43, 259}, r, shift);
    one.check({{0, 0, 0}, {19, 43, 259}});
    one.check({{2, 1, 5}, {18, 40, 250}});
  }
}

template <class T>
void check_all()
{
  if (!is_hopper()) GTEST_SKIP() << "tensor copies begin with sm_90";
  check_bits<T, 1>(1);
  check_bits<T, 2>(1);
  check_bits<T, 3>(1);
  check_bits<T, 4>(1);
  check_bits<T, 5>(3);
  check_bits<T, 6>(3);
  check_bits<T, 7>(3);
  check_bits<T, 8>(2);
}

TEST(StencilTensorStar, Float) { check_all<float>(); }
TEST(StencilTensorStar, Double) { check_all<double>(); }

/// Unaligned rows are for other kernels, and fields that end within what a warp settles.
TEST(StencilTensorStar, CoversAlignedRows)
{
  if (!is_hopper()) GTEST_SKIP() << "tensor copies begin with sm_90";
  const auto covers = [](const Rules& rules, std::int64_t shift, std::int64_t halo, std::int64_t rows = 36) {
    const Index extents{8, rows, 128};
    const Part<float> in = aligned<float>({8 + 2 * halo, rows + 2 * halo, 128 + 2 * halo}, shift),
                      out = aligned<float>(extents, (shift + halo) % 4);
    const Keramos::Region<3> all{{0, 0, 0}, extents};
    const core::StencilProblem problem(
        core::stencil_call(Weighted<Keramos::Star<3, 2>>{}, in.view, out.view, rules, &all));
    return stencil::plan_tensor_star(
               stencil::request_of(Keramos::cuda::device_of(own_instance()), problem, core::StoreValue()))
        .has_value();
  };
  using Keramos::constant, Keramos::sides;
  EXPECT_TRUE(covers(constant(0), 0, 0));
  EXPECT_TRUE(covers(Keramos::ghost, 3, 2));
  EXPECT_FALSE(covers(constant(0), 1, 0));
  EXPECT_TRUE(covers(constant(1), 0, 0));
  EXPECT_TRUE(covers(constant(-0.), 0, 0));
  EXPECT_TRUE(covers(Keramos::periodic, 0, 0));
  EXPECT_FALSE(covers(Keramos::periodic, 1, 0));
  EXPECT_FALSE(covers(Keramos::periodic, 0, 0, 35));
  EXPECT_FALSE(covers({constant(0), Keramos::nearest, constant(0)}, 0, 0, 28));
  EXPECT_TRUE(covers({constant(0), sides(Keramos::nearest, constant(0)), constant(0)}, 0, 0, 35));
}

template <class T, int Radius, class... EpilogueOf>
bool is_taken(const Index& extents, const Rules& rules, const EpilogueOf&... epilogue_of)
{
  const Part<T> in = aligned<T>(extents, 0), out = aligned<T>(extents, 0);
  return Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, Radius>>{}, in.view,
                                out.view, rules, epilogue_of(out.view)...)
             .variant.str()
             .find("boxes") != std::string::npos;
}

TEST(StencilTensorStar, IsTakenForLargeStars)
{
  if (!is_hopper()) GTEST_SKIP() << "tensor copies begin with sm_90";
  const Index large{256, 256, 512}, less{128, 256, 512}, small{48, 256, 512};
  const Rules zero = Keramos::constant(0), around = Keramos::periodic;
  const auto leap_frog = [](const auto& out) { return Keramos::LeapFrog{out, 0.5f}; };
  EXPECT_TRUE((is_taken<float, 2>(large, zero)));
  EXPECT_TRUE((is_taken<double, 4>(large, zero)));
  EXPECT_TRUE((is_taken<float, 4>(large, zero)));
  EXPECT_TRUE((is_taken<float, 8>(large, zero)));
  EXPECT_TRUE((is_taken<float, 2>(less, zero)));
  EXPECT_FALSE((is_taken<float, 2>(less, around)));
  EXPECT_TRUE((is_taken<double, 2>(less, around)));
  EXPECT_FALSE((is_taken<float, 2>(small, zero)));
  EXPECT_TRUE((is_taken<float, 4>(less, zero, leap_frog)));
  EXPECT_FALSE((is_taken<float, 4>(less, around, leap_frog)));
  EXPECT_FALSE((is_taken<float, 3>(less, zero, leap_frog)));
  EXPECT_FALSE((is_taken<float, 4>(small, zero, leap_frog)));
  EXPECT_TRUE((is_taken<float, 4>(large, zero, leap_frog)));
  EXPECT_TRUE((is_taken<double, 4>(large, zero, leap_frog)));
  EXPECT_TRUE((is_taken<double, 4>(large, around, leap_frog)));
}

} // namespace
