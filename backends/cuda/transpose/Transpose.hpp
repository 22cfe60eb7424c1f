// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA transposes. Plain moves are compiled once in the library, by element size. A functor, or what Accumulate makes of one,
// instantiates few kernels in the user's translation unit: boxes by runs, boxes of any strides, and tiles for small elements, for
// elements that become small, or for accumulations over short axes; in place: swap and box. All of them apply it on the way out of shared memory.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "../../../src/keramos/transpose/Oblong.hpp"
#include "../Launch.hpp"
#include "Box.hpp"
#include "BoxRows.hpp"
#include "BoxTuning.hpp"
#include "Oblong.hpp"
#include "Plan.hpp"
#include "Run.hpp"
#include "Swap.hpp"
#include "TileJoinedSum.hpp"
#include "TileSectors.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

template <class In, class Out, class F>
struct TransposePlan {
  Kernel kernel;
  MovePlan move;
  const In* in;
  Out* out;
  F f;
};

template <class T, class F>
struct InPlacePlan {
  Kernel kernel;
  InPlaceMove move;
  T* data;
  F f;
};

template <class F>
inline constexpr bool is_plain_move = std::is_same_v<F, core::Move>;

template <class F>
Kernel transpose_kernel(const char* operation, const core::Text& variant)
{
  return {Backend::cuda, operation,
          variant.followed_by(is_plain_move<F>           ? ""
                              : core::is_accumulation<F> ? " accumulate"
                                                         : " functor")};
}

template <class In, class Out, class F>
std::optional<TransposePlan<In, Out, F>> choose(const Device& device, const core::TransposeProblem<In, Out>& problem,
                                                const F& f)
{
  const auto move = is_plain_move<F> ? plan_move(device, problem.axes, sizeof(Out), problem.in, problem.out)
                                     : plan_functor_move(device, problem.axes, sizeof(In), sizeof(Out), problem.in,
                                                         problem.out, core::is_accumulation<F>);
  if (!move) return std::nullopt;
  return TransposePlan<In, Out, F>{transpose_kernel<F>(problem.call.operation, move->variant), *move, problem.in,
                                   problem.out, f};
}

/// Not square. Types are erased here.
template <class T>
std::optional<OblongPlan> choose(const Device&, const core::OblongProblem<T>& problem, const core::Move&)
{
  const core::OblongCall<T>& call = problem.call;
  const auto way = oblong_way(call.rows, call.columns, sizeof(T), call.data);
  if (!way) return std::nullopt;
  return OblongPlan{
      {Backend::cuda, call.operation, variant(*way)}, *way, reinterpret_cast<char*>(call.data), call.scratch};
}

template <class T, class F>
std::optional<InPlacePlan<T, F>> choose(const Device& device, const core::InPlaceProblem<T>& problem, const F& f)
{
  const auto move = plan_in_place(
      device, {problem.order, problem.fast, problem.slow, problem.stack, sizeof(T), problem.data}, !is_plain_move<F>);
  if (!move) return std::nullopt;
  const core::Text variant = std::visit([](const auto& plan) { return plan.variant; }, *move);
  return InPlacePlan<T, F>{transpose_kernel<F>(problem.call.operation, variant), *move, problem.data, f};
}

/// The kernels that know types.
template <class In, class Out, class F>
void run_functor_box(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const In* in, Out* out,
                     const F& f)
{
  launch_kernel<box_kernel<box_threads, box_in_flight<sizeof(In)>, In, Out, F>>(
      taken, space, {plan.blocks, box_threads, static_cast<unsigned>(plan.shared_bytes)}, in, out,
      std::get<BoxJob>(plan.job), f);
}

template <class In, class Out, class F>
void run_functor_move(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const In* in, Out* out,
                      const F& f)
{
  if (plan.kind == MoveKind::box_rows)
    return launch_kernel<box_rows_kernel<In, Out, F>>(
        taken, space, {plan.blocks, plan.threads, static_cast<unsigned>(plan.shared_bytes)}, in, out,
        std::get<BoxRowsJob>(plan.job), f);
  if constexpr (core::is_accumulation<F> && sizeof(In) == joined_sum_size && sizeof(Out) == joined_sum_size)
    if (plan.kind == MoveKind::tile_joined)
      return launch_kernel<tile_joined_sum_kernel<In, Out, F>>(
          taken, space, {plan.blocks, plan.threads, static_cast<unsigned>(plan.shared_bytes)}, in, out,
          std::get<JoinedTileJob>(plan.job), f);
  if constexpr (functor_takes_tiles(sizeof(In), sizeof(Out))) {
    using Shape = ElementTile<(sizeof(In) > sizeof(Out) ? sizeof(In) : sizeof(Out))>;
    if (plan.kind == MoveKind::tile)
      return launch_kernel<tile_kernel<Shape, In, Out, F>>(taken, space, {plan.blocks, Shape::threads}, in, out,
                                                           std::get<TileJob>(plan.job), f);
  }
  if constexpr (narrows_in_tiles(sizeof(In), sizeof(Out)) && !core::is_accumulation<F>) {
    using Shape = NarrowingTile<sizeof(In), sizeof(Out)>;
    constexpr unsigned shared_bytes = SectorMemory<sizeof(In), Shape>::bytes;
    if (plan.kind == MoveKind::tile_unaligned)
      return launch_kernel<tile_sectors_kernel<Shape, In, Out, F>>(
          taken, space, {plan.blocks, Shape::threads, shared_bytes}, in, out, std::get<TileJob>(plan.job), f);
  }
  run_functor_box(plan, taken, space, in, out, f);
}

template <class In, class Out, class F>
void launch(const TransposePlan<In, Out, F>& plan, const Kokkos::Cuda& space)
{
  if constexpr (is_plain_move<F>)
    run_move(plan.move, plan.kernel, space, plan.in, plan.out);
  else
    run_functor_move(plan.move, plan.kernel, space, plan.in, plan.out, plan.f);
}

template <class T, class F>
void launch(const InPlacePlan<T, F>& plan, const Kokkos::Cuda& space)
{
  if (const auto* const swap = std::get_if<SwapPlan>(&plan.move)) {
    using Shape = ElementSwap<sizeof(T)>;
    if constexpr (is_plain_move<F>)
      run_swap(*swap, plan.kernel, space, plan.data);
    else
      launch_kernel<swap_kernel<Shape, T, F>>(plan.kernel, space, {swap->blocks, Shape::threads}, plan.data, swap->job,
                                              plan.f);
  } else {
    const auto& boxes = std::get<MovePlan>(plan.move);
    if constexpr (is_plain_move<F>)
      run_move(boxes, plan.kernel, space, plan.data, plan.data);
    else
      run_functor_box(boxes, plan.kernel, space, plan.data, plan.data, plan.f);
  }
}

} // namespace Keramos::cuda::transpose
