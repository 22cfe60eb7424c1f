// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random sources, Views of targets and outputs, and a fixture that runs gather-sums on one backend.
#pragma once

#include "GatherSumSupport.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace test {

template <class T>
using Points = Kokkos::View<T* [3], Kokkos::LayoutRight, Shared>;
template <class T>
using Values = Kokkos::View<T*, Shared>;
template <class T>
using Volume = Kokkos::View<T***, Kokkos::LayoutRight, Shared>;

template <class T>
struct Cloud {
  Points<T> positions;
  Values<T> weights;

  explicit Cloud(std::int64_t count, unsigned seed = 1, T low_weight = -1)
      : positions("positions", count), weights("weights", count)
  {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> coordinate(-1, 1), weight(low_weight, 1);
    for (std::int64_t j = 0; j < count; ++j) {
      for (int d = 0; d < 3; ++d) positions(j, d) = static_cast<T>(coordinate(engine));
      weights(j) = static_cast<T>(weight(engine));
    }
  }
  auto sources() const { return Keramos::Sources{positions, weights}; }
};

template <class T>
bool same_bits(const Values<T>& a, const Values<T>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A sum in double at one target; coincident sources are left out.
template <class T, class K>
double direct(const K& kernel, const Points<T>& targets, std::int64_t i, const Cloud<T>& cloud)
{
  double sum = 0;
  for (std::size_t j = 0; j < cloud.weights.size(); ++j) {
    double squared = 0;
    for (int d = 0; d < 3; ++d) squared += std::pow(double(targets(i, d)) - double(cloud.positions(j, d)), 2);
    if (squared > 0) sum += cloud.weights(j) * kernel(squared);
  }
  return sum;
}

/// A test of every backend.
class GatherSumOnBackend : public testing::TestWithParam<Keramos::Backend> {
protected:
  /// Keramos::gather_sum on the backend of the test.
  template <class... Arguments>
  static Keramos::Kernel sum(const Arguments&... arguments)
  {
    return run(GetParam(), [&](const auto& exec) { return Keramos::gather_sum(exec, arguments...); });
  }

  /// The same, on CUDA as with one multiprocessor, where already small grids go by wide tiles.
  template <class... Arguments>
  static Keramos::Kernel sum_on_one_multiprocessor(const Arguments&... arguments)
  {
#ifdef KOKKOS_ENABLE_CUDA
    if (GetParam() == Keramos::Backend::cuda)
      return run([&](const auto& exec) { return sum_on_small_gpu(exec, true, arguments...); });
#endif
    return sum(arguments...);
  }
};

} // namespace test
