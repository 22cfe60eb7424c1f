// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stencil kernels that are compiled once, into the library: those of the epilogues whose form is EveryForm, by type,
// rank and radius. These functions choose among them; Instances.hpp defines them for the sources that instantiate them.
#pragma once

#include "Direct.hpp"
#include "Line.hpp"
#include "LineMarch.hpp"
#include "LineSlab.hpp"
#include "March.hpp"
#include "NarrowMarch.hpp"
#include "NarrowRows.hpp"
#include "Plane.hpp"
#include "SmallStar.hpp"
#include "Star.hpp"
#include "StridedStar.hpp"
#include "TensorStar.hpp"
#include "Tile.hpp"

namespace Keramos::cuda::stencil::library {

template <int Rank, class T, class Epilogue>
void launch_star(const Kernel& taken, const Kokkos::Cuda& space, const StarPlan<T>& plan, const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_tensor_star(const Kernel& taken, const Kokkos::Cuda& space, const TensorStarPlan<T>& plan,
                        const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_direct(const Kernel& taken, const Kokkos::Cuda& space, const DirectPlan<T>& plan, const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_small_star(const Kernel& taken, const Kokkos::Cuda& space, const SmallStarPlan<T>& plan,
                       const Epilogue& epilogue);

template <class T>
void launch_strided_star(const Kernel& taken, const Kokkos::Cuda& space, const StridedStarPlan<T>& plan);

template <class T>
void launch_march(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan);

template <class T, class Epilogue>
void launch_march_epilogue(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan,
                           const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_narrow_march(const Kernel& taken, const Kokkos::Cuda& space, const NarrowMarchPlan<T>& plan,
                         const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_narrow_rows(const Kernel& taken, const Kokkos::Cuda& space, const NarrowRowsPlan<T>& plan,
                        const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_plane(const Kernel& taken, const Kokkos::Cuda& space, const PlanePlan<T>& plan, const Epilogue& epilogue);

template <class T, class Epilogue>
void launch_line(const Kernel& taken, const Kokkos::Cuda& space, const LinePlan<T>& plan, const Epilogue& epilogue);

template <class T>
void launch_line_march(const Kernel& taken, const Kokkos::Cuda& space, const LineMarchPlan<T>& plan);

template <class T>
void launch_line_slab(const Kernel& taken, const Kokkos::Cuda& space, const LineSlabPlan<T>& plan);

template <class T, int Capacity, class Epilogue>
void launch_tile(const Kernel& taken, const Kokkos::Cuda& space, const TilePlan<T, Capacity>& plan,
                 const Epilogue& epilogue);

} // namespace Keramos::cuda::stencil::library
