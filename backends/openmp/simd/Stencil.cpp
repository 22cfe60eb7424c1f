// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencil.hpp"
#include "DirectBlock.hpp"
#include "Finished.hpp"
#include "Line.hpp"
#include "StarBlock.hpp"
#include "Stream.hpp"
#include "Vector.hpp"

namespace Keramos::openmp {
namespace {

/// Where the vectors of a sum lie: one behind the other in a row, or in as many rows that lie `pitch` apart.
template <int Lanes>
struct InRow {
  static constexpr std::int64_t offset(int v) { return v * Lanes; }
  template <int Radius, class V, int Vectors, class T, class Access>
  [[gnu::always_inline]] void add_taps_of_line(V (&sum)[Vectors], const T* first, const T* weight, const Access&) const
  {
    if constexpr (Radius > 0) add_line<Radius>(sum, first, weight);
  }
};
struct InRows {
  std::int64_t pitch;

  std::int64_t offset(int v) const { return v * pitch; }
  template <int Radius, class V, int Vectors, class T, class Access>
  [[gnu::always_inline]] void add_taps_of_line(V (&sum)[Vectors], const T* first, const T* weight,
                                               const Access& access) const
  {
    if constexpr (Radius > 0)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v)
        sum[v] = with_line<Radius>(sum[v], first + Radius + offset(v), weight, access,
                                   typename MakeLanes<2 * Radius + 1>::type());
  }
};

/// Adds the taps to `Vectors` vectors of sums, which stay in registers. Radius: of the lines among them, 0 if none are shifted.
template <int Radius, class V, int Vectors, class T, class Places, class Access>
[[gnu::always_inline]] inline void add_taps(V (&sum)[Vectors], const StencilTaps<T>& taps, std::int64_t x,
                                            const Places& places, const Access& access)
{
  for (int s = 0, t = 0; s < taps.segments; ++s) {
    const std::int64_t at = x + taps.shift + taps.segment[s].shift;
    const int end = taps.segment[s].end;
    if constexpr (Radius > 0)
      if (taps.segment[s].is_line) {
        places.template add_taps_of_line<Radius>(sum, taps.tap[t] + at, taps.weight + t, access);
        t = end;
      }
    for (; t < end; ++t)
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v)
        sum[v] = multiply_add(sum[v], taps.weight[t], access.template get<V>(taps.tap[t] + at + places.offset(v)));
  }
}

template <bool LeapFrog, int Radius, int Lanes, int Vectors, class T, class Access = Whole>
[[gnu::always_inline]] inline void points(const StencilRow<T>& row, std::int64_t x, bool streaming,
                                          const Access& access = {})
{
  using V = Vector<T, Lanes>;
  V sum[Vectors] = {};
  add_taps<Radius>(sum, row.taps, x, InRow<Lanes>(), access);
  for (int v = 0; v < Vectors; ++v) sum[v] = finished<LeapFrog>(row.operands, x + v * Lanes, sum[v], access);
  store_all<Lanes>(row.out + x, sum, streaming, access);
}

/// The same for the planes of a block.
template <class V, int Lanes, int Vectors, class T, class Access>
[[gnu::always_inline]] inline void add_block_taps(V (&sum)[block_planes][Vectors], const StencilBlock<T>& block,
                                                  std::int64_t x, const Access& access)
{
  for (int s = 0, t = 0; s < block.taps.segments; ++s) {
    const TapSegment segment = block.taps.segment[s];
    const std::int64_t at = x + block.taps.shift + segment.shift;
    for (; t < segment.end; ++t) {
      const T* const tap = block.taps.tap[t] + at;
#pragma GCC unroll 4
      for (int p = 0; p < block_planes; ++p)
        for (int v = 0; v < Vectors; ++v)
          sum[p][v] = multiply_add(sum[p][v], block.taps.weight[t],
                                   access.template get<V>(tap + p * segment.pitch + v * Lanes));
    }
  }
}

/// Adds the half of the column whose offsets are Begin ... Begin + Radius - 1; its rows are loaded once for all planes.
template <int Radius, int Begin, class V, int Lanes, int Vectors, class T, class Access>
[[gnu::always_inline]] inline void add_column(V (&sum)[block_planes][Vectors], const StencilBlock<T>& block,
                                              std::int64_t x, const Access& access)
{
#pragma GCC unroll 20
  for (int s = Begin; s < Begin + Radius + block_planes - 1; ++s) {
    const T* const row = block.column[Radius + s] + block.column_shift + x;
    V value[Vectors];
    for (int v = 0; v < Vectors; ++v) value[v] = access.template get<V>(row + v * Lanes);
#pragma GCC unroll 4
    for (int p = 0; p < block_planes; ++p)
      if (s - p >= Begin && s - p < Begin + Radius)
        for (int v = 0; v < Vectors; ++v)
          sum[p][v] = multiply_add(sum[p][v], block.column_weight[Radius + s - p], value[v]);
  }
}

template <bool LeapFrog, int Radius, int Lanes, int Vectors, class T, class Access = Whole>
[[gnu::always_inline]] inline void points(const StencilBlock<T>& block, std::int64_t x, bool streaming,
                                          const Access& access = {})
{
  using V = Vector<T, Lanes>;
  V sum[block_planes][Vectors] = {};
  if constexpr (Radius > 0) add_column<Radius, -Radius, V, Lanes>(sum, block, x, access);
  add_block_taps<V, Lanes>(sum, block, x, access);
  if constexpr (Radius > 0) add_column<Radius, 1, V, Lanes>(sum, block, x, access);
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p) {
    for (int v = 0; v < Vectors; ++v)
      sum[p][v] = finished<LeapFrog>(block.operands[p], x + v * Lanes, sum[p][v], access);
    store_all<Lanes>(block.out[p] + x, sum[p], streaming, access);
  }
}

/// Points that smaller vectors would take several of: 8, 4 or 1 are one, and cost less. Rows of 62 and 94 points (star<3,1>
/// and box<3,1>, 64^3 and 96^3, Zen 4) by a mask: 1.14 to 1.22 times the speed; rows of 56 and 88 (star<3,4>): 0.9 times.
constexpr bool is_worth_a_mask(std::int64_t points) { return points == 2 || (points & (points - 1)) != 0; }

/// The points [x, end), fewer than a kernel takes at once, by whole vectors and then by a part of one, or by smaller ones.
template <bool LeapFrog, int Lanes, class T>
[[gnu::always_inline]] inline void few_points(const StencilRow<T>& row, std::int64_t x, std::int64_t end)
{
  for (; x + Lanes <= end; x += Lanes) points<LeapFrog, 0, Lanes, 1>(row, x, false);
  if constexpr (masks_vectors && Lanes == native_lanes<T>)
    if (is_worth_a_mask(end - x)) return points<LeapFrog, 0, Lanes, 1>(row, x, false, First{static_cast<int>(end - x)});
  if constexpr (Lanes > 1) few_points<LeapFrog, (Lanes > 4 ? Lanes / 2 : 1)>(row, x, end);
}
template <bool LeapFrog, int Radius, int Lanes, class T>
[[gnu::always_inline]] inline void few_points(const StencilBlock<T>& block, std::int64_t x, std::int64_t end)
{
  for (; x + Lanes <= end; x += Lanes) points<LeapFrog, Radius, Lanes, 1>(block, x, false);
  if constexpr (masks_vectors && Lanes == native_lanes<T>)
    if (is_worth_a_mask(end - x))
      return points<LeapFrog, Radius, Lanes, 1>(block, x, false, First{static_cast<int>(end - x)});
  if constexpr (Lanes > 1) few_points<LeapFrog, Radius, (Lanes > 4 ? Lanes / 2 : 1)>(block, x, end);
}

// The ends of a run, compiled once a kernel.
template <bool LeapFrog, class T>
[[gnu::noinline]] void row_ends(const StencilRow<T>& row, std::int64_t x, std::int64_t end)
{
  few_points<LeapFrog, native_lanes<T>>(row, x, end);
}
template <bool LeapFrog, int Radius, class T>
[[gnu::noinline]] void block_ends(const StencilBlock<T>& block, std::int64_t x, std::int64_t end)
{
  few_points<LeapFrog, Radius, native_lanes<T>>(block, x, end);
}

/// Brings the points [begin, end) of a row to come to the second-level cache: those at the ends of a run as well, which are a quarter of
/// one of 512 in float (star<3,1> f32 500^3, derivative along axis 1 512^3, one Zen 4 core: 1.82 and 2.50, 2.27 and 3.07 Gpoint/s).
template <class T>
[[gnu::always_inline]] inline void prefetch_points(const T* ahead, std::int64_t begin, std::int64_t end)
{
  constexpr int line = line_bytes / static_cast<int>(sizeof(T));
  for (std::int64_t at = begin; at < end; at += line) __builtin_prefetch(ahead + at, 0, 2);
}

/// Moves what an epilogue reads on to the row `count` rows below.
template <class T>
[[gnu::always_inline]] inline void advance(OperandRows<T>& rows, std::int64_t pitch, const std::int64_t* operand_pitch,
                                           int count)
{
  if (rows.centre) rows.centre += count * pitch;
  for (int n = 0; n < kernel_operands; ++n)
    if (rows.operand[n]) rows.operand[n] += count * operand_pitch[n];
}

/// The row `count` rows below becomes the first one.
template <class T>
[[gnu::always_inline]] inline void advance(StencilRow<T>& row, int count)
{
  row.rows -= count;
  row.rows_ahead -= count;
  row.ahead = row.ahead && row.rows_ahead > 0 ? row.ahead + count * row.pitch : nullptr;
  row.taps.shift += count * row.pitch;
  row.out += count * row.out_pitch;
  advance(row.operands, row.pitch, row.operand_pitch, count);
}
template <class T>
[[gnu::always_inline]] inline void advance(StencilBlock<T>& block)
{
  block.rows -= 1;
  block.rows_ahead -= 1;
  block.ahead = block.ahead && block.rows_ahead > 0 ? block.ahead + block.row_pitch : nullptr;
  block.taps.shift += block.row_pitch;
  block.column_shift += block.row_pitch;
  for (int p = 0; p < block_planes; ++p) {
    block.out[p] += block.out_pitch;
    advance(block.operands[p], block.row_pitch, block.operand_pitch, 1);
  }
}

/// Of short rows so many are summed at once, a vector of each: as many independent sums as a long row has.
constexpr int rows_of_group = 8;

/// The points at x of the first rows.
template <bool LeapFrog, int Radius, class T, class Access>
[[gnu::always_inline]] inline void group_points(const StencilRow<T>& first, std::int64_t x, const Access& access)
{
  Vector<T, native_lanes<T>> sum[rows_of_group] = {};
  add_taps<Radius>(sum, first.taps, x, InRows{first.pitch}, access);
  StencilRow<T> row = first;
#pragma GCC unroll 8
  for (int r = 0; r < rows_of_group; ++r) {
    access.put(row.out + x, finished<LeapFrog>(row.operands, x, sum[r], access));
    if constexpr (LeapFrog)
      advance(row, 1);
    else
      row.out += row.out_pitch;
  }
}

/// Whether rows of so many points are summed in groups.
template <bool LeapFrog, class T>
constexpr bool sums_in_groups(std::int64_t length)
{
  return masks_vectors || (!LeapFrog && length >= native_lanes<T>);
}

/// The first rows. Sums alone may be computed twice, and so the last vector of a row overlaps the one before.
template <bool LeapFrog, int Radius, class T>
[[gnu::always_inline]] inline void row_group(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>;
  std::int64_t x = 0;
  for (; x + lanes <= row.length; x += lanes) group_points<LeapFrog, Radius>(row, x, Whole());
  if (x == row.length) return;
  if (!LeapFrog && x > 0) return group_points<LeapFrog, Radius>(row, row.length - lanes, Whole());
  if constexpr (masks_vectors) group_points<LeapFrog, Radius>(row, x, First{static_cast<int>(row.length - x)});
}

/// Short rows, of which there are enough.
template <bool LeapFrog, int Radius, class T>
[[gnu::noinline]] void row_groups(StencilRow<T>& row)
{
  for (; row.rows >= rows_of_group; advance(row, rows_of_group)) row_group<LeapFrog, Radius>(row);
  if (LeapFrog || row.rows == 0) return;
  advance(row, row.rows - rows_of_group);
  row_group<LeapFrog, Radius>(row);
  row.rows = 0;
}

/// Whole vectors, then what is left by smaller ones: no point is computed twice, because `out` may be an operand.
template <bool LeapFrog, int Radius, class T>
[[gnu::always_inline]] inline void one_row(const StencilRow<T>& row)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = 8; // independent sums: enough to hide the latency of two FMA pipes
  const bool is_long = row.length * static_cast<int>(sizeof(T)) >= long_run_bytes, streaming = is_long && row.streaming;
  std::int64_t x = points_before_line(row.out, is_long);
  if (row.ahead) {
    prefetch_points(row.ahead, 0, x);
    prefetch_points(row.ahead, row.length - (row.length - x) % (vectors * lanes), row.length);
  }
  if (x > 0) row_ends<LeapFrog>(row, 0, x);
  for (; x + vectors * lanes <= row.length; x += vectors * lanes) {
    if (row.ahead) prefetch_points(row.ahead, x, x + vectors * lanes);
    points<LeapFrog, Radius, lanes, vectors>(row, x, streaming);
  }
  for (; x + 2 * lanes <= row.length; x += 2 * lanes) points<LeapFrog, Radius, lanes, 2>(row, x, streaming);
  if (x < row.length) row_ends<LeapFrog>(row, x, row.length);
}

/// The same for those of a block.
template <class T>
[[gnu::always_inline]] inline void prefetch_points(const StencilBlock<T>& block, std::int64_t begin, std::int64_t end)
{
  if (!block.ahead) return;
#pragma GCC unroll 4
  for (int p = 0; p < block_planes; ++p) prefetch_points(block.ahead + p * block.pitch, begin, end);
}

template <bool LeapFrog, int Radius, class T>
[[gnu::always_inline]] inline void one_row(const StencilBlock<T>& block)
{
  constexpr int lanes = native_lanes<T>;
  constexpr int vectors = vector_bytes == 64 ? 4 : 2; // block_planes * vectors sums, within 32 or 16 registers
  const bool is_long = block.length * static_cast<int>(sizeof(T)) >= long_run_bytes,
             streaming = is_long && block.streaming;
  std::int64_t x = points_before_line(block.out[0], is_long);
  prefetch_points(block, 0, x);
  prefetch_points(block, block.length - (block.length - x) % (vectors * lanes), block.length);
  if (x > 0) block_ends<LeapFrog, Radius>(block, 0, x);
  for (; x + vectors * lanes <= block.length; x += vectors * lanes) {
    prefetch_points(block, x, x + vectors * lanes);
    points<LeapFrog, Radius, lanes, vectors>(block, x, streaming);
  }
  if constexpr (vectors > 2)
    for (; x + 2 * lanes <= block.length; x += 2 * lanes) points<LeapFrog, Radius, lanes, 2>(block, x, streaming);
  if (x < block.length) block_ends<LeapFrog, Radius>(block, x, block.length);
}

template <bool LeapFrog, int Radius, class T>
void block_kernel(const StencilBlock<T>& rows)
{
  StencilBlock<T> next; // copied only where there are more rows: near edges there are not
  const StencilBlock<T>* block = &rows;
  for (int left = rows.rows;;) {
    if (block->streaming && left > 1)
#pragma GCC unroll 4
      for (int p = 0; p < block_planes; ++p) prefetch_ends(block->out[p] + block->out_pitch, block->length);
    one_row<LeapFrog, Radius>(*block);
    if (--left == 0) return;
    if (block == &rows) next = rows;
    block = &next;
    advance(next);
  }
}

template <bool LeapFrog, int Radius, class T>
void row_kernel(const StencilRow<T>& rows)
{
  StencilRow<T> next;
  const StencilRow<T>* row = &rows;
  const bool is_short = rows.length * static_cast<int>(sizeof(T)) < long_run_bytes;
  if (is_short && rows.rows >= rows_of_group && !rows.ahead && sums_in_groups<LeapFrog, T>(rows.length)) {
    next = rows;
    row = &next;
    row_groups<LeapFrog, Radius>(next);
  }
  for (int left = row->rows; left > 0;) {
    if (row->streaming && left > 1) prefetch_ends(row->out + row->out_pitch, row->length);
    one_row<LeapFrog, Radius>(*row);
    if (--left == 0) return;
    if (row == &rows) next = rows;
    row = &next;
    advance(next, 1);
  }
}

void stream(void* out, const void* values, std::int64_t bytes)
{
  write_run(static_cast<Byte*>(out), static_cast<const Byte*>(values), bytes, true);
}

/// That of rows with lines, where they are shifted.
template <bool LeapFrog, int Radius, class T>
constexpr auto line_kernel() -> void (*)(const StencilRow<T>&)
{
  constexpr int shifted = shifts_lines ? Radius : 0;
  return row_kernel<LeapFrog, shifted, T>;
}

template <bool LeapFrog, class T>
constexpr FinishedKernels<T> finished_kernels()
{
  return {{row_kernel<LeapFrog, 0, T>, line_kernel<LeapFrog, 1, T>(), line_kernel<LeapFrog, 2, T>(),
           line_kernel<LeapFrog, 3, T>(), line_kernel<LeapFrog, 4, T>()},
          {block_kernel<LeapFrog, 0, T>, block_kernel<LeapFrog, 1, T>, block_kernel<LeapFrog, 2, T>,
           block_kernel<LeapFrog, 3, T>, block_kernel<LeapFrog, 4, T>, block_kernel<LeapFrog, 5, T>,
           block_kernel<LeapFrog, 6, T>, block_kernel<LeapFrog, 7, T>, block_kernel<LeapFrog, 8, T>},
          {nullptr, star_kernel<LeapFrog, 1, T>(), star_kernel<LeapFrog, 2, T>(), star_kernel<LeapFrog, 3, T>(),
           star_kernel<LeapFrog, 4, T>()}};
}

template <class T>
constexpr StencilKernelsOf<T> kernels_of()
{
  return {finished_kernels<false, T>(),
          finished_kernels<true, T>(),
          {nullptr, column_kernel<1, T>(), column_kernel<2, T>(), column_kernel<3, T>(), column_kernel<4, T>()}};
}

} // namespace

namespace KERAMOS_SIMD {
extern const StencilKernels stencil_kernels = {kernels_of<float>(), kernels_of<double>(), stream, end_of_stream};
}

} // namespace Keramos::openmp
