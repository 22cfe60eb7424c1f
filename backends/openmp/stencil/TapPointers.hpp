// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the taps of a run's points read, for the kernels. Where all of them read the input at their own indices, that is the same for the
// whole call but for a shift: set once, in memory of the launch. Near edges a Stretch sets its own. Compiled once.
#pragma once

#include "Operands.hpp"
#include "Run.hpp"

#include <cstdint>

namespace Keramos::openmp::stencil {

/// Memory for the direct taps of a call.
template <class T, int Capacity>
struct DirectTapMemory {
  core::TapArray<const T*, Capacity> tap;
  core::TapArray<TapSegment, Capacity> segment;
  const T* column[max_column_rows];
};

/// Sets `operands.direct`, which points into this memory: for as many taps, as many segments, and max_column_rows.
template <class T>
void set_direct_taps(StencilOperands<T>& operands, const T** tap, TapSegment* segment, const T** column);

/// Points of a run: those from `begin` to `end`, in one plane or in a block of them. The taps of a block are those without the column, but
/// with its centre; they have the pointer of its first plane, and the planes of one kind of rows lie a pitch apart. The column, whose rows
/// are not those of one plane, has a pointer for each. `inside`: the run is (InputRows::inside).
template <class T>
struct RunPoints {
  const Run& run;
  std::int64_t begin, end;
  bool inside;
  StencilTaps<T> taps;
  const T* const* column;
  std::int64_t column_shift;
};

/// The points [begin, end) of a run that is inside, none of which an edge along it reaches.
template <class T>
RunPoints<T> direct_points(const StencilOperands<T>& operands, const Run& run, std::int64_t begin, std::int64_t end);

/// Their sums, by one of these kernels.
template <class T>
void compute_points(const StencilOperands<T>& operands, const RunPoints<T>& points, const RunRows<T>& rows,
                    const FinishedKernels<T>& kernels);

extern template void set_direct_taps(StencilOperands<float>&, const float**, TapSegment*, const float**);
extern template void set_direct_taps(StencilOperands<double>&, const double**, TapSegment*, const double**);
extern template RunPoints<float> direct_points(const StencilOperands<float>&, const Run&, std::int64_t, std::int64_t);
extern template RunPoints<double> direct_points(const StencilOperands<double>&, const Run&, std::int64_t, std::int64_t);
extern template void compute_points(const StencilOperands<float>&, const RunPoints<float>&, const RunRows<float>&,
                                    const FinishedKernels<float>&);
extern template void compute_points(const StencilOperands<double>&, const RunPoints<double>&, const RunRows<double>&,
                                    const FinishedKernels<double>&);

} // namespace Keramos::openmp::stencil
