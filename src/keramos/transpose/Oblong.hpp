// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that are not square, transposed in place in passes over whole columns and whole rows: the elements of each trade places
// among themselves, through scratch memory of some rows or columns (B. Catanzaro, A. Keller, M. Garland, "A decomposition for
// in-place matrix transposition", PPoPP 2014; there "C2R", "rotate" and "shuffle").
#pragma once

#include "../core/Field.hpp"
#include "../core/Integer.hpp"
#include "Problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace Keramos::core {

/// Where elements go, of `rows` x `columns` that lie row by row. With c the greatest common divisor of both, a = rows / c and
/// b = columns / c:
///
///     first (only if c > 1)    element (i, j) comes from row       (i + j / b) mod rows                     of its column
///     then                     element (i, j) goes to column       ((i + j / b) mod rows + j * rows) mod columns   of its row
///     then                     element (i, j) comes from row       (j + i * columns - i / a) mod rows       of its column
///
/// and the memory holds the transpose, `columns` x `rows`, row by row. The walks are the same along a row or a column without
/// a division for each element.
struct OblongMaps {
  std::int64_t rows, columns, a, b;

  OblongMaps(std::int64_t the_rows, std::int64_t the_columns) : rows(the_rows), columns(the_columns)
  {
    const std::int64_t c = std::max<std::int64_t>(1, std::gcd(rows, columns));
    a = rows / c;
    b = columns / c;
  }

  bool coprime() const { return b == columns; }

  /// j / b is less than c, which is no more than rows.
  KOKKOS_FUNCTION std::int64_t rotated(std::int64_t i, std::int64_t j) const { return wrapped(i + j / b, rows); }
  KOKKOS_FUNCTION std::int64_t shuffled_column(std::int64_t i, std::int64_t j) const
  {
    return (rotated(i, j) + j * rows) % columns;
  }
  KOKKOS_FUNCTION std::int64_t shuffled_row(std::int64_t i, std::int64_t j) const
  {
    return (j + i * columns - i / a) % rows;
  }

  /// An index less than twice the extent.
  KOKKOS_FUNCTION static std::int64_t wrapped(std::int64_t index, std::int64_t extent)
  {
    return index < extent ? index : index - extent;
  }
};

/// rotated(i, j) along a row, from j on.
class RotatedRow {
public:
  KOKKOS_FUNCTION RotatedRow(const OblongMaps& maps, std::int64_t i, std::int64_t j)
      : row_(maps.rotated(i, j)), rows_(maps.rows), b_(maps.b), of_b_(j % maps.b)
  {
  }
  KOKKOS_FUNCTION std::int64_t operator*() const { return row_; }
  KOKKOS_FUNCTION bool next()
  {
    if (++of_b_ < b_) return false;
    of_b_ = 0;
    row_ = OblongMaps::wrapped(row_ + 1, rows_);
    return true;
  }

private:
  std::int64_t row_, rows_, b_, of_b_;
};

/// shuffled_column(i, j) along a row, from j on.
class ShuffledColumn {
public:
  KOKKOS_FUNCTION ShuffledColumn(const OblongMaps& maps, std::int64_t i, std::int64_t j)
      : column_(maps.shuffled_column(i, j)), columns_(maps.columns), step_(maps.rows % maps.columns),
        rotated_(maps, i, j)
  {
  }
  KOKKOS_FUNCTION std::int64_t operator*() const { return column_; }
  KOKKOS_FUNCTION void next()
  {
    column_ = OblongMaps::wrapped(column_ + step_, columns_);
    if (!rotated_.next()) return;
    column_ = OblongMaps::wrapped(column_ + 1, columns_);
    if (*rotated_ == 0) column_ = OblongMaps::wrapped(column_ + columns_ - step_, columns_); // rows fewer
  }

private:
  std::int64_t column_, columns_, step_;
  RotatedRow rotated_;
};

/// shuffled_row(i, j) along a row, from j on.
class ShuffledRow {
public:
  KOKKOS_FUNCTION ShuffledRow(const OblongMaps& maps, std::int64_t i, std::int64_t j)
      : row_(maps.shuffled_row(i, j)), rows_(maps.rows)
  {
  }
  KOKKOS_FUNCTION std::int64_t operator*() const { return row_; }
  KOKKOS_FUNCTION void next() { row_ = OblongMaps::wrapped(row_ + 1, rows_); }

private:
  std::int64_t row_, rows_;
};

/// How a matrix is taken to scratch: a slot holds some rows, or a panel of neighbouring columns, as many as make a cache line
/// where that is not too much.
struct OblongSlots {
  std::int64_t rows, columns, element;
  std::int64_t width, height; ///< columns of a panel; rows that come together
  std::int64_t bytes;         ///< of a slot: whole lines

  static constexpr std::int64_t line_bytes = 64;
  /// A slot of whole lines that is no larger than this need not be narrower: it stays in a second or third-level cache.
  static constexpr std::int64_t max_panel_bytes = 4 << 20;
  /// Short rows come together up to this size, so that starting on them does not count.
  static constexpr std::int64_t max_rows_bytes = 256 << 10;
  /// What a GPU works on at once, some of its second-level cache.
  static constexpr std::int64_t device_bytes = 16 << 20;

  OblongSlots(std::int64_t the_rows, std::int64_t the_columns, std::int64_t size)
      : rows(the_rows), columns(the_columns), element(size)
  {
    const std::int64_t room = std::max(std::max(rows, columns), max_panel_bytes / size);
    width = std::clamp<std::int64_t>(room / std::max<std::int64_t>(1, rows), 1,
                                     std::max<std::int64_t>(1, std::min(line_bytes / size, columns)));
    bytes = round_up(std::max(columns, rows * width) * size, line_bytes);
    height = std::clamp<std::int64_t>(std::min(bytes, max_rows_bytes) / std::max<std::int64_t>(1, columns * size), 1,
                                      std::max<std::int64_t>(1, rows));
  }

  KOKKOS_FUNCTION std::int64_t panels() const { return ceil_div(columns, width); }

  /// As many as `threads` threads take, or what fills a GPU (0); together an eighth of the matrix at most, but one.
  std::int64_t wanted(int threads) const
  {
    const std::int64_t most = std::min(std::max(rows, panels()), rows * columns * element / 8 / bytes);
    return std::max<std::int64_t>(1, std::min(most, threads ? threads : device_bytes / bytes));
  }
};

/// A matrix of rows x columns, row by row, in place; scratch of so many bytes.
template <class T>
struct OblongCall {
  const char* operation = "";
  std::int64_t rows, columns;
  T* data;
  char* scratch;
  std::size_t scratch_bytes;
};

template <class T>
struct OblongProblem {
  OblongCall<T> call;
  OblongMaps maps;
  OblongSlots slots;

  explicit OblongProblem(const OblongCall<T>& the_call)
      : call(the_call), maps(call.rows, call.columns), slots(call.rows, call.columns, sizeof(T))
  {
  }

  /// A single row and a single column are the same in memory.
  bool empty() const { return call.rows <= 1 || call.columns <= 1; }
  /// That the scratch holds.
  std::int64_t slots_at_once() const { return static_cast<std::int64_t>(call.scratch_bytes) / slots.bytes; }
};

enum class OblongPass { rotate, shuffle_rows, shuffle_columns };

/// One pass over a problem: a line, which is some rows or a panel, is taken to a slot and put back, each in steps of neighbours
/// in memory. All steps of taking come before the first of putting.
template <class T, OblongPass pass>
class OblongLines {
public:
  explicit OblongLines(const OblongProblem<T>& problem)
      : data_(problem.call.data), scratch_(problem.call.scratch), maps_(problem.maps), slots_(problem.slots)
  {
  }

  std::int64_t lines() const { return by_rows ? ceil_div(maps_.rows, slots_.height) : slots_.panels(); }
  /// Of a whole line; the last one may have fewer, and then the others do nothing.
  std::int64_t steps() const { return by_rows ? slots_.height * slots_.panels() : maps_.rows; }

  KOKKOS_FUNCTION void take(std::int64_t line, std::int64_t slot, std::int64_t step) const
  {
    const Place place = place_of(line, step);
    const T* const from = data_ + place.row * maps_.columns + place.column;
    T* const to = scratch(slot) + place.in_slot;
    if constexpr (by_rows) {
      if (place.count == 0) return;
      ShuffledColumn column(maps_, place.row, place.column);
      for (std::int64_t w = 0; w < place.count; ++w, column.next()) to[*column] = from[w];
    } else {
      for (std::int64_t w = 0; w < place.count; ++w) to[w] = from[w];
    }
  }

  KOKKOS_FUNCTION void put(std::int64_t line, std::int64_t slot, std::int64_t step) const
  {
    const Place place = place_of(line, step);
    T* const to = data_ + place.row * maps_.columns + place.column;
    const T* const from = scratch(slot);
    if constexpr (by_rows)
      for (std::int64_t w = 0; w < place.count; ++w) to[w] = from[place.in_slot + place.column + w];
    else if constexpr (pass == OblongPass::rotate)
      gather(RotatedRow(maps_, place.row, place.column), from, to, place.count);
    else
      gather(ShuffledRow(maps_, place.row, place.column), from, to, place.count);
  }

private:
  static constexpr bool by_rows = pass == OblongPass::shuffle_rows;

  /// The elements of a step, and where in the slot their row begins.
  struct Place {
    std::int64_t row, column, count, in_slot;
  };
  KOKKOS_FUNCTION Place place_of(std::int64_t line, std::int64_t step) const
  {
    const std::int64_t width = slots_.width;
    if constexpr (by_rows) {
      const std::int64_t within = step / slots_.panels(), row = line * slots_.height + within;
      const std::int64_t column = step % slots_.panels() * width;
      return {row, column, row < maps_.rows ? width_at(column) : 0, within * maps_.columns};
    } else {
      return {step, line * width, width_at(line * width), step * width};
    }
  }

  template <class Row>
  KOKKOS_FUNCTION void gather(Row row, const T* from, T* to, std::int64_t count) const
  {
    for (std::int64_t w = 0; w < count; ++w, row.next()) to[w] = from[*row * slots_.width + w];
  }
  KOKKOS_FUNCTION T* scratch(std::int64_t slot) const { return reinterpret_cast<T*>(scratch_ + slot * slots_.bytes); }
  KOKKOS_FUNCTION std::int64_t width_at(std::int64_t first) const
  {
    const std::int64_t rest = maps_.columns - first;
    return rest < slots_.width ? rest : slots_.width;
  }

  T* data_;
  char* scratch_;
  OblongMaps maps_;
  OblongSlots slots_;
};

/// run(lines) for each pass, in order.
template <class T, class Run>
void for_each_pass(const OblongProblem<T>& problem, const Run& run)
{
  if (!problem.maps.coprime()) run(OblongLines<T, OblongPass::rotate>(problem));
  run(OblongLines<T, OblongPass::shuffle_rows>(problem));
  run(OblongLines<T, OblongPass::shuffle_columns>(problem));
}

} // namespace Keramos::core
