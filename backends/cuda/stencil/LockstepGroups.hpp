// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host and kernel know of blocks that march together; the rest is in Lockstep.hpp, with the counters.
#pragma once

#include <Kokkos_Macros.hpp>

namespace Keramos::cuda::stencil {

/// Groups that count apart in a launch, steps of a march at most, and launches that count apart (chosen, not measured).
inline constexpr int lockstep_groups = 4, lockstep_steps = 1088, lockstep_launches = 8;

/// What a launch tells its blocks.
struct LockstepGroups {
  unsigned launch;   ///< which counters are its own, below lockstep_launches
  unsigned together; ///< blocks of a group
  int steps;         ///< of the longest march, at most lockstep_steps; of a march (March.hpp) 0: each block for itself
};

/// `Drift`: planes that a block may be ahead of the last one of its group.
template <int Drift>
class Lockstep;

/// Each block for itself.
template <>
class Lockstep<0> {
public:
  KOKKOS_FUNCTION explicit Lockstep(const LockstepGroups& /*groups*/) {}
  KOKKOS_FUNCTION void keep(int /*step*/, int /*next*/) const {}
  KOKKOS_FUNCTION void leave(int /*own_steps*/) const {}
};

} // namespace Keramos::cuda::stencil
