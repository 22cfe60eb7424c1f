// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes and points as an application writes them: whole numbers of any type, mixed types, enumerators, arrays of them.
#pragma once

#include "Error.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace Keramos::core {

/// What converts to an index without a cast: a whole number of any type, an enumerator of an unscoped enumeration. A
/// bool answers a question, and a floating-point number may lie between two points: neither is an index.
template <class T>
concept IndexValue = (std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool>) ||
                     (std::is_enum_v<T> && std::is_convertible_v<T, std::int64_t>);

/// Any of them, by value: in a list in braces, where no type is deduced, each entry may have its own.
struct IndexArgument {
  std::int64_t value;

  template <IndexValue T>
  constexpr IndexArgument(T index) : value(static_cast<std::int64_t>(index))
  {
  }
};

/// std::array, Kokkos::Array, std::vector, int[3]: whatever answers list[k] with an index.
template <class T>
concept IndexList = requires(const T& list)
{
  requires IndexValue<std::remove_cvref_t<decltype(list[0])>>;
};

/// The number of entries of a list; 0 if its type does not say.
template <class List>
constexpr std::size_t index_count()
{
  if constexpr (std::is_array_v<List>)
    return std::extent_v<List>;
  else if constexpr (requires { std::tuple_size<List>::value; })
    return std::tuple_size_v<List>;
  else
    return 0;
}

/// A list whose type says how many entries it has.
template <class T>
concept CountedList = IndexList<T> &&(index_count<T>() > 0);

/// One corner of a Region: one index for each View index, in braces or as a list.
template <int Rank>
struct Corner {
  std::array<std::int64_t, Rank> index;
  std::int64_t count = Rank; ///< of the entries of a list, whose type may not say

  template <IndexValue... Index>
    requires(sizeof...(Index) > 0)
  constexpr Corner(Index... entries) : index{}
  {
    require_count<sizeof...(Index)>();
    const std::int64_t list[] = {static_cast<std::int64_t>(entries)...};
    for (int axis = 0; axis < Rank; ++axis) index[axis] = list[axis];
  }
  template <IndexList List>
  constexpr Corner(const List& list) : index{}
  {
    if constexpr (index_count<List>() > 0)
      require_count<index_count<List>()>();
    else if constexpr (requires { list.size(); })
      count = static_cast<std::int64_t>(list.size());
    for (int axis = 0; axis < Rank && axis < count; ++axis) index[axis] = static_cast<std::int64_t>(list[axis]);
  }

private:
  template <std::size_t count>
  static consteval void require_count()
  {
    static_assert(count == Rank, "Keramos::Region: name the begin and the end of every axis, as in "
                                 "Region<3>{{4, 4, 4}, {60, 60, 60}}.");
  }
};

/// The index of a corner that has one for each View index.
template <int Rank>
constexpr const std::array<std::int64_t, Rank>& checked(const char* argument, const Corner<Rank>& corner)
{
  if (corner.count != Rank) fail("Region", argument, text(Rank, " indices"), text(corner.count));
  return corner.index;
}

} // namespace Keramos::core
