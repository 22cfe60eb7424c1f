// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "steps.hpp"

namespace app::by_hand {

void diffuse(const Exec& exec, double rate, const Field& in, const Field& out)
{
  const int n0 = in.extent_int(0), n1 = in.extent_int(1), n2 = in.extent_int(2);
  Kokkos::parallel_for(
      "diffuse", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(exec, {0, 0, 0}, {n0, n1, n2}),
      KOKKOS_LAMBDA(int i, int j, int k) {
        double sum = -6 * in(i, j, k);
        if (i > 0) sum += in(i - 1, j, k);
        if (i + 1 < n0) sum += in(i + 1, j, k);
        if (j > 0) sum += in(i, j - 1, k);
        if (j + 1 < n1) sum += in(i, j + 1, k);
        if (k > 0) sum += in(i, j, k - 1);
        if (k + 1 < n2) sum += in(i, j, k + 1);
        out(i, j, k) = in(i, j, k) + rate * sum;
      });
}

void turn(const Exec& exec, const Matrix& in, const Matrix& out)
{
  Kokkos::parallel_for(
      "turn", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(exec, {0, 0}, {in.extent_int(0), in.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j) { out(j, i) = in(i, j); });
}

void potential(const Exec& exec, const Points& position, const Numbers& charge, const Numbers& out)
{
  const int count = charge.extent_int(0);
  Kokkos::parallel_for(
      "potential", Kokkos::RangePolicy<Exec>(exec, 0, count), KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int j = 0; j < count; ++j) {
          if (j == i) continue;
          double square = 0;
          for (int d = 0; d < 3; ++d) {
            const double x = position(i, d) - position(j, d);
            square += x * x;
          }
          sum += charge(j) / Kokkos::sqrt(square);
        }
        out(i) = sum;
      });
}

} // namespace app::by_hand
