// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineSlab.hpp"

#include "../../../src/keramos/core/Integer.hpp"

namespace Keramos::cuda::stencil {
namespace {

template <class T>
void set_fields(LineSlabArguments<T>& to, const StencilRequest<T>& request, const std::array<std::int64_t, 2>& valid)
{
  const std::int64_t row = points_of(request, 0);
  to.in = &request.in[request.begin];
  to.out = &request.out[request.begin];
  to.in_step = request.in.stride[2];
  to.out_step = request.out.stride[2];
  to.row = static_cast<int>(row);
  to.points = static_cast<int>(row * points_of(request, 1));
  to.valid_begin = static_cast<int>(valid[0] * row);
  to.valid_end = static_cast<int>(valid[1] * row);
}

/// Slabs of equal length; the first one of a plane is shorter by what that begins behind a line. False if there are too many.
template <class T>
bool set_grid(LineSlabPlan<T>& plan, std::int64_t planes)
{
  using Tile = LineSlabTile<T>;
  LineSlabArguments<T>& to = plan.arguments;
  to.slabs = static_cast<unsigned>(core::ceil_div(to.points + Tile::boundary - 1, Tile::shape.elements));
  if (planes > INT32_MAX / to.slabs) return false; // blocks are numbered in 31 bits
  plan.shape.blocks = static_cast<unsigned>(to.slabs * planes);
  plan.shape.threads = Tile::shape.threads;
  plan.shape.shared_bytes = static_cast<unsigned>(Tile::bytes(plan.radius, to.row));
  return true;
}

} // namespace

template <class T>
std::optional<LineSlabPlan<T>> choose_line_slab(const StencilRequest<T>& request)
{
  using Tile = LineSlabTile<T>;
  if (!has_fast_memory(request.device) || !is_large_line(request, 1)) return std::nullopt;
  const std::int64_t row = points_of(request, 0), rows = points_of(request, 1);
  const auto valid = valid_indices(request, 1);
  if (request.in.stride[1] != row) return std::nullopt; // of a single row to compute, its neighbours may lie anywhere
  if (!valid || 2 * request.radius * row > Tile::shape.elements) return std::nullopt;
  if (filled(row * rows, Tile::shape.elements) < min_filled_slab) return std::nullopt;
  if ((rows + 2 * request.radius) * row > INT32_MAX - 2 * Tile::shape.elements) return std::nullopt;
  if (Tile::bytes(request.radius, row) > request.device.shared_per_block) return std::nullopt;
  std::optional<LineSlabPlan<T>> plan(std::in_place);
  plan->radius = request.radius;
  set_fields(plan->arguments, request, *valid);
  if (!set_line_weights(plan->arguments.weights, request, 1) || !set_grid(*plan, points_of(request, 2)))
    return std::nullopt;
  plan->variant = [radius = plan->radius] {
    return core::text("line<3,", radius, "> slab ", LineSlabTile<T>::shape.elements);
  };
  return plan;
}

template std::optional<LineSlabPlan<float>> choose_line_slab(const StencilRequest<float>&);

} // namespace Keramos::cuda::stencil
