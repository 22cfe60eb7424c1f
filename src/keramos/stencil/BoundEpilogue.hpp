// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epilogues as backends see them: bound to a call, axes in the order of its problem. All have one form,
//
//     epilogue.operand[n]                              a field that is read at the point, or a number
//     epilogue(value, centre, operands, i, j, k)       the value to store; operands[n] is what operand[n] is at the point
//
// so that a kernel that stages its operands serves every epilogue, and knows none by name. `Form` says for which operators
// kernels are compiled: for that of the call where the functor is the user's, for all where it is the library's.
#pragma once

#include "../core/Field.hpp"
#include "Operators.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Keramos::core {

/// The form of the operator of a call, part of the type of a user's epilogue: it is compiled into the kernels of that
/// operator only.
template <int Rank, Shape OperatorShape, int Radius>
struct OperatorForm {
  static constexpr bool in_library = false;
  static constexpr int rank = Rank, radius = Radius;
  static constexpr Shape shape = OperatorShape;
};

/// Any: the epilogue's kernels are compiled into the library.
struct EveryForm {
  static constexpr bool in_library = true;
};

/// What an epilogue reads at its own point: an element of a field, or the same number everywhere.
template <class T>
struct EpilogueOperand {
  Field<const T, 3> field; ///< no data: `number` instead
  T number{};

  KOKKOS_FUNCTION bool is_field() const { return field.data != nullptr; }
  KOKKOS_FUNCTION T at(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    return is_field() ? field(i, j, k) : number;
  }
};

/// out = value.
struct StoreValue {
  using form = EveryForm;
  static constexpr int operands = 0;

  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T, const Kokkos::Array<T, 0>&, std::int64_t, std::int64_t, std::int64_t) const
  {
    return value;
  }
};

/// out = f(value, centre, operands...).
template <class F, class T, int Operands, class Form>
struct FieldEpilogue {
  using form = Form;
  static constexpr int operands = Operands;

  F f;
  Kokkos::Array<EpilogueOperand<T>, Operands> operand;

  KOKKOS_FUNCTION auto operator()(T value, T centre, const Kokkos::Array<T, Operands>& at_point, std::int64_t,
                                  std::int64_t, std::int64_t) const
  {
    return call(value, centre, at_point, std::make_index_sequence<Operands>());
  }

  template <std::size_t... N>
  KOKKOS_FUNCTION auto call(T value, T centre, const Kokkos::Array<T, Operands>& at_point,
                            std::index_sequence<N...>) const
  {
    return f(value, centre, at_point[N]...);
  }
};

/// The wave update, an instance of it: operands are the previous value and the scale. The same expression in every kernel.
struct LeapFrogUpdate {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T previous, T scale) const
  {
    return 2 * centre - previous + scale * value;
  }
};
template <class T>
using LeapFrogEpilogue = FieldEpilogue<LeapFrogUpdate, T, 2, EveryForm>;

/// Which way View indices count the axes: forwards (LayoutLeft), backwards (LayoutRight), or neither.
enum class AxisOrder { forwards, backwards, mixed };

/// out = f(value, centre, i...), indices in View order; or f stores by itself and returns nothing. `Usual`: the order that the
/// layout of the call's Views leads to, but where extents are 1; mixed: they have none.
template <class F, class T, class Form, AxisOrder Usual>
struct IndexedEpilogue {
  using form = Form;
  static constexpr int operands = 0;
  static constexpr AxisOrder usual_order = Usual;

  F f;
  Kokkos::Array<int, 3> position; ///< View index k is index position[k] of the problem

  KOKKOS_FUNCTION auto operator()(T value, T centre, const Kokkos::Array<T, 0>&, std::int64_t i, std::int64_t j,
                                  std::int64_t k) const
  {
    // by selects: a GPU would keep an array that is indexed at run time in memory
    const auto index = [&](int view_index) {
      return position[view_index] == 0 ? i : position[view_index] == 1 ? j : k;
    };
    return call(value, centre, index(0), index(1), index(2));
  }

  /// The same by the View indices, of which there are as many as the rank.
  template <class Index>
  KOKKOS_FUNCTION auto call(T value, T centre, Index i0, [[maybe_unused]] Index i1, [[maybe_unused]] Index i2) const
  {
    if constexpr (Form::rank == 1) return f(value, centre, i0);
    if constexpr (Form::rank == 2) return f(value, centre, i0, i1);
    if constexpr (Form::rank == 3) return f(value, centre, i0, i1, i2);
  }
};

/// Does it return the value to store? Otherwise it stores by itself.
template <class Epilogue, class T>
inline constexpr bool returns_value =
    !std::is_void_v<std::invoke_result_t<const Epilogue&, T, T, const Kokkos::Array<T, Epilogue::operands>&,
                                         std::int64_t, std::int64_t, std::int64_t>>;

/// Is there nothing to do but to store?
template <class Epilogue>
inline constexpr bool only_stores = std::is_same_v<Epilogue, StoreValue>;

/// Is it the application's functor of View indices?
template <class Epilogue>
inline constexpr bool takes_indices = requires(const Epilogue& epilogue)
{
  epilogue.position;
};

template <class Epilogue>
KOKKOS_FUNCTION AxisOrder axis_order(const Epilogue& epilogue)
{
  if constexpr (!takes_indices<Epilogue>) {
    return AxisOrder::forwards; // nobody asks
  } else {
    constexpr int rank = Epilogue::form::rank;
    bool forwards = true, backwards = true;
    for (int axis = 0; axis < rank; ++axis) {
      forwards = forwards && epilogue.position[axis] == axis;
      backwards = backwards && epilogue.position[axis] == rank - 1 - axis;
    }
    return forwards ? AxisOrder::forwards : backwards ? AxisOrder::backwards : AxisOrder::mixed;
  }
}

/// The type of the indices that a host calls a functor with: `int` where it says so of all of them. Converted from 64 bits at each point they
/// would be no sequence that a compiler knows, and what lies at them would be read one by one.
template <class Result, class F, class Value, class Centre, class... Indices>
std::bool_constant<(std::is_same_v<Indices, int> && ...)> takes_int(Result (F::*)(Value, Centre, Indices...) const);
template <class Result, class F, class Value, class Centre, class... Indices>
std::bool_constant<(std::is_same_v<Indices, int> && ...)> takes_int(Result (F::*)(Value, Centre, Indices...)
                                                                        const noexcept);
template <class Epilogue>
struct IndexOfFunctor {
  using type = std::int64_t;
};
template <class F, class T, class Form, AxisOrder Usual>
  requires requires { requires decltype(takes_int(&F::operator()))::value; }
struct IndexOfFunctor<IndexedEpilogue<F, T, Form, Usual>> {
  using type = int;
};
template <class Epilogue>
using FunctorIndex = typename IndexOfFunctor<Epilogue>::type;

/// The epilogue of a point, its View indices in an order known at compile time.
template <AxisOrder order, class T, class Epilogue, class Index>
KOKKOS_FUNCTION auto finished(const Epilogue& epilogue, T value, T centre,
                              const Kokkos::Array<T, Epilogue::operands>& operands, Index i, Index j, Index k)
{
  if constexpr (!takes_indices<Epilogue> || order == AxisOrder::mixed)
    return epilogue(value, centre, operands, i, j, k);
  else if constexpr (order == AxisOrder::forwards || Epilogue::form::rank == 1)
    return epilogue.call(value, centre, i, j, k);
  else if constexpr (Epilogue::form::rank == 2)
    return epilogue.call(value, centre, j, i, k);
  else
    return epilogue.call(value, centre, k, j, i);
}

/// The order that kernels may be compiled for: that of a call is the same, or has_usual_order() is false.
template <class Epilogue>
KOKKOS_FUNCTION constexpr AxisOrder usual_order()
{
  if constexpr (takes_indices<Epilogue>) return Epilogue::usual_order;
  return AxisOrder::mixed;
}
/// Whether it is told by the call alone.
template <class Epilogue>
inline constexpr bool leaves_order_open = takes_indices<Epilogue>&& usual_order<Epilogue>() == AxisOrder::mixed;
/// The same epilogue where it is this.
template <AxisOrder order, class F, class T, class Form, AxisOrder Usual>
IndexedEpilogue<F, T, Form, order> with_order(const IndexedEpilogue<F, T, Form, Usual>& epilogue)
{
  return {epilogue.f, epilogue.position};
}
template <class Epilogue>
bool has_usual_order(const Epilogue& epilogue)
{
  return usual_order<Epilogue>() == AxisOrder::mixed || axis_order(epilogue) == usual_order<Epilogue>();
}

/// What the names of kernels say of it. The library's only epilogue with operands is the wave update.
template <class Epilogue>
constexpr const char* epilogue_text()
{
  if constexpr (!Epilogue::form::in_library) return " epilogue";
  return Epilogue::operands > 0 ? " leap-frog" : "";
}

/// The operands of a point, read where they lie.
template <class Epilogue, class T>
KOKKOS_FUNCTION Kokkos::Array<T, Epilogue::operands> operands_at(const Epilogue& epilogue, std::int64_t i,
                                                                 std::int64_t j, std::int64_t k)
{
  Kokkos::Array<T, Epilogue::operands> result;
  if constexpr (Epilogue::operands > 0)
    for (int n = 0; n < Epilogue::operands; ++n) result[n] = epilogue.operand[n].at(i, j, k);
  return result;
}

/// Applies an epilogue at one point, and stores what it returns.
template <class Epilogue, class T>
KOKKOS_FUNCTION void finish(const Epilogue& epilogue, const Field<T, 3>& out, T value, T centre, std::int64_t i,
                            std::int64_t j, std::int64_t k)
{
  const auto operands = operands_at<Epilogue, T>(epilogue, i, j, k);
  if constexpr (returns_value<Epilogue, T>)
    out(i, j, k) = static_cast<T>(epilogue(value, centre, operands, i, j, k));
  else
    epilogue(value, centre, operands, i, j, k);
}

} // namespace Keramos::core
