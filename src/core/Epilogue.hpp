// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a stencil's value at its point, in the same pass. The user writes f(value, centre, i...); backends
// see an epilogue, which takes three indices in the order of the normalised problem and turns them back.
#pragma once

#include "Operators.hpp"
#include "Views.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace Keramos {

/// out(i...) = 2 * centre - previous(i...) + scale(i...) * value: one time step of the wave equation, with scale = c^2
/// dt^2. `previous` is `out` itself, element for element, or shares no element with it; `scale` is a View of the shape
/// of `out`, apart from it, or one number.
///
///     Keramos::apply_stencil(exec, laplacian, u, u_prev, constant(0), Keramos::LeapFrog{u_prev, c2dt2});
template <class Previous, class Scale>
struct LeapFrog {
  Previous previous;
  Scale scale;
};
template <class Previous, class Scale>
LeapFrog(Previous, Scale) -> LeapFrog<Previous, Scale>;

namespace core {

template <class T>
inline constexpr bool is_leap_frog = false;
template <class Previous, class Scale>
inline constexpr bool is_leap_frog<LeapFrog<Previous, Scale>> = true;

/// out = value.
struct Store {};

/// The wave update of a point, the same expression in every kernel.
template <class T>
KOKKOS_FUNCTION T leap_frog(T value, T centre, T previous, T factor)
{
  return 2 * centre - previous + factor * value;
}

/// LeapFrog on fields; without a scale field (data is null) `scale_value` holds everywhere.
template <class T>
struct LeapFrogFields {
  Field<const T, 3> previous, scale;
  T scale_value{};

  KOKKOS_FUNCTION T operator()(T value, T centre, std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    return leap_frog(value, centre, previous(i, j, k), scale.data ? scale(i, j, k) : scale_value);
  }
};

/// f(value, centre, i...) with `Rank` indices.
template <class F, class T, int Rank>
concept InvocableEpilogue = (Rank == 1 && std::is_invocable_v<const F&, T, T, std::int64_t>) ||
                            (Rank == 2 && std::is_invocable_v<const F&, T, T, std::int64_t, std::int64_t>) ||
                            (Rank == 3 &&
                             std::is_invocable_v<const F&, T, T, std::int64_t, std::int64_t, std::int64_t>);

/// f(value, centre, i...) with one index a View index, returning the value to store, or void if it stores itself.
template <class F, class T, int Rank>
concept UserEpilogue = !KokkosView<F> && !std::is_arithmetic_v<F> && !is_leap_frog<F> && InvocableEpilogue<F, T, Rank>;

/// A user's functor, called with the indices in View order. The operator's form is part of its type, so that a call
/// compiles the functor into the kernels of its own operator only.
template <class F, class T, int Rank, Shape OperatorShape, int Radius>
struct UserFunctor {
  F f;
  Kokkos::Array<int, 3> position; ///< View index k is index position[k] of the problem

  KOKKOS_FUNCTION auto operator()(T value, T centre, std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    const std::int64_t index[3] = {i, j, k};
    if constexpr (Rank == 1) return f(value, centre, index[position[0]]);
    if constexpr (Rank == 2) return f(value, centre, index[position[0]], index[position[1]]);
    if constexpr (Rank == 3) return f(value, centre, index[position[0]], index[position[1]], index[position[2]]);
  }
};

/// Applies an epilogue at one point and stores what it returns.
template <class Epilogue, class T>
KOKKOS_FUNCTION void finish(const Epilogue& epilogue, const Field<T, 3>& out, T value, T centre, std::int64_t i,
                            std::int64_t j, std::int64_t k)
{
  if constexpr (std::is_same_v<Epilogue, Store>)
    out(i, j, k) = value;
  else if constexpr (std::is_void_v<decltype(epilogue(value, centre, i, j, k))>)
    epilogue(value, centre, i, j, k);
  else
    out(i, j, k) = static_cast<T>(epilogue(value, centre, i, j, k));
}

} // namespace core
} // namespace Keramos
