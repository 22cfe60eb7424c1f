// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of the stencil benchmarks, and the check of an output against the reference backend.
#pragma once

#include "Arrays.hpp"
#include "Harness.hpp"

#include <Keramos_Stencil.hpp>

#include <sstream>

namespace perf {

template <class T, int Rank>
struct ArrayOf;
template <class T>
struct ArrayOf<T, 2> {
  using type = Kokkos::View<T**, Kokkos::LayoutRight, Space>;
};
template <class T>
struct ArrayOf<T, 3> {
  using type = Kokkos::View<T***, Kokkos::LayoutRight, Space>;
};
template <class T, int Rank>
using Array = typename ArrayOf<T, Rank>::type;

template <int Rank>
using Point = std::array<std::int64_t, Rank>;

/// Points at each end of an axis that are not written.
template <int Rank>
using Margin = std::array<int, Rank>;

template <class View, class Index, std::size_t Rank>
auto& at(const View& view, const std::array<Index, Rank>& point)
{
  return std::apply(
      [&](auto... index) -> auto& { return view(index...); }, point);
}

/// One of three components that are interleaved.
template <class T>
using Component = Kokkos::Subview<Kokkos::View<T*** [3], Kokkos::LayoutRight, Space>, Kokkos::ALL_t, Kokkos::ALL_t,
                                  Kokkos::ALL_t, int>;

template <class T>
Component<T> make_component(const char* label, int side)
{
  const auto all = large_array<Kokkos::View<T*** [3], Kokkos::LayoutRight, Space>>(label, side, side, side);
  return Kokkos::subview(all, Kokkos::ALL, Kokkos::ALL, Kokkos::ALL, 1);
}

/// Cubes of one side: in, out and what the reference makes of a few boxes, whose other pages are never touched.
template <class T, int Rank, class In = Array<T, Rank>>
struct Fields {
  In in;
  Array<T, Rank> out, expected, previous, scale;
};

template <class T, int Rank, class In = Array<T, Rank>>
Fields<T, Rank, In> make_fields(int side)
{
  const auto array = [=](const char* label) {
    if constexpr (Rank == 3)
      return large_array<Array<T, 3>>(label, side, side, side);
    else
      return large_array<Array<T, 2>>(label, side, side);
  };
  const auto in = [=] {
    if constexpr (std::is_same_v<In, Array<T, Rank>>)
      return array("in");
    else
      return make_component<T>("in", side);
  };
  const Fields<T, Rank, In> fields{in(), array("out"), array("expected"), array("previous"), array("scale")};
  fill_random(fields.in, 1);
  fill_random(fields.previous, 2);
  fill_random(fields.scale, 3);
  return fields;
}

/// Boxes at the low end, in the middle and at the high end of each axis.
template <int Rank>
std::vector<Keramos::Region<Rank>> sample_boxes(int side)
{
  constexpr int width = 13, places = 5;
  int boxes = 1;
  for (int axis = 0; axis < Rank; ++axis) boxes *= places;
  std::vector<Keramos::Region<Rank>> result;
  for (int box = 0; box < boxes; ++box) {
    Point<Rank> begin, end;
    for (int axis = 0, rest = box; axis < Rank; ++axis, rest /= places) {
      begin[axis] = std::int64_t{side - width} * (rest % places) / (places - 1);
      end[axis] = begin[axis] + width;
    }
    result.emplace_back(begin, end);
  }
  return result;
}

template <int Rank, class Visit>
void for_each_point(const Keramos::Region<Rank>& region, const Visit& visit)
{
  for (Point<Rank> point = region.begin; point[0] < region.end[0];) {
    visit(point);
    for (int axis = Rank - 1;; --axis) {
      if (++point[axis] < region.end[axis] || axis == 0) break;
      point[axis] = region.begin[axis];
    }
  }
}

template <class T>
bool agree(T a, T b, double tolerance)
{
  return (std::isnan(a) && std::isnan(b)) || std::abs(double{a} - double{b}) <= tolerance;
}

/// `compute(exec, out, region)` by the reference in sample boxes; outside of them, that every point was written.
template <class T, int Rank, class In, class Compute>
std::string compare(const Fields<T, Rank, In>& fields, const std::type_identity_t<Margin<Rank>>& margin,
                    double tolerance, const Compute& compute)
{
  const auto reference = Keramos::with_backend(Space(), Keramos::Backend::reference);
  const int side = fields.in.extent_int(0);
  std::ostringstream mistake;
  for (const auto& box : sample_boxes<Rank>(side)) {
    for_each_point<Rank>(box, [&](const auto& point) { at(fields.expected, point) = std::nan(""); });
    compute(reference, fields.expected, box);
    Space().fence();
    for_each_point<Rank>(box, [&](const auto& point) {
      const T got = at(fields.out, point), expected = at(fields.expected, point);
      if (agree(got, expected, tolerance) || mistake.tellp() > 0) return;
      mistake << "at (";
      for (const auto index : point) mistake << index << ' ';
      mistake << ") expected " << expected << ", got " << got;
    });
  }
  const T* const out = fields.out.data();
  std::int64_t unwritten = 0, inner = 1, all = 1;
  Kokkos::parallel_reduce(
      "perf::unwritten", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, fields.out.span()),
      [=](std::int64_t n, std::int64_t& count) { count += std::isnan(out[n]) ? 1 : 0; }, unwritten);
  for (int axis = 0; axis < Rank; ++axis) {
    inner *= side - 2 * margin[axis];
    all *= side;
  }
  if (unwritten != all - inner) mistake << unwritten << " points unwritten, not " << all - inner;
  return mistake.str();
}

} // namespace perf
