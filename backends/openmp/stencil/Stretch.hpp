// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The points of a run between two of its x, in one plane or in a block of them, some of whose taps read beyond an edge. Compiled once.
//
// A tap is a pointer into `in`, into a row of constants, or into a padded row. From one row of a tile to the next, where only the edges
// along the run matter, all pointers into `in` move by the same distance: they are set once, and the kernels are told the distance. At
// another edge they are set anew.
#pragma once

#include "InputRows.hpp"
#include "PaddedRows.hpp"
#include "Run.hpp"
#include "TapPointers.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace Keramos::openmp::stencil {

template <class T>
class Stretch {
public:
  /// The points [begin, end) of runs in `planes` planes. `pads`: the edges along the run reach them.
  Stretch(const StencilOperands<T>& operands, InputRows<T>& rows, std::int64_t begin, std::int64_t end, int planes,
          bool pads);

  bool is(std::int64_t begin, std::int64_t end, int planes) const
  {
    return begin == begin_ && end == end_ && planes == planes_;
  }

  /// Its points of the run, by one of these kernels. `inside`: the run is (InputRows::inside).
  void compute(const Run& run, bool inside, const RunRows<T>& rows, const FinishedKernels<T>& kernels);

private:
  enum class Kind { in, constant, padded };

  void set(const Run& run, bool inside);
  void set_taps(const Run& run);
  void set_column(const Run& run);
  std::int64_t pitch(Kind kind) const;
  /// The taps of a block are those without the column, but with its centre.
  int first_tap() const { return planes_ == 1 ? 0 : operands_.column_radius; }

  const StencilOperands<T>& operands_;
  InputRows<T>& rows_;
  std::int64_t begin_, end_;
  int planes_;
  std::optional<PaddedRows<T>> padded_;
  std::vector<const T*> tap_, column_; ///< as they were at (set_j_, set_k_)
  std::vector<TapSegment> segments_;
  std::vector<Kind> kinds_; ///< of the segments
  std::int64_t column_shift_ = 0;
  bool is_set_ = false; ///< at a run that was inside
  std::int64_t set_j_ = 0, set_k_ = 0;
};

extern template class Stretch<float>;
extern template class Stretch<double>;

} // namespace Keramos::openmp::stencil
