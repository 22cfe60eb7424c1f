// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel moves a problem, and what a part of it is.

#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/transpose/Layout.hpp"
#include "MoveJob.hpp"

#include <algorithm>

namespace Keramos::openmp::transpose {
namespace {

using core::MoveAxis;

/// Runs shorter than this are not worth a kernel call each.
constexpr std::int64_t min_run_bytes = 64;

/// Planes of fewer elements come several to a box.
constexpr std::int64_t min_plane = 1024;

/// The same of planes that are packed points of the output: 16x60 f32 28 GB/s, in boxes 17 (of 14x19x13x21x16x60, two Zen 4 cores).
constexpr std::int64_t min_interleaved = 256;

/// Rows of the input that are shorter stretches than a register block has rows; of 1- and 2-byte elements 7 and 10 in small planes went
/// at 0.75 and 0.85 times the speed of boxes.
constexpr std::int64_t min_stretch = 4, min_byte_stretch = 16;

/// A part of a plane has at most so many bytes of the output's rows, in float 1024 rows of the input, whose pages stay in a
/// second-level TLB of 2048 entries with those of a tile's output; and of rows of the input more, for 4096 bytes touch two pages, 65536
/// 17 (f32 65x128x96x111 and 31x40x24x33x70 reversed 1.1 times the speed, two Zen 4 cores).
constexpr std::int64_t plane_bytes = 4096, plane_row_bytes = 64 << 10;

/// Shorter rows of a plane go on along another axis. 1024 bytes and more, whole lines, lost a few percent by it (256x384x512 f32).
constexpr std::int64_t short_row_bytes = 1024;

/// Shorter rows of the output that lie side by side are interleaved where they are streamed, for their lines are not whole. 64, 65, 100, 128, 129
/// and 256 columns f32 41, 21, 21, 40, 28 and 41 GB/s as tiles and 43, 39, 39, 44, 39 and 45 so; of 2 bytes 290 and 500 columns 30 and 34,
/// 34 and 30, of 1 byte 300 and 900 22 and 28, 27 and 16 (two Zen 4 cores). From the buffer of a functor, 64 columns f32 33 and 20.
constexpr std::int64_t interleaved_bytes(int size) { return size < 4 ? 512 : 1024; }

/// Pieces that go through a buffer are as large as that: rows of the output still have 8 lines, rows of the input 4. Runs need
/// no more than what a first-level cache holds beside them.
constexpr std::int64_t buffered_row_bytes = 512, buffered_run_bytes = 8 << 10;

/// Numbers of components that the kernels know; sixteen of them where they may be joined to lines.
bool are_few(std::int64_t components, int size)
{
  return (components >= 2 && components <= 8) || (components == 16 && (size == 4 || size == 8));
}

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
  if (y_ == 0 && choose_groups()) return;
  const MoveAxis &x = axes_[x_], &y = axes_[y_];
  const bool long_rows = x.extent * size_ >= min_streamed_bytes;
  const bool from_memory = streaming_ && buffer == PieceBuffer::none;
  const std::int64_t interleaved_row = from_memory ? interleaved_bytes(size_) : min_streamed_bytes;
  if (y_ == 0) {
    if (axes_.count > 1 && x.extent * size_ < min_run_bytes) return;
    kind_ = MoveKind::runs;
    if (axes_.count > 1) y_ = core::input_order(axes_)[1];
    streaming_ = streaming_ && long_rows;
  } else if (y.out == x.extent && x.extent * size_ < interleaved_row && x.extent * y.extent >= min_interleaved) {
    kind_ = MoveKind::interleave;
    order_ = core::input_order(axes_);
  } else if (x.in == y.extent && are_few(y.extent, size_) && x.extent * y.extent >= min_plane) {
    kind_ = MoveKind::components;
    streaming_ = streaming_ && long_rows;
  } else {
    choose_tiles();
  }
}

/// Planes are large enough by themselves, or short axes are together with those that continue them.
void MoveJob::choose_tiles()
{
  choose_beyond();
  const MoveAxis &x = axes_[x_], &y = axes_[y_];
  const std::int64_t row = x.extent * (beyond_x_ > 0 ? axes_[beyond_x_].extent : 1);
  const std::int64_t column = y.extent * (beyond_y_ > 0 ? axes_[beyond_y_].extent : 1);
  const std::int64_t stretch = x.extent * y.extent < min_plane && size_ < 4 ? min_byte_stretch : min_stretch;
  if (x.extent < stretch || row * column < min_plane) {
    beyond_x_ = beyond_y_ = -1;
    return;
  }
  kind_ = MoveKind::tiles;
  streaming_ = streaming_ && row * size_ >= min_streamed_bytes;
}

/// Neighbours along axis 0 that change places as they are.
bool MoveJob::choose_groups()
{
  const std::int64_t group = axes_[0].extent;
  if (axes_.count < 3 || group * size_ > max_group_bytes || axes_[1].out != group || axes_[1].in <= group) return false;
  for (int k = 2; k < axes_.count; ++k) {
    if (axes_[k].in != group || axes_[1].extent * axes_[k].extent * group < min_plane) continue;
    kind_ = MoveKind::groups;
    x_ = 1;
    y_ = k;
    streaming_ = streaming_ && axes_[1].extent * group * size_ >= min_streamed_bytes;
    return true;
  }
  return false;
}

/// Short rows go on along the axis that continues them, if the other side does not need it.
void MoveJob::choose_beyond()
{
  const MoveAxis &x = axes_[x_], &y = axes_[y_];
  const auto is_short = [&](const MoveAxis& axis) { return axis.extent * size_ < short_row_bytes; };
  if (axes_.count > 2 && y_ != 1 && is_short(x) && axes_[1].out == x.extent) beyond_x_ = 1;
  for (int k = 1; k < axes_.count; ++k)
    if (k != y_ && k != beyond_x_ && is_short(y) && axes_[k].in == y.extent) beyond_y_ = k;
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
  case MoveKind::
      runs: { // long runs in some parts; many short ones together in one. Reads go on where they are (1.5 to 3 times)
    order_ = core::input_order(axes_);
    const std::int64_t run = (buffered ? buffered_run_bytes : task_bytes) / size_;
    bound(part, 0, run);
    if (axes_.count > 1) bound(part, y_, run / part[0]);
    break;
  }
  case MoveKind::tiles:
    bound(part, x_, plane_bytes / size_);
    bound(part, y_, plane_row_bytes / size_);
    if (beyond_x_ > 0) bound(part, beyond_x_, plane_bytes / size_ / part[x_]);
    if (beyond_y_ > 0) bound(part, beyond_y_, plane_row_bytes / size_ / part[y_]);
    break;
  case MoveKind::groups: {
    const std::int64_t group = axes_[0].extent, along = plane_bytes / size_ / group;
    part[0] = group;
    bound(part, x_, along);
    bound(part, y_, buffered ? std::min(along, buffer.elements / group / part[x_]) : along);
    break;
  }
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
    PerAxis& piece = piece_extent_;
    const auto pair = [&](int k, int beyond, std::int64_t extent) { // how many elements they have together
      bound(piece, k, extent);
      if (beyond > 0) bound(piece, beyond, piece[k] < axes_[k].extent ? 1 : extent / piece[k]);
      return piece[k] * (beyond > 0 ? piece[beyond] : 1);
    };
    const std::int64_t row = pair(x_, beyond_x_, buffered_row_bytes / size_);
    pair(y_, beyond_y_, std::min(buffer.elements / row, plane_bytes / size_));
  }
}

} // namespace Keramos::openmp::transpose
