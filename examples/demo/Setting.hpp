// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the demo computes and in what kind of Views: decided here once.
#pragma once

#include "Plane.hpp"
#include "Volume.hpp"

#include <Keramos_Stencil.hpp>
#include <Kokkos_Core.hpp>

#include <optional>
#include <string>

namespace demo {

using Space = Kokkos::DefaultExecutionSpace;

/// The execution space instance of every call, with the backend that --backend asked for; none leaves the choice to
/// Keramos.
using Where = decltype(Keramos::with_backend(Space(), std::optional<Keramos::Backend>()));

using View1D = Kokkos::View<float*, Kokkos::LayoutRight, Space>;
using View2D = Kokkos::View<float**, Kokkos::LayoutRight, Space>;
using View3D = Kokkos::View<float***, Kokkos::LayoutRight, Space>;

/// Copies between the host's containers and Views; each waits until the data is there.
View3D to_device(const Space& space, const std::string& label, const Volume& volume);
Volume to_host(const Space& space, const View3D& view);
Plane to_host(const Space& space, const View2D& view);

} // namespace demo
