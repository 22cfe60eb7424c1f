// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmallStar.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace Keramos::cuda::stencil {
namespace {

/// Along x, y and z.
using Counts = std::array<int, 3>;

int parts(int all, int of) { return (all + of - 1) / of; }

/// Threads of a block along an axis, the blocks that there are then, and what a block loads beside its outputs, of these.
struct Side {
  int threads = 1, blocks = 1;
  float beside = 0;

  Side() = default;
  Side(int the_threads, int all, int outputs, int radius)
      : threads(the_threads), blocks(parts(all, threads)),
        beside(2.f * static_cast<float>(radius) / static_cast<float>(threads * outputs))
  {
  }
};
using PlanesBlock = std::array<Side, 3>;

/// Of the multiprocessor that has most warps.
float cost_of(const PlanesBlock& block, int warps, float share_of_multiprocessor)
{
  const int blocks = block[0].blocks * block[1].blocks * block[2].blocks;
  const float loads = (1 + block[1].beside + block[2].beside) * (1 + block[0].beside);
  return std::ceil(static_cast<float>(blocks) * share_of_multiprocessor) * static_cast<float>(warps) *
         small_planes_cost(loads, block[0].threads);
}

/// Rows are cut into equal parts.
PlanesBlock cheapest_block(const Counts& threads, const Counts& outputs, int radius, int multiprocessors)
{
  constexpr std::array across{1, 2, 3, 4, 6, 8};
  constexpr std::array deep{1, 2, 3, 4, 6};
  const auto sides = [&](int p, int n) { return Side(n, threads[p], outputs[p], radius); };
  std::array<Side, across.size()> along_y;
  std::array<Side, deep.size()> along_z;
  std::transform(across.begin(), across.end(), along_y.begin(), [&](int n) { return sides(1, n); });
  std::transform(deep.begin(), deep.end(), along_z.begin(), [&](int n) { return sides(2, n); });
  const float share = 1.f / static_cast<float>(multiprocessors);
  PlanesBlock best;
  float least = INFINITY;
  for (int n = 1; n <= 8; ++n) {
    const Side x = sides(0, std::clamp(parts(threads[0], n), 8, 128));
    for (const Side& y : along_y)
      for (const Side& z : along_z) {
        const int all = x.threads * y.threads * z.threads;
        if (all < 64 || all > small_planes_threads) continue;
        const PlanesBlock block{x, y, z};
        if (const float cost = cost_of(block, parts(all, 32), share); cost < least) least = cost, best = block;
      }
    if (x.threads == 8) break;
  }
  return best;
}

} // namespace

template <class T>
void set_small_planes(SmallStarPlan<T>& plan, const StencilRequest<T>& request)
{
  const int radius = request.radius, multiprocessors = std::max(request.device.multiprocessors, 1);
  const int(&points)[3] = plan.arguments.points;
  const int width = plan.has_vectors ? vector_width<T> : 1;
  const std::int64_t all = std::int64_t(points[0]) * points[1] * points[2];
  const int planes = small_planes_planes(sizeof(T), radius, width, request.operands, all / multiprocessors);
  const SmallPlanesShape shape = small_planes_shape(sizeof(T), width, request.operands, planes);
  const Counts outputs{width, shape.rows, shape.planes};
  const Counts threads{parts(points[0], width), parts(points[1], shape.rows), parts(points[2], shape.planes)};
  const PlanesBlock block = cheapest_block(threads, outputs, radius, multiprocessors);
  const auto count = [&](int Side::*which) {
    const auto of = [&](int p) { return static_cast<unsigned>(block[p].*which); };
    return dim3(of(0), of(1), of(2));
  };
  plan.by_planes = true;
  plan.arguments.planes = planes;
  plan.shape.blocks = count(&Side::blocks);
  plan.shape.threads = count(&Side::threads);
  plan.variant = [outputs, radius, of = plan.shape.threads] {
    return core::text("star<3,", radius, "> small planes ", outputs[0] * of.x, "x", outputs[1] * of.y, "x",
                      outputs[2] * of.z, " v", outputs[0]);
  };
}

template void set_small_planes(SmallStarPlan<float>&, const StencilRequest<float>&);
template void set_small_planes(SmallStarPlan<double>&, const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
