// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared fields in shared memory, behind pairs of columns (MarchPairFunctor.hpp): threads that load them when their sums end wait for the L2
// in every plane. Own rows, the rows beside them and the fields' rows have a ring each; as long as can be, which is not long:
//
//     own rows      | Radius planes that stay | summed | on their way |
//     rows beside                             | summed | on their way |
//     fields' rows                          | finished | on their way |
//
// A warp's bulk copies begin one after another, some 60 cycles apart by an estimate, so that two warps share them: one copies planes, the other fields, and
// it writes the zeros beyond the ends of own rows, which alone are read so far.
#pragma once

#include "MarchPairOperands.hpp"

namespace Keramos::cuda::stencil {

template <class T, int Radius, class Shape, int Operands>
struct PairFieldsTile : PairTile<T, Radius, Shape, Operands> {
  using Base = PairTile<T, Radius, Shape, Operands>;
  using Base::Base, Base::layout, Base::slots, Base::incomplete, Base::empty, Base::ready, Base::wants_zeros;
  static constexpr int height = Shape::value.height();
  static constexpr int lag = layout.ring - layout.beside_ring; ///< planes by which other rows are copied after own ones
  static constexpr bool is_left_early = true;
  static_assert(Operands * height <= 32, "a lane a row");

  /// Barriers of each slot: rows beside have come, of a plane that is summed; fields have, of one that is finished. They count these.
  __device__ SharedAddress beside_ready() const { return incomplete + slots * barrier_bytes; }
  __device__ SharedAddress fields_ready() const { return incomplete + 2 * slots * barrier_bytes; }
  /// Where own rows arrive.
  __device__ SharedAddress own_arrived() const { return wants_zeros() ? incomplete : ready; }

  __device__ bool within(int step) const { return step >= Radius && step < this->planes - Radius; }
  __device__ void wait_for_rows_beside(int step) const
  {
    const PairSlot<PairFieldsTile> at(step - Radius);
    wait_for_phase(at.of(beside_ready()), at.parity);
  }
  /// Until the places of what is copied in this turn are free. Each turn, for a phase is known by its parity alone.
  __device__ void wait_for_places(int turn) const
  {
    if (turn < layout.ring) return;
    const PairSlot<PairFieldsTile> at(turn - layout.ring);
    wait_for_phase(at.of(empty), at.parity);
  }

  /// Of the planes whose fields have come, this one.
  __device__ static unsigned fields_offset(unsigned plane)
  {
    return layout.fields_at() + plane % layout.beside_ring * layout.fields_bytes();
  }
};

/// A lane's row, plane after plane. What lies beside one, as far as a 16-byte boundary, lies between elements of the field but at its first and
/// its last.
template <class T>
struct PairRowCopies {
  const T *data, *past; ///< the field's first element, and behind its last
  const T* from;        ///< the row's first operand
  int begin, end;       ///< of its operands, what is in the field
  SharedAddress place;  ///< of a ring, in which so many are left
  unsigned step_bytes, ring, left;

  __device__ void set_ring(SharedAddress first, unsigned bytes, unsigned the_ring)
  {
    place = first, step_bytes = bytes, ring = left = the_ring;
  }
  __device__ void copy(SharedAddress barrier) const
  {
    constexpr int width = vector_width<T>;
    const bool begins = (from + begin) - data < width, ends = past - (from + end) < width;
    copy_row(from, begin, end, begins, ends, place, barrier);
  }
  __device__ void next_place()
  {
    place += step_bytes;
    if (--left == 0) place -= ring * step_bytes, left = ring;
  }
};

/// A lane's row of a block's planes: own rows first, for the others are more often in the L2.
template <class Tile>
struct PairPlaneRow : PairRowCopies<typename Tile::Element> {
  int lag; ///< turns behind own rows
  bool is_own, is_there;

  __device__ PairPlaneRow(const Tile& tile, int lane)
  {
    constexpr int radius = Tile::radius, height = Tile::height;
    constexpr auto layout = Tile::layout;
    const auto& a = tile.a;
    const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      return a.in + x + y * a.axis[1].stride + z * a.axis[2].stride;
    };
    this->data = at(a.axis[0].valid_begin, a.axis[1].valid_begin, a.axis[2].valid_begin);
    this->past = at(a.axis[0].valid_end, a.axis[1].valid_end - 1, a.axis[2].valid_end - 1);
    this->begin = tile.begin, this->end = tile.end;
    is_own = lane < height;
    const int beside = lane - height, row = is_own ? radius + lane : beside < radius ? beside : beside + height;
    is_there = tile.has_row(row);
    lag = is_own ? 0 : Tile::lag;
    this->from = tile.operands_of(row) - lag * a.axis[2].stride;
    if (is_own)
      this->set_ring(tile.shared + layout.own_at() + lane * layout.row_bytes(), layout.own_bytes(), layout.own_ring());
    else
      this->set_ring(tile.shared + beside * layout.row_bytes(), layout.beside_bytes(), layout.beside_ring);
  }
  __device__ void clear() const
  {
    Tile::clear(this->place, Tile::layout.row_bytes(), 0, 1);
    order_before_copies();
  }
};

/// All planes of a block, by a warp. Rows beside are read of planes that are summed as a whole, which are in the field.
template <class Tile, int Drift>
__device__ void copy_planes_for_fields(const Tile& tile)
{
  constexpr int radius = Tile::radius;
  const auto& a = tile.a;
  const bool keeps_together = a.groups.steps > 0;
  PairPlaneRow<Tile> row(tile, threadIdx.x % 32);
  Lockstep<Drift> lockstep(a.groups);
  for (int turn = 0; turn < tile.planes + Tile::lag; ++turn, row.from += a.axis[2].stride) {
    const int step = turn - row.lag, beside = turn - Tile::lag;
    const std::int64_t z = tile.first - radius + step;
    tile.wait_for_places(turn);
    if (keeps_together && turn < tile.planes) lockstep.keep(turn, turn + 1);
    const bool wants = row.is_own ? turn < tile.planes : tile.within(step), is_plain = a.axis[2].plain(z, z + 1);
    const SharedAddress arrived = row.is_own ? PairSlot<Tile>(turn).of(tile.own_arrived())
                                             : PairSlot<Tile>(step - radius).of(tile.beside_ready());
    if (row.is_there && wants && is_plain) row.copy(arrived); // of all lanes at once: begun apart, 5% less on an H200
    if (row.is_own && wants && !is_plain) row.clear();
    if (step >= 0) row.next_place();
    __syncwarp();
    if (turn < tile.planes) arrive(PairSlot<Tile>(turn).of(tile.own_arrived()));
    if (tile.within(beside)) arrive(PairSlot<Tile>(beside - radius).of(tile.beside_ready()));
  }
  if (keeps_together) lockstep.leave(tile.planes);
}

/// A lane's row of the declared fields.
template <class Tile, class Epilogue>
struct PairFieldRow : PairRowCopies<typename Tile::Element> {
  std::int64_t plane_step;
  bool is_there;

  __device__ PairFieldRow(const Tile& tile, const Epilogue& epilogue, int lane)
  {
    constexpr auto layout = Tile::layout;
    const auto& operand = epilogue.operand[min(lane / Tile::height, Epilogue::operands - 1)];
    const auto& stride = operand.field.stride;
    const auto& extent = operand.field.extent;
    this->data = operand.field.data;
    this->past = this->data + extent[0] + (extent[1] - 1) * stride[1] + (extent[2] - 1) * stride[2];
    this->from = this->data + tile.x + (tile.y + lane % Tile::height) * stride[1] + tile.first * stride[2];
    this->begin = 0, this->end = tile.a.columns;
    this->set_ring(tile.shared + layout.fields_at() + lane * layout.row_bytes(), layout.fields_bytes(),
                   layout.beside_ring);
    plane_step = stride[2];
    is_there = lane < Epilogue::operands * Tile::height && operand.is_field();
  }
};

/// The fields' rows of all planes that a block finishes, and zeros beyond the ends of own rows that have come, by another warp.
template <class Tile, class Epilogue>
__device__ void copy_fields(const Tile& tile, const Epilogue& epilogue)
{
  constexpr int radius = Tile::radius;
  const int lane = threadIdx.x % 32;
  const unsigned own = elements_behind(tile.operands_of(radius + lane)),
                 plane_step = static_cast<unsigned>(tile.a.axis[2].stride);
  PairFieldRow<Tile, Epilogue> row(tile, epilogue, lane);
  for (int turn = 0; turn < tile.planes + Tile::lag; ++turn) {
    const int plane = turn - Tile::lag - 2 * radius;
    tile.wait_for_places(turn);
    if (plane >= 0) {
      const SharedAddress arrived = PairSlot<Tile>(plane).of(tile.fields_ready());
      if (row.is_there) row.copy(arrived);
      row.from += row.plane_step;
      row.next_place();
      __syncwarp();
      arrive(arrived);
    }
    if (!tile.wants_zeros() || turn >= tile.planes) continue;
    const PairSlot<Tile> at(turn);
    wait_for_phase(at.of(tile.incomplete), at.parity);
    if (lane < Tile::height) complete_row(tile, tile.place(radius + lane, turn), own + turn * plane_step);
    arrive(at.of(tile.ready));
  }
}

/// The epilogue's operands at the points of a thread, see PairOperands.
template <class Tile, class Epilogue>
struct PairFields {
  using T = typename Tile::Element;
  static constexpr int count = Epilogue::operands, columns = 2, bytes = sizeof(T);
  /// See PairOutput. An H200, rows of 513 and 509, Gpoint/s, without and so: the wave update 244 and 247, 239 and 243, one field 307 and 301, 305 and 297;
  /// an H100 the same by both. Two declared fields, which spill nothing either, were not measured.
  static constexpr bool shifts_pairs = count == 2;
  using Point = Kokkos::Array<T, count>;

  const Epilogue& epilogue;
  SharedAddress first;    ///< the thread's first point of the first field, if its row begins on a boundary
  SharedAddress here;     ///< the same in this plane
  SharedAddress left;     ///< the barrier that counts who needs the plane no longer
  unsigned behind[count]; ///< how far behind one it does

  __device__ PairFields(const Tile& tile, const Epilogue& the_epilogue, std::int64_t x, std::int64_t y, std::int64_t z)
      : epilogue(the_epilogue), first(tile.shared + static_cast<int>(y - tile.y) * Tile::layout.row_bytes() +
                                      static_cast<int>(x - tile.x) * bytes),
        here(first), left(0)
  {
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const auto& field = epilogue.operand[n].field;
      const T* const row = field.data + tile.x + y * field.stride[1] + z * field.stride[2];
      behind[n] = __shfl_sync(~0u, elements_behind(row), 0); // in a uniform register
    }
  }

  __device__ void enter(const Tile& tile, int plane)
  {
    const PairSlot<Tile> at(plane);
    wait_for_phase(at.of(tile.fields_ready()), at.parity);
    here = first + Tile::fields_offset(plane);
    left = PairSlot<Tile>(plane + 2 * Tile::radius).of(tile.empty);
  }
  /// All of the plane is read that lies in shared memory.
  __device__ void leave() const { arrive(left); }
  __device__ Point at(int row, int column) const
  {
    Point point;
#pragma unroll
    for (int n = 0; n < count; ++n) load_shared(point[n], address(n, row) + column * bytes);
    return with_numbers(point);
  }
  __device__ Kokkos::Array<Point, columns> all_at(int row) const
  {
    Kokkos::Array<Point, columns> points;
#pragma unroll
    for (int i = 0; i < columns; ++i) points[i] = at(row, i);
    return points;
  }

  __device__ void next_plane()
  {
#pragma unroll
    for (int n = 0; n < count; ++n) behind[n] += static_cast<unsigned>(epilogue.operand[n].field.stride[2]);
  }

private:
  __device__ SharedAddress address(int n, int row) const
  {
    const unsigned shift = behind[n] + row * static_cast<unsigned>(epilogue.operand[n].field.stride[1]);
    return here + n * Tile::layout.own_bytes() + row * Tile::layout.row_bytes() + shift % Tile::layout.alike * bytes;
  }
  __device__ Point with_numbers(Point point) const
  {
#pragma unroll
    for (int n = 0; n < count; ++n)
      if (!epilogue.operand[n].is_field()) point[n] = epilogue.operand[n].number;
    return point;
  }
};

/// One thread of a block, see march_by_pairs().
template <class Tile, class Shape, class Epilogue, class AddAll>
__device__ void march_with_fields(const MarchArguments<typename Tile::Element>& arguments, const unsigned char* shared,
                                  const Epilogue& epilogue, const AddAll& add_all)
{
  constexpr MarchShape shape = Shape::value;
  static_assert(shape.helpers() == 2);
  const Tile tile(arguments, static_cast<SharedAddress>(__cvta_generic_to_shared(shared)));
  tile.prepare();
  const int warp = warp_of_block() - shape.helpers();
  if (warp == -2) return copy_planes_for_fields<Tile, shape.drift>(tile);
  if (warp == -1) return copy_fields(tile, epilogue);
  add_all(tile, warp, (static_cast<int>(blockDim.x) / 32 - shape.helpers()) / shape.groups);
}

} // namespace Keramos::cuda::stencil
