// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather-sum in two forms. GatherSumCall is what the user said, axes in View index order: the reference backend takes
// it. GatherSumProblem adds the same call with the axes of the output sorted fastest first, which the other backends
// take. Points always have three coordinates here; a missing one is 0.
#pragma once

#include "../core/Field.hpp"
#include "../core/Integer.hpp"
#include "Points.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace Keramos::core {

/// Sources are summed in T over blocks of this many, and the blocks in double: with 256 terms the rounding of a block
/// stays under 128 eps at worst and a few eps in practice, while the double additions cost less than 1% of the sum.
inline constexpr std::int64_t source_block = 256;

// ---- The tree of the blocks' totals ---------------------------------------------------------------------------------

// A target's sum has the same bits whoever adds the blocks, and in however many chunks, because there is one tree over
// the numbers of the blocks:
//
//     a node of level 0 is the total of a block; eight of a level, one after the other, are a node of the next; those of
//     the last level are added one after the other, however many there are. The nodes that are not complete in the end
//     are added to the level above them.
//
// A chunk of sources is one node, or all of them. Eight is the compromise between few running sums per target (six,
// whatever the number of sources) and chunks that fill a GPU.
inline constexpr int tree_radix_bits = 3, tree_levels = 6;

/// Blocks of a node.
KOKKOS_INLINE_FUNCTION constexpr std::int64_t node_blocks(int level)
{
  return std::int64_t{1} << tree_radix_bits * level;
}

/// The levels on which so many sources have a node that is complete, or one that is not: their last block, a short one as well,
/// completes its node where it is the eighth.
KOKKOS_INLINE_FUNCTION constexpr int levels_of(std::int64_t sources)
{
  int levels = 1;
  while (levels < tree_levels && node_blocks(levels) <= ceil_div(sources, source_block)) ++levels;
  return levels;
}

/// Is node `number` of its level the last child of its parent?
KOKKOS_INLINE_FUNCTION constexpr bool completes_parent(int level, std::int64_t number)
{
  constexpr std::int64_t last = node_blocks(1) - 1;
  return level + 1 < tree_levels && (number & last) == last;
}

/// Adds node `number` of `level` to the running sum of that level; those above follow every `pitch` numbers. The nodes of a
/// level come in order.
KOKKOS_INLINE_FUNCTION void add_node(double* sum, std::int64_t pitch, int level, std::int64_t number, double node)
{
  *sum += node;
  for (; completes_parent(level, number); ++level, number >>= tree_radix_bits, sum += pitch) {
    sum[pitch] += *sum;
    *sum = 0;
  }
}

/// The sum of all nodes that were added, from the running sums of so many levels.
KOKKOS_INLINE_FUNCTION double sum_of_nodes(const double* sums, std::int64_t pitch, int levels = tree_levels)
{
  double sum = 0;
  for (int level = 0; level < levels; ++level) sum = sums[level * pitch] + sum;
  return sum;
}

/// a + b c, the product rounded and then the sum: the same number whatever flags this is compiled with, those of the library or of an
/// application. Volatile keeps compilers from fusing the two (in CUDA code it would cost a trip through memory).
KOKKOS_INLINE_FUNCTION double sum_of_rounded(double a, double b, double c)
{
#ifdef __CUDA_ARCH__
  return __dadd_rn(a, __dmul_rn(b, c));
#else
  const volatile double product = b * c;
  return a + product;
#endif
}

/// Where the targets are: on a grid, one coordinate per axis of the output, or rows of an array.
template <class T>
struct GatherTargets {
  bool on_grid = false;
  int axes = 1;                                 ///< of the output that are the call's; the others have extent 1
  Kokkos::Array<double, 3> origin{}, spacing{}; ///< of each axis of the output
  Kokkos::Array<int, 3> coordinate{0, 1, 2};    ///< that an axis of the output moves
  Index3 first{};                               ///< the number on the grid of the output's first target
  GatherPoints<T> points;

  /// In double, as NumPy has it. Rounded to the value type it is the target's coordinate, so that a source at the same number is
  /// coincident on every backend.
  KOKKOS_FUNCTION double position(int axis, std::int64_t index) const
  {
    return sum_of_rounded(origin[axis], static_cast<double>(first[axis] + index), spacing[axis]);
  }

  KOKKOS_FUNCTION Point<T> operator[](const Index3& i) const
  {
    if (!on_grid) return points[i[0]];
    Point<T> point{};
    for (int axis = 0; axis < 3; ++axis) point[coordinate[axis]] = static_cast<T>(position(axis, i[axis]));
    return point;
  }
};

template <class T>
struct GatherSources {
  GatherPoints<T> positions;
  Field<const T, 1> weights;

  KOKKOS_FUNCTION std::int64_t count() const { return weights.extent[0]; }
  KOKKOS_FUNCTION T weight(std::int64_t j) const { return weights(j); }
  KOKKOS_FUNCTION Point<T> operator[](std::int64_t j) const { return positions[j]; }
};

/// The sums of one target. What nobody asks for stays zero.
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

/// One number of a total: 0 is the potential, the others are the gradient.
template <class T>
KOKKOS_FUNCTION T& component(GatherTotal<T>& total, int number)
{
  return number == 0 ? total.potential : total.gradient[number - 1];
}

template <bool WithGradient>
inline constexpr int total_components = WithGradient ? 4 : 1;

/// The blocks' totals of one target, summed by the tree.
template <bool WithGradient>
class BlockTree {
public:
  KOKKOS_FUNCTION void add(std::int64_t block, const GatherTotal<double>& total) { add(0, block, total); }
  KOKKOS_FUNCTION void add(int level, std::int64_t number, GatherTotal<double> node)
  {
    for (int c = 0; c < components; ++c)
      add_node(sums_ + level * components + c, components, level, number, component(node, c));
  }
  KOKKOS_FUNCTION GatherTotal<double> total() const
  {
    GatherTotal<double> result;
    for (int c = 0; c < components; ++c) component(result, c) = sum_of_nodes(sums_ + c, components);
    return result;
  }

private:
  static constexpr int components = total_components<WithGradient>;
  double sums_[tree_levels * components] = {};
};

/// What a sum that comes in several calls keeps of every target between them. A call brings the sources of one node of
/// `level`, the last one what is left.
struct GatherCarry {
  static constexpr int level = 3; ///< of 131072 sources

  double* sums = nullptr; ///< none: the call brings all sources. [level of the tree from `level` on][component][target]
  std::int64_t targets = 0;
  Index3 stride{}; ///< of the targets, by axis of the output
  std::int64_t number = 0;
  bool last = false;

  /// Doubles that it takes.
  static constexpr std::int64_t size(std::int64_t targets, int components)
  {
    return std::int64_t{tree_levels - level} * components * targets;
  }

  /// Adds what the sources of this call sum up to. After the last call it is the total of all.
  template <bool WithGradient>
  KOKKOS_FUNCTION void add(const Index3& i, GatherTotal<double>& total) const
  {
    constexpr int components = total_components<WithGradient>, levels = tree_levels - level;
    const std::int64_t pitch = components * targets;
    for (int c = 0; c < components; ++c) {
      double* of_target = sums + c * targets + i[0] * stride[0] + i[1] * stride[1] + i[2] * stride[2];
      for (int k = 0; number == 0 && k < levels; ++k) of_target[k * pitch] = 0;
      add_node(of_target, pitch, level, number, component(total, c));
      if (last) component(total, c) = sum_of_nodes(of_target, pitch, levels);
    }
  }
};

template <class T>
struct GatherOutput {
  Field<T, 3> potential; ///< its extents are those of the targets; no data: gradient only
  Field<T, 4> gradient;  ///< the last axis is the coordinate; no data: potential only
  bool accumulates = false;
  GatherCarry carry;

  template <bool WithGradient>
  KOKKOS_FUNCTION void store(const Index3& i, GatherTotal<double> total) const
  {
    if (carry.sums) {
      carry.template add<WithGradient>(i, total);
      if (!carry.last) return;
    }
    if (!WithGradient || potential.data) put(potential[i], total.potential);
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
    result.output.carry.stride[p] = call.output.carry.stride[order[p]];
    result.targets.first[p] = call.targets.first[order[p]];
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
