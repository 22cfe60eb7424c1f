// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather-sum in two forms. GatherSumCall is what the user said, axes in View index order: the reference backend takes
// it. GatherSumProblem adds the same call with the axes of the output sorted fastest first, which the other backends
// take. Points always have three coordinates here; a missing one is 0.
#pragma once

#include "Field.hpp"
#include "RadialKernels.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace Keramos::core {

/// A target or a source. Coordinate k belongs to View index k of a grid, or to column k of positions.
template <class T>
using Point = Kokkos::Array<T, 3>;

/// Sources are summed in T over blocks of this many, and the blocks in double: with 256 terms the rounding of a block
/// stays under 128 eps at worst and a few eps in practice, while the double additions cost less than 1% of the sum.
inline constexpr std::int64_t source_block = 256;

/// Where the targets are: on a grid, a coordinate an axis of the output, or rows of an array.
template <class T>
struct GatherTargets {
  bool on_grid = false;
  Kokkos::Array<double, 3> origin{}, spacing{}; ///< of each axis of the output
  Kokkos::Array<int, 3> coordinate{0, 1, 2};    ///< that an axis of the output moves
  Field<const T, 2> points;

  /// In double: the product rounded, then the sum, as NumPy has it; volatile keeps compilers from fusing the two (in CUDA
  /// code it would cost a trip through memory). Rounded to the value type it is the target's coordinate, so that a
  /// source at the same number is coincident on every backend.
  KOKKOS_FUNCTION double place(int axis, std::int64_t index) const
  {
#ifdef __CUDA_ARCH__
    return __dadd_rn(origin[axis], __dmul_rn(static_cast<double>(index), spacing[axis]));
#else
    const volatile double offset = static_cast<double>(index) * spacing[axis];
    return origin[axis] + offset;
#endif
  }

  KOKKOS_FUNCTION Point<T> operator[](const Index3& i) const
  {
    Point<T> point{};
    if (on_grid)
      for (int axis = 0; axis < 3; ++axis) point[coordinate[axis]] = static_cast<T>(place(axis, i[axis]));
    else
      for (int d = 0; d < points.extent[1]; ++d) point[d] = points(i[0], d);
    return point;
  }
};

template <class T>
struct GatherSources {
  Field<const T, 2> positions;
  Field<const T, 1> weights;

  KOKKOS_FUNCTION std::int64_t count() const { return weights.extent[0]; }
  KOKKOS_FUNCTION T weight(std::int64_t j) const { return weights(j); }
  KOKKOS_FUNCTION Point<T> operator[](std::int64_t j) const
  {
    Point<T> point{};
    for (int d = 0; d < positions.extent[1]; ++d) point[d] = positions(j, d);
    return point;
  }
};

/// The sums of one target. The gradient stays zero where nobody asks for it.
template <class T>
struct GatherTotal {
  T potential{};
  Point<T> gradient{};
};

template <class T>
struct GatherOutput {
  Field<T, 3> potential;
  Field<T, 4> gradient; ///< the last axis is the coordinate; no data: potential only
  bool accumulates = false;

  KOKKOS_FUNCTION void store(const Index3& i, const GatherTotal<double>& total) const
  {
    put(potential[i], total.potential);
    if (gradient.data)
      for (int d = 0; d < gradient.extent[3]; ++d) put(gradient(i[0], i[1], i[2], d), total.gradient[d]);
  }

  KOKKOS_FUNCTION void put(T& place, double total) const
  {
    place = static_cast<T>(accumulates ? static_cast<double>(place) + total : total);
  }
};

template <class T>
struct GatherSumCall {
  GatherTargets<T> targets;
  GatherSources<T> sources;
  GatherOutput<T> output;
};

/// The caller's scratch memory, if he gave some.
struct GatherWorkspace {
  void* data = nullptr;
  std::size_t bytes = 0;
  bool given = false;
};

template <class T, bool WithGradient>
struct GatherSumProblem {
  using value_type = T;
  static constexpr bool with_gradient = WithGradient;

  GatherSumCall<T> call;
  GatherSumCall<T> sorted; ///< the same, axis p of its output is axis order[p] of the call's
  std::array<int, 3> order;
  GatherWorkspace workspace;

  explicit GatherSumProblem(const GatherSumCall<T>& the_call, const GatherWorkspace& the_workspace = {})
      : call(the_call), sorted(the_call), order(fastest_first(the_call)), workspace(the_workspace)
  {
    sorted.output.potential = permuted(call.output.potential, order);
    sorted.output.gradient = permuted(call.output.gradient, {order[0], order[1], order[2], 3});
    for (int p = 0; p < 3; ++p) {
      sorted.targets.origin[p] = call.targets.origin[order[p]];
      sorted.targets.spacing[p] = call.targets.spacing[order[p]];
      sorted.targets.coordinate[p] = call.targets.coordinate[order[p]];
    }
  }

  /// Without sources there is still an output to clear.
  bool empty() const { return call.output.potential.empty(); }
  std::int64_t target_count() const
  {
    const auto& extent = call.output.potential.extent;
    return extent[0] * extent[1] * extent[2];
  }

private:
  static std::array<int, 3> fastest_first(const GatherSumCall<T>& call)
  {
    const Field<T, 3>& out = call.output.potential;
    const auto rank_of = [&](int axis) { // axes that do not move come last
      return out.extent[axis] == 1 ? INT64_MAX : std::abs(out.stride[axis]);
    };
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank_of(a) < rank_of(b); });
    return order;
  }
};

/// Index `flat` of the targets counted fastest axis first.
KOKKOS_INLINE_FUNCTION Index3 unflatten(std::int64_t flat, const Index3& extent)
{
  const std::int64_t row = flat / extent[0];
  return {flat % extent[0], row % extent[1], row / extent[1]};
}

// ---- Kernels, as the scalar backends call them
// ---------------------------------------------------------------------------

template <class K, class T>
concept RadialKernel = !Kokkos::is_view_v<K> && requires(const K& kernel, T r_squared)
{
  {
    kernel(r_squared)
    } -> std::convertible_to<T>;
};
template <class K, class T>
concept RadialDerivative = requires(const K& kernel, T r_squared)
{
  {
    kernel.derivative(r_squared)
    } -> std::convertible_to<T>;
};
template <class K, class T>
concept PairKernel = !Kokkos::is_view_v<K> && requires(const K& kernel, const Point<T>& point)
{
  {
    kernel(point, point)
    } -> std::convertible_to<T>;
};
template <class K, class T>
concept PairGradient = requires(const K& kernel, const Point<T>& point)
{
  {
    kernel.gradient(point, point)
    } -> std::convertible_to<Point<T>>;
};

/// A kernel that the call can use.
template <class K, class T, bool WithGradient>
concept KernelFor = (RadialKernel<K, T> && (!WithGradient || RadialDerivative<K, T>)) ||
                    (!RadialKernel<K, T> && PairKernel<K, T> && (!WithGradient || PairGradient<K, T>));

/// Does the kernel have a pole where target and source coincide? `singular` is a member function or a constant.
template <class K>
constexpr bool is_singular(const K& kernel)
{
  if constexpr (requires {
                  {
                    kernel.singular()
                    } -> std::convertible_to<bool>;
                })
    return kernel.singular();
  else if constexpr (requires {
                       {
                         kernel.singular
                         } -> std::convertible_to<bool>;
                     })
    return kernel.singular;
  else
    return false;
}

/// What a source adds to a target. `skips` is true where a singular kernel meets a coincident source: it adds nothing
/// there.
template <class T, class K>
struct Interaction {
  using kernel_type = K;
  static constexpr bool is_radial = RadialKernel<K, T>;

  K kernel;
  bool singular;

  explicit Interaction(const K& the_kernel) : kernel(the_kernel), singular(is_singular(the_kernel)) {}

  /// Target minus source.
  KOKKOS_FUNCTION static Point<T> offset(const Point<T>& target, const Point<T>& source)
  {
    return {target[0] - source[0], target[1] - source[1], target[2] - source[2]};
  }
  KOKKOS_FUNCTION static T squared(const Point<T>& d) { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }

  KOKKOS_FUNCTION bool skips(const Point<T>& target, const Point<T>& source) const
  {
    return singular && squared(offset(target, source)) == 0;
  }

  KOKKOS_FUNCTION T value(const Point<T>& target, const Point<T>& source) const
  {
    if constexpr (is_radial)
      return static_cast<T>(kernel(squared(offset(target, source))));
    else
      return static_cast<T>(kernel(target, source));
  }

  /// With respect to the target.
  KOKKOS_FUNCTION Point<T> gradient(const Point<T>& target, const Point<T>& source) const
  {
    if constexpr (is_radial) {
      const Point<T> d = offset(target, source);
      const T slope = 2 * static_cast<T>(kernel.derivative(squared(d)));
      return {slope * d[0], slope * d[1], slope * d[2]};
    } else {
      return kernel.gradient(target, source);
    }
  }

  template <bool WithGradient, class Sum>
  KOKKOS_FUNCTION void add(GatherTotal<Sum>& total, const Point<T>& target, const Point<T>& source, T weight) const
  {
    if (skips(target, source)) return;
    total.potential += weight * value(target, source);
    if constexpr (WithGradient) {
      const Point<T> g = gradient(target, source);
      for (int d = 0; d < 3; ++d) total.gradient[d] += weight * g[d];
    }
  }
};

} // namespace Keramos::core
