// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of a gather-sum, as targets or as the positions of sources, checked.
#pragma once

#include "../core/Views.hpp"
#include "Arguments.hpp"
#include "Points.hpp"
#include "Requirements.hpp"

#include <array>
#include <cstdint>
#include <tuple>

namespace Keramos::core {

/// What errors call them.
struct PointNames {
  const char* rows;
  std::array<const char*, 3> coordinates;
};
inline constexpr PointNames target_names{"targets", {"targets.x", "targets.y", "targets.z"}};
inline constexpr PointNames source_names{"sources.positions", {"sources.x", "sources.y", "sources.z"}};

/// f(name, field) for every View that holds coordinates.
template <KokkosView Rows, class F>
void for_each_field(const PointNames& names, const Rows& rows, const F& f)
{
  f(names.rows, read_only(field_of(rows)));
}
template <class... Views, class F>
void for_each_field(const PointNames& names, const Points<Views...>& points, const F& f)
{
  const char* const* name = names.coordinates.data();
  std::apply([&](const auto&... views) { (f(*name++, read_only(field_of(views))), ...); }, points.coordinates);
}

/// An array of no points, of as many coordinates as what comes with it: in GatherPoints a dimension of 0, until that is known.
template <class T>
bool was_never_allocated(const Field<const T, 2>& rows)
{
  return rows.extent[0] == 0 && rows.extent[1] == 0;
}

template <class Space, class T, KokkosView Rows>
GatherPoints<T> check_points(const PointNames& names, const Rows& rows)
{
  require_gather_view<Space, T, 2, Rows>();
  const Field<const T, 2> field = read_only(field_of(rows));
  if (was_never_allocated(field)) return {};
  const std::int64_t columns = field.extent[1];
  if (columns != 2 && columns != 3) fail("gather_sum", names.rows, "2 or 3 coordinates a point", text(columns));
  return points_of(field, static_cast<int>(columns));
}
template <class Space, class T, class... Views>
GatherPoints<T> check_points(const PointNames& names, const Points<Views...>& points)
{
  (require_gather_view<Space, T, 1, Views>(), ...);
  GatherPoints<T> result;
  for_each_field(names, points, [&](const char* name, const Field<const T, 1>& values) {
    if (result.dimension > 0) check_extents("gather_sum", name, std::array{result.count}, values.extent);
    result.append(values);
  });
  return result;
}

} // namespace Keramos::core
