// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines along the slowest axis, wherever rows begin: a march through planes, each read once. A block has some points of every plane:
//
//     plane z + n    | ..............  |    on their way: each one bulk copy from boundary to boundary of 16 bytes of the input
//     ...
//     plane z          | own points |       adds to the outputs z - R to z + R, whose sums a thread keeps in registers (PartialSums.hpp)
//     ...
//     output z - R       | own points |     complete: together in shared memory as far behind a boundary of 16 bytes as in memory, it
//     ...                                   leaves by a bulk copy as well, but for the elements at its ends
//
// A warp of its own, the courier, begins with these copies. The others wait for planes and places and never for each other. What a point reads
// and writes lies in a column: lanes meet no bank twice, whatever the alignment.
#pragma once

#include "../BulkCopy.hpp"
#include "LineMarch.hpp"
#include "PartialSums.hpp"

namespace Keramos::cuda::stencil {

/// What a block has: points of planes, and places in shared memory.
template <class T, int Radius>
struct LineMarchBlock {
  using Tile = LineMarchTile<T>;
  static constexpr LineMarchShape shape = Tile::shape;
  static constexpr int bytes = static_cast<int>(sizeof(T));
  static_assert(shape.outputs <= shape.planes, "no warp is a phase of the barriers ahead");

  const LineMarchArguments<T>& a;
  const SharedAddress shared;
  const std::int64_t place; ///< of its first point in a plane
  const int points;
  const int begin, end;            ///< of the planes of its outputs
  const int first_read, reads_end; ///< of those that it reads

  __device__ LineMarchBlock(const LineMarchArguments<T>& arguments, const unsigned char* memory)
      : a(arguments), shared(shared_address(memory)), place(std::int64_t(blockIdx.x) * a.width),
        points(static_cast<int>(min(std::int64_t(a.width), a.points - place))),
        begin(static_cast<int>(blockIdx.y) * a.chunk), end(min(begin + a.chunk, a.planes)),
        first_read(max(begin - Radius, a.valid_begin)), reads_end(min(end + Radius, a.valid_end))
  {
  }

  // Of a plane that has come, of one that all warps are done with, and of outputs that have left.
  __device__ SharedAddress full(int k) const { return shared + k * barrier_bytes; }
  __device__ SharedAddress done(int k) const { return full(shape.planes + k); }
  __device__ SharedAddress sent(int k) const { return full(2 * shape.planes + k); }
  /// The boundary of 16 bytes before its first point there.
  __device__ SharedAddress plane_at(int k) const { return shared + Tile::planes_at + k * Tile::row_bytes; }
  __device__ SharedAddress output_at(int k) const { return plane_at(shape.planes + k); }

  /// Every thread arrives for itself, which is what racecheck follows, but for those whose planes one thread brings.
  __device__ void init_barriers() const
  {
    const int number = threadIdx.x;
    if (number < Tile::barriers)
      init_barrier(full(number), number < shape.planes ? 1 : number < 2 * shape.planes ? 32 * shape.warps : 32);
    publish_barriers();
    __syncthreads();
  }
};

/// The next of so many places, and the parity of its phase.
template <int Count>
struct LineMarchTurn {
  int place = 0;
  unsigned parity = 0;

  __device__ void advance()
  {
    if (++place == Count) place = 0, parity ^= 1;
  }
};

/// The warp that begins with copies.
template <class T, int Radius>
struct LineMarchCourier {
  using Block = LineMarchBlock<T, Radius>;
  static constexpr LineMarchShape shape = Block::shape;
  static constexpr int width = vector_width<T>, bytes = Block::bytes;

  const Block& block;
  const int lane;
  const T* from; ///< the block's first point in the plane that is next
  int next;
  LineMarchTurn<shape.planes> to;

  __device__ static int round_up(int k) { return (k + width - 1) / width * width; }

  __device__ explicit LineMarchCourier(const Block& the_block)
      : block(the_block), lane(threadIdx.x % 32), next(block.first_read)
  {
    from = block.a.in + next * block.a.in_step + block.place;
  }

  /// Begins with the next plane, if there is one. What lies between the block's points and a boundary comes with them, but for the ends of
  /// the field, where the allocation may end: there elements come one by one.
  __device__ void bring()
  {
    if (next == block.reads_end) return;
    const LineMarchArguments<T>& a = block.a;
    const bool is_first = next == a.valid_begin && block.place == 0,
               is_last = next == a.valid_end - 1 && block.place + block.points == a.points;
    const int behind = elements_from_boundary(from), last = behind + block.points; // counted from the boundary
    const int begin = is_first ? round_up(behind) : 0, end = is_last ? last / width * width : round_up(last);
    const SharedAddress place = block.plane_at(to.place), barrier = block.full(to.place);
    const auto bring_elements = [&](int k, int stop) {
      for (; k < stop; ++k) store_shared(place + k * bytes, from[k - behind]);
    };
    if (is_first) bring_elements(behind, min(begin, last));
    if (is_last) bring_elements(max(end, is_first ? begin : behind), last);
    if (begin < end) copy_bulk(place + begin * bytes, from - behind + begin, (end - begin) * bytes, barrier);
    arrive(barrier);
    from += a.in_step;
    ++next;
    to.advance();
  }

  /// Outputs of a plane, from their place to `out`.
  __device__ void send(T* out, SharedAddress place) const
  {
    const int behind = elements_from_boundary(out), last = behind + block.points;
    const int begin = min(round_up(behind), last), end = max(last / width * width, begin);
    if (lane == 0) {
      if (begin < end) store_bulk(out - behind + begin, place + begin * bytes, (end - begin) * bytes);
      commit_stores();
    } else if (lane <= 2 * width) {
      const int k = lane <= width ? behind + lane - 1 : end + lane - 1 - width;
      if (k < (lane <= width ? begin : last)) {
        T value;
        load_shared(value, place + k * bytes);
        (out - behind)[k] = value;
      }
    }
  }

  __device__ void run()
  {
    if (lane == 0)
      for (int k = 0; k < shape.planes; ++k) bring();
    T* out = block.a.out + block.begin * block.a.out_step + block.place;
    LineMarchTurn<shape.planes> plane;
    int output = 0, before = -1; // places; that of the plane before
#pragma unroll 1
    for (int z = block.first_read - Radius; z < block.end; ++z) { // the output that plane z + Radius completes
      wait_for_phase(block.done(plane.place), plane.parity);
      plane.advance();
      if (z >= block.begin) {
        send(out, block.output_at(output));
        if (lane == 0) wait_for_stores<1>();
        if (before >= 0) arrive(block.sent(before));
        before = output;
        if (++output == shape.outputs) output = 0;
        out += block.a.out_step;
      }
      if (lane == 0) bring();
    }
    if (lane == 0) wait_for_stores<0>();
  }
};

/// A thread that sums.
template <class T, int Radius>
struct LineMarchThread {
  using Block = LineMarchBlock<T, Radius>;
  static constexpr LineMarchShape shape = Block::shape;
  static constexpr int bytes = Block::bytes, own = shape.points, threads = 32 * shape.warps;

  const Block& block;
  PartialSums<T, Radius, own, LineMarchWeights<T>> sums;

  __device__ explicit LineMarchThread(const Block& the_block) : block(the_block), sums(block.a.weights) {}

  /// Its first element in a row of shared memory, which is so far behind a boundary.
  __device__ static SharedAddress element(SharedAddress row, unsigned behind)
  {
    return row + (behind % vector_width<T> + threadIdx.x) * bytes;
  }

  __device__ void run()
  {
    const LineMarchArguments<T>& a = block.a;
    const int first = block.first_read;
    unsigned in_behind = elements_from_boundary(a.in + first * a.in_step + block.place),
             out_behind = elements_from_boundary(a.out + (first - Radius) * a.out_step + block.place);
    LineMarchTurn<shape.planes> plane;
    LineMarchTurn<shape.outputs> output;
#pragma unroll 1
    for (int z = first - Radius; z < block.end; ++z) { // the output that plane z + Radius completes
      T value[own] = {};
      if (z + Radius < a.valid_end) {
        wait_for_phase(block.full(plane.place), plane.parity);
        const SharedAddress from = element(block.plane_at(plane.place), in_behind);
#pragma unroll
        for (int n = 0; n < own; ++n) load_shared(value[n], from + n * threads * bytes);
      }
      sums.add(value, [&](T(&now)[own]) {
#pragma unroll
        for (int n = 0; n < own; ++n) now[n] += a.weights.at(Radius, 2, 0) * value[n];
      });
      if (z >= block.begin) {
        wait_for_phase(block.sent(output.place), output.parity ^ 1); // places are free at first
        const SharedAddress to = element(block.output_at(output.place), out_behind);
#pragma unroll
        for (int n = 0; n < own; ++n) store_shared(to + n * threads * bytes, sums.sum[0][n]);
        order_before_copies();
        output.advance();
      }
      arrive(block.done(plane.place));
      plane.advance();
      in_behind += static_cast<unsigned>(a.in_step);
      out_behind += static_cast<unsigned>(a.out_step);
    }
  }
};

template <class T, int Radius>
__global__ void __launch_bounds__(LineMarchTile<T>::threads, LineMarchTile<T>::shape.blocks)
    line_march_kernel(const __grid_constant__ LineMarchArguments<T> a)
{
#if __CUDA_ARCH__ >= 900 // choose_line_march() takes it for no other
  extern __shared__ __align__(16) unsigned char line_shared[];
  const LineMarchBlock<T, Radius> block(a, line_shared);
  block.init_barriers();
  if (threadIdx.x >= 32 * LineMarchTile<T>::shape.warps)
    LineMarchCourier<T, Radius>(block).run();
  else
    LineMarchThread<T, Radius>(block).run();
#endif
}

} // namespace Keramos::cuda::stencil
