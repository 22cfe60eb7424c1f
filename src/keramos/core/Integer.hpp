// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole-number arithmetic that every family needs.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::core {

/// The least whole number that is a / b or more, for a >= 0 and b > 0.
KOKKOS_FUNCTION constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// The least multiple of b that is a or more.
KOKKOS_FUNCTION constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

/// The smallest exponent whose power of two is `number` or more.
constexpr int exponent_of(std::int64_t number)
{
  int exponent = 0;
  while ((std::int64_t(1) << exponent) < number && exponent < 30) ++exponent;
  return exponent;
}

} // namespace Keramos::core
