// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencil.hpp"

#include "HostKernels.hpp"

#include <algorithm>
#include <cstdlib>

namespace Keramos::openmp {
namespace {

std::int64_t pieces(std::int64_t length, std::int64_t size) { return (length + size - 1) / size; }

} // namespace

core::Index3 stencil_tile(const core::Index3& points, const core::Index3& planes, std::int64_t element_bytes,
                          int concurrency)
{
  static const int RUN = getenv("RUN") ? atoi(getenv("RUN")) : 512, ROWS = getenv("ROWS") ? atoi(getenv("ROWS")) : 32;
  core::Index3 tile;
  const bool one_axis = points[1] == 1 && points[2] == 1;
  tile[0] = one_axis ? 32 * longest_run : RUN;
  tile[1] = ROWS;
  const std::int64_t others = pieces(points[0], tile[0]) * pieces(points[1], tile[1]);
  const std::int64_t chunks = std::max<std::int64_t>(1, 8 * concurrency / std::max<std::int64_t>(others, 1));
  tile[2] = std::max(pieces(points[2], chunks), std::min<std::int64_t>(points[2], 4 * planes[2]));
  for (int p = 0; p < 3; ++p) tile[p] = std::clamp<std::int64_t>(tile[p], 1, std::max<std::int64_t>(points[p], 1));
  return tile;
}

std::string stencil_variant(Shape shape, int rank, int radius, int taps, const char* epilogue)
{
  return core::shape_text(shape, rank, radius, taps) + " rows" + epilogue + " " + instruction_set_name();
}

} // namespace Keramos::openmp
