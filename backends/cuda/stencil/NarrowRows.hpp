// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars and small boxes over two axes whose rows are short: what the host decides. The kernel (NarrowRowsKernel.hpp) sees the axes as x (fastest) and y.
#pragma once

#include "NarrowMarch.hpp"
#include "Tile.hpp"

#include <optional>
#include <variant>

namespace Keramos::cuda::stencil {

/// How it runs.
template <class T>
struct NarrowRowsPlan {
  bool is_star;
  int radius;
  LaunchShape shape;
  NarrowMarchArguments<T> arguments; ///< a chunk has tiles, one below the other
  std::variant<StarWeights<T>, BoxWeights<T, 2, 1>, BoxWeights<T, 2, 2>> weights;
  core::Text variant; ///< "star<2,4> narrow 33x44"
};

/// Empty if the call is no star of radius 1 to max_narrow_radius nor a box of radius 1 or 2, if what lies beyond the field of such a box is several
/// values, if a tile of the input has too many bytes for 32 bits or if there would be too many blocks.
template <class T>
std::optional<NarrowRowsPlan<T>> plan_narrow_rows(const StencilRequest<T>& request);

/// Where it is expected to be faster than the other kernels.
template <class T>
std::optional<NarrowRowsPlan<T>> choose_narrow_rows(const StencilRequest<T>& request);

extern template std::optional<NarrowRowsPlan<float>> plan_narrow_rows(const StencilRequest<float>&);
extern template std::optional<NarrowRowsPlan<double>> plan_narrow_rows(const StencilRequest<double>&);
extern template std::optional<NarrowRowsPlan<float>> choose_narrow_rows(const StencilRequest<float>&);
extern template std::optional<NarrowRowsPlan<double>> choose_narrow_rows(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
