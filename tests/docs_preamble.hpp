// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that the code blocks of README.md and docs/ use without declaring them (tests/checks/docs_snippets.py). Declared
// and never defined: the blocks are compiled, not linked. A block that means something else declares its own.
#pragma once

#include <Keramos.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace fd = Keramos::FiniteDifference;
using Keramos::periodic, Keramos::nearest, Keramos::constant, Keramos::sides;

using Exec = Kokkos::DefaultExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Exec::memory_space>;

extern Exec exec;
extern double h, h0, h1, h2, s, e, c2dt2, dt;
extern int n, steps;

// Fields of rank 3, and what a wave needs
extern View<float***> in, out, u, u_prev, velocity;
// Matrices, and data of higher rank
extern View<double**> a, b, square;
// Charges, points and their results
extern View<double*[3]> positions, points, grad;
extern View<double*> weights, density, phi;
extern View<double***> potential;
