// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge rules as the kernels of small grids see them: an axis in few bytes and in 32 bits, counted from the first point to compute, and
// without a table. The host decides whether rules can be said so; what the kernels load by them is in SmallLoads.hpp.
#pragma once

#include "Edges.hpp"
#include "Request.hpp"

#include <cstdlib>
#include <optional>

namespace Keramos::cuda::stencil {

/// An axis and its edge rules without a table: beyond an end, 0 below and 1 above, there is a value, or the place moves with the index.
template <class T>
struct SmallAxis {
  int stride;            ///< of the input
  int begin, end;        ///< indices that are read as they are
  int first[2], step[2]; ///< beyond an end index i lies at first + i * step, in elements
  bool is_value[2];
  T value[2];
};

/// Whether 32 bits hold where any point of the field lies, and those that an operator of this radius reads beside it.
template <class T>
bool is_small(const core::Field<T, 3>& field, int radius)
{
  constexpr std::int64_t limit = std::int64_t(1) << 30;
  std::int64_t reach = 0;
  for (int p = 0; p < 3; ++p) {
    const std::int64_t stride = std::abs(field.stride[p]), extent = field.extent[p] + 2 * radius;
    if (extent > limit || stride > limit / extent) return false;
    reach += stride * extent;
  }
  return reach < limit;
}

/// The rules beyond one end, which the operator reaches; false where they want a table.
template <class T>
bool set_side(SmallAxis<T>& to, int side, const EdgeAxis<T>& axis, int radius, std::int64_t origin)
{
  const auto beyond = [&](int distance) { return axis.beyond[axis.reach + (side == 0 ? -1 - distance : distance)]; };
  to.is_value[side] = beyond(0) == core::no_index;
  const bool moves = radius > 1 && !to.is_value[side] && beyond(1) != core::no_index;
  const std::int64_t step = moves ? beyond(1) - beyond(0) : 0;
  for (int distance = 0; distance < radius; ++distance)
    if (beyond(distance) != (to.is_value[side] ? core::no_index : beyond(0) + distance * step)) return false;
  if (to.is_value[side]) return true;
  // an index further out by one lies one step further on
  to.step[side] = static_cast<int>(side == 0 ? -step : step);
  const std::int64_t next_to_end = side == 0 ? to.begin - 1 : to.end;
  to.first[side] = static_cast<int>(beyond(0) - origin * axis.stride - next_to_end * to.step[side]);
  return true;
}

/// An axis from its first point on; empty where its rules want a table.
template <class T>
std::optional<SmallAxis<T>> small_axis(const StencilRequest<T>& request, int p)
{
  const int radius = request.radius;
  const EdgeAxis<T> axis = edge_axis(request.axes[p], request.in.stride[p], radius);
  const std::int64_t origin = request.begin[p];
  std::optional<SmallAxis<T>> result(std::in_place);
  result->stride = static_cast<int>(axis.stride);
  result->begin = static_cast<int>(axis.valid_begin - origin);
  result->end = static_cast<int>(axis.valid_end - origin);
  result->value[0] = axis.low_value;
  result->value[1] = axis.high_value;
  const std::int64_t below = axis.valid_begin - (origin - radius), above = request.end[p] + radius - axis.valid_end;
  for (int side = 0; side < 2; ++side) {
    if ((side == 0 ? below : above) <= 0)
      result->is_value[side] = true, result->value[side] = 0; // whatever it is
    else if (!set_side(*result, side, axis, radius, origin))
      return std::nullopt;
  }
  return result;
}

/// Whether zero is beyond both ends.
template <class T>
bool has_zeros(const SmallAxis<T>& axis)
{
  return axis.is_value[0] && is_zero(axis.value[0]) && axis.is_value[1] && is_zero(axis.value[1]);
}

} // namespace Keramos::cuda::stencil
