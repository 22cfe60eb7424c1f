// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runs.hpp"

#include "../HostKernels.hpp"

#include <algorithm>

namespace Keramos::openmp::stencil {
namespace {

/// The lines at the ends of the next runs are read before they are written, because they are not whole. Inlined, or GCC takes calls of a
/// function that only prefetches for calls without effect, and drops them.
template <class T>
[[gnu::always_inline]] inline void prefetch_next_ends(const core::Field<T, 3>& out, const Run& run)
{
  if (run.j + 1 >= out.extent[1]) return;
  for (int plane = 0; plane < run.planes; ++plane)
    for (const std::int64_t i : {run.first, run.last - 1}) __builtin_prefetch(&out(i, run.j + 1, run.k + plane), 1);
}

} // namespace

template <class T>
StencilRuns<T>::~StencilRuns()
{
  if (operands_.streaming.rows) stencil_kernels().end_of_stream();
}

template <class T>
int StencilRuns<T>::planes_at(std::int64_t first, std::int64_t last, std::int64_t k, std::int64_t end_k) const
{
  const Walk& walk = operands_.walk;
  const int direct = walk.direct_planes;
  if (direct > 0 && k + direct <= end_k && is_clear(first, last) && input_.inside_planes(k, direct)) return direct;
  return k + walk.planes <= end_k ? walk.planes : 1;
}

template <class T>
void StencilRuns<T>::store(const Run& run)
{
  if (run.kind == RunKind::star_block) return stars_.store(run);
  if (run.kind == RunKind::direct_block) return direct_.store(run);
  into_field(run, fields_.in_place(run), stencil_kernels_of<T>().store);
}

template <class T>
void StencilRuns<T>::update(const Run& run, const core::EpilogueOperand<T>* operand)
{
  if (run.kind == RunKind::star_block) return stars_.update(run, operand);
  if (run.kind == RunKind::direct_block) return direct_.update(run, operand);
  if (operands_.unit_strides) return into_field(run, fields_.in_place(run, operand), stencil_kernels_of<T>().leap_frog);
  compute(run, fields_.gathered(run, operand), stencil_kernels_of<T>().leap_frog);
  fields_.scatter(run);
}

template <class T>
void StencilRuns<T>::apply(const Run& run, const Functor<T>& functor, bool stores)
{
  const FinishedKernels<T>& kernels = stencil_kernels_of<T>().functor;
  if (run.kind == RunKind::star_block) return stars_.apply(run, functor, stores);
  if (run.kind == RunKind::direct_block) return direct_.apply(run, functor, stores);
  stores ? compute(run, fields_.nowhere(run, functor), kernels)
         : into_field(run, fields_.in_place(run, functor), kernels);
}

/// Past the caches if the output is large: at once, or through rows in the cache.
template <class T>
void StencilRuns<T>::into_field(const Run& run, const RunRows<T>& rows, const FinishedKernels<T>& kernels)
{
  if (operands_.streaming.rows) prefetch_next_ends(operands_.out, run);
  if (rows.streaming || !operands_.streaming.rows) return compute(run, rows, kernels);
  const RunRows<T>& staged = fields_.staged(run);
  compute(run, staged, kernels);
  for (int plane = 0; plane < run.planes; ++plane) write_past_caches(rows.out[plane], staged.out[plane], run.points());
}

/// The stretches of the run: what the edges reach, and the clear points.
template <class T>
void StencilRuns<T>::compute(const Run& run, const RunRows<T>& rows, const FinishedKernels<T>& kernels)
{
  const bool inside = input_.inside(run.j, run.k, run.planes);
  const auto stretch = [&](std::int64_t begin, std::int64_t end, bool pads) {
    if (begin == end) return;
    if (inside && !pads) return compute_points(operands_, direct_points(operands_, run, begin, end), rows, kernels);
    stretch_at(begin, end, run.planes, pads).compute(run, inside, rows, kernels);
  };
  if (run.first != first_ || run.last != last_) stretches_.clear();
  first_ = run.first;
  last_ = run.last;
  const auto& axis = operands_.axes[0];
  std::int64_t clear_begin = std::clamp(axis.valid_begin + axis.reach_low, first_, last_);
  std::int64_t clear_end = std::clamp(axis.valid_end - axis.reach_high, clear_begin, last_);
  const bool is_clear = clear_begin == first_ && clear_end == last_;
  if (operands_.gathers() || (!is_clear && operands_.padded_rows == 1)) clear_begin = clear_end = last_; // all padded
  stretch(first_, clear_begin, true);
  stretch(clear_begin, clear_end, false);
  stretch(clear_end, last_, true);
}

template <class T>
Stretch<T>& StencilRuns<T>::stretch_at(std::int64_t begin, std::int64_t end, int planes, bool pads)
{
  for (Stretch<T>& stretch : stretches_)
    if (stretch.is(begin, end, planes)) return stretch;
  return stretches_.emplace_back(operands_, input_, begin, end, planes, pads);
}

template class StencilRuns<float>;
template class StencilRuns<double>;

} // namespace Keramos::openmp::stencil
