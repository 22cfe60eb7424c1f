// EXPECT: Keramos::apply_stencil: argument 'op' must not have a negative tap_count
// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Keramos_Stencil.hpp>

struct Own {
  static constexpr Keramos::Shape shape = Keramos::Shape::sparse;
  static constexpr int rank = 2, radius = 0, tap_count = -1;
  double weight(int) const { return 1; }
  std::array<int, 2> offset(int) const { return {}; }
};

int main()
{
  Kokkos::DefaultHostExecutionSpace exec;
  Kokkos::View<float**, Kokkos::HostSpace> in("in", 8, 8), out("out", 8, 8);
  Keramos::apply_stencil(exec, Own(), in, out, Keramos::periodic);
}
