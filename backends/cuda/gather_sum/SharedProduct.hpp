// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors of a matrix product (Product.hpp) in double, where an exponential takes as long as ten multiply-adds: each is computed
// once in a thread block and goes to its warps through shared memory, in a ring of `2 steps` slots for 8 sources each. Factors are
// computed `steps` ahead of their multiplication, and a barrier stands before the first of `steps` multiplications:
//
//     compute 2    barrier    multiply 0    store 2    compute 3    multiply 1    store 3    compute 4    barrier ...
//
// What is multiplied behind a barrier was stored before it; a slot is written again when all have passed the next one.
// On Hopper the matrix units' and other multiply-adds in double share a pipe: their times add up.
#pragma once

#include "MatrixUnits.hpp"
#include "ProductPlaces.hpp"
#include "Stage.hpp"

namespace Keramos::cuda::gather_sum {

/// The factors of 8 sources in shared memory, where what a lane hands to the matrix units lies side by side and the lanes of a load
/// meet in no bank. t and half: source t + 4 half.
template <class Tile>
struct ProductStep {
  static constexpr int row_pitch = Tile::rows / 2 + 2, column_pitch = Tile::columns + 4;
  static_assert(row_pitch % 8 == 2 && column_pitch % 8 == 4);

  double row[8 * row_pitch * 2], column[8 * column_pitch];

  /// Rows r and r + 8 of 16 are neighbours.
  __device__ static int row_at(int t, int half, int r)
  {
    return ((half * 4 + t) * row_pitch + r / 16 * 8 + r % 8) * 2 + r / 8 % 2;
  }
  __device__ static int column_at(int t, int half, int c) { return (half * 4 + t) * column_pitch + c; }
};

/// One line of A or B, of which a thread computes factors: all 8 of a step, or a share. The lines of the tile are its rows, then
/// its columns.
template <class Tile>
class ProductLine {
public:
  static constexpr int lines = Tile::rows + Tile::columns;
  static constexpr int shares = lines <= Tile::threads ? Tile::threads / lines : 1; ///< threads of a line
  static constexpr int a_thread = (lines + Tile::threads - 1) / Tile::threads;      ///< lines of it
  static_assert(8 % shares == 0 && (shares == 1 || shares * lines == Tile::threads));

  ProductLine() = default;
  __device__ ProductLine(const TilePlace<double>& tile, int number)
      : number_(number % lines), first_(number / lines * factors), is_row_(number_ < Tile::rows),
        at_(tile.at(number_, max(number_ - Tile::rows, 0)))
  {
  }

  /// The factors of its share of a step. Behind the last source they are zero, whatever is there.
  template <class Radial>
  __device__ void compute(const Radial& radial, const StagedSources<double>& sources, int step)
  {
    const int first = step * 8 + first_;
    const auto of_each = [&](const auto& value) {
#pragma unroll
      for (int j = 0; j < factors; ++j) {
        const SourceRecord<double> source = sources.records[first + j];
        factor_[j] = value(at_[0] - source.x, at_[1] - source.y, at_[2] - source.z, source.weight);
      }
    };
    if (is_row_)
      of_each([&](double dx, double dy, double, double weight) {
        return weight * radial(fma(dx, dx, dy * dy), 1.0, PowersInSharedMemory()).value;
      });
    else
      of_each([&](double, double, double dz, double) { return radial(dz * dz, 1.0, PowersInSharedMemory()).value; });
    if (step * 8 + 8 <= sources.count) return;
#pragma unroll
    for (int j = 0; j < factors; ++j)
      if (first + j >= sources.count) factor_[j] = 0;
  }
  __device__ void store(ProductStep<Tile>& to) const
  {
#pragma unroll
    for (int j = 0; j < factors; ++j) {
      const int t = (first_ + j) % 4, half = (first_ + j) / 4;
      (is_row_ ? to.row[to.row_at(t, half, number_)] : to.column[to.column_at(t, half, number_ - Tile::rows)]) =
          factor_[j];
    }
  }

private:
  static constexpr int factors = 8 / shares;

  int number_, first_;
  bool is_row_;
  core::Point<double> at_;
  double factor_[factors];
};

template <class Tile>
class SharedProduct {
public:
  struct Shared {
    alignas(16) ProductStep<Tile> ring[2 * Tile::steps];
  };

  double sum[Tile::row_products][Tile::column_products][4]; ///< of a block of sources

  __device__ explicit SharedProduct(const TilePlace<double>& tile)
  {
#pragma unroll
    for (int l = 0; l < Line::a_thread; ++l) line_[l] = {tile, static_cast<int>(threadIdx.x) + l * Tile::threads};
  }

  /// sum += what a block of sources adds.
  template <class Radial>
  __device__ void add(Shared& shared, const Radial& radial, const StagedSources<double>& sources)
  {
    const int steps = static_cast<int>(core::ceil_div(sources.count, 8));
    const auto compute = [&](int step) { of_lines([&](Line& line) { line.compute(radial, sources, step); }); };
    const auto slot = [&](int step) -> ProductStep<Tile>& { return shared.ring[step % (2 * Tile::steps)]; };
    const auto store = [&](int step) { of_lines([&](const Line& line) { line.store(slot(step)); }); };
    for (int step = 0; step < Tile::steps && step < steps; ++step) {
      compute(step);
      store(step);
    }
    for (int step = 0; step < steps; ++step) {
      const int next = step + Tile::steps;
      if (next < steps) compute(next);
      if (step % Tile::steps == 0) __syncthreads();
      multiply(slot(step));
      if (next < steps) store(next);
    }
  }

private:
  using Line = ProductLine<Tile>;
  Line line_[Line::a_thread];

  template <class F>
  __device__ void of_lines(const F& f)
  {
    f(line_[0]);
#pragma unroll
    for (int l = 1; l < Line::a_thread; ++l)
      if (static_cast<int>(threadIdx.x) + l * Tile::threads < Line::lines) f(line_[l]);
  }

  __device__ void multiply(const ProductStep<Tile>& step)
  {
    const int g = static_cast<int>(threadIdx.x) % 32 / 4, t = static_cast<int>(threadIdx.x) % 4;
    double a[Tile::row_products][4];
#pragma unroll
    for (int m = 0; m < Tile::row_products; ++m)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        double two[2];
        load_packed<2>(two, step.row + step.row_at(t, half, Tile::first_row() + m * 16 + g));
        a[m][2 * half] = two[0];
        a[m][2 * half + 1] = two[1];
      }
#pragma unroll
    for (int n = 0; n < Tile::column_products; ++n) {
      double b[2];
#pragma unroll
      for (int half = 0; half < 2; ++half)
        b[half] = step.column[step.column_at(t, half, Tile::first_column() + n * 8 + g)];
#pragma unroll
      for (int m = 0; m < Tile::row_products; ++m) multiply_add(sum[m][n], a[m], b);
    }
  }
};

} // namespace Keramos::cuda::gather_sum
