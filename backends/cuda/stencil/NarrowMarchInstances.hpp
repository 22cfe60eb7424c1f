// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to the kernel, for the sources that compile these.
#pragma once

#include "Library.hpp"
#include "NarrowMarchKernel.hpp"
#include "NarrowRowsKernel.hpp"
#include "WithRadius.hpp"

namespace Keramos::cuda::stencil::library {

template <class T, class Epilogue>
void launch_narrow_march(const Kernel& taken, const Kokkos::Cuda& space, const NarrowMarchPlan<T>& plan,
                         const Epilogue& epilogue)
{
  if (plan.kind == MarchKind::star)
    return with_radius<max_narrow_radius>(plan.radius, [&](auto radius) {
      launch_narrow_march_of<MarchKind::star, radius.value>(taken, space, plan, epilogue);
    });
  if constexpr (core::only_stores<Epilogue>)
    with_radius<max_narrow_box_radius>(plan.radius, [&](auto radius) {
      if (plan.kind == MarchKind::box)
        launch_narrow_march_of<MarchKind::box, radius.value>(taken, space, plan, epilogue);
      else
        launch_narrow_march_of<MarchKind::sparse, radius.value>(taken, space, plan, epilogue);
    });
}

template <class T, class Epilogue>
void launch_narrow_rows(const Kernel& taken, const Kokkos::Cuda& space, const NarrowRowsPlan<T>& plan,
                        const Epilogue& epilogue)
{
  if (plan.is_star)
    return with_radius<max_narrow_radius>(
        plan.radius, [&](auto radius) { launch_narrow_rows_of<true, radius.value>(taken, space, plan, epilogue); });
  if constexpr (core::only_stores<Epilogue>)
    with_radius<max_box_radius>(
        plan.radius, [&](auto radius) { launch_narrow_rows_of<false, radius.value>(taken, space, plan, epilogue); });
}

} // namespace Keramos::cuda::stencil::library
