// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finite-difference operators, as values for Keramos::apply_stencil. Weights are computed, not tabled (Fornberg 1988), once in a
// process where points are centred.
#pragma once

#include "keramos/core/IndexArgument.hpp"
#include "keramos/stencil/Operators.hpp"
#include "keramos/stencil/RefusedOperators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace Keramos::FiniteDifference {

/// Weights w with f^(derivative)(0) = sum over k of w[k] * f(offsets[k]), exact on polynomials of degree <
/// offsets.size(). Offsets may be any distinct numbers, in the unit of f's argument; a weight has that to the power of -derivative.
/// w[k] belongs to offsets[k].
///
///     const std::vector<double> w = Keramos::FiniteDifference::weights(1, {0, 1, 2});    // {-1.5, 2, -0.5}
///
/// Errors   (Keramos::Error) derivative outside 0 ... offsets.size() - 1; repeated or non-finite offsets, or such
///          whose weights no double holds, as of a second derivative those of {0, 1e-200, 2e-200}
/// Cost     offsets.size()^2 * (derivative + 1) operations, and memory is allocated
/// Source   B. Fornberg, Math. Comp. 51 (1988) 699-706
std::vector<double> weights(int derivative, const std::vector<double>& offsets);

namespace core {

using Keramos::core::fail;
using Keramos::core::text;
using Keramos::core::tuple_text;

/// Keramos::FiniteDifference::weights as `function` calls it, which names the derivative's order `argument`.
std::vector<double> weights(const char* function, const char* argument, int derivative,
                            const std::vector<double>& offsets);

/// Weights of unit spacing become those of `spacing`, for a derivative of this order.
template <std::size_t Count>
std::array<double, Count> scaled(const char* function, const char* argument, std::array<double, Count> weights,
                                 int order, double spacing)
{
  if (!(spacing > 0 && std::isfinite(spacing))) fail(function, argument, "a positive, finite spacing", text(spacing));
  const double scale = std::pow(spacing, order);
  bool divides = std::isnormal(scale);
  for (double& weight : weights) divides = divides && std::isfinite(weight /= scale);
  if (!divides)
    fail(function, argument, text("a spacing by whose power of ", order, " weights can be divided in double"),
         text(spacing));
  return weights;
}

template <int Accuracy>
consteval void require_accuracy()
{
  static_assert(Accuracy >= 2 && Accuracy <= 16 && Accuracy % 2 == 0,
                "Keramos::FiniteDifference: the order of accuracy is an even number from 2 to 16");
}

/// Centred weights of an even accuracy on as many unit-spaced points and one more. Computed once: an application may name its operator in
/// every call, and they took longer than a call on 16^3 points (docs/tuning/hosts.md).
template <int Accuracy, int Derivative>
const std::array<double, Accuracy + 1>& unit_weights()
{
  static const auto tabled = [] {
    std::vector<double> offsets;
    for (int k = -Accuracy / 2; k <= Accuracy / 2; ++k) offsets.push_back(k);
    const auto exact = FiniteDifference::weights(Derivative, offsets);
    std::array<double, Accuracy + 1> result;
    std::copy(exact.begin(), exact.end(), result.begin());
    return result;
  }();
  return tabled;
}

} // namespace core

/// d/dx along View index `axis`: Accuracy + 1 points, error O(spacing^Accuracy).
/// `spacing` is the distance of neighbouring points along that index, in the application's unit. `axis` is a whole
/// number of any type or an enumerator: first_derivative<3, 8>(Y, h) after enum { X, Y, Z }.
/// Throws Error: axis outside [0, Rank); a spacing that is not positive and finite, or one by whose power weights cannot be
/// divided in double (1e-200 for a second derivative).
template <int Rank, int Accuracy, Keramos::core::IndexValue Axis>
Line<Rank, Accuracy / 2> first_derivative(Axis axis, double spacing)
{
  core::require_accuracy<Accuracy>();
  Keramos::core::check_axis("FiniteDifference::first_derivative", static_cast<std::int64_t>(axis), Rank);
  return {static_cast<int>(axis),
          core::scaled("FiniteDifference::first_derivative", "spacing", core::unit_weights<Accuracy, 1>(), 1, spacing)};
}

/// d^2/dx^2 along View index `axis`: Accuracy + 1 points, error O(spacing^Accuracy). Arguments and errors as
/// first_derivative.
template <int Rank, int Accuracy, Keramos::core::IndexValue Axis>
Line<Rank, Accuracy / 2> second_derivative(Axis axis, double spacing)
{
  core::require_accuracy<Accuracy>();
  Keramos::core::check_axis("FiniteDifference::second_derivative", static_cast<std::int64_t>(axis), Rank);
  return {static_cast<int>(axis), core::scaled("FiniteDifference::second_derivative", "spacing",
                                               core::unit_weights<Accuracy, 2>(), 2, spacing)};
}

/// Sum of the second derivatives along every View index: 1 + Rank * Accuracy points, error O(spacing^Accuracy).
/// One spacing per axis, in View index order: laplacian<3, 8>(h0, h1, h2) is the 25-point star of the seismic codes,
/// laplacian<3, 8>(1, 1, 1) that of unit spacings. They convert to double, each from its own type.
/// Throws Error: a spacing as above.
template <int Rank, int Accuracy, std::convertible_to<double>... Spacing>
  requires(sizeof...(Spacing) == Rank)
Star<Rank, Accuracy / 2> laplacian(Spacing... spacing)
{
  core::require_accuracy<Accuracy>();
  constexpr int radius = Accuracy / 2;
  constexpr const char* names[] = {"h0", "h1", "h2"};
  const std::array<double, Rank> spacings{static_cast<double>(spacing)...};
  Star<Rank, radius> star;
  for (int axis = 0; axis < Rank; ++axis) {
    const auto weight =
        core::scaled("FiniteDifference::laplacian", names[axis], core::unit_weights<Accuracy, 2>(), 2, spacings[axis]);
    for (int offset = -radius; offset <= radius; ++offset) star.at(axis, offset) += weight[offset + radius];
  }
  return star;
}

/// The derivative of any order on offsets of the user's own along View index `axis`, in points: one-sided
/// and lopsided formulas. derivative<1>(0, 2, {-2, -1, 0, 1}, h): a second derivative biased to the left. Throws
/// Error: axis and spacing as above; order outside 0 ... Count - 1; repeated offsets.
template <int Rank, Keramos::core::IndexValue Axis, std::size_t Count>
SparseStencil<Rank, static_cast<int>(Count)> derivative(Axis axis, int order, const int (&offsets)[Count],
                                                        double spacing)
{
  Keramos::core::check_axis("FiniteDifference::derivative", static_cast<std::int64_t>(axis), Rank);
  const auto exact = core::weights("FiniteDifference::derivative", "order", order, {offsets, offsets + Count});
  std::array<std::array<int, Rank>, Count> taps{};
  std::array<double, Count> of_units;
  for (std::size_t k = 0; k < Count; ++k) {
    taps[k][axis] = offsets[k];
    of_units[k] = exact[k];
  }
  return {taps, core::scaled("FiniteDifference::derivative", "spacing", of_units, order, spacing)};
}

} // namespace Keramos::FiniteDifference
