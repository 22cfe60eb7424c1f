// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::transpose, permute, transpose_in_place and copy: elements moved between layouts and orders of axes.
#pragma once

#include "keramos/transpose/Arguments.hpp"
#include "keramos/transpose/Checks.hpp"
#include "keramos/transpose/Dispatch.hpp"
#include "keramos/transpose/ElementFunctor.hpp"

#include <cstddef>
#include <cstdint>

namespace Keramos {

/// out(j, i) = in(i, j).
///
///     Keramos::transpose(exec, in, out);
///     Keramos::transpose(exec, in, out, Keramos::Conjugate{});
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// in       View of rank 2 and any layout, extents (m, n); elements are trivially copyable, of 1, 2, 4, 8 or 16 bytes
/// out      View of rank 2 and any layout, extents (n, m), of the same value type; shares no element with in
/// f        optional: out(j, i) = f(in(i, j)), then out may have another value type. f is a KOKKOS_LAMBDA or a functor;
///          Scale, Convert and Conjugate are ready-made. It is called once per element, in any order
///
/// Errors   (Keramos::Error, before any work) extents that do not match; in and out overlap; an index of out that is
///          not its own element
/// Cost     reads and writes each element once: 2 * sizeof(T) bytes per element
/// Source   P. Springer, T. Su, P. Bientinesi, "HPTT: a high-performance tensor transposition C++ library", ARRAY 2017
template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView>
Kernel transpose(const Exec& exec, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::transpose_problem<core::Move>(exec, in, out), core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel transpose(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::transpose_problem<F>(exec, in, out), f);
}

/// out = in with its axes reordered, as numpy.transpose(in, axes): axis k of out is axis axes[k] of in, so that
/// out.extent(k) == in.extent(axes[k]). Rank 2 to 6.
///
///     Keramos::permute<2, 0, 1>(exec, in, out);                      // out(k, i, j) = in(i, j, k)
///     Keramos::permute(exec, Keramos::Axes{2, 0, 1}, in, out);       // the same, axes known at run time
///
/// The arguments, the cost and the source are those of transpose.
///
/// Errors   those of transpose; an axis out of range or named twice (at compile time for permute<...>)
template <std::int64_t... axes, core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView>
Kernel permute(const Exec& exec, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::static_permute_problem<core::Move, axes...>(exec, in, out),
                                  core::Move{});
}

template <std::int64_t... axes, core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel permute(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::static_permute_problem<F, axes...>(exec, in, out), f);
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::KokkosView OutView>
Kernel permute(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::dynamic_permute_problem<core::Move>(exec, axes, in, out),
                                  core::Move{});
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel permute(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::dynamic_permute_problem<F>(exec, axes, in, out), f);
}

/// matrix(i, j) = matrix(j, i), all at once. With more than two axes the View is a stack of matrices and its last two
/// View indices are exchanged, whatever the layout, as numpy.matrix_transpose has it: stack(s, i, j) = stack(s, j, i).
///
///     Keramos::transpose_in_place(exec, matrix);
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// matrix   View of rank 2 to 6 and any layout, whose last two extents are equal; elements as in transpose
/// f        optional: matrix(i, j) = f(matrix(j, i)); called once per element, those of the diagonal too
///
/// Errors   (Keramos::Error, before any work) not square; an index that is not its own element
/// Cost     reads and writes each element once; needs no other memory
template <core::ExecutionArgument Exec, core::KokkosView View>
Kernel transpose_in_place(const Exec& exec, const View& matrix)
{
  return core::dispatch_transpose(core::on(exec), core::in_place_problem<core::Move>(exec, matrix), core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView View, core::ElementFunctor<View, View> F>
Kernel transpose_in_place(const Exec& exec, const View& matrix, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::in_place_problem<F>(exec, matrix), f);
}

/// out(i...) = in(i...): the same logical elements between any two layouts, such as LayoutLeft from LayoutRight. Unlike
/// Kokkos::deep_copy it takes any strides, has an optional f as transpose does, and never blocks. Rank 0 to 6.
///
///     Keramos::copy(exec, in, out);
///
/// The arguments, the errors and the cost are those of transpose; the extents of in and out are equal.
template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView>
Kernel copy(const Exec& exec, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::copy_problem<core::Move>(exec, in, out), core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel copy(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::copy_problem<F>(exec, in, out), f);
}

// Every other list of arguments ends here, in a sentence.

template <class First, class... Rest>
Kernel transpose(const First&, const Rest&...)
{
  static_assert(core::ExecutionArgument<First>, "Keramos::transpose: the first argument must be an execution space "
                                                "instance, as in transpose(exec, in, out).");
  static_assert(core::never<First, Rest...>,
                "Keramos::transpose: expected transpose(exec, in, out) or transpose(exec, in, "
                "out, f), where in and out are Kokkos::Views and f(value of in) converts to "
                "the value type of out.");
  return {};
}

template <std::int64_t... axes, class First, class... Rest>
Kernel permute(const First&, const Rest&...)
{
  static_assert(core::ExecutionArgument<First>,
                "Keramos::permute: the first argument must be an execution space instance, "
                "as in permute<2, 0, 1>(exec, in, out).");
  static_assert(core::never<First, Rest...>,
                "Keramos::permute: expected permute<axes...>(exec, in, out), permute(exec, "
                "Axes{...}, in, out), or either with a last argument f, where in and out are "
                "Kokkos::Views and f(value of in) converts to the value type of out.");
  return {};
}

template <class First, class... Rest>
Kernel transpose_in_place(const First&, const Rest&...)
{
  static_assert(core::ExecutionArgument<First>,
                "Keramos::transpose_in_place: the first argument must be an execution space "
                "instance, as in transpose_in_place(exec, matrix).");
  static_assert(core::never<First, Rest...>,
                "Keramos::transpose_in_place: expected transpose_in_place(exec, matrix) or "
                "transpose_in_place(exec, matrix, f), where matrix is a Kokkos::View and "
                "f(value) converts to its value type.");
  return {};
}

template <class First, class... Rest>
Kernel copy(const First&, const Rest&...)
{
  static_assert(core::ExecutionArgument<First>,
                "Keramos::copy: the first argument must be an execution space instance, as in copy(exec, in, out).");
  static_assert(core::never<First, Rest...>,
                "Keramos::copy: expected copy(exec, in, out) or copy(exec, in, out, f), where "
                "in and out are Kokkos::Views and f(value of in) converts to the value type of "
                "out.");
  return {};
}

} // namespace Keramos
