// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars over three axes by partial sums, on Hopper and later, for rows of any alignment: what the host decides. The kernel
// is in MarchKernel.hpp.
#pragma once

#include "Star.hpp"

#include <optional>

namespace Keramos::cuda::stencil {

/// Places of a row of so many operands, wherever it lies behind a 16-byte boundary.
template <class T>
KOKKOS_FUNCTION constexpr int march_pitch(int columns)
{
  return static_cast<int>(core::round_up(columns + vector_width<T> - 1, vector_width<T>));
}

/// Lanes in charge of a row: of each of its ends they bring an element each.
inline constexpr int march_edge_lanes = 8;

/// What of a row's places comes by a bulk copy, [begin, end), and whether elements come at its ends. Operands are
/// `columns` indices from `left` on, of which the field has those in [valid_begin, valid_end).
template <class T>
struct MarchEnds {
  int columns, begin = 0, end;
  bool elements_below, elements_above;

  KOKKOS_FUNCTION MarchEnds(std::int64_t left, int the_columns, std::int64_t valid_begin, std::int64_t valid_end)
      : columns(the_columns)
  {
    constexpr int width = vector_width<T>;
    end = march_pitch<T>(columns);
    elements_below = left - (width - 1) < valid_begin;
    elements_above = left + end > valid_end;
    if (elements_below) {
      const int outside = valid_begin > left ? static_cast<int>(valid_begin - left) : 0;
      begin = static_cast<int>(core::round_up(outside + width - 1, width));
    }
    if (elements_above) {
      const int inside = valid_end < left + columns ? static_cast<int>(valid_end - left) : columns;
      end = inside / width * width;
    }
  }

  /// The lanes that are in charge suffice for the elements, wherever the row lies.
  bool has_lanes() const
  {
    const int above = elements_above ? columns + vector_width<T> - 1 - end : 0;
    return begin <= march_edge_lanes && above <= march_edge_lanes;
  }
};

/// The shared memory of a block: a ring of planes with their halo, where each plane of the march lies in memory, the barriers.
/// A row begins with what lies on the last 16-byte boundary at or before its first operand, so that it is as far from a boundary
/// as it is in memory.
template <class T>
struct MarchLayout {
  int columns, rows; ///< of a plane, halo included, at most
  int radius;

  KOKKOS_FUNCTION constexpr int pitch() const { return march_pitch<T>(columns); }
  KOKKOS_FUNCTION constexpr int plane() const { return rows * pitch(); }
  KOKKOS_FUNCTION constexpr int offsets_at() const { return march_ring * plane() * static_cast<int>(sizeof(T)); }
  KOKKOS_FUNCTION constexpr int barriers_at() const { return offsets_at() + 8 * (max_march_chunk + 2 * radius); }
  KOKKOS_FUNCTION constexpr int bytes() const { return barriers_at() + 2 * 8 * march_ring; }
};

template <class T>
KOKKOS_FUNCTION constexpr MarchLayout<T> march_layout(const MarchShape& shape, int radius)
{
  return {32 * shape.max_warps + 2 * radius, shape.height() + 2 * radius, radius};
}

/// `columns`: of a tile. The last tile along an axis begins so early that it is whole; what the one before has stored it
/// does not store again.
template <class T>
struct MarchArguments {
  StarArguments<T> star;
  int columns;
};

template <class T>
struct MarchPlan {
  int radius;
  int number; ///< of its shape, see march_shape()
  LaunchShape shape;
  MarchArguments<T> arguments;
  core::Text variant; ///< "star<3,4> partial sums 255x16"
};

/// By this shape; empty if the call is no star of three axes with contiguous rows, the GPU is older than Hopper, or
/// the grid is too small for a tile.
template <class T>
std::optional<MarchPlan<T>> plan_march(const StencilRequest<T>& request, int number);

/// Where it is expected to be faster than the kernel of Star.hpp.
template <class T>
std::optional<MarchPlan<T>> choose_march(const StencilRequest<T>& request);

extern template std::optional<MarchPlan<float>> plan_march(const StencilRequest<float>&, int);
extern template std::optional<MarchPlan<double>> plan_march(const StencilRequest<double>&, int);
extern template std::optional<MarchPlan<float>> choose_march(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
