// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than 2^31 numbers of 8 bytes, on GPUs that hold two such arrays. Values and weights are whole numbers, so that
// every sum is exact.
#include "Support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;

/// Memory for two arrays of so many doubles?
bool has_room_for(std::int64_t elements)
{
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return free > 2.1 * static_cast<double>(elements) * sizeof(double);
}

template <class View>
View uninitialised(const char* label, std::int64_t n0, std::int64_t n1, std::int64_t n2 = 0)
{
  const auto how = Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label), own_instance());
  if constexpr (View::rank() == 3)
    return View(how, n0, n1, n2);
  else
    return View(how, n0, n1);
}

/// 20 bits of the place, well mixed.
KOKKOS_INLINE_FUNCTION double value_at(std::int64_t place)
{
  return static_cast<double>(static_cast<std::uint64_t>(place) * 0x9E3779B97F4A7C15u >> 44);
}

auto places(std::int64_t count)
{
  return Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(own_instance(), 0, count);
}

void fill(double* data, std::int64_t count)
{
  Kokkos::parallel_for(
      "fill", places(count), KOKKOS_LAMBDA(std::int64_t p) { data[p] = value_at(p); });
}

/// The 25-point star with whole numbers for weights.
struct Whole : Keramos::Star<3, 4> {
  double weight(int t) const { return t % 7 - 3; }
};

std::int64_t wrong_sums(const double* out, std::int64_t n)
{
  Kokkos::Array<Kokkos::Array<std::int64_t, 3>, Whole::tap_count> offsets;
  Kokkos::Array<double, Whole::tap_count> weights;
  const Whole op;
  for (int t = 0; t < Whole::tap_count; ++t) {
    for (int axis = 0; axis < 3; ++axis) offsets[t][axis] = op.offset(t)[axis];
    weights[t] = op.weight(t);
  }
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "wrong sums", places(n * n * n),
      KOKKOS_LAMBDA(std::int64_t p, std::int64_t & count) {
        const std::int64_t k = p % n, j = p / n % n, i = p / (n * n);
        const auto wrapped = [n](std::int64_t index) { return index < 0 ? index + n : index >= n ? index - n : index; };
        double sum = 0;
        for (int t = 0; t < Whole::tap_count; ++t)
          sum += weights[t] * value_at((wrapped(i + offsets[t][0]) * n + wrapped(j + offsets[t][1])) * n +
                                       wrapped(k + offsets[t][2]));
        count += out[p] != sum;
      },
      wrong);
  return wrong;
}

TEST(DeviceLarge, StencilOfMoreThanTwoToThe31Doubles)
{
  const std::int64_t n = 1291; // 2.15e9 points
  if (!has_room_for(n * n * n)) GTEST_SKIP() << "two arrays of 17 GB do not fit into this GPU";
  using Field = Kokkos::View<double***, Kokkos::LayoutRight, Exec>;
  const auto in = uninitialised<Field>("in", n, n, n), out = uninitialised<Field>("out", n, n, n);
  fill(in.data(), n * n * n);
  const auto kernel =
      run([&](const auto& exec) { return Keramos::apply_stencil(exec, Whole{}, in, out, Keramos::periodic); });
  EXPECT_EQ(kernel.backend, Keramos::Backend::cuda) << kernel;
  EXPECT_EQ(wrong_sums(out.data(), n), 0);
}

std::int64_t wrong_elements(const double* out, std::int64_t n0, std::int64_t n1)
{
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(
      "wrong elements", places(n0 * n1),
      KOKKOS_LAMBDA(std::int64_t p, std::int64_t & count) {
        count += out[p] != value_at(p % n0 * n1 + p / n0); // out(j, i) = in(i, j)
      },
      wrong);
  return wrong;
}

TEST(DeviceLarge, TransposeOfMoreThanTwoToThe31Doubles)
{
  const std::int64_t n0 = 46349, n1 = 46351; // 2.15e9 elements
  if (!has_room_for(n0 * n1)) GTEST_SKIP() << "two arrays of 17 GB do not fit into this GPU";
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;
  const auto in = uninitialised<Matrix>("in", n0, n1), out = uninitialised<Matrix>("out", n1, n0);
  fill(in.data(), n0 * n1);
  const auto kernel = run([&](const auto& exec) { return Keramos::transpose(exec, in, out); });
  EXPECT_EQ(kernel.backend, Keramos::Backend::cuda) << kernel;
  EXPECT_EQ(wrong_elements(out.data(), n0, n1), 0);
}

} // namespace
