// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowsBox.hpp"
#include "../../../src/keramos/core/Integer.hpp"
#include "Tuning.hpp"

#include <algorithm>
#include <numeric>

namespace Keramos::cuda::transpose {
namespace {

using core::ceil_div;
using core::round_up;

/// Do the pieces of the output's runs begin on a sector, if they are a multiple of it?
bool pieces_are_aligned(const Layout& layout, int cut)
{
  bool all = is_aligned(layout.out, sector_bytes);
  for (int k = cut + 1; k < layout.axes.count; ++k)
    all = all && layout.axes[k].out * layout.out_size % sector_bytes == 0;
  return all;
}

/// Of the input's fast axis boxes take whole lines, or whole sectors, if it begins on them everywhere.
void align_input(const Layout& layout, std::int64_t most, RowsBox& box)
{
  const MoveAxes& axes = layout.axes;
  const int fast = core::input_order(axes)[0];
  std::int64_t& own = box.own[fast];
  bool aligned = axes[fast].in == 1 && own < axes[fast].extent && is_aligned(layout.in, sector_bytes);
  std::int64_t others = 1;
  for (int k = 0; k < axes.count; ++k) {
    if (k == fast) continue;
    aligned = aligned && axes[k].in * layout.in_size % sector_bytes == 0;
    others *= box.own[k];
  }
  if (!aligned) return;
  const bool is_long = axes[fast].extent >= min_pieces_of_lines * own;
  const std::int64_t sector = sector_bytes / layout.in_size, unit = is_long ? 128 / layout.in_size : sector;
  if (others * round_up(own, unit) <= most)
    own = std::min(round_up(own, unit), axes[fast].extent);
  else if (own >= sector)
    own = own / sector * sector;
}

/// Cuts the runs of the output along axis k, whose steps are `run` elements long: between sectors, or, where boxes may share some, with
/// shared ones, or at least between vectors. There is room for so many steps; all other axes of the box have `others` elements.
void cut_runs(const Layout& layout, int k, std::int64_t run, std::int64_t room, std::int64_t others, bool may_share,
              RowsBox& box)
{
  const int size = layout.out_size;
  const auto unit_of = [&](int bytes) { return bytes / size / std::gcd(bytes / size, run); };
  const std::int64_t unit = unit_of(sector_bytes), vectors = unit_of(16);
  const std::int64_t shared = ceil_div(sector_bytes / size - 1, run);
  std::int64_t& own = box.own[k];
  if (own >= unit && pieces_are_aligned(layout, k)) {
    own = own / unit * unit;
  } else if (!may_share) {
    return;
  } else if (box_bytes_of(layout).own_per_shared * shared <= own) {
    box.cut = k;
    box.shared = shared;
    const std::int64_t axis = layout.axes[k].extent, even = ceil_div(axis, ceil_div(axis, own - shared));
    own = run == 1 && layout.accumulates ? room / unit * unit - shared : even; // see held_box_rows_bytes
  } else if (const std::int64_t more = round_up(own, vectors);
             others * more * layout.size() <= box_bytes_of(layout).whole_vectors) {
    own = std::min(more, layout.axes[k].extent);
  } else if (own >= vectors) {
    own = own / vectors * vectors;
  }
}

/// Lengthens the runs of the output to what shared memory is to hold, in even pieces. Behind a cut nothing grows. Copies take
/// further rows as well, for nothing else makes their boxes larger; these are long, and are shared by no boxes.
void grow_runs(const Layout& layout, std::int64_t most, RowsBox& box, bool may_share = true)
{
  const MoveAxes& axes = layout.axes;
  const bool copies = core::same_order(axes);
  std::int64_t run = 1, volume = 1;
  int long_axes = 0;
  for (int k = 0; k < axes.count; ++k) volume *= box.own[k], long_axes += box.own[k] > 1;
  for (int k = 0; k < axes.count && (axes[k].out == run || copies); ++k) {
    const std::int64_t axis = axes[k].extent, least = box.own[k], others = volume / least;
    if (axis > 1 && least == 1 && ++long_axes > max_box_axes) return;
    const std::int64_t room = std::clamp<std::int64_t>(most / others, least, axis), pieces = ceil_div(axis, room);
    box.own[k] = ceil_div(axis, pieces);
    if (pieces > 1 && (k == 0 || !copies)) return cut_runs(layout, k, run, room, others, may_share, box);
    run *= axis;
    volume = others * box.own[k];
  }
}

} // namespace

const BoxRowsBytes& box_bytes_of(const Layout& layout)
{
  if (layout.accumulates) return held_box_rows_bytes;
  return narrows(layout.in_size, layout.out_size) ? narrowing_box_rows_bytes : box_rows_bytes;
}

RowsBox rows_box(const Layout& layout, std::int64_t most, bool whole_rows)
{
  RowsBox box;
  const int least = layout.size() / 4; // shared memory holds no box of very different sides
  const int in_size = std::max(layout.in_size, least), out_size = std::max(layout.out_size, least);
  const std::int64_t row = whole_rows ? layout.axes[core::input_order(layout.axes)[0]].extent : 1;
  for (const int bytes : box_run_bytes) {
    const bool is_first = bytes == box_run_bytes[0]; // others may come out too large, but not cut to what there may be
    core::BoxShape shape(layout.axes, box_limits(is_first ? max_box_elements : 4 * max_box_elements));
    shape.span(std::max(1, bytes / out_size), std::max<std::int64_t>(row, bytes / in_size));
    if ((whole_rows || !is_first) && shape.volume() > most) break;
    box.own = extents_of(shape);
  }
  if (box.own[0] == 0) return box;
  align_input(layout, most, box);
  grow_runs(layout, most, box);
  return box;
}

RowsBox rows_box_by_input(const Layout& layout, std::int64_t most, int input_bytes, bool may_share)
{
  core::BoxShape shape(layout.axes, box_limits(max_box_elements));
  shape.span(1, std::max(1, input_bytes / layout.in_size));
  RowsBox box;
  box.own = extents_of(shape);
  align_input(layout, most, box);
  grow_runs(layout, most, box, may_share);
  return box;
}

std::optional<RowsBox> box_of_lines(const Layout& layout)
{
  const MoveAxes& axes = layout.axes;
  const int x = 0, y = core::input_order(axes)[0], in_size = layout.in_size, out_size = layout.out_size;
  bool suits = x != y && axes[x].out == 1 && axes[y].in == 1 && layout.size() <= max_box_of_lines_size;
  for (int k = 0; k < axes.count; ++k) {
    suits = suits && (k == x || axes[k].out * out_size % memory_unit_bytes == 0);
    suits = suits && (k == y || axes[k].in * in_size % memory_unit_bytes == 0);
  }
  RowsBox box;
  box.own.fill(1);
  box.own[x] = units_of_output(narrows(in_size, out_size)) * memory_unit_bytes / out_size;
  box.own[y] = memory_unit_bytes / in_size;
  for (const int k : {x, y}) {
    const bool is_full = layout.accumulates && axes[k].extent % box.own[k] == 0; // see min_pieces_of_lines
    suits = suits && (is_full || axes[k].extent >= min_pieces_of_lines * box.own[k]);
  }
  if (!suits) return std::nullopt;
  return box;
}

} // namespace Keramos::cuda::transpose
