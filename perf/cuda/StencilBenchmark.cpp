// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars as applications have them, on a GPU: odd extents, odd pitches, sub-views, both layouts, float and double. The table of cases is at the end.
#include "Buffers.hpp"

#include <Keramos_FiniteDifference.hpp>
#include <Keramos_Stencil.hpp>

#include <limits>

namespace perf {

using Extents3 = std::array<std::int64_t, 3>;

template <class T>
using Any = Kokkos::View<T***, Kokkos::LayoutStride, Gpu, Kokkos::MemoryUnmanaged>;
template <class T, class Layout>
using Plain = Kokkos::View<T***, Layout, Gpu, Kokkos::MemoryUnmanaged>;

/// The star at a point in double; nothing beyond `in` counts. Out is `halo` points smaller than in on every side.
template <class T>
struct Answer {
  Any<const T> in, out;
  int halo, radius;
  double weight[5], tolerance;

  __device__ bool is_wrong(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> double {
      const bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < std::int64_t(in.extent(0)) &&
                             y < std::int64_t(in.extent(1)) && z < std::int64_t(in.extent(2));
      return is_inside ? in(x, y, z) : 0;
    };
    const std::int64_t x = i + halo, y = j + halo, z = k + halo;
    double sum = weight[0] * at(x, y, z);
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (at(x - r, y, z) + at(x + r, y, z) + at(x, y - r, z) + at(x, y + r, z) + at(x, y, z - r) +
                          at(x, y, z + r));
    return !(fabs(out(i, j, k) - sum) <= tolerance);
  }
};

template <class T>
static __global__ void count_wrong_kernel(const Answer<T> answer, int* wrong)
{
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, j = blockIdx.y, i = blockIdx.z;
  if (k < std::int64_t(answer.out.extent(2)) && answer.is_wrong(i, j, k)) atomicAdd(wrong, 1);
}

namespace {

/// Where a case's points lie. `halo`: the input has as many more points on every side, which the call reads by `ghost`, and
/// both are parts of larger arrays that begin at odd places.
struct Setting {
  Extents3 extents;
  bool right, sub_view;
  std::string text() const
  {
    const auto [n0, n1, n2] = extents;
    return std::to_string(n0) + "x" + std::to_string(n1) + "x" + std::to_string(n2) + (right ? " right" : " left") +
           (sub_view ? ", ghost in sub-views" : "");
  }
  double points() const { return double(extents[0]) * double(extents[1]) * double(extents[2]); }
};

/// An array, or a part of one that is 6 elements longer along the rows and begins 3 behind its first.
template <class T, class Layout>
struct Field {
  Kokkos::View<T*, Gpu> memory;
  Plain<T, Layout> whole;
  Any<T> part;

  Field() = default;
  Field(const Setting& setting, int halo)
  {
    constexpr bool right = std::is_same_v<Layout, Kokkos::LayoutRight>;
    std::array<std::size_t, 3> extent, first{};
    for (int axis = 0; axis < 3; ++axis) extent[axis] = setting.extents[axis] + 2 * halo;
    const auto inner = extent;
    if (setting.sub_view) extent[right ? 2 : 0] += 6, first[right ? 2 : 0] = 3;
    memory = device_array<Kokkos::View<T*, Gpu>>("field", extent[0] * extent[1] * extent[2]);
    whole = Plain<T, Layout>(memory.data(), extent[0], extent[1], extent[2]);
    const auto range = [&](int axis) { return std::pair(first[axis], first[axis] + inner[axis]); };
    part = Kokkos::subview(whole, range(0), range(1), range(2));
  }
};

template <class T, class Layout>
struct Fields {
  Field<T, Layout> in, out;
};

template <class T, class Layout, int Radius>
void add_star(const Setting& setting)
{
  const int halo = setting.sub_view ? Radius : 0;
  const double bytes = 2 * sizeof(T) * setting.points();
  const Lazy<Ring<Fields<T, Layout>>> sets([=] {
    return Ring<Fields<T, Layout>>(bytes, [=](std::uint64_t seed) {
      const Fields<T, Layout> set{Field<T, Layout>(setting, halo), Field<T, Layout>(setting, 0)};
      fill_device_random(set.in.memory.data(), set.in.memory.size(), seed);
      return set;
    });
  });
  const auto line = Keramos::FiniteDifference::second_derivative<3, 2 * Radius>(0, 1.0);
  Answer<T> answer{};
  double sizes = 0;
  for (int r = 0; r <= Radius; ++r) {
    answer.weight[r] = (r == 0 ? 3 : 1) * line.weight(Radius + r);
    sizes += (r == 0 ? 1 : 6) * std::abs(answer.weight[r]);
  }
  answer.halo = halo;
  answer.radius = Radius;
  answer.tolerance = (6 * Radius + 1) * std::numeric_limits<T>::epsilon() * sizes;

  const std::string type = sizeof(T) == 4 ? " f32 " : " f64 ";
  Case the_case{"star radius " + std::to_string(Radius) + type + setting.text(),
                setting.points(),
                bytes,
                Yardstick::copy,
                {},
                {},
                calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : sets->all()) poison_device(set.out.memory.data(), set.out.memory.size() * sizeof(T));
  };
  the_case.mistake = [=](double) {
    Answer<T> of_call = answer;
    of_call.in = sets->last().in.part;
    of_call.out = sets->last().out.part;
    const Mistakes wrong;
    const auto [n0, n1, n2] = setting.extents;
    count_wrong_kernel<<<dim3(fill_blocks(n2), n1, n0), fill_threads, 0, stream()>>>(of_call, wrong.counter());
    require_launched("comparison");
    finish();
    return wrong.text("wrong points");
  };
  const auto op = Keramos::FiniteDifference::laplacian<3, 2 * Radius>(1.0, 1.0, 1.0);
  const Keramos::EdgeRules<3> edges = setting.sub_view ? Keramos::EdgeRules<3>(Keramos::ghost) : Keramos::constant(0);
  std::vector<Contender> contenders{{"Keramos", [=] {
                                       const auto& set = sets->next();
                                       return name_of(
                                           Keramos::apply_stencil(Gpu(), op, set.in.part, set.out.part, edges));
                                     }}};
  add("cuda_stencil", the_case, contenders);
}

template <class T, class Layout>
void add_stars(const Setting& setting)
{
  add_star<T, Layout, 1>(setting);
  add_star<T, Layout, 2>(setting);
  add_star<T, Layout, 3>(setting);
  add_star<T, Layout, 4>(setting);
}

template <class T>
void add_type()
{
  const auto size = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    const std::int64_t less = sized(320, 0);
    return Extents3{a - less, b - less, c - less};
  };
  add_stars<T, Kokkos::LayoutRight>({size(512, 512, 512), true, false});
  add_stars<T, Kokkos::LayoutRight>({size(509, 511, 513), true, false});
  add_stars<T, Kokkos::LayoutLeft>({size(509, 511, 513), false, false});
  add_stars<T, Kokkos::LayoutLeft>({size(513, 511, 509), false, false});
  add_stars<T, Kokkos::LayoutRight>({size(509, 511, 507), true, true});
}

} // namespace

void add_cases()
{
  add_type<float>();
  add_type<double>();
}

} // namespace perf
