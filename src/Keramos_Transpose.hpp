// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::transpose, permute, transpose_in_place and copy: elements moved between layouts and orders of axes.
#pragma once

#include "keramos/transpose/Arguments.hpp"
#include "keramos/transpose/Checks.hpp"
#include "keramos/transpose/Dispatch.hpp"
#include "keramos/transpose/ElementFunctor.hpp"
#include "keramos/transpose/Refused.hpp"

#include <cstddef>
#include <cstdint>

namespace Keramos {

/// out(j, i) = in(i, j).
///
///     Keramos::transpose(exec, in, out);
///     Keramos::transpose(exec, in, out, Keramos::Conjugate{});
///     Keramos::transpose(exec, in, out, Keramos::Accumulate{alpha, beta});      // out = alpha * transpose of in + beta * out
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// in       View of rank 2 and any layout, extents (m, n); elements are trivially copyable, of 1, 2, 4, 8 or 16 bytes
/// out      View of rank 2 and any layout, extents (n, m), of the same value type; shares no element with in
/// f        optional: out(j, i) = f(in(i, j)), then out may have another value type. f is a KOKKOS_LAMBDA or a functor;
///          Scale, Convert and Conjugate are ready-made. It is called once per element, in any order. In its place
///          Accumulate{alpha, beta, f}: out(j, i) = alpha * f(in(i, j)) + beta * out(j, i), where out is not read if beta is 0
///
/// Errors   (Keramos::Error, before any work) extents that do not match; in and out overlap; an index of out that is
///          not its own element
/// Cost     reads and writes each element once: 2 * sizeof(T) bytes per element, 3 * sizeof(T) with Accumulate
/// Source   P. Springer, T. Su, P. Bientinesi, "HPTT: a high-performance tensor transposition C++ library", ARRAY 2017
template <core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView>
Kernel transpose(const Exec& exec, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::transpose_problem<core::Move>(exec, in, out), core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView,
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
template <std::int64_t... axes, core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView>
  requires(sizeof...(axes) > 0)
Kernel permute(const Exec& exec, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::static_permute_problem<core::Move, axes...>(exec, in, out),
                                  core::Move{});
}

template <std::int64_t... axes, core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView,
          core::ElementFunctor<InView, OutView> F>
  requires(sizeof...(axes) > 0)
Kernel permute(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::static_permute_problem<F, axes...>(exec, in, out), f);
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::WritableView OutView>
Kernel permute(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::dynamic_permute_problem<core::Move>(exec, axes, in, out),
                                  core::Move{});
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::WritableView OutView,
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
/// f        optional: matrix(i, j) = f(matrix(j, i)); called once per element, those of the diagonal too. No Accumulate
///
/// Errors   (Keramos::Error, before any work) not square; an index that is not its own element
/// Cost     reads and writes each element once; needs no other memory
template <core::ExecutionArgument Exec, core::WritableView View>
Kernel transpose_in_place(const Exec& exec, const View& matrix)
{
  return core::dispatch_transpose(core::on(exec), core::in_place_problem<core::Move>(exec, matrix), core::Move{});
}

template <core::ExecutionArgument Exec, core::WritableView View, core::ElementFunctor<View, View> F>
Kernel transpose_in_place(const Exec& exec, const View& matrix, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::in_place_problem<F>(exec, matrix), f);
}

/// out(j, i) = in(i, j) where in and out are the same memory and the matrix need not be square: the extents of its Views say
/// which of both is meant. No second array, but scratch of the caller's.
///
///     Kokkos::View<float**> in("matrix", m, n), out(in.data(), n, m);
///     Kokkos::View<char*> scratch("scratch", Keramos::transpose_in_place_workspace_size(exec, in, out));
///     Keramos::transpose_in_place(exec, in, out, Keramos::Workspace{scratch});
///
/// exec       execution space instance; the call is asynchronous and ordered on it
/// in, out    Views of rank 2 over the same memory, extents (m, n) and (n, m), without gaps and both of LayoutRight or both of
///            LayoutLeft; elements as in transpose, of one value type. What was read through in is read through out then
/// workspace  Workspace{view} of at least transpose_in_place_workspace_size(exec, in, out) bytes, aligned to 8 and to the elements
///
/// Errors   (Keramos::Error, before any work) extents that do not match; other memory; gaps or different layouts; a workspace
///          that is too small, not contiguous, not aligned, or shares memory with in
/// Cost     on the host and on NVIDIA GPUs reads and writes each element twice; elsewhere three times, or twice where m and n have no
///          common divisor
/// Source   F. Gustavson, L. Karlsson, B. Kagstrom, "Parallel and cache-efficient in-place matrix storage format
///          conversion", ACM Transactions on Mathematical Software 38, 2012 (host); B. Catanzaro, A. Keller, M. Garland, "A
///          decomposition for in-place matrix transposition", PPoPP 2014
template <core::ExecutionArgument Exec, core::WritableView InView, core::WritableView OutView,
          core::WritableView Scratch>
Kernel transpose_in_place(const Exec& exec, const InView& in, const OutView& out, const Workspace<Scratch>& workspace)
{
  return core::dispatch_oblong(core::on(exec), core::oblong_problem(exec, in, out, workspace));
}

/// Bytes of scratch that the same call of transpose_in_place takes. On the host as many as the matrix where that is smaller than
/// 4 MiB, else 16 MiB at most (or a line of memory for each element of the shorter side, where that is more), as much again for
/// rows that are left over, for each thread up to 4 MiB and 32 KiB, and a 256th of the matrix; in all never more than a quarter
/// of it. On an NVIDIA GPU as many as the matrix, and 256, up to 64 MiB; of a larger one an eighth, but no more than 64 MiB or a
/// 64th, whichever is more, where that is enough for runs of 64 bytes and the data lies on 4; else, and on other GPUs, an eighth
/// and 16 MiB at most, but never less than the longer side takes in whole lines of 64 bytes, or a line for each row up to
/// 4 MiB. 0 where m or n is 0 or 1.
///
/// Errors   those of that call of transpose_in_place, whose name they bear
/// Cost     that of the checks: nothing is launched
template <core::ExecutionArgument Exec, core::WritableView InView, core::WritableView OutView>
std::size_t transpose_in_place_workspace_size(const Exec& exec, const InView& in, const OutView& out)
{
  return core::oblong_workspace(core::on(exec), core::OblongProblem(core::oblong_call(exec, in, out)));
}

/// out(i...) = in(i...): the same logical elements between any two layouts, such as LayoutLeft from LayoutRight. Unlike
/// Kokkos::deep_copy it takes any strides, has an optional f as transpose does, and never blocks. Rank 0 to 6.
///
///     Keramos::copy(exec, in, out);
///
/// The arguments, the errors, the cost and the source are those of transpose; the extents of in and out are equal.
template <core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView>
Kernel copy(const Exec& exec, const InView& in, const OutView& out)
{
  return core::dispatch_transpose(core::on(exec), core::copy_problem<core::Move>(exec, in, out), core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel copy(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::dispatch_transpose(core::on(exec), core::copy_problem<F>(exec, in, out), f);
}

} // namespace Keramos
