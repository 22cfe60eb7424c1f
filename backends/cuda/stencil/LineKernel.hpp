// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines. A grid is a few microseconds of work at best, and a small one only waits: so all that a thread needs is on its way
// at once, and nothing is computed twice that the host can settle.
#pragma once

#include "LineAcross.hpp"
#include "LineAlong.hpp"

namespace Keramos::cuda::stencil {

template <int Radius, int Items, class T, class Epilogue>
void launch_line_across(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan,
                        const Epilogue& epilogue)
{
  if (plan.vectorised)
    launch_kernel<line_across_kernel<T, Radius, Items, true, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                        epilogue);
  else
    launch_kernel<line_across_kernel<T, Radius, Items, false, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                         epilogue);
}

/// The plan's radius is this.
template <int Radius, class T, class Epilogue>
void launch_line_of(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan, const Epilogue& epilogue)
{
  if (plan.along && plan.vectorised)
    launch_kernel<line_along_kernel<T, Radius, vector_width<T>, Epilogue>>(taken, space, plan.shape, plan.arguments,
                                                                           epilogue);
  else if (plan.along)
    launch_kernel<line_along_kernel<T, Radius, 1, Epilogue>>(taken, space, plan.shape, plan.arguments, epilogue);
  else if (plan.items == max_line_items)
    launch_line_across<Radius, max_line_items>(taken, space, plan, epilogue);
  else if constexpr (min_line_items(Radius) < max_line_items)
    launch_line_across<Radius, min_line_items(Radius)>(taken, space, plan, epilogue);
}

} // namespace Keramos::cuda::stencil
