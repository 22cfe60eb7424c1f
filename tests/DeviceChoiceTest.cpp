// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is chosen for other GPUs fits into them, and is right where it runs: here, on the GPU of this machine.
#include "Devices.hpp"
#include "StencilSupport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace test;
namespace core = Keramos::core;
using Keramos::cuda::Device;

struct Weigh {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c) const
  {
    return value - a * centre + b * c;
  }
};

/// What happens at a point: nothing, LeapFrog with its scale a number or a field, and a functor with three fields. The
/// number is that of the fields.
enum class How { store, leap_frog, leap_frog_field, functor };

template <How how, class View>
auto epilogue_of(const View& out, const View& one, const View& another)
{
  if constexpr (how == How::store) return core::StoreValue();
  if constexpr (how == How::leap_frog) return Keramos::LeapFrog{out, 0.5};
  if constexpr (how == How::leap_frog_field) return Keramos::LeapFrog{out, one};
  if constexpr (how == How::functor) return Keramos::Epilogue{Weigh(), out, one, another};
}

template <How how, class T, class Op, class Values>
void run_reference(const Op& op, const Values& in, const Values& out, const Values& one, const Values& another)
{
  run(Keramos::Backend::reference, [&](const auto& exec) {
    if constexpr (how == How::store)
      return Keramos::apply_stencil(exec, op, in.view, out.view, Keramos::mirror);
    else
      return Keramos::apply_stencil(exec, op, in.view, out.view, Keramos::mirror,
                                    epilogue_of<how>(out.view, one.view, another.view));
  });
}

/// The largest stars in double want more for their fields than GPUs with 99 KiB have, where no tile is small enough either:
/// they fall to portable.
template <class T, class Op>
bool is_too_large(const Device& device, How how)
{
  const int fields = static_cast<int>(how);
  const bool is_large = Op::radius == 6 || Op::radius == 8 || (Op::radius == 7 && fields >= 2);
  return sizeof(T) == 8 && Op::shape == Keramos::Shape::star && Op::rank == 3 && fields > 0 && is_large &&
         device.shared_per_block < 100 << 10;
}

template <How how, class T, class Op>
void check_call(const Device& device, const Op& op, const std::array<std::int64_t, Op::rank>& extents)
{
  constexpr int rank = Op::rank;
  SCOPED_TRACE(testing::Message() << "sm_" << device.architecture << " "
                                  << core::shape_text(Op::shape, rank, Op::radius, Op::tap_count) << " how "
                                  << int(how));
  using Values = Array<T, rank>;
  const Values in(extents, Memory::right), out(extents, Memory::right), expected(extents, Memory::right);
  const Values one(extents, Memory::right), another(extents, Memory::right);
  in.randomise(1);
  out.randomise(2);
  expected.randomise(2);
  one.randomise(3);
  another.randomise(4);
  const Keramos::EdgeRules<rank> edges = Keramos::mirror;
  const core::StencilProblem problem(
      core::stencil_call(op, in.view, out.view, edges, static_cast<const Keramos::Region<rank>*>(nullptr)));
  const auto epilogue =
      core::bind_epilogue<Op, Exec, decltype(in.view)>(problem, epilogue_of<how>(out.view, one.view, another.view));
  const auto plan = Keramos::cuda::stencil::choose(device, problem, epilogue);
  ASSERT_EQ(bool(plan), !(is_too_large<T, Op>(device, how)));
  if (!plan) return;
  std::visit(
      [&](const auto& chosen) {
        EXPECT_LE(chosen.shape.shared_bytes, static_cast<unsigned>(device.shared_per_block)) << plan->kernel;
      },
      plan->how);
  if constexpr (how != How::functor || Op::radius == 1) { // whose kernels are compiled here
    Keramos::cuda::stencil::launch(*plan, own_instance());
    own_instance().fence("the test reads what was written");
    run_reference<how, T>(op, in, expected, one, another);
    double sum = 3;
    for (int t = 0; t < Op::tap_count; ++t) sum += std::abs(op.weight(t));
    const double bound = Op::tap_count * std::numeric_limits<T>::epsilon() * sum;
    out.for_each([&](const auto& i) { ASSERT_NEAR(out.at(i), expected.at(i), bound) << plan->kernel; });
  }
}

template <class T, class Op>
void check(const Op& op, const std::array<std::int64_t, Op::rank>& extents)
{
  for (const Device& device : devices) {
    check_call<How::store, T>(device, op, extents);
    check_call<How::leap_frog, T>(device, op, extents);
    check_call<How::leap_frog_field, T>(device, op, extents);
    check_call<How::functor, T>(device, op, extents);
  }
}

template <class T>
void check_all()
{
  [&]<int... R>(std::integer_sequence<int, R...>)
  {
    (check<T>(Keramos::FiniteDifference::laplacian<3, 2 * R + 2>(1.0, 1.0, 1.0), {11, 37, 70}), ...);
    (check<T>(Keramos::FiniteDifference::laplacian<2, 2 * R + 2>(1.0, 1.0), {67, 530}), ...);
    (check<T>(Keramos::FiniteDifference::first_derivative<3, 2 * R + 2>(1, 1.0), {7, 37, 70}), ...);
  }
  (std::make_integer_sequence<int, 8>());
  std::array<double, Keramos::Box<3, 2>::tap_count> weights;
  for (std::size_t t = 0; t < weights.size(); ++t) weights[t] = static_cast<double>(t % 5) - 2;
  check<T>(Keramos::Box<3, 2>(weights), {9, 17, 70});
}

/// What an H100 takes on as many points along every axis.
template <class Op>
auto plan_of(const Op& op, std::int64_t points)
{
  std::array<std::int64_t, Op::rank> extents;
  extents.fill(points);
  const Array<float, Op::rank> in(extents, Memory::right), out(extents, Memory::right);
  const Keramos::EdgeRules<Op::rank> edges = Keramos::constant(0);
  const core::StencilProblem problem(
      core::stencil_call(op, in.view, out.view, edges, static_cast<const Keramos::Region<Op::rank>*>(nullptr)));
  return *Keramos::cuda::stencil::choose(h100, problem, core::StoreValue());
}

/// By the kernel that reads which taps there are.
template <class Op>
bool goes_by_any_taps(const Op& op)
{
  return std::visit(
      []<class How>(const How& how) {
        if constexpr (requires { how.box_radius; })
          return how.box_radius == 0;
        else
          return false;
      },
      plan_of(op, 40).how);
}

template <class Op>
void check_taps(const Op& op)
{
  SCOPED_TRACE(core::shape_text(Op::shape, Op::rank, Op::radius, Op::tap_count));
  EXPECT_FALSE(goes_by_any_taps(op));
  EXPECT_TRUE(goes_by_any_taps(Lacking<Op>{op}));
}

/// Stars, boxes and lines have kernels of their own where all of their taps are there, with weights of zero as well, such as that of a first
/// derivative's centre.
TEST(DeviceChoice, OperatorsThatLackTaps)
{
  namespace fd = Keramos::FiniteDifference;
  for (int axis = 0; axis < 3; ++axis) check_taps(fd::first_derivative<3, 8>(axis, 1.));
  check_taps(fd::first_derivative<2, 4>(1, 1.));
  check_taps(fd::first_derivative<1, 2>(0, 1.));
  check_taps(Keramos::Star<3, 1>());
  check_taps(Keramos::Star<3, 4>());
  check_taps(Keramos::Star<2, 4>());
  check_taps(Keramos::Box<3, 2>());
  check_taps(Keramos::Box<2, 1>());
}

/// Of many points those of three axes go by a march that asks which taps there are.
TEST(DeviceChoice, OperatorsThatLackTapsOnLargeGrids)
{
  const auto name = [](const auto& op) { return plan_of(op, 163).kernel.name(); };
  EXPECT_THAT(name(Lacking<Keramos::Star<3, 1>>{}), testing::HasSubstr("partial sums"));
  EXPECT_THAT(name(Lacking<Keramos::Line<3, 1>>{{2, {}}}), testing::HasSubstr("partial sums"));
  EXPECT_THAT(name(Keramos::Line<3, 1>(2, {-1, 0, 1})), testing::Not(testing::HasSubstr("partial sums")));
}

using Planes = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;

/// Of the first columns of these.
auto plane_plan(const Planes& in, const Planes& out, const Keramos::EdgeRules<2>& edges, std::int64_t columns)
{
  const auto part = [&](const Planes& of) {
    return Kokkos::subview(of, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, columns));
  };
  const auto from = part(in), to = part(out);
  const core::StencilProblem problem(
      core::stencil_call(Keramos::Star<2, 4>(), from, to, edges, static_cast<const Keramos::Region<2>*>(nullptr)));
  const auto plan = Keramos::cuda::stencil::choose(h100, problem, core::StoreValue());
  return std::get<Keramos::cuda::stencil::PlanePlan<float>>(plan->how);
}

const char* end_of(const Keramos::cuda::stencil::PlanePrefetch& prefetch)
{
  return prefetch.from + (prefetch.end - 1) + prefetch.piece;
}

/// What blocks over two axes ask the L2 for lies behind the rows of their own, and ends with the last one; nothing where rows lie far apart.
TEST(DeviceChoice, RowsOfPlanesAskedForAhead)
{
  const Planes in("in", 512, 4096), out("out", 512, 4096);
  const auto planned = [&](std::int64_t columns) { return plane_plan(in, out, Keramos::mirror, columns); };
  const auto plan = planned(4096);
  const auto& prefetch = plan.arguments.prefetch;
  const char* const data = reinterpret_cast<const char*>(in.data());
  EXPECT_EQ(end_of(prefetch), data + in.size() * sizeof(float));
  EXPECT_GE(prefetch.from - data, prefetch.band + std::int64_t(4 * 4096 * sizeof(float)));
  EXPECT_GE(std::int64_t(prefetch.piece) * plan.arguments.blocks_along_x.d, prefetch.band);
  EXPECT_EQ(planned(2048).arguments.prefetch.end, 0u);
}

/// Where the input has a halo below the output's first row alone, they end with its last one, too.
TEST(DeviceChoice, RowsOfPlanesAskedForAheadOfAHalo)
{
  const Planes in("in", 516, 4096), out("out", 512, 4096);
  const auto plan = plane_plan(in, out, {Keramos::sides(Keramos::ghost, Keramos::mirror), Keramos::mirror}, 4096);
  const char* const data = reinterpret_cast<const char*>(in.data());
  EXPECT_EQ(end_of(plan.arguments.prefetch), data + in.size() * sizeof(float));
}

/// The length of chunks is that of all numbers of chunks tried one after the other.
TEST(DeviceChoice, LengthsOfChunks)
{
  for (const std::int64_t planes : {1, 7, 8, 64, 255, 256, 257, 513, 2000})
    for (const std::int64_t columns : {1, 2, 5, 64, 131, 132, 133, 1000})
      for (const std::int64_t slots : {1, 3, 132, 264, 500})
        for (const std::int64_t ramp : {7, 14}) {
          const auto waves = [&](std::int64_t chunks) { return (columns * chunks + slots - 1) / slots; };
          const auto length = [&](std::int64_t chunks) { return (planes + chunks - 1) / chunks; };
          const std::int64_t min_chunks = (planes + 255) / 256;
          const std::int64_t max_chunks = std::min(planes, min_chunks + 2 * ((slots + columns - 1) / columns) + 8);
          std::int64_t cost = INT64_MAX;
          for (std::int64_t chunks = min_chunks; chunks <= max_chunks; ++chunks)
            cost = std::min(cost, waves(chunks) * (length(chunks) + ramp));
          const std::int64_t chosen = Keramos::cuda::stencil::chunk_length(planes, columns, slots, ramp);
          bool is_best = false;
          for (std::int64_t chunks = min_chunks; chunks <= max_chunks; ++chunks)
            is_best = is_best || (length(chunks) == chosen && waves(chunks) * (chosen + ramp) == cost);
          EXPECT_TRUE(is_best) << chosen << " of " << planes << " planes, " << columns << " columns, " << slots;
        }
}

TEST(DeviceChoice, DivisionsOfBlockNumbers)
{
  constexpr std::int64_t most = 0x7fffffff;
  std::vector<std::int64_t> divisors{most, 1000003};
  for (std::int64_t power = 1; power < most; power *= 2)
    for (const std::int64_t d : {power - 1, power, power + 1, power + power / 2 + 1})
      if (d > 0) divisors.push_back(d);
  for (const std::int64_t d : divisors) {
    const auto by = Keramos::cuda::block_divisor(d);
    for (const std::int64_t multiple : {std::int64_t{0}, d, 2 * d, most / d / 2 * d, most / d * d, most})
      for (const std::int64_t n : {multiple - 1, multiple, multiple + 1})
        if (n >= 0 && n <= most) ASSERT_EQ(quotient(static_cast<unsigned>(n), by), n / d) << n << " by " << d;
  }
}

TEST(DeviceChoice, StencilsInFloat) { check_all<float>(); }
TEST(DeviceChoice, StencilsInDouble) { check_all<double>(); }

} // namespace
