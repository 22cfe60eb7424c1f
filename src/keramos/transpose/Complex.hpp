// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on std::complex as on Kokkos::complex. The functions of the standard library are for hosts alone, and a product by
// them looks for infinite parts; the two numbers of a std::complex may be reached as an array ([complex.numbers.general]).
#pragma once

#include <Kokkos_Core.hpp>

#include <complex>
#include <concepts>
#include <utility>

namespace Keramos::core {

template <class T>
inline constexpr bool is_std_complex = false;
template <std::floating_point Real>
inline constexpr bool is_std_complex<std::complex<Real>> = true;

template <class T>
inline constexpr bool is_complex = is_std_complex<T>;
template <class Real>
inline constexpr bool is_complex<Kokkos::complex<Real>> = true;

/// A std::complex as Kokkos has it; anything else as it is.
template <class T>
KOKKOS_FUNCTION T computable(const T& value)
{
  return value;
}
template <std::floating_point Real>
KOKKOS_FUNCTION Kokkos::complex<Real> computable(const std::complex<Real>& value)
{
  return value;
}
template <class T>
using Computable = decltype(computable(std::declval<const T&>()));

/// And back. `place` is any Value: a GPU copies one and makes none.
template <class Value>
KOKKOS_FUNCTION Value stored(const Computable<Value>& computed, Value place)
{
  if constexpr (is_std_complex<Value>) {
    auto& part = reinterpret_cast<typename Value::value_type(&)[2]>(place);
    part[0] = computed.real();
    part[1] = computed.imag();
    return place;
  } else {
    return computed;
  }
}

} // namespace Keramos::core
