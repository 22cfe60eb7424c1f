// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the box of a block lies, and the runs that it has on both sides: what BoxRows.hpp looks up in tables.
#pragma once

#include "Access.hpp"
#include "Jobs.hpp"
#include "Shapes.hpp"

namespace Keramos::cuda::transpose {

/// The runs of one side of a box.
struct BoxRuns {
  unsigned length = 1, rows = 1;

  /// Axis k of the grid counts, if it is one of theirs.
  __device__ __forceinline__ void count(const BoxRowsJob::Side& side, int k, unsigned extent)
  {
    length *= side.along >> k & 1 ? extent : 1;
    rows *= side.across >> k & 1 ? extent : 1;
  }
};

/// Where a box lies, its part of each run of the output, and its runs.
struct BoxPlace {
  Offsets at;
  unsigned lead; ///< along the axis that is cut, in front of the box's own elements
  bool ends;     ///< the runs end with the box; else before the last sector that they do not fill
  BoxRuns in, out;
};

/// Where a box begins; the first thread notes its extents. The same for all threads, and unrolled, so that none waits for
/// another.
__device__ __forceinline__ BoxPlace find_box_rows(const BoxRowsJob& job, unsigned box, unsigned* extents)
{
  BoxPlace place{{0, 0}, 0, true, {}, {}};
#pragma unroll
  for (int k = 0; k < core::max_rank; ++k) {
    if (k == job.grid.count) break;
    const auto& axis = job.grid.axis[k];
    const unsigned here = quotient(box, axis.before), rest = quotient(here, axis.blocks);
    std::int64_t first = std::int64_t{here - rest * axis.blocks.d} * axis.box - axis.peel;
    const std::int64_t left = axis.extent - first;
    unsigned extent = left < axis.box ? static_cast<unsigned>(left) : axis.box;
    if (first < 0) {
      first = 0;
      extent -= axis.peel;
    }
    if (k == job.cut) {
      place.ends = left <= axis.box;
      place.lead = static_cast<unsigned>(min(first, std::int64_t{job.shared}));
      first -= place.lead;
      extent += place.lead;
    }
    place.at.in += first * axis.in;
    place.at.out += first * axis.out;
    place.in.count(job.in, k, extent);
    place.out.count(job.out, k, extent);
    if (threadIdx.x == 0) extents[k] = extent;
  }
  return place;
}

template <class T>
__device__ __forceinline__ BoxRow box_row(const T* first, unsigned slot, unsigned length, unsigned unit)
{
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  const unsigned begin = (address & (unit - 1)) / sizeof(T);
  return {address, static_cast<int>(slot), static_cast<unsigned short>(begin),
          static_cast<unsigned short>(begin + length)};
}

/// Run r of a side; `first` and `slot` are those of the first run.
template <int Size>
__device__ __forceinline__ BoxRow row_of(const BoxRowsJob& job, const BoxRowsJob::Side& side, const unsigned* extent,
                                         unsigned length, const Word<Size>* first, unsigned slot, unsigned r)
{
#pragma unroll
  for (int k = 1; k < max_box_axes; ++k) {
    if (k < side.run_axes || k >= job.inner) continue;
    const auto& axis = side.axis[k];
    const unsigned rest = k == job.inner - 1 ? 0 : r / extent[axis.number], at = r - rest * extent[axis.number];
    r = rest;
    first += at * axis.stride;
    slot += at * axis.slot;
  }
  return box_row(first, slot, length, side.unit);
}

/// The part of a run of the output that its block writes: whole sectors, where boxes cut runs.
template <int Size>
__device__ __forceinline__ BoxRow own_part(BoxRow run, const BoxPlace& place, unsigned period)
{
  constexpr unsigned sector = sector_bytes / Size;
  run.begin = max(static_cast<unsigned>(run.begin), (run.begin + place.lead * period) / sector * sector);
  if (!place.ends) run.end = run.end / sector * sector;
  return run;
}

/// The slot of column t of a period of the output's runs: all axes of a run but the last, which are whole in every box.
__device__ __forceinline__ unsigned slot_of_column(const BoxRowsJob::Side& side, unsigned t)
{
  unsigned slot = 0;
#pragma unroll
  for (int k = 0; k < max_box_axes - 1; ++k) {
    if (k >= side.run_axes - 1) break;
    const auto& axis = side.axis[k];
    const unsigned rest = quotient(t, axis.box);
    slot += (t - rest * axis.box.d) * axis.slot;
    t = rest;
  }
  return slot;
}

} // namespace Keramos::cuda::transpose
