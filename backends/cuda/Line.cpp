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
  const bool along = line.axis == 0;
  LinePlan plan;
  plan.vector = vectorised ? vector_width<T> : 1;
  plan.origin = vectorised ? aligned_origin(line) : line.begin[0];
  // Points of one thread along each axis.
  const int own[3] = {along ? vector_width<T> : plan.vector, along ? 1 : line_items(line.radius), 1};
  std::int64_t threads_of[3];
  for (int p = 0; p < 3; ++p) {
    threads_of[p] = pieces(line.end[p] - (p == 0 ? plan.origin : line.begin[p]), own[p]);
    if (threads_of[p] <= 0) return plan; // no point: nothing will be launched
  }

  // Blocks of 256 threads; smaller ones where that leaves multiprocessors without work. Along the rows they are as long as
  // may be, which makes the halo small.
  for (int threads = 8; threads >= 6; --threads) {
    plan.lanes = std::min(exponent_of(threads_of[0]), along ? threads : 5);
    plan.across = std::min(exponent_of(threads_of[1]), threads - plan.lanes);
    plan.deep = along ? 0 : std::min(exponent_of(threads_of[2]), threads - plan.lanes - plan.across);
    std::int64_t blocks = 1;
    const int exponents[3] = {plan.lanes, plan.across, plan.deep};
    for (int p = 0; p < 3; ++p) {
      const std::int64_t count = pieces(threads_of[p], std::int64_t(1) << exponents[p]);
      if (count > INT32_MAX / blocks) return std::nullopt; // blocks are numbered in 31 bits
      blocks *= count;
      plan.blocks[p] = static_cast<unsigned>(count);
    }
    if (blocks >= stencil_tuning(device.architecture).line_occupancy * device.multiprocessors) break;
  }
  if (along) {
    const int halo = rounded_up(line.radius, vector_width<T>);
    plan.shared_bytes = static_cast<int>(sizeof(T)) * ((vector_width<T> << plan.lanes) + 2 * halo) << plan.across;
  }
  return plan;
}

template std::optional<LinePlan> plan_line(const Device&, const LineProblem<float>&, bool);
template std::optional<LinePlan> plan_line(const Device&, const LineProblem<double>&, bool);

} // namespace Keramos::cuda
