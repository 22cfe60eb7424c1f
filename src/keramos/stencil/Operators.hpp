// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencil operators are values: shape and radius are types, weights are data in double. They correlate: out(i) is the
// sum of weight(offset) * in(i + offset); nothing is flipped. Every operator offers
//
//     rank, tap_count, shape, radius        constants (radius is 0 where the shape has none)
//     offset(t), weight(t)                  the taps, t in [0, tap_count), entry k of an offset belongs to View index k
//
// Lists of weights in braces have all of them, or none, which is zeros: a shorter one, which an array would take, is refused.
#pragma once

#include "../core/Error.hpp"
#include "../core/Refused.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Keramos {

enum class Shape { star, box, line, sparse };

namespace core {

constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

inline void check_axis(const char* function, std::int64_t axis, int rank)
{
  if (axis < 0 || axis >= rank) fail(function, "axis", text("0 <= axis < ", rank), std::to_string(axis));
}

inline void check_offset(const char* function, std::int64_t offset, int radius)
{
  if (offset < -radius || offset > radius)
    fail(function, "offset", text(-radius, " <= offset <= ", radius), std::to_string(offset));
}

} // namespace core

/// The centre and `2 * Radius` points along every axis: 1 + 2 * Radius * Rank taps.
///
///     Keramos::Star<3, 4> star(c0, {c1, c2, c3, c4});       // the same weights along every axis and on both sides
///     star.at(/*axis*/ 1, /*offset*/ -2) = c;               // one of them
template <int Rank, int Radius>
class Star {
public:
  static_assert(Rank >= 1 && Rank <= 3 && Radius >= 0, "Keramos::Star: ranks 1 to 3 and radii from 0");
  static constexpr Shape shape = Shape::star;
  static constexpr int rank = Rank, radius = Radius, tap_count = 1 + 2 * Radius * Rank;

  /// All weights zero.
  constexpr Star() = default;
  /// weights[d - 1] for the points at distance d, the same along every axis and on both sides.
  constexpr Star(double centre, const std::array<double, Radius>& weights)
  {
    weight_[0] = centre;
    for (int axis = 0; axis < Rank; ++axis)
      for (int distance = 1; distance <= Radius; ++distance)
        weight_[tap(axis, distance)] = weight_[tap(axis, -distance)] = weights[distance - 1];
  }
  template <std::size_t count>
    requires(count != Radius)
  Star(double centre, const double (&weights)[count])
  KERAMOS_REFUSED("Keramos::Star: expected one weight for each distance from 1 to Radius, as in Star<3, 4>(c0, {c1, "
                  "c2, c3, c4}).");

  constexpr double& centre() { return weight_[0]; }
  /// The weight of the point `offset` steps along View index `axis`; offset 0 is the centre, which all axes share. Throws Error:
  /// axis outside [0, Rank), offset outside [-Radius, Radius].
  double& at(std::int64_t axis, std::int64_t offset)
  {
    core::check_axis("Star::at", axis, Rank);
    core::check_offset("Star::at", offset, Radius);
    return weight_[tap(static_cast<int>(axis), static_cast<int>(offset))];
  }

  constexpr double weight(int t) const { return weight_[t]; }
  constexpr std::array<int, Rank> offset(int t) const
  {
    std::array<int, Rank> result{};
    if (t == 0) return result;
    constexpr int taps = Radius > 0 ? 2 * Radius : 1; // of one axis; a star of radius 0 has only the centre
    const int along = (t - 1) / taps, step = (t - 1) % taps;
    for (int axis = 0; axis < Rank; ++axis) // in registers, which an array that is indexed at run time would leave
      result[axis] = axis != along ? 0 : step < Radius ? step - Radius : step - Radius + 1;
    return result;
  }

private:
  static constexpr int tap(int axis, int offset)
  {
    if (offset == 0) return 0;
    return 1 + axis * 2 * Radius + (offset < 0 ? offset + Radius : offset + Radius - 1);
  }
  std::array<double, tap_count> weight_{};
};

/// Every point of a cube of side 2 * Radius + 1, in row-major order: the offset along the last View index runs fastest.
///
///     Keramos::Box<2, 1> blur{1, 2, 1, 2, 4, 2, 1, 2, 1};
template <int Rank, int Radius>
class Box {
public:
  static_assert(Rank >= 1 && Rank <= 3 && Radius >= 0, "Keramos::Box: ranks 1 to 3 and radii from 0");
  static constexpr Shape shape = Shape::box;
  static constexpr int rank = Rank, radius = Radius, tap_count = core::power(2 * Radius + 1, Rank);

  /// All weights zero.
  constexpr Box() = default;
  constexpr explicit Box(const std::array<double, tap_count>& weights) : weight_(weights) {}
  template <std::convertible_to<double>... Weights>
    requires(sizeof...(Weights) == tap_count)
  constexpr explicit(tap_count == 1) Box(Weights... weights) : weight_{static_cast<double>(weights)...} {}
  template <std::convertible_to<double>... Weights>
    requires(sizeof...(Weights) > 0 && sizeof...(Weights) != tap_count)
  explicit(sizeof...(Weights) == 1) Box(Weights... weights) KERAMOS_REFUSED(
      "Keramos::Box: expected one weight for each of its points, side 2 Radius + 1, as in Box<2, 1>{1, 2, "
      "1, 2, 4, 2, 1, 2, 1}.");

  /// The weight of the point at this offset, an entry for each View index. Throws Error: an entry outside [-Radius, Radius].
  double& at(const std::array<int, Rank>& offset)
  {
    int t = 0;
    for (int axis = 0; axis < Rank; ++axis) {
      core::check_offset("Box::at", offset[axis], Radius);
      t = t * (2 * Radius + 1) + offset[axis] + Radius;
    }
    return weight_[t];
  }

  constexpr double weight(int t) const { return weight_[t]; }
  constexpr std::array<int, Rank> offset(int t) const
  {
    std::array<int, Rank> result{};
    for (int axis = Rank; axis-- > 0; t /= 2 * Radius + 1) result[axis] = t % (2 * Radius + 1) - Radius;
    return result;
  }

private:
  std::array<double, tap_count> weight_{};
};

/// `2 * Radius + 1` points along one axis, which is chosen at run time; weights from offset -Radius to Radius.
///
///     Keramos::Line<3, 1> centred(/*axis*/ 2, {-0.5, 0, 0.5});
template <int Rank, int Radius>
class Line {
public:
  static_assert(Rank >= 1 && Rank <= 3 && Radius >= 0, "Keramos::Line: ranks 1 to 3 and radii from 0");
  static constexpr Shape shape = Shape::line;
  static constexpr int rank = Rank, radius = Radius, tap_count = 2 * Radius + 1;

  /// Throws Error: axis, a View index, outside [0, Rank).
  Line(std::int64_t axis, const std::array<double, tap_count>& weights)
      : axis_(static_cast<int>(axis)), weight_(weights)
  {
    core::check_axis("Line", axis, Rank);
  }
  template <std::size_t count>
    requires(count != tap_count)
  Line(std::int64_t axis, const double (&weights)[count])
  KERAMOS_REFUSED(
      "Keramos::Line: expected one weight for each offset from -Radius to Radius, as in Line<3, 1>(2, {-0.5, "
      "0, 0.5}).");

  constexpr int axis() const { return axis_; }
  constexpr double weight(int t) const { return weight_[t]; }
  constexpr std::array<int, Rank> offset(int t) const
  {
    std::array<int, Rank> result{};
    for (int axis = 0; axis < Rank; ++axis) result[axis] = axis == axis_ ? t - Radius : 0;
    return result;
  }

private:
  int axis_;
  std::array<double, tap_count> weight_;
};

/// Any `Count` points. An offset has an entry for each View index; weights of one that is named twice add up, and their sum multiplies
/// the point.
///
///     Keramos::SparseStencil<2, 3> upwind({{{0, 0}, {-1, 0}, {0, -1}}}, {-2, 1, 1});
template <int Rank, int Count>
class SparseStencil {
public:
  static_assert(Rank >= 1 && Rank <= 3 && Count >= 1, "Keramos::SparseStencil: ranks 1 to 3 and at least one point");
  static constexpr Shape shape = Shape::sparse;
  static constexpr int rank = Rank, radius = 0, tap_count = Count;

  constexpr SparseStencil(const std::array<std::array<int, Rank>, Count>& offsets,
                          const std::array<double, Count>& weights)
      : offset_(offsets), weight_(weights)
  {
  }
  template <std::size_t count>
    requires(count != Count)
  SparseStencil(const std::array<std::array<int, Rank>, Count>& offsets, const double (&weights)[count])
  KERAMOS_REFUSED(
      "Keramos::SparseStencil: expected as many weights as offsets, as in SparseStencil<2, 3>({{{0, 0}, {-1, "
      "0}, {0, -1}}}, {-2, 1, 1}).");
  template <std::size_t count>
    requires(count != Count)
  SparseStencil(const int (&offsets)[1][count][Rank], const std::array<double, Count>& weights)
  KERAMOS_REFUSED(
      "Keramos::SparseStencil: expected as many offsets as weights, as in SparseStencil<2, 3>({{{0, 0}, {-1, "
      "0}, {0, -1}}}, {-2, 1, 1}).");

  constexpr double weight(int t) const { return weight_[t]; }
  constexpr std::array<int, Rank> offset(int t) const { return offset_[t]; }

private:
  std::array<std::array<int, Rank>, Count> offset_;
  std::array<double, Count> weight_;
};

namespace core {

template <class T>
concept PointerToMember = std::is_member_object_pointer_v<T>;

// clang-format off
/// Has every value of the type one of these for itself? Asked apart, because g++ 12 takes a question that uses such a member for an error.
template <class T>
concept VariesByValue =
    requires { { &T::rank } -> PointerToMember; } || requires { { &T::radius } -> PointerToMember; } ||
    requires { { &T::shape } -> PointerToMember; } || requires { { &T::tap_count } -> PointerToMember; };
// clang-format on

/// All of its values have the same, known when it is compiled.
template <class T>
concept HasOperatorConstants = !VariesByValue<T> && requires
{
  typename std::integral_constant<int, T::rank>;
  typename std::integral_constant<int, T::radius>;
  typename std::integral_constant<Shape, T::shape>;
  typename std::integral_constant<int, T::tap_count>;
};

/// What apply_stencil accepts as an operator; a type of the application's own may model it too.
template <class T>
concept StencilOperator = HasOperatorConstants<T> && requires(const T& op, int t)
{
  {
    op.weight(t)
    } -> std::convertible_to<double>;
  {
    op.offset(t)[0]
    } -> std::convertible_to<int>;
};

/// "star<3,4>", "sparse<2,7 taps>".
inline std::string shape_text(Shape shape, int rank, int radius, int taps)
{
  switch (shape) {
  case Shape::star:
    return text("star<", rank, ",", radius, ">");
  case Shape::box:
    return text("box<", rank, ",", radius, ">");
  case Shape::line:
    return text("line<", rank, ",", radius, ">");
  default:
    return text("sparse<", rank, ",", taps, " taps>");
  }
}

} // namespace core
} // namespace Keramos
