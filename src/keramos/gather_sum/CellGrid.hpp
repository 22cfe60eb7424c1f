// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cells of a gather-sum with a cutoff: where a point lies, in which bucket of a hash table its cell is, and which runs of
// buckets a target reads. Nothing here depends on a bounding box, which on a GPU the host would have to wait for.
//
//     points      an endless grid of cells (along a periodic axis: a whole number of them), blocks of 16 x 4 x 4 cells
//     buckets     every block is hashed to a slot of the table; in its slot a cell has its own bucket
//
// A target reads at most 8 cells along the first axis and 4 along the others, so that no two of them are the same bucket, even
// where their blocks share a slot: no source is met twice, and sources of other cells in the bucket are too far away to count.
// Cells along the first axis are neighbours in memory: those that a target reads are one run, or two. Along a periodic axis a
// target reads cells of the neighbouring images, too, and may so read a bucket again; but a source has one image at most
// that is within half of the box, and only there it counts.
#pragma once

#include "../core/Integer.hpp"
#include "Arguments.hpp"
#include "Problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace Keramos::core {

/// Cells from low to high, both included, along each axis.
struct CellRange {
  Index3 low, high;

  KOKKOS_FUNCTION bool is(const CellRange& other) const
  {
    bool same = true;
    for (int k = 0; k < 3; ++k) same = same && low[k] == other.low[k] && high[k] == other.high[k];
    return same;
  }
};

/// Cells from low to high, both included, in a row.
struct CellSpan {
  std::int64_t low, high;
};

/// Neighbouring buckets, and by how many boxes their sources are shifted for the target.
struct CellRun {
  std::int64_t first, count; ///< buckets
  Kokkos::Array<std::int64_t, 3> image;
};

/// Runs of a range, at most: 4 x 4 rows of 8 cells, which end at blocks and at the ends of a box of any number of cells.
inline constexpr int max_cell_runs = 128;

template <class T>
class CellGrid {
public:
  /// Coordinates from so many radii on have no neighbours: below, cells are exact to 2^-16 of their width.
  static constexpr double far_radii = 68719476736.; // 2^36

  CellGrid(const Cutoff& cutoff, int dimension, std::int64_t sources)
      : within_(cutoff.radius * (1 + 1. / 1024)), far_(static_cast<T>(far_radii * cutoff.radius)),
        slots_(std::bit_ceil(static_cast<std::uint64_t>(ceil_div(std::max<std::int64_t>(sources, 1), block_cells))))
  {
    for (int k = 0; k < dimension; ++k) {
      // Wider than the radius by more than places in cells are off; in a box, coordinates are off by some eps of its length.
      slack_[k] = 4. * std::numeric_limits<T>::epsilon() * cutoff.box[k] / within_;
      reach_[k] = within_ * (1 + slack_[k]);
      const double cells_per_reach = k == 0 ? 3 : 1; // short ones: fewer sources that are too far
      per_length_[k] = cells_per_reach / reach_[k];
      length_[k] = static_cast<T>(cutoff.box[k]);
      if (length_[k] > 0) {
        const double length = static_cast<double>(length_[k]);
        period_[k] = std::max<std::int64_t>(1, static_cast<std::int64_t>(length * per_length_[k]));
        per_length_[k] = static_cast<double>(period_[k]) / length;
        boxes_per_length_[k] = 1 / length;
      }
      width_[k] = 1 / (per_length_[k] * within_);
    }
  }

  std::int64_t buckets() const { return static_cast<std::int64_t>(slots_) * block_cells; }

  /// Can the point have neighbours? Neither NaN nor infinities can.
  KOKKOS_FUNCTION bool holds(const Point<T>& point) const
  {
    return Kokkos::fabs(point[0]) < far_ && Kokkos::fabs(point[1]) < far_ && Kokkos::fabs(point[2]) < far_;
  }

  /// The point's image in the box: at least 0 and less than the length along periodic axes. A source on a target has the same image
  /// wherever this is compiled, by the library or with the flags of an application: no division, which -ffast-math replaces.
  KOKKOS_FUNCTION Point<T> in_box(Point<T> point) const
  {
    for (int k = 0; k < 3; ++k)
      if (period_[k] > 0) {
        const double x = static_cast<double>(point[k]), boxes = Kokkos::floor(x * boxes_per_length_[k]);
        const T inside = static_cast<T>(sum_of_rounded(x, -boxes, static_cast<double>(length_[k])));
        point[k] = inside >= 0 && inside < length_[k] ? inside : 0;
      }
    return point;
  }

  /// The image of a source, in the box, that is nearest to a target in the box.
  KOKKOS_FUNCTION Point<T> nearest(const Point<T>& target, Point<T> source) const
  {
    for (int k = 0; k < 3; ++k) {
      const T d = target[k] - source[k];
      if (2 * d > length_[k]) source[k] += length_[k];
      if (2 * d < -length_[k]) source[k] -= length_[k];
    }
    return source;
  }

  /// The target as the sources of an image see it.
  KOKKOS_FUNCTION Point<T> shifted(Point<T> target, const Kokkos::Array<std::int64_t, 3>& image) const
  {
    for (int k = 0; k < 3; ++k)
      if (image[k] != 0) target[k] -= static_cast<T>(image[k]) * length_[k];
    return target;
  }

  /// Of a source in the box.
  KOKKOS_FUNCTION std::int64_t bucket_of(const Point<T>& source) const
  {
    Index3 at;
    for (int k = 0; k < 3; ++k) {
      at[k] = cell(k, static_cast<double>(source[k]));
      if (period_[k] > 0 && at[k] >= period_[k]) at[k] = period_[k] - 1; // rounded up
    }
    return bucket(at[0], at[1], at[2]);
  }

  /// The cells that may hold neighbours of a target in the box. Rounding is monotonic: what is within reach has a cell
  /// between those of both ends.
  KOKKOS_FUNCTION CellRange range(const Point<T>& target) const
  {
    CellRange result;
    for (int k = 0; k < 3; ++k) {
      const double x = static_cast<double>(target[k]);
      result.low[k] = cell(k, x - reach_[k]);
      result.high[k] = cell(k, x + reach_[k]);
    }
    return result;
  }

  /// visit(CellRun) for what a range comes down to, in a fixed order.
  template <class Visit>
  KOKKOS_FUNCTION void for_each_run(const CellRange& range, const Visit& visit) const
  {
    for (std::int64_t q2 = range.low[2]; q2 <= range.high[2]; ++q2)
      for (std::int64_t q1 = range.low[1]; q1 <= range.high[1]; ++q1)
        for (std::int64_t q0 = range.low[0]; q0 <= range.high[0];) {
          const CellRun run = first_run(q0, range.high[0], q1, q2);
          visit(run);
          q0 += run.count;
        }
  }

  /// Of the cells q0 to last in a row of them: those that are neighbours in memory.
  KOKKOS_FUNCTION CellRun first_run(std::int64_t q0, std::int64_t last, std::int64_t q1, std::int64_t q2) const
  {
    const Place x = place(0, q0), y = place(1, q1), z = place(2, q2);
    std::int64_t next = q0 + block_x - (x.cell & (block_x - 1));
    if (period_[0] > 0 && next > q0 + period_[0] - x.cell) next = q0 + period_[0] - x.cell;
    if (next > last + 1) next = last + 1;
    return {bucket(x.cell, y.cell, z.cell), next - q0, {x.image, y.image, z.image}};
  }

  /// Of a row of cells along the first axis: those that may hold neighbours of a target in the box. A row that the sphere
  /// misses has none.
  KOKKOS_FUNCTION CellSpan span_in_row(const Point<T>& target, std::int64_t q1, std::int64_t q2) const
  {
    const float y = distance(1, target, q1), z = distance(2, target, q2), left = 1 - y * y - z * z;
    if (!(left > 0)) return {0, -1};
    constexpr float up = 1 + 1.f / (1 << 20); // more than the root is off
    const double x = static_cast<double>(target[0]);
    const double half = within_ * (static_cast<double>(Kokkos::sqrt(left) * up) + slack_[0]);
    return {cell(0, x - half), cell(0, x + half)};
  }

private:
  // Of a block. Fewer cells along the first axis divide more runs; more of them leave less of a slot to each shape of cloud.
  static constexpr int bits_x = 4, bits_yz = 2;
  static constexpr std::int64_t block_x = 1 << bits_x, block_yz = 1 << bits_yz,
                                block_cells = block_x * block_yz * block_yz;

  struct Place {
    std::int64_t cell, image;
  };

  /// From a target to a cell along an axis, at least, of `within_`.
  KOKKOS_FUNCTION float distance(int axis, const Point<T>& target, std::int64_t cell) const
  {
    const double from_low = static_cast<double>(target[axis]) * per_length_[axis] - static_cast<double>(cell);
    const double cells = from_low < 0 ? -from_low : from_low - 1;
    const auto apart = static_cast<float>(cells * width_[axis] - slack_[axis]);
    return apart > 0 ? apart : 0;
  }

  /// A missing axis has one cell, 0.
  KOKKOS_FUNCTION std::int64_t cell(int axis, double x) const
  {
    return static_cast<std::int64_t>(Kokkos::floor(x * per_length_[axis]));
  }

  /// A cell along the axis without end. In a range it is a few images away at most.
  KOKKOS_FUNCTION Place place(int axis, std::int64_t cell) const
  {
    Place result{cell, 0};
    const std::int64_t period = period_[axis];
    if (period == 0) return result;
    for (; result.cell < 0; --result.image) result.cell += period;
    for (; result.cell >= period; ++result.image) result.cell -= period;
    return result;
  }

  KOKKOS_FUNCTION std::int64_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    // Odd factors of 64 bits (of the golden ratio, and of SplitMix64's finaliser), and the upper half of the product.
    std::uint64_t hash = static_cast<std::uint64_t>(x >> bits_x) * 0x9e3779b97f4a7c15u ^
                         static_cast<std::uint64_t>(y >> bits_yz) * 0xbf58476d1ce4e5b9u ^
                         static_cast<std::uint64_t>(z >> bits_yz) * 0x94d049bb133111ebu;
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    const auto slot = static_cast<std::int64_t>(hash >> 32 & (slots_ - 1));
    return ((slot * block_yz + (z & (block_yz - 1))) * block_yz + (y & (block_yz - 1))) * block_x + (x & (block_x - 1));
  }

  double within_; ///< the radius, and some more
  T far_;
  std::uint64_t slots_;                   ///< of blocks, a power of two: about as many buckets as sources
  Kokkos::Array<double, 3> reach_{};      ///< how far a target reads
  Kokkos::Array<double, 3> slack_{};      ///< of `within_`: what coordinates in a box are off
  Kokkos::Array<double, 3> per_length_{}; ///< cells of a unit of length
  Kokkos::Array<double, 3> width_{};      ///< of a cell, of `within_`
  Kokkos::Array<T, 3> length_{};          ///< of the box; 0: not periodic
  Kokkos::Array<double, 3> boxes_per_length_{};
  Kokkos::Array<std::int64_t, 3> period_{}; ///< cells of the box
};

} // namespace Keramos::core
