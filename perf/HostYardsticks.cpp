// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arrays.hpp"
#include "Platform.hpp"

#include <Keramos_Transpose.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace perf {
namespace {

// ---- Copies ---------------------------------------------------------------------------------------------------------

using Floats = Kokkos::View<float*, Space>;
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

struct Pair {
  Floats from, to;
};

constexpr std::int64_t copied = std::int64_t{1}
                                << 25; // floats, 128 MiB: 256 MiB move, 8 times a last-level cache of 32 MiB
constexpr std::int64_t line = 16;      // floats in 64 bytes

inline void stream_line(float* to, const float* from)
{
#if defined(__AVX512F__)
  _mm512_stream_ps(to, _mm512_loadu_ps(from));
#elif defined(__AVX__)
  for (int n = 0; n < line; n += 8) _mm256_stream_ps(to + n, _mm256_loadu_ps(from + n));
#elif defined(__SSE2__)
  for (int n = 0; n < line; n += 4) _mm_stream_ps(to + n, _mm_loadu_ps(from + n));
#else
  std::memcpy(to, from, line * sizeof(float));
#endif
}

/// The stores pass the caches by; each thread walks through several places at once, which keeps more reads under way.
template <int Streams>
void copy_by_streams(const Pair& pair)
{
  const int threads = Space().concurrency();
  const std::int64_t lines = copied / line, share = lines / threads / Streams; // of one stream
  const std::int64_t first = (64 - reinterpret_cast<std::uintptr_t>(pair.to.data()) % 64) % 64 / sizeof(float);
  const float* const from = pair.from.data() + first;
  float* const to = pair.to.data() + first;
  Kokkos::parallel_for("perf::copy by streams", Range(0, threads), [=](std::int64_t thread) {
    for (std::int64_t n = 0; n < share - 1; ++n)
      for (int s = 0; s < Streams; ++s) {
        const std::int64_t at = ((thread * Streams + s) * share + n) * line;
        stream_line(to + at, from + at);
      }
#if defined(__SSE2__)
    _mm_sfence();
#endif
  });
}

void copy_by_memcpy(const Pair& pair)
{
  const int threads = Space().concurrency();
  const std::int64_t share = copied / threads;
  Kokkos::parallel_for("perf::copy by memcpy", Range(0, threads), [=](std::int64_t thread) {
    std::memcpy(&pair.to(thread * share), &pair.from(thread * share), share * sizeof(float));
  });
}

void copy_by_parallel_for(const Pair& pair)
{
  Kokkos::parallel_for("perf::copy", Range(0, copied), [=](std::int64_t n) { pair.to(n) = pair.from(n); });
}

void copy_by_keramos(const Pair& pair) { Keramos::copy(Space(), pair.from, pair.to); }

struct Way {
  const char* name;
  void (*copy)(const Pair&);
};
constexpr std::array ways{Way{"memcpy", copy_by_memcpy}, Way{"4_streams", copy_by_streams<4>},
                          Way{"8_streams", copy_by_streams<8>}, Way{"kokkos_parallel_for", copy_by_parallel_for},
                          Way{"keramos_copy", copy_by_keramos}};

/// Two allocations: where an array lies decides a few percent.
class Copies {
public:
  Copies()
  {
    for (Pair& pair : pairs_) {
      pair = {large_array<Floats>("copied from", copied), large_array<Floats>("copied to", copied)};
      fill_random(pair.from, 1);
      poison(pair.to);
    }
  }

  /// Bytes a second, the best of both allocations.
  double rate(const Way& way) const
  {
    double best = 0, unused = 0;
    for (const Pair& pair : pairs_)
      best = std::max(best, 2.0 * copied * sizeof(float) / seconds_of([&] { way.copy(pair); }, unused));
    return best;
  }

private:
  Pair pairs_[2];
};

// ---- Arithmetic -----------------------------------------------------------------------------------------------------

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
typedef float Vector __attribute__((vector_size(vector_bytes)));

/// Independent multiply-adds: enough chains to hide the latency of two pipes, few enough for 16 registers.
constexpr int chains = 10;
constexpr std::int64_t rounds = 1'000'000;

float multiply_adds()
{
  Vector value[chains];
  for (int c = 0; c < chains; ++c) value[c] = Vector{} + static_cast<float>(c);
  const Vector factor = Vector{} + 0.999f, addend = Vector{} + 0.001f;
  for (std::int64_t n = 0; n < rounds; ++n)
    for (int c = 0; c < chains; ++c) value[c] = value[c] * factor + addend;
  Vector sum{};
  for (int c = 0; c < chains; ++c) sum += value[c];
  return sum[0];
}

} // namespace

std::vector<CopyWay> copy_ways()
{
  const auto copies = std::make_shared<Copies>();
  std::vector<CopyWay> result;
  for (const Way& way : ways) result.push_back({way.name, [copies, way] { return copies->rate(way); }});
  return result;
}

double arithmetic_rate()
{
  const int threads = Space().concurrency();
  const Floats sink("sums", threads); // they go somewhere, so that they are computed
  double best = 0, unused = 0;
  for (int n = 0; n < 2; ++n) {
    const auto work = [&] {
      Kokkos::parallel_for("perf::multiply-adds", Range(0, threads),
                           [=](std::int64_t t) { sink(t) = multiply_adds(); });
    };
    const double seconds = seconds_of(work, unused);
    best = std::max(best, static_cast<double>(rounds) * chains * (vector_bytes / sizeof(float)) * threads / seconds);
  }
  return best;
}

} // namespace perf
