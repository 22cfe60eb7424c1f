// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the jobs of this folder have in common: how work becomes tasks, and what is streamed.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace Keramos::openmp::transpose {

/// Outputs from this size on are written past the caches: with the input, more than a core's share of the last one on
/// most machines, so that a reader would not find it there.
inline constexpr std::int64_t streaming_bytes = 4 << 20;

/// Rows shorter than this would be streamed in mostly broken lines.
inline constexpr std::int64_t min_streamed_bytes = 256;

/// What a box covers of either array before it grows elsewhere: whole lines of the input, and runs of the output that are
/// long enough to be streamed.
inline constexpr std::int64_t box_side_bytes = 256;

/// A task is at least this much work, so that handing it out (about a microsecond) does not count; and a thread gets
/// several.
inline constexpr std::int64_t task_bytes = 128 << 10;
inline constexpr std::int64_t tasks_per_thread = 8;

/// The tasks that `threads` threads should share.
constexpr std::int64_t wanted_tasks(std::int64_t bytes, int threads)
{
  return std::max<std::int64_t>(1, std::min(threads * tasks_per_thread, bytes / task_bytes));
}

/// `items` in tasks of equally many, the last of fewer.
class Tasks {
public:
  Tasks() = default;
  Tasks(std::int64_t items, std::int64_t wanted)
      : items_(items), items_per_task_(std::max<std::int64_t>(1, items / wanted))
  {
  }

  std::int64_t count() const { return core::ceil_div(items_, items_per_task_); }
  std::int64_t begin(std::int64_t task) const { return task * items_per_task_; }
  std::int64_t end(std::int64_t task) const { return std::min(items_, (task + 1) * items_per_task_); }

private:
  std::int64_t items_ = 1, items_per_task_ = 1;
};

/// The entry of the tables of kernels for elements of `size` bytes.
constexpr int table_entry(int size) { return std::countr_zero(static_cast<unsigned>(size)); }

} // namespace Keramos::openmp::transpose
