// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data of gather-sums on a GPU, and the comparison of sums with those in double.
#pragma once

#include "Buffers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace perf {

constexpr float origin = -8; ///< where grids and clouds begin along every axis; they end at -origin

template <class T>
using SourceRows = Kokkos::View<T* [4], Kokkos::LayoutRight, Gpu>; ///< three coordinates and the charge
template <class T>
using PointRows = Kokkos::View<T* [3], Kokkos::LayoutRight, Gpu>;

inline float spacing_of(int side) { return -2 * origin / static_cast<float>(side); }

template <class T>
SourceRows<T> random_sources(int count)
{
  const auto sources = device_array<SourceRows<T>>("sources", count);
  Kokkos::parallel_for(
      "perf::sources", Kokkos::RangePolicy<Gpu>(0, 4 * count),
      KOKKOS_LAMBDA(int n) { sources.data()[n] = random_number<T>(n) * (n % 4 == 3 ? 1 : -origin); });
  return sources;
}

template <class T>
PointRows<T> random_points(int count)
{
  const auto points = device_array<PointRows<T>>("points", count);
  Kokkos::parallel_for(
      "perf::points", Kokkos::RangePolicy<Gpu>(0, 3 * count),
      KOKKOS_LAMBDA(int n) { points.data()[n] = -origin * random_number<T>(77'000'000 + n); });
  return points;
}

/// Where target n is: a point of a grid, plane after plane, exact because spacings are powers of two, or any point.
template <class T>
struct Places {
  int planes, side;
  PointRows<T> points;

  KOKKOS_FUNCTION void operator()(std::int64_t n, T (&place)[3]) const
  {
    const T spacing = -2 * T(origin) / side;
    const std::int64_t index[3] = {n / side / side, n / side % side, n % side};
    for (int k = 0; k < 3; ++k) place[k] = planes > 0 ? origin + static_cast<T>(index[k]) * spacing : points(n, k);
  }
};

// Kernels in double: K(r^2), and its derivative with respect to r, divided by r.
struct CoulombTerm {
  __device__ double operator()(double r2) const { return rsqrt(r2); }
  __device__ double slope(double r2) const { return -rsqrt(r2) / r2; }
};
struct YukawaTerm {
  double kappa;
  __device__ double operator()(double r2) const { return exp(-kappa * sqrt(r2)) * rsqrt(r2); }
};
struct GaussianTerm {
  double rate;
  __device__ double operator()(double r2) const { return exp(-rate * r2); }
};

/// A component of the gradient.
template <class Term>
struct ComponentOf {
  Term term;
  int axis;
  __device__ double operator()(double r2, const double (&d)[3]) const { return term.slope(r2) * d[axis]; }
};
template <class Term>
struct PotentialOf {
  Term term;
  __device__ double operator()(double r2, const double (&)[3]) const { return term(r2); }
};

/// Sample targets in double, one a thread; target n's sum is out[n * stride].
template <class T, class Of>
__global__ void count_wrong_sums_kernel(const T* sources, int count, const Places<T> places, const Of of, const T* out,
                                        int stride, std::int64_t targets, int samples, double tolerance, int* wrong)
{
  const int sample = blockIdx.x * blockDim.x + threadIdx.x;
  if (sample >= samples) return;
  const std::int64_t n = sample == 0 ? targets - 1 : sample * targets / samples;
  T place[3];
  places(n, place);
  double sum = 0, size = 0;
  for (int s = 0; s < count; ++s) {
    const T* atom = sources + 4 * s;
    double d[3], r2 = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = double(place[k]) - atom[k];
      r2 += d[k] * d[k];
    }
    const double term = atom[3] * of(r2, d);
    sum += term;
    size += fabs(term);
  }
  if (!(fabs(out[n * stride] - sum) <= tolerance * size)) atomicAdd(wrong, 1);
}

/// Roundings are independent enough for the root of their number.
template <class T, class Of>
std::string compare_sums(const SourceRows<T>& sources, const Places<T>& places, const Of& of, const T* out, int stride,
                         std::int64_t targets)
{
  const int count = sources.extent_int(0);
  const std::int64_t most = std::clamp<std::int64_t>(400'000'000 / count, 256, 65536);
  const int samples = static_cast<int>(std::min(targets, most));
  const double tolerance = (16 + 4 * std::sqrt(count)) * std::numeric_limits<T>::epsilon();
  const Mistakes wrong;
  count_wrong_sums_kernel<<<fill_blocks(samples), fill_threads, 0, stream()>>>(
      sources.data(), count, places, of, out, stride, targets, samples, tolerance, wrong.counter());
  require_launched("comparison");
  finish();
  return wrong.text("wrong samples");
}

/// Cases of cuda_gather_sum that stand in a file of their own.
void add_kernel_cases();

} // namespace perf
