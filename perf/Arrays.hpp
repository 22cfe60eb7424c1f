// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a benchmark: large arrays on large pages, filled with numbers that no compiler and no cache foresees.
#pragma once

#include "Harness.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace perf {

/// An uninitialised View on 2 MiB pages where the system grants them: with 4 KiB pages every kernel that walks through more
/// than one place measures the TLB. The copies get them too.
template <class View, class... Extents>
View large_array(const std::string& label, Extents... extents)
{
  View view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), extents...);
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 2 << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(view.data());
  const auto bytes = static_cast<std::uintptr_t>(view.span() * sizeof(typename View::value_type));
  const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  return view;
}

/// Well mixed bits of a number (the finaliser of MurmurHash3).
KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t x)
{
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

/// In [-1, 1), with 24 random bits: exact in float.
template <class T>
KOKKOS_INLINE_FUNCTION T random_number(std::uint64_t seed)
{
  return static_cast<T>(static_cast<std::int64_t>(mixed(seed) >> 40) - (1 << 23)) / (1 << 23);
}

/// The value of each element in the order of memory: by(number).
template <class View, class By>
void fill(const View& view, By by)
{
  auto* const data = view.data();
  Kokkos::parallel_for(
      "perf::fill", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, view.span()),
      KOKKOS_LAMBDA(std::int64_t n) { data[n] = by(n); });
  Space().fence();
}

template <class View>
void fill_random(const View& view, std::uint64_t seed)
{
  using T = typename View::value_type;
  fill(view, [=](std::int64_t n) { return random_number<T>(seed << 40 ^ static_cast<std::uint64_t>(n)); });
}

template <class View>
void poison(const View& view)
{
  using T = typename View::value_type;
  fill(view, [](std::int64_t) { return std::numeric_limits<T>::quiet_NaN(); });
}

} // namespace perf
