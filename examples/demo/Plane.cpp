// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace demo {
namespace {

std::array<double, 4> cubic_weights(double t)
{
  const double t2 = t * t, t3 = t2 * t;
  return {-0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3, -0.5 * t2 + 0.5 * t3};
}

} // namespace

double Plane::at(double row, double column) const
{
  const double row0 = std::floor(row), column0 = std::floor(column);
  const auto down = cubic_weights(row - row0), across = cubic_weights(column - column0);
  const auto inside = [](double index, std::size_t extent) {
    return static_cast<std::size_t>(std::clamp(index, 0.0, static_cast<double>(extent - 1)));
  };
  double sum = 0;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      sum += down[r] * across[c] * (*this)(inside(row0 + r - 1, rows), inside(column0 + c - 1, columns));
  return sum;
}

double Plane::magnitude(double share) const
{
  if (value.empty()) return 0;
  std::vector<float> sorted;
  sorted.reserve(value.size());
  for (const float v : value) sorted.push_back(std::abs(v));
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), nth, sorted.end());
  return *nth;
}

} // namespace demo
