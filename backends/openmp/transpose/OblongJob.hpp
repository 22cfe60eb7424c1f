// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the openmp backend transposes a matrix in place that is not square: its longer side is cut into bands, each band is
// transposed on its way to the place some bands on, which has been left before; what remains is a matrix of runs that changes its
// rows for its columns.
//
//     tall (rows are the longer side):    bands x run x columns  ->  places x columns x run  ->  columns x bands x run
//     wide, the same backwards:           rows x bands x run     ->  places x rows x run     ->  bands x run x rows
//
// So a band moves as a plain transpose does, and only those whose places are taken first wait in scratch. Rows that are left over
// where the bands do not divide the longer side lie behind all else on one side, and on the other side some behind every row of
// runs; they wait in scratch as well. The bands of a tall matrix make room for them: they go to their places from the last to the
// first; those of a wide one close ranks, from the first to the last. Each element moves twice.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "../../../src/keramos/core/Kernel.hpp"
#include "RunCycles.hpp"

#include <cstddef>
#include <cstdint>

namespace Keramos::openmp::transpose {

/// Trivially copyable. Bands move in steps of `shift` neighbours, each to the place `shift` bands on, round the end.
class OblongJob {
public:
  /// A matrix of rows x columns, row by row; of its elements only the size matters.
  OblongJob(std::int64_t rows, std::int64_t columns, int size, int threads);

  /// What runs for elements of this size.
  static core::Text variant(int size);

  std::size_t scratch_bytes() const;
  void use(void* data, void* scratch);

  bool tall() const { return tall_; }

  /// Tall: all steps, then the cycles. Wide: the cycles, then all steps. The tasks of a step go at once.
  std::int64_t steps() const { return 1 + core::ceil_div(bands_, shift_); }
  std::int64_t tasks(std::int64_t step) const;
  void move(std::int64_t step, std::int64_t task) const;
  const RunCycles& cycles() const { return cycles_; }
  bool has_cycles() const { return !grid().trivial(); }

private:
  using Byte = unsigned char;
  void choose_run();
  void choose_tasks(int threads);
  RunGrid grid() const;
  bool streaming() const;

  std::int64_t row_bytes() const { return depth_ * size_; }
  std::int64_t run_bytes() const { return run_ * size_; }
  Byte* band(std::int64_t index) const { return data_ + index * run_ * row_bytes(); }
  Byte* waiting(std::int64_t band) const { return scratch_ + (band - (bands_ - shift_)) * run_ * row_bytes(); }
  Byte* rest_rows() const { return waiting(bands_); }

  /// Those of a step that is neither the first nor the last one: bands [begin, end).
  struct Bands {
    std::int64_t begin, end;
  };
  Bands bands_of(std::int64_t step) const;
  /// Some columns of a tall matrix, some rows of a wide one: [begin, end).
  struct Part {
    std::int64_t begin, end;
  };
  std::int64_t parts() const { return core::ceil_div(depth_, width_); }
  std::int64_t place_of(std::int64_t band) const { return (band + shift_) % bands_; }
  void save(std::int64_t band, const Part& part) const;
  void turn_band(std::int64_t index, const Part& part, bool waits) const;
  void take_gap(const Byte* gap, std::int64_t row) const;
  /// As Plane, without a choice of where it is written to.
  struct Turned {
    const Byte* in;
    Byte* out;
    std::int64_t x_extent, y_extent, in_pitch, out_pitch;
  };
  void turn(const Turned& t) const;
  template <class Body>
  void for_each_stretch(std::int64_t place, const Part& part, const Body& body) const;

  bool tall_;
  int size_;
  std::int64_t length_, depth_;                 ///< of the longer and the shorter side
  std::int64_t run_ = 1, bands_ = 0, rest_ = 0; ///< length = bands * run + rest
  std::int64_t shift_ = 1;
  std::int64_t width_ = 1, group_ = 1; ///< a task has a part of a band or of several, so wide
  Byte* data_ = nullptr;
  Byte* scratch_ = nullptr;
  RunCycles cycles_;
};

} // namespace Keramos::openmp::transpose
