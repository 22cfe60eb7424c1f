// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulate: out = alpha * f(in permuted) + beta * out, against index arithmetic over small whole numbers, in which every
// product and sum is exact. All memory around an output is compared.
#include "TransposeSupport.hpp"

#include <complex>
#include <limits>
#include <random>

using namespace test;
using Keramos::Accumulate;
using Keramos::Backend;

namespace {

template <class T>
T moved_value(std::int64_t linear)
{
  return static_cast<T>(linear % 5 - 2);
}
template <>
Kokkos::complex<double> moved_value(std::int64_t linear)
{
  return {static_cast<double>(linear % 7 - 3), static_cast<double>(linear % 11 - 4)};
}
template <>
std::complex<double> moved_value(std::int64_t linear)
{
  return moved_value<Kokkos::complex<double>>(linear);
}
template <class T>
T held_value(std::int64_t linear)
{
  return moved_value<T>(linear / 3 + 1);
}

/// Where the input lies, and the output.
struct Places {
  Shape in, out;
  Numbers axes;
};

Places places(const Shape& in, const Numbers& axes, const Numbers& out_order, std::int64_t spacing = 1,
              std::int64_t pad = 0, std::int64_t start = 0)
{
  return {in, Shape(picked(in.extent, axes), out_order, spacing, pad, start), axes};
}

template <class T>
void fill(const Cells<T>& cells, T (*value)(std::int64_t))
{
  for_each(cells.shape, cells.shape.stride, cells.shape.offset,
           [&](std::int64_t linear, std::int64_t at, std::int64_t) { cells.data()[at] = value(linear); });
}

/// permute with `how`, whose result is expected(value of in, value of out).
template <class In, class Out, int Rank, class How, class Expected>
Keramos::Kernel check(const Places& p, const How& how, const Expected& expected, Backend backend = first_backend)
{
  const Cells<In> in(p.in);
  const Cells<Out> out(p.out), right(p.out);
  fill(in, moved_value<In>);
  fill(out, held_value<Out>);
  for_each(p.out, picked(p.in.stride, p.axes), p.in.offset,
           [&](std::int64_t linear, std::int64_t at, std::int64_t from) {
             right.data()[at] = expected(in.data()[from], held_value<Out>(linear));
           });
  const auto kernel = run(backend, [&](const auto& exec) {
    const auto view = out.template view<Rank>();
    if constexpr (Rank < 2)
      return Keramos::copy(exec, in.template view<Rank>(), view, how);
    else
      return Keramos::permute(exec, axes_of<Rank>(p.axes), in.template view<Rank>(), view, how);
  });
  EXPECT_EQ(kernel.backend, backend);
  EXPECT_EQ(std::memcmp(out.data(), right.data(), out.bytes()), 0)
      << kernel << ", extents " << Keramos::core::tuple_text(p.in.extent) << ", strides "
      << Keramos::core::tuple_text(p.in.stride) << ", axes " << Keramos::core::tuple_text(p.axes) << ", strides of out "
      << Keramos::core::tuple_text(p.out.stride);
  return kernel;
}

template <class T>
T twice_less_thrice(T value, T held)
{
  return static_cast<T>(2 * value + -3 * held);
}

/// f(T()) for a value type of each size.
template <class F>
void for_each_type(const F& f)
{
  f(std::int8_t());
  f(std::int16_t());
  f(float());
  f(double());
  f(Kokkos::complex<double>());
}

TEST(Accumulate, EverySizeAroundTheTiles)
{
  for_each_type([](auto type) {
    using T = decltype(type);
    for (const Backend backend : all_backends())
      for (const std::int64_t m : {0, 1, 2, 7, 31, 32, 33, 131})
        for (const std::int64_t n : {0, 1, 3, 8, 31, 32, 33, 67, 259}) {
          const Accumulate how{2, -3};
          check<T, T, 2>(places(Shape({m, n}, right(2)), {1, 0}, right(2)), how, twice_less_thrice<T>, backend);
          check<T, T, 2>(places(Shape({m, n}, right(2), 1, 5, 3), {1, 0}, right(2), 1, 3, 1), how, twice_less_thrice<T>,
                         backend);
        }
  });
}

/// Every permutation, layouts of both sides, spacings and odd pitches.
template <class T, int Rank>
void check_all(const Numbers& extent, int every = 1)
{
  int which = 0;
  Numbers axes = left(Rank);
  do
    for (const auto& in_order : {left(Rank), right(Rank)})
      for (const auto& out_order : {left(Rank), right(Rank)})
        for (const Backend backend : all_backends()) {
          const std::int64_t pad = which++ % 3, spacing = 1 + which % 5 / 4;
          if (which % every) continue;
          check<T, T, Rank>(places(Shape(extent, in_order, spacing, pad, pad), axes, out_order, 1, (pad + 1) % 3, 1),
                            Accumulate{2, -3}, twice_less_thrice<T>, backend);
          check<T, T, Rank>(places(Shape(extent, in_order, 1, pad, pad), axes, out_order, spacing, pad, 2),
                            Accumulate{2, -3}, twice_less_thrice<T>, backend);
        }
  while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(Accumulate, EveryRankAndLayout)
{
  for_each_type([](auto type) {
    using T = decltype(type);
    check_all<T, 0>({});
    check_all<T, 1>({1009});
    check_all<T, 2>({67, 41});
    check_all<T, 3>({17, 33, 20});
    check_all<T, 3>({64, 2, 35});
    check_all<T, 4>({9, 5, 18, 4}, 5);
    check_all<T, 5>({3, 6, 5, 4, 7}, 67);
    check_all<T, 6>({3, 2, 5, 4, 3, 6}, 401);
  });
}

/// Components and planes, many parts and many pieces of a part, on either side.
TEST(Accumulate, LargeAndNarrow)
{
  for_each_type([](auto type) {
    using T = decltype(type);
    const Accumulate how{2, -3};
    for (const std::int64_t k : {2, 3, 12, 1217})
      for (const std::int64_t pad : {0, 1}) {
        const std::int64_t n = k < 1000 ? 4099 : 1031;
        check<T, T, 2>(places(Shape({n, k}, right(2), 1, pad, 1), {1, 0}, right(2), 1, pad, 3), how,
                       twice_less_thrice<T>);
        check<T, T, 2>(places(Shape({k, n}, right(2), 1, pad, 1), {1, 0}, right(2), 1, pad, 3), how,
                       twice_less_thrice<T>);
        check<T, T, 2>(places(Shape({k, n}, right(2), 1, pad, 1), {0, 1}, right(2), 1, pad, 3), how,
                       twice_less_thrice<T>);
      }
  });
}

/// Large enough for boxes of lines, though few, and for those that cost least: whole rows of the input, and rows that begin anywhere.
TEST(Accumulate, LargeOverSeveralAxes)
{
  const Accumulate how{2, -3};
  const auto expect = [&]<class T, int Rank>(T, std::integral_constant<int, Rank>, const Numbers& extent,
                                             const Numbers& axes) {
    for (const std::int64_t pad : {0, 1})
      check<T, T, Rank>(places(Shape(extent, right(Rank), 1, pad, pad), axes, right(Rank), 1, pad, 3 * pad), how,
                        twice_less_thrice<T>);
  };
  constexpr std::integral_constant<int, 3> three;
  constexpr std::integral_constant<int, 4> four;
  expect(float(), three, {256, 24, 1024}, {2, 1, 0});
  expect(double(), three, {64, 67, 1000}, {1, 2, 0});
  expect(float(), four, {65, 16, 96, 67}, {3, 1, 0, 2});
  expect(float(), four, {66, 17, 97, 67}, {3, 2, 1, 0});
  expect(double(), four, {33, 17, 96, 67}, {1, 3, 0, 2});
  expect(std::int16_t(), three, {129, 17, 515}, {2, 1, 0});
  expect(std::int16_t(), four, {65, 16, 96, 67}, {3, 1, 0, 2});
}

/// Large enough for tiles over joined axes, of floats alone: rows of the output that begin anywhere behind a line and end with a tile, in front of it
/// and behind it; rows of the input in one piece, in several, and cut; even and odd steps from row to row.
TEST(Accumulate, LargeOverJoinedAxes)
{
  const auto expect = []<int Rank>(std::integral_constant<int, Rank>, const Numbers& extent, const Numbers& axes) {
    for (const std::int64_t pad : {0, 1}) {
      const Places p = places(Shape(extent, right(Rank), 1, pad, pad), axes, right(Rank), 1, 0, 3 * pad);
      const auto kernel = check<float, float, Rank>(p, Accumulate{2, -3}, twice_less_thrice<float>);
      if (kernel.backend == Backend::cuda) EXPECT_NE(kernel.variant.str().find("joined"), std::string::npos) << kernel;
    }
  };
  constexpr std::integral_constant<int, 3> three;
  constexpr std::integral_constant<int, 4> four;
  expect(three, {41, 65, 1001}, {2, 1, 0});
  expect(three, {43, 64, 1022}, {2, 1, 0});
  expect(four, {33, 29, 31, 114}, {3, 1, 0, 2});
  expect(four, {37, 31, 30, 61}, {3, 2, 1, 0});
}

struct Squared {
  KOKKOS_FUNCTION float operator()(float v) const { return v * v; }
};

TEST(Accumulate, AsWritten)
{
  const Places p = places(Shape({37, 19}, right(2)), {1, 0}, left(2));
  const auto sum = [](float value, float held) { return value + held; };
  for (const Backend backend : all_backends()) {
    check<float, float, 2>(p, Accumulate{}, sum, backend);
    check<float, float, 2>(
        p, Accumulate{0.5}, [](float v, float h) { return 0.5f * v + h; }, backend);
    check<float, float, 2>(
        p, Accumulate{2, 0.25}, [](float v, float h) { return 2 * v + 0.25f * h; }, backend);
    check<float, double, 2>(
        p, Accumulate{2.0f, 3}, [](float v, double h) { return 2.0 * v + 3 * h; }, backend);
    check<double, float, 2>(p, Accumulate{}, sum, backend);
    check<float, int, 2>(
        p, Accumulate{1, -1}, [](float v, int h) { return static_cast<int>(v) - h; }, backend);
    check<float, float, 2>(
        p, Accumulate{1, 2, Squared{}}, [](float v, float h) { return v * v + 2 * h; }, backend);
  }
}

TEST(Accumulate, ComplexNumbers)
{
  using Complex = Kokkos::complex<double>;
  const Complex alpha(2, -1), beta(1, 3);
  for (const Backend backend : all_backends())
    for (const std::int64_t n : {19, 131}) {
      const Places p = places(Shape({37, n}, right(2), 1, 1), {1, 0}, right(2), 1, 3);
      check<Complex, Complex, 2>(
          p, Accumulate{alpha, beta, Keramos::Conjugate{}},
          [&](Complex v, Complex h) { return alpha * Kokkos::conj(v) + beta * h; }, backend);
      check<Complex, Complex, 2>(
          p, Accumulate{2, -3}, [](Complex v, Complex h) { return 2. * v - 3. * h; }, backend);
      check<double, Complex, 2>(
          p, Accumulate{alpha, 1}, [&](double v, Complex h) { return alpha * v + h; }, backend);
    }
}

TEST(Accumulate, ComplexNumbersOfTheStandardLibrary)
{
  using Complex = std::complex<double>;
  const Complex alpha(2, -1);
  for (const Backend backend : all_backends())
    for (const std::int64_t n : {19, 131})
      check<Complex, Complex, 2>(
          places(Shape({37, n}, right(2), 1, 1), {1, 0}, right(2), 1, 3), Accumulate{alpha, -3, Keramos::Conjugate{}},
          [&](Complex v, Complex h) { return alpha * std::conj(v) - 3. * h; }, backend);
}

/// What out holds does not travel: not even NaN, in every bit of it.
TEST(Accumulate, BetaOfZeroReadsNothing)
{
  for (const Backend backend : all_backends())
    for (const std::int64_t n : {1, 33, 67, 1217}) {
      const Shape in_shape({n + 1, n}, right(2), 1, 1);
      const Cells<float> in(in_shape), out(Shape({n, n + 1}, right(2), 1, 1), 0xFF);
      fill(in, moved_value<float>);
      ASSERT_TRUE(std::isnan(out.view<2>()(0, 0)));
      const auto kernel = run(backend, [&](const auto& exec) {
        return Keramos::transpose(exec, in.view<2>(), out.view<2>(), Accumulate{2, 0.0});
      });
      EXPECT_EQ(kernel.backend, backend);
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i <= n; ++i)
        for (std::int64_t j = 0; j < n; ++j) wrong += out.view<2>()(j, i) != 2 * in.view<2>()(i, j);
      EXPECT_EQ(wrong, 0) << kernel << n;
    }
}

/// Any other beta reads it, and NaN and infinity travel as the arithmetic says; so they do from in, whatever alpha is.
TEST(Accumulate, NotANumberTravels)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Backend backend : all_backends()) {
    Kokkos::View<float**, Shared> in("in", 3, 2), out("out", 2, 3);
    in(2, 1) = nan;
    out(0, 1) = nan;
    out(0, 0) = std::numeric_limits<float>::infinity();
    run(backend, [&](const auto& exec) { return Keramos::transpose(exec, in, out, Accumulate{0, 1e-30}); });
    EXPECT_TRUE(std::isnan(out(1, 2)));
    EXPECT_TRUE(std::isnan(out(0, 1)));
    EXPECT_TRUE(std::isinf(out(0, 0)));
    EXPECT_EQ(out(1, 0), 0);
  }
}

/// Bits depend neither on the backend of a host nor on where pieces of the work begin and end.
TEST(Accumulate, OneAnswerOnTheHost)
{
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> draw(-1, 1);
  const std::int64_t m = 517, n = 263;
  const Cells<double> in(Shape({m, n}, right(2), 1, 1));
  for (std::int64_t k = 0; k < in.shape.span; ++k) in.data()[k] = draw(engine);
  const Shape shape({n, m}, right(2), 1, 3, 1);
  const Cells<double> start(shape);
  for (std::int64_t k = 0; k < shape.span; ++k) start.data()[k] = draw(engine);
  const auto sum = [&](Backend backend, std::int64_t rows) {
    const Cells<double> out(shape);
    std::memcpy(out.data(), start.data(), out.bytes());
    const Host exec;
    for (std::int64_t first = 0; first < n; first += rows) {
      const auto some = Kokkos::make_pair(first, std::min(n, first + rows));
      Keramos::transpose(Keramos::with_backend(exec, backend), Kokkos::subview(in.view<2>(), Kokkos::ALL, some),
                         Kokkos::subview(out.view<2>(), some, Kokkos::ALL), Accumulate{1 / 3., 0.7});
    }
    exec.fence("the test reads what was written");
    return std::vector<double>(out.data(), out.data() + shape.span);
  };
  const auto expected = sum(Backend::reference, n);
  const double eps = std::numeric_limits<double>::epsilon();
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const double term = in.view<2>()(i, j) / 3, held = 0.7 * start.view<2>()(j, i);
      ASSERT_NEAR(expected[static_cast<std::size_t>(1 + j * shape.stride[0] + i)], term + held,
                  3 * eps * (std::abs(term) + std::abs(held)));
    }
  for (const Backend backend : {Backend::portable, Backend::openmp, Backend::reference})
    for (const std::int64_t rows : {n, std::int64_t{1}, std::int64_t{7}, std::int64_t{64}})
      EXPECT_EQ(std::memcmp(sum(backend, rows).data(), expected.data(), expected.size() * sizeof(double)), 0)
          << to_string(backend) << rows;
}

TEST(Accumulate, AsksTheBackendsInTurn)
{
  Kokkos::View<float**, Shared> in("in", 300, 200), out("out", 200, 300);
  const auto kernel = run([&](const auto& exec) { return Keramos::transpose(exec, in, out, Accumulate{}); });
  EXPECT_EQ(kernel.backend, first_backend);
  if (has_cuda)
    EXPECT_EQ(kernel.variant, "box rows 4 B accumulate");
  else
    EXPECT_EQ(kernel.variant.str().substr(0, 20), "tiles 4B accumulate ");
  Kokkos::deep_copy(in, 1);
  const auto dry =
      run([&](const auto& exec) { return Keramos::transpose(Keramos::dry_run(exec), in, out, Accumulate{}); });
  EXPECT_EQ(dry, kernel);
  EXPECT_EQ(out(5, 7), 0);
}

TEST(Accumulate, InterleavedComponentsAreLegal)
{
  for (const Backend backend : all_backends()) {
    const Kokkos::View<float***, Kokkos::LayoutRight, Shared> points("points", 70, 70, 2);
    for (std::size_t k = 0; k < points.size(); ++k) points.data()[k] = static_cast<float>(k);
    const auto in = Kokkos::subview(points, Kokkos::ALL, Kokkos::ALL, 0);
    const auto out = Kokkos::subview(points, Kokkos::ALL, Kokkos::ALL, 1);
    run(backend, [&](const auto& exec) { return Keramos::transpose(exec, in, out, Accumulate{}); });
    for (int i = 0; i < 70; ++i)
      for (int j = 0; j < 70; ++j) {
        ASSERT_EQ(in(i, j), 140 * i + 2 * j);
        ASSERT_EQ(out(i, j), (140 * i + 2 * j + 1) + (140 * j + 2 * i));
      }
  }
}

TEST(Accumulate, Errors)
{
  const Kokkos::View<float**, Kokkos::LayoutRight, Host> square("square", 8, 8), oblong("oblong", 8, 9);
  Kokkos::deep_copy(square, 1);
  EXPECT_EQ(
      message([&] { Keramos::transpose(Host(), square, square, Accumulate{}); }),
      "Keramos::transpose: argument 'out': expected no element in common with 'in', got Views that overlap in memory");
  EXPECT_EQ(message([&] { Keramos::copy(Host(), square, oblong, Accumulate{}); }),
            "Keramos::copy: argument 'out': expected extents (8, 8), got (8, 9)");
  EXPECT_EQ(square(3, 3), 1);
}

// What is no sum of values of out is not taken for one.
using View2 = Kokkos::View<float**, Shared>;
using Complexes = Kokkos::View<Kokkos::complex<float>**, Shared>;
template <class F, class In, class Out>
concept Takes = Keramos::core::ElementFunctor<F, In, Out>;
static_assert(Takes<Accumulate<>, View2, View2> && Takes<Accumulate<double, float>, View2, View2>);
static_assert(Takes<Accumulate<Kokkos::complex<float>>, View2, Complexes>);
static_assert(!Takes<Accumulate<Kokkos::complex<float>>, View2, View2>);
static_assert(!Takes<Accumulate<int, Kokkos::complex<float>>, View2, View2>);
using StdComplexes = Kokkos::View<std::complex<float>**, Shared>;
static_assert(Takes<Accumulate<>, StdComplexes, StdComplexes> && Takes<Keramos::Conjugate, StdComplexes, StdComplexes>);
static_assert(Takes<Accumulate<std::complex<float>, Kokkos::complex<float>>, View2, StdComplexes>);
static_assert(!Takes<Accumulate<std::complex<float>>, View2, View2>);
static_assert(!Takes<Accumulate<int, int, Accumulate<>>, View2, View2>);
static_assert(!Takes<Accumulate<int, int, View2>, View2, View2>);
static_assert(!Takes<Accumulate<View2>, View2, View2>);

} // namespace
