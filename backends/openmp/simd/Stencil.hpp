// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row kernels of the host's stencils: out[x] = sum over taps of weight[t] * tap[t][x] for one run of the fastest
// axis.
#pragma once

#include <cstdint>

namespace Keramos::openmp {

/// Pointers stand at x = 0 of the run; tap[t] already includes its offset along the run.
template <class T>
struct StencilRow {
  const T* const* tap;
  const T* weight;
  int taps;
  std::int64_t length;
  T* out;
  // The wave update instead of the plain sum: out = 2 * centre - previous + scale * sum; `scale` null: scale_value.
  const T* centre;
  const T* previous;
  const T* scale;
  T scale_value;
};

struct StencilKernels {
  void (*sum_f32)(const StencilRow<float>&);
  void (*sum_f64)(const StencilRow<double>&);
  void (*leap_frog_f32)(const StencilRow<float>&);
  void (*leap_frog_f64)(const StencilRow<double>&);
};

namespace baseline {
extern const StencilKernels stencil_kernels;
}
namespace avx2 {
extern const StencilKernels stencil_kernels;
}
namespace avx512 {
extern const StencilKernels stencil_kernels;
}

} // namespace Keramos::openmp
