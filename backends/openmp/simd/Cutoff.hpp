// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the host's gather-sums with a cutoff: one target against runs of sources, a vector of them at a time.
#pragma once

#include "GatherSum.hpp"

#include <cstdint>

namespace Keramos::openmp {

/// Sources behind one another, and the target as they see it: in a periodic box its image.
template <class T>
struct CutoffRun {
  std::int64_t begin, count;
  T target[3];
};

/// What is the same for all targets of a call. A vector may be read behind the last source, where numbers are finite.
template <class T>
struct CutoffSources {
  const T* source[3];
  const T* weight;
  T parameter;              ///< of the kernel, as in GatherTile
  bool singular;            ///< a source with r^2 = 0 adds nothing
  T limit;                  ///< the least r^2 that does not count
  T shift;                  ///< taken away from values; the gradient does not see it
  T switch_on, switch_rate; ///< as in core::CutoffRule
};

/// total[0] is the potential of the target, the others its gradient; what is not asked for is not written. Summed in the value
/// type over at most 256 terms a lane, then in double.
template <class T>
using CutoffFunction = void (*)(const CutoffSources<T>& sources, const CutoffRun<T>* runs, int count, double* total);

/// By family, and by [with a switch][parts].
template <class T>
struct CutoffFunctions {
  CutoffFunction<T> target[3][2][3];
};

struct CutoffKernels {
  CutoffFunctions<float> f32;
  CutoffFunctions<double> f64;
};

namespace baseline {
extern const CutoffKernels cutoff_kernels;
}
namespace avx2 {
extern const CutoffKernels cutoff_kernels;
}
namespace avx512 {
extern const CutoffKernels cutoff_kernels;
}

} // namespace Keramos::openmp
