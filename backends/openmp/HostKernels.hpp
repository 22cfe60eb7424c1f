// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector kernels are compiled once for every instruction set (cmake/KeramosHostKernels.cmake) and chosen here, at run
// time.
#pragma once

#include "simd/Cutoff.hpp"
#include "simd/GatherSum.hpp"
#include "simd/GaussianRows.hpp"
#include "simd/Stencil.hpp"
#include "simd/Transpose.hpp"

#include <string>

namespace Keramos::openmp {

enum class InstructionSet { baseline, avx2, avx512 };

/// The widest set that this processor runs and this library holds. The environment variable KERAMOS_SIMD
/// (baseline, avx2, avx512) lowers it; another word, or a set that is not there, is ignored with a line on stderr. Read
/// once per process.
InstructionSet instruction_set();

/// The set for a request, the value of KERAMOS_SIMD (null or empty: none), where `widest` is the widest that there is,
/// and what is to be said of it; mostly nothing.
struct InstructionSetChoice {
  InstructionSet set;
  std::string complaint;
};
InstructionSetChoice choose_instruction_set(const char* request, InstructionSet widest);

/// "baseline", "avx2", "avx512": the last word of every variant that runs such a kernel.
const char* instruction_set_name();

const StencilKernels& stencil_kernels();
template <class T>
const StencilKernelsOf<T>& stencil_kernels_of()
{
  if constexpr (sizeof(T) == 4) return stencil_kernels().f32;
  if constexpr (sizeof(T) == 8) return stencil_kernels().f64;
}
const GatherSumKernels& gather_sum_kernels();
const GaussianKernels& gaussian_kernels();
const CutoffKernels& cutoff_kernels();

const TransposeKernels& transpose_kernels();

} // namespace Keramos::openmp
