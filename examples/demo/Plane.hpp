// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plane of numbers that a picture shows, on the host.
#pragma once

#include <cstddef>
#include <vector>

namespace demo {

/// Numbers on a rectangle; value(row, column), columns run fastest.
struct Plane {
  std::size_t rows = 0, columns = 0;
  std::vector<float> value;

  float& operator()(std::size_t row, std::size_t column) { return value[row * columns + column]; }
  float operator()(std::size_t row, std::size_t column) const { return value[row * columns + column]; }

  /// Between the points: cubic along both axes (Catmull-Rom), nearest beyond the rim.
  double at(double row, double column) const;
  /// The magnitude that this share of the values stays under: a scale for colours that no outlier spoils.
  double magnitude(double share) const;
};

} // namespace demo
