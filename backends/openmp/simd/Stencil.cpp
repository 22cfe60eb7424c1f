// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencil.hpp"
#include "DirectBlock.hpp"
#include "FunctorRows.hpp"
#include "PlaneStar.hpp"
#include "Rows.hpp"
#include "StarBlock.hpp"
#include "Stream.hpp"
#include "StreamedStar.hpp"

namespace Keramos::openmp {
namespace {

template <bool LeapFrog, int Radius, class T>
void block_kernel(const StencilBlock<T>& rows)
{
  StencilBlock<T> next; // copied only where there are more rows: near edges there are not
  const StencilBlock<T>* block = &rows;
  for (int left = rows.rows;;) {
    if (block->streaming && left > 1)
#pragma GCC unroll 4
      for (int p = 0; p < block_planes; ++p) prefetch_ends(block->out[p] + block->out_pitch, block->length);
    one_row<LeapFrog, Radius>(*block);
    if (--left == 0) return;
    if (block == &rows) next = rows;
    block = &next;
    advance(next);
  }
}

template <bool LeapFrog, int Radius, class T>
void row_kernel(const StencilRow<T>& rows)
{
  StencilRow<T> next;
  const StencilRow<T>* row = &rows;
  const bool is_short = rows.length * static_cast<int>(sizeof(T)) < long_run_bytes;
  if (is_short && rows.rows >= rows_of_group && !rows.ahead && sums_in_groups<LeapFrog, T>(rows.length)) {
    next = rows;
    row = &next;
    row_groups<LeapFrog, Radius>(next);
  }
  for (int left = row->rows; left > 0;) {
    if (row->streaming && left > 1) prefetch_ends(row->out + row->out_pitch, row->length);
    one_row<LeapFrog, Radius>(*row);
    if (--left == 0) return;
    if (row == &rows) next = rows;
    row = &next;
    advance(next, 1);
  }
}

void stream(void* out, const void* values, std::int64_t bytes)
{
  write_run(static_cast<Byte*>(out), static_cast<const Byte*>(values), bytes, true);
}

/// Of the radius of lines that a kernel for rows is compiled for, where lines are shifted.
constexpr int shifted(int radius) { return shifts_lines ? radius : 0; }

template <bool LeapFrog, class T>
constexpr FinishedKernels<T> finished_kernels()
{
  return {{row_kernel<LeapFrog, 0, T>, row_kernel<LeapFrog, shifted(1), T>, row_kernel<LeapFrog, shifted(2), T>,
           row_kernel<LeapFrog, shifted(3), T>, row_kernel<LeapFrog, shifted(4), T>},
          {block_kernel<LeapFrog, 0, T>, block_kernel<LeapFrog, 1, T>, block_kernel<LeapFrog, 2, T>,
           block_kernel<LeapFrog, 3, T>, block_kernel<LeapFrog, 4, T>, block_kernel<LeapFrog, 5, T>,
           block_kernel<LeapFrog, 6, T>, block_kernel<LeapFrog, 7, T>, block_kernel<LeapFrog, 8, T>},
          {nullptr, star_kernel<LeapFrog, 1, T>(), star_kernel<LeapFrog, 2, T>(), star_kernel<LeapFrog, 3, T>(),
           star_kernel<LeapFrog, 4, T>()}};
}

template <class T>
constexpr FinishedKernels<T> functor_kernels()
{
  return {{functor_row_kernel<0, T>, functor_row_kernel<shifted(1), T>, functor_row_kernel<shifted(2), T>,
           functor_row_kernel<shifted(3), T>, functor_row_kernel<shifted(4), T>},
          {functor_block_kernel<0, T>, functor_block_kernel<1, T>, functor_block_kernel<2, T>,
           functor_block_kernel<3, T>, functor_block_kernel<4, T>, functor_block_kernel<5, T>,
           functor_block_kernel<6, T>, functor_block_kernel<7, T>, functor_block_kernel<8, T>},
          {nullptr, functor_star<1, T>(), functor_star<2, T>(), functor_star<3, T>(), functor_star<4, T>()}};
}

template <class T>
constexpr StencilKernelsOf<T> kernels_of()
{
  return {finished_kernels<false, T>(),
          finished_kernels<true, T>(),
          functor_kernels<T>(),
          {nullptr, column_kernel<1, T>(), column_kernel<2, T>(), column_kernel<3, T>(), column_kernel<4, T>()},
          {{nullptr, plane_star<Reach<0, 0, 1>, T>(), plane_star<Reach<0, 0, 2>, T>(), plane_star<Reach<0, 0, 3>, T>(),
            plane_star<Reach<0, 0, 4>, T>()},
           {nullptr, plane_star<Reach<0, 1, 1>, T>()},
           {nullptr, nullptr, plane_star<Reach<0, 2, 2>, T>()},
           {nullptr, nullptr, nullptr, plane_star<Reach<0, 3, 3>, T>()},
           {nullptr, nullptr, nullptr, nullptr, plane_star<Reach<0, 4, 4>, T>()}},
          streamed_star<T>(),
          plane_star<Reach<1, 1, 1>, T>(),
          leap_plane_star<T>()};
}

} // namespace

namespace KERAMOS_SIMD {
extern const StencilKernels stencil_kernels = {kernels_of<float>(), kernels_of<double>(), stream, end_of_stream};
}

} // namespace Keramos::openmp
