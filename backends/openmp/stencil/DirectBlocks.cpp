// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DirectBlocks.hpp"

#include "../HostKernels.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {

template <class T>
void DirectBlocks<T>::store(const Run& run) const
{
  if (run.planes > 1) return across_planes(run);
  if (operands_.star_radius > 0 && operands_.streaming.rows) return streamed_star(run, block_of(run));
  if (operands_.star_radius == 0 && operands_.plane_reach.elements == 0) return across_rows(run);
  compute(plane_star_of(run));
}

template <class T>
void DirectBlocks<T>::update(const Run& run, const core::EpilogueOperand<T>* operand) const
{
  PlaneStar<T> star = plane_star_of(run);
  for (int n = 0; n < kernel_operands; ++n) {
    if (operand[n].is_field()) star.operand[n] = block_field(operand[n].field, run);
    star.number[n] = operand[n].number;
  }
  stencil_kernels_of<T>().leap_plane_star(star);
}

template <class T>
void DirectBlocks<T>::apply(const Run& run, const Functor<T>& functor, bool stores) const
{
  if (operands_.star_radius > 0 && operands_.streaming.rows) {
    DirectBlock<T> block = block_of(run);
    if (stores) block.out = {};
    block.functor = &functor;
    return streamed_star(run, block);
  }
  PlaneStar<T> star = plane_star_of(run);
  if (stores) star.out = {};
  star.functor = &functor;
  compute(star);
}

template <class T>
void DirectBlocks<T>::compute(const PlaneStar<T>& star) const
{
  const auto& kernels = stencil_kernels_of<T>();
  const auto [rows, elements] = operands_.plane_reach;
  operands_.star_radius > 0 ? kernels.plane_star(star) : kernels.plane[rows][elements](star);
}

template <class T>
PlaneStar<T> DirectBlocks<T>::plane_star_of(const Run& run) const
{
  return {block_field(operands_.in, run), block_field(operands_.out, run), operands_.weight, run.points(), run.rows};
}

template <class T>
DirectBlock<T> DirectBlocks<T>::block_of(const Run& run) const
{
  DirectBlock<T> block{};
  block.in = block_field(operands_.in, run);
  block.out = block_field(operands_.out, run);
  block.weight = operands_.weight;
  block.length = run.points();
  block.streaming = operands_.streaming.rows;
  return block;
}

template <class T>
void DirectBlocks<T>::across_planes(const Run& run) const
{
  DirectBlock<T> block = block_of(run);
  block.rows = run.rows;
  block.rows_ahead = rows_ahead(run);
  block.ahead = operands_.walk.rows_ahead * operands_.in.stride[1];
  stencil_kernels_of<T>().column[operands_.column_radius](block);
}

/// The rows of a column within the plane are the planes of that kernel, as many at a time; the last ones overlap those before.
template <class T>
void DirectBlocks<T>::across_rows(const Run& run) const
{
  const auto kernel = stencil_kernels_of<T>().column[operands_.plane_reach.rows];
  const auto& axis = operands_.axes[1];
  DirectBlock<T> block = block_of(run);
  block.in = {block.in.data, column_planes * block.in.row, block.in.row};
  block.out = {block.out.data, column_planes * block.out.row, block.out.row};
  block.rows = run.rows / column_planes;
  block.ahead = block.in.row;
  if (operands_.walk.rows_ahead > 0)
    block.rows_ahead = static_cast<int>((axis.valid_end - axis.reach_high - run.j) / column_planes - 1);
  kernel(block);
  if (const int first = run.rows - column_planes; first % column_planes > 0) {
    block.in.data += first * block.in.plane;
    block.out.data += first * block.out.plane;
    block.rows = 1;
    block.rows_ahead = 0;
    kernel(block);
  }
}

template <class T>
void DirectBlocks<T>::streamed_star(const Run& run, DirectBlock<T> block) const
{
  block.rows = run.rows;
  const auto& axis = operands_.axes[2];
  const std::int64_t ahead = axis.reach_high + operands_.walk.planes_ahead;
  block.ahead = run.k + ahead < axis.valid_end ? ahead * operands_.in.stride[2] : 0;
  stencil_kernels_of<T>().streamed_star(block);
}

/// Of its rows so many have one ahead.
template <class T>
int DirectBlocks<T>::rows_ahead(const Run& run) const
{
  const int distance = operands_.walk.rows_ahead;
  if (distance == 0) return 0;
  return static_cast<int>(std::min<std::int64_t>(run.rows, operands_.axes[1].valid_end - distance - run.j));
}

template class DirectBlocks<float>;
template class DirectBlocks<double>;

} // namespace Keramos::openmp::stencil
