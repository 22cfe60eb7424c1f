// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostKernels.hpp"

#include "../../src/keramos/core/Log.hpp"

#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

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
  const InstructionSetChoice choice = choose_instruction_set(std::getenv("KERAMOS_SIMD"), widest());
  if (!choice.complaint.empty()) core::write_line(choice.complaint);
  return choice.set;
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

InstructionSetChoice choose_instruction_set(const char* request, InstructionSet widest)
{
  if (!request || !*request) return {widest, ""};
  const int last = static_cast<int>(widest);
  for (int set = 0; set <= last; ++set)
    if (std::strcmp(request, names[set]) == 0) return {static_cast<InstructionSet>(set), ""};
  const std::span<const char* const> there(names, last + 1);
  return {widest, core::unknown_value("KERAMOS_SIMD", there, request, std::string("taking ") + names[last])};
}

InstructionSet instruction_set()
{
  static const InstructionSet set = read_environment();
  return set;
}

const char* instruction_set_name() { return names[static_cast<int>(instruction_set())]; }

// A set that this library does not hold stands in the tables as the baseline, and is never chosen.
#if defined(KERAMOS_HAVE_AVX2)
namespace avx2_or_baseline = avx2;
#else
namespace avx2_or_baseline = baseline;
#endif
#if defined(KERAMOS_HAVE_AVX512)
namespace avx512_or_baseline = avx512;
#else
namespace avx512_or_baseline = baseline;
#endif

const StencilKernels& stencil_kernels()
{
  return pick(baseline::stencil_kernels, avx2_or_baseline::stencil_kernels, avx512_or_baseline::stencil_kernels);
}

const GatherSumKernels& gather_sum_kernels()
{
  return pick(baseline::gather_sum_kernels, avx2_or_baseline::gather_sum_kernels,
              avx512_or_baseline::gather_sum_kernels);
}

const GaussianKernels& gaussian_kernels()
{
  return pick(baseline::gaussian_kernels, avx2_or_baseline::gaussian_kernels, avx512_or_baseline::gaussian_kernels);
}

const CutoffKernels& cutoff_kernels()
{
  return pick(baseline::cutoff_kernels, avx2_or_baseline::cutoff_kernels, avx512_or_baseline::cutoff_kernels);
}

const TransposeKernels& transpose_kernels()
{
  return pick(baseline::transpose_kernels, avx2_or_baseline::transpose_kernels, avx512_or_baseline::transpose_kernels);
}

} // namespace Keramos::openmp
