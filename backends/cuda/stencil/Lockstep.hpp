// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that run together march together: the halo that one of them reads is in the L2 while those beside it read the
// same lines. Each block counts the planes that it begins with, in global memory and by all blocks of its group, as many
// as the GPU runs at once, in the order of their numbers; it begins with no plane before all of them have begun with the
// one some planes before.
//
// All of it only saves time. Whatever the counters hold, a block waits a bounded time, once, and then marches by itself:
// so it does where others of its group cannot run, because another stream's kernel has their multiprocessors, and where
// two launches count in the same place. The last block of a group leaves zeros, so that nothing is to be set before a
// launch and a graph may launch the kernel again. Only relaxed forms: others would wait for the stores of the warp.
#pragma once

#include "LockstepGroups.hpp"

#include <atomic>

namespace Keramos::cuda::stencil {

struct LockstepCounters {
  unsigned begun[lockstep_groups][lockstep_steps]; ///< blocks, by the step of their march
  unsigned done[lockstep_groups];                  ///< blocks
};

/// Of each GPU, for the kernels of each source that compiles some.
static __device__ LockstepCounters lockstep_counters[lockstep_launches];
/// Launches of these kernels: each takes the counters behind those of the one before.
static std::atomic<unsigned> lockstep_launched{0};
[[maybe_unused]] static unsigned next_lockstep_launch()
{
  return lockstep_launched.fetch_add(1, std::memory_order_relaxed) % lockstep_launches;
}

/// A block's part, of one warp, all lanes together.
template <int Drift>
class Lockstep {
public:
  __device__ explicit Lockstep(const LockstepGroups& the_groups)
      : groups(the_groups), members(min(groups.together, gridDim.x - group() * groups.together)),
        begun(lockstep_counters[groups.launch].begun[group() % lockstep_groups])
  {
  }

  /// Before a step begins; the warp's next one is `next`. What the others have begun with was asked for a step before: as a rule nobody
  /// waits for the answer.
  __device__ void keep(int step, int next)
  {
    if (threadIdx.x % 32 == 0) count(begun + step);
    if (!waits) return;
    if (step >= Drift && seen < members) waits = wait_for_others(begun + step - Drift, members);
    if (next >= Drift) seen = look(begun + next - Drift);
  }

  /// After the block's last step.
  __device__ void leave(int own_steps) const
  {
    leave(begun, lockstep_counters[groups.launch].done + group() % lockstep_groups, members, own_steps, groups.steps);
  }

private:
  static constexpr int patience = 200; ///< look-ups, each of half a microsecond or more

  __device__ unsigned group() const { return blockIdx.x / groups.together; }
  __device__ static void count(unsigned* counter)
  {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
  }
  __device__ static unsigned look(const unsigned* counter)
  {
    unsigned blocks;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(blocks) : "l"(counter) : "memory");
    return blocks;
  }

  // Rare, and so out of line; by value, for what has an address leaves the registers, and with it nobody waits for an answer in vain.

  /// False: in vain.
  __device__ __noinline__ static bool wait_for_others(const unsigned* counter, unsigned members)
  {
    for (int turn = 0; turn < patience; ++turn)
      if (look(counter) >= members) return true;
    return false;
  }
  __device__ __noinline__ static void leave(unsigned* begun, unsigned* done, unsigned members, int own_steps, int steps)
  {
    const int lane = threadIdx.x % 32;
    for (int step = own_steps + lane; step < steps; step += 32) count(begun + step); // others may march longer
    unsigned is_last = 0;
    if (lane == 0) is_last = atomicInc(done, members - 1) >= members - 1;
    if (__shfl_sync(~0u, is_last, 0) == 0) return;
    for (int step = lane; step < steps; step += 32) begun[step] = 0;
  }

  const LockstepGroups& groups;
  unsigned members, seen = 0;
  unsigned* begun;
  bool waits = true;
};

} // namespace Keramos::cuda::stencil
