// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of a call whose line lies across contiguous runs of points, of which whole ones come by bulk copies: LineMarch.hpp and
// LineSlab.hpp.
#pragma once

#include "Grid.hpp"
#include "Line.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace Keramos::cuda::stencil {

/// By offset along the only axis that has any.
template <class T>
struct LineMarchWeights {
  T weight[2 * max_line_march_radius + 1];

  KOKKOS_FUNCTION T at(int radius, int, int offset) const { return weight[offset + radius]; }
};

/// Do the points of a plane follow each other, and planes as well?
template <class Value, class T>
bool has_contiguous_planes(const core::Field<Value, 3>& field, const StencilRequest<T>& request)
{
  const std::int64_t row = points_of(request, 0), rows = points_of(request, 1);
  return field.stride[0] == 1 && (rows == 1 || field.stride[1] == row) && field.stride[2] >= row * rows;
}

/// Is it a line along this axis, of a large grid, across points that follow each other and whose rows do not all lie alike, for which vectors
/// do as well? By bulk copies, which not every build for a GPU that has them is compiled with.
template <class T>
bool is_large_line(const StencilRequest<T>& request, int axis)
{
  if (!has_bulk_copies(request.device) || request.rank != 3 || request.shape != Shape::line) return false;
  if (request.radius > max_line_march_radius) return false;
  if (request.axes[axis].reach_low == 0 && request.axes[axis].reach_high == 0) return false;
  double bytes = sizeof(T);
  for (int p = 0; p < 3; ++p) bytes *= static_cast<double>(std::max<std::int64_t>(points_of(request, p), 0));
  if (bytes == 0 || bytes < static_cast<double>(min_line_march_bytes * request.device.multiprocessors)) return false;
  constexpr int alike = line_march_boundary / static_cast<int>(sizeof(T));
  return has_contiguous_planes(request.in, request) && has_contiguous_planes(request.out, request) &&
         !shared_misalignment(request, false, alike);
}

/// Which indices along the axis are read, from the first one to compute on; empty if what lies beyond its ends is not zero.
template <class T>
std::optional<std::array<std::int64_t, 2>> valid_indices(const StencilRequest<T>& request, int p)
{
  const std::int64_t begin = request.begin[p], end = request.end[p], radius = request.radius;
  const EdgeAxis<T> axis = edge_axis(request.axes[p], request.in.stride[p], request.radius);
  const auto settled = settled_ends(axis, {begin, end}, request.radius, false);
  if (settled[0] || settled[1]) return std::nullopt;
  return std::array{std::max(axis.valid_begin, begin - radius) - begin, std::min(axis.valid_end, end + radius) - begin};
}

} // namespace Keramos::cuda::stencil
