// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which shape of a march with partial sums takes a call, if one is expected to be faster than the kernels that take it otherwise.
#pragma once

#include "March.hpp"
#include "MarchShape.hpp"

namespace Keramos::cuda::stencil {

/// Gpoint/s: what full tiles make, by how full these are. A narrow tile keeps a multiprocessor to itself as a wide one does; of
/// half the warps we saw 0.6 to 0.8 of the speed (radius 1 and 4, H200), and where outputs leave row by row, of 10 of 16 or 17 warps
/// 0.70 to 0.78 (radius 1 and 2, boxes, 13 points, a functor at 301^3, H100), of pairs by three groups, of 5 of 6 0.86 (radius 4, H200).
template <class T>
double expected_rate(const MarchPlan<T>& plan, const MarchShape& shape, bool fast_memory);

/// Of single columns (MarchTuning.hpp) for a star in double, in that measure; 0: they do not serve.
double single_columns_rate(const StencilRequest<double>& request);

/// Of the sums as they are.
template <class T>
std::optional<MarchPlan<T>> choose_march(const StencilRequest<T>& request);

/// Of a star with an application's functor behind it (MarchFunctor.hpp).
template <class T>
std::optional<MarchPlan<T>> choose_march_functor(const StencilRequest<T>& request);

/// Of the library's epilogues with operands, which have one shape, of this radius alone.
inline constexpr int march_epilogue_radius = 4;
template <class T>
std::optional<MarchPlan<T>> choose_march_epilogue(const StencilRequest<T>& request);

extern template double expected_rate(const MarchPlan<float>&, const MarchShape&, bool);
extern template double expected_rate(const MarchPlan<double>&, const MarchShape&, bool);
extern template std::optional<MarchPlan<float>> choose_march(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march(const StencilRequest<double>&);
extern template std::optional<MarchPlan<float>> choose_march_functor(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march_functor(const StencilRequest<double>&);
extern template std::optional<MarchPlan<float>> choose_march_epilogue(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march_epilogue(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
