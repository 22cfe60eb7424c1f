// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call that the library has compiled: what the budgets compare TransposeFunctor.cpp with.
#include <Keramos_Transpose.hpp>

using Space = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<float**, Space>;

void turn(const Space& exec, const Matrix& in, const Matrix& out) { Keramos::transpose(exec, in, out); }
