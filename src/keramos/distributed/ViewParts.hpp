// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a View whose last extent may count components: a box of its points, or one component at all of them.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace Keramos::core {

/// The last index of View<double***[3]> counts components, those of View<double***> stand for points.
template <class View>
inline constexpr bool has_components = View::rank_dynamic >= 1 && View::rank == View::rank_dynamic + 1;

/// The box of a View that begins at an index, all components.
template <class View, std::size_t Rank>
auto part_of_view(const View& view, const std::array<std::int64_t, Rank>& begin,
                  const std::array<std::int64_t, Rank>& extent)
{
  const auto range = [&](std::size_t axis) {
    return Kokkos::pair<std::size_t, std::size_t>(static_cast<std::size_t>(begin[axis]),
                                                  static_cast<std::size_t>(begin[axis] + extent[axis]));
  };
  return [&]<std::size_t... axis>(std::index_sequence<axis...>)
  {
    if constexpr (View::rank == Rank)
      return Kokkos::subview(view, range(axis)...);
    else
      return Kokkos::subview(view, range(axis)..., Kokkos::ALL);
  }
  (std::make_index_sequence<Rank>());
}

/// One component at all points.
template <class View>
auto component_of_view(const View& view, std::size_t component)
{
  return [&]<std::size_t... axis>(std::index_sequence<axis...>)
  {
    return Kokkos::subview(view, ((void)axis, Kokkos::ALL)..., component);
  }
  (std::make_index_sequence<View::rank - 1>());
}

} // namespace Keramos::core
