// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields whose numbers follow from their global indices, so that every rank checks its points without the others.
#pragma once

#include "../Arrays.hpp"
#include "Ranks.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace perf::distributed {

using Volume = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;
using Field = Keramos::Distributed<Volume>;
using Point3 = std::array<std::int64_t, 3>;

/// Random, in [-1, 1).
KOKKOS_INLINE_FUNCTION float number_at(std::uint64_t seed, std::int64_t i, std::int64_t j, std::int64_t k)
{
  return random_number<float>(seed << 60 ^ static_cast<std::uint64_t>(i) << 40 ^ static_cast<std::uint64_t>(j) << 20 ^
                              static_cast<std::uint64_t>(k));
}

/// Half-open, in global indices.
struct Box3 {
  Kokkos::Array<std::int64_t, 3> begin, end;

  Box3(const Point3& from, const Point3& to) : begin{from[0], from[1], from[2]}, end{to[0], to[1], to[2]} {}
  explicit Box3(const Keramos::Subdomain<3>& box) : Box3(box.begin, box.end) {}
  KOKKOS_FUNCTION bool has(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    return i >= begin[0] && i < end[0] && j >= begin[1] && j < end[1] && k >= begin[2] && k < end[2];
  }
};

/// A View and the global point of its first element.
struct Placed {
  Volume view;
  Kokkos::Array<std::int64_t, 3> first;

  Placed(const Volume& the_view, const Point3& at) : view(the_view), first{at[0], at[1], at[2]} {}
  explicit Placed(const Field& field)
      : Placed(field.local(), {field.box().begin[0] - field.halo().low[0], field.box().begin[1] - field.halo().low[1],
                               field.box().begin[2] - field.halo().low[2]})
  {
  }
};

/// For all elements of a View.
inline Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>, Kokkos::IndexType<std::int64_t>> elements(const Volume& view)
{
  return {exec(),
          {0, 0, 0},
          {static_cast<std::int64_t>(view.extent(0)), static_cast<std::int64_t>(view.extent(1)),
           static_cast<std::int64_t>(view.extent(2))}};
}

/// Numbers in a box, NaN elsewhere.
struct Fill {
  Placed field;
  Box3 box;
  std::uint64_t seed;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    const std::int64_t x = field.first[0] + i, y = field.first[1] + j, z = field.first[2] + k;
    field.view(i, j, k) = box.has(x, y, z) ? number_at(seed, x, y, z) : Kokkos::Experimental::quiet_NaN_v<float>;
  }
};

inline void fill(const Placed& field, const Box3& box, std::uint64_t seed)
{
  Kokkos::parallel_for("perf::fill", elements(field.view), Fill{field, box, seed});
}

/// Elements that are not what Fill with this box makes.
struct Unlike {
  Placed field;
  Box3 box;
  std::uint64_t seed;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t& count) const
  {
    const std::int64_t x = field.first[0] + i, y = field.first[1] + j, z = field.first[2] + k;
    const float got = field.view(i, j, k);
    const bool right = box.has(x, y, z) ? got == number_at(seed, x, y, z) : Kokkos::isnan(got);
    if (!right) ++count;
  }
};

inline std::string mistakes_text(std::int64_t count)
{
  return count == 0 ? "" : std::to_string(count) + " wrong elements";
}

inline std::string unlike(const Placed& field, const Box3& box, std::uint64_t seed)
{
  std::int64_t count = 0;
  Kokkos::parallel_reduce("perf::unlike", elements(field.view), Unlike{field, box, seed}, count);
  return mistakes_text(count);
}

/// The same memory as a field of ranks whose messages travel another way.
inline Field field_by(const Way& way, const Volume& view, const Point3& extents, const Keramos::Halo<3>& halo)
{
  return Field(view, Keramos::Partition<3>(Keramos::Cartesian<3>(way.ranks(), {0, 1, 1}), extents), halo);
}

} // namespace perf::distributed
