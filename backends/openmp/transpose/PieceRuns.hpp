// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece of a move as the user's translation unit visits it: run by run along one axis of either array.
#pragma once

#include "MoveJob.hpp"

#include <array>
#include <cstdint>

namespace Keramos::openmp::transpose {

/// The strides of a piece that stands packed in a buffer, its axes in this order.
inline PerAxis packed_strides(const Part& piece, const std::array<int, core::max_rank>& order, int axes)
{
  PerAxis strides{};
  std::int64_t packed = 1;
  for (int p = 0; p < axes; ++p) {
    strides[order[p]] = packed;
    packed *= piece.extent[order[p]];
  }
  return strides;
}

/// The runs of a piece in an array of these strides, one after the other in the order of the axes. Axes that continue the
/// first one are part of the runs.
class PieceRuns {
public:
  PieceRuns(const Part& piece, const PerAxis& strides, const std::array<int, core::max_rank>& order, int axes)
      : length_(piece.extent[order[0]]), step_(strides[order[0]])
  {
    int p = 1;
    for (; p < axes && strides[order[p]] == length_ * step_; ++p) length_ *= piece.extent[order[p]];
    for (; p < axes; ++p) {
      extent_[loops_] = piece.extent[order[p]];
      stride_[loops_++] = strides[order[p]];
      runs_ *= piece.extent[order[p]];
    }
  }

  std::int64_t count() const { return runs_; }
  std::int64_t length() const { return length_; }
  std::int64_t step() const { return step_; }
  /// From the first element of the piece to that of the present run.
  std::int64_t offset() const { return offset_; }

  void next()
  {
    for (int k = 0; k < loops_; ++k) {
      offset_ += stride_[k];
      if (++index_[k] < extent_[k]) return;
      offset_ -= extent_[k] * stride_[k];
      index_[k] = 0;
    }
  }

private:
  std::int64_t length_, step_, runs_ = 1, offset_ = 0;
  int loops_ = 0;
  PerAxis extent_{}, stride_{}, index_{};
};

} // namespace Keramos::openmp::transpose
