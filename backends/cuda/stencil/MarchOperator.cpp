// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MarchOperator.hpp"

#include <algorithm>

namespace Keramos::cuda::stencil {
namespace {

/// The taps of an operator that reaches no further than this; every offset is there once.
template <class T, int Radius>
MarchBox<T, Radius> box_of(const StencilRequest<T>& request)
{
  constexpr int side = 2 * Radius + 1;
  MarchBox<T, Radius> box{};
  for (int t = 0; t < request.taps; ++t) {
    const auto& at = request.offset[t];
    box.weight[at[2] + Radius][at[1] + Radius][at[0] + Radius] = request.weight[t];
    box.present[at[2] + Radius] |= 1u << ((at[1] + Radius) * side + at[0] + Radius);
  }
  return box;
}

int reach(const auto& request)
{
  int result = 0;
  for (int p = 0; p < 3; ++p) result = std::max({result, request.axes[p].reach_low, request.axes[p].reach_high});
  return result;
}

} // namespace

template <class T>
std::optional<MarchOperator<T>> march_operator(const StencilRequest<T>& request)
{
  if (request.rank != 3) return std::nullopt;
  if (const auto star = star_weights(request, {0, 1, 2}))
    return MarchOperator<T>{MarchKind::star, request.radius, *star};
  if (request.shape == Shape::line && request.taps == 2 * request.radius + 1)
    return std::nullopt; // which other kernels take
  const int radius = reach(request), side = 2 * radius + 1;
  if (!request.taps_follow_axes || radius < 1 || radius > max_box_radius) return std::nullopt;
  const MarchKind kind = request.taps == side * side * side ? MarchKind::box : MarchKind::sparse;
  if (radius == 1) return MarchOperator<T>{kind, radius, box_of<T, 1>(request)};
  return MarchOperator<T>{kind, radius, box_of<T, 2>(request)};
}

template std::optional<MarchOperator<float>> march_operator(const StencilRequest<float>&);
template std::optional<MarchOperator<double>> march_operator(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
