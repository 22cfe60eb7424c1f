// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Gaussian is separable, hence its sum over a grid a matrix product: exp(-a r^2) is one factor along a row, the same
// for all rows, times one across it, the same for a whole row. Per pair one multiply-add is left (four with the
// gradient).
//
//     sum (rows x targets)  +=  weighted factor across (rows x sources)  *  factor along (sources x targets)
#pragma once

#include "GatherSum.hpp"

#include <cstdint>

namespace Keramos::openmp {

inline constexpr int gaussian_rows = 32;    ///< rows of one call, at most
inline constexpr int gaussian_padding = 32; ///< targets are taken by two vectors

/// Some rows of a grid and one block of sources. `along` is good for `targets` rounded up to gaussian_padding,
/// `across` for `rows` rounded up to gather_padding, a row of sums for `targets` rounded up to gather_padding.
template <class T>
struct GaussianRows {
  const T* source[3]; ///< [0] runs along the rows
  const T* weight;
  int sources;
  const T* along; ///< the coordinate of each target of a row
  int targets;
  const T* across[2]; ///< the two other coordinates of each row
  int rows;
  T rate;              ///< 1 / (2 sigma^2)
  std::int64_t pitch;  ///< of the sums, from row to row
  double* potential;   ///< the block's sums are added to these
  double* gradient[3]; ///< likewise, along the row first; a kernel does not touch what it does not sum
};

struct GaussianKernels {
  void (*f32[3])(const GaussianRows<float>&); ///< by parts
  void (*f64[3])(const GaussianRows<double>&);
};

namespace baseline {
extern const GaussianKernels gaussian_kernels;
}
namespace avx2 {
extern const GaussianKernels gaussian_kernels;
}
namespace avx512 {
extern const GaussianKernels gaussian_kernels;
}

} // namespace Keramos::openmp
