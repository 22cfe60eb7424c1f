// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Setting.hpp"

namespace demo {
namespace {

template <class Data>
using HostView = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

}

View3D to_device(const Space& space, const std::string& label, const Volume& volume)
{
  const auto [n0, n1, n2] = volume.extent;
  View3D view(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), n0, n1, n2);
  Kokkos::deep_copy(space, view, HostView<const float***>(volume.value.data(), n0, n1, n2));
  space.fence();
  return view;
}

Volume to_host(const Space& space, const View3D& view)
{
  Volume volume({view.extent(0), view.extent(1), view.extent(2)});
  Kokkos::deep_copy(space, HostView<float***>(volume.value.data(), view.extent(0), view.extent(1), view.extent(2)),
                    view);
  space.fence();
  return volume;
}

Plane to_host(const Space& space, const View2D& view)
{
  Plane plane{view.extent(0), view.extent(1), std::vector<float>(view.size())};
  Kokkos::deep_copy(space, HostView<float**>(plane.value.data(), view.extent(0), view.extent(1)), view);
  space.fence();
  return plane;
}

} // namespace demo
