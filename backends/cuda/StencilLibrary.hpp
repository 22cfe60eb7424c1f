// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stencil kernels that are compiled once, into the library: Store and LeapFrogFields, by type, rank and radius. These
// functions choose among them; StencilInstances.hpp defines them for the sources that instantiate them.
#pragma once

#include "Line.hpp"
#include "Star.hpp"
#include "Tile.hpp"

#include <string>

namespace Keramos::cuda::library {

template <int Rank, class T, class Epilogue>
void launch_star(const std::string& name, const Kokkos::Cuda& space, const StarPlan& plan, const StarProblem<T>& star,
                 const Epilogue& epilogue);

template <class T>
void launch_line(const std::string& name, const Kokkos::Cuda& space, const LinePlan& plan, const LineProblem<T>& line);

template <class T, int Capacity, class Epilogue>
void launch_tile(const std::string& name, const Kokkos::Cuda& space, const TilePlan& plan,
                 const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue);

} // namespace Keramos::cuda::library
