// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user's functor does to a move, in his translation unit: a piece of the input passes through a buffer that stays in the
// caches, on one side of the kernels of the library. The functor stands before them, and they store past the caches; a sum
// into the output stands behind them, where the output is read anyway.
#pragma once

#include "../../../src/keramos/transpose/Layout.hpp"
#include "MoveJob.hpp"
#include "PieceRuns.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

namespace Keramos::openmp::transpose {

/// Bytes of the buffer: a fraction of a second-level cache, and no more than the stack of a thread has to spare.
inline constexpr std::int64_t piece_buffer_bytes = 32 << 10;

/// A piece through the functor into the buffer, where its axes stand packed in the order of the input's strides.
template <class In, class Out, class F>
class FunctorMove {
public:
  FunctorMove(const MoveJob& job, const In* in, Out* out, const F& f)
      : job_(job), in_(in), out_(out), f_(f), order_(core::input_order(job.axes())), out_stride_(job.out_strides())
  {
  }

  void operator()(std::int64_t task) const
  {
    const Conversion conversion{convert_rows, &f_, sizeof(In)};
    job_.for_each_piece(task, [&](const Part& piece, const Part& next) {
      if (job_.kind() == MoveKind::tiles)
        job_.convert(piece, in_ + piece.in, out_ + piece.out, conversion, in_ + next.in);
      else
        move(piece);
    });
  }

private:
  /// For kernels that take tiles of the input: rows of it come to a buffer of theirs.
  static void convert_rows(const void* functor, const unsigned char* in, std::int64_t in_pitch, std::int64_t rows,
                           std::int64_t length, unsigned char* out, std::int64_t out_pitch)
  {
    const F& f = *static_cast<const F*>(functor);
    for (std::int64_t r = 0; r < rows; ++r)
      convert(f, reinterpret_cast<const In*>(in + r * in_pitch), 1, length,
              reinterpret_cast<Out*>(out + r * out_pitch));
  }

  void move(const Part& piece) const
  {
    alignas(64) unsigned char storage[piece_buffer_bytes];
    Out* const buffer = reinterpret_cast<Out*>(storage);
    convert_runs(piece, buffer);
    job_.move(piece, buffer, packed_strides(piece, order_, job_.axes().count), out_ + piece.out, out_stride_);
  }

  /// Run by run along the input's fastest axis, while runs further on are prefetched. Long ones are read as they lie.
  void convert_runs(const Part& piece, Out* buffer) const
  {
    constexpr std::int64_t runs_ahead = 16, line = 64 / sizeof(In);
    const auto& axes = job_.axes();
    const bool near = axes.count == 1 || job_.kind() == MoveKind::runs;
    const std::int64_t ahead = near ? 0 : runs_ahead * axes[order_[1]].in;
    PieceRuns runs(piece, job_.in_strides(), order_, axes.count);
    for (std::int64_t r = 0; r < runs.count(); ++r, runs.next(), buffer += runs.length()) {
      const In* const from = in_ + piece.in + runs.offset();
      if (ahead != 0)
        for (std::int64_t i = 0; i < runs.length(); i += line) __builtin_prefetch(from + ahead + i);
      convert(f_, from, runs.step(), runs.length(), buffer);
    }
  }

  static void convert(const F& f, const In* from, std::int64_t stride, std::int64_t length, Out* to)
  {
    if (stride == 1) // a loop of its own: this one becomes vector code, of 16 bytes where the application says no more
#if !defined(__CUDACC__) // which does not know it
#pragma GCC unroll 4     // else 8192 x 8192 f32 makes 20 GB/s or 32, as the stack happens to lie
#endif
      for (std::int64_t i = 0; i < length; ++i) new (to + i) Out(core::moved<Out>(f, from[i]));
    else
      for (std::int64_t i = 0; i < length; ++i) new (to + i) Out(core::moved<Out>(f, from[i * stride]));
  }

  MoveJob job_;
  const In* in_;
  Out* out_;
  F f_;
  std::array<int, core::max_rank> order_;
  PerAxis out_stride_;
};

/// The lines of a piece, to be prefetched some at a time, for writing (1) or for reading (0).
template <int for_writing, class T>
class PieceLines {
public:
  PieceLines(const T* piece, const PieceRuns& runs) : piece_(piece), runs_(runs), left_(runs.count()) {}

  /// Lines at each of so many times, if every run begins within one.
  std::int64_t share(std::int64_t times) const
  {
    return core::ceil_div(runs_.count() * (core::ceil_div(runs_.length(), line) + 1), times);
  }

  void prefetch(std::int64_t lines)
  {
    for (; lines > 0 && left_ > 0; --lines) {
      const T* const run = piece_ + runs_.offset();
      __builtin_prefetch(run + std::min(at_, runs_.length() - 1) * runs_.step(), for_writing, 2);
      if ((at_ += line) < runs_.length() + behind_line(run)) continue;
      at_ = 0;
      runs_.next();
      --left_;
    }
  }

private:
  static constexpr std::int64_t line = 64 / sizeof(T);

  /// Elements of its first line that lie before a run.
  static std::int64_t behind_line(const T* run)
  {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(run) % 64 / sizeof(T));
  }

  const T* piece_;
  PieceRuns runs_;
  std::int64_t left_, at_ = 0;
};

/// A piece into the buffer, where its axes stand packed in the order of the output's strides, and from there into the sums.
template <class In, class Out, class F>
class AccumulatingMove {
public:
  AccumulatingMove(const MoveJob& job, const In* in, Out* out, const F& f)
      : job_(job), in_(in), out_(out), f_(f), in_order_(core::input_order(job.axes())), in_stride_(job.in_strides()),
        out_stride_(job.out_strides())
  {
  }

  void operator()(std::int64_t task) const
  {
    job_.for_each_piece(task, [&](const Part& piece, const Part& next) {
      if (job_.kind() == MoveKind::runs)
        add_runs(piece);
      else
        move(piece, next);
    });
  }

private:
  static constexpr std::array<int, core::max_rank> out_order{0, 1, 2, 3, 4, 5};

  void move(const Part& piece, const Part& next) const
  {
    alignas(64) unsigned char storage[piece_buffer_bytes];
    const int axes = job_.axes().count;
    job_.move(piece, in_ + piece.in, in_stride_, storage, packed_strides(piece, out_order, axes));
    const In* from = reinterpret_cast<const In*>(storage);
    PieceRuns runs(piece, out_stride_, out_order, axes);
    PieceLines<1, Out> next_out(out_ + next.out, PieceRuns(next, out_stride_, out_order, axes));
    PieceLines<0, In> next_in(in_ + next.in, PieceRuns(next, in_stride_, in_order_, axes));
    const std::int64_t out_share = next_out.share(runs.count()), in_share = next_in.share(runs.count());
    for (std::int64_t r = 0; r < runs.count(); ++r, runs.next(), from += runs.length()) {
      next_out.prefetch(out_share);
      next_in.prefetch(in_share);
      add(from, runs.step(), runs.length(), out_ + piece.out + runs.offset());
    }
  }

  /// What is contiguous in both arrays needs no buffer.
  void add_runs(const Part& piece) const
  {
    const int y = job_.axis_of_runs();
    const std::int64_t rows = job_.axes().count > 1 ? piece.extent[y] : 1;
    for (std::int64_t r = 0; r < rows; ++r)
      add(in_ + piece.in + r * in_stride_[y], 1, piece.extent[0], out_ + piece.out + r * out_stride_[y]);
  }

  void add(const In* __restrict from, std::int64_t stride, std::int64_t length, Out* __restrict to) const
  {
    if (stride == 1) // a loop of its own: this one becomes vector code
      for (std::int64_t i = 0; i < length; ++i) core::move_element(f_, from[i], to[i]);
    else
      for (std::int64_t i = 0; i < length; ++i) core::move_element(f_, from[i], to[i * stride]);
  }

  MoveJob job_;
  const In* in_;
  Out* out_;
  F f_;
  std::array<int, core::max_rank> in_order_;
  PerAxis in_stride_, out_stride_;
};

} // namespace Keramos::openmp::transpose
