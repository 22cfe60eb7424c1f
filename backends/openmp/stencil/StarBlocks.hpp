// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of a star in several rows of several planes at once, whose taps all read the input at their own indices: the fields handed to
// the kernels, and the results past the caches. Compiled once.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "Operands.hpp"
#include "Run.hpp"

#include <cstdint>
#include <vector>

namespace Keramos::openmp::stencil {

template <class T>
class StarBlocks {
public:
  explicit StarBlocks(const StencilOperands<T>& operands);

  /// Whether there are kernels for stars of this radius.
  static bool exist(int star_radius);
  /// Whether there is one that is faster than those for single rows.
  bool has_kernel() const { return has_kernel_; }
  /// The sums, or what the library's epilogue with these operands makes of them, into the output field; and what an application's functor
  /// does, which `stores` them by itself or not.
  void store(const Run& run);
  void update(const Run& run, const core::EpilogueOperand<T>* operand);
  void apply(const Run& run, const Functor<T>& functor, bool stores);

private:
  StarBlock<T> block_of(const Run& run) const;
  void into_field(const Run& run, StarBlock<T>& block, const FinishedKernels<T>& kernels);
  void prefetch_next_ends(const Run& run) const;
  void stage(StarBlock<T>& block);

  const StencilOperands<T>& operands_;
  bool has_kernel_;
  bool stages_; ///< the results go past the caches through rows in them: lines begin at different points of the rows
  std::vector<T> staged_;
};

extern template class StarBlocks<float>;
extern template class StarBlocks<double>;

} // namespace Keramos::openmp::stencil
