// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StarBlocks.hpp"

#include "../HostKernels.hpp"
#include "FieldRows.hpp"

namespace Keramos::openmp::stencil {
namespace {

template <class T>
constexpr std::int64_t line = 64 / sizeof(T);

} // namespace

template <class T>
bool StarBlocks<T>::exist(int star_radius)
{
  return stencil_kernels_of<T>().store.star[star_radius] != nullptr;
}

template <class T>
StarBlocks<T>::StarBlocks(const StencilOperands<T>& operands) : operands_(operands)
{
  const auto& stride = operands.out.stride;
  const bool aligned = stride[1] % line<T> == 0 && stride[2] % line<T> == 0;
  stages_ = operands.streaming.rows && !aligned;
  // Elsewhere single rows, in which lines begin at the same points of more planes, are faster, as they are by 1.1 times for stars of
  // radius 1 and 4 at 100^3; but for a star of radius 4 at 500^3, by 1.13 times (f32, two Zen 4 cores), and for its wave update, by 1.4.
  const bool is_fast = aligned || !operands.unit_strides || (stages_ && operands.star_radius > 2);
  has_kernel_ = exist(operands.star_radius) && is_fast;
}

/// All but where the results go, and what an epilogue reads.
template <class T>
StarBlock<T> StarBlocks<T>::block_of(const Run& run) const
{
  StarBlock<T> block{};
  block.in = block_field(operands_.in, run);
  block.weight = operands_.weight;
  block.length = run.points();
  const bool has_next = run.j + 2 * star_rows <= operands_.axes[1].valid_end;
  block.ahead = has_next && operands_.walk.rows_ahead > 0 ? star_rows * operands_.in.stride[1] : 0;
  return block;
}

template <class T>
void StarBlocks<T>::store(const Run& run)
{
  StarBlock<T> block = block_of(run);
  into_field(run, block, stencil_kernels_of<T>().store);
}

template <class T>
void StarBlocks<T>::update(const Run& run, const core::EpilogueOperand<T>* operand)
{
  StarBlock<T> block = block_of(run);
  for (int n = 0; n < kernel_operands; ++n) {
    if (operand[n].is_field()) block.operand[n] = block_field(operand[n].field, run);
    block.number[n] = operand[n].number;
  }
  into_field(run, block, stencil_kernels_of<T>().leap_frog);
}

template <class T>
void StarBlocks<T>::apply(const Run& run, const Functor<T>& functor, bool stores)
{
  StarBlock<T> block = block_of(run);
  block.functor = &functor;
  if (stores) return stencil_kernels_of<T>().functor.star[operands_.star_radius](block);
  into_field(run, block, stencil_kernels_of<T>().functor);
}

template <class T>
void StarBlocks<T>::into_field(const Run& run, StarBlock<T>& block, const FinishedKernels<T>& kernels)
{
  block.out = block_field(operands_.out, run);
  const BlockField<T> out = block.out;
  if (operands_.streaming.rows) prefetch_next_ends(run);
  block.streaming = operands_.streaming.rows && !stages_;
  if (stages_) stage(block);
  kernels.star[operands_.star_radius](block);
  for (int p = 0; stages_ && p < block_planes; ++p)
    for (int r = 0; r < star_rows; ++r)
      write_past_caches(out.data + p * out.plane + r * out.row,
                        block.out.data + p * block.out.plane + r * block.out.row, block.length);
}

/// The lines at the ends of the next rows are read before they are written, because they are not whole.
template <class T>
[[gnu::always_inline]] inline void StarBlocks<T>::prefetch_next_ends(const Run& run) const
{
  const auto& out = operands_.out;
  if (run.j + 2 * star_rows > out.extent[1]) return;
  for (int p = 0; p < block_planes; ++p)
    for (int r = star_rows; r < 2 * star_rows; ++r)
      for (const std::int64_t i : {run.first, run.last - 1}) __builtin_prefetch(&out(i, run.j + r, run.k + p), 1);
}

/// The results go to rows in the cache.
template <class T>
void StarBlocks<T>::stage(StarBlock<T>& block)
{
  const std::int64_t pitch = operands_.run_points() + line<T>;
  staged_.resize(block_planes * star_rows * pitch);
  block.out = {staged_.data(), pitch, star_rows * pitch};
}

template class StarBlocks<float>;
template class StarBlocks<double>;

} // namespace Keramos::openmp::stencil
