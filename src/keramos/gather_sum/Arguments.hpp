// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user writes around a kernel in a gather_sum call: targets, sources, outputs and how to update them.
#pragma once

#include <array>
#include <cstdint>

namespace Keramos {

/// One plane of a 3-D grid; made by UniformGrid<3>::plane().
struct GridPlane {
  std::array<double, 3> origin, spacing;
  int axis;           ///< across the plane
  std::int64_t index; ///< of the plane along that axis
};

/// Targets at origin[k] + i_k * spacing[k], where i_k is View index k of the output; the extents are the output's.
/// Coordinates are computed in double and rounded to the value type.
///
///     Keramos::UniformGrid<3> grid{{-8, -8, -8}, {0.25, 0.25, 0.25}};
template <int Rank>
struct UniformGrid {
  static_assert(Rank == 2 || Rank == 3, "Keramos::UniformGrid: the rank must be 2 or 3.");
  std::array<double, Rank> origin, spacing;

  /// The targets with index `index` along View index `axis`, for an output of rank 2: its indices are the other two, in
  /// their order. Gradients keep three components.
  GridPlane plane(int axis, std::int64_t index) const requires(Rank == 3) { return {origin, spacing, axis, index}; }
};

/// Positions and weights of the sources: a View of extents (n, 3) and one of extent n; in the plane (n, 2) and n. One
/// View with the weight in the last column, (n, 4) or (n, 3), holds both.
///
///     Keramos::Sources{positions, weights}, Keramos::Sources{packed}
template <class Positions, class Weights = void>
struct Sources {
  Positions positions;
  Weights weights;
};
template <class Packed>
struct Sources<Packed, void> {
  Packed packed;
};
template <class Positions, class Weights>
Sources(Positions, Weights) -> Sources<Positions, Weights>;
template <class Packed>
Sources(Packed) -> Sources<Packed, void>;

/// The output of a call that computes both in one pass: `gradient` has one index more than `potential`, of extent 3 (in
/// the plane 2): component k is the derivative along coordinate k of the target.
template <class Potential, class Gradient>
struct PotentialAndGradient {
  Potential potential;
  Gradient gradient;
};
template <class Potential, class Gradient>
PotentialAndGradient(Potential, Gradient) -> PotentialAndGradient<Potential, Gradient>;

/// What a gather-sum does with the values that the output holds.
enum class Update {
  overwrite, ///< forgets them: out = sum
  accumulate ///< keeps them: out = out + sum
};
inline constexpr Update overwrite = Update::overwrite;
inline constexpr Update accumulate = Update::accumulate;

/// Scratch memory of the caller: a View of any type, contiguous and aligned to 8 bytes, that the execution space
/// reaches. A call writes anything there and reads nothing that was there before; the next call on the same instance
/// may use it again.
///
///     Kokkos::View<char*, Space> scratch("scratch", Keramos::gather_sum_workspace_size(exec, kernel, targets, sources,
///                                                                                       out));
///     Keramos::gather_sum(exec, kernel, targets, sources, out, Keramos::Workspace{scratch});
template <class View>
struct Workspace {
  View view;
};
template <class View>
Workspace(View) -> Workspace<View>;

} // namespace Keramos
