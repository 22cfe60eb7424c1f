// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulate as the backends take it, for elements Out: a term, which is a functor like any other, and a sum of the term and
// what the output holds. Without a share of the output the term is all there is, and nothing else is asked of a backend.
#pragma once

#include "ElementFunctor.hpp"
#include "Problem.hpp"

#include <concepts>

namespace Keramos::core {

/// alpha * f(value).
template <class Out, class Alpha, class F>
struct Term {
  Scale<Alpha> scale;
  F f;

  template <class In>
  KOKKOS_FUNCTION Out operator()(const In& value) const
  {
    return static_cast<Out>(scale(moved<Out>(f, value)));
  }
};

/// The term, and the term + beta * out.
template <class Out, class Alpha, class Beta, class F>
struct Accumulation {
  Term<Out, Alpha, F> term;
  Scale<Beta> scale;

  template <class In>
  KOKKOS_FUNCTION Out operator()(const In& value) const
  {
    return term(value);
  }

  /// Compilers may fuse the product with the sum, and then some of a loop's elements and not others: where there is an
  /// instruction for it, it is said outright.
  KOKKOS_FUNCTION Out sum(const Out& value, const Out& out) const
  {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    if constexpr (std::floating_point<Out>) return Kokkos::fma(static_cast<Out>(scale.factor), out, value);
#endif
    return stored(static_cast<Computable<Out>>(computable(value) + computable(scale(out))), out);
  }
};

template <class Out, class Alpha, class Beta, class F>
inline constexpr bool is_accumulation<Accumulation<Out, Alpha, Beta, F>> = true;

} // namespace Keramos::core
