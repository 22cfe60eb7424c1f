// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes whose planes come by tensor copies although their rows begin anywhere, on Hopper and later: what the host
// decides. A tensor map wants rows that all lie on 16 bytes. Of w elements in 16 bytes, every w-th row lies alike, and so does every
// w-th plane: the field is w x w interleaved fields, each with a map of its own, whose rows begin on the boundary at or before the
// field's. The kernel is in StridedStarKernel.hpp.
#pragma once

#include "../TensorCopy.hpp"
#include "LockstepGroups.hpp"
#include "MarchSchedule.hpp"
#include "Star.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// How a block is built. A thread owns `rows` rows of one column.
struct StridedStarShape {
  int rows;
  int groups;      ///< threads along the middle axis
  int columns;     ///< of a tile at most
  int rate;        ///< Gpoint/s where tiles fit the grid
  int ring, ahead; ///< planes in shared memory, and of these in flight
  int beside = 0;  ///< of the columns: those that the last warp sums beside its own, a point a lane
  int drift = 3;   ///< see Lockstep.hpp
  KOKKOS_FUNCTION constexpr int height() const { return rows * groups; }
  /// That have threads of their own.
  KOKKOS_FUNCTION constexpr int own_columns() const { return columns - beside; }
  KOKKOS_FUNCTION constexpr int max_threads() const { return (own_columns() + 31) / 32 * 32 * groups; }
};

/// The shared memory of a block: planes, of these the interleaved fields one after the other; then barriers.
struct StridedStarLayout {
  int classes;       ///< interleaved fields along y, and along z
  int columns, rows; ///< of a plane, halo included
  int element_bytes, ring;

  /// Wherever they lie behind a boundary.
  KOKKOS_FUNCTION constexpr int pitch() const
  {
    return static_cast<int>(core::round_up(columns + classes - 1, classes));
  }
  KOKKOS_FUNCTION constexpr int rows_of_box() const { return static_cast<int>(core::ceil_div(rows, classes)); }
  KOKKOS_FUNCTION constexpr int box() const { return rows_of_box() * pitch() * element_bytes; }
  KOKKOS_FUNCTION constexpr int place() const { return static_cast<int>(core::round_up(box(), 128)); }
  KOKKOS_FUNCTION constexpr int plane() const { return classes * place(); }
  KOKKOS_FUNCTION constexpr int plane_bytes() const { return classes * box(); }
  KOKKOS_FUNCTION constexpr int barriers_at() const { return ring * plane(); }
  KOKKOS_FUNCTION constexpr int bytes() const { return barriers_at() + 2 * barrier_bytes * ring; }
};

inline constexpr int max_strided_star_radius = 4;

/// In double; of radius 1 and 2 where single columns (MarchTuning.hpp) do not serve: with other edges along the slowest axis. In float it is faster for radius 1 alone, by 0 to 8% (509x511x513, an H200: 419 to 430 Gpoint/s, the march of March.hpp
/// 418; in sub-views 392 to 403, and 373), and a call would make sixteen maps.
template <class T>
inline constexpr bool has_strided_stars = sizeof(T) == 8;

/// Rates are those of 509x511x513, an H200, zero outside. 129 columns are a tile less on rows of 513, for a fifth warp with one column:
/// radius 1 and 2 make 229 and 227 there; of radius 3, whose registers it spills, 188. Planes in the ring and in flight, 4 and 2, 5 and 3:
/// radius 2 229, 234, on rows of 513 227, 232; radius 3 224, 227; radius 4 194, 196.
KOKKOS_FUNCTION constexpr StridedStarShape strided_star_shape(int radius)
{
  if (radius == 1) return {8, 4, 129, 231, 4, 2};
  if (radius == 2) return {8, 2, 129, 234, 5, 3};
  return {8, 2, 129, radius == 3 ? 227 : 196, 5, 3, 1};
}

/// What the march of March.hpp makes of radius 3 and 4 in that measure where tiles are three quarters full. An H100, of the copy, the march and
/// this: rows of 513 78 and 92%, 75 and 91%; 641x640x400 80 and 83%, 76 and 82%; 301^3, tiles of 101 columns, 80 and 82%, 76 and 77%.
KOKKOS_FUNCTION constexpr int least_march_rate(int radius) { return radius < 3 ? 0 : radius == 3 ? 170 : 147; }

/// Points below which others take the call, as for the march (chosen); and where rows lie on 16 bytes: at 200^3 this is slower.
inline constexpr std::int64_t min_strided_points = std::int64_t(1) << 22;
inline constexpr std::int64_t min_aligned_strided_points = std::int64_t(1) << 24;

/// Rows on 16 bytes, too, go so where tiles of 129x16 keep the multiprocessors so much busier than those of 64x32 by plain tensor copies: what this
/// makes of a busy GPU, as a share of what those make (docs/tuning/stencils.md). H200 and H100, Gpoint/s, those and this: 514x515x514 radius 2 220, 230
/// and 171, 177, radius 4 210, 217 and 166, 171; 258x514x258 201, 215 and 158, 168; 181, 199 and 153, 162. Not of radius 1.
KOKKOS_FUNCTION constexpr double busy_share(int radius) { return radius == 1 ? 0 : radius == 4 ? 0.86 : 0.9; }

/// Planes of a chunk at most: with lockstep, shorter ones only cost their ramps, see TensorStar.hpp.
inline constexpr int max_strided_chunk = 1024;
static_assert(max_strided_chunk + 2 * max_strided_star_radius <= lockstep_steps);

template <class T>
KOKKOS_FUNCTION constexpr StridedStarLayout strided_star_layout(const StridedStarShape& shape, int radius)
{
  return {vector_width<T>, shape.columns + 2 * radius, shape.height() + 2 * radius, int(sizeof(T)), shape.ring};
}

/// What the kernel is told beside the maps.
template <class T>
struct StridedStarArguments {
  static constexpr int classes = vector_width<T>;
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  EdgeAxis<T> axis[3];
  StarWeights<T> weights;
  std::int64_t chunk; ///< planes of a block
  MarchRest rest;
  unsigned tiles[2]; ///< along x and y
  int columns;       ///< of a tile
  LockstepGroups groups;

  /// How far behind a 16-byte boundary an element of the field is, or would be: of column x in row 0 of plane 0, modulo the
  /// elements of 16 bytes. In 32 bits, which is enough.
  KOKKOS_FUNCTION unsigned behind(std::int64_t x) const
  {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(in + x) / sizeof(T));
  }
};

/// By planes and rows modulo the elements of 16 bytes.
template <class T>
struct StridedStarMaps {
  CUtensorMap of[vector_width<T>][vector_width<T>];
};

template <class T>
struct StridedStarPlan {
  int radius;
  LaunchShape shape;
  StridedStarArguments<T> arguments;
  double busy;        ///< the part of the multiprocessors' time in which they compute points of the grid
  core::Text variant; ///< "star<3,4> strided boxes 256x16"
};

/// What the map of some planes and rows describes, and its box.
template <class T>
TensorBox strided_box(const StridedStarArguments<T>& arguments, const StridedStarLayout& layout, int of_planes,
                      int of_rows);

/// Empty if the call is no star of radius 1 to max_strided_star_radius that only stores, an edge is neither zero nor
/// memory, the GPU is older than Hopper, or the grid is too small for a tile.
template <class T>
std::optional<StridedStarPlan<T>> plan_strided_star(const StencilRequest<T>& request);

/// Where it is expected to be faster than the kernels that take the call otherwise.
template <class T>
std::optional<StridedStarPlan<T>> choose_strided_star(const StencilRequest<T>& request);

extern template TensorBox strided_box(const StridedStarArguments<double>&, const StridedStarLayout&, int, int);
extern template std::optional<StridedStarPlan<double>> plan_strided_star(const StencilRequest<double>&);
extern template std::optional<StridedStarPlan<double>> choose_strided_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
