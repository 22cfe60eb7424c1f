// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may happen to an element on its way through transpose, permute, transpose_in_place and copy: a functor
// f(value) -> value of the output, a KOKKOS_LAMBDA or one of the ready-made ones here.
#pragma once

#include "../core/Execution.hpp"
#include "../core/Views.hpp"

#include <concepts>
#include <type_traits>

namespace Keramos {
namespace core {

template <class T>
inline constexpr bool is_complex = false;
template <class Real>
inline constexpr bool is_complex<Kokkos::complex<Real>> = true;

} // namespace core

/// out = factor * value. A real factor takes the precision of a real or complex floating-point value.
///
///     Keramos::transpose(exec, in, out, Keramos::Scale{0.5});
template <class T>
struct Scale {
  T factor;

  template <class Value>
    requires requires(T a, Value v) { static_cast<Value>(a * v); }
  KOKKOS_FUNCTION Value operator()(const Value& value) const
  {
    if constexpr (std::is_arithmetic_v<T> && std::floating_point<Value>)
      return static_cast<Value>(factor) * value;
    else if constexpr (std::is_arithmetic_v<T> && core::is_complex<Value>)
      return static_cast<typename Value::value_type>(factor) * value;
    else
      return static_cast<Value>(factor * value);
  }
};
template <class T>
Scale(T) -> Scale<T>;

/// out = value, converted to the value type of the output.
///
///     Keramos::copy(exec, in_double, out_float, Keramos::Convert{});
struct Convert {
  template <class Value>
  KOKKOS_FUNCTION Value operator()(const Value& value) const
  {
    return value;
  }
};

/// out = the complex conjugate of value; a real value stays as it is.
///
///     Keramos::transpose_in_place(exec, matrix, Keramos::Conjugate{});
struct Conjugate {
  template <class Value>
    requires(std::is_arithmetic_v<Value> || core::is_complex<Value>)
  KOKKOS_FUNCTION Value operator()(const Value& value) const
  {
    if constexpr (core::is_complex<Value>)
      return {value.real(), -value.imag()};
    else
      return value;
  }
};

namespace core {

/// f(value of in) gives what converts to the value type of out. Views and execution spaces are never functors.
template <class F, class InView, class OutView>
concept ElementFunctor = KokkosView<InView> && KokkosView<OutView> && !KokkosView<F> && !ExecutionArgument<F> &&
                         requires(const F& f, const typename InView::non_const_value_type& value)
{
  static_cast<typename OutView::non_const_value_type>(f(value));
};

} // namespace core
} // namespace Keramos
