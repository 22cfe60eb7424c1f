// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes whose planes come by tensor copies, on Hopper and later: what the host decides. For rows that lie on 16
// bytes; up to max_settled_radius with every edge rule, beyond it where zero or memory is beyond the edges of x and y. The kernel
// is in TensorStarKernel.hpp.
#pragma once

#include "../TensorCopy.hpp"
#include "LockstepGroups.hpp"
#include "MarchSchedule.hpp"
#include "Star.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// How a block is built: a warp along x, 16 bytes a thread in each of `rows` rows.
struct TensorStarShape {
  int rows;  ///< of a thread
  int warps; ///< along the middle axis
  int ahead; ///< planes in flight
  int drift; ///< see Lockstep.hpp
  KOKKOS_FUNCTION constexpr int height() const { return rows * warps; }
  KOKKOS_FUNCTION constexpr int threads() const { return 32 * warps; }
};

inline constexpr int max_tensor_star_radius = max_radius;

/// Largest radius with edge rules across the march (TensorStarEdges.hpp): a thread's rows are as many, so that what is beyond an
/// edge of y is read by one warp.
inline constexpr int max_settled_radius = 4;

/// Planes of which what lies beyond an edge is on its way, where nothing but the sum is stored. 512^3, radius 4, an H200, Gpoint/s, one, two,
/// three and four: periodic f32 427, 431, 427, 430, f64 229, 232, 233, 232; interior 423 and 239. Where an epilogue's fields are there, too,
/// one, for planes of the ring are worth more: the wave update of radius 4, of its 3 reads and 1 write, f32 and f64, 97 and 100%, with two
/// and a plane less in the ring 91 and 93.
inline constexpr int settled_ahead = 3;

/// H200, of the copy, at 512^3, 512x1024x1024 and 1000^3, f32. By a probe with a queue instead of partial sums, planes in flight,
/// drift 3: radius 1, one 81, 90, 89, two 91, 90, 89, three 93, 89, 88; radius 2, two 92, 87, 86, three 92, 88, 88; radius 3, two
/// 90, 87, 85, three 93, 87, 87; radius 4, one 76, 73, 72, two 89, 85, 84. Drift 5 made half a percent less, without
/// lockstep radius 4 made 84, 78, 79. A warp that did nothing but begin with planes made no more. This kernel: the star of radius 4 at
/// 512^3, 1024x1024x512 and 1000^3, two planes in flight 82.7, 84.6, 82.9, three 84.7, 87.5, 86.4, four 85.2, 87.4, 86.7. The wave
/// update at 512^3, of its 3 reads and 1 write, one plane in flight and two, f32 and f64: radius 1 88 and 91, 99 and 102; radius 2 99
/// and 101, 92 and 93; radius 3 91 and 93, 100 and 102; radius 4 the same, for there is no room for more planes; drift 2 and 4 at most
/// half a percent less.
///
/// As many rows as registers hold, for the halo of a tile is read again: at 512^3 f32 and f64, three rows radius 5 73 and 75, radius 6
/// 67 and 71, two rows radius 8 49 and 49; four rows radius 5 81 and 86, radius 6 71 and 73 (52 and 68 bytes are spilled), three rows
/// radius 8 56 and 55 (24 bytes). Of the wave update three rows radius 5 86 and 86, four 93 and 92 (up to 48 bytes are spilled).
KOKKOS_FUNCTION constexpr TensorStarShape tensor_star_shape(int radius, int operands)
{
  if (operands > 0) return {radius <= 5 ? 4 : radius == 6 ? 3 : 2, 8, radius == 1 || radius == 3 ? 2 : 1, 3};
  return {radius <= 6 ? 4 : 3, 8, radius == 4 ? 4 : radius == 2 || radius == 3 ? 3 : 2, 3};
}

/// Planes of a chunk at most: with lockstep, shorter ones only cost their ramps (radius 4, 1000^3: 84% in one, 82% in four).
inline constexpr int max_tensor_chunk = 1024;
static_assert(max_tensor_chunk + 2 * max_tensor_star_radius <= lockstep_steps);

/// Radius from which tiles that are left come last in shorter chunks (MarchSchedule.hpp). H200, f64, chunks of one length and so, Gpoint/s: 258x514x450
/// radius 2 and 4 185, 216 and 166, 205, 514x515x514 211, 220 and 200, 211, but radius 1 219, 200 and 218, 224, 258x514x770 214, 193.
inline constexpr int min_rest_radius = 2;

/// Points below which others take the call. H200, 192^3, 256^3, 480x480x100 and 320^3, us by the march and by tensor copies, zero outside:
/// radius 1 in float 23.1, 23.2; 43.2, 43.1; 57.8, 56.1; 94, 80, radius 4 32.5, 30.6; 51.7, 49.6; 76.2, 65.3; 112, 95, radius 8 70, 50; 111, 71;
/// 168, 115; 259, 149; radius 4 in double 52, 42; 107, 82; 155, 113; 204, 154. `periodic`, radius 4 in float 32.8, 35.4; 51.5, 54.7; 76.3, 75.1; 112,
/// 110, in double 53, 44; 107, 85; 157, 127; 205, 161. The wave update of radius 4
/// with a number as its scale, zero outside, Gpoint/s by the march and by tensor copies, 192^3, 224^3, 256^3, 480x480x100 and 320^3, an H200 in float
/// 156, 176; 181, 213; 225, 249; 211, 253; 201, 251, in double 114, 121; 101, 122; 133, 142; 120, 138; 134, 147, an H100 in float 143, 156; 162, 183;
/// 188, 201; 186, 212; 186, 213, in double 97, 99; 95, 102; 107, 111; 109, 112; 111, 113; larger radii alike, smaller ones between 0.87 and 1.3 times
/// the march's; edges that are settled were not measured.
inline constexpr std::int64_t min_tensor_points = 192 * 192 * 192;
template <class T>
constexpr std::int64_t min_tensor_points_of(int radius, int operands, bool settles)
{
  if (operands > 0) return radius < 4 || settles ? std::int64_t(1) << 25 : min_tensor_points;
  return settles && sizeof(T) == 4 ? 480 * 480 * 100 : min_tensor_points;
}

/// The shared memory of a block: planes with their halo, row by row, then barriers, then the epilogue's operands at the tile's points
/// (TensorStarOperands.hpp), then, where edges are settled, strips (TensorStarEdges.hpp). A whole number of sectors
/// lies beside the tile: boxes begin on 32 bytes where tiles do, for one that begins within a sector moves a fifth more of these.
struct TensorStarLayout {
  int halo;          ///< vectors of 16 bytes on either side
  int rows;          ///< of a plane
  int kept, ring;    ///< planes that stay for the epilogue, and all
  int settled;       ///< planes of which what lies beyond an edge is on its way
  int operand_bytes; ///< of all threads
  int edges;         ///< strips of a plane

  KOKKOS_FUNCTION constexpr int pitch() const { return 16 * (32 + 2 * halo); }
  KOKKOS_FUNCTION constexpr int box() const { return rows * pitch(); }
  KOKKOS_FUNCTION constexpr int plane() const { return static_cast<int>(core::round_up(box(), 128)); }
  KOKKOS_FUNCTION constexpr int barriers_at() const { return ring * plane(); }
  KOKKOS_FUNCTION constexpr int operands_at() const { return barriers_at() + 2 * barrier_bytes * ring; }
  KOKKOS_FUNCTION constexpr int edges_at() const { return operands_at() + operand_bytes; }
  KOKKOS_FUNCTION constexpr int strip() const { return max_settled_radius * pitch(); }
  KOKKOS_FUNCTION constexpr int strips() const { return edges * strip(); } ///< a plane's
  KOKKOS_FUNCTION constexpr int all_strips() const { return (settled + 1) * strips(); }
  KOKKOS_FUNCTION constexpr int bytes() const { return edges_at() + all_strips(); }
};

/// Of a block on Hopper.
inline constexpr int tensor_star_memory = 227 * 1024;

/// An epilogue with operands also asks for the centre of its output, which ends a radius behind the plane that comes. A plane's
/// place is filled anew when all warps are done with the plane behind it, or, with operands and where memory allows it, with the two
/// behind it: so warps are further apart (H200, the wave update of radius 4 in float at 512^3, 1024x1024x512 and 1000^3, of the copy:
/// one 91, 90, 89%, two 100, 99, 96%).
template <class T>
KOKKOS_FUNCTION constexpr TensorStarLayout tensor_star_layout(int radius, int operands, bool settles)
{
  const TensorStarShape shape = tensor_star_shape(radius, operands);
  TensorStarLayout layout{};
  layout.halo = static_cast<int>(core::round_up(core::ceil_div(radius, vector_width<T>), 2));
  layout.rows = shape.height() + 2 * radius;
  layout.kept = operands > 0 ? radius : 0;
  layout.settled = operands > 0 ? 1 : settled_ahead;
  layout.operand_bytes = 16 * operands * shape.rows * shape.threads();
  layout.edges = settles ? 3 : 0;
  const int wanted = layout.kept + shape.ahead + (operands > 0 ? 3 : 2);
  const int room = (tensor_star_memory - layout.bytes()) / (layout.plane() + 2 * barrier_bytes);
  layout.ring = wanted < room ? wanted : room;
  return layout;
}

/// What the kernel is told beside the epilogue.
template <class T>
struct TensorStarArguments {
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  EdgeAxis<T> axis[3];
  StarWeights<T> weights;
  std::int64_t origin; ///< x of the first tile's first point
  std::int64_t chunk;  ///< planes of a block
  MarchRest rest;
  unsigned tiles[2];         ///< along x and y
  bool settles[2][2];        ///< whether a rule has something else than zero beyond x and y, below and above
  std::int64_t last[2];      ///< x and y of a tile at most
  std::int64_t first_column; ///< index of the map's first column
  LockstepGroups groups;
};

template <class T>
struct TensorStarPlan {
  int radius;
  bool settles; ///< any edge, see TensorStarEdges.hpp: a kernel of its own, for the question alone costs a hundredth
  LaunchShape shape;
  TensorBox box;
  TensorStarArguments<T> arguments;
  double busy;        ///< the part of the multiprocessors' time in which they compute points of the grid
  core::Text variant; ///< "star<3,4> boxes 128x32"
};

/// Empty if the call is no star of radius 1 to max_tensor_star_radius, rows are not on 16 bytes, an edge has a rule that is not
/// settled, or the GPU is older than Hopper.
template <class T>
std::optional<TensorStarPlan<T>> plan_tensor_star(const StencilRequest<T>& request);

/// Where it is expected to be faster than the other kernels.
template <class T>
std::optional<TensorStarPlan<T>> choose_tensor_star(const StencilRequest<T>& request);

extern template std::optional<TensorStarPlan<float>> plan_tensor_star(const StencilRequest<float>&);
extern template std::optional<TensorStarPlan<double>> plan_tensor_star(const StencilRequest<double>&);
extern template std::optional<TensorStarPlan<float>> choose_tensor_star(const StencilRequest<float>&);
extern template std::optional<TensorStarPlan<double>> choose_tensor_star(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
