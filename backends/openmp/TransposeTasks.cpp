// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TransposeTasks.hpp"
#include "HostKernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace Keramos::openmp {
namespace {

using core::MoveAxis;
constexpr int max_rank = core::max_rank;

/// Outputs from this size on are written past the caches: with the input, more than a core's share of the last one on
/// most machines, so that a reader would not find it there.
constexpr std::int64_t streaming_bytes = 4 << 20;

/// Runs and rows shorter than this are not worth a kernel call each, or would be streamed in mostly broken lines.
constexpr std::int64_t shortest_run_bytes = 64, shortest_streamed_bytes = 256;

/// A plane is cut at this many bytes along both axes. 1024 x 1024 f32: each 4 KiB page is visited for 4 KiB of input,
/// and the pages of both sides stay in a second-level TLB of 2048 entries.
constexpr std::int64_t plane_bytes = 4096;

/// With a functor a piece is as large as the buffer: rows of the output still have 8 lines, rows of the input 4.
constexpr std::int64_t buffered_row_bytes = 512;

/// A task is at least this much work, so that handing it out (about a microsecond) does not count; and a thread gets
/// several.
constexpr std::int64_t task_bytes = 128 << 10;
constexpr int tasks_a_thread = 8;

/// A box of the strided kernel: both sides stay in a first-level cache of 32 KiB.
constexpr std::int64_t box_bytes = 12 << 10;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int table_entry(int size) { return std::countr_zero(static_cast<unsigned>(size)); }

bool is_packed_skinny(std::int64_t components)
{
  return components == 2 || components == 3 || components == 4 || components == 6 || components == 8;
}

} // namespace

MoveJob::MoveJob(const core::MoveAxes& axes, int size, std::int64_t largest_piece) : axes_(axes), size_(size)
{
  if (largest_piece == 0) widen_elements();
  if (axes_.count == 0) axes_ = {1, {MoveAxis{1, 1, 1}}};
  choose_kind();
  choose_chunks(largest_piece);
}

/// Where neighbours are neighbours in both arrays, 2, 4, 8 or 16 bytes of them are one element.
void MoveJob::widen_elements()
{
  const auto is_even = [&] {
    for (int k = 1; k < axes_.count; ++k)
      if (axes_[k].in % 2 || axes_[k].out % 2) return false;
    return axes_[0].extent % 2 == 0;
  };
  while (axes_.count > 0 && axes_[0].in == 1 && axes_[0].out == 1 && size_ < 16 && is_even()) {
    size_ *= 2;
    axes_.axis[0].extent /= 2;
    for (int k = 1; k < axes_.count; ++k) axes_.axis[k].in /= 2, axes_.axis[k].out /= 2;
    if (axes_[0].extent == 1) axes_ = core::normalised(axes_.axis.data(), axes_.count);
  }
}

void MoveJob::choose_kind()
{
  const auto unit_of_input = [&] {
    for (int k = 0; k < axes_.count; ++k)
      if (axes_[k].in == 1) return k;
    return -1;
  };
  kind_ = MoveKind::strided;
  x_ = 0;
  y_ = unit_of_input();
  if (axes_[0].out != 1 || y_ < 0) return;
  const MoveAxis &x = axes_[x_], &y = axes_[y_];
  const std::int64_t total = axes_.size() * size_;
  if (y_ == 0) {
    if (axes_.count == 1 || x.extent * size_ >= shortest_run_bytes) kind_ = MoveKind::runs;
    streaming_ = total >= streaming_bytes && x.extent * size_ >= shortest_streamed_bytes;
    return;
  }
  if (x.extent * y.extent < 256) return; // a call a plane would cost more than its elements
  if (y.out == x.extent && x.extent * size_ < shortest_streamed_bytes) {
    kind_ = MoveKind::interleave;
    streaming_ = total >= streaming_bytes && x.extent * y.extent * size_ >= shortest_streamed_bytes;
  } else if (x.in == y.extent && is_packed_skinny(y.extent)) {
    kind_ = MoveKind::components;
    streaming_ = total >= streaming_bytes && x.extent * size_ >= shortest_streamed_bytes;
  } else if (x.extent >= 4) {
    kind_ = MoveKind::tiles;
    streaming_ = total >= streaming_bytes && x.extent * size_ >= shortest_streamed_bytes;
  }
}

void MoveJob::choose_chunks(std::int64_t largest_piece)
{
  for (auto& chunk : chunk_) chunk = 1;
  const std::int64_t most = largest_piece ? largest_piece : INT64_MAX;
  const auto cut = [&](int k, std::int64_t chunk) {
    chunk_[k] = std::max<std::int64_t>(1, std::min(chunk, axes_[k].extent));
  };
  switch (kind_) {
  case MoveKind::runs: // long runs in parts; many short ones together
    cut(0, std::min(task_bytes / size_, most));
    if (axes_.count > 1) cut(1, std::min(task_bytes / size_, most) / chunk_[0]);
    break;
  case MoveKind::tiles:
    cut(x_, (largest_piece ? buffered_row_bytes : plane_bytes) / size_);
    cut(y_, std::min(most / chunk_[x_], plane_bytes / size_));
    break;
  case MoveKind::components:
    cut(y_, axes_[y_].extent);
    cut(x_, std::min(task_bytes / size_, most) / chunk_[y_]);
    break;
  case MoveKind::interleave:
    cut(x_, axes_[x_].extent);
    cut(y_, std::min(task_bytes / size_, most) / chunk_[x_]);
    break;
  case MoveKind::strided:
    choose_box(std::min(box_bytes / size_, most));
    break;
  }
}

/// Grows a box along the fastest axes of the output, then of the input, until each side has whole lines; then as far as
/// the caches go. The kernel has four loops, so a fifth axis stays at 1.
void MoveJob::choose_box(std::int64_t elements)
{
  int axes_in_box = 0;
  std::int64_t volume = 1;
  const auto grow = [&](int k, std::int64_t wanted) {
    const std::int64_t now = chunk_[k];
    const std::int64_t next = std::min({wanted, axes_[k].extent, elements / (volume / now)});
    if (next <= now || (now == 1 && axes_in_box == 4)) return;
    axes_in_box += now == 1;
    volume = volume / now * next;
    chunk_[k] = next;
  };
  const std::int64_t side = std::max<std::int64_t>(1, 128 / size_);
  const auto by_input = input_order();
  for (bool output : {true, false}) {
    std::int64_t covered = 1;
    for (int p = 0; p < axes_.count && covered < side; ++p) {
      const int k = output ? p : by_input[p];
      grow(k, ceil_div(side, covered));
      covered *= chunk_[k];
    }
  }
  for (int k = 0; k < axes_.count; ++k) grow(k, axes_[k].extent);
}

Kokkos::Array<int, max_rank> MoveJob::input_order() const
{
  Kokkos::Array<int, max_rank> order{0, 1, 2, 3, 4, 5};
  const auto key = [&](int k) { // an axis that repeats the input comes last
    return axes_[k].in == 0 ? INT64_MAX : std::abs(axes_[k].in);
  };
  std::stable_sort(order.data(), order.data() + axes_.count, [&](int a, int b) { return key(a) < key(b); });
  return order;
}

std::string MoveJob::variant() const
{
  constexpr const char* names[] = {"runs", "tiles", "components", "interleave", "strided"};
  return std::string(names[static_cast<int>(kind_)]) + " " + std::to_string(size_) + "B";
}

std::int64_t MoveJob::pieces() const
{
  std::int64_t product = 1;
  for (int k = 0; k < axes_.count; ++k) product *= grid(k);
  return product;
}

void MoveJob::share(int threads)
{
  const std::int64_t wanted = std::max<std::int64_t>(
      1, std::min<std::int64_t>(threads * std::int64_t{tasks_a_thread}, axes_.size() * size_ / task_bytes));
  while (pieces() < wanted) { // halve the longest side of the pieces, down to 64 elements
    int longest = 0;
    for (int k = 1; k < axes_.count; ++k)
      if (chunk_[k] > chunk_[longest]) longest = k;
    if (chunk_[longest] < 128) break;
    chunk_[longest] = (chunk_[longest] / 2 + 63) / 64 * 64;
  }
  pieces_a_task_ = std::max<std::int64_t>(1, pieces() / wanted);
}

MovePiece MoveJob::piece(std::int64_t index) const
{
  MovePiece piece;
  for (int k = 0; k < axes_.count; ++k) {
    const std::int64_t count = grid(k), begin = index % count * chunk_[k];
    index /= count;
    piece.extent[k] = std::min(chunk_[k], axes_[k].extent - begin);
    piece.in += begin * axes_[k].in;
    piece.out += begin * axes_[k].out;
  }
  return piece;
}

void MoveJob::move(const MovePiece& piece, const void* in, const std::int64_t* in_stride, void* out) const
{
  const TransposeKernels& kernels = transpose_kernels();
  const int entry = table_entry(size_);
  const auto* from = static_cast<const unsigned char*>(in);
  auto* to = static_cast<unsigned char*>(out);
  const std::int64_t nx = piece.extent[x_], ny = y_ < 0 ? 1 : piece.extent[y_];
  switch (kind_) {
  case MoveKind::runs: {
    const bool many = axes_.count > 1;
    kernels.runs({from, to, nx * size_, many ? piece.extent[1] : 1, many ? in_stride[1] * size_ : 0,
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
  case MoveKind::strided: {
    Box box{from, to, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    int loops = 0;
    for (int k = 0; k < axes_.count; ++k) {
      if (piece.extent[k] == 1) continue;
      box.extent[loops] = piece.extent[k];
      box.in_pitch[loops] = in_stride[k] * size_;
      box.out_pitch[loops] = axes_[k].out * size_;
      if (box.extent[loops] > box.extent[0]) { // the longest loop innermost
        std::swap(box.extent[loops], box.extent[0]);
        std::swap(box.in_pitch[loops], box.in_pitch[0]);
        std::swap(box.out_pitch[loops], box.out_pitch[0]);
      }
      ++loops;
    }
    kernels.box[entry](box);
    break;
  }
  }
}

void MoveJob::run(std::int64_t task, const void* in, void* out) const
{
  std::int64_t in_stride[max_rank];
  for (int k = 0; k < max_rank; ++k) in_stride[k] = axes_[k].in;
  for_each_piece(task, [&](const MovePiece& piece) {
    move(piece, static_cast<const unsigned char*>(in) + piece.in * size_, in_stride,
         static_cast<unsigned char*>(out) + piece.out * size_);
  });
}

// ---- In place
// -----------------------------------------------------------------------------------------------------------

SwapJob::SwapJob(std::int64_t order, std::int64_t fast, std::int64_t slow, const core::MoveAxes& stack, int size)
    : order_(order), fast_(fast), slow_(slow), stack_(stack), size_(size), tile_(swap_tile(size)), block_(8 * tile_)
{
}

std::string SwapJob::variant() const
{
  return std::string(fast_ == 1 ? "tile pairs " : "strided pairs ") + std::to_string(size_) + "B";
}

void SwapJob::share(int threads)
{
  const std::int64_t bytes = stack_.size() * order_ * order_ * size_;
  const std::int64_t wanted =
      std::max<std::int64_t>(1, std::min<std::int64_t>(threads * std::int64_t{tasks_a_thread}, bytes / task_bytes));
  while (block_ > tile_ && stack_.size() * block_pairs() < wanted) block_ /= 2;
  pairs_a_task_ = std::max<std::int64_t>(1, stack_.size() * block_pairs() / wanted);
}

/// Blocks on and right of the diagonal, row by row: row i begins at i * n - i * (i - 1) / 2.
SwapJob::BlockPair SwapJob::block_pair(std::int64_t index) const
{
  const std::int64_t n = blocks(), rest = index % block_pairs();
  const auto begin = [&](std::int64_t row) { return row * n - row * (row - 1) / 2; };
  const double side = 2.0 * static_cast<double>(n) + 1;
  auto i =
      static_cast<std::int64_t>((side - std::sqrt(std::max(0.0, side * side - 8.0 * static_cast<double>(rest)))) / 2);
  while (i > 0 && begin(i) > rest) --i; // the root is rounded
  while (begin(i + 1) <= rest) ++i;
  return {stack_.offset(index / block_pairs()).out, i * block_, (i + rest - begin(i)) * block_};
}

void SwapJob::swap(const SwapPiece& piece, void* data) const
{
  auto* bytes = static_cast<unsigned char*>(data);
  transpose_kernels().swap_tiles[table_entry(size_)](
      {bytes + piece.a * size_, bytes + piece.b * size_, piece.x_extent, piece.y_extent, fast_ * size_, slow_ * size_});
}

void SwapJob::run(std::int64_t task, void* data) const
{
  for_each_piece(task, [&](const SwapPiece& piece) { swap(piece, data); });
}

} // namespace Keramos::openmp
