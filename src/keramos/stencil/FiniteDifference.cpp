// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../Keramos_FiniteDifference.hpp"

#include <algorithm>

namespace Keramos::FiniteDifference {

std::vector<double> weights(int derivative, const std::vector<double>& offsets)
{
  return core::weights("FiniteDifference::weights", "derivative", derivative, offsets);
}

std::vector<double> core::weights(const char* function, const char* argument, int derivative,
                                  const std::vector<double>& offsets)
{
  const int count = static_cast<int>(offsets.size());
  if (derivative < 0 || derivative >= count)
    core::fail(function, argument, core::text("0 <= ", argument, " < number of offsets (", count, ")"),
               core::text(derivative));
  for (int k = 0; k < count; ++k)
    if (!std::isfinite(offsets[k]) || std::count(offsets.begin(), offsets.end(), offsets[k]) > 1)
      core::fail(function, "offsets", "finite offsets, each given once", core::text(offsets[k]));

  // table[m][k]: weight of point k for derivative m, on the points seen so far; point n enters by Fornberg's
  // recurrence.
  std::vector<std::vector<long double>> table(derivative + 1, std::vector<long double>(count, 0));
  table[0][0] = 1;
  long double product = 1;
  for (int n = 1; n < count; ++n) {
    const long double newest = offsets[n];
    const long double previous_product = product;
    product = 1;
    for (int k = 0; k < n; ++k) product *= newest - offsets[k];
    for (int m = std::min(n, derivative); m >= 0; --m) {
      const long double lower = m > 0 ? m * table[m - 1][n - 1] : 0;
      table[m][n] = previous_product / product * (lower - offsets[n - 1] * table[m][n - 1]);
    }
    for (int k = 0; k < n; ++k)
      for (int m = std::min(n, derivative); m >= 0; --m) {
        const long double lower = m > 0 ? m * table[m - 1][k] : 0;
        table[m][k] = (newest * table[m][k] - lower) / (newest - offsets[k]);
      }
  }
  std::vector<double> result(table[derivative].begin(), table[derivative].end());
  const bool are_finite =
      std::all_of(result.begin(), result.end(), [](double weight) { return std::isfinite(weight); });
  const bool are_zero = std::all_of(result.begin(), result.end(), [](double weight) { return weight == 0; });
  if (!are_finite || are_zero)
    core::fail(function, "offsets", "offsets whose weights a double holds", core::tuple_text(offsets));
  return result;
}

} // namespace Keramos::FiniteDifference
