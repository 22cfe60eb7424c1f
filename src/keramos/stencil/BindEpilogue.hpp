// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an application's epilogue to the one that backends see: its fields are checked, and their axes brought into the
// order of the problem.
#pragma once

#include "../core/RefusedArguments.hpp"
#include "BoundEpilogue.hpp"
#include "Checks.hpp"
#include "Epilogue.hpp"
#include "IndexedEpilogue.hpp"
#include "Problem.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace Keramos::core {

/// Compile-time: what an Epilogue names as a field.
template <class T, int Rank, class Operand>
consteval void require_epilogue_field()
{
  static_assert(KokkosView<Operand> || std::is_arithmetic_v<Operand>,
                "Keramos::Epilogue: a field is a Kokkos::View of the output's rank and value type, or a "
                "number. " KERAMOS_OTHERS_HAVE_ONE);
  if constexpr (KokkosView<Operand>)
    static_assert(static_cast<int>(Operand::rank) == Rank && std::is_same_v<typename Operand::non_const_value_type, T>,
                  "Keramos::Epilogue: a field that is a View must have the rank and the value type of the output.");
}

template <class T, class Operand, int Rank>
consteval void require_leap_frog_view()
{
  static_assert(
      KokkosView<Operand>,
      "Keramos::LeapFrog: previous is a Kokkos::View, scale a Kokkos::View or a number. " KERAMOS_OTHERS_HAVE_ONE);
  if constexpr (KokkosView<Operand>)
    static_assert(static_cast<int>(Operand::rank) == Rank && std::is_same_v<typename Operand::non_const_value_type, T>,
                  "Keramos::LeapFrog: previous and scale must have the rank and the value type of the output.");
}

template <class T, std::size_t>
using Repeated = T;

template <class F, class T, std::size_t... N>
constexpr bool is_field_function(std::index_sequence<N...>)
{
  return std::is_invocable_r_v<T, const F&, T, T, Repeated<T, N>...>;
}

/// Compile-time: what a function of the point's indices returns, as kernels convert it.
template <class T, class Result>
consteval void require_epilogue_result()
{
  if constexpr (!std::is_void_v<Result>)
    static_assert(
        requires(Result && result) { static_cast<T>(std::forward<Result>(result)); },
        "Keramos::apply_stencil: an epilogue of (value, centre, i...) must return the value to store, a "
        "number, or nothing.");
}

/// What errors call field `n` of an Epilogue: "Epilogue.fields[2]".
template <std::size_t n>
struct EpilogueFieldName {
  static constexpr auto text = [] {
    std::array<char, 40> name{"Epilogue.fields["};
    std::size_t end = 16, digits = 1;
    for (std::size_t rest = n; rest >= 10; rest /= 10) ++digits;
    for (std::size_t digit = digits, rest = n; digit-- > 0; rest /= 10)
      name[end + digit] = static_cast<char>('0' + rest % 10);
    name[end + digits] = ']';
    return name;
  }();
};

/// Which way the indices of such a View count the axes of a problem, fastest first.
template <class View>
constexpr AxisOrder layout_order()
{
  using Layout = typename View::array_layout;
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight>) return AxisOrder::backwards;
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>) return AxisOrder::forwards;
  return AxisOrder::mixed;
}

template <class Space, StencilOperator Op, class InView, class T, int Capacity>
class EpilogueBinder {
public:
  explicit EpilogueBinder(const StencilProblem<T, Capacity>& problem) : problem_(problem) {}

  auto operator()(const StoreValue& store) const { return store; }

  template <class Previous, class Scale>
  auto operator()(const LeapFrog<Previous, Scale>& step) const
  {
    LeapFrogEpilogue<T> bound;
    bound.operand[0] = leap_frog_field("LeapFrog.previous", step.previous);
    check_out_or_apart("LeapFrog.previous", bound.operand[0].field, problem_.out);
    if constexpr (std::is_arithmetic_v<Scale>) {
      bound.operand[1].number = static_cast<T>(step.scale);
    } else {
      bound.operand[1] = leap_frog_field("LeapFrog.scale", step.scale);
      check_apart("apply_stencil", "LeapFrog.scale", bound.operand[1].field, "out", problem_.out);
    }
    return bound;
  }

  template <class F, class... Fields>
  auto operator()(const Epilogue<F, Fields...>& epilogue) const
  {
    (require_epilogue_field<T, Op::rank, Fields>(), ...);
    static_assert(is_field_function<F, T>(std::make_index_sequence<sizeof...(Fields)>()),
                  "Keramos::Epilogue: f must be callable as f(value, centre, fields...), where it is const, with one "
                  "number of the output's value type for each, and return the value to store.");
    return bind_fields(epilogue, std::make_index_sequence<sizeof...(Fields)>());
  }

  template <class F>
  auto operator()(const F& functor) const
  {
    // A function that is named, not pointed to, is kept as a pointer.
    IndexedEpilogue<std::decay_t<F>, T, Form, layout_order<InView>()> bound{functor, {}};
    require_epilogue_result<T, decltype(bound(T(), T(), {}, 0, 0, 0))>();
    for (int p = 0; p < 3; ++p) bound.position[problem_.order[p]] = p;
    return bound;
  }

private:
  using Form = OperatorForm<Op::rank, Op::shape, Op::radius>;

  template <class View>
  EpilogueOperand<T> operand_of(const char* argument, const View& view) const
  {
    require_reachable<Space, View>();
    const Field<const T, 3> field = padded<3>(read_only(field_of(view)));
    check_stencil_extents(argument, Op::rank, problem_.call.out.extent, field.extent);
    check_allocated("apply_stencil", argument, field);
    return {permuted(field, problem_.order), T{}};
  }

  template <class View>
  EpilogueOperand<T> leap_frog_field(const char* argument, const View& view) const
  {
    require_leap_frog_view<T, View, Op::rank>();
    return operand_of(argument, view);
  }

  template <class F, class... Fields, std::size_t... N>
  auto bind_fields(const Epilogue<F, Fields...>& epilogue, std::index_sequence<N...>) const
  {
    return FieldEpilogue<F, T, sizeof...(Fields), Form>{epilogue.f, {bind_field<N>(std::get<N>(epilogue.fields))...}};
  }

  template <std::size_t n, class Operand>
  EpilogueOperand<T> bind_field(const Operand& field) const
  {
    if constexpr (std::is_arithmetic_v<Operand>) {
      return {{}, static_cast<T>(field)};
    } else {
      const char* const name = EpilogueFieldName<n>::text.data();
      const EpilogueOperand<T> operand = operand_of(name, field);
      check_out_or_apart(name, operand.field, problem_.out);
      return operand;
    }
  }

  const StencilProblem<T, Capacity>& problem_;
};

/// The epilogue of a call, for its problem.
template <StencilOperator Op, class Space, class InView, class T, int Capacity, class Epilogue>
auto bind_epilogue(const StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  return EpilogueBinder<Space, Op, InView, T, Capacity>(problem)(epilogue);
}

} // namespace Keramos::core
