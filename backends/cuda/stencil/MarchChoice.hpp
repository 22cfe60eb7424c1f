// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which shape of a march with partial sums takes a call, if one is expected to be faster than the kernels that take it otherwise.
#pragma once

#include "March.hpp"

namespace Keramos::cuda::stencil {

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

extern template std::optional<MarchPlan<float>> choose_march(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march(const StencilRequest<double>&);
extern template std::optional<MarchPlan<float>> choose_march_functor(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march_functor(const StencilRequest<double>&);
extern template std::optional<MarchPlan<float>> choose_march_epilogue(const StencilRequest<float>&);
extern template std::optional<MarchPlan<double>> choose_march_epilogue(const StencilRequest<double>&);

} // namespace Keramos::cuda::stencil
