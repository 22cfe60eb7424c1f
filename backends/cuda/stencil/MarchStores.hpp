// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How outputs leave a block of MarchKernel.hpp row by row. Where rows begin anywhere, what a warp stores lies in five sectors of 32
// bytes instead of four; a row of the block as one bulk copy leaves partial sectors at its ends alone. A plane of outputs is put
// together in shared memory, each row as far behind a 16-byte boundary as it is to lie in memory; whoever is in charge of a row
// sends it while the next plane is summed. Elements at its ends, as far as no 16 bytes are full, are stored one by one.
//
// Where a shape has producers, a warp of its own sends all rows. Else the threads that sum do, eight lanes a row.
#pragma once

#include "../BulkCopy.hpp"
#include "March.hpp"
#include "MarchRows.hpp"
#include "MarchTile.hpp"

namespace Keramos::cuda::stencil {

/// The planes of outputs of a block, and what writes and what sends them.
template <class T, int Radius, class Shape>
struct MarchStages {
  static constexpr MarchShape shape = Shape::value;
  static constexpr MarchLayout<T> layout = march_layout<T>(shape, Radius);
  static constexpr int period = vector_width<T>, bytes = sizeof(T), row_bytes = layout.stage_pitch() * bytes;
  static constexpr int lanes = march_edge_lanes, ends = period - 1;
  static_assert(2 * ends < lanes);

  static constexpr int staged_at = layout.barriers_at() + 2 * barrier_bytes * shape.ring,
                       sent_at = staged_at + barrier_bytes * shape.stages;

  /// Of so many threads each, before a barrier of the block.
  __device__ static void init_barriers(SharedAddress shared, int writing, int sending)
  {
    if (threadIdx.x < 2 * shape.stages)
      init_barrier(shared + staged_at + threadIdx.x * barrier_bytes, threadIdx.x < shape.stages ? writing : sending);
    publish_barriers();
  }

  /// A row, by eight lanes. `to`: the tile's first column; `from`: the same here, if it lies on a boundary; `skipped`: columns that
  /// another block stores.
  __device__ static void send_row(T* to, SharedAddress from, int columns, int skipped)
  {
    const int shift = static_cast<int>(elements_behind(to) % period), lane = threadIdx.x % lanes;
    const int begin = static_cast<int>(core::round_up(shift + skipped, period)),
              end = (shift + columns) / period * period;
    if (lane == 0) {
      if (begin < end) store_bulk(to - shift + begin, from + begin * bytes, (end - begin) * bytes);
    } else {
      const int element = lane <= ends ? shift + skipped + lane - 1 : max(begin, end) + lane - 1 - ends;
      if (element < (lane <= ends ? min(begin, shift + columns) : shift + columns)) {
        T value;
        load_shared(value, from + element * bytes);
        (to - shift)[element] = value;
      }
    }
  }
};

/// The points of a thread, of which another warp sends a plane after the other.
template <class T, int Radius, class Shape>
struct MarchStaged : MarchStages<T, Radius, Shape> {
  using Stages = MarchStages<T, Radius, Shape>;
  using Stages::layout, Stages::period, Stages::bytes, Stages::row_bytes, Stages::staged_at, Stages::sent_at;
  static constexpr int kept = 0, rows = Shape::value.rows, stages = Shape::value.stages;

  const MarchArguments<T>& a;
  SharedAddress shared; ///< of the block
  int stage = 0;
  unsigned parity = 0; ///< of the planes' first barriers
  SharedAddress at;    ///< its column in its row 0, if that begins on a boundary
  unsigned behind;     ///< of row 0 in the plane that is next

  template <class Tile>
  __device__ MarchStaged(const Tile& tile, SharedAddress the_shared, int column, int first_row)
      : a(tile.a), shared(the_shared), at(shared + layout.stages_at() + first_row * row_bytes + column * bytes)
  {
    T* const first = a.out + tile.x + tile.y * a.out_stride[1] + tile.first * a.out_stride[2];
    behind = elements_behind(first) + first_row * static_cast<unsigned>(a.out_stride[1]);
  }

  /// A plane of the thread's points.
  __device__ void store(const T (&value)[rows])
  {
    put(value);
    step_on();
  }
  __device__ void begin() const {}
  __device__ void end() const {}

protected:
  __device__ void put(const T (&value)[rows])
  {
    wait_for_phase(shared + sent_at + stage * barrier_bytes, parity ^ 1);
    SharedAddress begin[period];
#pragma unroll
    for (int k = 0; k < period; ++k)
      begin[k] =
          at + stage * layout.stage_bytes() + (behind + k * static_cast<unsigned>(a.out_stride[1])) % period * bytes;
#pragma unroll
    for (int r = 0; r < rows; ++r) store_shared(begin[r % period] + r * row_bytes, value[r]);
    behind += static_cast<unsigned>(a.out_stride[2]);
    order_before_copies();
    arrive(shared + staged_at + stage * barrier_bytes);
  }
  __device__ void step_on()
  {
    if (++stage == stages) stage = 0, parity ^= 1;
  }
};

/// All rows of a block, by a warp that does nothing else.
template <class T, int Radius, class Shape, class Tile>
__device__ void send_planes(const Tile& tile, SharedAddress shared)
{
  using Stages = MarchStages<T, Radius, Shape>;
  constexpr int height = Shape::value.height(), stages = Shape::value.stages, together = 32 / Stages::lanes;
  const auto& a = tile.a;
  const int first_row = threadIdx.x % 32 / Stages::lanes, skipped = static_cast<int>(tile.stored_x - tile.x);
  T* to = a.out + tile.x + (tile.y + first_row) * a.out_stride[1] + tile.first * a.out_stride[2];
  int stage = 0, before = 0;
  unsigned parity = 0;
  for (std::int64_t plane = tile.first; plane < tile.last; ++plane) {
    wait_for_phase(shared + Stages::staged_at + stage * barrier_bytes, parity);
    const SharedAddress from = shared + Stages::layout.stages_at() + stage * Stages::layout.stage_bytes();
#pragma unroll
    for (int n = 0; n < (height + together - 1) / together; ++n) {
      const int row = first_row + n * together;
      if (row < height && tile.y + row >= tile.stored_y)
        Stages::send_row(to + n * together * a.out_stride[1], from + row * Stages::row_bytes, a.columns, skipped);
    }
    commit_stores();
    if (plane > tile.first) {
      wait_for_stores<1>();
      arrive(shared + Stages::sent_at + before * barrier_bytes);
    }
    before = stage;
    if (++stage == stages) stage = 0, parity ^= 1;
    to += a.out_stride[2];
  }
  wait_for_stores();
}

/// The points of a thread, which also is in charge of a row or of none.
template <class T, int Radius, class Shape>
struct MarchStores : MarchStaged<T, Radius, Shape> {
  using Staged = MarchStaged<T, Radius, Shape>;
  using Staged::a, Staged::shared, Staged::stage, Staged::parity, Staged::layout, Staged::rows, Staged::stages;

  bool is_staged = false, is_sent = false; ///< the plane before; the one before that, by this thread
  bool stores;
  T* to;                ///< the tile's first column in the plane that is next to be sent
  SharedAddress row_at; ///< the same in the first plane here, if it lies on a boundary
  int skipped;          ///< columns that another block stores

  template <class Tile>
  __device__ MarchStores(const Tile& tile, SharedAddress the_shared, int column, int first_row)
      : Staged(tile, the_shared, column, first_row)
  {
    const int warp = warp_of_block(), warps = blockDim.x / 32, row = warp + threadIdx.x % 32 / Staged::lanes * warps;
    stores = row < Shape::value.height() && tile.y + row >= tile.stored_y;
    to = a.out + tile.x + (tile.y + row) * a.out_stride[1] + tile.first * a.out_stride[2];
    row_at = shared + layout.stages_at() + row * Staged::row_bytes;
    skipped = static_cast<int>(tile.stored_x - tile.x);
    const int storing = __syncthreads_count(stores);
    Staged::init_barriers(shared, blockDim.x, storing);
    __syncthreads();
  }

  /// A plane of the thread's points.
  __device__ void store(const T (&value)[rows])
  {
    Staged::put(value);
    if (is_staged) send();
    is_staged = true;
    Staged::step_on();
  }

  /// Before a plane is summed: what was sent beside the last one has left its place.
  __device__ void begin()
  {
    if (!is_sent) return;
    wait_for_stores();
    arrive(shared + Staged::sent_at + before(before(stage)) * barrier_bytes);
    is_sent = false;
  }

  /// After the last plane.
  __device__ void end()
  {
    send();
    wait_for_stores();
  }

private:
  __device__ static int before(int k) { return k == 0 ? stages - 1 : k - 1; }

  /// The plane before this one.
  __device__ void send()
  {
    if (!stores) return;
    const int k = before(stage);
    wait_for_phase(shared + Staged::staged_at + k * barrier_bytes, stage == 0 ? parity ^ 1 : parity);
    Staged::send_row(to, row_at + k * layout.stage_bytes(), a.columns, skipped);
    commit_stores();
    is_sent = true;
    to += a.out_stride[2];
  }
};

template <class T, int Radius, class Shape>
using MarchBulkOutputOf =
    std::conditional_t<Shape::value.has_sender(), MarchStaged<T, Radius, Shape>, MarchStores<T, Radius, Shape>>;
template <class T, int Radius, class Shape>
using MarchOutputOf = std::conditional_t<(Shape::value.stages > 0), MarchBulkOutputOf<T, Radius, Shape>,
                                         MarchOutput<T, Shape::value.rows, false>>;

} // namespace Keramos::cuda::stencil
