// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors between elements of any two sizes, where runs of contiguous elements begin anywhere: matrices around the extents at which
// boxes and 16 bytes end, narrow ones, groups, copies and strides. All memory around an output is compared.
#include "TransposeSupport.hpp"

using namespace test;

namespace {

/// Bytes of an element of one size from those of another.
template <class Out>
struct Mixed {
  template <class In>
  KOKKOS_FUNCTION Out operator()(const In& value) const
  {
    Out out{};
    for (unsigned k = 0; k < sizeof(Out); ++k)
      out.byte[k] = static_cast<unsigned char>(value.byte[k % sizeof(In)] + 3 * k + 1);
    return out;
  }
};

/// f(size of an element of in, of out).
template <class F>
void for_each_pair(const F& f)
{
  for_each_size([&](auto size) { f(size, size); });
  const std::integral_constant<int, 1> one;
  const std::integral_constant<int, 2> two;
  const std::integral_constant<int, 4> four;
  const std::integral_constant<int, 8> eight;
  const std::integral_constant<int, 16> sixteen;
  f(four, eight);
  f(eight, four);
  f(four, two);
  f(two, four);
  f(one, sixteen);
  f(sixteen, one);
}

/// call(in, out, f) permutes axes; checked element by element and around.
template <int InSize, int OutSize, int Rank, class Call>
Keramos::Kernel check_call(const Shape& in_shape, const Numbers& axes, const Shape& out_shape, const Call& call)
{
  using Out = Item<OutSize>;
  const Mixed<Out> f;
  const Cells<Item<InSize>> in(in_shape);
  number(in);
  const Cells<Out> out(out_shape), expected(out_shape);
  for_each(out_shape, picked(in_shape.stride, axes), in_shape.offset,
           [&](std::int64_t, std::int64_t at, std::int64_t from) { expected.data()[at] = f(in.data()[from]); });
  const Keramos::Kernel kernel = call(in.template view<Rank>(), out.template view<Rank>(), f);
  EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.bytes()), 0)
      << kernel << ", " << InSize << " to " << OutSize << " bytes, extents "
      << Keramos::core::tuple_text(in_shape.extent) << ", strides " << Keramos::core::tuple_text(in_shape.stride)
      << ", axes " << Keramos::core::tuple_text(axes) << ", strides of out "
      << Keramos::core::tuple_text(out_shape.stride);
  return kernel;
}

/// permute on the first backend. Returns the kernel that ran.
template <int InSize, int OutSize, int Rank>
std::string check(const Shape& in_shape, const Numbers& axes, const Shape& out_shape)
{
  const auto kernel =
      check_call<InSize, OutSize, Rank>(in_shape, axes, out_shape, [&](const auto& in, const auto& out, const auto& f) {
        return run([&](const auto& exec) { return Keramos::permute(exec, axes_of<Rank>(axes), in, out, f); });
      });
  EXPECT_EQ(kernel.backend, first_backend);
  return kernel.variant;
}

/// The output lies in the order of its axes.
template <int InSize, int OutSize, int Rank>
std::string check(const Shape& in_shape, const Numbers& axes, std::int64_t pad, std::int64_t start,
                  std::int64_t spacing = 1)
{
  return check<InSize, OutSize, Rank>(in_shape, axes,
                                      Shape(picked(in_shape.extent, axes), right(Rank), spacing, pad, start));
}

/// Only GPUs have boxes by runs.
void expect_box_rows(const std::string& variant)
{
  if (has_cuda) {
    EXPECT_EQ(variant.substr(0, 9), "box rows ") << variant;
  }
}

template <int InSize, int OutSize>
inline constexpr bool large_elements = InSize >= 4 || OutSize >= 4;
template <int InSize, int OutSize>
inline constexpr bool narrowed = InSize >= 4 && OutSize < 4;

TEST(TransposeFunctorRows, MatricesAroundTheBoxes)
{
  for_each_pair([](auto in, auto out) {
    for (const std::int64_t m : {0, 1, 2, 31, 32, 33, 67, 131, 257})
      for (const std::int64_t n : {0, 1, 3, 31, 32, 33, 127, 191, 513}) {
        const auto variant = check<in, out, 2>(Shape({m, n}, right(2)), {1, 0}, 0, 0);
        if (large_elements<in, out> && !narrowed<in, out> && m > 120 && n > 120) expect_box_rows(variant);
        check<in, out, 2>(Shape({m, n}, right(2), 1, 1 + m % 2, 3), {1, 0}, 1 + n % 2, 1);
      }
  });
}

/// Elements that become smaller, where rows begin anywhere: tiles in sectors, which end at every place in one on either side.
template <int InSize, int OutSize>
void check_narrowing(const std::string& tiles)
{
  for (const std::int64_t m : {600, 603, 609})
    for (const std::int64_t n : {255, 383, 384})
      for (const std::int64_t start : {0, 1, 6, 17}) {
        const auto variant =
            check<InSize, OutSize, 2>(Shape({m, n}, right(2), 1, start % 4, start), {1, 0}, start % 3, 31 - start);
        EXPECT_TRUE(!has_cuda || variant == tiles) << variant;
      }
}

TEST(TransposeFunctorRows, TilesOfNarrowedElements)
{
  check_narrowing<4, 2>("tile 144x128 sectors functor");
  check_narrowing<16, 1>("tile 160x32 sectors functor");
}

TEST(TransposeFunctorRows, NarrowOnEitherSide)
{
  for_each_pair([](auto in, auto out) {
    for (const std::int64_t k : {2, 3, 6, 31, 33})
      for (const std::int64_t n : {2048, 2049})
        for (const std::int64_t start : {0, 1, 6}) {
          const auto variant = check<in, out, 2>(Shape({n, k}, right(2), 1, 0, start), {1, 0}, 0, 1);
          if (large_elements<in, out> && !narrowed<in, out>) expect_box_rows(variant);
          check<in, out, 2>(Shape({k, n}, right(2), 1, 0, start), {1, 0}, 0, 3);
        }
  });
}

TEST(TransposeFunctorRows, GroupsAndShortAxes)
{
  for_each_pair([](auto in, auto out) {
    for (const std::int64_t group : {3, 20, 37})
      for (const std::int64_t pad : {0, 1}) {
        check<in, out, 3>(Shape({131, 127, group}, right(3), 1, pad, 1), {1, 0, 2}, 0, 3);
        check<in, out, 4>(Shape({3, 41, 43, group}, right(4), 1, pad, 1), {2, 0, 1, 3}, pad, 2);
      }
    for (const Numbers& axes : {Numbers{1, 3, 0, 4, 2}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}})
      check<in, out, 5>(Shape({13, 9, 11, 7, 37}, right(5), 1, axes[0] % 2, 1), axes, 0, 3);
  });
}

TEST(TransposeFunctorRows, Copies)
{
  for_each_pair([](auto in, auto out) {
    for (const std::int64_t n : {1, 31, 32, 33, 127, 257, 4099, 40009})
      for (const std::int64_t start : {0, 1, 5}) {
        const auto variant =
            check<in, out, 2>(Shape({5, n}, right(2), 1, start, start), {0, 1}, 3 - start % 3, start / 2);
        if (n > 128) expect_box_rows(variant);
        check<in, out, 3>(Shape({3, 7, n}, right(3), 1, 1, start), {0, 1, 2}, 0, 3);
        check<in, out, 3>(Shape({3, 7, n}, right(3), 1, 0, start), {0, 1, 2}, 2, 1);
      }
  });
}

/// Nothing is contiguous: element by element.
TEST(TransposeFunctorRows, Strides)
{
  for_each_pair([](auto in, auto out) {
    for (const std::int64_t spacing : {1, 2, 3}) {
      check<in, out, 2>(Shape({131, 257}, right(2), 2, 0, 1), {1, 0}, 0, 1, spacing);
      check<in, out, 2>(Shape({131, 257}, right(2), spacing, 1, 1), {1, 0}, 1, 0, 3);
      check<in, out, 2>(Shape({131, 257}, right(2), 2, 0, 1), {0, 1}, 0, 1, spacing);
      check<in, out, 3>(Shape({33, 31, 6}, right(3), 2, 1, 1), {2, 0, 1}, 0, 1, spacing);
    }
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Rows of whole lines of 256 bytes behind every place in the first of them: boxes keep to the lines, and the first is shorter.
TEST(TransposeFunctorRows, BoxesOfLines)
{
  for_each_pair([](auto in, auto out) {
    const std::int64_t in_line = 256 / in, out_line = 256 / out, m = 16 * out_line + 3, n = 8 * in_line + 5;
    for (const std::int64_t start : {std::int64_t{0}, in_line / 2, in_line - 1}) {
      const Shape from({m, n}, right(2), 1, in_line - n % in_line, start);
      const Shape to({n, m}, right(2), 1, out_line - m % out_line, (start + 1) % out_line);
      const auto kernel = check_call<in, out, 2>(from, {1, 0}, to, [&](const auto& a, const auto& b, const auto& f) {
        return permute_on_small_gpu<2>({1, 0}, a, b, f);
      });
      if (large_elements<in, out> && in < 16 && out < 16) expect_box_rows(kernel.variant.str());
    }
  });
}

/// The largest boxes, and those that cut runs: small arrays have them on a small GPU alone.
TEST(TransposeFunctorRows, LargestBoxes)
{
  for_each_pair([](auto in, auto out) {
    for (const Numbers& extent :
         {Numbers{2501, 31}, {31, 2501}, {9001, 6}, {6, 9001}, {263, 261}, {384, 512}, {1, 70001}})
      for (const std::int64_t start : {0, 1})
        for (const Numbers& axes : {Numbers{1, 0}, {0, 1}})
          check_call<in, out, 2>(Shape(extent, right(2), 1, 0, start), axes,
                                 Shape(picked(extent, axes), right(2), 1, 0, 3 * start),
                                 [&](const auto& from, const auto& to, const auto& f) {
                                   return permute_on_small_gpu<2>(axes, from, to, f);
                                 });
  });
}
#endif

/// Elements that begin where their size does not divide the address: their type asks for less.
TEST(TransposeFunctorRows, ElementsOfLesserAlignment)
{
  using T = Item<16>; // aligned to 8 bytes
  const std::int64_t m = 131, n = 257;
  const Kokkos::View<double*, Shared> memory("memory", 4 * m * n + 2);
  for (const std::int64_t shift : {0, 1}) {
    T* const first = reinterpret_cast<T*>(memory.data() + shift);
    const Kokkos::View<T**, Kokkos::LayoutRight, Shared> in(first, m, n), out(first + m * n, n, m);
    for (std::int64_t k = 0; k < m * n; ++k) first[k] = item<16>(k);
    const auto kernel = run([&](const auto& exec) { return Keramos::transpose(exec, in, out, Mixed<T>()); });
    EXPECT_EQ(kernel.backend, first_backend);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        ASSERT_EQ(first[m * n + j * m + i], Mixed<T>()(item<16>(i * n + j))) << kernel;
  }
}

} // namespace
