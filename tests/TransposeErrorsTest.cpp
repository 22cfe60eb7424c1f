// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every wrong use of the transpose family that shows at run time, with its message; and what looks wrong but is legal.
// What shows at compile time is in compile_fail/.
#include "TransposeSupport.hpp"

using namespace test;

namespace {

template <class T = float>
using Right2 = Kokkos::View<T**, Kokkos::LayoutRight, Host>;
using Strided2 = Kokkos::View<float**, Kokkos::LayoutStride, Host>;

TEST(TransposeErrors, Extents)
{
  const Right2<> in("in", 3, 5), out("out", 3, 5);
  EXPECT_EQ(message([&] { Keramos::transpose(Host(), in, out); }),
            "Keramos::transpose: argument 'out': expected extents (5, 3), got (3, 5)");
  EXPECT_EQ(message([&] { Keramos::permute<1, 0>(Host(), in, out); }),
            "Keramos::permute: argument 'out': expected extents (5, 3), got (3, 5)");
  const Right2<> wide("wide", 3, 6);
  EXPECT_EQ(message([&] { Keramos::copy(Host(), in, wide); }),
            "Keramos::copy: argument 'out': expected extents (3, 5), got (3, 6)");
  const Right2<> none("none", 0, 5);
  EXPECT_EQ(message([&] { Keramos::copy(Host(), none, out); }),
            "Keramos::copy: argument 'out': expected extents (0, 5), got (3, 5)");
}

enum { X, Y, Z };
enum class Scoped { x };
template <auto... axes>
concept NameAxes = requires
{
  Keramos::Axes{axes...};
};
static_assert(NameAxes<Z, X, Y> && NameAxes<1, X> && NameAxes<1u, std::int64_t{0}>);
static_assert(!NameAxes<true, false> && !NameAxes<Scoped::x> && !NameAxes<nullptr>);

TEST(TransposeErrors, Axes)
{
  const Kokkos::View<float***, Host> in("in", 3, 4, 5), out("out", 5, 3, 4);
  const auto permute = [&](auto... axes) {
    return message([&] { Keramos::permute(Host(), Keramos::Axes{axes...}, in, out); });
  };
  EXPECT_EQ(permute(2, 0, 1), "no error");
  EXPECT_EQ(permute(Z, X, Y), "no error");
  EXPECT_EQ((Keramos::Axes{Z, X, Y}.axis), (std::array<std::int64_t, 3>{2, 0, 1}));
  EXPECT_EQ(permute(2u, X, std::int64_t{1}), "no error");
  EXPECT_EQ(permute(Z, X, Z), "Keramos::permute: argument 'axes': expected each axis from 0 to 2 once, got (2, 0, 2)");
  EXPECT_EQ(permute(2, 0, 2), "Keramos::permute: argument 'axes': expected each axis from 0 to 2 once, got (2, 0, 2)");
  EXPECT_EQ(permute(2, 0, 3), "Keramos::permute: argument 'axes': expected each axis from 0 to 2 once, got (2, 0, 3)");
  EXPECT_EQ(permute(2, 0, -1),
            "Keramos::permute: argument 'axes': expected each axis from 0 to 2 once, got (2, 0, -1)");
  EXPECT_EQ(permute(std::int64_t{1} << 32, 0, 1),
            "Keramos::permute: argument 'axes': expected each axis from 0 to 2 once, got (4294967296, 0, 1)");
}

TEST(TransposeErrors, Overlap)
{
  const Right2<> square("square", 8, 8);
  const char* const shared =
      "Keramos::transpose: argument 'out': expected no element in common with 'in', got Views that overlap in memory";
  EXPECT_EQ(message([&] { Keramos::transpose(Host(), square, square); }), shared);
  const Right2<> below(square.data() + 24, 4, 8);
  const Right2<> above(square.data(), 8, 4);
  EXPECT_EQ(message([&] { Keramos::transpose(Host(), below, above); }), shared);
  EXPECT_EQ(message([&] { Keramos::copy(Host(), square, square); }),
            "Keramos::copy: argument 'out': expected no element in common with 'in', got Views that overlap in memory");
}

TEST(TransposeErrors, RepeatedOutput)
{
  const Right2<> in("in", 4, 6);
  const Kokkos::View<float*, Host> memory("memory", 100);
  const Strided2 repeated(memory.data(), Kokkos::LayoutStride(6, 0, 4, 1));
  EXPECT_EQ(
      message([&] { Keramos::transpose(Host(), in, repeated); }),
      "Keramos::transpose: argument 'out': expected a View in which every index is its own element, got strides that "
      "repeat elements");
  const Strided2 square(memory.data(), Kokkos::LayoutStride(6, 2, 6, 1));
  EXPECT_EQ(
      message([&] { Keramos::transpose_in_place(Host(), square); }),
      "Keramos::transpose_in_place: argument 'matrix': expected a View in which every index is its own element, got "
      "strides that repeat elements");
}

TEST(TransposeErrors, NotSquare)
{
  EXPECT_EQ(message([&] { Keramos::transpose_in_place(Host(), Right2<>("oblong", 5, 6)); }),
            "Keramos::transpose_in_place: argument 'matrix': expected the last two extents to be equal, got 5 and 6");
  const Kokkos::View<float***, Kokkos::LayoutLeft, Host> first_two("first_two", 7, 7, 3);
  EXPECT_EQ(message([&] { Keramos::transpose_in_place(Host(), first_two); }),
            "Keramos::transpose_in_place: argument 'matrix': expected the last two extents to be equal, got 7 and 3");
}

/// Extents that are part of the type are there without memory; so is the element of a View of rank 0.
TEST(TransposeErrors, NeverAllocated)
{
  const Kokkos::View<float[3][5], Host> none, full("full");
  const Kokkos::View<float[4][4], Host> square;
  const Right2<> in("in", 3, 5), out("out", 5, 3);
  const auto said = [](const char* call, const char* argument) {
    return Keramos::core::text("Keramos::", call, ": argument '", argument,
                               "': expected allocated memory, got a null pointer");
  };
  EXPECT_EQ(message([&] { Keramos::transpose(Host(), none, out); }), said("transpose", "in"));
  EXPECT_EQ(message([&] { Keramos::copy(Host(), in, none); }), said("copy", "out"));
  EXPECT_EQ(message([&] { Keramos::copy(Host(), Kokkos::View<float, Host>(), Kokkos::View<float, Host>("one")); }),
            said("copy", "in"));
  EXPECT_EQ(message([&] { Keramos::transpose_in_place(Host(), square); }), said("transpose_in_place", "matrix"));
  const Right2<> wide(full.data(), 5, 3);
  const Kokkos::View<char[4096], Host> scratch;
  EXPECT_EQ(message([&] { Keramos::transpose_in_place(Host(), full, wide, Keramos::Workspace{scratch}); }),
            said("transpose_in_place", "workspace"));
}

TEST(TransposeErrors, NothingIsWritten)
{
  const Right2<> in("in", 3, 5), out("out", 3, 5);
  Kokkos::deep_copy(in, 1);
  EXPECT_THROW(Keramos::transpose(Host(), in, out), Keramos::Error);
  EXPECT_THROW(Keramos::transpose(Keramos::dry_run(Host()), in, out), Keramos::Error);
  Host().fence("the test reads what was written");
  for (std::size_t k = 0; k < out.size(); ++k) EXPECT_EQ(out.data()[k], 0);
}

TEST(TransposeErrors, InterleavedComponentsAreLegal)
{
  // Components 0 and 1 of one array of points: they interleave in memory and share no element
  const Kokkos::View<float***, Kokkos::LayoutRight, Host> points("points", 20, 20, 2);
  for (std::size_t k = 0; k < points.size(); ++k) points.data()[k] = static_cast<float>(k);
  const auto in = Kokkos::subview(points, Kokkos::ALL, Kokkos::ALL, 0);
  const auto out = Kokkos::subview(points, Kokkos::ALL, Kokkos::ALL, 1);
  for (const auto backend : {Keramos::Backend::reference, Keramos::Backend::portable, Keramos::Backend::openmp}) {
    Kokkos::deep_copy(out, 0);
    EXPECT_EQ(message([&] { Keramos::transpose(Keramos::with_backend(Host(), backend), in, out); }), "no error");
    Host().fence("the test reads what was written");
    for (int i = 0; i < 20; ++i)
      for (int j = 0; j < 20; ++j) {
        ASSERT_EQ(in(i, j), 40 * i + 2 * j);
        ASSERT_EQ(out(i, j), in(j, i));
      }
  }
}

TEST(TransposeErrors, EmptyIsLegal)
{
  const Right2<> in("in", 0, 5), out("out", 5, 0);
  EXPECT_EQ(message([&] { Keramos::transpose(Host(), in, out); }), "no error");
  EXPECT_EQ(message([&] { Keramos::transpose_in_place(Host(), Right2<>("empty", 0, 0)); }), "no error");
  EXPECT_EQ(message([&] { Keramos::copy(Host(), Right2<>(), Right2<>()); }), "no error");
}

} // namespace
