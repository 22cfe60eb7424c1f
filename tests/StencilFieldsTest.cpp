// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epilogues with declared fields: what f is given, from every kind of field, against sums of whole numbers and against
// plain loops.
#include "Support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace {

using namespace test;
using Keramos::Backend, Keramos::Epilogue;

/// Every argument shows in the result: whole numbers, exact in float.
template <class T>
struct Digits {
  KOKKOS_FUNCTION T operator()(T value, T centre, T a) const { return value + 3 * centre + 7 * a; }
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b) const { return (*this)(value, centre, a) + 31 * b; }
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c) const
  {
    return (*this)(value, centre, a, b) + 101 * c;
  }
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c, T d) const
  {
    return (*this)(value, centre, a, b, c) + 257 * d;
  }
};

template <int Rank>
using Index = std::array<std::int64_t, Rank>;

class Fields : public testing::TestWithParam<std::tuple<Backend, Memory, Memory, Memory>> {
protected:
  Backend backend() const { return std::get<Backend>(GetParam()); }
  Memory in_memory() const { return std::get<1>(GetParam()); }
  Memory out_memory() const { return std::get<2>(GetParam()); }
  Memory field_memory() const { return std::get<3>(GetParam()); }

  template <class Call>
  Keramos::Kernel on_backend(const Call& call) const
  {
    return run(backend(), call);
  }
};

/// One call: in with its halo or without, the points from `first` on, fields of all kinds.
template <class T, int Rank>
class Case {
public:
  Case(const Index<Rank>& extents, bool ghost, Memory in, Memory out, Memory field)
      : halo_(ghost ? 1 : 0), in_(grown(extents, 2 * halo_), in), out_(extents, out), a_(extents, field),
        b_(extents, field), region_(Index<Rank>{}, extents)
  {
    const auto number = [](const auto& i, int seed) {
      std::int64_t sum = seed;
      for (auto index : i) sum = 3 * sum + index;
      return static_cast<T>(sum % 13 - 6);
    };
    in_.for_each([&](const auto& i) { in_.at(i) = number(i, 1); });
    a_.for_each([&](const auto& i) { a_.at(i) = number(i, 2); });
    b_.for_each([&](const auto& i) { b_.at(i) = number(i, 5); });
    region_.begin.back() = extents.back() / 3;
    region_.begin.front() = extents.front() / 4;
  }

  template <class Run>
  void check(const Run& run, Backend backend)
  {
    const Digits<T> f;
    const auto a = a_.view, b = b_.view, out = out_.view;
    // A number of another type; constant elements; out itself; two fields in one View.
    compare(run, backend, Epilogue{f, a}, [&](T v, T c, T, T x, T) { return f(v, c, x); });
    compare(run, backend, Epilogue{f, 2, out}, [&](T v, T c, T old, T, T) { return f(v, c, 2, old); });
    compare(run, backend, Epilogue{f, b, out, a}, [&](T v, T c, T old, T x, T y) { return f(v, c, y, old, x); });
    compare(run, backend, Epilogue{f, b, -3.0, b, 5u}, [&](T v, T c, T, T, T y) { return f(v, c, y, -3, y, 5); });
  }

private:
  static Index<Rank> grown(Index<Rank> extents, std::int64_t by)
  {
    for (auto& extent : extents) extent += by;
    return extents;
  }

  /// What Star<Rank, 1>(1, {2}) makes of in: it has halo_ points in front of every axis, or its last ones go on.
  T sum_at(const Index<Rank>& centre) const
  {
    T sum = in_.at(centre);
    for (int axis = 0; axis < Rank; ++axis)
      for (const int step : {-1, 1}) {
        auto neighbour = centre;
        neighbour[axis] = std::clamp<std::int64_t>(centre[axis] + step, 0, in_.extents[axis] - 1);
        sum += 2 * in_.at(neighbour);
      }
    return sum;
  }

  template <class Run, class Finish, class Formula>
  void compare(const Run& run, Backend backend, const Finish& finish, const Formula& formula)
  {
    const auto before = [](const auto& i) { return static_cast<T>(i[0] % 5 + 2 * (i[Rank - 1] % 3)); };
    out_.for_each([&](const auto& i) { out_.at(i) = before(i); });
    const auto edges = halo_ > 0 ? Keramos::ghost : Keramos::nearest;
    const auto kernel = run([&](const auto& exec) {
      return Keramos::apply_stencil(exec, Keramos::Star<Rank, 1>(1, {2}), in_.view, out_.view, edges, finish, region_);
    });
    EXPECT_EQ(kernel.backend, backend);
    int wrong = 0;
    out_.for_each([&](const auto& i) {
      auto centre = i;
      bool inside = true;
      for (int axis = 0; axis < Rank; ++axis) {
        inside = inside && i[axis] >= region_.begin[axis];
        centre[axis] += halo_;
      }
      const T expected = inside ? formula(sum_at(centre), in_.at(centre), before(i), a_.at(i), b_.at(i)) : before(i);
      if (out_.at(i) != expected && wrong++ == 0)
        ADD_FAILURE() << kernel << " at " << testing::PrintToString(i) << ": " << out_.at(i) << ", not " << expected;
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(out_.touched_outside(), 0);
  }

  std::int64_t halo_;
  Array<T, Rank> in_, out_, a_, b_;
  Keramos::Region<Rank> region_;
};

TEST_P(Fields, AreReadAtTheirPoint)
{
  const auto run_it = [&](const auto& call) { return on_backend(call); };
  for (const bool ghost : {false, true}) {
    SCOPED_TRACE(testing::Message() << "ghost " << ghost);
    Case<float, 1>({1300}, ghost, in_memory(), out_memory(), field_memory()).check(run_it, backend());
    Case<double, 2>({9, 70}, ghost, in_memory(), out_memory(), field_memory()).check(run_it, backend());
    Case<float, 3>({9, 7, 37}, ghost, in_memory(), out_memory(), field_memory()).check(run_it, backend());
    // What is contiguous in the input may be an axis of one point.
    Case<float, 3>({1, 9, 37}, ghost, in_memory(), out_memory(), field_memory()).check(run_it, backend());
  }
}

template <class T>
struct Wave {
  KOKKOS_FUNCTION T operator()(T value, T centre, T previous, T scale) const
  {
    return 2 * centre - previous + scale * value;
  }
};

template <class T>
void check_wave(Backend backend, Memory in_memory, Memory out_memory, Memory field_memory)
{
  const std::array<std::int64_t, 3> extents{9, 10, 70};
  const auto star = Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0);
  Array<T, 3> u(extents, in_memory), scale(extents, field_memory), ours(extents, out_memory),
      theirs(extents, out_memory);
  u.randomise(1);
  scale.randomise(3);
  for (const auto& out : {ours, theirs}) out.randomise(2);
  const auto step = [&](const auto& out, const auto& finish) {
    run(backend, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, star, u.view, out.view, Keramos::mirror, finish);
    });
  };
  step(ours, Epilogue{Wave<T>(), ours.view, scale.view});
  step(theirs, Keramos::LeapFrog{theirs.view, scale.view});
  // 27 terms of each, magnitudes up to 20, rounded once per term
  const double bound = 2 * 27 * std::numeric_limits<T>::epsilon() * 20;
  ours.for_each([&](const auto& i) { ASSERT_NEAR(ours.at(i), theirs.at(i), bound) << testing::PrintToString(i); });
  EXPECT_EQ(ours.touched_outside(), 0);
}

TEST_P(Fields, OfTheWaveFormulaGiveLeapFrog)
{
  check_wave<float>(backend(), in_memory(), out_memory(), field_memory());
  check_wave<double>(backend(), in_memory(), out_memory(), field_memory());
}

INSTANTIATE_TEST_SUITE_P(Backends, Fields,
                         testing::Combine(testing::ValuesIn(all_backends()),
                                          testing::Values(Memory::right, Memory::left_padded),
                                          testing::Values(Memory::right, Memory::left, Memory::spread),
                                          testing::Values(Memory::right, Memory::left, Memory::inside)));

// ---- Gray and Scott's reaction, a step after the other, beside the plain loop -------------------------------------------

struct ReactU {
  KOKKOS_FUNCTION double operator()(double diffusion, double u, double v, double feed) const
  {
    return u + diffusion - u * v * v + feed * (1 - u);
  }
};
struct ReactV {
  KOKKOS_FUNCTION double operator()(double diffusion, double v, double u, double feed, double kill) const
  {
    return v + diffusion + u * v * v - (feed + kill) * v;
  }
};

/// Fields of one layout, named as an application names them: constant elements, and no LayoutStride.
template <class Layout>
void check_gray_scott(Backend backend)
{
  using View = Kokkos::View<double**, Layout, Shared>;
  using ConstView = Kokkos::View<const double**, Layout, Shared>;
  constexpr int n = 21, m = 34, steps = 6;
  constexpr double feed = 0.037, kill = 0.06, of_u = 0.2, of_v = 0.1;
  View u("u", n, m), v("v", n, m), next_u("next u", n, m), next_v("next v", n, m);
  std::vector<double> a(n * m), b(n * m);
  const auto at = [&](int i, int j) { return (i + n) % n * m + (j + m) % m; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      const bool seeded = i > 7 && i < 13 && j > 10 && j < 20;
      u(i, j) = a[at(i, j)] = seeded ? 0.5 : 1;
      v(i, j) = b[at(i, j)] = seeded ? 0.25 : 0;
    }
  for (int step = 0; step < steps; ++step) {
    run(backend, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, Keramos::Star<2, 1>(-4 * of_u, {of_u}), u, next_u, Keramos::periodic,
                                    Epilogue{ReactU(), ConstView(v), feed});
    });
    run(backend, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, Keramos::Star<2, 1>(-4 * of_v, {of_v}), v, next_v, Keramos::periodic,
                                    Epilogue{ReactV(), ConstView(u), feed, kill});
    });
    std::swap(u, next_u);
    std::swap(v, next_v);

    const std::vector<double> old_a = a, old_b = b;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        const auto laplacian = [&](const std::vector<double>& of) {
          return of[at(i - 1, j)] + of[at(i + 1, j)] + of[at(i, j - 1)] + of[at(i, j + 1)] - 4 * of[at(i, j)];
        };
        const double u0 = old_a[at(i, j)], v0 = old_b[at(i, j)], reaction = u0 * v0 * v0;
        a[at(i, j)] = u0 + of_u * laplacian(old_a) - reaction + feed * (1 - u0);
        b[at(i, j)] = v0 + of_v * laplacian(old_b) + reaction - (feed + kill) * v0;
      }
  }
  // Magnitudes up to 2; about 15 roundings per step, which later steps amplify by less than 2.
  const double bound = steps * 2 * 15 * std::numeric_limits<double>::epsilon() * 2;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      ASSERT_NEAR(u(i, j), a[at(i, j)], bound) << i << ", " << j;
      ASSERT_NEAR(v(i, j), b[at(i, j)], bound) << i << ", " << j;
    }
  EXPECT_GT(v(7, 12), 0.01); // it has spread
}

TEST(Reaction, OfGrayAndScottIsThePlainLoop)
{
  for (const Backend backend : all_backends()) {
    SCOPED_TRACE(to_string(backend));
    check_gray_scott<Kokkos::LayoutRight>(backend);
    check_gray_scott<Kokkos::LayoutLeft>(backend);
  }
}

} // namespace
