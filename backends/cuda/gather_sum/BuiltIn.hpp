// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the translation units of the built-in kernels have in common: they include this and instantiate.
#pragma once

#include "Launch.hpp"

namespace Keramos::cuda::gather_sum {

template <bool WithGradient, class T, class K>
void launch_built_in(const GatherJob<T>& job, const Kokkos::Cuda& space, const K& kernel, double* partial)
{
  launch_pairs<WithGradient, BuiltInTargets<T, WithGradient>>(job, space, FastPair<T, K>(kernel), partial);
}

} // namespace Keramos::cuda::gather_sum
