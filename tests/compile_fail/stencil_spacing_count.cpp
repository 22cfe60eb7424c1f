// EXPECT: Keramos::FiniteDifference::laplacian: give one spacing for each View index
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

int main() { Keramos::FiniteDifference::laplacian<3, 8>(0.1, 0.1); }
