// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a matrix that is not square is cut, to be transposed in place. The longer side is cut into bands, and what lies in memory of the
// shorter one into rows of cells. A band moves once, turned, to the place some bands on, which has been left before, and there it is a part of
// these rows; then the cells trade places:
//
//     high, 4 bands:                   band b, turned,                  the result
//     ...............                  at place b + 1
//     : band 0        :                3.0 3.1 3.2 3.3 :rest            0.0 1.0 2.0 3.0 :rest        b.R: of band b, what becomes
//     : band 1        :     ->         0.0 0.1 0.2 0.3 :       ->       0.1 1.1 2.1 3.1 :                 row R of cells
//     : band 2        :                1.0 1.1 1.2 1.3 :                0.2 1.2 2.2 3.2 :
//     : band 3        :                2.0 2.1 2.2 2.3 :                0.3 1.3 2.3 3.3 :
//     : rest :
//
// Of a matrix that has fewer columns than bands a row of cells is one row of the result, and has the places of several bands. A wide matrix
// goes the same way backwards. What bands leave over of the longer side, and rows of cells of the shorter one, waits in scratch: the last
// rows, and the first columns, whose rows of the result lie in front of all places. So the bands of a high matrix, from the last one on,
// are written behind all that has not been read yet, however much is left over on either side.
//
// Small matrices are not cut: they wait in scratch as a whole, and come back turned.
#pragma once

#include "../../../src/keramos/transpose/Problem.hpp"

#include <cstdint>
#include <optional>
#include <variant>

namespace Keramos::cuda::transpose {

/// In elements of `size` bytes.
struct OblongCut {
  bool is_high;
  int size;
  std::int64_t longer, shorter;  ///< sides
  std::int64_t bands, run, rest; ///< longer = bands * run + rest
  std::int64_t cell_rows, cell_height,
      lead;             ///< shorter = lead + cell_rows * cell_height; the bands are a multiple of the rows
  std::int64_t at_once; ///< bands that move together; so many wait in scratch
  std::int64_t scratch_bytes;

  std::int64_t band_elements() const { return run * shorter; }
  std::int64_t places_of_row() const { return bands / cell_rows; }
  /// Elements in front of a place.
  std::int64_t place(std::int64_t p) const
  {
    return (lead + p / places_of_row() * cell_height) * longer + p % places_of_row() * cell_rows * run;
  }

  /// Bytes from the beginning of scratch, which lies on `scratch_alignment`.
  std::int64_t rest_begin() const;
  std::int64_t waiting_begin() const;
};

inline constexpr std::int64_t scratch_alignment = 256;

/// None: too small, too narrow runs, or data that is not on 4 bytes.
std::optional<OblongCut> cut_oblong(std::int64_t rows, std::int64_t columns, int size, const void* data);

/// Rows x columns of `size` bytes that wait as a whole.
struct OblongWhole {
  std::int64_t rows, columns;
  int size;
};

using OblongWay = std::variant<OblongWhole, OblongCut>;

/// None: neither small nor cut.
std::optional<OblongWay> oblong_way(std::int64_t rows, std::int64_t columns, int size, const void* data);
std::int64_t scratch_bytes(const OblongWay& way);

} // namespace Keramos::cuda::transpose
