// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields that an epilogue declares, behind pairs of columns (MarchPairFunctor.hpp). Sums fill the registers, so that a thread loads its
// points only when their sums end. That it then waits for the L2 alone, a warp asks for their rows there while the planes before are summed.
// Rows lie anywhere, those of each field by themselves.
#pragma once

#include "MarchPairCopies.hpp"

namespace Keramos::cuda::stencil {

/// The epilogue's operands at the points of a thread, plane after plane.
template <class T, int Columns, class Epilogue>
struct PairOperands {
  static constexpr int count = Epilogue::operands;
  static constexpr bool shifts_pairs = false; ///< of PairOutput: it spilled registers
  using Point = Kokkos::Array<T, count>;

  const Epilogue& epilogue;
  const T* first[count + 1]; ///< the thread's first point; the last one only because no array is empty

  template <class Tile>
  __device__ PairOperands(const Tile& /*tile*/, const Epilogue& the_epilogue, std::int64_t x, std::int64_t y,
                          std::int64_t z)
      : epilogue(the_epilogue)
  {
    for_operands([&](auto n) {
      const auto& field = operand(n).field;
      first[n] = field.data + x + y * field.stride[1] + z * field.stride[2];
    });
  }

  template <class Tile>
  __device__ void enter(const Tile& /*tile*/, int /*plane*/) const
  {
  }
  __device__ void leave() const {}
  __device__ Point at(int row, int column) const
  {
    Point point;
    for_operands([&](auto n) { point[n] = load<1>(n, row, column)[0]; });
    return point;
  }

  /// Of all columns.
  __device__ Kokkos::Array<Point, Columns> all_at(int row) const
  {
    Kokkos::Array<Point, Columns> points;
    for_operands([&](auto n) {
      const auto loaded = load<Columns>(n, row, 0);
      for (int i = 0; i < Columns; ++i) points[i][n] = loaded[i];
    });
    return points;
  }

  __device__ void next_plane()
  {
    for_operands([&](auto n) { first[n] += operand(n).field.stride[2]; });
  }

private:
  /// By a branch that all blocks take: with a predicate a value has its register before it is loaded.
  template <int Count, class Number>
  __device__ Kokkos::Array<T, Count> load(Number n, int row, int column) const
  {
    const auto& from = operand(n);
    Kokkos::Array<T, Count> result;
    const T* const at = first[n] + row * from.field.stride[1] + column;
    if (from.is_field()) {
#pragma unroll
      for (int i = 0; i < Count; ++i) load_here(result[i], at + i);
    } else {
#pragma unroll
      for (int i = 0; i < Count; ++i) result[i] = from.number;
    }
    return result;
  }
  /// Where it is written: the compiler would move loads to where sums have the registers.
  __device__ static void load_here(float& to, const float* from)
  {
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(to) : "l"(from));
  }
  __device__ static void load_here(double& to, const double* from)
  {
    asm volatile("ld.global.f64 %0, [%1];" : "=d"(to) : "l"(from));
  }

  /// A template, for without operands an epilogue has none of this name.
  template <class Number>
  __device__ const auto& operand(Number n) const
  {
    return epilogue.operand[n];
  }
  template <class F>
  __device__ static void for_operands(const F& f)
  {
    if constexpr (count > 0) {
#pragma unroll
      for (int n = 0; n < count; ++n) f(n);
    }
  }
};

/// Their rows, see complete_planes().
template <class T, class Epilogue, int Height>
struct PairOperandRows {
  static constexpr bool is_there = Epilogue::operands > 0;
  const Epilogue& epilogue;

  /// Asks for those of a plane, by a warp.
  template <class Tile>
  __device__ void begin(const Tile& tile, std::int64_t z) const
  {
    if constexpr (is_there) {
      for (int k = threadIdx.x % 32; k < Epilogue::operands * Height; k += 32) {
        const core::EpilogueOperand<T>& from = epilogue.operand[k / Height];
        const auto& stride = from.field.stride;
        const std::int64_t y = tile.y + k % Height;
        if (from.is_field()) ask(from.field.data + tile.x + y * stride[1] + z * stride[2], tile.a.columns);
      }
    }
  }

private:
  /// A row of so many points, in whole units of 16 bytes: at its ends may be what is nobody's, which an L2 may hold.
  __device__ static void ask(const T* from, int columns)
  {
    constexpr int width = vector_width<T>, bytes = sizeof(T);
    const int shift = static_cast<int>(elements_behind(from) % width);
    ask_for_bulk(from - shift, core::round_up(shift + columns, width) * bytes);
  }
};

} // namespace Keramos::cuda::stencil
