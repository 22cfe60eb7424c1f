// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the openmp backend transposes a matrix in place that is not square: its longer side is cut into bands, and a band is
// transposed through scratch, where it is contiguous; what remains is a matrix of runs that changes its rows for its columns.
//
//     tall (rows are the longer side):    bands x run x columns  ->  bands x columns x run  ->  columns x bands x run
//     wide, the same backwards:           rows x bands x run     ->  bands x rows x run     ->  bands x run x rows
//
// Rows that are left over where the bands do not divide the longer side lie behind all else on one side, and on the other side
// some behind every row of runs. The bands of a tall matrix make room for them: they go to their places from the last to the
// first; those of a wide one close ranks, from the first to the last. Each element moves twice.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "../../../src/keramos/core/Kernel.hpp"
#include "RunCycles.hpp"

#include <cstddef>
#include <cstdint>

namespace Keramos::openmp::transpose {

/// Trivially copyable. A worker has a share of neighbouring bands, and a slot for one. What its first band shares with the
/// neighbour's last one is kept aside, as the rows left over are: `rest` rows of the longer side each.
class OblongJob {
public:
  /// A matrix of rows x columns, row by row; of its elements only the size matters.
  OblongJob(std::int64_t rows, std::int64_t columns, int size, int threads);

  /// What runs for elements of this size.
  static core::Text variant(int size);

  std::size_t scratch_bytes() const;
  void use(void* data, void* scratch);

  bool tall() const { return tall_; }
  std::int64_t workers() const { return workers_; }

  /// Tall: keep() of all workers, then move_bands() of all, then the cycles. Wide: the cycles, move_bands(), give_back().
  void keep(std::int64_t worker) const;
  void move_bands(std::int64_t worker) const;
  void give_back(std::int64_t worker) const;
  const RunCycles& cycles() const { return cycles_; }
  bool has_cycles() const { return !grid().trivial(); }
  bool has_rest() const { return rest_ > 0; }

private:
  using Byte = unsigned char;
  void choose_run(int threads);
  RunGrid grid() const { return {rows_of_runs(), tall_ ? depth_ : bands_, bands_, run_ * size_, rest_ * size_, data_}; }
  std::int64_t rows_of_runs() const { return tall_ ? bands_ : depth_; }
  bool streaming() const;

  std::int64_t slot_bytes() const { return core::round_up(run_ * depth_ * size_, 64); }
  std::int64_t kept_bytes() const { return core::round_up(rest_ * depth_ * size_, 64); }
  Byte* slot(std::int64_t worker) const { return scratch_ + worker * slot_bytes(); }
  Byte* kept(std::int64_t worker) const { return scratch_ + workers_ * slot_bytes() + worker * kept_bytes(); }
  Byte* rest_rows() const { return kept(workers_ - 1); }

  std::int64_t first_band(std::int64_t worker) const { return worker * bands_ / workers_; }
  Byte* band(std::int64_t index) const { return data_ + index * run_ * depth_ * size_; }

  void move_tall(std::int64_t worker) const;
  void move_wide(std::int64_t worker) const;
  /// As Plane, without a choice of where it is written to.
  struct Turned {
    const Byte* in;
    Byte* out;
    std::int64_t x_extent, y_extent, in_pitch, out_pitch;
  };
  void turn(const Turned& t) const;
  void put(const Byte* from, Byte* to, std::int64_t bytes) const;
  template <class Body>
  void for_each_stretch(std::int64_t band, const Body& body) const;

  bool tall_;
  int size_;
  std::int64_t length_, depth_;                 ///< of the longer and the shorter side
  std::int64_t run_ = 1, bands_ = 0, rest_ = 0; ///< length = bands * run + rest
  std::int64_t workers_ = 1;
  Byte* data_ = nullptr;
  Byte* scratch_ = nullptr;
  RunCycles cycles_;
};

} // namespace Keramos::openmp::transpose
