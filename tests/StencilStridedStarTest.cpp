// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars by copies of every second row (backends/cuda/stencil/StridedStar.hpp) have the bits of the kernel that older GPUs
// take, which the rest of the suite compares with the reference: with the edges that they cover, at every alignment of rows and
// planes, in Regions and sub-views, with tiles that overlap. And they are what large stars of odd rows take.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;

/// 1 where it was taken, with the same bits everywhere, outside of the View as well.
template <class T, class Op>
int same_bits(const Rules& rules, const Part<T>& in, const Part<T>& by_other, const Part<T>& by_boxes,
              const Keramos::Region<3>& region)
{
  by_other.fill(3);
  apply_as_older<Weighted<Op>>(in.view, by_other.view, rules, region, core::StoreValue());
  const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in.view, by_boxes.view, rules, &region));
  auto device = Keramos::cuda::device_of(own_instance());
  for (const int multiprocessors : {device.multiprocessors, 4}) { // of four some tiles are left, which come last
    device.multiprocessors = multiprocessors;
    by_boxes.fill(3);
    const auto plan = stencil::plan_strided_star(stencil::request_of(device, problem, core::StoreValue()));
    if (!plan) return 0;
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    launch_and_wait([&] { stencil::library::launch_strided_star(name, own_instance(), *plan); });
    EXPECT_EQ(std::memcmp(by_other.buffer.data(), by_boxes.buffer.data(), by_boxes.buffer.size() * sizeof(T)), 0)
        << plan->variant.str();
  }
  return 1;
}

/// Rows of so many elements, each shifted against the one before, under rules that read no halo.
template <class T, class Op>
int check_zero(const Rules& rules, const Index& extents)
{
  const auto [nz, ny, nx] = extents;
  const Part<T> in(extents, nx % 3), by_other(extents, 1), by_boxes(extents, 1);
  in.fill(1);
  const int all = same_bits<T, Op>(rules, in, by_other, by_boxes, {{0, 0, 0}, extents});
  if (nz < 3 || nx < 10) return all;
  return all + same_bits<T, Op>(rules, in, by_other, by_boxes, {{1, 2, 3}, {nz - 1, ny, nx - nx % 5}});
}

template <class T, class Op>
int check_ghost(const Index& extents, std::int64_t before, std::int64_t more, std::int64_t more_rows)
{
  constexpr int r = Op::radius;
  const auto [nz, ny, nx] = extents;
  const Part<T> in({nz + 2 * r, ny + 2 * r, nx + 2 * r}, before, more, more_rows);
  const Part<T> by_other(extents, 2, more), by_boxes(extents, 2, more);
  in.fill(2);
  return same_bits<T, Op>(Keramos::ghost, in, by_other, by_boxes, {{0, 0, 0}, extents}) +
         same_bits<T, Op>(Keramos::ghost, in, by_other, by_boxes, {{2, 1, 5}, {nz - 1, ny, nx - 9}});
}

template <class T, int Radius>
void check_bits()
{
  using Keramos::constant, Keramos::sides;
  using Op = Keramos::Star<3, Radius>;
  const Rules with_zero[] = {
      constant(0),
      Keramos::interior,
      {Keramos::periodic, constant(0), constant(0)},
      {sides(Keramos::reflect, Keramos::nearest), sides(constant(0), Keramos::interior), constant(0)},
      {sides(Keramos::interior, constant(0)), constant(0), sides(constant(0), Keramos::interior)}};
  std::int64_t turn = 0;
  int compared = 0;
  for (const Rules& rules : with_zero) {
    SCOPED_TRACE(testing::Message() << "radius " << Radius << " rules " << turn);
    for (const std::int64_t nx : {2 * Radius + 1, 31, 127, 129, 257, 390})
      compared += check_zero<T, Op>(rules, {2 * Radius + 1 + turn, 33 + 3 * turn, nx + 2 * turn});
    ++turn;
  }
  for (const std::int64_t nz : {2, Radius + 1, 2 * Radius, 2 * Radius + 1})
    compared += check_zero<T, Op>(constant(0), {nz, 33, 129});
  for (const std::int64_t before : {0, 1})
    for (const std::int64_t more : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << "radius " << Radius << " before " << before << " more " << more);
      for (const std::int64_t more_rows : {0, 1})
        for (const std::int64_t nx : {257, 259}) // a column beside those of the warps, and none
          compared += check_ghost<T, Op>({5 + before, 35, nx}, before, more, more_rows);
    }
  EXPECT_GT(compared, 70);
}

TEST(StencilStridedStar, Bits)
{
  if (!is_hopper()) GTEST_SKIP() << "tensor copies begin with sm_90";
  check_bits<double, 1>();
  check_bits<double, 2>();
  check_bits<double, 3>();
  check_bits<double, 4>();
}

template <class T, int Radius>
bool is_taken(const Index& extents, const Rules& rules)
{
  const Part<T> in(extents, 0), out(extents, 0);
  const Keramos::Kernel kernel = Keramos::apply_stencil(Keramos::dry_run(own_instance()),
                                                        Weighted<Keramos::Star<3, Radius>>{}, in.view, out.view, rules);
  return kernel.variant.str().find("strided boxes") != std::string::npos;
}

/// Rows on 16 bytes, other edges, small grids and float are for other kernels.
TEST(StencilStridedStar, IsTakenForOddRows)
{
  if (!is_hopper()) GTEST_SKIP() << "tensor copies begin with sm_90";
  const Rules zero = Keramos::constant(0);
  const Rules periodic{Keramos::periodic, zero[1], zero[2]}; // which single columns do not cover
  EXPECT_TRUE((is_taken<double, 1>({65, 255, 509}, periodic)));
  EXPECT_TRUE((is_taken<double, 2>({65, 255, 509}, periodic)));
  EXPECT_FALSE((is_taken<double, 1>({65, 255, 509}, zero)));
  EXPECT_FALSE((is_taken<double, 2>({65, 255, 513}, zero)));
  EXPECT_FALSE((is_taken<double, 3>({65, 255, 521}, zero))); // single columns have a tile less
  EXPECT_FALSE((is_taken<double, 4>({65, 255, 521}, zero)));
  EXPECT_TRUE((is_taken<double, 3>({65, 255, 509}, Keramos::interior)));
  EXPECT_TRUE((is_taken<double, 4>({65, 255, 509}, periodic)));
  EXPECT_TRUE((is_taken<double, 3>({65, 255, 513}, zero)));
  EXPECT_TRUE((is_taken<double, 4>({65, 255, 513}, zero)));
  EXPECT_FALSE((is_taken<double, 3>({65, 255, 259}, zero))); // three tiles of 87, see least_march_rate()
  EXPECT_FALSE((is_taken<double, 4>({65, 255, 259}, zero)));
  EXPECT_FALSE((is_taken<float, 1>({65, 255, 509}, zero)));
  EXPECT_FALSE((is_taken<double, 4>({65, 255, 512}, zero)));
  EXPECT_FALSE((is_taken<double, 4>({65, 255, 509}, Keramos::constant(1))));
  EXPECT_FALSE((is_taken<double, 4>({65, 255, 509}, Keramos::constant(-0.))));
  EXPECT_FALSE((is_taken<double, 4>({65, 255, 509}, Keramos::periodic)));
  EXPECT_FALSE((is_taken<double, 4>({16, 127, 509}, zero)));
}

/// As an application calls it, with the layout that it has; of so many points the reference would take half a minute.
template <int Radius>
void check_call(Memory memory, const Rules& rules, const Index& extents)
{
  using Op = Weighted<Keramos::Star<3, Radius>>;
  const bool reads_halo = ghost_sides(rules[0]) > 0;
  Index grown = extents;
  for (std::int64_t& extent : grown) extent += reads_halo ? 2 * Radius : 0;
  const Array<double, 3> in(grown, memory), out(extents, memory), expected(extents, memory);
  in.randomise(5);
  const auto apply = [&](const auto& exec, const auto& to) {
    return Keramos::apply_stencil(exec, Op{}, in.view, to.view, rules);
  };
  apply(Keramos::with_backend(own_instance(), Keramos::Backend::portable), expected);
  const std::string variant = apply(own_instance(), out).variant.str();
  own_instance().fence("the host compares");
  EXPECT_EQ(variant.rfind(core::text("star<3,", Radius, "> strided boxes"), 0), 0u) << variant;
  const double bound = 4. * Op::tap_count * std::numeric_limits<double>::epsilon();
  std::int64_t wrong = 0;
  out.for_each([&](const Index& i) { wrong += !(std::abs(out.at(i) - expected.at(i)) <= bound); });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(out.touched_outside(), 0);
}

TEST(StencilStridedStar, AgreesWithPortable)
{
  if (!is_hopper()) GTEST_SKIP() << "tensor copies begin with sm_90";
  const Keramos::EdgeRule zero = Keramos::constant(0);
  check_call<1>(Memory::right, {Keramos::periodic, zero, zero}, {33, 255, 509});
  check_call<2>(Memory::left, {zero, zero, Keramos::periodic}, {381, 127, 89});
  check_call<3>(Memory::right, Keramos::interior, {41, 255, 515});
  check_call<4>(Memory::right, Keramos::ghost, {33, 255, 509});
}

/// Calls of two streams at once count in the same places if there are more of them than places.
TEST(StencilStridedStar, StreamsBesideEachOther)
{
  if (!is_hopper() || in_graphs()) GTEST_SKIP() << "tensor copies begin with sm_90; one stream is captured";
  using Op = Keramos::Star<3, 3>;
  const Index extents{33, 255, 509};
  const Part<double> in(extents, 1), expected(extents, 0), first(extents, 0), second(extents, 0);
  in.fill(4);
  const Op op{};
  const auto apply = [&](const Exec& exec, const Part<double>& out) {
    return Keramos::apply_stencil(exec, Weighted<Op>{op}, in.view, out.view, Keramos::constant(0));
  };
  apply(own_instance(), expected);
  own_instance().fence("the others are compared with it");
  const auto streams = Kokkos::Experimental::partition_space(own_instance(), 1, 1);
  for (int turn = 0; turn < 20; ++turn) {
    apply(streams[0], first);
    apply(streams[1], second);
  }
  for (const Exec& stream : streams) stream.fence("the host compares");
  const std::size_t bytes = expected.buffer.size() * sizeof(double);
  EXPECT_EQ(std::memcmp(expected.buffer.data(), first.buffer.data(), bytes), 0);
  EXPECT_EQ(std::memcmp(expected.buffer.data(), second.buffer.data(), bytes), 0);
}

} // namespace
