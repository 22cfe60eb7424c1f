// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may happen to an element on its way through transpose, permute, transpose_in_place and copy: a functor
// f(value) -> value of the output, a KOKKOS_LAMBDA or one of the ready-made ones here. And Accumulate, which takes such a
// functor's place and keeps what the output holds.
#pragma once

#include "../core/Execution.hpp"
#include "../core/Views.hpp"
#include "Complex.hpp"

#include <concepts>
#include <type_traits>

namespace Keramos {

/// out = factor * value. A real factor takes the precision of a real or complex floating-point value. Complex numbers are those of
/// Kokkos or of the standard library.
///
///     Keramos::transpose(exec, in, out, Keramos::Scale{0.5});
template <class T>
struct Scale {
  T factor;

  template <class Value>
    requires requires(core::Computable<T> a, core::Computable<Value> v) { static_cast<core::Computable<Value>>(a * v); }
  KOKKOS_FUNCTION Value operator()(const Value& value) const
  {
    using Product = core::Computable<Value>;
    if constexpr (std::is_arithmetic_v<T> && std::floating_point<Value>)
      return static_cast<Value>(factor) * value;
    else if constexpr (std::is_arithmetic_v<T> && core::is_complex<Value>)
      return core::stored(static_cast<typename Value::value_type>(factor) * core::computable(value), value);
    else
      return core::stored(static_cast<Product>(core::computable(factor) * core::computable(value)), value);
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
    requires(std::constructible_from<double, Value> || core::is_complex<Value>) // of half precision as well
  KOKKOS_FUNCTION Value operator()(const Value& value) const
  {
    if constexpr (core::is_complex<Value>) {
      const auto number = core::computable(value);
      return core::stored({number.real(), -number.imag()}, value);
    } else {
      return value;
    }
  }
};

/// out = alpha * f(value) + beta * out, in place of f: a sum into what out holds, in one pass.
///
///     Keramos::transpose(exec, a, b, Keramos::Accumulate{});                                  // b += transpose of a
///     Keramos::transpose(exec, a, b, Keramos::Accumulate{alpha});                             // b += alpha * it
///     Keramos::permute<2, 0, 1>(exec, a, b, Keramos::Accumulate{alpha, beta});
///     Keramos::copy(exec, a, b, Keramos::Accumulate{alpha, beta, Keramos::Conjugate{}});
///
/// f gives what converts to the value type of out, in which everything is computed: each product as Scale has it, alpha *
/// value first and rounded, then beta * out + that, in one rounding where the target of the compilation has a fused
/// multiply-add and the value is real; on complex values a compiler may use it as it likes. So results agree on all backends
/// but for these roundings. alpha and beta are numbers, real ones for a real value. Where beta is 0, out is not read, and a NaN
/// in it does not stay; in is read whatever alpha is.
template <class Alpha = int, class Beta = int, class F = Convert>
struct Accumulate {
  Alpha alpha = 1;
  Beta beta = 1;
  F f{};
};
template <class Alpha>
Accumulate(Alpha) -> Accumulate<Alpha>;
template <class Alpha, class Beta>
Accumulate(Alpha, Beta) -> Accumulate<Alpha, Beta>;
template <class Alpha, class Beta, class F>
Accumulate(Alpha, Beta, F) -> Accumulate<Alpha, Beta, F>;

namespace core {

/// f(value of in) gives what converts to the value type of out. Views and execution spaces are never functors.
template <class F, class InView, class OutView>
concept ValueFunctor = KokkosView<InView> && KokkosView<OutView> && !KokkosView<F> && !ExecutionArgument<F> &&
                       requires(const F& f, const typename InView::non_const_value_type& value)
{
  static_cast<typename OutView::non_const_value_type>(f(value));
};

/// Scale{a} is for values of this type.
template <class A, class Value>
concept Factor = requires(const Scale<A>& scale, const Value& value)
{
  static_cast<Value>(scale(value));
  static_cast<Value>(value + value);
};

template <class F, class InView, class OutView>
inline constexpr bool is_accumulate = false;
template <class Alpha, class Beta, class F, KokkosView InView, KokkosView OutView>
  requires(ValueFunctor<F, InView, OutView>&& Factor<Alpha, typename OutView::non_const_value_type>&&
               Factor<Beta, typename OutView::non_const_value_type>)
inline constexpr bool is_accumulate<Accumulate<Alpha, Beta, F>, InView, OutView> = true;

/// What a call may have behind out: a functor of a value, or Accumulate of one.
template <class F, class InView, class OutView>
concept ElementFunctor = ValueFunctor<F, InView, OutView> || is_accumulate<F, InView, OutView>;

} // namespace core
} // namespace Keramos
