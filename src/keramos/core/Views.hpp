// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every public call demands of the Views it is given. Compile-time demands are full sentences, run-time ones throw
// Error.
#pragma once

#include "Aliasing.hpp"
#include "Error.hpp"
#include "Execution.hpp"
#include "Field.hpp"
#include "Log.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>

namespace Keramos::core {

template <class T>
concept KokkosView = Kokkos::is_view_v<T>;

template <class T>
concept WritableView = KokkosView<T> && !std::is_const_v<typename T::value_type>;

template <class T>
concept Real = std::is_same_v < std::remove_const_t<T>,
float > || std::is_same_v<std::remove_const_t<T>, double>;

/// Compile-time: an input or output of a call that runs on Space.
template <class Space, class View>
consteval void require_reachable()
{
  static_assert(Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible,
                "Keramos: the execution space cannot reach the memory space of this View. Use a View in the execution "
                "space's own memory space, or copy it there first.");
}

template <class T, int Rank>
Kokkos::Array<std::int64_t, Rank> extents(const Field<T, Rank>& field)
{
  return field.extent;
}

/// Both are ranges of extents. Text is made on failure only.
template <class A, class B>
void check_extents(const char* function, const char* argument, const A& expected, const B& got)
{
  if (!std::equal(std::begin(expected), std::end(expected), std::begin(got), std::end(got)))
    fail(function, argument, "extents " + tuple_text(expected), tuple_text(got));
}

/// An argument that is not what is expected, or was not proved to be: that passes, and the log says so.
inline void refuse(Answer answer, const char* function, const char* argument, const std::string& expected,
                   const char* got)
{
  if (answer == Answer::yes) fail(function, argument, expected, got);
  if (logs_calls()) log_unproved(function, argument, expected);
}

/// A View of static extents, or of rank 0, has elements before it is allocated.
template <class T, int Rank>
void check_allocated(const char* function, const char* argument, const Field<T, Rank>& field)
{
  if (!field.data && !field.empty()) fail(function, argument, "allocated memory", "a null pointer");
}

template <class In, class Out, int InRank, int OutRank>
void check_apart(const char* function, const char* in_name, const Field<In, InRank>& in, const char* out_name,
                 const Field<Out, OutRank>& out)
{
  check_allocated(function, in_name, in);
  check_allocated(function, out_name, out);
  const Answer answer = share_a_byte(footprint(in), footprint(out));
  if (answer != Answer::no)
    refuse(answer, function, out_name, text("no element in common with '", in_name, "'"),
           "Views that overlap in memory");
}

template <class T, int Rank>
void check_output(const char* function, const char* argument, const Field<T, Rank>& out)
{
  check_allocated(function, argument, out);
  const Answer answer = repeats_an_element(footprint(out));
  if (answer != Answer::no)
    refuse(answer, function, argument, "a View in which every index is its own element",
           "strides that repeat elements");
}

} // namespace Keramos::core
