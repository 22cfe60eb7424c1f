// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How outputs leave a block of MarchKernel.hpp row by row. Where rows begin anywhere, what a warp stores lies in five sectors of 32
// bytes instead of four; a row of the block as one bulk copy leaves partial sectors at its ends alone. A plane of outputs is put
// together in shared memory, each row as far behind a 16-byte boundary as it is to lie in memory; whoever is in charge of a row
// sends it while the next plane is summed. Elements at its ends, as far as no 16 bytes are full, are stored one by one.
#pragma once

#include "../BulkCopy.hpp"
#include "MarchTile.hpp"

namespace Keramos::cuda::stencil {

template <class T, int Radius, class Shape>
struct MarchStores {
  static constexpr MarchShape shape = Shape::value;
  static constexpr MarchLayout<T> layout = march_layout<T>(shape, Radius);
  static constexpr int kept = 0, rows = shape.rows, period = vector_width<T>, bytes = sizeof(T);
  static constexpr int row_bytes = layout.stage_pitch() * bytes, lanes = march_edge_lanes, ends = period - 1;
  static_assert(shape.producers == 0 && 2 * ends < lanes);

  static constexpr int staged_at = layout.barriers_at() + 2 * barrier_bytes * shape.ring,
                       sent_at = staged_at + barrier_bytes * shape.stages;

  const MarchArguments<T>& a;
  SharedAddress shared; ///< of the block
  int stage = 0;
  unsigned parity = 0;                     ///< of the planes' first barriers
  bool is_staged = false, is_sent = false; ///< the plane before; the one before that, by this thread

  // of the thread's points
  unsigned stored;  ///< see stored_rows()
  SharedAddress at; ///< its column in its row 0, if that begins on a boundary
  unsigned behind;  ///< of row 0 in the plane that is next

  // of the row that it is in charge of
  bool stores;
  T* to;                ///< the tile's first column in the plane that is next to be sent
  SharedAddress row_at; ///< the same in the first plane here, if it lies on a boundary
  int skipped;          ///< columns that another block stores

  template <class Tile>
  __device__ MarchStores(const Tile& tile, SharedAddress the_shared, int column, int first_row)
      : a(tile.a), shared(the_shared), stored(stored_rows<rows>(tile, column, first_row)),
        at(shared + layout.stages_at() + first_row * row_bytes + column * bytes)
  {
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32, row = warp + threadIdx.x % 32 / lanes * warps;
    T* const first = a.out + tile.x + tile.y * a.out_stride[1] + tile.first * a.out_stride[2];
    behind = elements_behind(first) + first_row * static_cast<unsigned>(a.out_stride[1]);
    stores = row < shape.height() && tile.y + row >= tile.stored_y;
    to = first + row * a.out_stride[1];
    row_at = shared + layout.stages_at() + row * row_bytes;
    skipped = static_cast<int>(tile.stored_x - tile.x);
    const int storing = __syncthreads_count(stores);
    if (threadIdx.x < 2 * shape.stages)
      init_barrier(shared + staged_at + threadIdx.x * barrier_bytes, threadIdx.x < shape.stages ? blockDim.x : storing);
    publish_barriers();
    __syncthreads();
  }

  /// A plane of the thread's points.
  __device__ void store(const T (&value)[rows])
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
    if (is_staged) send();
    is_staged = true;
    if (++stage == shape.stages) stage = 0, parity ^= 1;
  }

  /// Before a plane is summed: what was sent beside the last one has left its place.
  __device__ void begin()
  {
    if (!is_sent) return;
    wait_for_stores();
    arrive(shared + sent_at + before(before(stage)) * barrier_bytes);
    is_sent = false;
  }

  /// After the last plane.
  __device__ void end()
  {
    send();
    wait_for_stores();
  }

private:
  __device__ static int before(int k) { return k == 0 ? shape.stages - 1 : k - 1; }

  /// The plane before this one.
  __device__ void send()
  {
    if (!stores) return;
    const int k = before(stage);
    wait_for_phase(shared + staged_at + k * barrier_bytes, stage == 0 ? parity ^ 1 : parity);
    const int shift = static_cast<int>(elements_behind(to) % period), lane = threadIdx.x % lanes;
    const int begin = static_cast<int>(core::round_up(shift + skipped, period)),
              end = (shift + a.columns) / period * period;
    const SharedAddress from = row_at + k * layout.stage_bytes();
    if (lane == 0) {
      if (begin < end) store_bulk(to - shift + begin, from + begin * bytes, (end - begin) * bytes);
    } else {
      const int element = lane <= ends ? shift + skipped + lane - 1 : max(begin, end) + lane - 1 - ends;
      if (element < (lane <= ends ? min(begin, shift + a.columns) : shift + a.columns)) {
        T value;
        load_shared(value, from + element * bytes);
        (to - shift)[element] = value;
      }
    }
    commit_stores();
    is_sent = true;
    to += a.out_stride[2];
  }
};

template <class T, int Radius, class Shape>
using MarchOutputOf = std::conditional_t<(Shape::value.stages > 0), MarchStores<T, Radius, Shape>,
                                         MarchOutput<T, Shape::value.rows, false>>;

} // namespace Keramos::cuda::stencil
