// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells that trade places in one array (OblongCut.hpp). A cell is some rows of a run each, the run is cut into pieces, and a warp takes the
// same piece of every cell along a cycle of the permutation:
//
//     first <- from(first) <- from(from(first)) <- ... <- first, held in registers
//
// Cells are large and cycles are few, so that there is work for all warps without cutting these, and the host says where each begins.
// Pieces that do not lie on 16 bytes on both sides are stored by words, a warp's access to one line of memory, and loaded by the words that
// hold the same bytes.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "../BlockDivisor.hpp"
#include "../Memory.hpp"
#include "OblongCut.hpp"

#include <Kokkos_Macros.hpp>

#include <cstdint>
#include <numeric>

namespace Keramos::cuda::transpose {

/// Where cells go, which are numbered row by row. Place p holds band p - shift, of which cell R belongs into row R.
struct CellGrid {
  BlockDivisor rows, columns; ///< as many columns as bands
  unsigned shift;
  bool is_high;

  KOKKOS_FUNCTION unsigned count() const { return rows.d * columns.d; }
  /// The cell that a cell gets, and the one that gets it.
  KOKKOS_FUNCTION unsigned from(unsigned cell) const { return is_high ? of_place(cell) : of_row(cell); }
  KOKKOS_FUNCTION unsigned to(unsigned cell) const { return is_high ? of_row(cell) : of_place(cell); }

private:
  KOKKOS_FUNCTION unsigned of_place(unsigned cell) const
  {
    const unsigned row = quotient(cell, columns), place = cell - row * columns.d + shift;
    return (place < columns.d ? place : place - columns.d) * rows.d + row;
  }
  KOKKOS_FUNCTION unsigned of_row(unsigned cell) const
  {
    const unsigned place = quotient(cell, rows), row = cell - place * rows.d;
    return row * columns.d + (place < shift ? place + columns.d - shift : place - shift);
  }
};

inline CellGrid cell_grid(const OblongCut& cut)
{
  return {block_divisor(cut.cell_rows), block_divisor(cut.bands), static_cast<unsigned>(cut.at_once), cut.is_high};
}

/// Of cells in as many rows as columns: cell (row, column) gets that of (column + shift, row). So the columns minus the rows are d and
/// -d - shift by turns, and the row moves by the shift in every second step; where both differences are one, by d + shift in every step.
template <class F>
void for_each_cycle_of_square(const CellGrid& grid, const F& f)
{
  const unsigned n = grid.columns.d;
  for (unsigned d = 0; d < n; ++d) {
    const unsigned other = (2 * n - d - grid.shift) % n;
    if (other < d) continue;
    const unsigned apart = std::gcd(n, other == d ? d + grid.shift : grid.shift); // rows of a cycle
    if (other == d && apart == n) continue;                                       // which stay
    for (unsigned row = 0; row < apart; ++row) f(row * n + (row + d) % n);
  }
}

/// f(a cell of it) for each cycle of more than one. Where there are few rows, cells are few, and it is the least one that is looked for.
template <class F>
void for_each_cycle(const CellGrid& grid, const F& f)
{
  if (grid.rows.d == grid.columns.d) return for_each_cycle_of_square(grid, f);
  for (unsigned first = 0, seen = 0; seen < grid.count(); ++first) {
    unsigned length = 1, cell = grid.from(first);
    for (; cell > first; cell = grid.from(cell)) ++length;
    if (cell < first) continue;
    seen += length;
    if (length > 1) f(first);
  }
}

inline constexpr int cycle_threads = 256, cycle_blocks = 5, cycles_at_once = 256;

struct CellCyclesJob {
  CellGrid grid;
  std::int64_t row_bytes, cell_bytes, run_bytes; ///< between rows, rows of cells, and cells of a row
  BlockDivisor pieces;                           ///< of a run
  unsigned piece_bytes;
  unsigned warps; ///< of a cycle: pieces of a cell
  bool by_vectors;
  unsigned first[cycles_at_once]; ///< a cell of each cycle

  KOKKOS_FUNCTION std::int64_t offset(unsigned cell) const
  {
    const unsigned row = quotient(cell, grid.columns);
    return row * cell_bytes + (cell - row * grid.columns.d) * run_bytes;
  }
};

/// Where a piece lies within its cell.
struct CellPiece {
  std::int64_t offset;
  int bytes;

  KOKKOS_FUNCTION CellPiece(const CellCyclesJob& job, unsigned warp)
  {
    const unsigned row = quotient(warp, job.pieces);
    const std::int64_t along = std::int64_t{warp - row * job.pieces.d} * job.piece_bytes;
    const std::int64_t left = job.run_bytes - along;
    offset = row * job.row_bytes + along;
    bytes = static_cast<int>(left < job.piece_bytes ? left : job.piece_bytes);
  }
};

/// A lane's part of a piece, in vectors of 16 bytes.
struct CellVectors {
  static constexpr int count = 4, most_bytes = count * 32 * 16;
  uint4 vector[count];

  KOKKOS_FUNCTION void load(const char* from, const char*, int bytes, int lane)
  {
    const auto* const own = reinterpret_cast<const uint4*>(from) + lane;
    for (int k = 0; k < count; ++k)
      if (16 * (lane + 32 * k) < bytes) vector[k] = own[32 * k];
  }
  KOKKOS_FUNCTION void store(char* to, int bytes, int lane) const
  {
    auto* const own = reinterpret_cast<uint4*>(to) + lane;
    for (int k = 0; k < count; ++k)
      if (16 * (lane + 32 * k) < bytes) own[32 * k] = vector[k];
  }
};

/// A lane's part of a piece, in the words that lie on 4 bytes where it goes; which lane has what depends on that.
struct CellWords {
  static constexpr int line = 128, count = 9, most_bytes = (count - 1) * line;
  unsigned word[count] = {};

  KOKKOS_FUNCTION void load(const char* from, const char* to, int bytes, int lane)
  {
    const int first = first_of(to, lane);
    const int shift = static_cast<int>(reinterpret_cast<std::uintptr_t>(from + first) % 4);
    if (shift == 0)
      load_words(word, from, first, bytes);
    else
      load_shifted(from, first - shift, bytes, 8 * shift);
  }
  KOKKOS_FUNCTION void store(char* to, int bytes, int lane) const
  {
    const int first = first_of(to, lane);
    char* const own = to + first;
    int last = bytes; // a word that ends behind the piece: elements of 1 and 2 bytes
    unsigned last_word = 0;
    for (int k = 0; k < count; ++k) {
      const int at = first + k * line;
      if (at >= 0 && at + 4 <= bytes)
        *reinterpret_cast<unsigned*>(own + k * line) = word[k];
      else if (at >= 0 && at < bytes) {
        last = at;
        last_word = word[k];
      }
    }
    if (first < 0) store_bytes(to, first, word[0], bytes);
    store_bytes(to, last, last_word, bytes);
  }

private:
  /// What lies in front of the piece is negative.
  KOKKOS_FUNCTION static int first_of(const char* to, int lane)
  {
    return 4 * lane - static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % line);
  }
  /// Those that hold a byte of the piece.
  KOKKOS_FUNCTION static void load_words(unsigned (&words)[count], const char* from, int first, int bytes)
  {
    const char* const own = from + first;
    for (int k = 0; k < count; ++k) {
      const int at = first + k * line;
      if (at > -4 && at < bytes) words[k] = *reinterpret_cast<const unsigned*>(own + k * line);
    }
  }
  /// Each out of two words of memory; all of these are on their way before the first is waited for.
  KOKKOS_FUNCTION void load_shifted(const char* from, int first, int bytes, int bits)
  {
    unsigned high[count] = {};
    load_words(word, from, first, bytes);
    load_words(high, from, first + 4, bytes);
    for (int k = 0; k < count; ++k) word[k] = static_cast<unsigned>((std::uint64_t{high[k]} << 32 | word[k]) >> bits);
  }
  KOKKOS_FUNCTION static void store_bytes(char* to, int at, unsigned word, int bytes)
  {
    for (int b = 0; b < 4; ++b)
      if (at + b >= 0 && at + b < bytes) to[at + b] = static_cast<char>(word >> 8 * b);
  }
};

/// For all cells, from the first one on; cycles come later.
inline CellCyclesJob cycles_job(const OblongCut& cut, const char* data)
{
  CellCyclesJob job{};
  job.grid = cell_grid(cut);
  job.row_bytes = cut.longer * cut.size;
  job.cell_bytes = cut.cell_height * job.row_bytes;
  job.run_bytes = cut.run * cut.size;
  job.by_vectors = is_aligned(data, 16) && job.row_bytes % 16 == 0 && job.run_bytes % 16 == 0;
  const std::int64_t most = job.by_vectors ? CellVectors::most_bytes : CellWords::most_bytes;
  const std::int64_t bytes =
      core::round_up(core::ceil_div(job.run_bytes, core::ceil_div(job.run_bytes, most)), CellWords::line);
  job.piece_bytes = static_cast<unsigned>(bytes);
  job.pieces = block_divisor(core::ceil_div(job.run_bytes, bytes));
  job.warps = static_cast<unsigned>(cut.cell_height) * job.pieces.d;
  return job;
}

template <class Lane>
__device__ inline void walk(const CellCyclesJob& job, char* data, const CellPiece& piece, unsigned first, int lane)
{
  const auto at = [&](unsigned cell) { return data + job.offset(cell) + piece.offset; };
  Lane held, moved;
  held.load(at(first), at(job.grid.to(first)), piece.bytes, lane);
  unsigned cell = first;
  for (unsigned next = job.grid.from(cell); next != first; next = job.grid.from(next)) {
    moved.load(at(next), at(cell), piece.bytes, lane);
    __syncwarp(); // all lanes have read what was at this cell, in the step before
    moved.store(at(cell), piece.bytes, lane);
    cell = next;
  }
  __syncwarp();
  held.store(at(cell), piece.bytes, lane);
}

} // namespace Keramos::cuda::transpose
