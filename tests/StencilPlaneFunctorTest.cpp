// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application's functor, or the wave update, behind a small star or box over two axes (backends/cuda/stencil/Plane.hpp) is called once for each point, with
// what the library's own kernels store there, but for rounding, with the centre, and with declared fields wherever their rows begin: at
// every alignment of rows, in Regions and in place. And rows that begin alike in the input and the output do go this way.
#include "StencilSupport.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace test;
using Keramos::constant;
using Index = std::array<std::int64_t, 2>;
using Region = Keramos::Region<2>;

template <class T>
constexpr T tolerance = 300 * std::numeric_limits<T>::epsilon(); // 17 products of magnitude 1 at most

/// Counts calls, and those with another value or another centre, and stores something else than the value.
template <class T>
struct ChecksCalls {
  StridedView<T, 2> values, in;
  StridedView<int, 2> calls;

  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j) const
  {
    const bool is_right = Kokkos::abs(value - values(i, j)) <= tolerance<T> && centre == in(i, j);
    calls(i, j) += is_right ? 1 : 1000;
    return 2 * value - centre;
  }
};

/// The same of declared fields, one alone or with a number between; what is wrong shows in the result.
template <class T>
struct ChecksFields {
  KOKKOS_FUNCTION T operator()(T value, T centre, T expected) const
  {
    return Kokkos::abs(value - expected) <= tolerance<T> ? 2 * value - centre : T(1000);
  }
  KOKKOS_FUNCTION T operator()(T value, T centre, T expected, T number, T at) const
  {
    return centre == at && number == T(0.5) ? (*this)(value, centre, expected) : T(1000);
  }
  KOKKOS_FUNCTION T operator()(T value, T centre, T expected, T number, T at, T before) const
  {
    return before == 3 * at ? (*this)(value, centre, expected, number, at) : T(1000);
  }
};

/// Rows of a halo, so that Regions also lie away from the edges: x begins on a vector and elsewhere.
std::vector<Region> regions(const Index& extents)
{
  return {{{0, 0}, extents}, {{9, 16}, {extents[0] - 7, extents[1]}}, {{3, 5}, {extents[0], extents[1] - 1}}};
}

template <class T, class Op>
class Case {
public:
  Case(const Index& extents, Memory memory, Memory field_memory)
      : in_(extents, memory), out_(extents, memory), values_(extents, field_memory), centre_(extents, field_memory)
  {
    in_.randomise(7);
    const auto sums = [&](const auto& exec) {
      return Keramos::apply_stencil(exec, op_, in_.view, values_.view, rules_);
    };
    run(Keramos::Backend::reference, sums);
    in_.for_each([&](const Index& i) { centre_.at(i) = in_.at(i); });
  }

  void check_calls()
  {
    Array<int, 2> calls(in_.extents, Memory::right, 0);
    for (const Region& region : regions(in_.extents)) {
      calls.for_each([&](const Index& i) { calls.at(i) = 0; });
      check(region, ChecksCalls<T>{values_.view, in_.view, calls.view});
      calls.for_each([&](const Index& i) { EXPECT_EQ(calls.at(i), has(region, i)) << testing::PrintToString(i); });
    }
  }

  void check_fields()
  {
    const ChecksFields<T> f;
    for (const Region& region : regions(in_.extents)) {
      check(region, Keramos::Epilogue{f, values_.view});
      check(region, Keramos::Epilogue{f, values_.view, T(0.5), centre_.view});
      check(region, Keramos::Epilogue{f, values_.view, T(0.5), centre_.view, out_.view}); // in place
    }
  }

  void check_waves()
  {
    for (const Region& region : regions(in_.extents)) {
      const auto in_place = [&](const Index& i) { return T(0.5) * values_.at(i) - in_.at(i); };
      check(region, Keramos::LeapFrog{out_.view, 0.5}, in_place);
      const auto of_fields = [&](const Index& i) { return in_.at(i) + in_.at(i) * values_.at(i); };
      check(region, Keramos::LeapFrog{centre_.view, centre_.view}, of_fields);
    }
  }

private:
  static bool has(const Region& region, const Index& i)
  {
    return i[0] >= region.begin[0] && i[0] < region.end[0] && i[1] >= region.begin[1] && i[1] < region.end[1];
  }

  template <class Finish>
  void check(const Region& region, const Finish& finish)
  {
    check(region, finish, [&](const Index& i) { return 2 * values_.at(i) - in_.at(i); });
  }

  template <class Finish, class Expected>
  void check(const Region& region, const Finish& finish, const Expected& expected_at)
  {
    out_.for_each([&](const Index& i) { out_.at(i) = 3 * in_.at(i); });
    const auto kernel = run(Keramos::Backend::cuda, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, op_, in_.view, out_.view, rules_, finish, region);
    });
    EXPECT_NE(kernel.name().find(" rows "), std::string::npos) << kernel.name();
    std::int64_t wrong = 0;
    out_.for_each([&](const Index& i) {
      const T expected = has(region, i) ? expected_at(i) : 3 * in_.at(i);
      const bool agrees = std::abs(out_.at(i) - expected) <= 3 * tolerance<T>;
      if (!agrees && wrong++ == 0)
        ADD_FAILURE() << kernel << " at " << testing::PrintToString(i) << ": " << out_.at(i) << ", not " << expected;
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(out_.touched_outside(), 0);
  }

  const Weighted<Op> op_{};
  const Keramos::EdgeRules<2> rules_{Keramos::reflect, constant(0.25)};
  Array<T, 2> in_, out_, values_, centre_;
};

/// Rows of any length, in either layout, and fields whose rows begin as those of the input do, elsewhere, or whose elements lie apart.
template <class T, class Op, class Check>
void for_each_case(const Check& check)
{
  for (const std::int64_t nx : {31, 129, 260, 266, 523})
    for (const auto& [memory, field_memory] : {std::pair(Memory::right, Memory::right),
                                               {Memory::left, Memory::left},
                                               {Memory::inside, Memory::inside},
                                               {Memory::right, Memory::right_padded},
                                               {Memory::left, Memory::spread}}) {
      SCOPED_TRACE(testing::Message() << "radius " << Op::radius << " rows of " << nx);
      const Index right{33, nx}, left{nx, 33};
      Case<T, Op> one(memory == Memory::left ? left : right, memory, field_memory);
      check(one);
    }
}
template <class T, class Op>
void check_calls()
{
  for_each_case<T, Op>([](auto& one) { one.check_calls(); });
}
template <class T, class Op>
void check_fields()
{
  for_each_case<T, Op>([](auto& one) { one.check_fields(); });
}

template <class T, class Op>
void check_waves()
{
  for_each_case<T, Op>([](auto& one) { one.check_waves(); });
}

using Keramos::Star;

TEST(StencilPlaneFunctor, IsCalledInFloat)
{
  check_calls<float, Star<2, 1>>();
  check_calls<float, Star<2, 2>>();
  check_calls<float, Star<2, 3>>();
  check_calls<float, Star<2, 4>>();
  check_calls<float, Keramos::Box<2, 1>>();
}
TEST(StencilPlaneFunctor, IsCalledInDouble)
{
  check_calls<double, Star<2, 1>>();
  check_calls<double, Star<2, 2>>();
  check_calls<double, Star<2, 3>>();
  check_calls<double, Star<2, 4>>();
}
TEST(StencilPlaneFunctor, GetsFieldsInFloat)
{
  check_fields<float, Star<2, 1>>();
  check_fields<float, Star<2, 2>>();
  check_fields<float, Star<2, 4>>();
}
TEST(StencilPlaneFunctor, GetsFieldsInDouble) { check_fields<double, Star<2, 1>>(); }

TEST(StencilPlaneFunctor, IsTheWaveUpdate)
{
  check_waves<float, Star<2, 1>>();
  check_waves<float, Star<2, 3>>();
  check_waves<float, Star<2, 4>>();
  check_waves<double, Star<2, 2>>();
  check_waves<double, Star<2, 4>>();
}

template <class T, int Radius>
bool takes_rows(Memory in_memory, Memory out_memory, std::int64_t nx)
{
  const Array<T, 2> in({70, nx}, in_memory), out({70, nx}, out_memory);
  const auto takes = [&](const auto& finish) {
    const Keramos::Kernel kernel = Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Star<2, Radius>>{},
                                                          in.view, out.view, constant(0), finish);
    return kernel.name().find(" rows ") != std::string::npos;
  };
  const bool by_call = takes(ChecksCalls<T>{in.view, in.view, {}});
  EXPECT_EQ(takes(Keramos::Epilogue{ChecksFields<T>(), in.view}), by_call);
  EXPECT_EQ(takes(Keramos::LeapFrog{in.view, 0.5}), by_call);
  return by_call;
}

/// Rows of the input and the output that begin alike, whole vectors apart or not; others keep the march.
TEST(StencilPlaneFunctor, IsTakenWhereRowsBeginAlike)
{
  for (const std::int64_t nx : {512, 513, 514, 515}) {
    EXPECT_TRUE((takes_rows<float, 1>(Memory::right, Memory::right, nx)));
    EXPECT_TRUE((takes_rows<float, 4>(Memory::right, Memory::right, nx)));
    EXPECT_TRUE((takes_rows<double, 1>(Memory::inside, Memory::inside, nx)));
    EXPECT_TRUE((takes_rows<double, 4>(Memory::inside, Memory::inside, nx)));
    EXPECT_FALSE((takes_rows<float, 1>(Memory::right, Memory::right_padded, nx)));
    EXPECT_FALSE((takes_rows<double, 4>(Memory::right, Memory::right_padded, nx)));
  }
}

} // namespace
