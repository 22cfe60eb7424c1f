// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils with an application's functor behind them, on a GPU, over three axes and over two, and stencils of one of three interleaved
// components: out = centre + c * value, where c is a View that a lambda reads by itself, a coefficient along one axis, or a declared
// field; and the wave update, in place. The table of cases is at the end.
#include "Buffers.hpp"

#include <Keramos_FiniteDifference.hpp>
#include <Keramos_Stencil.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perf {

using Extents3 = std::array<std::int64_t, 3>;

template <class T>
using Any = Kokkos::View<T***, Kokkos::LayoutStride, Gpu, Kokkos::MemoryUnmanaged>;

/// Of an operator that has all of them.
constexpr int no_axis = -1;

/// What a case is about.
enum class Work { view, coefficient, field, wave, component_in, component_out };

/// out = centre + c * value with the star's value in double, or that of one of its lines, a wave's 2 * centre - before + c * value, or the value alone where there is no c;
/// nothing beyond `in` counts.
template <class T>
struct Answer {
  Any<const T> in, out, before, c; ///< c: strides of 0 along axes that a coefficient does not depend on
  int radius, axis;                ///< the line's; no_axis: a star
  double weight[5], tolerance;

  __device__ bool is_wrong(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> double {
      const bool is_inside = x >= 0 && y >= 0 && z >= 0 && x < std::int64_t(in.extent(0)) &&
                             y < std::int64_t(in.extent(1)) && z < std::int64_t(in.extent(2));
      return is_inside ? in(x, y, z) : 0;
    };
    double sum = weight[0] * at(i, j, k);
    for (int r = 1; r <= radius; ++r) {
      if (axis == no_axis || axis == 0) sum += weight[r] * (at(i - r, j, k) + at(i + r, j, k));
      if (axis == no_axis || axis == 1) sum += weight[r] * (at(i, j - r, k) + at(i, j + r, k));
      if (axis == no_axis || axis == 2) sum += weight[r] * (at(i, j, k - r) + at(i, j, k + r));
    }
    const double centre = before.data() ? 2 * at(i, j, k) - before(i, j, k) : at(i, j, k);
    const double expected = c.data() ? centre + c(i, j, k) * sum : sum;
    return !(fabs(out(i, j, k) - expected) <= tolerance);
  }
};

template <class T>
static __global__ void count_wrong_kernel(const Answer<T> answer, int* wrong)
{
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, i = blockIdx.z;
  if (k >= std::int64_t(answer.out.extent(2))) return;
  for (std::int64_t j = blockIdx.y; j < std::int64_t(answer.out.extent(1)); j += gridDim.y)
    if (answer.is_wrong(i, j, k)) atomicAdd(wrong, 1);
}

/// The lambdas' places: nvcc wants them outside of unnamed namespaces and private members. Over two axes views have one plane.
template <class T, class Op>
std::string apply_over_plane(Work work, const Op& op, const Any<T>& any_in, const Any<T>& any_out, const Any<T>& any_c)
{
  using Row = Kokkos::View<const T*, Gpu, Kokkos::MemoryUnmanaged>;
  using Plane = Kokkos::View<T**, Kokkos::LayoutRight, Gpu, Kokkos::MemoryUnmanaged>;
  using ConstPlane = Kokkos::View<const T**, Kokkos::LayoutRight, Gpu, Kokkos::MemoryUnmanaged>;
  const auto edges = Keramos::constant(0);
  const ConstPlane in(any_in.data(), any_in.extent(1), any_in.extent(2)),
      c(any_c.data(), any_in.extent(1), any_in.extent(2));
  const Plane out(any_out.data(), any_in.extent(1), any_in.extent(2));
  if (work == Work::view) {
    const auto f = KOKKOS_LAMBDA(T value, T centre, int j, int k) { return centre + c(j, k) * value; };
    return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, f));
  }
  if (work == Work::coefficient) {
    const Row row(any_c.data(), any_in.extent(2));
    const auto f = KOKKOS_LAMBDA(T value, T centre, int, int k) { return centre + row(k) * value; };
    return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, f));
  }
  const auto f = KOKKOS_LAMBDA(T value, T centre, T scale) { return centre + scale * value; };
  return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, Keramos::Epilogue{f, c}));
}

template <class T, class Op>
std::string apply_over_volume(Work work, const Op& op, const Any<T>& any_in, const Any<T>& out, const Any<T>& c)
{
  using Row = Kokkos::View<const T*, Gpu, Kokkos::MemoryUnmanaged>;
  using Plain = Kokkos::View<const T***, Kokkos::LayoutRight, Gpu, Kokkos::MemoryUnmanaged>;
  const auto edges = Keramos::constant(0);
  const Plain in(any_in.data(), out.extent(0), out.extent(1), out.extent(2));
  if (work == Work::view) {
    const Plain field(c.data(), c.extent(0), c.extent(1), c.extent(2));
    const auto f = KOKKOS_LAMBDA(T value, T centre, int i, int j, int k) { return centre + field(i, j, k) * value; };
    return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, f));
  }
  if (work == Work::coefficient) {
    const Row row(c.data(), c.extent(2));
    const auto f = KOKKOS_LAMBDA(T value, T centre, int, int, int k) { return centre + row(k) * value; };
    return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, f));
  }
  if (work == Work::field) {
    const auto f = KOKKOS_LAMBDA(T value, T centre, T scale) { return centre + scale * value; };
    return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, Keramos::Epilogue{f, c}));
  }
  if (work == Work::wave) return name_of(Keramos::apply_stencil(Gpu(), op, in, out, edges, Keramos::LeapFrog{out, c}));
  return name_of(Keramos::apply_stencil(Gpu(), op, any_in, out, edges));
}

namespace {

/// A contiguous array; one of three interleaved components; a coefficient along the rows.
template <class T>
struct Field {
  Kokkos::View<T*, Gpu> memory;
  Any<T> view;

  Field() = default;
  Field(const Extents3& n, std::int64_t components) : memory(allocate(n[0] * n[1] * n[2] * components))
  {
    const std::int64_t row = n[2] * components;
    view = Any<T>(memory.data() + components / 2, Kokkos::LayoutStride(n[0], n[1] * row, n[1], row, n[2], components));
  }
  static Field along_rows(const Extents3& n)
  {
    Field result;
    result.memory = allocate(n[2]);
    result.view = Any<T>(result.memory.data(), Kokkos::LayoutStride(n[0], 0, n[1], 0, n[2], 1));
    return result;
  }
  static Kokkos::View<T*, Gpu> allocate(std::int64_t size)
  {
    return device_array<Kokkos::View<T*, Gpu>>("field", size);
  }
  void fill(std::uint64_t seed) const { fill_device_random(memory.data(), memory.size(), seed); }
};

template <class T>
struct Fields {
  Field<T> in, out, before, c; ///< before: of a wave, what out was

  Fields(Work work, const Extents3& n, std::uint64_t seed)
      : in(n, work == Work::component_in ? 3 : 1), out(n, work == Work::component_out ? 3 : 1)
  {
    in.fill(seed);
    if (work == Work::view || work == Work::field || work == Work::wave) c = Field<T>(n, 1);
    if (work == Work::wave) {
      before = Field<T>(n, 1);
      before.fill(seed + 78);
    }
    if (work == Work::coefficient) c = Field<T>::along_rows(n);
    if (c.memory.data()) c.fill(seed + 77);
  }
};

/// Elements a point that are moved: of interleaved components whole lines are, and a line that is written in part is read as well.
double elements(Work work)
{
  switch (work) {
  case Work::coefficient:
    return 2;
  case Work::view:
  case Work::field:
    return 3;
  case Work::wave:
  case Work::component_in:
    return 4;
  case Work::component_out:
    return 7;
  }
  return 0;
}

const char* text(Work work)
{
  switch (work) {
  case Work::view:
    return "lambda reads a View";
  case Work::coefficient:
    return "lambda reads a coefficient";
  case Work::field:
    return "declared field";
  case Work::wave:
    return "wave update in place";
  case Work::component_in:
    return "from a component";
  case Work::component_out:
    return "into a component";
  }
  return "";
}

/// A star over the last `Rank` axes of the extents, of which those before are 1; or its line along an axis.
template <class T, int Rank, int Radius>
void add_work_at(Work work, const Extents3& extents, int axis = no_axis)
{
  const auto [n0, n1, n2] = extents;
  const double points = double(n0) * double(n1) * double(n2), bytes = elements(work) * sizeof(T) * points;
  const Lazy<Ring<Fields<T>>> sets(
      [=] { return Ring<Fields<T>>(bytes, [=](std::uint64_t seed) { return Fields<T>(work, extents, seed); }); });
  const auto line = Keramos::FiniteDifference::second_derivative<Rank, 2 * Radius>(0, 1.0);
  Answer<T> answer{};
  double sizes = 1;
  for (int r = 0; r <= Radius; ++r) {
    const int lines = axis == no_axis ? Rank : 1;
    answer.weight[r] = (r == 0 ? lines : 1) * line.weight(Radius + r);
    sizes += (r == 0 ? 1 : 2 * lines) * std::abs(answer.weight[r]);
  }
  if (work == Work::wave) sizes += 2;
  answer.radius = Radius;
  answer.axis = axis;
  answer.tolerance = (2 * Rank * Radius + 3) * std::numeric_limits<T>::epsilon() * sizes;

  const std::string type = sizeof(T) == 4 ? " f32 " : " f64 ";
  const std::string shape = axis == no_axis ? ", star radius " : ", axis " + std::to_string(axis) + " radius ";
  Case the_case{std::string(text(work)) + shape + std::to_string(Radius) + type +
                    (Rank == 3 ? std::to_string(n0) + "x" : "") + std::to_string(n1) + "x" + std::to_string(n2),
                points,
                bytes,
                Yardstick::copy,
                {},
                {},
                calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : sets->all()) poison_device(set.out.memory.data(), set.out.memory.size() * sizeof(T));
  };
  const auto apply = [=](const Fields<T>& set) {
    if constexpr (Rank == 2) {
      const auto op = Keramos::FiniteDifference::laplacian<2, 2 * Radius>(1.0, 1.0);
      return apply_over_plane<T>(work, op, set.in.view, set.out.view, set.c.view);
    } else if (axis != no_axis) {
      const auto op = Keramos::FiniteDifference::second_derivative<3, 2 * Radius>(axis, 1.0);
      return apply_over_volume<T>(work, op, set.in.view, set.out.view, set.c.view);
    } else {
      const auto op = Keramos::FiniteDifference::laplacian<3, 2 * Radius>(1.0, 1.0, 1.0);
      return apply_over_volume<T>(work, op, set.in.view, set.out.view, set.c.view);
    }
  };
  the_case.mistake = [=](double) {
    const Fields<T>& set = sets->last();
    if (work == Work::wave) { // once more, from a known one
      Kokkos::deep_copy(Gpu(), set.out.memory, set.before.memory);
      apply(set);
    }
    Answer<T> of_call = answer;
    of_call.in = set.in.view;
    of_call.out = set.out.view;
    of_call.before = set.before.view;
    of_call.c = set.c.view;
    const Mistakes wrong;
    count_wrong_kernel<<<dim3(fill_blocks(n2), std::min<std::int64_t>(n1, 65535), n0), fill_threads, 0, stream()>>>(
        of_call, wrong.counter());
    require_launched("comparison");
    finish();
    return wrong.text("wrong points");
  };
  add("cuda_epilogue", the_case, {{"Keramos", [=] { return apply(sets->next()); }}});
}

template <class T, int Rank, int Radius>
void add_work(Work work, const Extents3& extents)
{
  add_near(extents, [=](const Extents3& near) { add_work_at<T, Rank, Radius>(work, near); });
}

template <class T, int Radius>
void add_radius()
{
  const auto size = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    const std::int64_t less = sized(320, 0);
    return Extents3{a - less, b - less, c - less};
  };
  for (const auto& extents : {size(512, 512, 512), size(509, 511, 513)})
    for (const Work work : {Work::view, Work::coefficient, Work::field, Work::component_in, Work::component_out})
      add_work<T, 3, Radius>(work, extents);
  const Extents3 fills_no_tiles = size(514, 515, 520); // rows on 16 bytes
  const Extents3 beyond_a_tile = size(509, 513, 523), two_tiles = size(509, 511, 641);
  for (const auto& extents : {fills_no_tiles, beyond_a_tile, two_tiles})
    for (const Work work : {Work::view, Work::coefficient, Work::field}) add_work<T, 3, Radius>(work, extents);
  const std::int64_t many = sized(64, 1001);
  for (const auto& extents : {Extents3{2 * many, many, 33}, Extents3{many, many, 75}}) // short rows
    for (const Work work : {Work::view, Work::coefficient, Work::field, Work::wave})
      add_work<T, 3, Radius>(work, extents);
  if (Radius == 4)
    for (const auto& extents : {size(512, 512, 512), fills_no_tiles, size(509, 511, 513), size(513, 511, 509),
                                size(512, 1024, 1024), size(1000, 1000, 1000), size(1001, 999, 1000)})
      add_work<T, 3, Radius>(Work::wave, extents);
}

/// Second derivatives along each axis.
template <class T>
void add_lines()
{
  const std::int64_t less = sized(320, 0);
  for (const Extents3& extents :
       {Extents3{512 - less, 512 - less, 512 - less}, Extents3{509 - less, 511 - less, 513 - less}})
    for (int axis = 0; axis < 3; ++axis)
      for (const Work work : {Work::view, Work::coefficient, Work::field})
        add_near(extents, [=](const Extents3& near) { add_work_at<T, 3, 4>(work, near, axis); });
}

template <class T, int Radius>
void add_plane_radius()
{
  const std::int64_t less = sized(14000, 0);
  for (const auto& extents : {Extents3{1, 16384 - less, 16384 - less}, Extents3{1, 16383 - less, 16385 - less}})
    for (const Work work : {Work::view, Work::coefficient, Work::field}) add_work<T, 2, Radius>(work, extents);
  for (const std::int64_t row : {33, 129}) // short rows
    for (const Work work : {Work::view, Work::coefficient, Work::field})
      add_work<T, 2, Radius>(work, {1, sized(100'000, 100'000'000) / row, row});
}

} // namespace

void add_cases()
{
  add_radius<float, 1>();
  add_radius<float, 4>();
  add_radius<double, 1>();
  add_radius<double, 4>();
  add_lines<float>();
  add_lines<double>();
  add_plane_radius<float, 1>();
  add_plane_radius<float, 2>();
  add_plane_radius<double, 1>();
  add_plane_radius<double, 2>();
}

} // namespace perf
