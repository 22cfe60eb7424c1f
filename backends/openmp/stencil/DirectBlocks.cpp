// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DirectBlocks.hpp"

#include "../HostKernels.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {

template <class T>
void DirectBlocks<T>::compute(const Run& run) const
{
  DirectBlock<T> block{};
  block.in = block_field(operands_.in, run);
  block.out = block_field(operands_.out, run);
  block.weight = operands_.weight;
  block.length = run.points();
  block.streaming = operands_.streaming.rows;
  block.rows = run.rows;
  block.rows_ahead = rows_ahead(run);
  block.ahead = operands_.walk.rows_ahead * operands_.in.stride[1];
  stencil_kernels_of<T>().column[operands_.column_radius](block);
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
