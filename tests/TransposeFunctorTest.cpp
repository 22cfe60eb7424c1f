// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes with a functor on the way, transposes in place, and copies, on Views of ordinary value types.
#include "TransposeSupport.hpp"

#include <complex>

using namespace test;
using Keramos::Backend;

namespace {

/// Two numbers of 2 bytes: half precision's size where half_t is float.
struct Fixed {
  std::int16_t bits;
};

struct ToFixed {
  KOKKOS_FUNCTION Fixed operator()(float value) const { return {static_cast<std::int16_t>(value * 8)}; }
};

struct Square {
  KOKKOS_FUNCTION float operator()(float value) const { return value * value; }
};

float value_at(std::int64_t i, std::int64_t j, std::int64_t k)
{
  return static_cast<float>(i + 100 * j + 10000 * k) / 8;
}

/// in(i, j, k) = value_at(i, j, k) in any layout.
template <class T>
Cells<T> input(const Shape& shape)
{
  Cells<T> cells(shape);
  const auto view = cells.template view<3>();
  for (std::int64_t i = 0; i < shape.extent[0]; ++i)
    for (std::int64_t j = 0; j < shape.extent[1]; ++j)
      for (std::int64_t k = 0; k < shape.extent[2]; ++k) view(i, j, k) = static_cast<T>(value_at(i, j, k));
  return cells;
}

/// Every permutation of rank 3, layouts of both sides: out(i) == expected(value of in).
template <class In, class Out, class F, class Expected>
void check_functor(const F& f, const Expected& expected, const Numbers& extent = {19, 37, 6})
{
  Numbers axes = left(3);
  do
    for (const auto& in_order : {left(3), right(3)})
      for (const std::int64_t spacing : {1, 2})
        for (const Backend backend : all_backends()) {
          const auto in = input<In>(Shape(extent, in_order, spacing, 1, 2));
          const Cells<Out> out(Shape(picked(extent, axes), right(3), 1, 3, 1));
          const auto view = out.template view<3>();
          const auto kernel = run(backend, [&](const auto& exec) {
            return Keramos::permute(exec, axes_of<3>(axes), in.template view<3>(), view, f);
          });
          EXPECT_EQ(kernel.backend, backend);
          std::int64_t wrong = 0;
          for (std::size_t a = 0; a < view.extent(0); ++a)
            for (std::size_t b = 0; b < view.extent(1); ++b)
              for (std::size_t c = 0; c < view.extent(2); ++c) {
                std::int64_t at[3];
                at[axes[0]] = a, at[axes[1]] = b, at[axes[2]] = c;
                const Out right = expected(static_cast<In>(value_at(at[0], at[1], at[2])));
                wrong += std::memcmp(&view(a, b, c), &right, sizeof(Out)) != 0;
              }
          EXPECT_EQ(wrong, 0) << kernel << Keramos::core::tuple_text(axes);
        }
  while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(Functor, Scale)
{
  check_functor<float, float>(Keramos::Scale{0.5}, [](float v) { return 0.5f * v; });
  check_functor<double, double>(Keramos::Scale{3}, [](double v) { return 3 * v; });
  check_functor<int, int>(Keramos::Scale{2}, [](int v) { return 2 * v; });
}

TEST(Functor, ScaleKeepsThePrecisionOfTheValue)
{
  static_assert(std::is_same_v<decltype(Keramos::Scale{0.1}(1.0f)), float>);
  for (int k = 1; k < 100; ++k) EXPECT_EQ(Keramos::Scale{0.1}(k / 7.0f), 0.1f * (k / 7.0f));
  using Complex = Kokkos::complex<float>;
  EXPECT_EQ(Keramos::Scale{0.5}(Complex(2, -4)), Complex(1, -2));
  EXPECT_EQ((Keramos::Scale{Complex(0, 1)}(Complex(2, -4))), Complex(4, 2));
  using OfStd = std::complex<float>;
  static_assert(std::is_same_v<decltype(Keramos::Scale{0.1}(OfStd())), OfStd>);
  EXPECT_EQ(Keramos::Scale{0.5}(OfStd(2, -4)), OfStd(1, -2));
  EXPECT_EQ((Keramos::Scale{OfStd(0, 1)}(OfStd(2, -4))), OfStd(4, 2));
}

TEST(Functor, ConvertWidensAndNarrows)
{
  check_functor<float, double>(Keramos::Convert{}, [](float v) { return double(v); });
  check_functor<double, float>(Keramos::Convert{}, [](double v) { return float(v); });
  check_functor<float, std::int8_t>(Keramos::Convert{}, [](float v) { return static_cast<std::int8_t>(v); }, {9, 1, 1});
}

TEST(Functor, OfTheUser)
{
  check_functor<float, Fixed>(ToFixed{}, [](float v) { return ToFixed{}(v); }, {19, 23, 1});
  check_functor<float, double>(Square{}, [](float v) { return double(v * v); });
}

TEST(Functor, Streamed)
{
  const Numbers extent{1031, 1217, 1}; // 5 MB of float: past the caches
  check_functor<float, float>(
      Keramos::Scale{2}, [](float v) { return 2 * v; }, extent);
}

TEST(Functor, StreamedToAnotherSize)
{
  check_functor<float, double>(Keramos::Convert{}, [](float v) { return double(v); }, {433, 1217, 1});
  check_functor<float, Fixed>(ToFixed{}, [](float v) { return ToFixed{}(v); }, {1531, 1609, 1});
}

struct Counted {
  std::int64_t* calls;
  KOKKOS_FUNCTION float operator()(float value) const
  {
    Kokkos::atomic_inc(calls);
    return -value;
  }
};

TEST(Functor, IsCalledOncePerElement)
{
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> in("in", 1031, 1217), out("out", 1217, 1031),
      square("square", 131, 131);
  for (const auto backend : {Backend::openmp, Backend::portable, Backend::reference}) {
    const Kokkos::DefaultHostExecutionSpace space;
    const auto exec = Keramos::with_backend(space, backend);
    std::int64_t calls = 0;
    Keramos::transpose(exec, in, out, Counted{&calls});
    space.fence("the test reads the calls");
    EXPECT_EQ(calls, 1031 * 1217) << to_string(backend);
    calls = 0;
    Keramos::transpose_in_place(exec, square, Counted{&calls}); // the diagonal, too
    space.fence("the test reads the calls");
    EXPECT_EQ(calls, 131 * 131) << to_string(backend);
  }
}

/// Counts what stands for no element, as a functor may look values up in a table.
struct UpTo99 {
  std::int64_t* others;
  KOKKOS_FUNCTION std::uint8_t operator()(int value) const
  {
    if (value < 0 || value > 99) Kokkos::atomic_inc(others);
    return static_cast<std::uint8_t>(value);
  }
};

/// Shared memory of a GPU still holds what the call before moved, of which the ends of an array leave some.
TEST(Functor, SeesElementsAlone)
{
  using Ints = Kokkos::View<int**, Kokkos::LayoutRight, Shared>;
  using Bytes = Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, Shared>;
  const Ints before("before", 2561, 1537), in("in", 603, 383);
  const Bytes moved("moved", 1537, 2561), out("out", 383, 603);
  const Kokkos::View<std::int64_t, Shared> others("others");
  Kokkos::deep_copy(before, -1);
  for (std::size_t n = 0; n < in.size(); ++n) in.data()[n] = static_cast<int>(n % 100);
  for (const Backend backend : all_backends()) {
    run(backend, [&](const auto& exec) { return Keramos::transpose(exec, before, moved, Keramos::Convert{}); });
    const auto kernel =
        run(backend, [&](const auto& exec) { return Keramos::transpose(exec, in, out, UpTo99{others.data()}); });
    EXPECT_EQ(others(), 0) << kernel;
    EXPECT_TRUE(backend != Backend::cuda || kernel.variant == "tile 160x128 sectors functor") << kernel;
    for (int i = 0; i < 603; ++i)
      for (int j = 0; j < 383; ++j) ASSERT_EQ(out(j, i), in(i, j)) << kernel;
  }
}

float third(float value) { return value / 3; }

TEST(Functor, MayBeANamedFunction)
{
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> in("in", 5, 7), out("out", 7, 5),
      same("same", 5, 7);
  for (std::size_t n = 0; n < in.size(); ++n) in.data()[n] = same.data()[n] = static_cast<float>(n);
  for (const auto backend : {Backend::openmp, Backend::portable, Backend::reference}) {
    const Kokkos::DefaultHostExecutionSpace space;
    const auto exec = Keramos::with_backend(space, backend);
    const auto check = [&](const auto& call, int times) {
      Kokkos::deep_copy(out, -1);
      for (int n = 0; n < times; ++n) call();
      space.fence("the test reads the result");
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 7; ++j)
          EXPECT_FLOAT_EQ(out(j, i), static_cast<float>(times) * (in(i, j) / 3) - (times > 1));
    };
    check([&] { Keramos::transpose(exec, in, out, third); }, 1);
    check([&] { Keramos::transpose(exec, in, out, &third); }, 1);
    check([&] { Keramos::permute<1, 0>(exec, in, out, third); }, 1);
    check([&] { Keramos::permute(exec, Keramos::Axes{1, 0}, in, out, third); }, 1);
    check([&] { Keramos::transpose(exec, in, out, Keramos::Accumulate{1, 1, third}); }, 2);
    Keramos::copy(exec, in, same, third);
    space.fence("the test reads the result");
    EXPECT_FLOAT_EQ(same(4, 6), 34.f / 3);
  }
}

TEST(Functor, SumsOfComponents)
{
  // in(p, c) of three components a point, to planes in double: the kernels for few components behind a functor
  const std::int64_t points = 1001;
  const auto in = input<float>(Shape({points, 3, 1}, {1, 0, 2}));
  Kokkos::View<double**, Kokkos::LayoutRight, Shared> planes("planes", 3, points);
  Kokkos::View<float**, Kokkos::LayoutRight, Shared> back("back", points, 3);
  const auto packed = Kokkos::subview(in.view<3>(), Kokkos::ALL, Kokkos::ALL, 0);
  EXPECT_EQ(run(Backend::openmp,
                [&](const auto& exec) { return Keramos::transpose(exec, packed, planes, Keramos::Convert{}); })
                .variant.str()
                .substr(0, 10),
            "components");
  EXPECT_EQ(
      run(Backend::openmp, [&](const auto& exec) { return Keramos::transpose(exec, planes, back, Keramos::Convert{}); })
          .variant.str()
          .substr(0, 10),
      "interleave");
  for (std::int64_t p = 0; p < points; ++p)
    for (int c = 0; c < 3; ++c) {
      ASSERT_EQ(planes(c, p), value_at(p, c, 0));
      ASSERT_EQ(back(p, c), value_at(p, c, 0));
    }
}

// A placed argument that is no functor is not taken for one.
using View2 = Kokkos::View<float**, Shared>;
static_assert(Keramos::core::ElementFunctor<Keramos::Convert, View2, View2>);
static_assert(!Keramos::core::ElementFunctor<View2, View2, View2>);
static_assert(!Keramos::core::ElementFunctor<Kokkos::View<float*, Shared>, View2, View2>);
static_assert(!Keramos::core::ElementFunctor<Host, View2, View2>);
static_assert(!Keramos::core::ElementFunctor<double, View2, View2>);
static_assert(!Keramos::core::ElementFunctor<Keramos::Axes<2>, View2, View2>);

// ---- In place ------------------------------------------------------------------------------------------------------

TEST(InPlace, StacksInEveryLayout)
{
  for_each_size([](auto size) {
    for (const Backend backend : all_backends())
      for (const std::int64_t order : {0, 1, 2, 3, 7, 16, 33, 65, 131}) {
        Numbers axes = left(4);
        int which = 0;
        do {
          if (order > 40 && which++ % 5) continue;
          const Shape shape({2, 3, order, order}, axes, 1 + which % 2, which % 3, 1);
          const auto kernel = check_in_place<size, 4>(shape, [&](const auto& stack) {
            return run(backend, [&](const auto& exec) { return Keramos::transpose_in_place(exec, stack); });
          });
          EXPECT_EQ(kernel.backend, backend);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  });
}

TEST(InPlace, ManySmallMatrices)
{
  for (const std::int64_t order : {2, 3, 4, 5, 8, 13}) {
    const Cells<Item<4>> stack(Shape({1003, order, order}, right(3), 1, 0, 1));
    number(stack);
    run([&](const auto& exec) { return Keramos::transpose_in_place(exec, stack.view<3>()); });
    std::int64_t wrong = 0;
    for (std::int64_t s = 0; s < 1003; ++s)
      for (std::int64_t i = 0; i < order; ++i)
        for (std::int64_t j = 0; j < order; ++j)
          wrong += !(stack.view<3>()(s, i, j) == item<4>((s * order + j) * order + i));
    EXPECT_EQ(wrong, 0) << order;
  }
}

TEST(InPlace, TwiceIsNothing)
{
  const Cells<Item<4>> matrix(Shape({1500, 1500}, right(2), 1, 3));
  number(matrix);
  const auto kernel =
      run(Backend::openmp, [&](const auto& exec) { return Keramos::transpose_in_place(exec, matrix.view<2>()); });
  EXPECT_EQ(kernel.variant.str().substr(0, 10), "tile pairs");
  EXPECT_EQ(matrix.data()[7 * 1503 + 1311], item<4>(1311 * 1500 + 7));
  run([&](const auto& exec) { return Keramos::transpose_in_place(exec, matrix.view<2>()); });
  for_each(matrix.shape, matrix.shape.stride, 0,
           [&](std::int64_t linear, std::int64_t at, std::int64_t) { ASSERT_EQ(matrix.data()[at], item<4>(linear)); });
}

static_assert(std::invocable<Keramos::Conjugate, Kokkos::Experimental::half_t>, "with CUDA it is a class");

template <class Complex>
void check_conjugate_transpose()
{
  for (const Backend backend : all_backends())
    for (const std::int64_t order : {5, 70, 129, 801}) { // the last: past the caches
      const std::int64_t count = order == 5 ? 4 : 2;
      Kokkos::View<Complex***, Kokkos::LayoutRight, Shared> matrices(
          Kokkos::view_alloc("matrices", Kokkos::WithoutInitializing), count, order, order);
      for (std::int64_t s = 0; s < count; ++s)
        for (std::int64_t i = 0; i < order; ++i)
          for (std::int64_t j = 0; j < order; ++j) matrices(s, i, j) = Complex(i + 0.5f * s, j + 1);
      run(backend, [&](const auto& exec) { return Keramos::transpose_in_place(exec, matrices, Keramos::Conjugate{}); });
      for (std::int64_t s = 0; s < count; ++s)
        for (std::int64_t i = 0; i < order; ++i)
          for (std::int64_t j = 0; j < order; ++j) ASSERT_EQ(matrices(s, i, j), Complex(j + 0.5f * s, -(i + 1.0f)));
    }
}

TEST(InPlace, ConjugateTranspose) { check_conjugate_transpose<Kokkos::complex<float>>(); }
TEST(InPlace, ConjugateTransposeOfStdComplex) { check_conjugate_transpose<std::complex<float>>(); }

// ---- Copies, compositions, other spaces ----------------------------------------------------------------------------

TEST(Copy, BetweenLayouts)
{
  Kokkos::View<double***, Kokkos::LayoutRight, Shared> right_view("right", 40, 31, 22);
  Kokkos::View<double***, Kokkos::LayoutLeft, Shared> left_view("left", 40, 31, 22);
  for (std::size_t k = 0; k < right_view.size(); ++k) right_view.data()[k] = static_cast<double>(k);
  const Kokkos::View<const double***, Kokkos::LayoutRight, Shared> constant = right_view;
  EXPECT_EQ(run([&](const auto& exec) { return Keramos::copy(exec, constant, left_view); }).operation, "copy");
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 31; ++j)
      for (int k = 0; k < 22; ++k) ASSERT_EQ(left_view(i, j, k), right_view(i, j, k));
}

TEST(Copy, RankZeroOneAndSix)
{
  Kokkos::View<int, Shared> zero("zero"), zero_out("zero_out");
  zero() = 42;
  run([&](const auto& exec) { return Keramos::copy(exec, zero, zero_out); });
  Kokkos::View<int*, Shared> one("one", 1000), one_out("one_out", 500);
  for (int k = 0; k < 1000; ++k) one(k) = k;
  const Kokkos::View<int*, Kokkos::LayoutStride, Shared> even(one.data(), Kokkos::LayoutStride(500, 2));
  run([&](const auto& exec) { return Keramos::copy(exec, even, one_out); });
  Kokkos::View<int******, Kokkos::LayoutLeft, Shared> six("six", 2, 3, 2, 3, 2, 3);
  Kokkos::View<int******, Kokkos::LayoutRight, Shared> six_out("six_out", 2, 3, 2, 3, 2, 3);
  for (std::size_t k = 0; k < six.size(); ++k) six.data()[k] = static_cast<int>(k);
  run([&](const auto& exec) { return Keramos::copy(exec, six, six_out); });
  EXPECT_EQ(zero_out(), 42);
  for (int k = 0; k < 500; ++k) ASSERT_EQ(one_out(k), 2 * k);
  EXPECT_EQ(six_out(1, 0, 1, 2, 0, 1), six(1, 0, 1, 2, 0, 1));
  EXPECT_EQ(six_out(1, 2, 1, 2, 1, 2), 215);
}

TEST(Permute, CompileTimeAxesMeanTheSame)
{
  Kokkos::View<float***, Shared> in("in", 5, 6, 7), out("out", 7, 5, 6), again("again", 7, 5, 6), home("home", 5, 6, 7);
  for (std::size_t k = 0; k < in.size(); ++k) in.data()[k] = static_cast<float>(k);
  const auto fixed = run([&](const auto& exec) { return Keramos::permute<2, 0, 1>(exec, in, out); });
  EXPECT_EQ(fixed, run([&](const auto& exec) { return Keramos::permute(exec, Keramos::Axes{2, 0, 1}, in, again); }));
  run([&](const auto& exec) { return Keramos::permute<1, 2, 0>(exec, out, home); }); // the inverse
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 7; ++k) {
        ASSERT_EQ(out(k, i, j), in(i, j, k));
        ASSERT_EQ(again(k, i, j), in(i, j, k));
        ASSERT_EQ(home(i, j, k), in(i, j, k));
      }
}

TEST(Permute, OneAfterTheOtherIsTheirComposition)
{
  const Numbers extent{5, 8, 3, 6};
  Kokkos::View<int****, Shared> in("in", 5, 8, 3, 6);
  for (std::size_t k = 0; k < in.size(); ++k) in.data()[k] = static_cast<int>(k);
  const auto array = [](const Numbers& e) { return Kokkos::View<int****, Shared>("array", e[0], e[1], e[2], e[3]); };
  Numbers first = left(4);
  do {
    const Numbers second{2, 0, 3, 1}, both = picked(first, second);
    const auto between = array(picked(extent, first)), out = array(picked(extent, both)),
               direct = array(picked(extent, both));
    run([&](const auto& exec) { return Keramos::permute(exec, axes_of<4>(first), in, between); });
    run([&](const auto& exec) { return Keramos::permute(exec, axes_of<4>(second), between, out); });
    run([&](const auto& exec) { return Keramos::permute(exec, axes_of<4>(both), in, direct); });
    for (std::size_t k = 0; k < out.size(); ++k) ASSERT_EQ(out.data()[k], direct.data()[k]);
  } while (std::next_permutation(first.begin(), first.end()));
}

#if defined(KOKKOS_ENABLE_SERIAL)
TEST(Transpose, SerialTakesTheHostKernelsToo)
{
  const Kokkos::Serial serial;
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> in("in", 100, 200), out("out", 200, 100);
  in(70, 130) = 5;
  EXPECT_EQ(Keramos::transpose(serial, in, out).backend, Backend::openmp);
  serial.fence("the test reads what was written");
  EXPECT_EQ(out(130, 70), 5);
}
#endif

TEST(Transpose, DryRunWritesNothing)
{
  Kokkos::View<float**, Shared> in("in", 30, 40), out("out", 40, 30);
  Kokkos::deep_copy(in, 1);
  const auto kernel = run([&](const auto& exec) { return Keramos::transpose(Keramos::dry_run(exec), in, out); });
  EXPECT_EQ(out(0, 0), 0);
  EXPECT_EQ(kernel, run([&](const auto& exec) { return Keramos::transpose(exec, in, out); }));
}

TEST(Transpose, RepeatedInput)
{
  // An input may name an element twice: here every row is the same
  Kokkos::View<float*, Shared> row("row", 100);
  for (int k = 0; k < 100; ++k) row(k) = static_cast<float>(k);
  const Kokkos::View<const float**, Kokkos::LayoutStride, Shared> rows(row.data(), Kokkos::LayoutStride(50, 0, 100, 1));
  for (const Backend backend : all_backends()) {
    Kokkos::View<float**, Kokkos::LayoutRight, Shared> out("out", 100, 50);
    run(backend, [&](const auto& exec) { return Keramos::transpose(exec, rows, out); });
    Kokkos::View<double**, Kokkos::LayoutRight, Shared> doubled("doubled", 100, 50);
    run(backend, [&](const auto& exec) { return Keramos::transpose(exec, rows, doubled, Keramos::Scale{2}); });
    for (int i = 0; i < 50; ++i)
      for (int j = 0; j < 100; ++j) {
        ASSERT_EQ(out(j, i), j);
        ASSERT_EQ(doubled(j, i), 2 * j);
      }
  }
}

} // namespace
