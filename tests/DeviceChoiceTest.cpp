// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is chosen for other GPUs fits into them, and is right where it runs: here, on the GPU of this machine.
#include "Support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;
namespace core = Keramos::core;
using Keramos::cuda::Device;

/// Architecture, multiprocessors, shared memory of a block and of a multiprocessor (CUDA programming guide, compute
/// capabilities): A100, RTX 3090, L40, and one multiprocessor of any.
constexpr Device devices[] = {{80, 108, 163 << 10, 164 << 10},
                              {86, 82, 99 << 10, 100 << 10},
                              {89, 142, 99 << 10, 100 << 10},
                              {90, 1, 99 << 10, 100 << 10}};

/// epilogue_of(out): the epilogue, of the kind that `leap_frog` tells.
template <class T, class Op, class Epilogue>
void check_call(const Device& device, const Op& op, const std::array<std::int64_t, Op::rank>& extents, bool leap_frog,
                const Epilogue& epilogue_of)
{
  constexpr int rank = Op::rank;
  SCOPED_TRACE(testing::Message() << "sm_" << device.architecture << " "
                                  << core::shape_text(Op::shape, rank, Op::radius, Op::tap_count)
                                  << (leap_frog ? " leap-frog" : ""));
  const Array<T, rank> in(extents, Memory::right), out(extents, Memory::right), expected(extents, Memory::right);
  in.randomise(1);
  out.randomise(2);
  expected.randomise(2);
  run(Keramos::Backend::reference, [&](const auto& exec) {
    if (leap_frog)
      return Keramos::apply_stencil(exec, op, in.view, expected.view, Keramos::mirror,
                                    Keramos::LeapFrog{expected.view, 0.5});
    return Keramos::apply_stencil(exec, op, in.view, expected.view, Keramos::mirror);
  });
  const Keramos::EdgeRules<rank> edges = Keramos::mirror;
  const core::StencilProblem problem(
      core::stencil_call(op, in.view, out.view, edges, static_cast<const Keramos::Region<rank>*>(nullptr)));
  const auto epilogue = core::bind_epilogue<Op, Exec>(problem, out.view, epilogue_of(out.view));
  const auto plan = Keramos::cuda::choose(device, problem, epilogue);
  // The largest stars in double want more for their fields than these GPUs have, and fall to portable.
  const bool too_large = sizeof(T) == 8 && leap_frog && Op::shape == Keramos::Shape::star && rank == 3 &&
                         (Op::radius == 6 || Op::radius == 8) && device.shared_per_block < 100 << 10;
  ASSERT_EQ(bool(plan), !too_large);
  if (too_large) return;
  std::visit([&](const auto& how) { EXPECT_LE(how.shared_bytes, device.shared_per_block) << plan->kernel; }, plan->how);
  Keramos::cuda::launch(*plan, own_instance(), problem, epilogue);
  own_instance().fence("the test reads what was written");
  double sum = 2;
  for (int t = 0; t < Op::tap_count; ++t) sum += std::abs(op.weight(t));
  const double bound = Op::tap_count * std::numeric_limits<T>::epsilon() * sum;
  out.for_each([&](const auto& i) { ASSERT_NEAR(out.at(i), expected.at(i), bound) << plan->kernel; });
}

template <class T, class Op>
void check(const Op& op, const std::array<std::int64_t, Op::rank>& extents)
{
  for (const Device& device : devices) {
    check_call<T>(device, op, extents, false, [](const auto&) { return core::Store(); });
    check_call<T>(device, op, extents, true, [](const auto& out) { return Keramos::LeapFrog{out, 0.5}; });
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
