// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars, small boxes and what lies within these, over three axes, by partial sums, on Hopper and later, for rows of any alignment:
// plans by a given shape of blocks. MarchChoice.hpp chooses among them, MarchKernel.hpp has the kernel.
#pragma once

#include "LockstepGroups.hpp"
#include "MarchOperator.hpp"
#include "MarchSchedule.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// How many shapes of blocks there are for an operator at most, see march_shape().
inline constexpr int march_shapes = 5;
/// That of stars from one of interleaved components.
inline constexpr int march_of_components = 4;

/// How far behind a 16-byte boundary rows begin, in elements: all alike, or anywhere between these.
struct MarchShift {
  int min, max;
};

/// What the kernel is told beside the weights. The last tile along an axis begins so early that it is whole; what the one
/// before has stored it does not store again.
template <class T>
struct MarchArguments {
  const T* in;
  T* out;
  std::int64_t out_stride[3];
  Range range[3];
  EdgeAxis<T> axis[3];
  std::int64_t chunk; ///< planes of a block
  unsigned tiles[2];  ///< along x and y
  MarchRest rest;
  int columns;      ///< of a tile
  int view_axis[3]; ///< the View index of each axis
  bool rows_alike;  ///< the same element of all rows lies on a 16-byte boundary
  bool leads; ///< tiles of pairs begin a column earlier where no output of theirs would lie on 8 bytes, see has_leads()
  LockstepGroups groups;

  /// Of the rows whose first element has this address if it is in the first row.
  KOKKOS_FUNCTION MarchShift shift(const T* first) const
  {
    constexpr int width = vector_width<T>;
    const int one = static_cast<int>(reinterpret_cast<std::uintptr_t>(first) / sizeof(T) % width);
    return rows_alike ? MarchShift{one, one} : MarchShift{0, width - 1};
  }
};

template <class T>
struct MarchPlan : MarchOperator<T> {
  int number; ///< of its shape, see march_shape()
  LaunchShape shape;
  MarchArguments<T> arguments;
  core::Text variant; ///< "star<3,4> partial sums 255x16"
  double marching;    ///< see marching_part()
};

/// By this shape; empty if the operator is neither a star nor within a small box, the rows are not contiguous, the GPU is older
/// than Hopper, the grid is too small for a tile, or its tiles leave more of the ends of rows to lanes than there are: so with radius 3
/// and 4 in float at some odd lengths of rows from 160 to 768.
template <class T>
std::optional<MarchPlan<T>> plan_march(const StencilRequest<T>& request, int number);

/// The same of a star with an application's functor behind it (MarchFunctor.hpp).
template <class T>
std::optional<MarchPlan<T>> plan_march_functor(const StencilRequest<T>& request, int number);

/// What plan_march() does in two steps, of which the first serves several shapes: a plan that lacks a shape, and whether it could be given
/// this one.
template <class T>
std::optional<MarchPlan<T>> march_without_shape(const StencilRequest<T>& request);
template <class T>
bool set_march_shape(MarchPlan<T>& plan, const StencilRequest<T>& request, int number);

extern template std::optional<MarchPlan<float>> plan_march(const StencilRequest<float>&, int);
extern template std::optional<MarchPlan<double>> plan_march(const StencilRequest<double>&, int);
extern template std::optional<MarchPlan<float>> plan_march_functor(const StencilRequest<float>&, int);
extern template std::optional<MarchPlan<double>> plan_march_functor(const StencilRequest<double>&, int);
extern template std::optional<MarchPlan<float>> march_without_shape(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> march_without_shape(const StencilRequest<double>&);
extern template bool set_march_shape(MarchPlan<float>&, const StencilRequest<float>&, int);
extern template bool set_march_shape(MarchPlan<double>&, const StencilRequest<double>&, int);

} // namespace Keramos::cuda::stencil
