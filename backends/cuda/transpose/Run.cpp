// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Run.hpp"

namespace Keramos::cuda::transpose {

void run_move(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  switch (plan.kind) {
  case MoveKind::tile_vector:
  case MoveKind::tile_vector_small:
  case MoveKind::tile_vector_wide:
    return run_tile_vector(plan, taken, space, in, out);
  case MoveKind::tile_unaligned:
    return run_tile_unaligned(plan, taken, space, in, out);
  case MoveKind::tile_small:
    return run_tile_small(plan, taken, space, in, out);
  case MoveKind::tile_joined:
    return run_tile_joined(plan, taken, space, in, out);
  case MoveKind::tile:
    return run_tile(plan, taken, space, in, out);
  case MoveKind::matrices:
    return run_matrices(plan, taken, space, in, out);
  case MoveKind::rows:
    return run_rows(plan, taken, space, in, out);
  case MoveKind::narrow:
    return run_narrow(plan, taken, space, in, out);
  case MoveKind::box_rows:
    return run_box_rows(plan, taken, space, in, out);
  case MoveKind::box:
    return run_box(plan, taken, space, in, out);
  }
}

} // namespace Keramos::cuda::transpose
