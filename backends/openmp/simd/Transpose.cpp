// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transpose.hpp"
#include "Box.hpp"
#include "Fill.hpp"
#include "Joined.hpp"
#include "Plane.hpp"
#include "Stream.hpp"
#include "Swap.hpp"

namespace Keramos::openmp {
namespace {

// ---- Interleave -----------------------------------------------------------------------------------------------------

/// Components [0, components) of the points from x on, to `out`, where these points begin.
template <int Size>
void fill_points(const Interleave& p, std::int64_t x, int extent, Byte* out)
{
  const Byte* const in = p.in + x * Size;
  const auto known = [&](auto k) { fill_interleaved<Size, decltype(k)::value>(in, p.in_pitch, extent, out); };
  if (with_components(p.components, known)) return;
  constexpr int points = 64;
  Byte* row[points];
  for (int first = 0; first < extent; first += points) {
    const int count = static_cast<int>(smaller(extent - first, points));
    for (int k = 0; k < count; ++k) row[k] = out + (first + k) * p.components * Size;
    fill<Size>(in + first * Size, p.in_pitch, p.components, count, row);
  }
}

/// Straight from registers; false where that is not possible.
template <int Size>
bool joined([[maybe_unused]] const Interleave& p)
{
#if defined(__AVX512F__)
  const bool can = p.extent >= line_bytes / Size && reinterpret_cast<std::uintptr_t>(p.out) % 4 == 0;
  return can && with_joined_components<Size>(p.components, [&](auto k) {
           join_interleaved<Size, decltype(k)::value>(p.in, p.in_pitch, p.extent, p.out);
         });
#else
  return false;
#endif
}

template <int Size>
void interleave(const Interleave& p)
{
  if (!p.streaming) {
    constexpr std::int64_t max_points = 1 << 20; // an int counts the points of one pass
    for (std::int64_t x = 0; x < p.extent; x += max_points)
      fill_points<Size>(p, x, static_cast<int>(smaller(p.extent - x, max_points)), p.out + x * p.components * Size);
    return;
  }
  if (joined<Size>(p)) return end_of_stream();
  constexpr int tile_bytes = 16384, block = 16; // half of a first-level cache; points of the largest register block
  alignas(line_bytes) Byte buffer[tile_bytes + line_bytes];
  const bool few = p.components <= 8; // of them the hardware's prefetches follow the long rows
  const std::int64_t fit = (few ? tile_bytes / 2 : tile_bytes) / (p.components * Size);
  const std::int64_t points = fit > block ? fit / block * block : fit;
  Row row;
  row.start(buffer, p.out);
  for (std::int64_t x = 0; x < p.extent; x += points) {
    const int count = static_cast<int>(smaller(p.extent - x, points));
    fill_points<Size>(p, x, count, row.more);
    const std::int64_t left = p.extent - x - count;
    const Byte* const next = left > 0 ? p.in + (x + count) * Size : p.next;
    const std::int64_t bytes = count * p.components * Size;
    Ahead ahead(next, p.in_pitch, next && !few ? p.components : 0, smaller(left > 0 ? left : p.extent, points) * Size);
    row.flush(static_cast<int>(bytes), [&, share = ahead.share(bytes / line_bytes + 1)] { ahead.prefetch(share); });
  }
  row.finish();
  end_of_stream();
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

void runs(const Runs& p)
{
  if (!p.streaming) {
    for (std::int64_t r = 0; r < p.rows; ++r) __builtin_memcpy(p.out + r * p.out_pitch, p.in + r * p.in_pitch, p.bytes);
    return;
  }
  constexpr std::int64_t distance = 2048; // long runs: ahead in the run itself; shorter ones: in the next run
  for (std::int64_t r = 0; r < p.rows; ++r) {
    const Byte* const in = p.in + r * p.in_pitch;
    stream_run(p.out + r * p.out_pitch, in, in + (p.bytes > 2 * distance ? distance : p.in_pitch), p.bytes);
  }
  end_of_stream();
}

// ---- Hops -----------------------------------------------------------------------------------------------------------

void hops(const Hops& h)
{
  for (int i = 0; i < h.count; ++i) {
    if (h.streaming)
      stream_run(h.to[i], h.from[i], h.from[smaller(i + max_hops_ahead, h.known - 1)], h.bytes);
    else
      __builtin_memcpy(h.to[i], h.from[i], h.bytes);
  }
  if (h.streaming) end_of_stream();
}

} // namespace

namespace KERAMOS_SIMD {
extern const TransposeKernels transpose_kernels = {
    runs,
    hops,
    {plane<1>, plane<2>, plane<4>, plane<8>, plane<16>},
    plane_of_groups,
    {interleave<1>, interleave<2>, interleave<4>, interleave<8>, interleave<16>},
    {box<1>, box<2>, box<4>, box<8>, box<16>},
    {swap_tiles<1>, swap_tiles<2>, swap_tiles<4>, swap_tiles<8>, swap_tiles<16>}};
}

} // namespace Keramos::openmp
