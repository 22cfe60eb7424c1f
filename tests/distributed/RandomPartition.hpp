// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random partitions: grids of any shape, cuts anywhere, ranks without points.
#pragma once

#include "../../src/keramos/distributed/Communicator.hpp"
#include "../../src/keramos/distributed/Partition.hpp"
#include "../Property.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace test {

/// Numbers of ranks along every axis whose product is `ranks`.
template <int Rank>
std::array<int, static_cast<std::size_t>(Rank)> random_grid(Dice& dice, int ranks)
{
  std::array<int, static_cast<std::size_t>(Rank)> shape;
  shape.fill(1);
  for (int factor = 2; ranks > 1; ++factor)
    for (; ranks % factor == 0; ranks /= factor) shape[static_cast<std::size_t>(dice.between(0, Rank - 1))] *= factor;
  return shape;
}

template <std::size_t Rank>
std::array<std::vector<std::int64_t>, Rank> random_cuts(Dice& dice, const std::array<std::int64_t, Rank>& extents,
                                                        const std::array<int, Rank>& shape)
{
  std::array<std::vector<std::int64_t>, Rank> cuts;
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    const bool to_one = dice.between(0, 5) == 0; // everything to one part
    const std::int64_t part = dice.between(0, shape[axis] - 1);
    cuts[axis] = {0, extents[axis]};
    for (int cut = 1; cut < shape[axis]; ++cut)
      cuts[axis].push_back(to_one ? (cut <= part ? 0 : extents[axis]) : dice.between(0, extents[axis]));
    std::sort(cuts[axis].begin(), cuts[axis].end());
  }
  return cuts;
}

/// Ranks in a random grid, and a partition with random cuts of it, some of them empty.
template <int Rank>
Keramos::Partition<Rank> random_partition(const std::shared_ptr<Keramos::core::Communicator>& ranks, Dice& dice,
                                          const std::array<std::int64_t, Rank>& extents)
{
  const Keramos::Cartesian<Rank> grid(ranks, random_grid<Rank>(dice, ranks->size()));
  if (dice.between(0, 2) == 0) return {grid, extents};
  return {grid, extents, random_cuts(dice, extents, grid.shape())};
}

/// Everything to rank 0; all ranks stand along axis 0.
template <int Rank>
std::array<std::vector<std::int64_t>, static_cast<std::size_t>(Rank)>
gathered_cuts(int ranks, const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& extents)
{
  std::array<std::vector<std::int64_t>, static_cast<std::size_t>(Rank)> cuts;
  for (std::size_t axis = 0; axis < Rank; ++axis) cuts[axis] = {0, extents[axis]};
  cuts[0].resize(static_cast<std::size_t>(ranks) + 1, extents[0]);
  return cuts;
}

} // namespace test
