// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a run in the output and in what an epilogue in the library reads: where they are, or copies of them where a
// kernel cannot take them there. Compiled once.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "Operands.hpp"
#include "Run.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

template <class T>
class FieldRows {
public:
  explicit FieldRows(const StencilOperands<T>& operands) : operands_(operands) {}

  // What these return holds until the next run.

  /// In the output, streamed if they can be; with operands, where runs are contiguous, in their fields.
  const RunRows<T>& in_place(const Run& run);
  const RunRows<T>& in_place(const Run& run, const core::EpilogueOperand<T>* operand);
  const RunRows<T>& in_place(const Run& run, const Functor<T>& functor);
  /// The same operands, and rows in the cache in front of those in place, whose lines begin at the same points.
  const RunRows<T>& staged(const Run& run);
  /// Nowhere: the functor stores by itself.
  const RunRows<T>& nowhere(const Run& run, const Functor<T>& functor);
  /// Copies of strided runs, because the kernels round as no other code does; and the way of the results into the output.
  const RunRows<T>& gathered(const Run& run, const core::EpilogueOperand<T>* operand);
  void scatter(const Run& run) const;

private:
  void set_functor(const Run& run, const Functor<T>& functor);

  const StencilOperands<T>& operands_;
  RunRows<T> rows_, staged_rows_;
  std::vector<T> staged_, gathered_;
};

/// Writes a run of the output. Others see it when the StencilRuns of this task is gone.
template <class T>
void write_past_caches(T* out, const T* values, std::int64_t length);

extern template void write_past_caches(float*, const float*, std::int64_t);
extern template void write_past_caches(double*, const double*, std::int64_t);
extern template class FieldRows<float>;
extern template class FieldRows<double>;

} // namespace Keramos::openmp::stencil
