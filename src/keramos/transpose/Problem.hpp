// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of the transpose family in two forms. The Call structs are what the user said, axes in View index order: the
// reference backend takes them. The Problem structs are the same calls normalised, which is what every other backend
// takes: as few axes as the strides allow, sorted fastest first by the strides of the output, so that transpose,
// permute and copy over LayoutLeft, LayoutRight and sub-views are one case.
#pragma once

#include "../core/Field.hpp"

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Keramos::core {

inline constexpr int max_rank = 6;

/// Elements are moved as they are.
struct Move {};

/// What a plain move sees of a value type: its size and alignment. One kernel moves every type of one size.
template <int Size, int Align>
struct alignas(Align) Element {
  unsigned char byte[Size];
};
template <class T>
using ElementOf = Element<static_cast<int>(sizeof(T)), static_cast<int>(alignof(T))>;

/// The value to store for `value`.
template <class Out, class In, class F>
KOKKOS_FUNCTION Out moved(const F& f, const In& value)
{
  if constexpr (std::is_same_v<F, Move>)
    return value;
  else
    return static_cast<Out>(f(value));
}

/// Functors that know the element of the output as well (Accumulation.hpp): f(value) comes first, and then f.sum(that, out).
template <class F>
inline constexpr bool is_accumulation = false;

/// Stores what a call makes of `value`.
template <class In, class Out, class F>
KOKKOS_FUNCTION void move_element(const F& f, const In& value, Out& out)
{
  const Out term = moved<Out>(f, value);
  if constexpr (is_accumulation<F>)
    out = f.sum(term, out);
  else
    out = term;
}

/// out(i[0], i[1], ...) = in(j[0], j[1], ...) where j[axes[k]] = i[k]; the axes behind `rank` have extent 1.
template <class In, class Out>
struct TransposeCall {
  const char* operation = ""; ///< the public call: "permute"
  int rank = 0;
  Field<const In, max_rank> in;
  Field<Out, max_rank> out;
  std::array<int, max_rank> axes{0, 1, 2, 3, 4, 5};
};

/// Exchanges the last two of `rank` axes.
template <class T>
struct InPlaceCall {
  const char* operation = "";
  int rank = 2;
  Field<T, max_rank> matrix;
};

/// One axis of a normalised problem; strides in elements of the input and of the output.
struct MoveAxis {
  std::int64_t extent = 1, in = 0, out = 0;
};

/// The axes of a normalised problem, fastest first; those behind `count` have extent 1. No axes: one element.
struct MoveAxes {
  int count = 0;
  Kokkos::Array<MoveAxis, max_rank> axis{};

  KOKKOS_FUNCTION const MoveAxis& operator[](int k) const { return axis[k]; }

  /// Number of elements.
  KOKKOS_FUNCTION std::int64_t size(int first = 0) const
  {
    std::int64_t product = 1;
    for (int k = first; k < count; ++k) product *= axis[k].extent;
    return product;
  }

  /// Offsets of the element with linear index `index` over the axes from `first` on.
  KOKKOS_FUNCTION MoveAxis offset(std::int64_t index, int first = 0) const
  {
    MoveAxis sum;
    for (int k = first; k < count; ++k) {
      const bool last = k == count - 1; // what is left; divisions are slow
      const std::int64_t at = last ? index : index % axis[k].extent;
      if (!last) index /= axis[k].extent;
      sum.in += at * axis[k].in;
      sum.out += at * axis[k].out;
    }
    return sum;
  }
};

/// Sorts `count` entries by key(entry); equal ones keep their order. For the few entries that there are: std::stable_sort
/// allocates.
template <class T, class Key>
void sort_few(T* entries, int count, const Key& key)
{
  for (int end = 1; end < count; ++end)
    for (int at = end; at > 0 && key(entries[at]) < key(entries[at - 1]); --at) std::swap(entries[at], entries[at - 1]);
}

/// Drops axes of extent 1, sorts by the stride of the output, and fuses neighbours that nest in both arrays:
///
///     (extent a, strides s, t) and then (extent b, strides a * s, a * t)   is   (extent a * b, strides s, t)
MoveAxes normalised(const MoveAxis* axes, int count);

template <class In, class Out>
struct TransposeProblem {
  TransposeCall<In, Out> call;
  const In* in;
  Out* out;
  MoveAxes axes;

  explicit TransposeProblem(const TransposeCall<In, Out>& the_call)
      : call(the_call), in(call.in.data), out(call.out.data)
  {
    std::array<MoveAxis, max_rank> user;
    for (int k = 0; k < call.rank; ++k)
      user[k] = {call.out.extent[k], call.in.stride[call.axes[k]], call.out.stride[k]};
    axes = normalised(user.data(), call.rank);
  }

  bool empty() const { return axes.size() == 0; }
};

/// A stack of square matrices of order `order`; element (a, b) of a matrix lies at a * fast + b * slow.
template <class T>
struct InPlaceProblem {
  InPlaceCall<T> call;
  T* data;
  std::int64_t order, fast, slow;
  MoveAxes stack;

  explicit InPlaceProblem(const InPlaceCall<T>& the_call)
      : call(the_call), data(call.matrix.data), order(call.matrix.extent[call.rank - 1]),
        fast(call.matrix.stride[call.rank - 1]), slow(call.matrix.stride[call.rank - 2])
  {
    if (fast > slow) std::swap(fast, slow); // the two indices stand for each other
    std::array<MoveAxis, max_rank> user;
    for (int k = 0; k < call.rank - 2; ++k)
      user[k] = {call.matrix.extent[k], call.matrix.stride[k], call.matrix.stride[k]};
    stack = normalised(user.data(), call.rank - 2);
  }

  bool empty() const { return order == 0 || stack.size() == 0; }
};

} // namespace Keramos::core
