// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of transposes as an application writes them: the order of axes, and Views of any type as Fields of what is
// moved.
#pragma once

#include "../core/IndexArgument.hpp"
#include "../core/Views.hpp"
#include "Problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

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

} // namespace core
} // namespace Keramos
