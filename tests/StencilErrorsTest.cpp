// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every wrong use of stencils that shows at run time, with its message; and what looks wrong but is legal.
// What shows at compile time is in compile_fail/.
#include "Support.hpp"

#include <Keramos_Stencil.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace {

using namespace test;
using Keramos::constant, Keramos::sides;
namespace fd = Keramos::FiniteDifference;

using View = Kokkos::View<float**, Host>;

class StencilErrors : public testing::Test {
protected:
  View in{"in", 8, 9}, out{"out", 8, 9};
  Keramos::Star<2, 1> star;

  std::string with(const View& input, const View& output, const Keramos::EdgeRules<2>& edges)
  {
    return message([&] { Keramos::apply_stencil(Host(), star, input, output, edges); });
  }
};

TEST_F(StencilErrors, Extents)
{
  EXPECT_EQ(with(in, View("small", 8, 8), Keramos::periodic),
            "Keramos::apply_stencil: argument 'in': expected extents (8, 8), got (8, 9)");
  EXPECT_EQ(with(in, out, Keramos::ghost),
            "Keramos::apply_stencil: argument 'in': expected extents (10, 11), got (8, 9)");
  EXPECT_EQ(with(in, out, {Keramos::periodic, Keramos::ghost}),
            "Keramos::apply_stencil: argument 'in': expected extents (8, 11), got (8, 9)");
  EXPECT_EQ(with(View("haloed", 10, 11), out, Keramos::ghost), "no error");
  EXPECT_EQ(with(in, out, {Keramos::nearest, sides(Keramos::ghost, Keramos::interior)}),
            "Keramos::apply_stencil: argument 'in': expected extents (8, 10), got (8, 9)");
  EXPECT_EQ(with(View("haloed below", 8, 10), out, {Keramos::nearest, sides(Keramos::ghost, constant(0))}), "no error");
  EXPECT_EQ(with(View("haloed above", 9, 9), out, {sides(constant(0), Keramos::ghost), Keramos::nearest}), "no error");
}

TEST_F(StencilErrors, RulesThatNeedBothSides)
{
  EXPECT_EQ(with(in, out, {sides(Keramos::periodic, Keramos::nearest), Keramos::nearest}),
            "Keramos::apply_stencil: argument 'edges': expected periodic on both sides of axis 0, got sides(periodic, "
            "nearest)");
  EXPECT_EQ(
      with(in, out, {Keramos::nearest, sides(constant(0), Keramos::periodic_closed)}),
      "Keramos::apply_stencil: argument 'edges': expected periodic_closed on both sides of axis 1, got sides(constant, "
      "periodic_closed)");
  EXPECT_EQ(with(in, out, {Keramos::nearest, sides(Keramos::ghost, Keramos::periodic)}),
            "Keramos::apply_stencil: argument 'edges': expected periodic on both sides of axis 1, got sides(ghost, "
            "periodic)");
  EXPECT_EQ(with(in, out, {sides(Keramos::interior, Keramos::mirror), sides(constant(1), constant(2))}), "no error");
}

TEST_F(StencilErrors, Region)
{
  const auto region = [&](std::array<int, 2> begin, std::array<int, 2> end) {
    return message([&] {
      Keramos::apply_stencil(Host(), star, in, out, Keramos::nearest, Keramos::Region{begin, end});
    });
  };
  EXPECT_EQ(region({0, 0}, {8, 9}), "no error");
  EXPECT_EQ(region({3, 4}, {3, 4}), "no error");
  EXPECT_EQ(region({0, 0}, {9, 9}),
            "Keramos::apply_stencil: argument 'region': expected 0 <= begin <= end <= 8 along axis 0, got [0, 9)");
  EXPECT_EQ(region({0, -1}, {8, 9}),
            "Keramos::apply_stencil: argument 'region': expected 0 <= begin <= end <= 9 along axis 1, got [-1, 9)");
  EXPECT_EQ(region({5, 0}, {4, 9}),
            "Keramos::apply_stencil: argument 'region': expected 0 <= begin <= end <= 8 along axis 0, got [5, 4)");
}

TEST_F(StencilErrors, CornersOfAnotherRank)
{
  const std::vector<int> one{3}, two{3, 4}, three{3, 4, 5};
  const auto said = [](const auto& begin, const auto& end) { return message([&] { Keramos::Region<2>(begin, end); }); };
  EXPECT_EQ(said(one, two), "Keramos::Region: argument 'begin': expected 2 indices, got 1");
  EXPECT_EQ(said(two, three), "Keramos::Region: argument 'end': expected 2 indices, got 3");
  EXPECT_EQ(said(std::array{3, 4}, std::vector<int>()), "Keramos::Region: argument 'end': expected 2 indices, got 0");
  EXPECT_EQ(said(two, two), "no error");
}

TEST_F(StencilErrors, Overlap)
{
  const char* const shared =
      "Keramos::apply_stencil: argument 'out': expected no element in common with 'in', got Views that "
      "overlap in memory";
  EXPECT_EQ(with(in, in, Keramos::periodic), shared);
  const Kokkos::View<float**, Host> both("both", 9, 9);
  const auto part = [&](int first) { return Kokkos::subview(both, std::pair(first, first + 8), Kokkos::ALL); };
  EXPECT_EQ(message([&] { Keramos::apply_stencil(Host(), star, part(0), part(1), Keramos::nearest); }), shared);

  // Two components of one array share no element.
  const Kokkos::View<float***, Host> components("components", 8, 9, 2);
  const auto component = [&](int c) { return Kokkos::subview(components, Kokkos::ALL, Kokkos::ALL, c); };
  EXPECT_EQ(message([&] { Keramos::apply_stencil(Host(), star, component(0), component(1), Keramos::nearest); }),
            "no error");

  const StridedView<float, 2> repeated(both.data(), Kokkos::LayoutStride(8, 0, 9, 1));
  EXPECT_EQ(message([&] { Keramos::apply_stencil(Host(), star, in, repeated, Keramos::nearest); }),
            "Keramos::apply_stencil: argument 'out': expected a View in which every index is its own element, got "
            "strides that "
            "repeat elements");
}

TEST_F(StencilErrors, LeapFrogFields)
{
  const View small("small", 8, 8);
  EXPECT_EQ(message([&] {
              Keramos::apply_stencil(Host(), star, in, out, Keramos::nearest, Keramos::LeapFrog{small, 0.5});
            }),
            "Keramos::apply_stencil: argument 'LeapFrog.previous': expected extents (8, 9), got (8, 8)");
  EXPECT_EQ(message([&] {
              Keramos::apply_stencil(Host(), star, in, out, Keramos::nearest, Keramos::LeapFrog{out, small});
            }),
            "Keramos::apply_stencil: argument 'LeapFrog.scale': expected extents (8, 9), got (8, 8)");
  EXPECT_EQ(
      message([&] {
        Keramos::apply_stencil(Host(), star, in, out, Keramos::nearest, Keramos::LeapFrog{out, out});
      }),
      "Keramos::apply_stencil: argument 'out': expected no element in common with 'LeapFrog.scale', got Views that "
      "overlap in memory");
}

/// `previous` is `out` itself, element for element, or apart from it: a point must not read what another has written.
TEST_F(StencilErrors, LeapFrogPreviousIsTheOutputOrApart)
{
  const char* const partly = "Keramos::apply_stencil: argument 'LeapFrog.previous': expected 'out' itself, element for "
                             "element, or no element in common with it, got a View that overlaps it partly";
  const auto said = [](const auto& output, const auto& previous) {
    const Kokkos::View<float**, Host> input("input", output.extent(0), output.extent(1));
    return message([&] {
      Keramos::apply_stencil(Host(), Keramos::Star<2, 1>(), input, output, Keramos::nearest,
                             Keramos::LeapFrog{previous, 0.5f});
    });
  };
  const Kokkos::View<float**, Kokkos::LayoutRight, Host> array("array", 17, 9);
  const auto rows = [&](int begin, int end) { return Kokkos::subview(array, std::pair(begin, end), Kokkos::ALL); };
  Kokkos::deep_copy(array, 7);
  EXPECT_EQ(said(rows(0, 16), rows(1, 17)), partly);
  EXPECT_EQ(said(rows(1, 17), rows(0, 16)), partly);
  for (std::size_t i = 0; i < array.size(); ++i) EXPECT_EQ(array.data()[i], 7); // nothing is written
  EXPECT_EQ(said(rows(0, 8), rows(8, 16)), "no error");
  EXPECT_EQ(said(rows(0, 16), rows(0, 16)), "no error");

  const auto strided = [&](std::size_t rows, std::size_t pitch, std::size_t columns, std::size_t step) {
    return StridedView<float, 2>(array.data(), Kokkos::LayoutStride(rows, pitch, columns, step));
  };
  EXPECT_EQ(said(rows(0, 9), strided(9, 9, 9, 1)), "no error"); // another type, the same elements
  EXPECT_EQ(said(rows(0, 9), strided(9, 1, 9, 9)), partly);     // the same memory transposed
  EXPECT_EQ(said(rows(0, 1), strided(1, 5, 9, 1)), "no error"); // one row has no pitch
  EXPECT_EQ(said(strided(8, 18, 9, 1), StridedView<float, 2>(array.data() + 9, Kokkos::LayoutStride(8, 18, 9, 1))),
            "no error"); // even rows and odd ones
}

/// Offsets of 64 bits: an application's own operator.
struct FarTap {
  static constexpr auto shape = Keramos::Shape::sparse;
  static constexpr int rank = 2, radius = 0, tap_count = 1;
  std::int64_t distance;

  double weight(int) const { return 1; }
  std::array<std::int64_t, 2> offset(int) const { return {0, distance}; }
};

TEST_F(StencilErrors, OffsetsThatCannotBe)
{
  const std::string head =
      "Keramos::apply_stencil: argument 'op': expected offsets from -2147483647 to 2147483647, got ";
  const auto said = [&](const auto& op, const auto& edges) {
    return message([&] { Keramos::apply_stencil(Host(), op, in, out, edges); });
  };
  const int lowest = std::numeric_limits<int>::min();
  for (const auto edge : {Keramos::nearest, Keramos::ghost, Keramos::interior}) {
    EXPECT_EQ(said(Keramos::SparseStencil<2, 1>({{{0, lowest}}}, {1}), edge), head + "(0, -2147483648)");
    EXPECT_EQ(said(fd::derivative<2>(0, 1, {lowest, 0}, 1.0), edge), head + "(-2147483648, 0)");
    EXPECT_EQ(said(FarTap{std::int64_t{1} << 32}, edge), head + "(0, 4294967296)");
  }
  EXPECT_EQ(said(FarTap{2147483647}, Keramos::ghost),
            "Keramos::apply_stencil: argument 'in': expected extents (8, 4294967303), got (8, 9)");
  EXPECT_EQ(said(FarTap{-2147483647}, Keramos::interior), "no error");
}

TEST_F(StencilErrors, NothingIsWritten)
{
  Kokkos::deep_copy(out, 7);
  with(in, out, Keramos::ghost);
  with(in, out, {sides(Keramos::periodic, Keramos::nearest), Keramos::nearest});
  for (int i = 0; i < 72; ++i) EXPECT_EQ(out.data()[i], 7);
}

TEST_F(StencilErrors, BackendThatDoesNotCover)
{
  const Keramos::SparseStencil<2, 1> far({{{0, 1 << 18}}}, {1});
  EXPECT_EQ(message([&] {
              Keramos::apply_stencil(Keramos::with_backend(Kokkos::Serial(), Keramos::Backend::openmp), far, in, out,
                                     Keramos::nearest);
            }),
            "Keramos::apply_stencil: argument 'exec': expected a backend that covers this call, got openmp on Serial");
}

TEST(OperatorErrors, EachNamesItsArgument)
{
  using namespace Keramos;
  EXPECT_EQ(message([] { Line<3, 1>(3, {}); }), "Keramos::Line: argument 'axis': expected 0 <= axis < 3, got 3");
  EXPECT_EQ(message([] { Star<2, 2>().at(-1, 0); }),
            "Keramos::Star::at: argument 'axis': expected 0 <= axis < 2, got -1");
  EXPECT_EQ(message([] { Star<2, 2>().at(1, 3); }),
            "Keramos::Star::at: argument 'offset': expected -2 <= offset <= 2, got 3");
  EXPECT_EQ(message([] { Star<2, 2>().at(0, -3); }),
            "Keramos::Star::at: argument 'offset': expected -2 <= offset <= 2, got -3");
  EXPECT_EQ(message([] { Star<2, 0>().at(1, 1); }),
            "Keramos::Star::at: argument 'offset': expected 0 <= offset <= 0, got 1");
  const std::int64_t wide = std::int64_t{1} << 32; // an int that takes it is 0
  EXPECT_EQ(message([&] { Line<3, 1>(wide, {}); }),
            "Keramos::Line: argument 'axis': expected 0 <= axis < 3, got 4294967296");
  EXPECT_EQ(message([&] { Star<2, 2>().at(wide, 0); }),
            "Keramos::Star::at: argument 'axis': expected 0 <= axis < 2, got 4294967296");
  EXPECT_EQ(message([&] { Star<2, 2>().at(0, wide); }),
            "Keramos::Star::at: argument 'offset': expected -2 <= offset <= 2, got 4294967296");
  EXPECT_EQ(message([] {
              Box<2, 1>().at({0, 2});
            }),
            "Keramos::Box::at: argument 'offset': expected -1 <= offset <= 1, got 2");
}

TEST(FiniteDifferenceErrors, EachNamesItsArgument)
{
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto spacing = [](const char* function, const char* argument, const char* got) {
    return std::string("Keramos::FiniteDifference::") + function + ": argument '" + argument +
           "': expected a positive, finite spacing, got " + got;
  };
  EXPECT_EQ(message([&] { fd::first_derivative<3, 8>(0, 0.0); }), spacing("first_derivative", "spacing", "0"));
  EXPECT_EQ(message([&] { fd::second_derivative<3, 8>(0, -1.0); }), spacing("second_derivative", "spacing", "-1"));
  EXPECT_EQ(message([&] { fd::laplacian<3, 8>(1.0, inf, 1.0); }), spacing("laplacian", "h1", "inf"));
  EXPECT_EQ(message([&] { fd::laplacian<2, 2>(1.0, nan); }), spacing("laplacian", "h1", "nan"));
  EXPECT_EQ(message([&] { fd::derivative<2>(0, 1, {0, 1}, 0.0); }), spacing("derivative", "spacing", "0"));
  const auto power = [](const char* function, const char* argument, int order,
                        const char* got) { // of which no weights come
    return std::string("Keramos::FiniteDifference::") + function + ": argument '" + argument +
           "': expected a spacing by whose power of " + std::to_string(order) +
           " weights can be divided in double, got " + got;
  };
  EXPECT_EQ(message([&] { fd::first_derivative<3, 8>(0, 1e-309); }), power("first_derivative", "spacing", 1, "1e-309"));
  EXPECT_EQ(message([&] { fd::second_derivative<3, 8>(0, 1e-200); }),
            power("second_derivative", "spacing", 2, "1e-200"));
  EXPECT_EQ(message([&] { fd::laplacian<2, 2>(1.0, 1e160); }), power("laplacian", "h1", 2, "1e+160"));
  EXPECT_EQ(message([&] {
              fd::derivative<2>(0, 3, {0, 1, 2, 3}, 1e-120);
            }),
            power("derivative", "spacing", 3, "1e-120"));
  for (const double fine : {1e-307, 1e303}) EXPECT_TRUE(std::isnormal(fd::first_derivative<1, 8>(0, fine).weight(0)));
  for (const double fine : {1e-140, 1e140}) EXPECT_TRUE(std::isnormal(fd::second_derivative<1, 16>(0, fine).weight(8)));
  EXPECT_EQ(message([&] { fd::first_derivative<3, 8>(3, 1.0); }),
            "Keramos::FiniteDifference::first_derivative: argument 'axis': expected 0 <= axis < 3, got 3");
  EXPECT_EQ(message([&] { fd::second_derivative<2, 4>(-1, 1.0); }),
            "Keramos::FiniteDifference::second_derivative: argument 'axis': expected 0 <= axis < 2, got -1");
  EXPECT_EQ(message([&] { fd::first_derivative<3, 8>(std::int64_t{1} << 32, 1.0); }),
            "Keramos::FiniteDifference::first_derivative: argument 'axis': expected 0 <= axis < 3, got 4294967296");
  EXPECT_EQ(message([&] {
              fd::derivative<2>(2, 1, {0, 1}, 1.0);
            }),
            "Keramos::FiniteDifference::derivative: argument 'axis': expected 0 <= axis < 2, got 2");
  EXPECT_EQ(message([&] {
              fd::derivative<2>(0, 2, {0, 1}, 1.0);
            }),
            "Keramos::FiniteDifference::derivative: argument 'order': expected 0 <= order < number of offsets (2), got "
            "2");
  EXPECT_EQ(message([&] {
              fd::derivative<2>(0, 1, {0, 1, 0}, 1.0);
            }),
            "Keramos::FiniteDifference::derivative: argument 'offsets': expected finite offsets, each given once, got "
            "0");
  EXPECT_EQ(message([&] {
              fd::derivative<2>(std::int64_t{1} << 32, 1, {0, 1}, 1.0);
            }),
            "Keramos::FiniteDifference::derivative: argument 'axis': expected 0 <= axis < 2, got 4294967296");
  EXPECT_EQ(message([&] {
              fd::weights(2, {0, 1});
            }),
            "Keramos::FiniteDifference::weights: argument 'derivative': expected 0 <= derivative < number of offsets "
            "(2), got 2");
  EXPECT_EQ(message([&] {
              fd::weights(1, {0, 1, 1});
            }),
            "Keramos::FiniteDifference::weights: argument 'offsets': expected finite offsets, each given once, got 1");
  const auto said = [](int derivative, const std::vector<double>& offsets) {
    return message([&] { fd::weights(derivative, offsets); });
  };
  const std::string head = "Keramos::FiniteDifference::weights: argument 'offsets': expected offsets whose weights a "
                           "double holds, got ";
  EXPECT_EQ(said(2, {0, 1e-200, 2e-200}), head + "(0, 1e-200, 2e-200)");
  EXPECT_EQ(said(2, {-1e200, 0, 1e200}), head + "(-1e+200, 0, 1e+200)");
  EXPECT_EQ(said(0, {1, 1e-200, 2e-200}), "no error"); // that of 1 is zero in double, which leaves the others right
}

} // namespace
