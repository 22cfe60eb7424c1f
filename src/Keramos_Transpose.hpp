// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::transpose, permute, transpose_in_place and copy: elements moved between layouts and orders of axes.
#pragma once

#include "Dispatch.hpp"
#include "core/ElementFunctor.hpp"
#include "core/IndexArgument.hpp"
#include "core/TransposeProblem.hpp"
#include "core/Views.hpp"

#include <array>
#include <cstdint>

namespace Keramos {

/// The order of axes of a permute, NumPy's meaning: entry k is the axis of in that becomes axis k of out. Whole numbers
/// of any type, or enumerators.
///
///     Keramos::permute(exec, Keramos::Axes{2, 0, 1}, in, out);      // out(k, i, j) = in(i, j, k)
///     Keramos::permute(exec, Keramos::Axes{Z, X, Y}, in, out);      // the same, after enum { X, Y, Z };
template <std::size_t Rank>
struct Axes {
  std::array<std::int64_t, Rank> axis;

  template <core::IndexValue... Index>
    requires(sizeof...(Index) == Rank)
  constexpr Axes(Index... axes) : axis{static_cast<std::int64_t>(axes)...} {}
  template <core::IndexValue Index>
  explicit constexpr Axes(const std::array<Index, Rank>& axes)
  {
    for (std::size_t k = 0; k < Rank; ++k) axis[k] = static_cast<std::int64_t>(axes[k]);
  }
};
template <core::IndexValue... Index>
Axes(Index...) -> Axes<sizeof...(Index)>;

namespace core {

/// Each of 0 ... count - 1 once.
constexpr bool is_permutation(const std::int64_t* axes, std::size_t count)
{
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (axes[k] < 0 || axes[k] >= static_cast<std::int64_t>(count)) return false;
    seen |= std::uint64_t{1} << axes[k];
  }
  return seen == (std::uint64_t{1} << count) - 1;
}

template <class View>
constexpr void require_movable()
{
  using T = typename View::value_type;
  static_assert(std::is_trivially_copyable_v<T> &&
                    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16),
                "Keramos: transposes, permutes and copies move trivially copyable elements of 1, 2, 4, 8 or 16 bytes.");
  static_assert(View::rank <= max_rank, "Keramos: transposes, permutes and copies take Views of rank 6 at most.");
}

/// What every call of the family demands of its Views and its functor at compile time.
template <class Space, class F, class InView, class OutView>
constexpr void require_move()
{
  require_reachable<Space, InView>();
  require_reachable<Space, OutView>();
  require_writable<OutView>();
  require_movable<InView>();
  require_movable<OutView>();
  static_assert(InView::rank == OutView::rank, "Keramos: the input and the output must have the same rank.");
  static_assert(
      !std::is_same_v<F, Move> || std::is_same_v<typename InView::non_const_value_type, typename OutView::value_type>,
      "Keramos: the input and the output must have one value type; pass Keramos::Convert{} as the last argument "
      "to convert on the way.");
}

/// The View as a Field of T, which is its value type, or an Element of that size.
template <class T, class View>
Field<T, max_rank> field_as(const View& view)
{
  const auto field = padded<max_rank>(field_of(view));
  return {reinterpret_cast<T*>(field.data), field.extent, field.stride};
}

/// A functor needs the value types; a plain move only their size.
template <class F, class View>
using MovedType = std::conditional_t<std::is_same_v<F, Move>, ElementOf<typename View::non_const_value_type>,
                                     typename View::non_const_value_type>;

/// out = in with its axes reordered and f applied. Errors as permute documents them.
template <class Exec, class InView, class OutView, class F>
Kernel permute(const char* function, const Exec& exec, const std::int64_t* axes, const InView& in, const OutView& out,
               const F& f)
{
  const auto where = on(exec);
  require_move<decltype(where.space), F, InView, OutView>();
  using In = MovedType<F, InView>;
  using Out = MovedType<F, OutView>;
  constexpr int rank = static_cast<int>(InView::rank);

  TransposeCall<In, Out> call{rank, field_as<const In>(in), field_as<Out>(out)};
  std::vector<std::int64_t> expected;
  for (int k = 0; k < rank; ++k) {
    call.axes[k] = static_cast<int>(axes[k]);
    expected.push_back(call.in.extent[axes[k]]);
  }
  check_extents(function, "out", expected, extents(field_of(out)));
  check_output(function, "out", call.out);
  check_apart(function, "in", call.in, "out", call.out);
  return dispatch(function, where, TransposeProblem<In, Out>(call), f);
}

template <class Exec, class InView, class OutView, class F>
Kernel transpose(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  static_assert(InView::rank == 2 && OutView::rank == 2,
                "Keramos::transpose: takes Views of rank 2; use permute<axes...> for other ranks.");
  constexpr std::int64_t axes[] = {1, 0};
  return permute("transpose", exec, axes, in, out, f);
}

template <class Exec, class InView, class OutView, class F>
Kernel permute_by(const Exec& exec, const std::int64_t* axes, const InView& in, const OutView& out, const F& f)
{
  static_assert(InView::rank >= 2, "Keramos::permute: takes Views of rank 2 to 6.");
  return permute("permute", exec, axes, in, out, f);
}

template <std::int64_t... axes, class Exec, class InView, class OutView, class F>
Kernel permute_static(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  constexpr std::int64_t list[] = {axes..., 0};
  static_assert(sizeof...(axes) == InView::rank,
                "Keramos::permute: name one axis for each View index, as in permute<2, 0, 1>(exec, in, out).");
  static_assert(is_permutation(list, sizeof...(axes)),
                "Keramos::permute: each axis from 0 to rank - 1 must be named once.");
  return permute_by(exec, list, in, out, f);
}

template <class Exec, std::size_t Rank, class InView, class OutView, class F>
Kernel permute_dynamic(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out, const F& f)
{
  static_assert(Rank == InView::rank,
                "Keramos::permute: name one axis for each View index, as in permute(exec, Axes{2, 0, 1}, in, out).");
  if (!is_permutation(axes.axis.data(), Rank))
    fail("permute", "axes", text("each axis from 0 to ", Rank - 1, " once"), tuple_text(axes.axis));
  return permute_by(exec, axes.axis.data(), in, out, f);
}

template <class Exec, class InView, class OutView, class F>
Kernel copy(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  constexpr std::int64_t axes[] = {0, 1, 2, 3, 4, 5};
  return permute("copy", exec, axes, in, out, f);
}

template <class Exec, class View, class F>
Kernel transpose_in_place(const Exec& exec, const View& matrix, const F& f)
{
  const auto where = on(exec);
  require_move<decltype(where.space), F, View, View>();
  static_assert(View::rank >= 2, "Keramos::transpose_in_place: takes Views of rank 2 to 6.");
  using T = MovedType<F, View>;
  constexpr int rank = static_cast<int>(View::rank);

  const InPlaceCall<T> call{rank, field_as<T>(matrix)};
  const std::int64_t rows = call.matrix.extent[rank - 2], columns = call.matrix.extent[rank - 1];
  if (rows != columns)
    fail("transpose_in_place", "matrix", "the last two extents to be equal", text(rows, " and ", columns));
  check_output("transpose_in_place", "matrix", call.matrix);
  return dispatch("transpose_in_place", where, InPlaceProblem<T>(call), f);
}

/// False, but only once the call that asks is instantiated.
template <class...>
inline constexpr bool never = false;

} // namespace core

/// out(j, i) = in(i, j).
///
///     Keramos::transpose(exec, in, out);
///     Keramos::transpose(exec, in, out, Keramos::Conjugate{});
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// in       View of rank 2 and any layout, extents (m, n); elements are trivially copyable, of 1, 2, 4, 8 or 16 bytes
/// out      View of rank 2 and any layout, extents (n, m), of the same value type; shares no element with in
/// f        optional: out(j, i) = f(in(i, j)), then out may have another value type. f is a KOKKOS_LAMBDA or a functor;
///          Scale, Convert and Conjugate are ready-made. It is called once an element, in any order
///
/// Errors   (Keramos::Error, before any work) extents that do not match; in and out overlap; an index of out that is
///          not its own element
/// Cost     reads and writes each element once: 2 * sizeof(T) bytes an element
/// Source   P. Springer, T. Su, P. Bientinesi, "HPTT: a high-performance tensor transposition C++ library", ARRAY 2017
template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView>
Kernel transpose(const Exec& exec, const InView& in, const OutView& out)
{
  return core::transpose(exec, in, out, core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel transpose(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::transpose(exec, in, out, f);
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
  return core::permute_static<axes...>(exec, in, out, core::Move{});
}

template <std::int64_t... axes, core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel permute(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::permute_static<axes...>(exec, in, out, f);
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::KokkosView OutView>
Kernel permute(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out)
{
  return core::permute_dynamic(exec, axes, in, out, core::Move{});
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel permute(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out, const F& f)
{
  return core::permute_dynamic(exec, axes, in, out, f);
}

/// matrix(i, j) = matrix(j, i), all at once. With more than two axes the View is a stack of matrices and its last two
/// View indices are exchanged, whatever the layout, as numpy.matrix_transpose has it: stack(s, i, j) = stack(s, j, i).
///
///     Keramos::transpose_in_place(exec, matrix);
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// matrix   View of rank 2 to 6 and any layout, whose last two extents are equal; elements as in transpose
/// f        optional: matrix(i, j) = f(matrix(j, i)); called once an element, those of the diagonal too
///
/// Errors   (Keramos::Error, before any work) not square; an index that is not its own element
/// Cost     reads and writes each element once; needs no other memory
template <core::ExecutionArgument Exec, core::KokkosView View>
Kernel transpose_in_place(const Exec& exec, const View& matrix)
{
  return core::transpose_in_place(exec, matrix, core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView View, core::ElementFunctor<View, View> F>
Kernel transpose_in_place(const Exec& exec, const View& matrix, const F& f)
{
  return core::transpose_in_place(exec, matrix, f);
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
  return core::copy(exec, in, out, core::Move{});
}

template <core::ExecutionArgument Exec, core::KokkosView InView, core::KokkosView OutView,
          core::ElementFunctor<InView, OutView> F>
Kernel copy(const Exec& exec, const InView& in, const OutView& out, const F& f)
{
  return core::copy(exec, in, out, f);
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
