// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue (BoundEpilogue.hpp) that is an application's functor of a point's View indices: their type, and which way they count the axes
// of a problem, for kernels that are compiled for one way.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace Keramos::core {

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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // a functor may take its indices as int: that is the application's choice
  /// The same by the View indices, of which there are as many as the rank.
  template <class Index>
  KOKKOS_FUNCTION auto call(T value, T centre, Index i0, [[maybe_unused]] Index i1, [[maybe_unused]] Index i2) const
  {
    if constexpr (Form::rank == 1) return f(value, centre, i0);
    if constexpr (Form::rank == 2) return f(value, centre, i0, i1);
    if constexpr (Form::rank == 3) return f(value, centre, i0, i1, i2);
  }
#pragma GCC diagnostic pop
};

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

} // namespace Keramos::core
