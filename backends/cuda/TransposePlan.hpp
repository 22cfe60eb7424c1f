// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel a transpose takes, and with what parameters. Element types are erased here: the plain kernels know a size,
// and Transpose.hpp knows the user's functor.
#pragma once

#include "Device.hpp"
#include "TransposeJobs.hpp"

#include <optional>
#include <string>
#include <variant>

namespace Keramos::cuda {

enum class MoveKind {
  tile_vector,       ///< 16 bytes a lane on both sides
  tile_vector_small, ///< the same for few tiles, or tiles that would be part empty
  tile_shifted,      ///< the same where the sides do not lie on 16 bytes
  tile,              ///< an element a lane, any strides
  copy,              ///< the fast axis is one on both sides, element by element
  copy_rows,         ///< the same where rows are contiguous, 16 bytes a lane
  narrow,            ///< points of few components, by shuffles
  box                ///< short axes on either side
};

struct MovePlan {
  MoveKind kind = MoveKind::copy;
  int size = 0; ///< bytes of an element, larger than the user's where neighbours always travel together
  unsigned blocks = 0;
  int shared_bytes = 0;
  int components = 0, chunk_bytes = 0; ///< narrow
  bool to_planes = false;              ///< narrow
  std::variant<BoxJob, TileJob, NarrowJob> job;
  std::string variant;
};

struct SwapPlan {
  bool vector = false;
  int size = 0;
  unsigned blocks = 0;
  SwapJob job{};
  std::string variant;
};

/// A plain move of elements of `size` bytes. None: more blocks than a grid has.
std::optional<MovePlan> plan_move(const Device& device, const core::MoveAxes& axes, int size, const void* in,
                                  const void* out);
/// With a functor between an input and an output of these sizes: kinds tile, copy and box.
std::optional<MovePlan> plan_functor_move(const Device& device, const core::MoveAxes& axes, int in_size, int out_size);

/// In place. Small matrices come several to a box, which is read before it is written; others are swaps.
using InPlacePlan = std::variant<MovePlan, SwapPlan>;
std::optional<InPlacePlan> plan_in_place(const Device& device, std::int64_t order, std::int64_t fast, std::int64_t slow,
                                         const core::MoveAxes& stack, int size, const void* data, bool functor);

/// Plain moves, compiled once in the library. `name` labels the launch.
void run_move(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out);
void run_swap(const SwapPlan& plan, const std::string& name, const Kokkos::Cuda& space, void* data);

/// Calls f with std::integral_constant<int, size>.
template <class F>
void with_size(int size, const F& f)
{
  switch (size) {
  case 1:
    return f(std::integral_constant<int, 1>());
  case 2:
    return f(std::integral_constant<int, 2>());
  case 4:
    return f(std::integral_constant<int, 4>());
  case 8:
    return f(std::integral_constant<int, 8>());
  default:
    return f(std::integral_constant<int, 16>());
  }
}

} // namespace Keramos::cuda
