// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than 2^31 elements, and few elements further apart than 2^31: indices and offsets of 32 bits would show. Kokkos
// itself multiplies indices of type int in 32 bits, so these tests index with 64.
#include "TransposeSupport.hpp"

using namespace test;
using Keramos::Backend;

namespace {

using Bytes = Kokkos::View<unsigned char**, Kokkos::LayoutRight, Shared>;

/// Neighbours differ along both axes, and so do elements 2^k rows or columns apart.
KOKKOS_INLINE_FUNCTION unsigned char byte_at(std::int64_t i, std::int64_t j)
{
  return static_cast<unsigned char>(7 * i + (i >> 7) + (i >> 13) + 13 * j + (j >> 6) + (j >> 12));
}

/// f(i, j) summed over all elements.
template <class F>
std::int64_t sum_over(const Bytes& view, const F& f)
{
  std::int64_t sum = 0;
  const Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>> rows(0, view.extent(0));
  const auto columns = static_cast<std::int64_t>(view.extent(1));
  Kokkos::parallel_reduce(
      "sum_over", rows,
      [&](std::int64_t i, std::int64_t& part) {
        for (std::int64_t j = 0; j < columns; ++j) part += f(i, j);
      },
      sum);
  return sum;
}

TEST(TransposeLarge, MoreThanTwoToThe31Elements)
{
  const std::int64_t n = 46500; // 2.16e9 bytes each, of two arrays
  const auto uninitialised = [](const std::string& label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, label);
  };
  const Bytes in(uninitialised("in"), n, n), out(uninitialised("out"), n, n);
  sum_over(in, [&](std::int64_t i, std::int64_t j) {
    in(i, j) = byte_at(i, j);
    return 0;
  });

  EXPECT_EQ(run([&](const auto& exec) { return Keramos::transpose(exec, in, out); }).backend, first_backend);
  for (std::int64_t i = 0; i < n; i += 97) // a part; all of it after the way back
    for (std::int64_t j = 0; j < n; j += 89) ASSERT_EQ(out(i, j), byte_at(j, i));

  EXPECT_EQ(run([&](const auto& exec) { return Keramos::transpose_in_place(exec, out); }).backend, first_backend);
  EXPECT_EQ(sum_over(out, [&](std::int64_t i, std::int64_t j) { return out(i, j) != byte_at(i, j); }), 0);
}

/// Memory that is there only where it is touched.
Kokkos::View<unsigned char*, Shared> wide_memory(std::int64_t bytes)
{
  return Kokkos::View<unsigned char*, Shared>(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("wide")),
                                              bytes);
}

struct NextByte {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value) const
  {
    ++value.byte[0];
    return value;
  }
};

TEST(TransposeLarge, SmallViewsOfHugeSpan)
{
  const std::int64_t far_bytes = (std::int64_t{1} << 31) + 98760; // between neighbours of one axis
  for_each_size([&](auto size) {
    using T = Item<size>;
    if (size != 1 && size != 8) return; // indices beyond 2^31, and only bytes beyond 2^31
    const std::int64_t far = far_bytes / size;
    const auto in_memory = wide_memory(3 * far_bytes), out_memory = wide_memory(3 * far_bytes);
    const StridedView<T, 3> in(reinterpret_cast<T*>(in_memory.data()), Kokkos::LayoutStride(3, far, 20, 1, 18, 20));
    const StridedView<T, 3> out(reinterpret_cast<T*>(out_memory.data()), Kokkos::LayoutStride(20, 18, 18, 1, 3, far));
    for (const Backend backend : all_backends()) {
      for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 20; ++j)
          for (std::int64_t k = 0; k < 18; ++k)
            in(i, j, k) = item<size>(i * 360 + j * 18 + k + static_cast<int>(backend));
      run(backend, [&](const auto& exec) { return Keramos::permute(exec, Keramos::Axes{1, 2, 0}, in, out); });
      for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 20; ++j)
          for (std::int64_t k = 0; k < 18; ++k)
            ASSERT_EQ(out(j, k, i), in(i, j, k)) << Keramos::to_string(backend) << " " << size;
      run(backend, [&](const auto& exec) {
        return Keramos::permute(exec, Keramos::Axes{1, 2, 0}, in, out, NextByte());
      });
      for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 20; ++j)
          for (std::int64_t k = 0; k < 18; ++k)
            ASSERT_EQ(out(j, k, i), NextByte()(in(i, j, k))) << Keramos::to_string(backend) << " " << size;
    }
  });
}

TEST(TransposeLarge, InPlaceOfHugeSpan)
{
  const std::int64_t far = (std::int64_t{1} << 30) + 77;
  const auto memory = wide_memory(5 * far);
  const Kokkos::View<unsigned char**, Kokkos::LayoutStride, Shared> matrix(memory.data(),
                                                                           Kokkos::LayoutStride(5, far, 5, 3));
  for (const Backend backend : all_backends()) {
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t j = 0; j < 5; ++j) matrix(i, j) = static_cast<unsigned char>(10 * i + j);
    run(backend, [&](const auto& exec) { return Keramos::transpose_in_place(exec, matrix); });
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t j = 0; j < 5; ++j) ASSERT_EQ(int(matrix(i, j)), 10 * j + i) << Keramos::to_string(backend);
  }
}

} // namespace
