// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines along the slowest axis of large grids whose rows begin anywhere: what the host decides. The kernel (LineMarchKernel.hpp) sees
// planes of contiguous elements, whatever rows they are made of, with zeros before the first one and behind the last.
#pragma once

#include "LineBulk.hpp"

namespace Keramos::cuda::stencil {

/// What the kernel is told. Elements and planes count from the first point to compute on.
template <class T>
struct LineMarchArguments {
  const T* in;
  T* out;
  std::int64_t in_step, out_step; ///< between planes
  std::int64_t points;            ///< of a plane
  int width;                      ///< points of it of a block
  int planes, chunk;              ///< to compute; by a block
  int valid_begin, valid_end;     ///< planes that are read
  LineMarchWeights<T> weights;
};

/// How a line runs.
template <class T>
struct LineMarchPlan {
  int radius;
  LaunchShape shape;
  LineMarchArguments<T> arguments;
  core::Text variant; ///< "line<3,4> march 1000x509"
};

/// A block's threads, and its shared memory: barriers, planes on their way, outputs.
template <class T>
struct LineMarchTile {
  static constexpr LineMarchShape shape = line_march_shape<T>;
  static constexpr int threads = 32 * (shape.warps + 1), points = 32 * shape.warps * shape.points,
                       row_bytes = points * static_cast<int>(sizeof(T)) + 16; ///< wherever a row begins
  static constexpr int barriers = 2 * shape.planes + shape.outputs, planes_at = (8 * barriers + 15) / 16 * 16,
                       bytes = planes_at + (shape.planes + shape.outputs) * row_bytes;
};

/// Empty if the call is no line along the slowest axis of a large grid, if planes are few, small or not contiguous, if their rows all lie
/// alike on `line_march_boundary`, or if rules want something else than zeros.
template <class T>
std::optional<LineMarchPlan<T>> choose_line_march(const StencilRequest<T>& request);

extern template std::optional<LineMarchPlan<float>> choose_line_march(const StencilRequest<float>&);
extern template std::optional<LineMarchPlan<double>> choose_line_march(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
