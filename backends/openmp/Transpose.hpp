// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as vector kernels over pieces of both arrays, on any host execution space. Plain moves are compiled once
// in the library, by element size. With a functor a piece of the input passes through it into a buffer that stays in
// the caches, in the user's translation unit, and the same kernels move the buffer on.
#pragma once

#include "../../src/core/Execution.hpp"
#include "HostKernels.hpp"
#include "TransposeTasks.hpp"

#include <new>
#include <optional>

namespace Keramos::openmp {

template <class Job>
struct TransposePlan {
  Kernel kernel;
  Job job;
};

/// Bytes of the buffer between a functor and a kernel: a small part of a second-level cache, and no more than the stack
/// of a thread has to spare.
inline constexpr std::int64_t functor_buffer_bytes = 32 << 10;

template <class F>
inline constexpr bool is_move = std::is_same_v<F, core::Move>;

template <class Job, class F>
TransposePlan<Job> transpose_plan(const Job& job, const F&)
{
  return {{Backend::openmp, "", job.variant() + (is_move<F> ? " " : " functor ") + instruction_set_name()}, job};
}

template <class In, class Out, class F>
std::optional<TransposePlan<MoveJob>> choose(const core::TransposeProblem<In, Out>& problem, const F& f)
{
  constexpr std::int64_t size = sizeof(Out);
  return transpose_plan(MoveJob(problem.axes, size, is_move<F> ? 0 : functor_buffer_bytes / size), f);
}

template <class T, class F>
std::optional<TransposePlan<SwapJob>> choose(const core::InPlaceProblem<T>& problem, const F& f)
{
  return transpose_plan(SwapJob(problem.order, problem.fast, problem.slow, problem.stack, sizeof(T)), f);
}

/// A piece through the functor into the buffer, where its axes stand packed in the order of the input's strides.
template <class In, class Out, class F>
class FunctorMove {
public:
  FunctorMove(const MoveJob& job, const In* in, Out* out, const F& f)
      : job_(job), in_(in), out_(out), f_(f), order_(job.input_order())
  {
  }

  void operator()(std::int64_t task) const
  {
    job_.for_each_piece(task, [&](const MovePiece& piece) { move(piece); });
  }

private:
  void move(const MovePiece& piece) const
  {
    alignas(64) unsigned char storage[functor_buffer_bytes];
    Out* const buffer = reinterpret_cast<Out*>(storage);
    std::int64_t stride[core::max_rank] = {}, packed = 1;
    for (int p = 0; p < job_.axes().count; ++p) {
      stride[order_[p]] = packed;
      packed *= piece.extent[order_[p]];
    }
    convert_runs(piece, packed, buffer);
    job_.move(piece, buffer, stride, out_ + piece.out);
  }

  /// Run by run along the input's fastest axis, while runs further on are called into the cache.
  void convert_runs(const MovePiece& piece, std::int64_t count, Out* buffer) const
  {
    constexpr std::int64_t runs_ahead = 16, line = 64 / sizeof(In);
    const auto& axes = job_.axes();
    const std::int64_t length = piece.extent[order_[0]];
    const std::int64_t ahead = axes.count > 1 ? runs_ahead * axes[order_[1]].in : 0;
    Kokkos::Array<std::int64_t, core::max_rank> index{};
    const In* from = in_ + piece.in;
    for (std::int64_t first = 0; first < count; first += length) {
      if (ahead != 0)
        for (std::int64_t i = 0; i < length; i += line) __builtin_prefetch(from + ahead + i);
      convert(from, axes[order_[0]].in, length, buffer + first);
      for (int p = 1; p < axes.count; ++p) {
        const int k = order_[p];
        from += axes[k].in;
        if (++index[p] < piece.extent[k]) break;
        from -= piece.extent[k] * axes[k].in;
        index[p] = 0;
      }
    }
  }

  void convert(const In* from, std::int64_t stride, std::int64_t length, Out* to) const
  {
    if (stride == 1) // a loop of its own: this one becomes vector code
      for (std::int64_t i = 0; i < length; ++i) new (to + i) Out(core::moved<Out>(f_, from[i]));
    else
      for (std::int64_t i = 0; i < length; ++i) new (to + i) Out(core::moved<Out>(f_, from[i * stride]));
  }

  MoveJob job_;
  const In* in_;
  Out* out_;
  F f_;
  Kokkos::Array<int, core::max_rank> order_;
};

template <class Space>
auto task_policy(const Space& space, std::int64_t tasks)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  return Policy(space, 0, tasks, Kokkos::ChunkSize(1));
}

template <class Space, class In, class Out, class F>
void launch(TransposePlan<MoveJob> plan, const Space& space, const core::TransposeProblem<In, Out>& problem, const F& f)
{
  MoveJob& job = plan.job;
  job.share(space.concurrency());
  const auto policy = task_policy(space, job.tasks());
  if constexpr (is_move<F>)
    Kokkos::parallel_for(plan.kernel.name(), policy,
                         [job, in = problem.in, out = problem.out](std::int64_t task) { job.run(task, in, out); });
  else
    Kokkos::parallel_for(plan.kernel.name(), policy, FunctorMove<In, Out, F>(job, problem.in, problem.out, f));
}

template <class Space, class T, class F>
void launch(TransposePlan<SwapJob> plan, const Space& space, const core::InPlaceProblem<T>& problem, const F& f)
{
  SwapJob& job = plan.job;
  job.share(space.concurrency());
  const auto policy = task_policy(space, job.tasks());
  if constexpr (is_move<F>) {
    Kokkos::parallel_for(plan.kernel.name(), policy,
                         [job, data = problem.data](std::int64_t task) { job.run(task, data); });
  } else {
    Kokkos::parallel_for(plan.kernel.name(), policy, [job, data = problem.data, f](std::int64_t task) {
      const auto apply = [&](T* tile, std::int64_t x_extent, std::int64_t y_extent) {
        for (std::int64_t x = 0; x < x_extent; ++x)
          for (std::int64_t y = 0; y < y_extent; ++y) {
            T& element = tile[x * job.slow() + y * job.fast()];
            element = core::moved<T>(f, element);
          }
      };
      job.for_each_piece(task, [&](const SwapPiece& piece) {
        job.swap(piece, data);
        for (std::int64_t m = 0; m < piece.matrices; ++m) {
          T* const matrix = data + m * job.matrix();
          apply(matrix + piece.a, piece.x_extent, piece.y_extent);
          if (piece.a != piece.b) apply(matrix + piece.b, piece.y_extent, piece.x_extent);
        }
      });
    });
  }
}

} // namespace Keramos::openmp
