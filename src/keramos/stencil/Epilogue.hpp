// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a stencil's value at its point, in the same pass, as an application says it: a function of declared
// fields, the wave update, or a functor of the point's indices. Backends see the forms of BoundEpilogue.hpp.
#pragma once

#include "../core/Views.hpp"

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace Keramos {

/// out(i) = f(value, centre, fields(i)...), where value is the stencil's sum and centre is in(i): what an update reads at
/// its own point is declared, so that a kernel brings it from memory as it brings the input.
///
///     // One step of du/dt = D laplacian(u) - u v^2 + F (1 - u), with dt = 1
///     const auto step = KOKKOS_LAMBDA(double diffusion, double u, double v, double feed) {
///       return u + diffusion - u * v * v + feed * (1 - u);
///     };
///     Keramos::apply_stencil(exec, laplacian, u, u_next, Keramos::periodic, Keramos::Epilogue{step, v, 0.037});
///
/// f        a KOKKOS_LAMBDA or a functor: every argument is one of out's value type, and so is what it returns, or
///          converts to it
/// fields   one or more, each a View (const or not, of any layout) of out's rank, extents and value type, or a number,
///          which is the same at every point. A View is out itself, element for element, or shares no element with it;
///          it may share elements with in and with other fields
///
/// Errors   of the call: extents that are not out's; a View that overlaps out and is not out itself
/// Cost     sizeof(T) bytes per point more for every View, none for a number
template <class F, class... Fields>
struct Epilogue {
  static_assert(
      sizeof...(Fields) > 0,
      "Keramos::Epilogue: name the fields that f reads at its point, as in Epilogue{f, z, 0.5}. A function of "
      "the point's indices needs no Epilogue around it.");

  Epilogue(const F& function, const Fields&... the_fields) : f(function), fields(the_fields...) {}

  F f;
  std::tuple<Fields...> fields;
};
template <class F, class... Fields>
Epilogue(F, Fields...) -> Epilogue<F, Fields...>;

/// out(i...) = 2 * centre - previous(i...) + scale(i...) * value: one time step of the wave equation, with scale = c^2
/// dt^2; the Epilogue of this formula that stands compiled in the library. `previous` is `out` itself, element for
/// element, or shares no element with it; `scale` is a View of the shape of `out`, apart from it, or one number.
///
///     Keramos::apply_stencil(exec, laplacian, u, u_prev, constant(0), Keramos::LeapFrog{u_prev, c2dt2});
///
/// Errors   of the call: extents that are not out's; a previous that overlaps out and is not out itself; a scale that overlaps out
/// Cost     sizeof(T) bytes per point more for every View, none for a number
template <class Previous, class Scale>
struct LeapFrog {
  Previous previous;
  Scale scale;
};
template <class Previous, class Scale>
LeapFrog(Previous, Scale) -> LeapFrog<Previous, Scale>;

namespace core {

/// The ones that are declared with fields, as opposed to functors of indices.
template <class T>
inline constexpr bool declares_fields = false;
template <class F, class... Fields>
inline constexpr bool declares_fields<Keramos::Epilogue<F, Fields...>> = true;
template <class Previous, class Scale>
inline constexpr bool declares_fields<LeapFrog<Previous, Scale>> = true;

/// f(value, centre, i...) with `Rank` indices.
template <class F, class T, int Rank>
concept InvocableEpilogue = (Rank == 1 && std::is_invocable_v<const F&, T, T, std::int64_t>) ||
                            (Rank == 2 && std::is_invocable_v<const F&, T, T, std::int64_t, std::int64_t>) ||
                            (Rank == 3 &&
                             std::is_invocable_v<const F&, T, T, std::int64_t, std::int64_t, std::int64_t>);

/// f(value, centre, i...) with one index a View index, returning the value to store, or void if it stores itself.
template <class F, class T, int Rank>
concept UserEpilogue =
    !KokkosView<F> && !std::is_arithmetic_v<F> && !declares_fields<F> && InvocableEpilogue<F, T, Rank>;

} // namespace core
} // namespace Keramos
