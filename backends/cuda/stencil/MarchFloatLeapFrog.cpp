// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Library.hpp"
#include "MarchChoice.hpp"
#include "MarchFunctor.hpp"

namespace Keramos::cuda::stencil::library {

template <class Epilogue>
void launch_march_epilogue(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<float>& plan,
                           const Epilogue& epilogue)
{
  launch_march_functor_of<march_epilogue_radius, functor_pairs>(taken, space, plan, epilogue);
}

template void launch_march_epilogue(const Kernel&, const Kokkos::Cuda&, const MarchPlan<float>&,
                                    const core::LeapFrogEpilogue<float>&);

} // namespace Keramos::cuda::stencil::library
