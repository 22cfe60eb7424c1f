// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of bytes that stay together. As Vector.hpp: unnamed namespace, no C++ library header with functions.
#pragma once

#include <cstdint>

namespace Keramos::openmp {
namespace {

/// Groups of Width < bytes <= 2 * Width bytes: two moves each, which may overlap.
template <int Width>
void copy_groups(const unsigned char* from, std::int64_t from_pitch, unsigned char* to, std::int64_t to_pitch,
                 std::int64_t count, std::int64_t bytes)
{
  const std::int64_t second = bytes - Width;
  for (std::int64_t i = 0; i < count; ++i, from += from_pitch, to += to_pitch) {
    unsigned char low[Width], high[Width];
    __builtin_memcpy(low, from, Width);
    __builtin_memcpy(high, from + second, Width);
    __builtin_memcpy(to, low, Width);
    __builtin_memcpy(to + second, high, Width);
  }
}

inline void copy_groups(const unsigned char* from, std::int64_t from_pitch, unsigned char* to, std::int64_t to_pitch,
                        std::int64_t count, std::int64_t bytes)
{
  if (bytes > 128)
    for (std::int64_t i = 0; i < count; ++i) __builtin_memcpy(to + i * to_pitch, from + i * from_pitch, bytes);
  else if (bytes > 64)
    copy_groups<64>(from, from_pitch, to, to_pitch, count, bytes);
  else if (bytes > 32)
    copy_groups<32>(from, from_pitch, to, to_pitch, count, bytes);
  else if (bytes > 16)
    copy_groups<16>(from, from_pitch, to, to_pitch, count, bytes);
  else if (bytes > 8)
    copy_groups<8>(from, from_pitch, to, to_pitch, count, bytes);
  else if (bytes > 4)
    copy_groups<4>(from, from_pitch, to, to_pitch, count, bytes);
  else if (bytes > 2)
    copy_groups<2>(from, from_pitch, to, to_pitch, count, bytes);
  else
    copy_groups<1>(from, from_pitch, to, to_pitch, count, bytes);
}

} // namespace
} // namespace Keramos::openmp
