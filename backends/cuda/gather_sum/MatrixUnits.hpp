// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of small matrices by a warp, on the matrix units: C (16 x 8) += A (16 x 8) B (8 x 8). Lane 4 g + t has
//
//     of A   (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4)
//     of B   (t, g), (t + 4, g)
//     of C   (g, 2 t), (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1)
//
// In float a factor is the sum of two parts of 11 bits, which the units multiply exactly; the product of the two small ones,
// 2^-22 of the whole at most, is left out. The units round sums towards zero. What an element of C comes to depends on its row of
// A and its column of B alone.
#pragma once

#include <Kokkos_Core.hpp>

namespace Keramos::cuda::gather_sum {

/// The nearest number of 11 bits, and the rest, of which the units drop what is behind its first 11 bits: 2^-21 off at most.
/// H200: in two additions and a product instead of two operations on integers a Gaussian on a grid is 5% slower.
__device__ inline void split(float value, float& high, float& low)
{
  high = Kokkos::bit_cast<float>((Kokkos::bit_cast<unsigned>(value) + 0x1000) & 0xffffe000);
  low = value - high;
}

__device__ inline void multiply_add([[maybe_unused]] float (&c)[4], [[maybe_unused]] const float (&a)[4],
                                    [[maybe_unused]] const float (&b)[2])
{
#if __CUDA_ARCH__ >= 800
  const auto bits = [](float x) { return Kokkos::bit_cast<unsigned>(x); };
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(bits(a[0])), "r"(bits(a[1])), "r"(bits(a[2])), "r"(bits(a[3])), "r"(bits(b[0])), "r"(bits(b[1])));
#endif
}
__device__ inline void multiply_add([[maybe_unused]] double (&c)[4], [[maybe_unused]] const double (&a)[4],
                                    [[maybe_unused]] const double (&b)[2])
{
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
  for (int k = 0; k < 4; ++k) // rows 0 to 7 and 8 to 15, then the same with the other half of the sum
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[k % 2 * 2]), "+d"(c[k % 2 * 2 + 1])
        : "d"(a[k]), "d"(b[k / 2]));
#endif
}

/// C[m][n] += A[m] B[n]. Low times high, high times low, both high: the small ones first, and each for all m and n, for those of one
/// C wait for one another.
template <int M, int N>
__device__ void multiply_add(float (&c)[M][N][4], const float (&a)[M][4], const float (&b)[N][2])
{
  float a_part[2][M][4], b_part[2][N][2]; // high, low
#pragma unroll
  for (int m = 0; m < M; ++m)
#pragma unroll
    for (int k = 0; k < 4; ++k) split(a[m][k], a_part[0][m][k], a_part[1][m][k]);
#pragma unroll
  for (int n = 0; n < N; ++n)
#pragma unroll
    for (int k = 0; k < 2; ++k) split(b[n][k], b_part[0][n][k], b_part[1][n][k]);
#pragma unroll
  for (int pass = 0; pass < 3; ++pass)
#pragma unroll
    for (int n = 0; n < N; ++n)
#pragma unroll
      for (int m = 0; m < M; ++m) multiply_add(c[m][n], a_part[pass == 0][m], b_part[pass == 1][n]);
}

} // namespace Keramos::cuda::gather_sum
