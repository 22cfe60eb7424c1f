// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of several planes or rows whose taps all read the input at their own indices, and whose sums go into the output field, or
// through a functor: handed to the kernel for them. Compiled once.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "Operands.hpp"
#include "Run.hpp"

#include <cstdint>

namespace Keramos::openmp::stencil {

template <class T>
class DirectBlocks {
public:
  explicit DirectBlocks(const StencilOperands<T>& operands) : operands_(operands) {}

  /// Of a run in one plane.
  int least_rows() const
  {
    return operands_.star_radius > 0 || operands_.plane_reach.elements > 0 ? plane_rows : column_planes;
  }
  void store(const Run& run) const;
  void update(const Run& run, const core::EpilogueOperand<T>* operand) const;
  /// A PlaneStar's.
  void apply(const Run& run, const Functor<T>& functor, bool stores) const;

private:
  DirectBlock<T> block_of(const Run& run) const;
  PlaneStar<T> plane_star_of(const Run& run) const;
  void compute(const PlaneStar<T>& star) const;
  void across_planes(const Run& run) const;
  void across_rows(const Run& run) const;
  void streamed_star(const Run& run, DirectBlock<T> block) const;
  int rows_ahead(const Run& run) const;

  const StencilOperands<T>& operands_;
};

extern template class DirectBlocks<float>;
extern template class DirectBlocks<double>;

} // namespace Keramos::openmp::stencil
