// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Star.hpp"

namespace Keramos::cuda {
namespace {

/// Two axes: no wider than the row needs, in whole warps.
int row_width(const StarShape& shape, std::int64_t points, int vector)
{
  return static_cast<int>(std::clamp<std::int64_t>(32 * pieces(points, 32 * vector), 32, shape.width));
}

} // namespace

template <class T>
std::optional<StarPlan> plan_star(const Device& device, const StarProblem<T>& star, bool vectorised, int companions)
{
  const StarShape shape = star_shape(star.rank, star.radius, sizeof(T));
  StarPlan plan;
  plan.vector = vectorised ? vector_width<T> : 1;
  plan.origin = vectorised ? aligned_origin(star) : star.begin[0];
  plan.width = star.rank == 2 ? row_width(shape, star.end[0] - plan.origin, vector_width<T>) : shape.width;
  for (plan.height = shape.height;; plan.height /= 2) { // the tallest tile that fits
    if (plan.height < shape.least_height) return std::nullopt;
    plan.rows = plan.height * shape.rows;
    plan.shared_bytes =
        star_shared_bytes(shape, star.rank, star.radius, sizeof(T), plan.width, plan.height, companions);
    if (plan.shared_bytes <= device.shared_per_block) break;
  }

  const std::int64_t across = pieces(star.end[0] - plan.origin, plan.width * vector_width<T>);
  const std::int64_t down = pieces(star.end[1] - star.begin[1], plan.rows);
  const std::int64_t planes = star.end[2] - star.begin[2];
  if (across <= 0 || down <= 0 || planes <= 0) return plan; // no point: nothing will be launched
  const int smaller = shape.width * shape.height / (plan.width * plan.height);
  const std::int64_t resident = resident_blocks(device, plan.shared_bytes, shape.blocks * smaller);
  plan.tiles[0] = static_cast<unsigned>(across);
  plan.tiles[1] = static_cast<unsigned>(down);
  plan.chunk = chunk_length(planes, across * down, device.multiprocessors * resident, star.radius + shape.depth + 4,
                            stencil_tuning(device.architecture).longest_chunk);
  plan.chunks = static_cast<unsigned>(pieces(planes, plan.chunk));
  if (across * down > INT32_MAX / plan.chunks) return std::nullopt; // blocks are numbered in 31 bits
  return plan;
}

template std::optional<StarPlan> plan_star(const Device&, const StarProblem<float>&, bool, int);
template std::optional<StarPlan> plan_star(const Device&, const StarProblem<double>&, bool, int);

} // namespace Keramos::cuda
