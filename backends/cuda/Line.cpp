// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Line.hpp"

namespace Keramos::cuda {
namespace {

/// The smallest exponent whose power of two is `number` or more.
int exponent_of(std::int64_t number)
{
  int exponent = 0;
  while ((std::int64_t(1) << exponent) < number && exponent < 30) ++exponent;
  return exponent;
}

} // namespace

template <class T>
std::optional<LinePlan> plan_line(const Device& device, const LineProblem<T>& line, bool vectorised)
{
  const LineShape shape = line_shape(line.axis, line.radius);
  LinePlan plan;
  plan.vector = vectorised ? vector_width<T> : 1;
  plan.origin = vectorised ? aligned_origin(line) : line.begin[0];
  plan.items_along = line.axis == 0 && line.rank == 1;
  std::int64_t pieces_of[3] = {pieces(line.end[0] - plan.origin, plan.vector), line.end[1] - line.begin[1],
                               line.end[2] - line.begin[2]};
  std::int64_t& itemised = pieces_of[plan.items_along ? 0 : 1];
  itemised = pieces(itemised, shape.items);
  for (const std::int64_t count : pieces_of)
    if (count <= 0) return plan; // no point: nothing will be launched

  // Blocks of 256 threads; smaller ones where that leaves multiprocessors without work.
  const int rows = exponent_of(pieces_of[1]), planes = exponent_of(pieces_of[2]);
  std::int64_t blocks = 0;
  for (int threads = 8; threads >= 6; --threads) {
    plan.lanes = std::min(exponent_of(pieces_of[0]), plan.items_along ? threads : 5);
    plan.across = std::min(rows, threads - plan.lanes);
    plan.deep = std::min(planes, threads - plan.lanes - plan.across);
    blocks = 1;
    const int exponents[3] = {plan.lanes, plan.across, plan.deep};
    for (int p = 0; p < 3; ++p) {
      const std::int64_t count = pieces(pieces_of[p], std::int64_t(1) << exponents[p]);
      if (count > INT32_MAX / blocks) return std::nullopt; // blocks are numbered in 31 bits
      blocks *= count;
      plan.blocks[p] = static_cast<unsigned>(count);
    }
    if (blocks >= 2 * device.multiprocessors) break;
  }
  return plan;
}

template std::optional<LinePlan> plan_line(const Device&, const LineProblem<float>&, bool);
template std::optional<LinePlan> plan_line(const Device&, const LineProblem<double>&, bool);

} // namespace Keramos::cuda
