// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a stencil reads beyond the ends of an axis. A rule is data: a kind and, for constant, a value.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace Keramos {

/// Shown on an axis of four points a b c d, with what four indices below and above it read.
///
/// SciPy has one word for two rules: "wrap" is periodic in ndimage.correlate and convolve, and periodic_closed in
/// ndimage.map_coordinates, on data whose last point does repeat the first; "grid-wrap" is periodic in all of them.
enum class Edge {
  periodic,        ///< a b c d | a b c d | a b c d   period n, as numpy.pad's wrap
  periodic_closed, ///< c a b c | a b c d | b c a b   period n - 1: the last point repeats the first
  constant,        ///< v v v v | a b c d | v v v v
  nearest,         ///< a a a a | a b c d | d d d d
  reflect,         ///< d c b a | a b c d | d c b a
  mirror,          ///< c d c b | a b c d | c b a b
  ghost,           ///< h h h h | a b c d | h h h h   on this side `in` carries a halo, as wide as the operator reaches
  interior         ///< points whose neighbourhood leaves `in` on this side are not written
};

constexpr const char* to_string(Edge edge)
{
  constexpr const char* names[] = {"periodic", "periodic_closed", "constant", "nearest",
                                   "reflect",  "mirror",          "ghost",    "interior"};
  return names[static_cast<int>(edge)];
}

/// The rule of one side of one axis.
struct EdgeRule {
  Edge kind = Edge::periodic;
  double value = 0; ///< of Edge::constant

  friend constexpr bool operator==(const EdgeRule&, const EdgeRule&) = default;
};

inline constexpr EdgeRule periodic{Edge::periodic};
inline constexpr EdgeRule periodic_closed{Edge::periodic_closed};
inline constexpr EdgeRule nearest{Edge::nearest};
inline constexpr EdgeRule reflect{Edge::reflect};
inline constexpr EdgeRule mirror{Edge::mirror};
inline constexpr EdgeRule ghost{Edge::ghost};
inline constexpr EdgeRule interior{Edge::interior};
/// Every point beyond this side of an axis has this value, rounded to the value type.
constexpr EdgeRule constant(double value) { return {Edge::constant, value}; }

/// The rules of both sides of one axis. One EdgeRule converts to both; sides(low, high) tells them apart.
struct AxisRule {
  EdgeRule low, high;

  constexpr AxisRule(EdgeRule both) : low(both), high(both) {}
  constexpr AxisRule(EdgeRule low_side, EdgeRule high_side) : low(low_side), high(high_side) {}

  friend constexpr bool operator==(const AxisRule&, const AxisRule&) = default;
};

/// `low` below index 0 and `high` above the last index of an axis.
constexpr AxisRule sides(EdgeRule low, EdgeRule high) { return {low, high}; }

/// One rule for every axis, or one rule per axis in View index order: `periodic`, `{periodic, nearest, sides(a, b)}`.
template <int Rank>
class EdgeRules {
public:
  static_assert(Rank >= 1 && Rank <= 3, "Keramos::EdgeRules: ranks 1 to 3, as stencils have them");

  constexpr EdgeRules(EdgeRule all) : EdgeRules(AxisRule(all)) {}
  constexpr EdgeRules(AxisRule all) : rules_(filled(all)) {}
  constexpr EdgeRules(AxisRule first, AxisRule second) requires(Rank == 2) : rules_{first, second} {}
  constexpr EdgeRules(AxisRule first, AxisRule second, AxisRule third) requires(Rank == 3)
      : rules_{first, second, third}
  {
  }

  constexpr const AxisRule& operator[](int axis) const { return rules_[axis]; }

private:
  static constexpr std::array<AxisRule, Rank> filled(const AxisRule& rule)
  {
    if constexpr (Rank == 1)
      return {rule};
    else if constexpr (Rank == 2)
      return {rule, rule};
    else
      return {rule, rule, rule};
  }

  std::array<AxisRule, Rank> rules_;
};

namespace core {

/// What edge_index() answers where the rule is a value.
inline constexpr std::int64_t no_index = INT64_MIN;

KOKKOS_INLINE_FUNCTION std::int64_t floor_modulo(std::int64_t index, std::int64_t period)
{
  const std::int64_t rest = index % period;
  return rest < 0 ? rest + period : rest;
}

/// The index inside [0, extent) that stands for `index` outside of it under `edge`, or no_index for Edge::constant.
/// Each map repeats as often as it must, so an extent may be smaller than the radius; ghost and interior never ask.
KOKKOS_INLINE_FUNCTION std::int64_t edge_index(Edge edge, std::int64_t index, std::int64_t extent)
{
  switch (edge) {
  case Edge::periodic:
    return floor_modulo(index, extent);
  case Edge::periodic_closed:
    return extent == 1 ? 0 : floor_modulo(index, extent - 1);
  case Edge::nearest:
    return index < 0 ? 0 : extent - 1;
  case Edge::reflect: {
    const std::int64_t rest = floor_modulo(index, 2 * extent);
    return rest < extent ? rest : 2 * extent - 1 - rest;
  }
  case Edge::mirror: {
    if (extent == 1) return 0;
    const std::int64_t rest = floor_modulo(index, 2 * (extent - 1));
    return rest < extent ? rest : 2 * (extent - 1) - rest;
  }
  default:
    return no_index;
  }
}

/// The same where the other side of the axis is `ghost`: the map is applied once and may lead into that side's halo, as
/// it would in the larger array that `in` is a part of. Drawn for mirror above three points: h h | a b c | b a h.
KOKKOS_INLINE_FUNCTION std::int64_t edge_index_beside_ghost(Edge edge, bool is_low, std::int64_t index,
                                                            std::int64_t extent)
{
  switch (edge) {
  case Edge::nearest:
    return is_low ? 0 : extent - 1;
  case Edge::reflect:
    return (is_low ? -1 : 2 * extent - 1) - index;
  case Edge::mirror:
    return (is_low ? 0 : 2 * (extent - 1)) - index;
  default:
    return no_index;
  }
}

} // namespace core
} // namespace Keramos
