// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning asks about a stencil call, without the types of its taps and of its epilogue: so planning is compiled once,
// in the library, and a user's translation unit compiles kernels alone.
#pragma once

#include "../../../src/keramos/stencil/BoundEpilogue.hpp"
#include "../../../src/keramos/stencil/IndexedEpilogue.hpp"
#include "../../../src/keramos/stencil/Problem.hpp"
#include "../Device.hpp"
#include "../Memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace Keramos::cuda::stencil {

/// References into the problem and the epilogue, which must outlive it.
template <class T>
struct StencilRequest {
  const Device& device;
  Shape shape;
  int rank, radius;
  int taps;
  const T* weight;                     ///< of each tap
  const Kokkos::Array<int, 3>* offset; ///< of each tap, in the order of the problem's axes
  bool taps_follow_axes;
  const core::Field<const T, 3>& in;
  const core::Field<T, 3>& out;
  const core::ProblemAxes<T>& axes;
  const core::Index3 &begin, &end;
  const core::EpilogueOperand<T>* operand; ///< of the epilogue, in the order of the problem's axes
  int operands;
  bool only_stores; ///< no epilogue
};

template <class T, int Capacity, class Epilogue>
StencilRequest<T> request_of(const Device& device, const core::StencilProblem<T, Capacity>& problem,
                             const Epilogue& epilogue)
{
  const auto& call = problem.call;
  const auto& taps = problem.taps;
  const core::EpilogueOperand<T>* operand = nullptr;
  if constexpr (Epilogue::operands > 0) operand = &epilogue.operand[0];
  return {device,      call.shape,  call.rank,          call.radius,
          taps.count,  taps.weight, taps.offset,        problem.taps_follow_axes,
          problem.in,  problem.out, problem.axes,       problem.begin,
          problem.end, operand,     Epilogue::operands, core::only_stores<Epilogue>};
}

/// To compute, along an axis and in all.
template <class T>
std::int64_t points_of(const StencilRequest<T>& request, int p)
{
  return request.end[p] - request.begin[p];
}
template <class T>
std::int64_t points_of(const StencilRequest<T>& request)
{
  std::int64_t points = 1;
  for (int p = 0; p < 3; ++p) points *= std::max<std::int64_t>(points_of(request, p), 0);
  return points;
}

// ---- Rows that allow 16-byte accesses ----------------------------------------------------------------------------------

/// Elements from the last boundary of so many elements, 16 bytes, to element 0, if rows of all planes start alike and are contiguous.
template <class T>
std::optional<int> row_misalignment(const core::Field<T, 3>& field, int width = vector_width<std::remove_const_t<T>>)
{
  if (field.stride[0] != 1) return std::nullopt;
  for (int p = 1; p < 3; ++p)
    if (field.extent[p] > 1 && field.stride[p] % width != 0) return std::nullopt;
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(field.data) / sizeof(T) % width);
}

/// The misalignment that all fields share that a kernel reads and writes at its own points, if they do.
template <class T>
std::optional<int> shared_misalignment(const StencilRequest<T>& request, bool with_operands,
                                       int width = vector_width<T>)
{
  const std::optional<int> result = row_misalignment(request.in, width);
  bool shared = result && row_misalignment(request.out, width) == result;
  for (int n = 0; with_operands && n < request.operands; ++n)
    if (request.operand[n].is_field()) shared = shared && row_misalignment(request.operand[n].field, width) == result;
  return shared ? result : std::nullopt;
}

/// The boundary, of so many elements, at or before a row's point `begin`.
inline std::int64_t aligned_begin(std::int64_t begin, int misalignment, int width)
{
  return begin - (begin + misalignment) % width;
}

// ---- Kernels that see the axes of the problem in another order ---------------------------------------------------------

/// Kernel axis p is problem axis order[p].
using KernelOrder = std::array<int, 3>;

/// The epilogue of a kernel whose axes are in this order.
template <class Epilogue>
Epilogue reordered(Epilogue epilogue, const KernelOrder& order)
{
  for (int n = 0; n < Epilogue::operands; ++n)
    if constexpr (Epilogue::operands > 0) epilogue.operand[n].field = permuted(epilogue.operand[n].field, order);
  if constexpr (core::takes_indices<Epilogue>) {
    const auto position = epilogue.position;
    for (int view_index = 0; view_index < 3; ++view_index)
      for (int p = 0; p < 3; ++p)
        if (order[p] == position[view_index]) epilogue.position[view_index] = p;
  }
  return epilogue;
}

} // namespace Keramos::cuda::stencil
