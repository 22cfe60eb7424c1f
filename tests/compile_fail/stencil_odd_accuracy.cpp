// EXPECT: Keramos::FiniteDifference: the order of accuracy is an even number from 2 to 16
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

int main() { Keramos::FiniteDifference::first_derivative<3, 7>(0, 0.1); }
