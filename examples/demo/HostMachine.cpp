// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine.hpp where Kokkos works on the host.
#include "Machine.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace demo {
namespace {

constexpr std::int64_t copied_floats = std::int64_t{1} << 26; // 256 MiB: beyond the last-level cache of any socket
constexpr std::int64_t line = 16;                             // floats in 64 bytes

/// One line from memory to memory. Stores that bypass the caches need not read what they overwrite.
inline void stream_line(const float* from, float* to)
{
#if defined(__SSE__)
  for (int n = 0; n < line; n += 4) _mm_stream_ps(to + n, _mm_loadu_ps(from + n));
#else
  std::memcpy(to, from, line * sizeof(float));
#endif
}

/// Each task walks through four places at once, which keeps more reads under way than one place does.
void copy_by_streams(const Space& space, const float* from, float* to)
{
  constexpr std::int64_t streams = 4;
  const std::int64_t tasks = 8 * space.concurrency();
  const std::int64_t lines = copied_floats / line / tasks / streams; // of one stream; what is left over is not copied
  Kokkos::parallel_for("demo::copy by streams", Kokkos::RangePolicy(space, 0, tasks), [=](std::int64_t task) {
    for (std::int64_t n = 0; n < lines; ++n)
      for (std::int64_t s = 0; s < streams; ++s) {
        const std::int64_t at = ((task * streams + s) * lines + n) * line;
        stream_line(from + at, to + at);
      }
#if defined(__SSE__)
    _mm_sfence();
#endif
  });
}

void copy_by_memcpy(const Space& space, const float* from, float* to)
{
  const std::int64_t tasks = 8 * space.concurrency(), share = copied_floats / tasks;
  Kokkos::parallel_for("demo::copy by memcpy", Kokkos::RangePolicy(space, 0, tasks), [=](std::int64_t task) {
    std::memcpy(to + task * share, from + task * share, share * sizeof(float));
  });
}

template <int Bytes>
struct Floats {
  typedef float Vector __attribute__((vector_size(Bytes)));
};

constexpr int chain_count = 10;

/// `rounds` times 10 independent chains of multiply-adds on vectors of `Bytes`: enough chains to hide the latency of
/// two pipes, few enough for 16 registers.
template <int Bytes>
inline __attribute__((always_inline)) float chains(std::int64_t rounds)
{
  using Vector = typename Floats<Bytes>::Vector;
  Vector value[chain_count];
  for (int c = 0; c < chain_count; ++c) value[c] = Vector{} + static_cast<float>(c);
  const Vector factor = Vector{} + 0.999f, addend = Vector{} + 0.001f;
  for (std::int64_t n = 0; n < rounds; ++n)
    for (int c = 0; c < chain_count; ++c) value[c] = value[c] * factor + addend;
  Vector sum{};
  for (int c = 0; c < chain_count; ++c) sum += value[c];
  return sum[0];
}

float chains_narrow(std::int64_t rounds) { return chains<16>(rounds); }
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) float chains_avx2(std::int64_t rounds) { return chains<32>(rounds); }
__attribute__((target("avx512f"))) float chains_avx512(std::int64_t rounds) { return chains<64>(rounds); }
#endif

struct Chains {
  float (*run)(std::int64_t rounds);
  int lanes;
};

Chains widest_chains()
{
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {chains_avx512, 16};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {chains_avx2, 8};
#endif
  return {chains_narrow, 4};
}

} // namespace

CopyBandwidth::CopyBandwidth(const Space& space)
    : space_(space), from_("copied from", copied_floats), to_("copied to", copied_floats)
{
}

double CopyBandwidth::measure() const
{
  const double seconds = std::min(fastest(space_, 3, [&] { copy_by_streams(space_, from_.data(), to_.data()); }),
                                  fastest(space_, 2, [&] { copy_by_memcpy(space_, from_.data(), to_.data()); }));
  return 2.0 * copied_floats * sizeof(float) / seconds;
}

double multiply_add_rate(const Space& space)
{
  const Chains chains = widest_chains();
  constexpr std::int64_t rounds = 4'000'000;
  const int threads = space.concurrency();
  Kokkos::View<float*, Kokkos::HostSpace> sink("sink", threads); // the sums go somewhere, so that they are computed
  const double seconds = fastest(space, 3, [&] {
    Kokkos::parallel_for("demo::multiply-add", Kokkos::RangePolicy(space, 0, threads),
                         [=](int thread) { sink(thread) = chains.run(rounds); });
  });
  return static_cast<double>(rounds) * chain_count * chains.lanes * threads / seconds;
}

} // namespace demo
