// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning and kernel of a march both ask: the shared memory of a block, and what of a row comes how.
#pragma once

#include "MarchTuning.hpp"

namespace Keramos::cuda::stencil {

/// Places of a row of so many operands, wherever it lies behind a 16-byte boundary. Of interleaved components all come.
template <class T>
KOKKOS_FUNCTION constexpr int march_pitch(int columns, int components = 1)
{
  return static_cast<int>(core::round_up((columns - 1) * components + vector_width<T>, vector_width<T>));
}

/// Lanes in charge of a row: of each of its ends they bring an element each.
inline constexpr int march_edge_lanes = 8;

/// What of a row's places comes by a bulk copy, [begin, end), and whether elements come at its ends. Operands are
/// `columns` indices from `left` on, of which the field has those in [valid_begin, valid_end), and lie `components` apart.
template <class T>
struct MarchEnds {
  int places, components, begin = 0, end;
  bool elements_below, elements_above;

  KOKKOS_FUNCTION MarchEnds(std::int64_t left, int columns, int the_components, const MarchShift& shift,
                            std::int64_t valid_begin, std::int64_t valid_end)
      : places((columns - 1) * the_components + 1), components(the_components)
  {
    constexpr int width = vector_width<T>;
    end = static_cast<int>(core::round_up(shift.max + places, width));
    elements_below = (left - valid_begin) * components < shift.max;
    elements_above = (left - valid_end + 1) * components - 1 - shift.min + end > 0;
    if (elements_below) {
      const int outside = valid_begin > left ? static_cast<int>(valid_begin - left) * components : 0;
      begin = static_cast<int>(core::round_up(shift.max + outside, width));
    }
    if (elements_above) {
      const int inside = valid_end < left + columns ? static_cast<int>(valid_end - left - 1) * components + 1 : places;
      end = (shift.min + inside) / width * width;
    }
  }

  /// The lanes that are in charge suffice for the elements, wherever the row lies.
  bool has_lanes(const MarchShift& shift) const
  {
    const int above = elements_above ? shift.max + places - end : 0;
    return std::max(begin, above) <= march_edge_lanes * components;
  }
};

/// The shared memory of a block: a ring of planes with their halo, where each plane of the march lies in memory, the barriers.
/// A row begins with what lies on the last 16-byte boundary at or before its first operand, so that it is as far from a boundary
/// as it is in memory.
template <class T>
struct MarchLayout {
  int columns, rows; ///< of a plane, halo included, at most
  int radius, ring;
  int stages = 0;     ///< planes of outputs
  int components = 1; ///< of the input

  KOKKOS_FUNCTION constexpr int pitch() const { return march_pitch<T>(columns, components); }
  KOKKOS_FUNCTION constexpr int plane() const { return rows * pitch(); }
  KOKKOS_FUNCTION constexpr int offsets_at() const { return ring * plane() * static_cast<int>(sizeof(T)); }
  KOKKOS_FUNCTION constexpr int barriers_at() const { return offsets_at() + 8 * (max_march_chunk + 2 * radius); }
  KOKKOS_FUNCTION constexpr int stage_pitch() const { return march_pitch<T>(columns - 2 * radius); }
  KOKKOS_FUNCTION constexpr int stage_bytes() const
  {
    return (rows - 2 * radius) * stage_pitch() * static_cast<int>(sizeof(T));
  }
  KOKKOS_FUNCTION constexpr int stages_at() const
  {
    return static_cast<int>(core::round_up(barriers_at() + 2 * 8 * (ring + stages), 16));
  }
  KOKKOS_FUNCTION constexpr int bytes() const { return stages_at() + stages * stage_bytes(); }
};

template <class T>
KOKKOS_FUNCTION constexpr MarchLayout<T> march_layout(const MarchShape& shape, int radius)
{
  return {shape.max_columns() + 2 * radius,
          shape.height() + 2 * radius,
          radius,
          shape.ring,
          shape.stages,
          shape.components};
}

/// The same where a thread has two columns (MarchPairs.hpp). Rows lie as far behind 32 bytes as they do in memory, which bulk copies
/// want: of the copy, an H200, behind 16 and behind 32 bytes, rows of 509, 513, 511 in 513 planes, sub-views: 88, 87, 87, 80 and 89, 90, 89, 82%.
template <class T>
struct PairLayout {
  static constexpr int alike = 32 / static_cast<int>(sizeof(T)); ///< elements
  int columns, rows, radius;                                     ///< of a plane, halo included, at most
  int ring, beside_ring;                                         ///< planes, and of those the rows beside a block's own
  int kept;                ///< planes whose own rows stay when they are summed, see MarchPairFunctor.hpp
  int fields;              ///< that come to shared memory, see MarchPairFields.hpp
  bool has_columns_beside; ///< whose warp reads a column's rows together

  /// With columns beside an odd number of 32 bytes, so that neighbouring rows begin in other banks.
  KOKKOS_FUNCTION constexpr int row_bytes() const
  {
    const int units = core::ceil_div(columns + alike - 1, alike);
    return 32 * (has_columns_beside ? units | 1 : units);
  }
  KOKKOS_FUNCTION constexpr int plane_bytes() const { return rows * row_bytes(); }
  /// Own rows of a plane and those beside them, where they lie apart.
  KOKKOS_FUNCTION constexpr int own_bytes() const { return (rows - 2 * radius) * row_bytes(); }
  KOKKOS_FUNCTION constexpr int beside_bytes() const { return 2 * radius * row_bytes(); }
  KOKKOS_FUNCTION constexpr int own_ring() const { return ring + kept; }
  KOKKOS_FUNCTION constexpr int own_at() const { return beside_ring * beside_bytes(); }
  KOKKOS_FUNCTION constexpr int fields_at() const { return own_at() + own_ring() * own_bytes(); }
  KOKKOS_FUNCTION constexpr int fields_bytes() const { return fields * own_bytes(); }
  KOKKOS_FUNCTION constexpr int barriers_at() const { return fields_at() + beside_ring * fields_bytes(); }
  /// Of a plane, and for how many planes: a power of two.
  KOKKOS_FUNCTION constexpr int barriers() const { return fields > 0 ? 5 : 3; }
  KOKKOS_FUNCTION constexpr int slots() const { return ring <= 4 ? 4 : 8; }
  KOKKOS_FUNCTION constexpr int bytes() const { return barriers_at() + barriers() * 8 * slots(); }
};

template <class T>
KOKKOS_FUNCTION constexpr PairLayout<T> pair_layout(const MarchShape& shape, int radius, int operands)
{
  return {shape.max_columns() + 2 * radius,
          shape.height() + 2 * radius,
          radius,
          shape.ring,
          shape.stages_fields() ? shape.fields_ring : shape.ring,
          shape.keeps_centres && !shape.keeps_planes ? radius : 0,
          shape.stages_fields() ? operands : 0,
          shape.columns_beside > 0};
}

} // namespace Keramos::cuda::stencil
