// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a matrix that is not square, in place, in their order: moves between places that do not overlap, and once the cells that
// trade places.
#pragma once

#include "../../../src/keramos/core/Integer.hpp"
#include "OblongCut.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace Keramos::cuda::transpose {

inline char* aligned_scratch(char* scratch)
{
  const auto begin = reinterpret_cast<std::intptr_t>(scratch);
  return scratch + (core::round_up(begin, scratch_alignment) - begin);
}

/// Move is called with axes, of `in` and `out` in elements, both addresses, and whether it may read before the move or trade in front of it
/// has ended, which writes nothing that it reads; Trade with nothing.
template <class Move, class Trade>
class OblongSteps {
public:
  OblongSteps(const OblongCut& cut, char* data, char* scratch, const Move& move, const Trade& trade)
      : cut_(cut), data_(data), move_(move), trade_(trade)
  {
    lead_ = aligned_scratch(scratch);
    rest_ = lead_ + cut.rest_begin();
    waiting_ = lead_ + cut.waiting_begin();
  }

  /// The last bands wait; the others go from the last to the first.
  void high() const
  {
    const std::int64_t waiting = cut_.bands - cut_.at_once;
    move({{cut_.lead, 1, cut_.longer}, {cut_.longer, cut_.shorter, 1}}, data_, lead_);
    copy(behind_bands(), rest_, cut_.rest * cut_.shorter);
    copy(band(waiting), waiting_, cut_.at_once * cut_.band_elements());
    for (std::int64_t end = waiting; end > 0; end -= cut_.at_once) {
      const std::int64_t first = std::max<std::int64_t>(0, end - cut_.at_once);
      to_places(band(first), first + cut_.at_once, end - first);
    }
    to_places(waiting_, 0, cut_.at_once);
    trade_();
    copy(lead_, data_, cut_.lead * cut_.longer);
    move({{cut_.rest, cut_.shorter, 1}, {cut_.shorter, 1, cut_.longer}}, rest_, behind_runs());
  }

  /// What is at the first places waits; the other bands go from the first to the last.
  void wide() const
  {
    const std::int64_t waiting = cut_.bands - cut_.at_once;
    copy(data_, lead_, cut_.lead * cut_.longer);
    move({{cut_.rest, 1, cut_.shorter}, {cut_.shorter, cut_.longer, 1}}, behind_runs(), rest_);
    trade_();
    to_bands(0, waiting_, cut_.at_once, false);
    for (std::int64_t first = 0; first < waiting; first += cut_.at_once)
      to_bands(first + cut_.at_once, band(first), std::min(cut_.at_once, waiting - first), true);
    copy(waiting_, band(waiting), cut_.at_once * cut_.band_elements());
    move({{cut_.lead, cut_.longer, 1}, {cut_.longer, 1, cut_.shorter}}, lead_, data_);
    copy(rest_, behind_bands(), cut_.rest * cut_.shorter);
  }

private:
  char* at(std::int64_t element) const { return data_ + element * cut_.size; }
  char* band(std::int64_t b) const { return at(b * cut_.band_elements()); }
  char* behind_bands() const { return band(cut_.bands); }
  char* behind_runs() const { return at(cut_.bands * cut_.run); } ///< of the first row

  void move(std::initializer_list<core::MoveAxis> axes, const char* in, char* out, bool reads_early = false) const
  {
    if (std::all_of(axes.begin(), axes.end(), [](const core::MoveAxis& axis) { return axis.extent > 0; }))
      move_(core::normalised(axes.begin(), static_cast<int>(axes.size())), in, out, reads_early);
  }
  void copy(const char* in, char* out, std::int64_t elements) const { move({{elements, 1, 1}}, in, out); }

  /// Some bands from the address of the first one on, turned, to places from `place` on, and back. Their first columns stay. Bands that go
  /// before have left for places behind these ones, or come from places in front of these.
  void to_places(const char* bands, std::int64_t place, std::int64_t count) const
  {
    move({{count, cut_.band_elements(), cut_.cell_height * cut_.longer},
          {cut_.cell_rows, cut_.cell_height, cut_.run},
          {cut_.cell_height, 1, cut_.longer},
          {cut_.run, cut_.shorter, 1}},
         bands + cut_.lead * cut_.size, at(cut_.place(place)), true);
  }
  void to_bands(std::int64_t place, char* bands, std::int64_t count, bool reads_early) const
  {
    move({{count, cut_.cell_height * cut_.longer, cut_.band_elements()},
          {cut_.cell_rows, cut_.run, cut_.cell_height},
          {cut_.cell_height, cut_.longer, 1},
          {cut_.run, 1, cut_.shorter}},
         at(cut_.place(place)), bands + cut_.lead * cut_.size, reads_early);
  }

  const OblongCut& cut_;
  char *data_, *lead_, *rest_, *waiting_; ///< the latter three in scratch
  const Move& move_;
  const Trade& trade_;
};

/// A matrix that waits as a whole.
template <class Move>
void steps_through_scratch(const OblongWhole& matrix, char* data, char* scratch, const Move& move)
{
  char* const waiting = aligned_scratch(scratch);
  const core::MoveAxis all[] = {{matrix.rows * matrix.columns, 1, 1}};
  const core::MoveAxis turned[] = {{matrix.rows, matrix.columns, 1}, {matrix.columns, 1, matrix.rows}};
  move(core::normalised(all, 1), data, waiting, false);
  move(core::normalised(turned, 2), waiting, data, false);
}

} // namespace Keramos::cuda::transpose
