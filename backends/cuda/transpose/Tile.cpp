// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Launch.hpp"
#include "Matrices.hpp"
#include "Run.hpp"
#include "TileJoined.hpp"
#include "TileSectors.hpp"
#include "TileSmall.hpp"
#include "TileVector.hpp"
#include "Tuning.hpp"

namespace Keramos::cuda::transpose {

void run_tile(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    using Shape = ElementTile<size>;
    launch_kernel<tile_kernel<Shape, T, T, core::Move>>(taken, space, {plan.blocks, Shape::threads},
                                                        static_cast<const T*>(in), static_cast<T*>(out),
                                                        std::get<TileJob>(plan.job), core::Move());
  });
}

void run_tile_vector(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    const auto run = [&]<class Shape>(Shape) {
      constexpr bool begins_early = true;
      constexpr unsigned bytes = tile_vector_bytes<size, Shape>;
      launch_kernel<tile_vector_kernel<size, Shape>>(taken, space, {plan.blocks, Shape::threads, bytes, begins_early},
                                                     static_cast<const T*>(in), static_cast<T*>(out),
                                                     std::get<TileJob>(plan.job));
    };
    if constexpr (!std::is_void_v<SmallVectorTile<size>>)
      if (plan.kind == MoveKind::tile_vector_small) return run(SmallVectorTile<size>());
    if constexpr (!std::is_void_v<WideVectorTile<size>>)
      if (plan.kind == MoveKind::tile_vector_wide) return run(WideVectorTile<size>());
    run(VectorTile<size>());
  });
}

void run_tile_unaligned(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    if constexpr (!std::is_void_v<UnalignedTile<size>>) {
      using Shape = UnalignedTile<size>;
      constexpr unsigned shared_bytes = SectorMemory<size, Shape>::bytes;
      launch_kernel<tile_sectors_kernel<Shape, T, T, core::Move>>(
          taken, space, {plan.blocks, Shape::threads, shared_bytes, plan.reads_early}, static_cast<const T*>(in),
          static_cast<T*>(out), std::get<TileJob>(plan.job), core::Move());
    }
  });
}

void run_tile_joined(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  using T = Word<joined_tile_size>;
  launch_kernel<tile_joined_kernel<joined_tile_size>>(
      taken, space, {plan.blocks, plan.threads, static_cast<unsigned>(plan.shared_bytes)}, static_cast<const T*>(in),
      static_cast<T*>(out), std::get<JoinedTileJob>(plan.job));
}

void run_matrices(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    if constexpr (size <= max_matrices_size)
      launch_kernel<matrices_kernel<size>>(
          taken, space, {plan.blocks, matrices_threads, static_cast<unsigned>(plan.shared_bytes)},
          static_cast<const T*>(in), static_cast<T*>(out), std::get<MatricesJob>(plan.job));
  });
}

void run_tile_small(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    using T = Word<size>;
    using Shape = SmallTile<size>;
    constexpr bool begins_early = true;
    if constexpr (!std::is_void_v<Shape>)
      launch_kernel<tile_small_kernel<size, Shape>>(taken, space, {plan.blocks, Shape::threads, 0, begins_early},
                                                    static_cast<const T*>(in), static_cast<T*>(out),
                                                    std::get<TileJob>(plan.job));
  });
}

} // namespace Keramos::cuda::transpose
