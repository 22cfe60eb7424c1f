// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a tile reads, copied into contiguous memory with the edges applied: for fields of which no axis is contiguous, such as one
// of interleaved components. The runs then take the copy for the field itself, and no edge is left. Compiled once.
#pragma once

#include "ExtendedRow.hpp"
#include "Operands.hpp"
#include "TapPointers.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

/// Planes in a copy, beside what taps reach: 4 took 1.4 times the time (star<3,1> in double, 320^3, one of three components, Zen 4).
inline constexpr std::int64_t packed_planes = 8;
/// Points of its runs: 256 took 1.5 times the time there, 128 twice.
inline constexpr std::int64_t packed_run = max_run / block_planes;
/// A copy is at most so large (chosen, not measured).
inline constexpr double max_packed_bytes = 32 << 20;

/// Whether the copy of a whole tile is small enough. The points of a call have no say: a part is computed as the whole is.
template <class T>
bool can_pack(const core::ProblemAxes<T>& axes)
{
  const double points[] = {packed_run, tile_rows, packed_planes};
  double bytes = sizeof(T); // reaches are up to 2^31 on either side
  for (int p = 0; p < 3; ++p) bytes *= points[p] + axes[p].reach_low + axes[p].reach_high;
  return bytes <= max_packed_bytes;
}

/// A task's copy: of the points [begin, end), so many planes of them after the other.
template <class T>
class PackedTile {
public:
  PackedTile(const StencilOperands<T>& operands, const core::Index3& begin, const core::Index3& end);

  /// The operands of the planes [first, last), at most packed_planes: those of the call, but `in` is the copy. They hold until the
  /// next planes, which lie above them.
  const StencilOperands<T>& planes(std::int64_t first, std::int64_t last);

private:
  const StencilOperands<T>& operands_;
  ExtendedRow<T> row_;
  core::Index3 low_;               ///< the index of the copy's first element; along axis 2 that of the planes in it
  std::int64_t rows_, filled_ = 0; ///< rows of a plane; planes that were copied
  std::vector<T> copy_;
  std::vector<const T*> tap_; ///< and behind them the column
  std::vector<TapSegment> segment_;
  StencilOperands<T> packed_;
};

extern template class PackedTile<float>;
extern template class PackedTile<double>;

} // namespace Keramos::openmp::stencil
