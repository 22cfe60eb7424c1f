// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of moves whose fast axes differ: tiles, and points of few components.
#pragma once

#include "Layout.hpp"
#include "Plan.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

/// Extents of a tile; 0 where there is no such shape.
struct Sides {
  int a = 0, b = 0;
};

template <template <int> class Shapes>
Sides sides_of(int size)
{
  Sides sides;
  with_size(size, [&](auto bytes) {
    if constexpr (!std::is_void_v<Shapes<bytes>>) sides = {Shapes<bytes>::a, Shapes<bytes>::b};
  });
  return sides;
}

/// "tile 64x64 v4"; `elements` is 0 where a lane moves one.
core::Text tile_text(const char* what, const Sides& sides, int elements, const char* behind = "");

/// All strides of a side but that of its fast axis.
bool pitches_are_multiples_of(int bytes, const Layout& layout, int fast, std::int64_t MoveAxis::*stride);

/// So few elements that they may stay in the cache?
bool is_small(const Device& device, const Layout& layout);

/// The tiles that a plain move would take. Here and below axis x is the fast one of the output, y that of the input.
MoveKind tile_kind(const Device& device, const Layout& layout, int x, int y);
/// Are they of aligned vectors, of 4 or 8 bytes an element, in an array that does not stay in the cache?
bool are_large_vector_tiles(const Device& device, const Layout& layout, MoveKind kind);
/// Are they of these, whose pieces of rows share units of memory with their neighbours, so that unaligned ones are worth more if full?
bool share_units(const Device& device, const Layout& layout, int x, int y, MoveKind kind);
/// Do aligned tiles have whole rows of the output, or lines of them?
bool has_lines_of_output(const Layout& layout, int x, int y, MoveKind kind);
/// Are they unaligned ones of a large matrix, each with whole rows of the input, so that boxes are worth more?
bool have_rows_of_matrix(const Layout& layout, int y, MoveKind kind);
/// Are they worth it: enough of their elements elements of the array?
bool fills_tiles(const Layout& layout, int x, int y, MoveKind kind, double least = min_fill);
/// Are they so full that boxes by runs are worth no more? Of aligned vectors the rows of the output count alone; of elements of 16 bytes
/// both sides, and whether blocks come soon to the rest of a row of the input.
bool fills_tiles_well(const Layout& layout, int x, int y, MoveKind kind);
/// A functor that narrows elements: are unaligned tiles worth more than boxes?
bool takes_narrowing_tiles(const Layout& layout, int x, int y);
/// None: more blocks than a grid has.
std::optional<MovePlan> plan_tile(const Layout& layout, int x, int y, MoveKind kind);

/// Tiles over y and the axes in which the output is contiguous, of which blocks move at most so many bytes before they come to the next row of the
/// input. None: too few of these, or of tiles, or too empty ones.
std::optional<MovePlan> plan_joined(const Device& device, const Layout& layout, int y, std::int64_t most_bytes);

/// The same of accumulations, whose tiles own whole lines of the output.
std::optional<MovePlan> plan_joined_sum(const Device& device, const Layout& layout, int y);

/// None: no small matrices that both sides have, or too few of them.
std::optional<MovePlan> plan_matrices(const Device& device, const Layout& layout);

/// None: not narrow, or too few points.
std::optional<MovePlan> plan_narrow(const Layout& layout, int x, int y);

} // namespace Keramos::cuda::transpose
