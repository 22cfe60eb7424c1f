// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do two strided arrays share a byte, does an array repeat an element? Asked before any work, of what a call reads and
// writes.
#pragma once

#include "Field.hpp"
#include "InplaceVector.hpp"

#include <cstddef>
#include <cstdint>

namespace Keramos::core {

/// Axes of an array, at most: as many as a View has.
inline constexpr std::size_t max_axes = 8;

/// One strided array as the test sees it: `element` bytes at address + sum over axes of i[k] * stride[k], 0 <= i[k] <
/// extent[k].
struct Footprint {
  struct Axis {
    std::int64_t extent;
    std::int64_t stride; ///< in bytes
  };
  std::uintptr_t address = 0;
  std::int64_t element = 1;
  InplaceVector<Axis, max_axes> axes;
};

/// What a search of bounded length can say.
enum class Answer { no, yes, unknown };

/// Exact at any size where the strides of both arrays together nest, divide one another or are equal, as those of Views
/// and of their parts do: interleaved components share no element. Other strides are searched for a bounded number of
/// steps (a few milliseconds), and then the answer is unknown. An array spans less than 2^62 bytes.
Answer share_a_byte(const Footprint& a, const Footprint& b);

/// Do two different indices of the array name bytes of the same element (a stride of zero, say)? Such an array cannot
/// be an output. As exact as share_a_byte().
Answer repeats_an_element(const Footprint& array);

template <class T, int Rank>
Footprint footprint(const Field<T, Rank>& field)
{
  static_assert(Rank <= static_cast<int>(max_axes));
  Footprint result{reinterpret_cast<std::uintptr_t>(field.data), sizeof(T), {}};
  for (int axis = 0; axis < Rank; ++axis)
    result.axes.push_back({field.extent[axis], field.stride[axis] * static_cast<std::int64_t>(sizeof(T))});
  return result;
}

} // namespace Keramos::core
