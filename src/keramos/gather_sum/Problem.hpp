// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather-sum in two forms. GatherSumCall is what the user said, axes in View index order: the reference backend takes
// it. GatherSumProblem adds the same call with the axes of the output sorted fastest first, which the other backends
// take. Points always have three coordinates here; a missing one is 0.
#pragma once

#include "../core/Field.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace Keramos::core {

/// A target or a source. Coordinate k belongs to View index k of a grid, or to column k of positions.
template <class T>
using Point = Kokkos::Array<T, 3>;

/// Sources are summed in T over blocks of this many, and the blocks in double: with 256 terms the rounding of a block
/// stays under 128 eps at worst and a few eps in practice, while the double additions cost less than 1% of the sum.
inline constexpr std::int64_t source_block = 256;

/// Where the targets are: on a grid, one coordinate per axis of the output, or rows of an array.
template <class T>
struct GatherTargets {
  bool on_grid = false;
  Kokkos::Array<double, 3> origin{}, spacing{}; ///< of each axis of the output
  Kokkos::Array<int, 3> coordinate{0, 1, 2};    ///< that an axis of the output moves
  Field<const T, 2> points;

  /// In double: the product rounded, then the sum, as NumPy has it; volatile keeps compilers from fusing the two (in
  /// CUDA code it would cost a trip through memory). Rounded to the value type it is the target's coordinate, so that a
  /// source at the same number is coincident on every backend.
  KOKKOS_FUNCTION double position(int axis, std::int64_t index) const
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
      for (int axis = 0; axis < 3; ++axis) point[coordinate[axis]] = static_cast<T>(position(axis, i[axis]));
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

  template <class Other>
  KOKKOS_FUNCTION void add(const GatherTotal<Other>& other)
  {
    potential += other.potential;
    for (int d = 0; d < 3; ++d) gradient[d] += other.gradient[d];
  }
};

template <class T>
struct GatherOutput {
  Field<T, 3> potential;
  Field<T, 4> gradient; ///< the last axis is the coordinate; no data: potential only
  bool accumulates = false;

  template <bool WithGradient>
  KOKKOS_FUNCTION void store(const Index3& i, const GatherTotal<double>& total) const
  {
    put(potential[i], total.potential);
    if constexpr (WithGradient)
      for (int d = 0; d < gradient.extent[3]; ++d) put(gradient(i[0], i[1], i[2], d), total.gradient[d]);
  }

  KOKKOS_FUNCTION void put(T& element, double total) const
  {
    element = static_cast<T>(accumulates ? static_cast<double>(element) + total : total);
  }
};

template <class T>
struct GatherSumCall {
  GatherTargets<T> targets;
  GatherSources<T> sources;
  GatherOutput<T> output;
};

/// The same call with axis order[p] of its output as axis p.
template <class T>
GatherSumCall<T> permuted(const GatherSumCall<T>& call, const std::array<int, 3>& order)
{
  GatherSumCall<T> result = call;
  result.output.potential = permuted(call.output.potential, order);
  result.output.gradient = permuted(call.output.gradient, {order[0], order[1], order[2], 3});
  for (int p = 0; p < 3; ++p) {
    result.targets.origin[p] = call.targets.origin[order[p]];
    result.targets.spacing[p] = call.targets.spacing[order[p]];
    result.targets.coordinate[p] = call.targets.coordinate[order[p]];
  }
  return result;
}

/// The number of targets of an output with these extents.
KOKKOS_INLINE_FUNCTION std::int64_t count_of(const Index3& extent) { return extent[0] * extent[1] * extent[2]; }

/// Index `flat` of the targets counted fastest axis first.
KOKKOS_INLINE_FUNCTION Index3 unflatten(std::int64_t flat, const Index3& extent)
{
  const std::int64_t row = flat / extent[0];
  return {flat % extent[0], row % extent[1], row / extent[1]};
}

/// The caller's scratch memory, if he gave some.
struct GatherWorkspace {
  void* data = nullptr;
  std::size_t bytes = 0;
  bool given = false;
};

template <class T, bool WithGradient>
struct GatherSumProblem {
  GatherSumCall<T> call;
  GatherSumCall<T> sorted; ///< the same with the axes of its output sorted, the fastest first
  GatherWorkspace workspace;

  explicit GatherSumProblem(const GatherSumCall<T>& the_call, const GatherWorkspace& the_workspace = {})
      : call(the_call), sorted(permuted(the_call, order_of(the_call.output.potential))), workspace(the_workspace)
  {
  }

  /// Without sources there is still an output to clear.
  bool empty() const { return call.output.potential.empty(); }
  std::int64_t target_count() const { return count_of(call.output.potential.extent); }

private:
  /// Axes of one point come last.
  static std::array<int, 3> order_of(const Field<T, 3>& out)
  {
    const auto moves = [&](int axis) { return out.extent[axis] != 1; };
    return fastest_first(out, moving_first(std::array{0, 1, 2}, moves), moves(0) + moves(1) + moves(2));
  }
};

} // namespace Keramos::core
