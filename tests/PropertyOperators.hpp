// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random stencil operators with integer weights, each with its transpose, for the property tests.
#pragma once

#include "Property.hpp"

#include <functional>

namespace test {

using MaybeBackend = std::optional<Keramos::Backend>;

/// One rule per axis, as a call takes them.
template <int Rank>
Keramos::EdgeRules<Rank> edge_rules(const std::vector<Keramos::AxisRule>& rules)
{
  if constexpr (Rank == 1)
    return {rules[0]};
  else if constexpr (Rank == 2)
    return {rules[0], rules[1]};
  else
    return {rules[0], rules[1], rules[2]};
}

// ---- The transposed operators: weight(-o) at o ---------------------------------------------------------------------------

template <int Rank, int Radius>
auto turned(const Keramos::Star<Rank, Radius>& op)
{
  Keramos::Star<Rank, Radius> result;
  result.centre() = op.weight(0);
  for (int t = 1; t < op.tap_count; ++t)
    for (int axis = 0; axis < Rank; ++axis)
      if (const int offset = op.offset(t)[axis]) result.at(axis, -offset) = op.weight(t);
  return result;
}
template <int Rank, int Radius>
auto turned(const Keramos::Box<Rank, Radius>& op)
{
  Keramos::Box<Rank, Radius> result;
  for (int t = 0; t < op.tap_count; ++t) {
    auto offset = op.offset(t);
    for (int& entry : offset) entry = -entry;
    result.at(offset) = op.weight(t);
  }
  return result;
}
template <int Rank, int Radius>
auto turned(const Keramos::Line<Rank, Radius>& op)
{
  std::array<double, 2 * Radius + 1> weights{};
  for (int t = 0; t <= 2 * Radius; ++t) weights[t] = op.weight(2 * Radius - t);
  return Keramos::Line<Rank, Radius>(op.axis(), weights);
}
template <int Rank, int Count>
auto turned(const Keramos::SparseStencil<Rank, Count>& op)
{
  std::array<std::array<int, Rank>, Count> offsets;
  std::array<double, Count> weights;
  for (int t = 0; t < Count; ++t) {
    for (int axis = 0; axis < Rank; ++axis) offsets[t][axis] = -op.offset(t)[axis];
    weights[t] = op.weight(t);
  }
  return Keramos::SparseStencil<Rank, Count>(offsets, weights);
}

// ---- Random operators ----------------------------------------------------------------------------------------------------

inline constexpr int max_weight = 3;

template <std::size_t Count>
std::array<double, Count> weights(Dice& dice)
{
  std::array<double, Count> result;
  for (double& weight : result) weight = static_cast<double>(dice.between(-max_weight, max_weight));
  return result;
}

template <int Rank, int Radius>
auto random_star(Dice& dice)
{
  Keramos::Star<Rank, Radius> star(weights<1>(dice)[0], {});
  for (int axis = 0; axis < Rank; ++axis)
    for (int offset = -Radius; offset <= Radius; ++offset)
      if (offset != 0) star.at(axis, offset) = weights<1>(dice)[0];
  return star;
}
template <int Rank, int Radius>
auto random_line(Dice& dice)
{
  const int axis = static_cast<int>(dice.between(0, Rank - 1));
  return Keramos::Line<Rank, Radius>(axis, weights<2 * Radius + 1>(dice));
}
template <int Rank, int Count>
auto random_sparse(Dice& dice)
{
  std::array<std::array<int, Rank>, Count> offsets;
  for (auto& offset : offsets)
    for (int& entry : offset) entry = static_cast<int>(dice.between(-4, 4));
  return Keramos::SparseStencil<Rank, Count>(offsets, weights<Count>(dice));
}

/// An operator and its transpose without their type, each as a call.
template <class T, int Rank>
struct Stencil {
  using View = StridedView<T, Rank>;
  using Call = std::function<Keramos::Kernel(MaybeBackend, const View&, const View&, const Keramos::EdgeRules<Rank>&)>;

  std::string name;
  std::array<std::int64_t, Rank> reach{};
  Call apply, apply_transposed;

  template <class Op>
  explicit Stencil(const Op& op)
      : name(Keramos::core::shape_text(Op::shape, Op::rank, Op::radius, Op::tap_count)), apply(call(op)),
        apply_transposed(call(turned(op)))
  {
    for (int t = 0; t < Op::tap_count; ++t)
      for (int axis = 0; axis < Rank; ++axis)
        reach[axis] = std::max<std::int64_t>(reach[axis], std::abs(op.offset(t)[axis]));
  }

  std::int64_t radius() const { return *std::max_element(reach.begin(), reach.end()); }

private:
  template <class Op>
  static Call call(const Op& op)
  {
    return [op](MaybeBackend backend, const View& in, const View& out, const Keramos::EdgeRules<Rank>& rules) {
      return run_on(backend, [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in, out, rules); });
    };
  }
};

template <class T>
Stencil<T, 1> random_stencil(Dice& dice, std::integral_constant<int, 1>)
{
  if (dice.coin()) return Stencil<T, 1>(random_star<1, 3>(dice));
  return Stencil<T, 1>(random_sparse<1, 3>(dice));
}
template <class T>
Stencil<T, 2> random_stencil(Dice& dice, std::integral_constant<int, 2>)
{
  switch (dice.between(0, 3)) {
  case 0:
    return Stencil<T, 2>(random_star<2, 4>(dice));
  case 1:
    return Stencil<T, 2>(Keramos::Box<2, 2>(weights<25>(dice)));
  case 2:
    return Stencil<T, 2>(random_line<2, 8>(dice));
  default:
    return Stencil<T, 2>(random_sparse<2, 5>(dice));
  }
}
template <class T>
Stencil<T, 3> random_stencil(Dice& dice, std::integral_constant<int, 3>)
{
  switch (dice.between(0, 4)) {
  case 0:
    return Stencil<T, 3>(random_star<3, 1>(dice));
  case 1:
    return Stencil<T, 3>(random_star<3, 4>(dice));
  case 2:
    return Stencil<T, 3>(Keramos::Box<3, 1>(weights<27>(dice)));
  case 3:
    return Stencil<T, 3>(random_line<3, 2>(dice));
  default:
    return Stencil<T, 3>(random_sparse<3, 7>(dice));
  }
}

/// f(stencil) for a random value type, rank and operator.
template <class F>
void with_random_stencil(Dice& dice, const F& f)
{
  const auto of_rank = [&](auto rank) {
    if (dice.coin())
      f(random_stencil<float>(dice, rank));
    else
      f(random_stencil<double>(dice, rank));
  };
  switch (dice.between(1, 3)) {
  case 1:
    return of_rank(std::integral_constant<int, 1>());
  case 2:
    return of_rank(std::integral_constant<int, 2>());
  default:
    return of_rank(std::integral_constant<int, 3>());
  }
}

} // namespace test
