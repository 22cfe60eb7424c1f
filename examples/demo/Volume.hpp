// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers on a box of points, on the host, in C order (the last index runs fastest): what files are read into and
// written from.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace demo {

struct Volume {
  std::array<std::size_t, 3> extent{};
  std::vector<float> value;

  Volume() = default;
  explicit Volume(const std::array<std::size_t, 3>& the_extent)
      : extent(the_extent), value(the_extent[0] * the_extent[1] * the_extent[2])
  {
  }

  float& operator()(std::size_t i, std::size_t j, std::size_t k) { return value[(i * extent[1] + j) * extent[2] + k]; }
  float operator()(std::size_t i, std::size_t j, std::size_t k) const
  {
    return value[(i * extent[1] + j) * extent[2] + k];
  }
};

} // namespace demo
