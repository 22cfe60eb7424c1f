// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this machine can do at best, measured here and now: the yardsticks of the demo's table.
#pragma once

#include "Setting.hpp"

namespace demo {

/// Bytes read and written a second by the fastest copy that we know: on a host, all threads, memcpy or stores that
/// bypass the caches; elsewhere Kokkos::deep_copy. Arrays are far larger than any cache.
class CopyBandwidth {
public:
  explicit CopyBandwidth(const Space& space);
  double measure() const;

private:
  Space space_;
  Kokkos::View<float*, Space> from_, to_;
};

/// Float multiply-adds a second, of all cores, in registers, with the widest vectors of this processor.
double multiply_add_rate(const Space& space);

/// Seconds of the fastest of `repeats` calls; each is waited for.
template <class Work>
double fastest(const Space& space, int repeats, const Work& work)
{
  double best = 1e300;
  for (int n = 0; n < repeats; ++n) {
    space.fence();
    Kokkos::Timer timer;
    work();
    space.fence();
    const double seconds = timer.seconds();
    if (seconds < best) best = seconds;
  }
  return best;
}

} // namespace demo
