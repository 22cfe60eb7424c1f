// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same call with a functor of the user's: what it takes longer to compile than Transpose.cpp is what a functor costs.
#include <Keramos_Transpose.hpp>

using Space = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<float**, Space>;

struct Half {
  KOKKOS_FUNCTION float operator()(float value) const { return value / 2; }
};

void turn(const Space& exec, const Matrix& in, const Matrix& out) { Keramos::transpose(exec, in, out, Half{}); }
