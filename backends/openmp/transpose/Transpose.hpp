// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as vector kernels over parts of both arrays, on any host execution space. Plain moves are compiled once
// in the library, by element size. With a functor a part of the input passes through it into a buffer that stays in
// the caches, in the user's translation unit, and the same kernels move the buffer on.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "../../../src/keramos/transpose/Layout.hpp"
#include "../HostKernels.hpp"
#include "MoveJob.hpp"
#include "SwapJob.hpp"

#include <array>
#include <new>
#include <optional>

namespace Keramos::openmp::transpose {

/// Bytes of the buffer between a functor and a kernel: a fraction of a second-level cache, and no more than the stack
/// of a thread has to spare.
inline constexpr std::int64_t functor_buffer_bytes = 32 << 10;

template <class F>
inline constexpr bool is_move = std::is_same_v<F, core::Move>;

template <class F>
Kernel transpose_kernel(const char* operation, const auto& job)
{
  return {Backend::openmp, operation, job.variant(is_move<F> ? " " : " functor ")};
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
  constexpr int size = sizeof(Out);
  const MoveJob job(problem.axes, size, is_move<F> ? 0 : functor_buffer_bytes / size);
  return TransposePlan<In, Out, F>{transpose_kernel<F>(problem.call.operation, job), job, problem.in, problem.out, f};
}

template <class T, class F>
std::optional<InPlacePlan<T, F>> choose(const core::InPlaceProblem<T>& problem, const F& f)
{
  const SwapJob job(problem.order, problem.fast, problem.slow, problem.stack, sizeof(T));
  return InPlacePlan<T, F>{transpose_kernel<F>(problem.call.operation, job), job, problem.data, f};
}

/// A part through the functor into the buffer, where its axes stand packed in the order of the input's strides.
template <class In, class Out, class F>
class FunctorMove {
public:
  FunctorMove(const MoveJob& job, const In* in, Out* out, const F& f)
      : job_(job), in_(in), out_(out), f_(f), order_(core::input_order(job.axes()))
  {
  }

  void operator()(std::int64_t task) const
  {
    job_.for_each_part(task, [&](const Part& part) { move(part); });
  }

private:
  void move(const Part& part) const
  {
    alignas(64) unsigned char storage[functor_buffer_bytes];
    Out* const buffer = reinterpret_cast<Out*>(storage);
    std::int64_t stride[core::max_rank] = {}, packed = 1;
    for (int p = 0; p < job_.axes().count; ++p) {
      stride[order_[p]] = packed;
      packed *= part.extent[order_[p]];
    }
    convert_runs(part, packed, buffer);
    job_.move(part, buffer, stride, out_ + part.out);
  }

  /// Run by run along the input's fastest axis, while runs further on are prefetched.
  void convert_runs(const Part& part, std::int64_t count, Out* buffer) const
  {
    constexpr std::int64_t runs_ahead = 16, line = 64 / sizeof(In);
    const auto& axes = job_.axes();
    const std::int64_t length = part.extent[order_[0]];
    const std::int64_t ahead = axes.count > 1 ? runs_ahead * axes[order_[1]].in : 0;
    Kokkos::Array<std::int64_t, core::max_rank> index{};
    const In* from = in_ + part.in;
    for (std::int64_t first = 0; first < count; first += length) {
      if (ahead != 0)
        for (std::int64_t i = 0; i < length; i += line) __builtin_prefetch(from + ahead + i);
      convert(from, axes[order_[0]].in, length, buffer + first);
      for (int p = 1; p < axes.count; ++p) {
        const int k = order_[p];
        from += axes[k].in;
        if (++index[p] < part.extent[k]) break;
        from -= part.extent[k] * axes[k].in;
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
  std::array<int, core::max_rank> order_;
};

template <class Space>
auto task_policy(const Space& space, std::int64_t tasks)
{
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
  return Policy(space, 0, tasks, Kokkos::ChunkSize(1));
}

/// Pairs of tiles that trade places, and then the functor on both.
template <class T, class F>
class FunctorSwap {
public:
  FunctorSwap(const SwapJob& job, T* data, const F& f) : job_(job), data_(data), f_(f) {}

  void operator()(std::int64_t task) const
  {
    job_.for_each_pair(task, [&](const SwapPair& pair) {
      job_.swap(pair, data_);
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

} // namespace Keramos::openmp::transpose
