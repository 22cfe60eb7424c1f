// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile kernels of the host's built-in gather-sums: one block of sources, broadcast one by one, against a tile of
// targets held in vector registers.
#pragma once

namespace Keramos::openmp {

inline constexpr int gather_sources = 256; ///< sources of a block, at most: core::source_block
inline constexpr int gather_padding = 16;  ///< tiles are padded to whole vectors of every instruction set

/// Pointers to targets and to sums are good for `targets` rounded up to gather_padding; what the padding holds is no
/// matter.
template <class T>
struct GatherTile {
  const T* source[3];
  const T* weight;
  int sources;
  const T* target[3]; ///< of a row of a grid: [0] runs along the row, [1] and [2] are one number each
  int targets;
  double* potential;   ///< the block's sums are added to these; kernels of the gradient alone do not touch them
  double* gradient[3]; ///< likewise; kernels of the potential do not touch them
  T parameter;         ///< of the kernel: softening^2, kappa, 1 / (2 sigma^2)
  bool singular;       ///< a source with r^2 = 0 adds nothing
};

/// What a built-in kernel computes; InverseMultiquadric is coulomb.
enum class GatherFamily { coulomb, yukawa, gaussian };

/// What is summed.
enum class GatherParts { potential, both, gradient };

template <class T>
using GatherFunction = void (*)(const GatherTile<T>&);

/// By family and by parts. Rows of a Gaussian are in GaussianRows.hpp.
template <class T>
struct GatherFunctions {
  GatherFunction<T> row[2][3], points[3][3];
};

struct GatherSumKernels {
  GatherFunctions<float> f32;
  GatherFunctions<double> f64;
};

namespace baseline {
extern const GatherSumKernels gather_sum_kernels;
}
namespace avx2 {
extern const GatherSumKernels gather_sum_kernels;
}
namespace avx512 {
extern const GatherSumKernels gather_sum_kernels;
}

} // namespace Keramos::openmp
