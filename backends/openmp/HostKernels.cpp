// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostKernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace Keramos::openmp {
namespace {

constexpr const char* names[] = {"baseline", "avx2", "avx512"};

InstructionSet widest()
{
#if defined(KERAMOS_HAVE_AVX512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return InstructionSet::avx512;
#endif
#if defined(KERAMOS_HAVE_AVX2)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

InstructionSet read_environment()
{
  const InstructionSet most = widest();
  const char* wish = std::getenv("KERAMOS_SIMD");
  for (int set = 0; wish && set < 3; ++set)
    if (std::strcmp(wish, names[set]) == 0) return std::min(most, static_cast<InstructionSet>(set));
  return most;
}

template <class Table>
const Table& pick(const Table& baseline, [[maybe_unused]] const Table& avx2, [[maybe_unused]] const Table& avx512)
{
  switch (instruction_set()) {
  case InstructionSet::avx512:
    return avx512;
  case InstructionSet::avx2:
    return avx2;
  default:
    return baseline;
  }
}

} // namespace

InstructionSet instruction_set()
{
  static const InstructionSet set = read_environment();
  return set;
}

const char* instruction_set_name() { return names[static_cast<int>(instruction_set())]; }

// A set that this library does not hold stands in the tables as the baseline, and is never chosen.
#if !defined(KERAMOS_HAVE_AVX2)
namespace avx2 = baseline;
#endif
#if !defined(KERAMOS_HAVE_AVX512)
namespace avx512 = baseline;
#endif

const StencilKernels& stencil_kernels()
{
  return pick(baseline::stencil_kernels, avx2::stencil_kernels, avx512::stencil_kernels);
}

const GatherSumKernels& gather_sum_kernels()
{
  return pick(baseline::gather_sum_kernels, avx2::gather_sum_kernels, avx512::gather_sum_kernels);
}

const GaussianKernels& gaussian_kernels()
{
  return pick(baseline::gaussian_kernels, avx2::gaussian_kernels, avx512::gaussian_kernels);
}

const TransposeKernels& transpose_kernels()
{
  return pick(baseline::transpose_kernels, avx2::transpose_kernels, avx512::transpose_kernels);
}

} // namespace Keramos::openmp
