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

/// Planes of fewer elements come several to a box.
constexpr std::int64_t smallest_plane = 1024;

/// A plane is cut at this many bytes along both axes. 1024 x 1024 f32: each 4 KiB page is visited for 4 KiB of input,
/// and the pages of both sides stay in a second-level TLB of 2048 entries.
constexpr std::int64_t plane_bytes = 4096;

/// With a functor a piece is as large as the buffer: rows of the output still have 8 lines, rows of the input 4.
/// Runs need no more than what a first-level cache holds beside them.
constexpr std::int64_t buffered_row_bytes = 512, buffered_run_bytes = 8 << 10;

/// A task is at least this much work, so that handing it out (about a microsecond) does not count; and a thread gets
/// several.
constexpr std::int64_t task_bytes = 128 << 10;
constexpr int tasks_a_thread = 8;

/// Small matrices of a stack come together up to this size, so that a call and its index arithmetic do not count.
constexpr std::int64_t swap_group_bytes = 8 << 10;

/// What a box covers of either array before it grows elsewhere: whole lines of the input, and runs of the output that are
/// long enough to be streamed.
constexpr std::int64_t box_input_bytes = 256, box_output_bytes = 256;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

int table_entry(int size) { return std::countr_zero(static_cast<unsigned>(size)); }

bool are_few(std::int64_t components) { return components >= 2 && components <= 8; }

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
  kind_ = MoveKind::boxes;
  x_ = 0;
  y_ = unit_of_input();
  streaming_ = axes_.size() * size_ >= streaming_bytes;
  if (axes_[0].out != 1 || y_ < 0) return;
  const MoveAxis &x = axes_[x_], &y = axes_[y_];
  const bool long_rows = x.extent * size_ >= shortest_streamed_bytes;
  if (y_ == 0) {
    if (axes_.count > 1 && x.extent * size_ < shortest_run_bytes) return;
    kind_ = MoveKind::runs;
    streaming_ = streaming_ && long_rows;
  } else if (x.extent * y.extent < smallest_plane) {
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

void MoveJob::choose_chunks(std::int64_t largest_piece)
{
  for (auto& chunk : chunk_) chunk = 1;
  const std::int64_t most = largest_piece ? largest_piece : INT64_MAX;
  const auto cut = [&](int k, std::int64_t chunk) {
    chunk_[k] = std::max<std::int64_t>(1, std::min(chunk, axes_[k].extent));
  };
  switch (kind_) {
  case MoveKind::runs: { // long runs in parts; many short ones together
    const std::int64_t run = largest_piece ? buffered_run_bytes / size_ : task_bytes / size_;
    cut(0, run);
    if (axes_.count > 1) cut(1, run / chunk_[0]);
    break;
  }
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
  case MoveKind::boxes:
    choose_box(std::min(most_box_bytes / size_, most));
    break;
  }
}

/// Grows a box along the fastest axes of the output, then of the input, then as far as the buffer goes.
void MoveJob::choose_box(std::int64_t elements)
{
  std::int64_t volume = 1;
  const auto grow = [&](int k, std::int64_t wanted) {
    const std::int64_t others = volume / chunk_[k];
    chunk_[k] = std::max(chunk_[k], std::min({wanted, axes_[k].extent, elements / others}));
    volume = others * chunk_[k];
  };
  const auto by_input = input_order();
  for (bool output : {true, false}) {
    const std::int64_t side = std::max<std::int64_t>(1, (output ? box_output_bytes : box_input_bytes) / size_);
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
  constexpr const char* names[] = {"runs", "tiles", "components", "interleave", "boxes"};
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

void MoveJob::move(const MovePiece& piece, const void* in, const std::int64_t* in_stride, void* out,
                   const void* next) const
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
  case MoveKind::boxes:
    kernels.box[entry](box(piece, from, in_stride, to, static_cast<const unsigned char*>(next)));
    break;
  }
}

Box MoveJob::box(const MovePiece& piece, const unsigned char* in, const std::int64_t* in_stride, unsigned char* out,
                 const unsigned char* next) const
{
  Box box{};
  box.in = in;
  box.out = out;
  box.next = next;
  box.axes = axes_.count;
  for (int k = 0; k < axes_.count; ++k) {
    box.extent[k] = piece.extent[k];
    box.in_pitch[k] = in_stride[k] * size_;
    box.out_pitch[k] = axes_[k].out * size_;
  }
  const std::int64_t nx = piece.extent[0], ny = y_ < 0 ? 1 : piece.extent[y_];
  const bool unit = axes_[0].out == 1;
  box.across = unit && y_ > 0 && in_stride[y_] == 1 && nx >= 4 && ny >= 4 ? y_ : -1;
  box.groups = unit && in_stride[0] == 1 && axes_.count > 1 && nx > 1 && nx * size_ <= 64;
  box.inner = inner_loop(piece, in_stride, box.groups);
  box.streaming = streaming_;
  return box;
}

/// The loop along the input's fastest axis, or if that is short the longest that stays near: starting a loop costs more than
/// visiting a line of the cache again.
int MoveJob::inner_loop(const MovePiece& piece, const std::int64_t* in_stride, bool groups) const
{
  const auto order = input_order();
  const int first = groups ? 1 : 0; // with groups, axis 0 is the fastest of both arrays
  int longest = order[first];
  if (piece.extent[longest] >= 16) return longest;
  for (int p = first + 1; p < axes_.count; ++p)
    if (in_stride[order[p]] * size_ <= box_input_bytes && piece.extent[order[p]] > piece.extent[longest])
      longest = order[p];
  return longest;
}

void MoveJob::run(std::int64_t task, const void* in, void* out) const
{
  std::int64_t in_stride[max_rank];
  for (int k = 0; k < max_rank; ++k) in_stride[k] = axes_[k].in;
  const auto* from = static_cast<const unsigned char*>(in);
  const std::int64_t first = task * pieces_a_task_, last = std::min(pieces(), first + pieces_a_task_);
  MovePiece now = piece(first);
  for (std::int64_t p = first; p < last; ++p) {
    const MovePiece next = p + 1 < pieces() ? piece(p + 1) : now;
    move(now, from + now.in * size_, in_stride, static_cast<unsigned char*>(out) + now.out * size_,
         p + 1 < last ? from + next.in * size_ : nullptr);
    now = next;
  }
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
  streaming_ = bytes >= streaming_bytes && order_ * size_ >= shortest_streamed_bytes;
  if (order_ <= tile_)
    group_ = std::clamp<std::int64_t>(swap_group_bytes / (order_ * order_ * size_), 1, stack_[0].extent);
  while (block_ > tile_ && works() < wanted) block_ /= 2;
  works_a_task_ = std::max<std::int64_t>(1, works() / wanted);
}

/// Groups of matrices, and within each the blocks on and right of the diagonal, row by row: row i begins at
/// i * n - i * (i - 1) / 2.
SwapJob::BlockPair SwapJob::block_pair(std::int64_t work) const
{
  const std::int64_t n = blocks(), pair = work % block_pairs(), group = work / block_pairs() % groups();
  BlockPair result{};
  result.base = group * group_ * stack_[0].out + stack_.offset(work / block_pairs() / groups(), 1).out;
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

void SwapJob::swap(const SwapPiece& piece, void* data) const
{
  auto* bytes = static_cast<unsigned char*>(data);
  transpose_kernels().swap_tiles[table_entry(size_)]({bytes + piece.a * size_, bytes + piece.b * size_, piece.x_extent,
                                                      piece.y_extent, fast_ * size_, slow_ * size_, piece.matrices,
                                                      matrix() * size_, piece.ahead, streaming_});
}

void SwapJob::run(std::int64_t task, void* data) const
{
  for_each_piece(task, [&](const SwapPiece& piece) { swap(piece, data); });
}

} // namespace Keramos::openmp
