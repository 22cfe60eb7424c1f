// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hopper's bulk copies (sm_90 and later): one thread moves a whole row from global to shared memory, and a barrier in shared
// memory counts the bytes that have come. A barrier completes a phase when as many threads have arrived as it was
// made for and all bytes are there that were announced to it; phases alternate in parity, beginning with 0.
//
// Places in shared memory are addresses of 32 bits here: from pointers the compiler finds them anew at every use, which in a
// loop with two warps per scheduler is time that nothing hides.
#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Keramos::cuda {

using SharedAddress = unsigned;

/// Bytes of a barrier.
inline constexpr int barrier_bytes = 8;

/// Kept in a register from here on.
__device__ inline SharedAddress shared_address(const void* pointer)
{
  SharedAddress result;
  asm volatile("mov.u32 %0, %1;" : "=r"(result) : "r"(static_cast<unsigned>(__cvta_generic_to_shared(pointer))));
  return result;
}

/// The same address, of which the compiler does not know what it is: what lies beside it has no register of its own.
__device__ inline SharedAddress base_address(SharedAddress address)
{
  asm volatile("" : "+r"(address));
  return address;
}

__device__ inline void init_barrier(SharedAddress barrier, unsigned arrivals)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// After init_barrier(), before the block's barrier that lets other threads and copies use it.
__device__ inline void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

/// What this thread, and those that it has met at a barrier, wrote and read before is seen by whoever waits.
__device__ inline void arrive(SharedAddress barrier)
{
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/// Waits for the end of the phase of this parity, the last or the current one.
__device__ inline void wait_for_phase(SharedAddress barrier, unsigned parity)
{
  unsigned done;
  do
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  while (!done);
}

/// Announces so many bytes to the barrier and starts their copy; all of it aligned to 16 bytes.
__device__ inline void copy_bulk(SharedAddress to, const void* from_global, unsigned bytes, SharedAddress barrier)
{
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from_global), "r"(bytes), "r"(barrier)
               : "memory");
}

/// Asks for so many bytes in the L2, all of it aligned to 16 bytes.
__device__ inline void ask_for_bulk(const void* from_global, unsigned bytes)
{
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from_global), "r"(bytes) : "memory");
}

/// Starts the copy of so many bytes back to memory, all of it aligned to 16 bytes. The thread waits for it by wait_for_stores().
__device__ inline void store_bulk(void* to_global, SharedAddress from, unsigned bytes)
{
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to_global), "r"(from), "r"(bytes)
               : "memory");
}
/// After those of a plane.
__device__ inline void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Until the places that they come from may be written again, but for those of the last `Pending` planes.
template <int Pending = 0>
__device__ inline void wait_for_stores()
{
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

/// Starts the copy of an element, which no barrier counts by itself.
template <class T>
__device__ inline void copy_element(SharedAddress to, const T* from_global)
{
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from_global), "n"(sizeof(T)) : "memory");
}

/// Starts the copy of 16 bytes, both sides aligned to it, which no barrier counts by itself.
__device__ inline void copy_vector(SharedAddress to, const void* from_global)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from_global) : "memory");
}
/// The same, or zeros.
__device__ inline void copy_vector(SharedAddress to, const void* from_global, bool is_there)
{
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from_global), "r"(is_there ? 16 : 0)
               : "memory");
}
/// The same of the first `bytes`, of which there may be none; zeros follow them. The rest of the line comes to the L2: where rows are no
/// whole lines, others want it soon (H200, the wave update in place on dense rows of 1000 points: 80% of the copy without, 94% so).
__device__ inline void copy_vector_of_line(SharedAddress to, const void* from_global, int bytes)
{
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from_global), "r"(bytes)
               : "memory");
}

/// Arrives when the elements have come whose copies this thread has started.
__device__ inline void arrive_after_copies(SharedAddress barrier)
{
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

/// What this thread wrote to shared memory comes before bulk copies to there, of whoever learns of it.
__device__ inline void order_before_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ inline std::int64_t load_shared(SharedAddress from)
{
  std::int64_t value;
  asm volatile("ld.shared.b64 %0, [%1];" : "=l"(value) : "r"(from) : "memory");
  return value;
}
__device__ inline void load_shared(float& to, SharedAddress from)
{
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(to) : "r"(from) : "memory");
}
__device__ inline void load_shared(double& to, SharedAddress from)
{
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(to) : "r"(from) : "memory");
}
__device__ inline void load_shared(float (&to)[2], SharedAddress from)
{
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[0]), "=f"(to[1]) : "r"(from) : "memory");
}
__device__ inline void load_shared(float (&to)[4], SharedAddress from)
{
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "r"(from)
               : "memory");
}
__device__ inline void load_shared(double (&to)[2], SharedAddress from)
{
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "r"(from) : "memory");
}
__device__ inline void store_shared(SharedAddress to, float value)
{
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");
}
__device__ inline void store_shared(SharedAddress to, double value)
{
  asm volatile("st.shared.f64 [%0], %1;" ::"r"(to), "d"(value) : "memory");
}

__device__ inline void store_shared(SharedAddress to, const float (&value)[4])
{
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(value[0]), "f"(value[1]), "f"(value[2]),
               "f"(value[3])
               : "memory");
}
__device__ inline void store_shared(SharedAddress to, const double (&value)[2])
{
  asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(to), "d"(value[0]), "d"(value[1]) : "memory");
}

} // namespace Keramos::cuda
