// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of the transpose benchmark, and the check of every element.
#pragma once

#include "Arrays.hpp"
#include "Harness.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

namespace perf {

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Space>;
template <class T>
using Volume = Kokkos::View<T***, Kokkos::LayoutRight, Space>;

template <class View>
struct InAndOut {
  View in, out;
};

/// Tells every element of an array apart, as far as its value type can.
template <class T>
T mark(std::int64_t number)
{
  const auto seed = static_cast<std::uint64_t>(number);
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(mixed(seed));
  else
    return random_number<T>(seed);
}

template <class View, class... Extents>
Lazy<InAndOut<View>> in_and_out(std::array<int, View::rank> in_extent, std::array<int, View::rank> axes)
{
  return Lazy<InAndOut<View>>([=] {
    const auto make = [](const char* label, const auto& extent) {
      return std::apply([&](auto... n) { return large_array<View>(label, n...); }, extent);
    };
    std::array<int, View::rank> out_extent;
    for (std::size_t k = 0; k < View::rank; ++k) out_extent[k] = in_extent[axes[k]];
    const InAndOut<View> arrays{make("in", in_extent), make("out", out_extent)};
    fill(arrays.in, mark<typename View::value_type>);
    return arrays;
  });
}

/// Every element: out(i, j, k) must be the mark of its place in the input, whose strides these are, by axis of out, and `more`.
template <class T>
std::string compare(const T* out, std::array<std::int64_t, 3> extent, std::array<std::int64_t, 3> stride, T more = 0)
{
  std::int64_t wrong = 0;
  const std::int64_t rows = extent[0] * extent[1];
  Kokkos::parallel_reduce(
      "perf::compare", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, rows),
      [=](std::int64_t row, std::int64_t& count) {
        const std::int64_t place = row / extent[1] * stride[0] + row % extent[1] * stride[1];
        for (std::int64_t k = 0; k < extent[2]; ++k)
          count += out[row * extent[2] + k] != mark<T>(place + k * stride[2]) + more ? 1 : 0;
      },
      wrong);
  return wrong == 0 ? "" : std::to_string(wrong) + " wrong elements";
}

} // namespace perf
