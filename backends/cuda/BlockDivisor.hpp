// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a block finds its place along several axes in the number that it has.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::cuda {

/// Division of n < 2^31, a number of a block, by d <= 2^31 as a multiplication, because a block needs the quotient
/// before its first load: with 2^shift >= d, factor = ceil(2^(31 + shift) / d) errs by less than 1,
/// n / d thus by less than n / 2^(31 + shift) < 1 / d.
struct BlockDivisor {
  unsigned d = 1, factor = 1u << 31;
  int shift = 0;
};
constexpr BlockDivisor block_divisor(std::int64_t d)
{
  int shift = 0;
  while ((std::int64_t{1} << shift) < d) ++shift;
  const std::uint64_t power = std::uint64_t{1} << (31 + shift);
  return {static_cast<unsigned>(d), static_cast<unsigned>((power + d - 1) / d), shift};
}
KOKKOS_FUNCTION constexpr unsigned quotient(unsigned n, const BlockDivisor& by)
{
  return static_cast<unsigned>(std::uint64_t{2 * n} * by.factor >> 32) >> by.shift;
}

} // namespace Keramos::cuda
