// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NarrowTiles.hpp"

#include <cstdlib>

namespace Keramos::cuda::stencil {
namespace {

/// Points along x of a tile of the kernel that takes rows on 16 bytes otherwise.
template <class T>
int other_tile(int radius, NarrowWork work)
{
  return work == NarrowWork::functor ? star_shape(3, radius, sizeof(T)).width * vector_width<T> : 32 * vector_width<T>;
}

bool is_covered(const auto& sums)
{
  return sums.radius <= (sums.kind == MarchKind::star ? max_narrow_radius : max_narrow_box_radius);
}

/// Whether there is a kernel. Functors have that of their operator's form: what only calls itself a star, or a box of this radius, lacks it.
template <class T>
bool has_kernel(const MarchOperator<T>& sums, const StencilRequest<T>& request, NarrowWork work)
{
  if (sums.kind == MarchKind::star || work == NarrowWork::plain) return true;
  const bool is_its_box = sums.kind == MarchKind::box && request.shape == Shape::box && sums.radius == request.radius;
  return work == NarrowWork::functor && (is_its_box || request.shape == Shape::sparse);
}

/// Whether 32 bits hold where an element of a plane lies, or of what is beside it, in bytes.
template <class T>
bool has_small_planes(const StencilRequest<T>& request, int radius)
{
  constexpr std::int64_t limit = INT32_MAX / static_cast<int>(sizeof(T));
  std::int64_t reach = 0;
  for (int p = 0; p < 2; ++p) {
    const std::int64_t stride = std::abs(request.in.stride[p]), extent = request.in.extent[p] + 2 * radius;
    if (extent > limit || stride > limit / extent) return false;
    reach += stride * extent;
  }
  return reach <= limit;
}

} // namespace

template <class T>
std::optional<NarrowMarchPlan<T>> plan_narrow_march(const StencilRequest<T>& request)
{
  const auto sums = points_of(request) > 0 ? march_operator(request) : std::nullopt;
  if (!sums || !is_covered(*sums) || !has_small_planes(request, sums->radius)) return std::nullopt;
  std::optional<NarrowMarchPlan<T>> plan(std::in_place);
  static_cast<MarchOperator<T>&>(*plan) = *sums;
  set_grid_arguments(plan->arguments, request, {0, 1, 2}, plan->radius);
  if (plan->kind != MarchKind::star && !has_one_value(plan->arguments, plan->radius)) return std::nullopt;
  const NarrowMarchShape shape = narrow_march_shape(plan->kind, plan->radius, sizeof(T));
  const int ring = 2 + (request.only_stores ? 0 : plan->radius);
  if (!set_tiles(*plan, request, shape, ring)) return std::nullopt;
  const std::int64_t tiles = std::int64_t(plan->arguments.tiles[0]) * plan->arguments.tiles[1];
  if (!set_chunks(*plan, request, shape, points_of(request, 2), tiles, 2 * plan->radius)) return std::nullopt;
  plan->variant = [shape = request.shape, radius = plan->radius, taps = request.taps, columns = plan->arguments.columns,
                   height = plan->arguments.groups * shape.rows] {
    return core::text(core::shape_text(shape, 3, radius, taps), " narrow ", columns, "x", height);
  };
  return plan;
}

template <class T>
std::optional<NarrowMarchPlan<T>> choose_narrow_march(const StencilRequest<T>& request, NarrowWork work)
{
  if (request.device.architecture < 90) return std::nullopt; // where it was measured
  if (request.in.stride[0] != 1 || request.out.stride[0] != 1) return std::nullopt;
  const auto sums = march_operator(request);
  if (!sums || !is_covered(*sums) || !has_kernel(*sums, request, work)) return std::nullopt;
  const std::int64_t row = points_of(request, 0);
  const NarrowLimit limit = narrow_limit(sums->kind, work, sums->radius, sizeof(T));
  if (row > limit.row || points_of(request) < min_narrow_points(sums->kind, sums->radius)) return std::nullopt;
  const bool fills_others =
      shared_misalignment(request, true).has_value() && filled(row, other_tile<T>(sums->radius, work)) > limit.fill;
  return fills_others ? std::nullopt : plan_narrow_march(request);
}

template std::optional<NarrowMarchPlan<float>> plan_narrow_march(const StencilRequest<float>&);
template std::optional<NarrowMarchPlan<double>> plan_narrow_march(const StencilRequest<double>&);
template std::optional<NarrowMarchPlan<float>> choose_narrow_march(const StencilRequest<float>&, NarrowWork);
template std::optional<NarrowMarchPlan<double>> choose_narrow_march(const StencilRequest<double>&, NarrowWork);

} // namespace Keramos::cuda::stencil
