// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the translation units of the built-in kernels have in common: they include this and instantiate.
#pragma once

#include "CutoffKernel.hpp"
#include "Launch.hpp"
#include "Product.hpp"

namespace Keramos::cuda::gather_sum {

template <bool WithGradient, class T, class K>
void launch_built_in(const GatherJob<T>& job, const Kokkos::Cuda& space, const K& kernel, double* partial)
{
  const FastPair<T, K> pair(kernel);
  if constexpr (std::is_same_v<K, Gaussian> && !WithGradient)
    if (job.partition.shape == GatherShape::product) return launch_product(job, space, pair, partial);
  launch_pairs<WithGradient, BuiltInTargets<T, WithGradient, K>>(job, space, pair, partial);
}

template <bool WithGradient, class T, class K>
void launch_built_in_cutoff(const Kernel& kernel, const Kokkos::Cuda& space, const CutoffJob<T>& job, const K& built_in,
                            const core::CutoffRule<T>& rule)
{
  launch_cutoff<WithGradient>(kernel, space, job, FastCutoffPair<T, K>(built_in, rule));
}

} // namespace Keramos::cuda::gather_sum
