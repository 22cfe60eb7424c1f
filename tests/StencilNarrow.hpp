// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of the kernels of short rows: a call by one of them has the bits of the kernel that older GPUs take.
#pragma once

#include "StencilKernels.hpp"

#include <cstring>

namespace test {

template <class T>
struct OfFields {
  KOKKOS_FUNCTION T operator()(T value, T centre, T before, T scale) const
  {
    return 2 * centre - before + scale * value;
  }
};

/// `How` has the kernel: plan(request), by_library(kernel, space, plan, epilogue), by_user(the same), has_waves, has_functors, and functors that read a View
/// and that store by themselves: reads(view), stores(view).
template <class T, class Op, class How>
class NarrowCase {
public:
  static constexpr int rank = Op::rank;
  using Index = std::array<std::int64_t, rank>;
  using Rules = Keramos::EdgeRules<rank>;
  using Region = Keramos::Region<rank>;

  NarrowCase(const Rules& rules, const Index& extents, Memory memory)
      : rules_(rules), in_(with_halo(extents, rules), memory), field_(extents, memory), by_other_(extents, memory),
        by_narrow_(extents, memory)
  {
    in_.randomise(3);
    field_.randomise(4);
  }

  void check(const Region& region) const
  {
    const auto by_library = [](const auto&... arguments) { How::by_library(arguments...); };
    same(
        region, [](const auto&) { return Keramos::core::StoreValue(); }, by_library);
    if (in_graphs()) return; // the second run would find what the first one left
    if constexpr (How::has_waves)
      same(
          region,
          [&](const auto& out) {
            return Keramos::LeapFrog{out.view, field_.view};
          },
          by_library);
    if constexpr (How::has_functors) check_functors(region);
  }

private:
  void check_functors(const Region& region) const
  {
    const auto by_user = [](const auto&... arguments) { How::by_user(arguments...); };
    same(
        region, [&](const auto&) { return How::reads(field_.view); }, by_user);
    same(
        region, [](const auto& out) { return How::stores(out.view); }, by_user);
    same(
        region,
        [](const auto& out) {
          return Keramos::Epilogue{OfFields<T>(), out.view, T(0.3)};
        },
        by_user);
  }

  static Index with_halo(Index extents, const Rules& rules)
  {
    for (int axis = 0; axis < rank; ++axis) extents[axis] += ghost_sides(rules[axis]) * How::radius;
    return extents;
  }
  static auto bound(const auto&, const Keramos::core::StoreValue& store) { return store; }
  static auto bound(const auto& problem, const auto& epilogue)
  {
    return bound_epilogue<Op, StridedView<T, rank>>(problem, epilogue);
  }

  template <class EpilogueOf, class Launch>
  void same(const Region& region, const EpilogueOf& epilogue_of, const Launch& launch) const
  {
    for (const auto& out : {by_other_, by_narrow_}) Kokkos::deep_copy(out.buffer, T(0.25));
    apply_as_older<Weighted<Op>>(in_.view, by_other_.view, rules_, region, epilogue_of(by_other_));
    const Keramos::core::StencilProblem problem(
        Keramos::core::stencil_call(Weighted<Op>{}, in_.view, by_narrow_.view, rules_, &region));
    const auto epilogue = bound(problem, epilogue_of(by_narrow_));
    const auto device = Keramos::cuda::device_of(own_instance());
    const auto plan = How::plan(Keramos::cuda::stencil::request_of(device, problem, epilogue));
    ASSERT_TRUE(plan);
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    launch_and_wait([&] { launch(name, own_instance(), *plan, epilogue); });
    std::int64_t differences = 0;
    for (std::size_t i = 0; i < by_narrow_.buffer.size(); ++i)
      differences += std::memcmp(&by_other_.buffer(i), &by_narrow_.buffer(i), sizeof(T)) != 0;
    EXPECT_EQ(differences, 0) << plan->variant.str();
  }

  Rules rules_;
  Array<T, rank> in_, field_, by_other_, by_narrow_;
};

/// All of it, and without the first one, two, ... and the last one of the first axis.
template <class T, class Op, class How>
void check_narrow(const Keramos::EdgeRules<Op::rank>& rules, const std::array<std::int64_t, Op::rank>& extents,
                  Memory memory)
{
  SCOPED_TRACE(testing::Message() << "radius " << How::radius << ", " << testing::PrintToString(extents));
  const NarrowCase<T, Op, How> one(rules, extents, memory);
  Keramos::Region<Op::rank> region{std::array<std::int64_t, Op::rank>{}, extents};
  one.check(region);
  for (int axis = 0; axis < Op::rank; ++axis) {
    if (extents[axis] <= 3) return;
    region.begin[axis] = axis + 1;
  }
  --region.end[0];
  one.check(region);
}

} // namespace test
