// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A View with its type erased to pointer, extents and strides: what every backend works on. Strides are in elements.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace Keramos::core {

/// A point of a problem with three axes.
using Index3 = Kokkos::Array<std::int64_t, 3>;

/// Extents and strides are those of the View, axis by axis in View index order unless a comment says otherwise.
template <class T, int Rank>
struct Field {
  T* data = nullptr;
  Kokkos::Array<std::int64_t, Rank> extent{};
  Kokkos::Array<std::int64_t, Rank> stride{};

  template <class... Index>
    requires(sizeof...(Index) == Rank)
  KOKKOS_FUNCTION T& operator()(Index... index) const { return (*this)[{static_cast<std::int64_t>(index)...}]; }

  KOKKOS_FUNCTION T& operator[](const Kokkos::Array<std::int64_t, Rank>& index) const
  {
    std::int64_t offset = 0;
    for (int axis = 0; axis < Rank; ++axis) offset += index[axis] * stride[axis];
    return data[offset];
  }

  bool empty() const
  {
    for (int axis = 0; axis < Rank; ++axis)
      if (extent[axis] == 0) return true;
    return false;
  }
};

/// The View as a Field of its own rank.
template <class View>
auto field_of(const View& view)
{
  constexpr int rank = static_cast<int>(View::rank);
  Field<typename View::value_type, rank> field;
  field.data = view.data();
  for (int axis = 0; axis < rank; ++axis) {
    field.extent[axis] = static_cast<std::int64_t>(view.extent(axis));
    field.stride[axis] = static_cast<std::int64_t>(view.stride(axis));
  }
  return field;
}

/// The same elements, not to be written.
template <class T, int Rank>
Field<const T, Rank> read_only(const Field<T, Rank>& field)
{
  return {field.data, field.extent, field.stride};
}

/// The same elements with `Rank` axes: the missing ones follow with extent 1 and stride 0.
template <int Rank, class T, int From>
  requires(Rank >= From)
Field<T, Rank> padded(const Field<T, From>& field)
{
  Field<T, Rank> result;
  result.data = field.data;
  for (int axis = 0; axis < Rank; ++axis) {
    result.extent[axis] = axis < From ? field.extent[axis] : 1;
    result.stride[axis] = axis < From ? field.stride[axis] : 0;
  }
  return result;
}

/// Axis p of the result is axis order[p] of the field.
template <class T, int Rank>
Field<T, Rank> permuted(const Field<T, Rank>& field, const std::array<int, static_cast<std::size_t>(Rank)>& order)
{
  Field<T, Rank> result;
  result.data = field.data;
  for (int axis = 0; axis < Rank; ++axis) {
    result.extent[axis] = field.extent[order[axis]];
    result.stride[axis] = field.stride[order[axis]];
  }
  return result;
}

/// The first `count` axes of the list sorted by their strides, the fastest first; where strides are equal the list's
/// order stays. By insertion, for the lists are short and std::stable_sort allocates.
template <class T, int Rank, std::size_t Count>
std::array<int, Count> fastest_first(const Field<T, Rank>& field, std::array<int, Count> axes, int count)
{
  const auto is_faster = [&](int a, int b) { return std::abs(field.stride[a]) < std::abs(field.stride[b]); };
  for (int sorted = 1; sorted < count; ++sorted)
    for (int p = sorted; p > 0 && is_faster(axes[p], axes[p - 1]); --p) std::swap(axes[p], axes[p - 1]);
  return axes;
}

/// The list with the axes for which moves(axis) holds in front; among themselves both kinds keep their order.
template <std::size_t Count, class Moves>
std::array<int, Count> moving_first(const std::array<int, Count>& axes, const Moves& moves)
{
  std::array<int, Count> result{};
  std::size_t next = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (const int axis : axes)
      if (moves(axis) == (pass == 0)) result[next++] = axis;
  return result;
}

} // namespace Keramos::core
