// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a plan to the march with one of the library's epilogues, for the sources that compile these.
#pragma once

#include "Library.hpp"
#include "MarchChoice.hpp"
#include "MarchFunctor.hpp"

namespace Keramos::cuda::stencil::library {

template <class T, class Epilogue>
void launch_march_epilogue(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan,
                           const Epilogue& epilogue)
{
  launch_march_functor_of<march_epilogue_radius, functor_pairs>(taken, space, plan, epilogue);
}

} // namespace Keramos::cuda::stencil::library
