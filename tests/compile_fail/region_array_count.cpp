// EXPECT: Keramos::Region: name the begin and the end of every axis
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

int main() { Keramos::Region{std::array{4, 4}, Kokkos::Array{60, 60, 60}}; }
