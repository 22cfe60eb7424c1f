// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil on arrays that end with their last element, compared with the reference: what the stencils' tests made for
// compute-sanitizer share.
#pragma once

#include "DeviceArray.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace test {

using Keramos::Backend;

// ---- The cases ------------------------------------------------------------------------------------------------------

inline const Keramos::AxisRule rules[] = {Keramos::periodic,
                                          Keramos::constant(0.5),
                                          Keramos::mirror,
                                          Keramos::nearest,
                                          Keramos::reflect,
                                          Keramos::ghost,
                                          Keramos::sides(Keramos::ghost, Keramos::mirror)};

/// What happens at a point; epilogue(out, field): as the call's argument. Those that a user writes: SanitizeFunctorsTest.cpp.
struct Nothing {
  static constexpr const char* name = "";
  static constexpr int fields = 0;
  template <class Out>
  static auto epilogue(const Out&, const Out&)
  {
    return Keramos::core::StoreValue();
  }
};
struct WaveUpdate {
  static constexpr const char* name = " leap-frog";
  static constexpr int fields = 0; // the bound of the sum holds for it, too
  template <class Out>
  static auto epilogue(const Out& out, const Out&)
  {
    return Keramos::LeapFrog{out, 0.5};
  }
};

/// Weights of magnitude 1 or less.
template <class Op>
struct Weighted {
  static constexpr auto shape = Op::shape;
  static constexpr int rank = Op::rank, radius = Op::radius, tap_count = Op::tap_count;
  Op op;
  auto offset(int t) const { return op.offset(t); }
  double weight(int t) const { return std::sin(1.0 + 0.7 * t); }
};

// ---- A call, compared -----------------------------------------------------------------------------------------------

/// Lines on large grids have kernels of their own: without multiprocessors every grid is a large one. Some are for an H200's memory.
template <class Op, class View, class Epilogue>
void run_as_large(const Op& op, const Keramos::AxisRule& rule, const View& in, const View& out, const Epilogue& how)
{
  namespace core = Keramos::core;
  Keramos::cuda::Device device = Keramos::cuda::device_of(own_instance());
  device.multiprocessors = 0;
  device.memory_bits = 6016;
  const Keramos::EdgeRules<Op::rank> edges = rule;
  const Keramos::Region<Op::rank>* const everywhere = nullptr;
  const core::StencilProblem problem(core::stencil_call(op, in, out, edges, everywhere));
  const auto plan = Keramos::cuda::stencil::choose(device, problem, core::bind_epilogue<Op, Exec, View>(problem, how));
  ASSERT_TRUE(plan);
  Keramos::cuda::stencil::launch(*plan, own_instance());
  own_instance().fence("the test reads what was written");
}

template <class Op>
inline constexpr bool goes_as_line = Op::shape == Keramos::Shape::line || Op::rank == 1;

template <class T, class Op>
class StencilCase {
public:
  static constexpr int rank = Op::rank;
  using Index = std::array<std::int64_t, rank>;

  template <class How, class Exec, class In, class Out>
  static Keramos::Kernel call(const Exec& exec, const Op& op, const Keramos::AxisRule& rule, const In& in,
                              const Out& out, const Out& field)
  {
    if constexpr (std::is_same_v<How, Nothing>)
      return Keramos::apply_stencil(exec, op, in, out, rule);
    else
      return Keramos::apply_stencil(exec, op, in, out, rule, How::epilogue(out, field));
  }

  /// Each call takes the next edge rule.
  template <class How>
  static void check(const Op& op, const Index& extents, Memory memory, std::int64_t shift)
  {
    check<How>(op, extents, memory, shift, shift);
  }

  template <class How>
  static void check(const Op& op, const Index& extents, Memory memory, std::int64_t shift, std::int64_t in_shift)
  {
    static int turn = 0;
    const Keramos::AxisRule rule = rules[turn++ % std::size(rules)];
    SCOPED_TRACE(testing::Message() << Keramos::core::shape_text(Op::shape, rank, Op::radius, Op::tap_count) << " "
                                    << to_string(rule.low.kind) << "|" << to_string(rule.high.kind) << " "
                                    << testing::PrintToString(extents) << " memory " << int(memory) << " shift "
                                    << shift << How::name);
    Index in_extents = extents;
    for (int axis = 0; axis < rank; ++axis) {
      int reach = 0;
      for (int t = 0; t < Op::tap_count; ++t) reach = std::max(reach, std::abs(op.offset(t)[axis]));
      in_extents[axis] += ghost_sides(rule) * reach;
    }
    const Array<T, rank> in(in_extents, memory), out(extents, memory), expected(extents, memory), got(extents, memory);
    const Array<T, rank> field(extents, memory);
    in.randomise(1);
    out.randomise(2);
    field.randomise(3);
    out.for_each([&](const auto& i) { expected.at(i) = out.at(i); });
    const DeviceArray<T, rank> in_there(in, in_shift), out_there(out, shift), field_there(field, shift);
    run(Backend::reference,
        [&](const auto& exec) { return call<How>(exec, op, rule, in.view, expected.view, field.view); });
    const auto kernel = run([&](const auto& exec) {
      return call<How>(exec, op, rule, in_there.view(), out_there.view(), field_there.view());
    });
    EXPECT_EQ(kernel.backend, Backend::cuda) << kernel;
    const auto compare = [&](const auto& result) {
      result.download(got);
      const double bound = 4. * (Op::tap_count + How::fields) * std::numeric_limits<T>::epsilon();
      got.for_each([&](const auto& i) {
        ASSERT_NEAR(got.at(i), expected.at(i), bound) << kernel << " at " << testing::PrintToString(i);
      });
    };
    compare(out_there);
    if constexpr (goes_as_line<Op> && !std::is_same_v<How, WaveUpdate>) {
      const DeviceArray<T, rank> again(out, shift);
      run_as_large(op, rule, in_there.view(), again.view(), How::epilogue(again.view(), field_there.view()));
      compare(again);
    }
  }
};

template <class Op>
using Sizes = std::vector<std::array<std::int64_t, Op::rank>>;

template <class T, class... Hows, class Op>
void check_hows(const Op& op, const Sizes<Op>& sizes)
{
  std::vector<std::pair<Memory, int>> memories{{Memory::right, 0}, {Memory::inside, 1}};
  if (goes_as_line<Op>) memories.push_back({Memory::spread, 0}); // whose elements lie apart, which is another kernel
  for (const auto& extents : sizes)
    for (const auto& [memory, shift] : memories)
      (StencilCase<T, Op>::template check<Hows>(op, extents, memory, shift), ...);
}

/// Small stars and boxes over two axes, in rows on 16 bytes, in others, alike in the input and the output and not, and of elements that lie
/// apart; with whole warps.
template <class T, class... Hows, class Plane>
void check_plane(const Plane& plane)
{
  const auto check = [&](Memory memory, int shift, int in_shift) {
    (StencilCase<T, Weighted<Plane>>::template check<Hows>(Weighted<Plane>{plane}, {20, 532}, memory, shift, in_shift),
     ...);
  };
  check(Memory::right, 0, 0);
  check(Memory::inside, 1, 1);
  check(Memory::inside, 1, 0);
  check(Memory::spread, 0, 0);
}

/// A kernel that large grids take, launched on a small one in each shape that plan_of(request, number) has; how many ran.
template <class T, class Taps, class PlanOf, class Launch>
int check_shapes(const std::array<std::int64_t, Taps::rank>& extents, const Keramos::EdgeRules<Taps::rank>& edges,
                 int shift, int shapes, const PlanOf& plan_of, const Launch& launch,
                 const Keramos::cuda::Device& device = Keramos::cuda::device_of(own_instance()))
{
  namespace stencil = Keramos::cuda::stencil;
  namespace core = Keramos::core;
  using Op = Weighted<Taps>;
  constexpr int rank = Taps::rank;
  const Op op{};
  const Array<T, rank> in(extents, Memory::right), expected(extents, Memory::right), got(extents, Memory::right);
  in.randomise(1);
  run(Backend::reference,
      [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in.view, expected.view, edges); });
  const DeviceArray<T, rank> in_there(in, shift), out_there(got, 0);
  const Keramos::Region<rank>* const everywhere = nullptr;
  const core::StencilProblem problem(core::stencil_call(op, in_there.view(), out_there.view(), edges, everywhere));
  int ran = 0;
  for (int number = 0; number < shapes; ++number) {
    const auto plan = plan_of(stencil::request_of(device, problem, core::StoreValue()), number);
    if (!plan) continue;
    launch({Backend::cuda, "apply_stencil", plan->variant}, own_instance(), *plan);
    own_instance().fence("the test reads what was written");
    out_there.download(got);
    const double bound = 4. * Op::tap_count * std::numeric_limits<T>::epsilon();
    got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << plan->variant.str(); });
    ++ran;
  }
  return ran;
}

} // namespace test
