// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that the library has compiled: what the budgets compare GatherSumFunctor.cpp with.
#include <Keramos_GatherSum.hpp>

using Space = Kokkos::DefaultExecutionSpace;
using Points = Kokkos::View<float**, Space>;
using Values = Kokkos::View<float*, Space>;

void sum(const Space& exec, const Points& targets, const Points& sources, const Values& weights, const Values& out)
{
  Keramos::gather_sum(exec, Keramos::Coulomb{}, targets, Keramos::Sources{sources, weights}, out);
}
