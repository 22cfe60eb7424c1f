// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transposes, permutes and copies demand of their arguments: at compile time in full sentences, at run time with an
// Error. A function for each kind of call checks its arguments and returns the problem.
#pragma once

#include "../core/Execution.hpp"
#include "../core/Views.hpp"
#include "../core/Workspace.hpp"
#include "Arguments.hpp"
#include "ElementFunctor.hpp"
#include "Oblong.hpp"
#include "Problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Keramos::core {

template <class View>
consteval void require_movable()
{
  using T = typename View::value_type;
  static_assert(std::is_trivially_copyable_v<T> &&
                    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16),
                "Keramos: transposes, permutes and copies move trivially copyable elements of 1, 2, 4, 8 or 16 bytes.");
  static_assert(View::rank <= max_rank, "Keramos: transposes, permutes and copies take Views of rank 6 at most.");
}

/// What every call of the family demands of its Views and its functor at compile time.
template <class Exec, class F, class InView, class OutView>
consteval void require_move()
{
  using Space = decltype(on(std::declval<const Exec&>()).space);
  require_reachable<Space, InView>();
  require_reachable<Space, OutView>();
  require_movable<InView>();
  require_movable<OutView>();
  static_assert(InView::rank == OutView::rank, "Keramos: the input and the output must have the same rank.");
  static_assert(
      !std::is_same_v<F, Move> || std::is_same_v<typename InView::non_const_value_type, typename OutView::value_type>,
      "Keramos: the input and the output must have one value type; pass Keramos::Convert{} as the last argument "
      "to convert on the way.");
}

/// out = in with its axes reordered by a functor of type F, once its arguments are found right. Errors as permute
/// documents them.
template <class F, class Exec, class InView, class OutView>
auto move_problem(const char* function, const Exec&, const std::int64_t* axes, const InView& in, const OutView& out)
{
  require_move<Exec, F, InView, OutView>();
  using In = MovedType<F, InView>;
  using Out = MovedType<F, OutView>;
  constexpr std::size_t rank = InView::rank;

  TransposeCall<In, Out> call{function, static_cast<int>(rank), field_as<const In>(in), field_as<Out>(out)};
  std::array<std::int64_t, rank> expected{}, got{};
  for (std::size_t k = 0; k != rank; ++k) { // nvcc warns of k < 0
    call.axes[k] = static_cast<int>(axes[k]);
    expected[k] = call.in.extent[axes[k]];
    got[k] = call.out.extent[k];
  }
  check_extents(function, "out", expected, got);
  check_output(function, "out", field_of(out)); // of as many axes as there are: the exact tests take their time
  check_apart(function, "in", field_of(in), "out", field_of(out));
  return TransposeProblem<In, Out>(call);
}

template <class F, class Exec, class InView, class OutView>
auto transpose_problem(const Exec& exec, const InView& in, const OutView& out)
{
  static_assert(InView::rank == 2 && OutView::rank == 2,
                "Keramos::transpose: takes Views of rank 2; use permute<axes...> for other ranks.");
  constexpr std::int64_t axes[] = {1, 0};
  return move_problem<F>("transpose", exec, axes, in, out);
}

template <class F, class Exec, class InView, class OutView>
auto permute_problem(const Exec& exec, const std::int64_t* axes, const InView& in, const OutView& out)
{
  static_assert(InView::rank >= 2, "Keramos::permute: takes Views of rank 2 to 6.");
  return move_problem<F>("permute", exec, axes, in, out);
}

/// The axes are in the type of the call.
template <class F, std::int64_t... axes, class Exec, class InView, class OutView>
auto static_permute_problem(const Exec& exec, const InView& in, const OutView& out)
{
  constexpr std::int64_t list[] = {axes..., 0};
  static_assert(sizeof...(axes) == InView::rank,
                "Keramos::permute: name one axis for each View index, as in permute<2, 0, 1>(exec, in, out).");
  static_assert(is_permutation(list, sizeof...(axes)),
                "Keramos::permute: each axis from 0 to rank - 1 must be named once.");
  return permute_problem<F>(exec, list, in, out);
}

/// The axes are an argument.
template <class F, class Exec, std::size_t Rank, class InView, class OutView>
auto dynamic_permute_problem(const Exec& exec, const Axes<Rank>& axes, const InView& in, const OutView& out)
{
  static_assert(Rank == InView::rank,
                "Keramos::permute: name one axis for each View index, as in permute(exec, Axes{2, 0, 1}, in, out).");
  if (!is_permutation(axes.axis.data(), Rank))
    fail("permute", "axes", text("each axis from 0 to ", Rank - 1, " once"), tuple_text(axes.axis));
  return permute_problem<F>(exec, axes.axis.data(), in, out);
}

template <class F, class Exec, class InView, class OutView>
auto copy_problem(const Exec& exec, const InView& in, const OutView& out)
{
  constexpr std::int64_t axes[] = {0, 1, 2, 3, 4, 5};
  return move_problem<F>("copy", exec, axes, in, out);
}

template <class F, class Exec, class View>
auto in_place_problem(const Exec&, const View& matrix)
{
  require_move<Exec, F, View, View>();
  static_assert(
      !is_accumulate<F, View, View>,
      "Keramos::transpose_in_place: takes no Accumulate, because the matrix is both what is moved and what holds the "
      "sum; transpose with Accumulate adds to a second matrix.");
  static_assert(View::rank >= 2, "Keramos::transpose_in_place: takes Views of rank 2 to 6.");
  using T = MovedType<F, View>;
  constexpr int rank = static_cast<int>(View::rank);

  const InPlaceCall<T> call{"transpose_in_place", rank, field_as<T>(matrix)};
  const std::int64_t rows = call.matrix.extent[rank - 2], columns = call.matrix.extent[rank - 1];
  if (rows != columns)
    fail("transpose_in_place", "matrix", "the last two extents to be equal", text(rows, " and ", columns));
  check_output("transpose_in_place", "matrix", field_of(matrix));
  return InPlaceProblem<T>(call);
}

// ---- In place, not square -------------------------------------------------------------------------------------------

/// Elements one after the other, the last index fastest; of the transposed matrix, the first.
template <class T>
bool lies_row_by_row(const Field<T, 2>& matrix)
{
  return (matrix.extent[1] <= 1 || matrix.stride[1] == 1) &&
         (matrix.extent[0] <= 1 || matrix.stride[0] == matrix.extent[1]);
}
template <class T>
bool lies_column_by_column(const Field<T, 2>& matrix)
{
  return lies_row_by_row(permuted(matrix, {1, 0}));
}

/// The call without its scratch: `in` and `out` are one memory.
template <class Exec, class InView, class OutView>
auto oblong_call(const Exec&, const InView& in, const OutView& out)
{
  static_assert(
      InView::rank == 2 && OutView::rank == 2,
      "Keramos::transpose_in_place: with in and out takes Views of rank 2; stacks of square matrices take one "
      "View.");
  static_assert(std::is_same_v<typename InView::value_type, typename OutView::value_type>,
                "Keramos::transpose_in_place: in and out are the same memory and must have one value type.");
  require_move<Exec, Move, InView, OutView>();
  using T = MovedType<Move, InView>;
  constexpr const char* function = "transpose_in_place";

  const auto from = field_of(in), to = field_of(out);
  check_extents(function, "out", std::array{from.extent[1], from.extent[0]}, to.extent);
  if (!from.empty() && from.data != to.data)
    fail(function, "out", "the memory of 'in', from the same element on", "another address");
  const bool rows = lies_row_by_row(from) && lies_row_by_row(to);
  if (!from.empty() && !rows && !(lies_column_by_column(from) && lies_column_by_column(to)))
    fail(function, "out", "in and out without gaps and both of LayoutRight or both of LayoutLeft",
         text("strides ", tuple_text(from.stride), " and ", tuple_text(to.stride)));
  return OblongCall<T>{
      function, from.extent[rows ? 0 : 1], from.extent[rows ? 1 : 0], reinterpret_cast<T*>(from.data), nullptr, 0};
}

/// The size of the scratch is checked where it is known who takes the call.
template <class Exec, class InView, class OutView, class Scratch>
auto oblong_problem(const Exec& exec, const InView& in, const OutView& out, const Workspace<Scratch>& workspace)
{
  const auto where = on(exec);
  auto call = oblong_call(exec, in, out);
  using T = std::remove_pointer_t<decltype(call.data)>;
  const Field<char, 1> scratch = scratch_of<std::remove_cvref_t<decltype(where.space)>>(call.operation, workspace);
  check_apart(call.operation, "in", field_of(in), "workspace", scratch);
  check_scratch_alignment(call.operation, scratch, std::max(alignof(double), alignof(T)));
  call.scratch = scratch.data;
  call.scratch_bytes = static_cast<std::size_t>(scratch.extent[0]);
  return OblongProblem<T>(call);
}

} // namespace Keramos::core
