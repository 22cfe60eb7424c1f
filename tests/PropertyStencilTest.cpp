// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is true of every stencil, whatever its operator, extents, edge rules and memory: it is linear, its transpose is
// the operator with its taps turned around, and under periodic edges it commutes with shifts. Weights and data are small
// integers, so that both sides of each identity are exact.
#include "PropertyOperators.hpp"

namespace {

using namespace test;
using Keramos::Edge, Keramos::AxisRule, Keramos::EdgeRules;

// ---- What the properties share -------------------------------------------------------------------------------------------

constexpr std::int64_t max_points = 20000, max_value = 8;

/// Everything that is drawn beside the operator.
template <class T, int Rank>
struct Setting {
  std::array<std::int64_t, Rank> extents, in_extents;
  std::vector<AxisRule> rules;
  Memory in_memory, out_memory;

  /// `rule(dice)` draws the rules of one axis.
  template <class Rule>
  Setting(Dice& dice, const Stencil<T, Rank>& stencil, const Rule& rule)
      : extents(dice.extents<Rank>(stencil.radius(), max_points)), in_extents(extents), in_memory(dice.memory()),
        out_memory(dice.memory())
  {
    for (int axis = 0; axis < Rank; ++axis) {
      rules.push_back(rule(dice));
      in_extents[axis] += ghost_sides(rules[axis]) * stencil.reach[axis];
    }
  }

  EdgeRules<Rank> edges() const { return edge_rules<Rank>(rules); }
  bool any(Edge kind) const
  {
    return std::any_of(rules.begin(), rules.end(),
                       [&](const AxisRule& rule) { return rule.low.kind == kind || rule.high.kind == kind; });
  }

  Array<T, Rank> input() const { return Array<T, Rank>(in_extents, in_memory); }
  Array<T, Rank> output() const
  {
    const Array<T, Rank> out(extents, out_memory);
    out.for_each([&](const auto& i) { out.at(i) = 0; }); // `interior` writes no edge
    return out;
  }

  std::string text(const Stencil<T, Rank>& stencil) const
  {
    std::string said =
        Keramos::core::text(stencil.name, sizeof(T) == 4 ? " float " : " double ", Keramos::core::tuple_text(extents),
                            ", memory ", int(in_memory), " and ", int(out_memory), ", edges");
    for (const AxisRule& rule : rules)
      said += Keramos::core::text(" ", to_string(rule.low.kind), "(", rule.low.value, ")|", to_string(rule.high.kind),
                                  "(", rule.high.value, ")");
    return said;
  }
};

AxisRule any_rule(Dice& dice)
{
  const auto one_side = [&] {
    const auto value = static_cast<double>(dice.between(-1, 1));
    return dice.one_of(std::array{Keramos::constant(value), Keramos::nearest, Keramos::reflect, Keramos::mirror,
                                  Keramos::interior, Keramos::ghost});
  };
  switch (dice.between(0, 4)) {
  case 0:
    return Keramos::periodic;
  case 1:
    return Keramos::periodic_closed;
  case 2:
    return Keramos::ghost;
  default:
    return {one_side(), one_side()};
  }
}

/// Rules under which the transposed operator has the same rules.
AxisRule own_transpose(Dice& dice) { return dice.coin() ? Keramos::periodic : Keramos::constant(0); }

/// How many elements of `array` are not wanted(index).
template <class T, int Rank, class Wanted>
int differences(const Array<T, Rank>& array, const Wanted& wanted)
{
  int count = 0;
  array.for_each([&](const auto& i) { count += array.at(i) != wanted(i); });
  return count;
}

template <class T, int Rank>
double product(const Array<T, Rank>& a, const Array<T, Rank>& b)
{
  double sum = 0; // of integers, far below 2^53
  a.for_each([&](const auto& i) { sum += double(a.at(i)) * double(b.at(i)); });
  return sum;
}

// ---- The properties ------------------------------------------------------------------------------------------------------

/// A(a x + b y) = a A(x) + b A(y); where a rule is a constant other than 0, A is affine, and a + b must be 1.
template <class T, int Rank>
void check_linear(Dice& dice, const Stencil<T, Rank>& stencil)
{
  const Setting<T, Rank> setting(dice, stencil, any_rule);
  const std::int64_t a = dice.between(-3, 3), b = setting.any(Edge::constant) ? 1 - a : dice.between(-3, 3);
  const auto x = setting.input(), y = setting.input(), both = setting.input();
  dice.fill(x, max_value);
  dice.fill(y, max_value);
  both.for_each([&](const auto& i) { both.at(i) = a * x.at(i) + b * y.at(i); });
  for (const auto backend : asked_backends()) {
    const auto of_x = setting.output(), of_y = setting.output(), of_both = setting.output();
    stencil.apply(backend, x.view, of_x.view, setting.edges());
    stencil.apply(backend, y.view, of_y.view, setting.edges());
    const auto kernel = stencil.apply(backend, both.view, of_both.view, setting.edges());
    const auto combined = [&](const auto& i) { return static_cast<T>(a * of_x.at(i) + b * of_y.at(i)); };
    EXPECT_EQ(differences(of_both, combined), 0) << kernel << ", " << setting.text(stencil);
    EXPECT_EQ(of_both.touched_outside(), 0) << kernel << ", " << setting.text(stencil);
  }
}

/// <A x, y> = <x, A^T y>. The taps turned around are the transpose under periodic edges and under zeros beyond them.
template <class T, int Rank>
void check_adjoint(Dice& dice, const Stencil<T, Rank>& stencil)
{
  const Setting<T, Rank> setting(dice, stencil, own_transpose);
  const auto x = setting.input(), y = setting.input();
  dice.fill(x, max_value);
  dice.fill(y, max_value);
  for (const auto backend : asked_backends()) {
    const auto of_x = setting.output(), of_y = setting.output();
    const auto kernel = stencil.apply(backend, x.view, of_x.view, setting.edges());
    stencil.apply_transposed(backend, y.view, of_y.view, setting.edges());
    EXPECT_EQ(product(of_x, y), product(x, of_y)) << kernel << ", " << setting.text(stencil);
  }
}

/// The same where `in` brings its halo: the transpose adds to the halo as well, which is the turned operator over y in
/// the midst of zeros.
template <class T, int Rank>
void check_adjoint_of_ghost(Dice& dice, const Stencil<T, Rank>& stencil)
{
  const Setting<T, Rank> setting(dice, stencil, [](Dice&) { return AxisRule(Keramos::ghost); });
  const auto x = setting.input(), padded = setting.input(), of_y = setting.input();
  const auto y = setting.output();
  dice.fill(x, max_value);
  dice.fill(y, max_value);
  padded.for_each([&](const auto& i) { padded.at(i) = 0; });
  y.for_each([&](auto i) {
    const T value = y.at(i);
    for (int axis = 0; axis < Rank; ++axis) i[axis] += stencil.reach[axis];
    padded.at(i) = value;
  });
  for (const auto backend : asked_backends()) {
    const auto of_x = setting.output();
    const auto kernel = stencil.apply(backend, x.view, of_x.view, setting.edges());
    stencil.apply_transposed(backend, padded.view, of_y.view, Keramos::constant(0));
    EXPECT_EQ(product(of_x, y), product(x, of_y)) << kernel << ", " << setting.text(stencil);
  }
}

/// A(shifted x) = shifted A(x).
template <class T, int Rank>
void check_shift(Dice& dice, const Stencil<T, Rank>& stencil)
{
  const Setting<T, Rank> setting(dice, stencil, [](Dice&) { return AxisRule(Keramos::periodic); });
  std::array<std::int64_t, Rank> shift{};
  for (int axis = 0; axis < Rank; ++axis)
    shift[axis] = dice.between(0, std::max<std::int64_t>(0, setting.extents[axis] - 1));
  const auto shifted = [&](auto i) {
    for (int axis = 0; axis < Rank; ++axis) i[axis] = (i[axis] + shift[axis]) % setting.extents[axis];
    return i;
  };
  const auto x = setting.input(), x_shifted = setting.input();
  dice.fill(x, max_value);
  x_shifted.for_each([&](const auto& i) { x_shifted.at(i) = x.at(shifted(i)); });
  for (const auto backend : asked_backends()) {
    const auto of_x = setting.output(), of_shifted = setting.output();
    stencil.apply(backend, x.view, of_x.view, setting.edges());
    const auto kernel = stencil.apply(backend, x_shifted.view, of_shifted.view, setting.edges());
    EXPECT_EQ(differences(of_shifted, [&](const auto& i) { return of_x.at(shifted(i)); }), 0)
        << kernel << ", " << setting.text(stencil) << ", shift " << Keramos::core::tuple_text(shift);
  }
}

struct Combine {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T z, T number) const
  {
    return value - 2 * centre + number * z;
  }
};

/// A(x) - 2 x + 3 z in one pass is A(x) and a loop behind it; z may be the output itself.
template <class T, class Op>
void check_fields(Dice& dice, const Op& op)
{
  constexpr int rank = Op::rank;
  const Stencil<T, rank> stencil(op);
  const Setting<T, rank> setting(dice, stencil, [](Dice& of) {
    AxisRule rule = any_rule(of);
    for (Keramos::EdgeRule* side : {&rule.low, &rule.high}) // a point that is not written has no epilogue
      if (side->kind == Edge::interior) *side = Keramos::nearest;
    return rule;
  });
  const auto x = setting.input();
  const Array<T, rank> field(setting.extents, dice.memory());
  dice.fill(x, max_value);
  dice.fill(field, max_value);
  const bool is_out = dice.coin();
  for (const auto backend : asked_backends()) {
    const auto plain = setting.output(), out = setting.output();
    if (is_out) out.for_each([&](const auto& i) { out.at(i) = field.at(i); });
    stencil.apply(backend, x.view, plain.view, setting.edges());
    const auto kernel = run_on(backend, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, op, x.view, out.view, setting.edges(),
                                    Keramos::Epilogue{Combine(), is_out ? out.view : field.view, 3});
    });
    const auto combined = [&](auto i) {
      const T sum = plain.at(i), z = field.at(i);
      for (int axis = 0; axis < rank; ++axis)
        if (setting.rules[axis].low.kind == Edge::ghost) i[axis] += stencil.reach[axis];
      return sum - 2 * x.at(i) + 3 * z;
    };
    EXPECT_EQ(differences(out, combined), 0)
        << kernel << ", " << setting.text(stencil) << (is_out ? ", of out itself" : "");
    EXPECT_EQ(out.touched_outside(), 0) << kernel << ", " << setting.text(stencil);
  }
}

TEST(StencilProperties, HaveAnEpilogueInOnePass)
{
  for_random_cases(80, [](Dice& dice) {
    switch (dice.between(0, 2)) {
    case 0:
      return check_fields<double>(dice, random_star<2, 4>(dice));
    case 1:
      return check_fields<float>(dice, Keramos::Box<3, 1>(weights<27>(dice)));
    default:
      return check_fields<float>(dice, random_sparse<3, 7>(dice));
    }
  });
}

TEST(StencilProperties, AreLinear)
{
  for_random_cases(
      80, [](Dice& dice) { with_random_stencil(dice, [&](const auto& stencil) { check_linear(dice, stencil); }); });
}

TEST(StencilProperties, HaveTheirTurnedOperatorForTranspose)
{
  for_random_cases(
      80, [](Dice& dice) { with_random_stencil(dice, [&](const auto& stencil) { check_adjoint(dice, stencil); }); });
}

TEST(StencilProperties, HaveTheirTurnedOperatorForTransposeWithGhosts)
{
  for_random_cases(150, [](Dice& dice) {
    with_random_stencil(dice, [&](const auto& stencil) { check_adjoint_of_ghost(dice, stencil); });
  });
}

TEST(StencilProperties, CommuteWithShiftsUnderPeriodicEdges)
{
  for_random_cases(
      80, [](Dice& dice) { with_random_stencil(dice, [&](const auto& stencil) { check_shift(dice, stencil); }); });
}

} // namespace
