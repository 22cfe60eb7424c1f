// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over a user's functor, which are compiled where the application is, for whatever processor that is built for, and by g++ are
// here compiled for each instruction set of the library's own kernels as well. Everything that the loop calls is inlined into each
// of the functions below, so that it is compiled anew. clang inlines the loop's own calls, but not what these call: some of it would
// be compiled for the one instruction set and some for the other, and a target's bits would depend on which.
#pragma once

#include "HostKernels.hpp"

#include <type_traits>

#if defined(__GNUC__) && !defined(__CUDACC__) // whose front end does not hand attributes on
#define KERAMOS_INLINING(...) __attribute__((noinline, flatten __VA_OPT__(, target(__VA_ARGS__))))
#else
#define KERAMOS_INLINING(...)
#endif
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__x86_64__)
#define KERAMOS_HAS_TARGETS 1
#else
#define KERAMOS_HAS_TARGETS 0
#endif

namespace Keramos::openmp {

/// How wide the vectors of an instruction set are.
template <int bytes>
using VectorBytes = std::integral_constant<int, bytes>;

/// Of what clang compiles for.
#if defined(__clang__) && !defined(__CUDACC__) && defined(__AVX512F__)
inline constexpr int baseline_bytes = 64;
#elif defined(__clang__) && !defined(__CUDACC__) && defined(__AVX2__)
inline constexpr int baseline_bytes = 32;
#else
inline constexpr int baseline_bytes = 16;
#endif

template <class Loop>
KERAMOS_INLINING()
void run_baseline(const Loop& loop)
{
  loop(VectorBytes<baseline_bytes>{});
}

#if KERAMOS_HAS_TARGETS
template <class Loop>
KERAMOS_INLINING("avx2,fma")
void run_avx2(const Loop& loop)
{
  loop(VectorBytes<32>{});
}

/// Scheduled before registers are assigned, too: what is done to two vectors alternates, and one is under way while the other waits.
template <class Loop>
KERAMOS_INLINING("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,prefer-vector-width=512")
__attribute__((optimize("schedule-insns"))) void run_avx512(const Loop& loop)
{
  loop(VectorBytes<64>{});
}
#endif

/// Of what run_vectorised runs, as variants have it.
inline const char* vectorised_name() { return KERAMOS_HAS_TARGETS ? instruction_set_name() : "as compiled"; }

/// loop(VectorBytes), by the instruction set that the library's kernels are chosen by.
template <class Loop>
void run_vectorised(const Loop& loop)
{
#if KERAMOS_HAS_TARGETS
  if (instruction_set() == InstructionSet::avx512) return run_avx512(loop);
  if (instruction_set() == InstructionSet::avx2) return run_avx2(loop);
#endif
  run_baseline(loop);
}

#if KERAMOS_HAS_TARGETS
template <class Loop>
KERAMOS_INLINING("avx2")
void run_unfused_avx2(const Loop& loop)
{
  loop();
}
#endif

/// The same for a loop whose numbers are to be those of the application's own loops: by vectors of 32 bytes, but without multiply-adds, which
/// compilers would fuse as they please. For the stores of a loop over rows in the caches those of 64 bytes gain nothing on Zen 4.
template <class Loop>
void run_unfused(const Loop& loop)
{
#if KERAMOS_HAS_TARGETS
  if (instruction_set() != InstructionSet::baseline) return run_unfused_avx2(loop);
#endif
  loop();
}

} // namespace Keramos::openmp

#undef KERAMOS_INLINING
#undef KERAMOS_HAS_TARGETS
