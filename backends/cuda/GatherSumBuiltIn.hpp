// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the translation units of the built-in kernels have in common: they include this and instantiate.
#pragma once

#include "GatherSumLaunch.hpp"

namespace Keramos::cuda {

template <bool WithGradient, class T, class K>
void launch_built_in(const std::string& name, const Kokkos::Cuda& space, const core::GatherSumCall<T>& call,
                     const GatherCut& cut, const K& kernel, double* partial)
{
  launch_pairs<WithGradient, BuiltInReach<T, WithGradient>>(name, space, call, cut, FastPair<T, K>(kernel), partial);
}

} // namespace Keramos::cuda
