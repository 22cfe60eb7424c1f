// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same call with a functor of the user's: what it takes longer to compile than GatherSum.cpp is what a functor costs.
#include <Keramos_GatherSum.hpp>

using Space = Kokkos::DefaultExecutionSpace;
using Points = Kokkos::View<float**, Space>;
using Values = Kokkos::View<float*, Space>;

struct Lorentzian {
  KOKKOS_FUNCTION float operator()(float r_squared) const { return 1 / (1 + r_squared); }
};

void sum(const Space& exec, const Points& targets, const Points& sources, const Values& weights, const Values& out)
{
  Keramos::gather_sum(exec, Lorentzian{}, targets, Keramos::Sources{sources, weights}, out);
}
