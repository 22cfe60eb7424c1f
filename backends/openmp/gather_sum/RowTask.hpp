// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task over rows of a grid, the fast sequential order of direct Coulomb summation: what is across a row is computed once per
// source and row.
#pragma once

#include "Tasks.hpp"

#include <algorithm>
#include <cstdint>

namespace Keramos::openmp::gather_sum {

/// A task of rows covers up to this many targets: loading a block of sources then costs under 1% of using it. With their
/// totals, six levels of the tree, they take 200 KiB of the stack.
template <bool WithGradient>
inline constexpr std::int64_t max_task_targets = WithGradient ? 1024 : 4096;
inline constexpr std::int64_t max_rows = 64;

/// Some rows of a grid, or segments of them: where they are, and the totals of all. The first axis of the call runs along
/// the rows, and the others stand in the order in which r^2 adds them.
template <class T, bool WithGradient>
class RowTask {
public:
  RowTask(const core::GatherSumCall<T>& call, const GatherPartition& partition, std::int64_t task)
      : call_(call), pitch_(partition.length), begin_(task % partition.segments * partition.length),
        first_row_(task / partition.segments * partition.rows_per_task), third_axis_first_(partition.third_axis_first),
        length_(static_cast<int>(std::min(partition.length, call.output.potential.extent[0] - begin_))),
        rows_(
            static_cast<int>(std::min(partition.rows_per_task, row_count(call.output.potential.extent) - first_row_))),
        sums_(static_cast<int>(rows_ * pitch_), call.sources.count())
  {
    for (int i = 0; i < core::round_up(length_, gaussian_padding);
         ++i) // paddings repeat the last target and the last row
      along_[i] = static_cast<T>(call.targets.position(0, begin_ + std::min(i, length_ - 1)));
    for (int row = 0; row < core::round_up(rows_, gather_padding); ++row) {
      const core::Index3 index = index_of(0, std::min(row, rows_ - 1));
      for (int p = 0; p < 2; ++p) across_[p][row] = static_cast<T>(call.targets.position(p + 1, index[p + 1]));
    }
  }

  /// add_block(SourceBlock) adds a block of sources to all rows.
  template <class AddBlock>
  void sum(const AddBlock& add_block)
  {
    SourceBlock<T> block;
    for (std::int64_t j = 0; j < call_.sources.count(); j += gather_sources) {
      block.load(call_.sources, j);
      add_block(block);
      sums_.finish_block();
    }
    store();
  }

  /// sum_tile(GatherTile) for each row.
  template <class SumTile>
  void add_rows(const SourceBlock<T>& block, const SumTile& sum_tile)
  {
    GatherTile<T> tile{};
    tile.targets = length_;
    for (int row = 0; row < rows_; ++row) {
      set_axes(tile, block, row);
      tile.target[0] = along_;
      for (int p = 0; p < 2; ++p) tile.target[p + 1] = across_[p] + row;
      sum_tile(tile);
    }
  }

  /// Sources and gradients in the order of the axes; coordinates are the user's.
  template <class Block>
  void set_axes(Block& kernel_block, const SourceBlock<T>& block, int row)
  {
    kernel_block.weight = block.weight;
    kernel_block.sources = block.count;
    kernel_block.potential = sums_.potential() + row * pitch_;
    for (int p = 0; p < 3; ++p) {
      const int coordinate = call_.targets.coordinate[p];
      kernel_block.source[p] = block.coordinate[coordinate];
      if constexpr (WithGradient) kernel_block.gradient[p] = sums_.gradient(coordinate) + row * pitch_;
    }
  }
  const T* along() const { return along_; }
  const T* across(int p) const { return across_[p]; }
  int length() const { return length_; }
  int rows() const { return rows_; }
  std::int64_t pitch() const { return pitch_; }

private:
  void store() const
  {
    for (int row = 0; row < rows_; ++row)
      for (int i = 0; i < length_; ++i)
        call_.output.template store<WithGradient>(index_of(i, row), sums_.total(row * pitch_ + i));
  }

  static std::int64_t row_count(const core::Index3& extent) { return extent[1] * extent[2]; }

  core::Index3 index_of(int i, int row) const
  {
    const std::int64_t extent = call_.output.potential.extent[third_axis_first_ ? 2 : 1];
    const std::int64_t fast = (first_row_ + row) % extent, slow = (first_row_ + row) / extent;
    return {begin_ + i, third_axis_first_ ? slow : fast, third_axis_first_ ? fast : slow};
  }

  const core::GatherSumCall<T>& call_;
  std::int64_t pitch_, begin_, first_row_;
  bool third_axis_first_;
  int length_, rows_;
  alignas(64) T along_[max_tile_targets], across_[2][max_rows];
  TargetSums<WithGradient, static_cast<int>(max_task_targets<WithGradient>)> sums_;
};

/// One task over rows: sum_tile(GatherTile) adds a block of sources to a row's totals.
template <bool WithGradient, class T, class SumTile>
void row_task(const core::GatherSumCall<T>& call, const GatherPartition& partition, const SumTile& sum_tile,
              std::int64_t task)
{
  RowTask<T, WithGradient> rows(call, partition, task);
  rows.sum([&](const SourceBlock<T>& block) { rows.add_rows(block, sum_tile); });
}

} // namespace Keramos::openmp::gather_sum
