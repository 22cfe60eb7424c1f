// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An application's epilogue over the sums of a run, which lie in the first-level cache: a loop that compilers vectorise
// through the functor where runs are contiguous (half the time of a wave update with one), point by point elsewhere. With
// it, the store of sums where `out` is strided.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "Runs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Keramos::openmp::stencil {

using core::AxisOrder;

/// A task's epilogue.
template <class T, class Epilogue>
class RunFinisher {
public:
  RunFinisher(const Epilogue& epilogue, const StencilOperands<T>& operands)
      : epilogue_(epilogue), operands_(operands), order_(core::axis_order(epilogue))
  {
    if constexpr (count > 0 && !Epilogue::form::in_library)
      for (int n = 0; n < count && operands.unit_strides; ++n)
        if (!epilogue.operand[n].is_field())
          std::fill_n(number_row_[n].data(), std::min(operands.run_points(), operands.out.extent[0]),
                      epilogue.operand[n].number);
  }

  /// value[n] is the sum of the point first + n; afterwards it may be anything.
  void operator()(T* value, std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k) const
  {
    if (operands_.unit_strides && order_ == AxisOrder::forwards)
      return unit_run<AxisOrder::forwards>(value, first, last, j, k, std::make_index_sequence<count>());
    if constexpr (core::takes_indices<Epilogue>)
      if (operands_.unit_strides && order_ == AxisOrder::backwards)
        return unit_run<AxisOrder::backwards>(value, first, last, j, k, std::make_index_sequence<count>());
    for (std::int64_t i = first; i < last; ++i)
      core::finish(epilogue_, operands_.out, value[i - first], operands_.in(i, j, k), i, j, k);
  }

private:
  static constexpr int count = Epilogue::operands;

  const T* row(std::size_t n, std::int64_t first, std::int64_t j, std::int64_t k) const
  {
    const auto& operand = epilogue_.operand[n];
    return operand.is_field() ? &operand.field(first, j, k) : number_row_[n].data();
  }

  /// The loop is told that points do not depend on each other: operands that `out` writes are read at their own point.
  template <AxisOrder order, std::size_t... N>
  void unit_run(T* value, std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k,
                std::index_sequence<N...>) const
  {
    const T* centre = &operands_.in(first, j, k);
    T* const field = &operands_.out(first, j, k);
    const bool streams = core::returns_value<Epilogue, T> && operands_.streaming.rows;
    [[maybe_unused]] T* const out = streams ? value : field;
    [[maybe_unused]] const std::array<const T*, count> rows{row(N, first, j, k)...};
    const std::int64_t length = last - first;
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::int64_t n = 0; n < length; ++n) {
      const Kokkos::Array<T, count> at_point{rows[N][n]...};
      if constexpr (core::returns_value<Epilogue, T>)
        out[n] = static_cast<T>(core::finished<order>(epilogue_, value[n], centre[n], at_point, first + n, j, k));
      else
        core::finished<order>(epilogue_, value[n], centre[n], at_point, first + n, j, k);
    }
    if (streams) write_past_caches(field, value, length);
  }

  const Epilogue& epilogue_;
  const StencilOperands<T>& operands_;
  AxisOrder order_;
  std::array<std::array<T, max_run>, count> number_row_; ///< of operands that are numbers, where rows are contiguous
};

} // namespace Keramos::openmp::stencil
