// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where every point of a halo comes from: the rank that owns its image under the edge rules, or a constant. Pure: no
// memory, no messages; sender and receiver make the same plan.
//
// Along one axis of the points a to f, which three ranks own as a b c, d e and f: the second, under the rule mirror, with a
// halo of four:
//
//     local index   -4 -3 -2 -1    0 1     2   3  4  5
//     reads          b  a  b  c    d e     f   e  d  c
//     runs          [b  a][b  c]  [d e]   [f] [e  d][c]
//
// A halo is the product of such runs along its axes.
#pragma once

#include "../core/Field.hpp"
#include "../stencil/EdgeRule.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace Keramos::core {

/// An axis of a partitioned field, as an exchange sees it. Axes without a halo have widths of 0.
struct HaloAxis {
  std::vector<std::int64_t> cuts; ///< parts + 1 ascending numbers from 0 to the extent
  std::int64_t low = 0, high = 0; ///< widths of the halo that is to be filled
  AxisRule rule = periodic;       ///< of the global field

  int parts() const { return static_cast<int>(cuts.size()) - 1; }
  std::int64_t extent() const { return cuts.back(); }
};

/// Neighbouring points of one part's halo, or what it owns itself, that come from one part by one step.
struct HaloRun {
  enum class Kind { own, image, constant };
  Kind kind = Kind::own;
  std::int64_t begin = 0, end = 0; ///< local: 0 is the first point that the part owns
  int part = 0;                    ///< which owns the images
  std::int64_t source = 0;         ///< the global index of begin's image
  int step = 1;                    ///< of the images: 1, -1 or 0
  double value = 0;
};

/// The runs of a part, from its lowest halo point to its highest. Under `ghost` what the application fills beyond the ends
/// is the own of the parts there; under `interior` points beyond the ends are in no run, for nobody reads them.
std::vector<HaloRun> halo_runs(const HaloAxis& axis, int part);

/// A box of one rank's halo that comes from one rank.
struct HaloPiece {
  Index3 begin{}, extent{};     ///< local: {0, 0, 0} is the first point that the rank owns
  Kokkos::Array<int, 3> part{}; ///< coordinates of the rank that owns the images
  bool is_constant = false;
  double value = 0;
  Index3 source{}; ///< the global index of begin's image
  Kokkos::Array<int, 3> step{1, 1, 1};
};

/// The pieces of the rank with these coordinates, always in the same order; without `corners` only those that lie beyond
/// the rank's own points along one axis. Where several axes say constant, the last decides.
std::vector<HaloPiece> halo_pieces(const std::array<HaloAxis, 3>& axes, const Kokkos::Array<int, 3>& part,
                                   bool corners);

} // namespace Keramos::core
