// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is summed plane by plane along a march (PartialSums.hpp, MarchBox.hpp): stars, and what lies within a small box, over three axes.
#pragma once

#include "Star.hpp"
#include "Tile.hpp"

#include <optional>
#include <variant>

namespace Keramos::cuda::stencil {

enum class MarchKind { star, box, sparse }; ///< the last has some of a box's taps

/// Taps along z, y and x, in the place where a box has them, and which are there: a bit each, by planes.
template <class T, int Radius>
struct MarchBox : BoxWeights<T, 3, Radius> {
  unsigned present[2 * Radius + 1];
};

/// An operator with its weights as kernels want them.
template <class T>
struct MarchOperator {
  MarchKind kind;
  int radius;
  std::variant<StarWeights<T>, MarchBox<T, 1>, MarchBox<T, 2>> weights;
};

/// Empty if the operator is neither a star nor within a box of radius max_box_radius.
template <class T>
std::optional<MarchOperator<T>> march_operator(const StencilRequest<T>& request);

extern template std::optional<MarchOperator<float>> march_operator(const StencilRequest<float>&);
extern template std::optional<MarchOperator<double>> march_operator(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
