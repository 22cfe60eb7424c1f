// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MoveJob.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/transpose/Layout.hpp"
#include "../HostKernels.hpp"

#include <algorithm>

namespace Keramos::openmp::transpose {
namespace {

using core::MoveAxis;
constexpr int max_rank = core::max_rank;

/// Runs shorter than this are not worth a kernel call each.
constexpr std::int64_t min_run_bytes = 64;

/// Planes of fewer elements come several to a box.
constexpr std::int64_t min_plane = 1024;

/// A part of a plane has at most this many bytes along both axes. 1024 x 1024 f32: each 4 KiB page is visited for 4 KiB
/// of input, and the pages of both sides stay in a second-level TLB of 2048 entries.
constexpr std::int64_t plane_bytes = 4096;

/// With a functor a part is as large as the buffer: rows of the output still have 8 lines, rows of the input 4.
/// Runs need no more than what a first-level cache holds beside them.
constexpr std::int64_t buffered_row_bytes = 512, buffered_run_bytes = 8 << 10;

/// What a box covers of either array before it grows elsewhere: whole lines of the input, and runs of the output that are
/// long enough to be streamed.
constexpr std::int64_t box_side_bytes = 256;

bool are_few(std::int64_t components) { return components >= 2 && components <= 8; }

} // namespace

MoveJob::MoveJob(const core::MoveAxes& axes, int size, std::int64_t max_part) : axes_(axes), size_(size)
{
  if (max_part == 0) size_ = core::widen(axes_, size_);
  core::ensure_axis(axes_);
  choose_kind();
  choose_part(max_part);
}

void MoveJob::choose_kind()
{
  const auto unit_of_input = [&] {
    for (int k = 0; k < axes_.count; ++k)
      if (axes_[k].in == 1) return k;
    return -1;
  };
  kind_ = MoveKind::boxes;
  x_ = 0;
  y_ = unit_of_input();
  streaming_ = axes_.size() * size_ >= streaming_bytes;
  if (axes_[0].out != 1 || y_ < 0) return;
  const MoveAxis &x = axes_[x_], &y = axes_[y_];
  const bool long_rows = x.extent * size_ >= min_streamed_bytes;
  if (y_ == 0) {
    if (axes_.count > 1 && x.extent * size_ < min_run_bytes) return;
    kind_ = MoveKind::runs;
    streaming_ = streaming_ && long_rows;
  } else if (x.extent * y.extent < min_plane) {
    return;
  } else if (y.out == x.extent && !long_rows) {
    kind_ = MoveKind::interleave;
  } else if (x.in == y.extent && are_few(y.extent)) {
    kind_ = MoveKind::components;
    streaming_ = streaming_ && long_rows;
  } else if (x.extent >= 4) {
    kind_ = MoveKind::tiles;
    streaming_ = streaming_ && long_rows;
  }
}

void MoveJob::choose_part(std::int64_t max_part)
{
  for (auto& extent : part_extent_) extent = 1;
  const std::int64_t max_elements = max_part ? max_part : INT64_MAX;
  const auto bound = [&](int k, std::int64_t extent) {
    part_extent_[k] = std::max<std::int64_t>(1, std::min(extent, axes_[k].extent));
  };
  switch (kind_) {
  case MoveKind::runs: { // long runs in some parts; many short ones together in one
    const std::int64_t run = max_part ? buffered_run_bytes / size_ : task_bytes / size_;
    bound(0, run);
    if (axes_.count > 1) bound(1, run / part_extent_[0]);
    break;
  }
  case MoveKind::tiles:
    bound(x_, (max_part ? buffered_row_bytes : plane_bytes) / size_);
    bound(y_, std::min(max_elements / part_extent_[x_], plane_bytes / size_));
    break;
  case MoveKind::components:
    bound(y_, axes_[y_].extent);
    bound(x_, std::min(task_bytes / size_, max_elements) / part_extent_[y_]);
    break;
  case MoveKind::interleave:
    bound(x_, axes_[x_].extent);
    bound(y_, std::min(task_bytes / size_, max_elements) / part_extent_[x_]);
    break;
  case MoveKind::boxes: {
    core::BoxShape box(axes_, {std::min(max_box_bytes / size_, max_elements)});
    box.cover(std::max<std::int64_t>(1, box_side_bytes / size_));
    for (int k = 0; k < axes_.count; ++k) part_extent_[k] = box.extent(k);
    break;
  }
  }
}

core::Text MoveJob::variant(const char* behind) const
{
  return [kind = kind_, size = size_, behind] {
    constexpr const char* names[] = {"runs", "tiles", "components", "interleave", "boxes"};
    return core::text(names[static_cast<int>(kind)], " ", size, "B", behind, instruction_set_name());
  };
}

std::int64_t MoveJob::parts() const
{
  std::int64_t product = 1;
  for (int k = 0; k < axes_.count; ++k) product *= parts_along(k);
  return product;
}

void MoveJob::share(int threads)
{
  const std::int64_t wanted = wanted_tasks(axes_.size() * size_, threads);
  while (parts() < wanted) { // halve the longest side of the parts, down to 64 elements
    std::int64_t& longest = *std::max_element(part_extent_.data(), part_extent_.data() + axes_.count);
    if (longest < 128) break;
    longest = core::round_up(longest / 2, 64);
  }
  tasks_ = Tasks(parts(), wanted);
}

Part MoveJob::part(std::int64_t index) const
{
  Part part;
  for (int k = 0; k < axes_.count; ++k) {
    const std::int64_t count = parts_along(k), begin = index % count * part_extent_[k];
    index /= count;
    part.extent[k] = std::min(part_extent_[k], axes_[k].extent - begin);
    part.in += begin * axes_[k].in;
    part.out += begin * axes_[k].out;
  }
  return part;
}

void MoveJob::move(const Part& part, const void* in, const std::int64_t* in_stride, void* out, const void* next) const
{
  const TransposeKernels& kernels = transpose_kernels();
  const int entry = table_entry(size_);
  const auto* from = static_cast<const unsigned char*>(in);
  auto* to = static_cast<unsigned char*>(out);
  const std::int64_t nx = part.extent[x_], ny = y_ < 0 ? 1 : part.extent[y_];
  switch (kind_) {
  case MoveKind::runs: {
    const bool many = axes_.count > 1;
    kernels.runs({from, to, nx * size_, many ? part.extent[1] : 1, many ? in_stride[1] * size_ : 0,
                  many ? axes_[1].out * size_ : 0, streaming_});
    break;
  }
  case MoveKind::tiles:
  case MoveKind::components:
    kernels.plane[entry]({from, to, nx, ny, in_stride[x_] * size_, axes_[y_].out * size_, streaming_});
    break;
  case MoveKind::interleave:
    kernels.interleave[entry]({from, to, ny, nx, in_stride[x_] * size_, streaming_});
    break;
  case MoveKind::boxes:
    kernels.box[entry](box(part, from, in_stride, to, static_cast<const unsigned char*>(next)));
    break;
  }
}

Box MoveJob::box(const Part& part, const unsigned char* in, const std::int64_t* in_stride, unsigned char* out,
                 const unsigned char* next) const
{
  Box box{};
  box.in = in;
  box.out = out;
  box.next = next;
  box.axes = axes_.count;
  for (int k = 0; k < axes_.count; ++k) {
    box.extent[k] = part.extent[k];
    box.in_pitch[k] = in_stride[k] * size_;
    box.out_pitch[k] = axes_[k].out * size_;
  }
  const std::int64_t nx = part.extent[0], ny = y_ < 0 ? 1 : part.extent[y_];
  const bool unit = axes_[0].out == 1;
  box.across = unit && y_ > 0 && in_stride[y_] == 1 && nx >= 4 && ny >= 4 ? y_ : -1;
  box.groups = unit && in_stride[0] == 1 && axes_.count > 1 && nx > 1 && nx * size_ <= 64;
  box.inner = inner_loop(part, in_stride, box.groups);
  box.streaming = streaming_;
  return box;
}

/// The loop along the input's fastest axis, or if that is short the longest that stays near: starting a loop costs more than
/// visiting a line of the cache again.
int MoveJob::inner_loop(const Part& part, const std::int64_t* in_stride, bool groups) const
{
  const auto order = core::input_order(axes_);
  const int first = groups ? 1 : 0; // with groups, axis 0 is the fastest of both arrays
  int longest = order[first];
  if (part.extent[longest] >= 16) return longest;
  for (int p = first + 1; p < axes_.count; ++p)
    if (in_stride[order[p]] * size_ <= box_side_bytes && part.extent[order[p]] > part.extent[longest])
      longest = order[p];
  return longest;
}

void MoveJob::run(std::int64_t task, const void* in, void* out) const
{
  std::int64_t in_stride[max_rank];
  for (int k = 0; k < max_rank; ++k) in_stride[k] = axes_[k].in;
  const auto* from = static_cast<const unsigned char*>(in);
  const std::int64_t last = tasks_.end(task);
  Part now = part(tasks_.begin(task));
  for (std::int64_t p = tasks_.begin(task); p < last; ++p) {
    const Part next = p + 1 < last ? part(p + 1) : now;
    move(now, from + now.in * size_, in_stride, static_cast<unsigned char*>(out) + now.out * size_,
         p + 1 < last ? from + next.in * size_ : nullptr);
    now = next;
  }
}

} // namespace Keramos::openmp::transpose
