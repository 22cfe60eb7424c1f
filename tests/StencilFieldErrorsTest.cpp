// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an Epilogue's fields may not be, with the messages, and what looks wrong of an epilogue but is legal. What shows at compile time is
// in compile_fail/.
#include "Support.hpp"

#include <Keramos_Stencil.hpp>

#include <gtest/gtest.h>

namespace {

using namespace test;
using Keramos::Epilogue;

using View = Kokkos::View<float**, Kokkos::LayoutRight, Shared>;

struct Last {
  KOKKOS_FUNCTION float operator()(float, float, float a) const { return a; }
  KOKKOS_FUNCTION float operator()(float, float, float, float b) const { return b; }
  KOKKOS_FUNCTION float operator()(float, float, float, float, float c) const { return c; }
};

template <class Finish>
std::string said(const View& in, const StridedView<float, 2>& out, const Finish& finish)
{
  return message([&] { Keramos::apply_stencil(Host(), Keramos::Star<2, 1>(), in, out, Keramos::nearest, finish); });
}

TEST(StencilFieldErrors, Extents)
{
  const View in("in", 8, 9), small("small", 8, 8), field("field", 8, 9);
  const StridedView<float, 2> out(View("out", 8, 9));
  EXPECT_EQ(said(in, out, Epilogue{Last(), small}),
            "Keramos::apply_stencil: argument 'Epilogue.fields[0]': expected extents (8, 9), got (8, 8)");
  EXPECT_EQ(said(in, out, Epilogue{Last(), field, 2, small}),
            "Keramos::apply_stencil: argument 'Epilogue.fields[2]': expected extents (8, 9), got (8, 8)");
  EXPECT_EQ(said(in, out, Epilogue{Last(), field, field, in}), "no error");
  // A halo is the input's alone.
  const View haloed("haloed", 10, 11);
  EXPECT_EQ(
      message([&] {
        Keramos::apply_stencil(Host(), Keramos::Star<2, 1>(), haloed, out, Keramos::ghost, Epilogue{Last(), 1, haloed});
      }),
      "Keramos::apply_stencil: argument 'Epilogue.fields[1]': expected extents (8, 9), got (10, 11)");
}

/// Extents that are part of the type are there without memory.
TEST(StencilFieldErrors, NeverAllocated)
{
  const View in("in", 8, 9), out("out", 8, 9);
  const Kokkos::View<float[8][9], Shared> none;
  EXPECT_EQ(said(in, out, Epilogue{Last(), 1, none}),
            "Keramos::apply_stencil: argument 'Epilogue.fields[1]': expected allocated memory, got a null pointer");
}

/// A field is `out` itself, element for element, or apart from it: a point must not read what another has written.
TEST(StencilFieldErrors, FieldsAreTheOutputOrApart)
{
  const auto partly = [](int field) {
    return Keramos::core::text("Keramos::apply_stencil: argument 'Epilogue.fields[", field,
                               "]': expected 'out' itself, element for element, or no element in common with it, got a "
                               "View that overlaps it partly");
  };
  const View array("array", 17, 9);
  Kokkos::deep_copy(array, 7);
  const auto strided = [&](int first, std::size_t rows, std::size_t pitch, std::size_t columns, std::size_t step) {
    return StridedView<float, 2>(array.data() + first, Kokkos::LayoutStride(rows, pitch, columns, step));
  };
  const auto rows = [&](int begin, int end) { return strided(9 * begin, end - begin, 9, 9, 1); };
  const View in("in", 16, 9), square("square", 9, 9), low("low", 8, 9), apart("apart", 16, 9);
  EXPECT_EQ(said(in, rows(0, 16), Epilogue{Last(), rows(1, 17)}), partly(0));
  EXPECT_EQ(said(in, rows(1, 17), Epilogue{Last(), rows(0, 16)}), partly(0));
  EXPECT_EQ(said(in, rows(1, 17), Epilogue{Last(), apart, 0.5, rows(0, 16)}), partly(2));
  EXPECT_EQ(said(square, rows(0, 9), Epilogue{Last(), 1, strided(0, 9, 1, 9, 9)}), partly(1)); // transposed
  for (std::size_t i = 0; i < array.size(); ++i) EXPECT_EQ(array.data()[i], 7);                // nothing is written

  EXPECT_EQ(said(in, rows(0, 16), Epilogue{Last(), rows(0, 16), rows(0, 16)}), "no error");
  EXPECT_EQ(said(low, rows(0, 8), Epilogue{Last(), rows(8, 16)}), "no error");
  EXPECT_EQ(said(low, strided(0, 8, 18, 9, 1), Epilogue{Last(), strided(9, 8, 18, 9, 1)}), "no error"); // interleaved
  EXPECT_EQ(said(in, rows(0, 16), Epilogue{Last(), in}), "no error"); // what a field shares with `in` nobody writes
}

/// More fields than anybody has: names of two digits, one operand each.
struct Sum {
  template <class... Numbers>
  KOKKOS_FUNCTION float operator()(float value, float centre, Numbers... fields) const
  {
    return ((value + centre) + ... + fields);
  }
};

TEST(StencilFieldErrors, ManyFields)
{
  const View in("in", 8, 9), small("small", 8, 8), result("out", 8, 9);
  const StridedView<float, 2> out(result);
  Kokkos::deep_copy(in, 1);
  EXPECT_EQ(said(in, out, Epilogue{Sum(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, small}),
            "Keramos::apply_stencil: argument 'Epilogue.fields[10]': expected extents (8, 9), got (8, 8)");
  EXPECT_EQ(said(in, out, Epilogue{Sum(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, in}), "no error");
  for (std::size_t i = 0; i < result.size(); ++i) EXPECT_EQ(result.data()[i], 1 + 55 + 1);
}

float twice_and_place(float value, float centre, std::int64_t i, std::int64_t j)
{
  return 2 * value + centre + static_cast<float>(100 * i + j);
}

/// An epilogue may be a function, by its name as by its address.
TEST(StencilFieldErrors, AFunctionIsAnEpilogue)
{
  const Kokkos::View<float**, Host> in("in", 8, 9), out("out", 8, 9);
  for (std::size_t n = 0; n < in.size(); ++n) in.data()[n] = static_cast<float>(n % 5);
  const Keramos::Star<2, 0> same(1, {});
  const auto check = [&](const auto& apply) {
    Kokkos::deep_copy(out, -777);
    apply();
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 9; ++j) EXPECT_EQ(out(i, j), 3 * in(i, j) + 100 * i + j);
  };
  check([&] { Keramos::apply_stencil(Host(), same, in, out, Keramos::nearest, twice_and_place); });
  check([&] { Keramos::apply_stencil(Host(), same, in, out, Keramos::nearest, &twice_and_place); });
}

} // namespace
