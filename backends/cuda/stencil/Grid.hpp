// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all kernels that march are told of a call's fields, axes and points, along x (fastest), y and z (the march).
#pragma once

#include "Edges.hpp"
#include "Points.hpp"
#include "Request.hpp"

#include <array>

namespace Keramos::cuda::stencil {

/// Sets the arguments that all these kernels have, for an operator of this radius.
template <class Arguments, class T>
void set_grid_arguments(Arguments& arguments, const StencilRequest<T>& request, const KernelOrder& order, int radius)
{
  arguments.in = request.in.data;
  arguments.out = request.out.data;
  for (int p = 0; p < 3; ++p) {
    const int from = order[p];
    arguments.axis[p] = edge_axis(request.axes[from], request.in.stride[from], radius);
    arguments.out_stride[p] = request.out.stride[from];
    arguments.range[p] = {request.begin[from], request.end[from]};
  }
}

/// Whether operands beyond one end of an axis are something else than the zero that tensor copies leave, or, along the march, another
/// plane. `first` is the table's entry next to the field, the others follow by `step`.
template <class T>
bool is_settled(const EdgeAxis<T>& axis, T value, int first, int step, std::int64_t count, bool is_march)
{
  for (int k = 0; k < count; ++k)
    if (axis.beyond[first + k * step] == core::no_index ? !is_zero(value) : !is_march) return true;
  return false;
}

/// The same of both ends, for an operator of this radius: low, high.
template <class T>
std::array<bool, 2> settled_ends(const EdgeAxis<T>& axis, const Range& range, int radius, bool is_march)
{
  const std::int64_t below = axis.valid_begin - (range.begin - radius), above = range.end + radius - axis.valid_end;
  return {is_settled(axis, axis.low_value, axis.reach - 1, -1, below, is_march),
          is_settled(axis, axis.high_value, axis.reach, 1, above, is_march)};
}

} // namespace Keramos::cuda::stencil
