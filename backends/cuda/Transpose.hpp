// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA transposes. Plain moves are compiled once in the library, by element size. A functor instantiates the kernels that
// take any strides (tile, box, copy; in place: swap and box) in the user's translation unit; it is applied on the way
// into shared memory.
#pragma once

#include "../../src/core/Execution.hpp"
#include "Launch.hpp"
#include "TransposePlan.hpp"
#include "TransposeTuning.hpp"

namespace Keramos::cuda {

struct TransposePlan {
  Kernel kernel;
  MovePlan move;
};

struct InPlaceTransposePlan {
  Kernel kernel;
  InPlacePlan move;
};

template <class F>
inline constexpr bool is_plain_move = std::is_same_v<F, core::Move>;

template <class F>
Kernel transpose_kernel(const std::string& variant)
{
  return {Backend::cuda, "", variant + (is_plain_move<F> ? "" : " functor")};
}

template <class In, class Out, class F>
std::optional<TransposePlan> choose(const Device& device, const core::TransposeProblem<In, Out>& problem, const F&)
{
  const auto plan = is_plain_move<F> ? plan_move(device, problem.axes, sizeof(Out), problem.in, problem.out)
                                     : plan_functor_move(device, problem.axes, sizeof(In), sizeof(Out));
  if (!plan) return std::nullopt;
  return TransposePlan{transpose_kernel<F>(plan->variant), *plan};
}

template <class T, class F>
std::optional<InPlaceTransposePlan> choose(const Device& device, const core::InPlaceProblem<T>& problem, const F&)
{
  const auto plan = plan_in_place(device, problem.order, problem.fast, problem.slow, problem.stack, sizeof(T),
                                  problem.data, !is_plain_move<F>);
  if (!plan) return std::nullopt;
  const std::string variant = std::visit([](const auto& move) { return move.variant; }, *plan);
  return InPlaceTransposePlan{transpose_kernel<F>(variant), *plan};
}

/// The kernels that know types.
template <class In, class Out, class F>
void run_functor_move(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const In* in, Out* out,
                      const F& f)
{
  constexpr int size = sizeof(In) > sizeof(Out) ? sizeof(In) : sizeof(Out);
  if (plan.kind == MoveKind::tile) {
    using Shape = ElementTile<size>;
    launch_kernel(name, space, tile_kernel<Shape, In, Out, F>, {plan.blocks, Shape::threads}, in, out,
                  std::get<TileJob>(plan.job), f);
  } else if (plan.kind == MoveKind::copy) {
    launch_kernel(name, space, copy_kernel<box_threads, copy_in_flight<size>, In, Out, F>, {plan.blocks, box_threads},
                  in, out, std::get<BoxJob>(plan.job), f);
  } else {
    launch_kernel(name, space, box_kernel<box_threads, box_in_flight<size>, In, Out, F>,
                  {plan.blocks, box_threads, static_cast<unsigned>(plan.shared_bytes)}, in, out,
                  std::get<BoxJob>(plan.job), f);
  }
}

template <class In, class Out, class F>
void launch(const TransposePlan& plan, const Kokkos::Cuda& space, const core::TransposeProblem<In, Out>& problem,
            const F& f)
{
  if constexpr (is_plain_move<F>)
    run_move(plan.move, plan.kernel.name(), space, problem.in, problem.out);
  else
    run_functor_move(plan.move, plan.kernel.name(), space, problem.in, problem.out, f);
}

template <class T, class F>
void launch(const InPlaceTransposePlan& plan, const Kokkos::Cuda& space, const core::InPlaceProblem<T>& problem,
            const F& f)
{
  const std::string name = plan.kernel.name();
  const auto* const swap = std::get_if<SwapPlan>(&plan.move);
  if constexpr (is_plain_move<F>) {
    if (swap)
      run_swap(*swap, name, space, problem.data);
    else
      run_move(std::get<MovePlan>(plan.move), name, space, problem.data, problem.data);
  } else if (swap) {
    using Shape = ElementSwap<sizeof(T)>;
    launch_kernel(name, space, swap_kernel<Shape, T, F>, {swap->blocks, Shape::threads}, problem.data, swap->job, f);
  } else {
    launch_kernel(name, space, box_kernel<box_threads, box_in_flight<sizeof(T)>, T, T, F>,
                  {std::get<MovePlan>(plan.move).blocks, box_threads,
                   static_cast<unsigned>(std::get<MovePlan>(plan.move).shared_bytes)},
                  problem.data, problem.data, std::get<BoxJob>(std::get<MovePlan>(plan.move).job), f);
  }
}

} // namespace Keramos::cuda
