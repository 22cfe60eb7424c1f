// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands beside Keramos in the gather-sum benchmark: plain Kokkos, and the historical orders in plain C.
#pragma once

#include "Charges.hpp"
#include "Harness.hpp"
#include "PlainSums.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace perf {

using Targets = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// The first `count` targets of the grid.
template <class T, class Kernel>
void plain_on_grid(const Charges<T>& charges, std::int64_t count, const Kernel& kernel)
{
  const auto on = charges.plain();
  T* const out = charges.potential.data();
  Kokkos::parallel_for("perf::plain sum on a grid", Targets(0, count), [=](std::int64_t n) {
    const auto i = n / (on.side * on.side), j = n / on.side % on.side, k = n % on.side;
    out[n] = plain_sum(on.source, on.origin + i * on.spacing, on.origin + j * on.spacing, on.origin + k * on.spacing,
                       kernel);
  });
}

template <class T>
void plain_gradient_on_grid(const Charges<T>& charges, std::int64_t count)
{
  const auto on = charges.plain();
  T *const out = charges.potential.data(), *const gradient = charges.gradient.data();
  Kokkos::parallel_for("perf::plain sum and gradient on a grid", Targets(0, count), [=](std::int64_t n) {
    const auto i = n / (on.side * on.side), j = n / on.side % on.side, k = n % on.side;
    plain_coulomb_gradient(on.source, on.origin + i * on.spacing, on.origin + j * on.spacing,
                           on.origin + k * on.spacing, out[n], gradient + 3 * n);
  });
}

template <class T, class Kernel>
void plain_at_points(const Charges<T>& charges, std::int64_t count, const Kernel& kernel)
{
  const auto sources = charges.sources;
  const auto points = charges.points;
  const auto out = charges.at_points;
  Kokkos::parallel_for("perf::plain sum at points", Targets(0, count), [=](std::int64_t n) {
    out(n) = plain_sum(sources, points(n, 0), points(n, 1), points(n, 2), kernel);
  });
}

/// The plain C orders, one plane a call, on one thread or with the planes spread over all.
inline std::vector<Contender> historical_orders(const Setting<float>& setting)
{
  const auto run = [=](auto order, bool parallel) {
    return [=, charges = setting.charges]() -> std::string {
      const auto on = charges->plain();
      float* const out = charges->potential.data();
      const auto plane = [=](std::int64_t i) { order(on, static_cast<int>(i), out + i * on.side * on.side); };
      const int planes = planes_of_peers();
      if (parallel)
        Kokkos::parallel_for("perf::plain C by planes", Targets(0, planes, Kokkos::ChunkSize(1)), plane);
      else
        for (int i = 0; i < planes; ++i) plane(i);
      return "";
    };
  };
  const double share = setting.share();
  return {{"C, grid outside, 1 thread", run(grid_outside, false), share},
          {"C, grid outside, all threads", run(grid_outside, true), share},
          {"C, dy2 + dz2 precomputed, 1 thread", run(sources_outside, false), share},
          {"C, dy2 + dz2 precomputed, all threads", run(sources_outside, true), share}};
}

} // namespace perf
