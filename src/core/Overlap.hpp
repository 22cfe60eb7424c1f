// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do two strided arrays share a byte? Asked once a call, before any work, of an input and an output.
#pragma once

#include "Field.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::core {

/// One strided array as the test sees it: `element` bytes at address + sum over axes of i[k] * stride[k], 0 <= i[k] <
/// extent[k].
struct Footprint {
  struct Axis {
    std::int64_t extent;
    std::int64_t stride; ///< in bytes
  };
  std::uintptr_t address = 0;
  std::int64_t element = 1;
  std::vector<Axis> axes;
};

/// Exact where the strides nest, as those of every View and sub-view do: interleaved components do not share an
/// element. For contrived strides the search gives up after a bounded number of steps and answers true.
bool share_a_byte(const Footprint& a, const Footprint& b);

/// Two different indices of the array name the same element (a stride of zero, say): such an array cannot be an output.
bool repeats_an_element(const Footprint& array);

template <class T, int Rank>
Footprint footprint(const Field<T, Rank>& field)
{
  Footprint result{reinterpret_cast<std::uintptr_t>(field.data), sizeof(T), {}};
  for (int axis = 0; axis < Rank; ++axis)
    result.axes.push_back({field.extent[axis], field.stride[axis] * static_cast<std::int64_t>(sizeof(T))});
  return result;
}

} // namespace Keramos::core
