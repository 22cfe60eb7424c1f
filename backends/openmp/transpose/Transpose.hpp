// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as vector kernels over parts of both arrays, on any host execution space. Plain moves are compiled once
// in the library, by element size; FunctorMove.hpp has what a functor adds to them.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "../../../src/keramos/transpose/Oblong.hpp"
#include "FunctorMove.hpp"
#include "MoveJob.hpp"
#include "OblongJob.hpp"
#include "SwapJob.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace Keramos::openmp::transpose {

template <class F>
inline constexpr bool is_move = std::is_same_v<F, core::Move>;

template <class F>
Kernel transpose_kernel(const char* operation, const auto& job)
{
  return {Backend::openmp, operation,
          job.variant(is_move<F>                 ? " "
                      : core::is_accumulation<F> ? " accumulate "
                                                 : " functor ")};
}

template <class In, class Out, class F>
struct TransposePlan {
  Kernel kernel;
  MoveJob job;
  const In* in;
  Out* out;
  F f;
};

template <class T, class F>
struct InPlacePlan {
  Kernel kernel;
  SwapJob job;
  T* data;
  F f;
};

template <class In, class Out, class F>
std::optional<TransposePlan<In, Out, F>> choose(const core::TransposeProblem<In, Out>& problem, const F& f)
{
  constexpr bool sums = core::is_accumulation<F>;
  constexpr int size = sums ? sizeof(In) : sizeof(Out); // of what stands in a buffer
  constexpr PieceBuffer buffer =
      is_move<F> ? PieceBuffer{}
                 : PieceBuffer{sums ? PieceBuffer::behind : PieceBuffer::before, piece_buffer_bytes / size};
  const MoveJob job(problem.axes, size, buffer);
  return TransposePlan<In, Out, F>{transpose_kernel<F>(problem.call.operation, job), job, problem.in, problem.out, f};
}

template <class T, class F>
std::optional<InPlacePlan<T, F>> choose(const core::InPlaceProblem<T>& problem, const F& f)
{
  const SwapJob job(problem.order, problem.fast, problem.slow, problem.stack, sizeof(T));
  return InPlacePlan<T, F>{transpose_kernel<F>(problem.call.operation, job), job, problem.data, f};
}

/// Pairs of tiles that trade places, and then the functor on both.
template <class T, class F>
class FunctorSwap {
public:
  FunctorSwap(const SwapJob& job, T* data, const F& f) : job_(job), data_(data), f_(f) {}

  void operator()(std::int64_t task) const
  {
    job_.for_each_pair(task, [&](const SwapPair& pair, const SwapPair& next) {
      job_.swap(pair, next, data_);
      for (std::int64_t m = 0; m < pair.matrices; ++m) {
        T* const matrix = data_ + m * job_.matrix();
        apply(matrix + pair.a, pair.x_extent, pair.y_extent);
        if (pair.a != pair.b) apply(matrix + pair.b, pair.y_extent, pair.x_extent);
      }
    });
  }

private:
  void apply(T* tile, std::int64_t x_extent, std::int64_t y_extent) const
  {
    for (std::int64_t x = 0; x < x_extent; ++x)
      for (std::int64_t y = 0; y < y_extent; ++y) {
        T& element = tile[x * job_.slow() + y * job_.fast()];
        element = core::moved<T>(f_, element);
      }
  }

  SwapJob job_;
  T* data_;
  F f_;
};

/// body(task) for every task of a job.
template <class Space, class Body>
void run_tasks(const Kernel& taken, const Space& space, std::int64_t tasks, const Body& body)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(core::label(taken), Policy(space, 0, tasks, Kokkos::ChunkSize(1)), body);
}

/// How many tasks there are depends on the instance, and is settled here.
template <class In, class Out, class F, class Space>
void launch(const TransposePlan<In, Out, F>& plan, const Space& space)
{
  MoveJob job = plan.job;
  job.share(space.concurrency());
  if constexpr (is_move<F>)
    run_tasks(plan.kernel, space, job.tasks(),
              [job, in = plan.in, out = plan.out](std::int64_t task) { job.run(task, in, out); });
  else if constexpr (core::is_accumulation<F>)
    run_tasks(plan.kernel, space, job.tasks(), AccumulatingMove<In, Out, F>(job, plan.in, plan.out, plan.f));
  else
    run_tasks(plan.kernel, space, job.tasks(), FunctorMove<In, Out, F>(job, plan.in, plan.out, plan.f));
}

template <class T, class F, class Space>
void launch(const InPlacePlan<T, F>& plan, const Space& space)
{
  SwapJob job = plan.job;
  job.share(space.concurrency());
  if constexpr (is_move<F>)
    run_tasks(plan.kernel, space, job.tasks(), [job, data = plan.data](std::int64_t task) { job.run(task, data); });
  else
    run_tasks(plan.kernel, space, job.tasks(), FunctorSwap<T, F>(job, plan.data, plan.f));
}

// ---- In place, not square -------------------------------------------------------------------------------------------

template <class T>
struct OblongPlan {
  Kernel kernel;
  core::OblongCall<T> call;
};

/// What stays in the caches waits in scratch as a whole: f32 300x500, 1024x768, f64 1000x2000 5.5, 8.0, 9.0 by the bands of before and 10.2, 11.7, 11.5
/// GB/s so, 100000x3 by a fast copy 8.4 and 6.8 (two Zen 4 cores).
template <class T>
bool waits_whole(const core::OblongCall<T>& call)
{
  return call.rows * call.columns * static_cast<std::int64_t>(sizeof(T)) < streaming_bytes;
}

/// From there it moves as any other matrix.
template <class T>
MoveJob copied(const core::OblongCall<T>& call)
{
  core::MoveAxes axes;
  axes.count = 2;
  axes.axis[0] = {call.rows, call.columns, 1};
  axes.axis[1] = {call.columns, 1, call.rows};
  return {axes, sizeof(T)};
}

template <class T>
std::optional<OblongPlan<T>> choose(const core::OblongProblem<T>& problem, const core::Move&)
{
  const core::OblongCall<T>& call = problem.call;
  return OblongPlan<T>{{Backend::openmp, call.operation,
                        waits_whole(call) ? copied(call).variant(" in scratch ") : OblongJob::variant(sizeof(T))},
                       call};
}

/// Bytes that a call takes on this instance.
template <class T, class Space>
std::size_t scratch_bytes(const core::OblongProblem<T>& problem, const Space& space)
{
  const core::OblongCall<T>& call = problem.call;
  if (waits_whole(call)) return call.rows * call.columns * sizeof(T);
  return OblongJob(call.rows, call.columns, sizeof(T), space.concurrency()).scratch_bytes();
}

template <class T, class Space>
void launch_through_scratch(const OblongPlan<T>& plan, const Space& space)
{
  const std::int64_t bytes = plan.call.rows * plan.call.columns * static_cast<std::int64_t>(sizeof(T));
  T* const data = plan.call.data;
  char* const scratch = plan.call.scratch;
  run_tasks(plan.kernel, space, core::ceil_div(bytes, task_bytes), [bytes, data, scratch](std::int64_t task) {
    const std::int64_t begin = task * task_bytes;
    std::memcpy(scratch + begin, reinterpret_cast<const char*>(data) + begin, std::min(task_bytes, bytes - begin));
  });
  MoveJob job = copied(plan.call);
  job.share(space.concurrency());
  run_tasks(plan.kernel, space, job.tasks(), [job, data, scratch](std::int64_t task) { job.run(task, scratch, data); });
}

template <class T, class Space>
void launch(const OblongPlan<T>& plan, const Space& space)
{
  const core::OblongCall<T>& call = plan.call;
  if (waits_whole(call)) return launch_through_scratch(plan, space);
  OblongJob job(call.rows, call.columns, sizeof(T), space.concurrency());
  job.use(call.data, call.scratch);
  const auto run = [&](std::int64_t tasks, const auto& body) { run_tasks(plan.kernel, space, tasks, body); };
  const auto move_runs = [&] {
    if (!job.has_cycles()) return;
    run(1, [cycles = job.cycles()](std::int64_t) { cycles.mark(); });
    run(job.cycles().cuts(), [cycles = job.cycles()](std::int64_t cut) { cycles.save(cut); });
    run(job.cycles().tasks(), [cycles = job.cycles()](std::int64_t task) { cycles.walk(task); });
  };
  if (!job.tall()) move_runs();
  for (std::int64_t step = 0; step < job.steps(); ++step)
    run(job.tasks(step), [job, step](std::int64_t task) { job.move(step, task); });
  if (job.tall()) move_runs();
}

} // namespace Keramos::openmp::transpose
