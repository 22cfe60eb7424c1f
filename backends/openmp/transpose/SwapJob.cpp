// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SwapJob.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../HostKernels.hpp"

#include <cmath>

namespace Keramos::openmp::transpose {
namespace {

/// Small matrices of a stack come together up to this size, so that a call and its index arithmetic do not count.
constexpr std::int64_t swap_group_bytes = 8 << 10;

} // namespace

SwapJob::SwapJob(std::int64_t order, std::int64_t fast, std::int64_t slow, const core::MoveAxes& stack, int size)
    : order_(order), fast_(fast), slow_(slow), stack_(stack), size_(size), tile_(swap_tile(size)), block_(8 * tile_)
{
}

core::Text SwapJob::variant(const char* behind) const
{
  return [tiles = fast_ == 1, size = size_, behind] {
    return core::text(tiles ? "tile pairs " : "strided pairs ", size, "B", behind, instruction_set_name());
  };
}

void SwapJob::share(int threads)
{
  const std::int64_t bytes = stack_.size() * order_ * order_ * size_;
  const std::int64_t wanted = wanted_tasks(bytes, threads);
  if (order_ <= tile_)
    group_ = std::clamp<std::int64_t>(swap_group_bytes / (order_ * order_ * size_), 1, stack_[0].extent);
  while (block_ > tile_ && block_pairs() < wanted) block_ /= 2;
  tasks_ = Tasks(block_pairs(), wanted);
}

/// Groups of matrices, and within each the blocks on and right of the diagonal, row by row: row i begins at
/// i * n - i * (i - 1) / 2.
SwapJob::BlockPair SwapJob::block_pair(std::int64_t index) const
{
  const std::int64_t n = blocks(), pair = index % pairs_per_matrix();
  const std::int64_t stacked = index / pairs_per_matrix(), group = stacked % groups();
  BlockPair result{};
  result.base = group * group_ * stack_[0].out + stack_.offset(stacked / groups(), 1).out;
  result.matrices = std::min(group_, stack_[0].extent - group * group_);
  if (n == 1) return result;
  const auto begin = [&](std::int64_t row) { return row * n - row * (row - 1) / 2; };
  const double side = 2.0 * static_cast<double>(n) + 1;
  auto i =
      static_cast<std::int64_t>((side - std::sqrt(std::max(0.0, side * side - 8.0 * static_cast<double>(pair)))) / 2);
  while (i > 0 && begin(i) > pair) --i; // the root is rounded
  while (begin(i + 1) <= pair) ++i;
  result.i = i * block_;
  result.j = (i + pair - begin(i)) * block_;
  return result;
}

void SwapJob::swap(const SwapPair& pair, const SwapPair& next, void* data) const
{
  auto* bytes = static_cast<unsigned char*>(data);
  transpose_kernels().swap_tiles[table_entry(size_)](
      {bytes + pair.a * size_, bytes + pair.b * size_, pair.x_extent, pair.y_extent, fast_ * size_, slow_ * size_,
       pair.matrices, matrix() * size_, bytes + next.a * size_, bytes + next.b * size_, next.x_extent, next.y_extent});
}

void SwapJob::run(std::int64_t task, void* data) const
{
  for_each_pair(task, [&](const SwapPair& pair, const SwapPair& next) { swap(pair, next, data); });
}

} // namespace Keramos::openmp::transpose
