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

/// Does it return the value to store? Otherwise it stores by itself.
template <class Epilogue, class T>
inline constexpr bool returns_value =
    !std::is_void_v<std::invoke_result_t<const Epilogue&, T, T, const Kokkos::Array<T, Epilogue::operands>&,
                                         std::int64_t, std::int64_t, std::int64_t>>;

/// Is there nothing to do but to store?
template <class Epilogue>
inline constexpr bool only_stores = std::is_same_v<Epilogue, StoreValue>;

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
