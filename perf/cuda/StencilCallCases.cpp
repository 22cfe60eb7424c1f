// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of other kinds than those of StencilBenchmark.cpp, on plain LayoutRight Views: one and two axes, large radii, thin
// regions, every edge rule, more than 2^31 elements. The table of cases is at the end.
#include "StencilAnswer.hpp"

namespace perf {
namespace {

using Keramos::EdgeRule;

/// So many points of a View along each axis, from `first` on; one and two axes are the last of three.
struct Box3 {
  Extents3 first, extents;
  double points() const { return double(extents[0]) * double(extents[1]) * double(extents[2]); }
  Keramos::Region<3> region() const
  {
    const auto last = [this](int axis) { return first[axis] + extents[axis]; };
    return {{first[0], first[1], first[2]}, {last(0), last(1), last(2)}};
  }
};

/// The View of the last `Rank` axes.
template <int Rank, class T>
auto view_of(T* data, const Extents3& extents)
{
  using Kokkos::LayoutRight, Kokkos::MemoryUnmanaged;
  if constexpr (Rank == 1)
    return Kokkos::View<T*, LayoutRight, Gpu, MemoryUnmanaged>(data, extents[2]);
  else if constexpr (Rank == 2)
    return Kokkos::View<T**, LayoutRight, Gpu, MemoryUnmanaged>(data, extents[1], extents[2]);
  else
    return Kokkos::View<T***, LayoutRight, Gpu, MemoryUnmanaged>(data, extents[0], extents[1], extents[2]);
}

/// Calls that write one of some boxes of a View, each the next; the need is `accesses` elements for a point that is written.
struct Work {
  std::string name;
  Extents3 extents;
  std::vector<Box3> boxes;
  EdgeRule edge = Keramos::constant(0);
  bool is_region = false; ///< says so; otherwise the rule writes the box
  double accesses = 2;
};

template <class T>
struct InAndOut {
  Kokkos::View<T*, Gpu> in, out;
};

template <class T, class Op>
void add_calls(const Work& work, const Op& op)
{
  const Box3 whole{{}, work.extents};
  const double points = work.boxes[0].points(), bytes = work.accesses * sizeof(T) * points;
  const Lazy<Ring<InAndOut<T>>> sets([=] {
    return Ring<InAndOut<T>>(2 * sizeof(T) * whole.points(), [=](std::uint64_t seed) {
      const auto count = static_cast<std::size_t>(whole.points());
      using View = Kokkos::View<T*, Gpu>;
      const InAndOut<T> set{device_array<View>("in", count), device_array<View>("out", count)};
      fill_device_random(set.in.data(), count, seed);
      return set;
    });
  });
  const auto calls = std::make_shared<std::size_t>(0);
  const auto box = [=] { return work.boxes[*calls % work.boxes.size()]; };
  Case the_case{
      work.name + (sizeof(T) == 4 ? " f32" : " f64"), points, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : sets->all()) poison_device(set.out.data(), set.out.size() * sizeof(T));
  };
  the_case.mistake = [=](double) {
    Answer<T> answer = answer_of<T>(op);
    answer.in = view_of<3>(sets->last().in.data(), work.extents);
    const auto [first, extents] = box();
    std::copy_n(first.begin(), 3, answer.first);
    const auto range = [&](int axis) { return std::pair(first[axis], first[axis] + extents[axis]); };
    answer.out = Kokkos::subview(view_of<3>(sets->last().out.data(), work.extents), range(0), range(1), range(2));
    answer.edge = work.edge.kind;
    return mistakes_of(answer);
  };
  add("cuda_stencil", the_case,
      {{"Keramos", [=] {
          ++*calls;
          const auto& set = sets->next();
          const auto in = view_of<Op::rank>(set.in.data(), work.extents);
          const auto out = view_of<Op::rank>(set.out.data(), work.extents);
          const Keramos::EdgeRules<Op::rank> edges(work.edge);
          if constexpr (Op::rank == 3)
            if (work.is_region) return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, box().region()));
          return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges));
        }}});
}

std::string text(const Extents3& extents)
{
  std::string result;
  for (const std::int64_t extent : extents)
    if (extent > 1) result += (result.empty() ? "" : "x") + std::to_string(extent);
  return result;
}

/// All points of a View.
template <class T, class Op>
void add_whole(const std::string& name, const Op& op, const Extents3& extents)
{
  add_near(extents, [&](const Extents3& near) { add_calls<T>({name + " " + text(extents), near, {{{}, near}}}, op); });
}

template <int Rank, int Radius>
Keramos::Star<Rank, Radius> star()
{
  if constexpr (Rank == 2)
    return Keramos::FiniteDifference::laplacian<2, 2 * Radius>(1.0, 1.0);
  else
    return Keramos::FiniteDifference::laplacian<3, 2 * Radius>(1.0, 1.0, 1.0);
}

/// Four planes across an axis, here and there in a cube: each call the next, so that none finds the last one's in the L2.
template <class T>
void add_thin_at(int axis, const std::string& name, const Extents3& extents)
{
  constexpr int radius = 4, planes = 4, read = planes + 2 * radius;
  Work work{name, extents, {}};
  for (std::int64_t first = radius; first + planes + radius <= extents[axis]; first += read) {
    Box3 box{{}, extents};
    box.first[axis] = first;
    box.extents[axis] = planes;
    work.boxes.push_back(box);
  }
  work.is_region = true;
  work.accesses = double(planes + read) / planes;
  add_calls<T>(work, star<3, radius>());
}

template <class T>
void add_thin(int axis, std::int64_t side)
{
  const std::string name =
      "star radius 4, 4 planes across axis " + std::to_string(axis) + " of " + std::to_string(side) + "^3";
  add_near(Extents3{side, side, side}, [&](const Extents3& near) { add_thin_at<T>(axis, name, near); });
}

template <class T>
void add_edge(const EdgeRule& rule, const Extents3& extents)
{
  constexpr int radius = 4;
  Box3 written{{}, extents};
  if (rule == Keramos::interior) {
    written.first.fill(radius);
    for (std::int64_t& extent : written.extents) extent -= 2 * radius;
  }
  add_calls<T>({std::string("star radius 4, ") + to_string(rule.kind) + " " + text(extents), extents, {written}, rule},
               star<3, radius>());
}

template <class T>
void add_edges(std::int64_t side)
{
  using namespace Keramos;
  for (const EdgeRule rule : {interior, periodic, periodic_closed, constant(0), nearest, reflect, mirror})
    add_near(Extents3{side, side, side}, [&](const Extents3& near) { add_edge<T>(rule, near); });
}

template <class T>
void add_calls_of()
{
  const std::int64_t side = sized(128, 512), flat = sized(1024, 16384);
  add_whole<T>("line radius 4", Keramos::FiniteDifference::second_derivative<1, 8>(0, 1.0),
               {1, 1, std::int64_t{1} << sized(20, 28)});
  const auto narrow = [](std::int64_t row) { return Extents3{1, sized(100'000, 100'000'000) / row, row}; };
  for (const Extents3& extents : {Extents3{1, flat, flat}, Extents3{1, flat - 3, flat - 3}, narrow(33), narrow(129)}) {
    add_whole<T>("star radius 1", star<2, 1>(), extents);
    add_whole<T>("star radius 4", star<2, 4>(), extents);
    add_whole<T>("box radius 1", box_of_sines<2, 1>(), extents);
    add_whole<T>("box radius 2", box_of_sines<2, 2>(), extents);
  }
  for (const Extents3& extents : {Extents3{side, side, side}, Extents3{side - 3, side - 1, side + 1}})
    for (int axis = 0; axis < 3; ++axis)
      add_whole<T>("derivative along axis " + std::to_string(axis),
                   Keramos::FiniteDifference::first_derivative<3, 8>(axis, 1.0), extents);
  const std::int64_t many = sized(64, 1001);
  for (const std::int64_t row : {17, 32})
    add_whole<T>("derivative along axis 2", Keramos::FiniteDifference::first_derivative<3, 8>(2, 1.0),
                 {2 * many, many, row});
  for (int axis = 0; axis < 3; ++axis) add_thin<T>(axis, side);
  add_edges<T>(side);
  add_whole<T>("star radius 5", star<3, 5>(), {side, side, side});
  add_whole<T>("star radius 6", star<3, 6>(), {side, side, side});
  add_whole<T>("star radius 8", star<3, 8>(), {side, side, side});
}

} // namespace

void add_call_cases()
{
  add_calls_of<float>();
  add_calls_of<double>();
  if (effort() != Effort::quick) add_whole<double>("star radius 4", star<3, 4>(), {3000, 3000, 300});
}

} // namespace perf
