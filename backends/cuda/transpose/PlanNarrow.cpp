// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "PlanTile.hpp"

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;

/// What a lane can access at once on either side of a narrow move; 0: too little.
int narrow_access_bytes(const Layout& layout, const NarrowJob& job, int components)
{
  const int v = 16 / layout.size();
  bool aligned = layout.is_aligned(16) && job.plane % v == 0;
  for (int k = 0; k < job.batch.count; ++k)
    aligned = aligned && job.batch.axis[k].in % v == 0 && job.batch.axis[k].out % v == 0;
  if (aligned) return 16;
  return components == 3 && layout.size() >= 4 ? layout.size() : 0;
}

} // namespace

std::optional<MovePlan> plan_narrow(const Layout& layout, int x, int y)
{
  const auto& axes = layout.axes;
  if (axes[x].out != 1 || axes[y].in != 1 || layout.size() == 16) return std::nullopt;
  MovePlan plan;
  plan.kind = MoveKind::narrow;
  plan.size = layout.size();
  plan.to_planes = axes[x].in == axes[y].extent && axes[y].extent <= 4;
  if (!plan.to_planes && !(axes[y].out == axes[x].extent && axes[x].extent <= 4)) return std::nullopt;
  const MoveAxis &points = plan.to_planes ? axes[x] : axes[y], &components = plan.to_planes ? axes[y] : axes[x];

  NarrowJob job{points.extent, plan.to_planes ? components.out : components.in, {}, {}};
  if (!make_batch(axes, x, y, job.batch)) return std::nullopt;
  const int count = static_cast<int>(components.extent), access_bytes = narrow_access_bytes(layout, job, count);
  if (access_bytes == 0) return std::nullopt;
  plan.narrow = {layout.size(), access_bytes, count};
  if (points.extent < plan.narrow.block_points() / 2) return std::nullopt;
  const std::int64_t blocks = ceil_div(points.extent, plan.narrow.block_points());
  const std::int64_t all = blocks_times(blocks, job.batch.size);
  if (all > max_blocks) return std::nullopt;
  job.blocks = block_divisor(blocks);
  plan.blocks = static_cast<unsigned>(all);
  plan.job = job;
  plan.variant = [count, v = plan.narrow.v()] {
    return core::text("narrow shuffle k=", count) + (v > 1 ? core::text(" v", v) : "");
  };
  return plan;
}

} // namespace Keramos::cuda::transpose
