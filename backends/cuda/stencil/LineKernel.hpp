// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines. A grid is a few microseconds of work at best, and a small one only waits: so all that a thread needs is on its way
// at once, and nothing is computed twice that the host can settle.
#pragma once

#include "LineAcross.hpp"
#include "LineAlong.hpp"
#include "LineSmall.hpp"

namespace Keramos::cuda::stencil {

/// Rows of vectors, or of so many elements a thread.
template <int Radius, int Items, int Columns, class T, class Epilogue>
void launch_line_across(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan,
                        const Epilogue& epilogue)
{
  constexpr int vector = vector_width<T>;
  if (plan.arguments.vectorised)
    launch_kernel<line_across_kernel<T, Radius, Items, vector, true, Epilogue>>(taken, space, plan.shape,
                                                                                plan.arguments, epilogue);
  else
    launch_kernel<line_across_kernel<T, Radius, Items, Columns, false, Epilogue>>(taken, space, plan.shape,
                                                                                  plan.arguments, epilogue);
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_line_of(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan, const Epilogue& epilogue)
{
  if (!plan.along)
    plan.is_large ? launch_line_across<Radius, large_line_items, vector_width<T>>(taken, space, plan, epilogue)
                  : launch_line_across<Radius, small_line_items(Radius), small_line_columns<T>(Radius)>(taken, space,
                                                                                                        plan, epilogue);
  else if (plan.is_large)
    launch_kernel<line_along_kernel<T, Radius, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
  else
    launch_kernel<line_small_kernel<T, Radius, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
}

} // namespace Keramos::cuda::stencil
