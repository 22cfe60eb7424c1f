// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a cut to a launch. The built-in kernels are instantiated in the library, GatherSum{Coulomb,Yukawa,Gaussian}.cpp;
// a user's functor where he calls.
#pragma once

#include "GatherSumFew.hpp"
#include "Launch.hpp"

#include <algorithm>
#include <string>

namespace Keramos::cuda {

/// The call with the axis that a thread's targets lie along in the middle.
template <class T>
core::GatherSumCall<T> turned(core::GatherSumCall<T> call, int along)
{
  if (along != 2) return call;
  const auto swap = [](auto& axes) { std::swap(axes[1], axes[2]); };
  swap(call.output.potential.extent);
  swap(call.output.potential.stride);
  swap(call.output.gradient.extent);
  swap(call.output.gradient.stride);
  swap(call.targets.origin);
  swap(call.targets.spacing);
  swap(call.targets.coordinate);
  return call;
}

/// The kernel of this cut. `partial` is the scratch of a call with several chunks.
template <bool WithGradient, class Reach, class Pair, class T = typename Pair::value_type>
void launch_pairs(const std::string& name, const Kokkos::Cuda& space, const core::GatherSumCall<T>& call,
                  const GatherCut& cut, const Pair& pair, double* partial)
{
  const GatherResult<T, WithGradient> result{partial};
  const dim3 blocks(static_cast<unsigned>(cut.tiles), static_cast<unsigned>(cut.chunks));
  switch (cut.shape) {
  case GatherShape::grid:
    if constexpr (Reach::value.grid != 0)
      launch_kernel(name, space, gather_on_grid<Reach::value.grid, WithGradient, Pair>, {blocks, gather_threads}, call,
                    cut, pair, result);
    return;
  case GatherShape::points:
    return launch_kernel(name, space, gather_at_points<Reach::value.points, WithGradient, Pair>,
                         {blocks, gather_threads}, call, cut, pair, result);
  case GatherShape::few:
    return launch_kernel(name, space, gather_few<Reach::value.few, WithGradient, Pair>, {blocks, few_threads}, call,
                         cut, pair, result);
  }
}

/// Compiled once, for Coulomb, Yukawa and Gaussian.
template <bool WithGradient, class T, class K>
void launch_built_in(const std::string& name, const Kokkos::Cuda& space, const core::GatherSumCall<T>& call,
                     const GatherCut& cut, const K& kernel, double* partial);

/// The second pass over the scratch of a call with several chunks. Compiled once.
template <bool WithGradient, class T>
void launch_chunks(const std::string& name, const Kokkos::Cuda& space, const core::GatherOutput<T>& output,
                   const GatherCut& cut, const double* partial);

} // namespace Keramos::cuda
