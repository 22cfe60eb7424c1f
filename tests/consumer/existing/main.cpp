// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each step both ways on the same data and compares.
#include "steps.hpp"

#include <Kokkos_Random.hpp>

#include <cstdlib>
#include <iostream>

namespace {

using namespace app;

template <class View>
void randomise(const View& view)
{
  Kokkos::Random_XorShift64_Pool<Exec> pool(20261121);
  Kokkos::fill_random(view, pool, -1.0, 1.0);
}

/// The largest difference of what lies in two Views.
template <class View>
bool agree(const char* what, const View& old_way, const View& new_way, double bound)
{
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), old_way);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), new_way);
  double largest = 0;
  for (std::size_t n = 0; n < a.span(); ++n) {
    const double difference = std::abs(a.data()[n] - b.data()[n]);
    if (!(difference <= largest)) largest = difference; // NaN stays
  }
  const bool good = largest <= bound;
  std::cout << what << ": the ways differ by " << largest << (good ? "" : "  TOO MUCH") << '\n';
  return good;
}

} // namespace

int main(int argc, char** argv)
{
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;

  const Field in("in", 30, 41, 52), old_out("old", 30, 41, 52), new_out("new", 30, 41, 52);
  randomise(in);
  by_hand::diffuse(exec, 0.1, in, old_out);
  by_keramos::diffuse(exec, 0.1, in, new_out);

  const Matrix matrix("matrix", 67, 45), old_turned("old", 45, 67), new_turned("new", 45, 67);
  randomise(matrix);
  by_hand::turn(exec, matrix, old_turned);
  by_keramos::turn(exec, matrix, new_turned);

  const Points position("position", 700);
  const Numbers charge("charge", 700), old_potential("old", 700), new_potential("new", 700);
  randomise(position);
  randomise(charge);
  by_hand::potential(exec, position, charge, old_potential);
  by_keramos::potential(exec, position, charge, new_potential);
  exec.fence("both ways are done");

  const bool all = agree("diffuse", old_out, new_out, 1e-14) & agree("turn", old_turned, new_turned, 0) &
                   agree("potential", old_potential, new_potential, 1e-9);
  return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
