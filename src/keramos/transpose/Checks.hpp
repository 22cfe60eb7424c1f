// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transposes, permutes and copies demand of their arguments: at compile time in full sentences, at run time with an
// Error. A function for each kind of call checks its arguments and returns the problem.
#pragma once

#include "../core/Execution.hpp"
#include "../core/Views.hpp"
#include "Arguments.hpp"
#include "Problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Keramos::core {

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
template <class Exec, class F, class InView, class OutView>
constexpr void require_move()
{
  using Space = decltype(on(std::declval<const Exec&>()).space);
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
  for (std::size_t k = 0; k < rank; ++k) {
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

/// False, but only once the call that asks is instantiated.
template <class...>
inline constexpr bool never = false;

} // namespace Keramos::core
