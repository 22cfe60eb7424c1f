// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to the kernel, for the sources that compile these.
#pragma once

#include "Library.hpp"
#include "NarrowMarchKernel.hpp"
#include "WithRadius.hpp"

namespace Keramos::cuda::stencil::library {

template <class T, class Epilogue>
void launch_narrow_march(const Kernel& taken, const Kokkos::Cuda& space, const NarrowMarchPlan<T>& plan,
                         const Epilogue& epilogue)
{
  with_radius<max_narrow_radius>(
      plan.radius, [&](auto radius) { launch_narrow_march_of<radius.value>(taken, space, plan, epilogue); });
}

} // namespace Keramos::cuda::stencil::library
