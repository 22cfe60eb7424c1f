// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine.hpp where Kokkos works on a GPU.
#include "Machine.hpp"

#include <cstdint>

namespace demo {
namespace {

constexpr std::int64_t copied_floats = std::int64_t{1} << 26; // 256 MiB: beyond the cache of any GPU
constexpr int threads = 1 << 20, rounds = 4096, chains = 8;

void multiply_adds(const Space& space, const View1D& sink)
{
  Kokkos::parallel_for(
      "demo::multiply-add", Kokkos::RangePolicy(space, 0, threads), KOKKOS_LAMBDA(int thread) {
        float value[chains] = {0, 1, 2, 3, 4, 5, 6, static_cast<float>(thread)};
        for (int n = 0; n < rounds; ++n)
          for (float& v : value) v = v * 0.999f + 0.001f;
        for (int c = 1; c < chains; ++c) value[0] += value[c];
        sink(thread) = value[0];
      });
}

} // namespace

CopyBandwidth::CopyBandwidth(const Space& space)
    : space_(space), from_("copied from", copied_floats), to_("copied to", copied_floats)
{
}

double CopyBandwidth::measure() const
{
  return 2.0 * copied_floats * sizeof(float) / fastest(space_, 3, [&] { Kokkos::deep_copy(space_, to_, from_); });
}

double multiply_add_rate(const Space& space)
{
  View1D sink("sink", threads);
  return static_cast<double>(chains) * rounds * threads / fastest(space, 3, [&] { multiply_adds(space, sink); });
}

} // namespace demo
