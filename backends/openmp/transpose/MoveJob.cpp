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

/// Runs shorter than this are not worth a kernel call each.
constexpr std::int64_t min_run_bytes = 64;

/// Planes of fewer elements come several to a box.
constexpr std::int64_t min_plane = 1024;

/// A part of a plane has at most this many bytes along both axes. 1024 x 1024 f32: each 4 KiB page is visited for 4 KiB
/// of input, and the pages of both sides stay in a second-level TLB of 2048 entries.
constexpr std::int64_t plane_bytes = 4096;

/// Pieces that go through a buffer are as large as that: rows of the output still have 8 lines, rows of the input 4. Runs need
/// no more than what a first-level cache holds beside them.
constexpr std::int64_t buffered_row_bytes = 512, buffered_run_bytes = 8 << 10;

/// What a box covers of either array before it grows elsewhere: whole lines of the input, and runs of the output that are
/// long enough to be streamed.
constexpr std::int64_t box_side_bytes = 256;

bool are_few(std::int64_t components) { return components >= 2 && components <= 8; }

} // namespace

MoveJob::MoveJob(const core::MoveAxes& axes, int size, const PieceBuffer& buffer) : axes_(axes), size_(size)
{
  if (buffer.side == PieceBuffer::none) size_ = core::widen(axes_, size_);
  core::ensure_axis(axes_);
  choose_kind(buffer.side);
  choose_part(buffer);
}

/// What the kernels write to a buffer stays in the caches.
void MoveJob::choose_kind(PieceBuffer::Side buffer)
{
  const auto unit_of_input = [&] {
    for (int k = 0; k < axes_.count; ++k)
      if (axes_[k].in == 1) return k;
    return -1;
  };
  kind_ = MoveKind::boxes;
  x_ = 0;
  y_ = unit_of_input();
  streaming_ = buffer != PieceBuffer::behind && axes_.size() * size_ >= streaming_bytes;
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

void MoveJob::choose_part(const PieceBuffer& buffer)
{
  const bool buffered = buffer.side != PieceBuffer::none;
  for (auto& extent : part_extent_) extent = 1;
  const auto bound = [&](PerAxis& extents, int k, std::int64_t extent) {
    extents[k] = std::max<std::int64_t>(1, std::min(extent, axes_[k].extent));
  };
  PerAxis& part = part_extent_;
  switch (kind_) {
  case MoveKind::runs: { // long runs in some parts; many short ones together in one
    const std::int64_t run = (buffered ? buffered_run_bytes : task_bytes) / size_;
    bound(part, 0, run);
    if (axes_.count > 1) bound(part, 1, run / part[0]);
    break;
  }
  case MoveKind::tiles:
    bound(part, x_, plane_bytes / size_);
    bound(part, y_, plane_bytes / size_);
    break;
  case MoveKind::components:
    bound(part, y_, axes_[y_].extent);
    bound(part, x_, std::min(task_bytes / size_, buffer.elements) / part[y_]);
    break;
  case MoveKind::interleave:
    bound(part, x_, axes_[x_].extent);
    bound(part, y_, std::min(task_bytes / size_, buffer.elements) / part[x_]);
    break;
  case MoveKind::boxes: {
    core::BoxShape box(axes_, {std::min(max_box_bytes / size_, buffer.elements)});
    box.cover(std::max<std::int64_t>(1, box_side_bytes / size_));
    for (int k = 0; k < axes_.count; ++k) part[k] = box.extent(k);
    break;
  }
  }
  piece_extent_ = part_extent_;
  if (buffer.side == PieceBuffer::behind && kind_ == MoveKind::tiles) {
    bound(piece_extent_, x_, buffered_row_bytes / size_);
    bound(piece_extent_, y_, std::min(buffer.elements / piece_extent_[x_], plane_bytes / size_));
  }
}

core::Text MoveJob::variant(const char* behind) const
{
  return [kind = kind_, size = size_, behind] {
    constexpr const char* names[] = {"runs", "tiles", "components", "interleave", "boxes"};
    return core::text(names[static_cast<int>(kind)], " ", size, "B", behind, instruction_set_name());
  };
}

PerAxis MoveJob::in_strides() const
{
  PerAxis strides{};
  for (int k = 0; k < axes_.count; ++k) strides[k] = axes_[k].in;
  return strides;
}

PerAxis MoveJob::out_strides() const
{
  PerAxis strides{};
  for (int k = 0; k < axes_.count; ++k) strides[k] = axes_[k].out;
  return strides;
}

Part MoveJob::whole() const
{
  Part all;
  for (int k = 0; k < axes_.count; ++k) all.extent[k] = axes_[k].extent;
  return all;
}

std::int64_t MoveJob::count(const Part& what, const PerAxis& extent) const
{
  std::int64_t product = 1;
  for (int k = 0; k < axes_.count; ++k) product *= core::ceil_div(what.extent[k], extent[k]);
  return product;
}

Part MoveJob::cut(const Part& what, const PerAxis& extent, std::int64_t index) const
{
  Part part = what;
  for (int k = 0; k < axes_.count; ++k) {
    const std::int64_t along = core::ceil_div(what.extent[k], extent[k]), begin = index % along * extent[k];
    index /= along;
    part.extent[k] = std::min(extent[k], what.extent[k] - begin);
    part.in += begin * axes_[k].in;
    part.out += begin * axes_[k].out;
  }
  return part;
}

void MoveJob::share(int threads)
{
  const std::int64_t wanted = wanted_tasks(axes_.size() * size_, threads);
  while (count(whole(), part_extent_) < wanted) { // halve the longest side of the parts, down to 64 elements
    std::int64_t& longest = *std::max_element(part_extent_.data(), part_extent_.data() + axes_.count);
    if (longest < 128) break;
    longest = core::round_up(longest / 2, 64);
  }
  tasks_ = Tasks(count(whole(), part_extent_), wanted);
}

void MoveJob::move(const Part& part, const void* in, const PerAxis& in_stride, void* out, const PerAxis& out_stride,
                   const void* next) const
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
                  many ? out_stride[1] * size_ : 0, streaming_});
    break;
  }
  case MoveKind::tiles:
  case MoveKind::components:
    kernels.plane[entry]({from, to, nx, ny, in_stride[x_] * size_, out_stride[y_] * size_, streaming_});
    break;
  case MoveKind::interleave:
    kernels.interleave[entry]({from, to, ny, nx, in_stride[x_] * size_, streaming_});
    break;
  case MoveKind::boxes:
    kernels.box[entry](box(part, from, in_stride, to, out_stride, static_cast<const unsigned char*>(next)));
    break;
  }
}

void MoveJob::convert(const Part& part, const void* in, void* out, const Conversion& conversion) const
{
  transpose_kernels().plane[table_entry(size_)](
      {static_cast<const unsigned char*>(in), static_cast<unsigned char*>(out), part.extent[x_], part.extent[y_],
       axes_[x_].in * conversion.in_size, axes_[y_].out * size_, streaming_, &conversion});
}

Box MoveJob::box(const Part& part, const unsigned char* in, const PerAxis& in_stride, unsigned char* out,
                 const PerAxis& out_stride, const unsigned char* next) const
{
  Box box{};
  box.in = in;
  box.out = out;
  box.next = next;
  box.axes = axes_.count;
  for (int k = 0; k < axes_.count; ++k) {
    box.extent[k] = part.extent[k];
    box.in_pitch[k] = in_stride[k] * size_;
    box.out_pitch[k] = out_stride[k] * size_;
  }
  const std::int64_t nx = part.extent[0], ny = y_ < 0 ? 1 : part.extent[y_];
  const bool unit = out_stride[0] == 1;
  box.across = unit && y_ > 0 && in_stride[y_] == 1 && nx >= 4 && ny >= 4 ? y_ : -1;
  const auto order = core::input_order(axes_);
  box.groups = unit && order[0] == 0 && in_stride[0] == 1 && axes_.count > 1 && nx > 1 && nx * size_ <= 64;
  box.inner = inner_loop(part, in_stride, order, box.groups);
  box.streaming = streaming_;
  return box;
}

/// The loop along the input's fastest axis, or if that is short the longest that stays near: starting a loop costs more than
/// visiting a line of the cache again.
int MoveJob::inner_loop(const Part& part, const PerAxis& in_stride, const std::array<int, core::max_rank>& order,
                        bool groups) const
{
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
  const PerAxis in_stride = in_strides(), out_stride = out_strides();
  const auto* from = static_cast<const unsigned char*>(in);
  const std::int64_t last = tasks_.end(task);
  Part now = part(tasks_.begin(task));
  for (std::int64_t p = tasks_.begin(task); p < last; ++p) {
    const Part next = p + 1 < last ? part(p + 1) : now;
    move(now, from + now.in * size_, in_stride, static_cast<unsigned char*>(out) + now.out * size_, out_stride,
         p + 1 < last ? from + next.in * size_ : nullptr);
    now = next;
  }
}

} // namespace Keramos::openmp::transpose
