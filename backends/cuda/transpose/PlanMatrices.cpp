// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of small matrices that are contiguous on both sides.

#include "../../../src/keramos/core/Integer.hpp"
#include "PlanTile.hpp"

#include <algorithm>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;

/// A matrix, as the input has it, and how many axes it takes.
struct Matrix {
  std::int64_t rows = 0, columns = 0;
  int axes = 0;

  std::int64_t elements() const { return rows * columns; }
};

/// What is contiguous on both sides: a run that stays, or a matrix that is turned; else no axes.
Matrix matrix_of(const MoveAxes& axes)
{
  const MoveAxis &row = axes[0], &column = axes[1]; // neighbours of the output lie along a column of the input
  if (row.out != 1 || row.extent > max_box_elements) return {};
  if (row.in == 1) return {1, row.extent, 1};
  const bool turned = axes.count > 1 && column.in == 1 && column.out == row.extent && row.in == column.extent;
  if (!turned || column.extent > max_box_elements / row.extent) return {};
  return {row.extent, column.extent, 2};
}

/// Not where there are few bytes to a matrix, or where it is short and blocks come late to the next one in the input; nor where boxes have whole
/// vectors on both sides.
bool is_worth_it(const Layout& layout, const Matrix& matrix)
{
  const int size = layout.size();
  const std::int64_t bytes = matrix.elements() * size;
  const bool wide = size >= min_box_rows_size, turned = matrix.axes > 1;
  if (bytes < (wide && turned ? min_wide_matrix_bytes : min_matrix_bytes) || bytes > max_matrix_bytes) return false;
  const bool by_vectors = !wide && layout.is_aligned(16) && pitches_are_multiples_of(16, layout, 1, &MoveAxis::in);
  return !by_vectors && late_neighbour(layout.axes, matrix.axes, matrix.elements(), size) == 0;
}

/// Numbers the matrices with which the output goes on; the batch has those with which it does not.
bool number_matrices(const MoveAxes& axes, int first, MatricesJob& job)
{
  std::int64_t count = 1;
  MoveAxes others;
  for (int k = first; k < axes.count; ++k) {
    const std::int64_t more = blocks_times(count, axes[k].extent);
    if (others.count > 0 || axes[k].out != count * job.elements.d || more > max_blocks) {
      others.axis[others.count++] = axes[k];
      continue;
    }
    job.axes.add(axes[k]);
    count = more;
  }
  job.count = static_cast<unsigned>(count);
  return make_batch(others, -1, -1, job.batch);
}

/// How many matrices a block moves, and where they lie in shared memory. Returns its bytes.
std::int64_t place_matrices(int size, MatricesJob& job)
{
  const auto bytes = static_cast<unsigned>(job.elements.d * size);
  const unsigned wanted = std::min((matrices_bytes + bytes / 2) / bytes, max_box_elements / job.elements.d);
  job.own = std::clamp(wanted, 1u, job.count);
  job.vectors = vectors_of(bytes, size, sector_bytes);
  job.pitch = job.vectors * (16 / size);
  job.first_matrix = static_cast<unsigned>(core::round_up(std::int64_t{job.own} * job.vectors * 16, 128));
  return job.first_matrix + std::int64_t{job.own} * 16;
}

} // namespace

std::optional<MovePlan> plan_matrices(const Device& device, const Layout& layout)
{
  const MoveAxes& axes = layout.axes;
  const int size = layout.size();
  const Matrix matrix = matrix_of(axes);
  if (size > max_matrices_size || matrix.axes == 0 || !is_worth_it(layout, matrix)) return std::nullopt;
  MatricesJob job{};
  job.columns = static_cast<unsigned>(matrix.columns);
  job.rows = divisor(static_cast<unsigned>(matrix.rows));
  job.elements = divisor(static_cast<unsigned>(matrix.elements()));
  if (!number_matrices(axes, matrix.axes, job)) return std::nullopt;
  const std::int64_t bytes = place_matrices(size, job);
  const std::int64_t blocks = ceil_div(std::int64_t{job.count}, std::int64_t{job.own}),
                     all = blocks_times(blocks, job.batch.size);
  if (job.own * job.elements.d * size < matrices_bytes / 2 || bytes > device.shared_per_block || all > max_blocks ||
      all < std::int64_t{min_matrices_blocks} * device.multiprocessors)
    return std::nullopt;
  job.blocks = block_divisor(blocks);
  cover_input(axes, job);

  MovePlan plan;
  plan.kind = MoveKind::matrices;
  plan.size = size;
  plan.blocks = static_cast<unsigned>(all);
  plan.shared_bytes = static_cast<int>(bytes);
  plan.job = job;
  plan.variant = tile_text("matrices ", {static_cast<int>(matrix.rows), static_cast<int>(matrix.columns)}, 0);
  return plan;
}

} // namespace Keramos::cuda::transpose
