// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars, boxes and sparse operators as applications have them, on a GPU: odd extents, odd pitches, sub-views, both layouts, float and
// double. The table of cases is at the end.
#include "StencilAnswer.hpp"

#include <algorithm>

namespace perf {

template <class T, class Layout>
using Plain = Kokkos::View<T***, Layout, Gpu, Kokkos::MemoryUnmanaged>;

/// The multiply-adds of so many points with so many taps, in registers.
constexpr int chains = 16, rounds = 512, arithmetic_threads = 256;
template <class T>
static __global__ void arithmetic_kernel(T* sums)
{
  T value[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) value[c] = T(c + 1);
  const T factor = T(threadIdx.x);
#pragma unroll 4
  for (int n = 0; n < rounds; ++n)
#pragma unroll
    for (int c = 0; c < chains; ++c) value[c] = factor * value[c] + factor;
  T sum = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) sum += value[c];
  sums[blockIdx.x * arithmetic_threads + threadIdx.x] = sum;
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

/// How far an operator's taps go along any axis.
template <class Op>
int reach(const Op& op)
{
  int result = 0;
  for (int t = 0; t < Op::tap_count; ++t)
    for (const int step : op.offset(t)) result = std::max(result, std::abs(step));
  return result;
}

/// As many multiply-adds as the operator takes, and nothing else: what the GPU could do if no memory were in the way. `sets`
/// have room for its sums.
template <class T, class Op, class Sets>
Contender arithmetic_alone(double points, const Sets& sets)
{
  const double in_a_block = double(chains) * rounds * arithmetic_threads;
  const auto blocks = static_cast<unsigned>(points * Op::tap_count / in_a_block) + 1;
  Contender contender{"multiply-adds alone", [=] {
                        T* const sums = sets->next().out.memory.data();
                        arithmetic_kernel<T><<<blocks, arithmetic_threads, 0, stream()>>>(sums);
                        return std::string();
                      }};
  contender.mistake = [] { return std::string(); };
  contender.rival = false;
  return contender;
}

/// With many taps, the multiply-adds alone are there beside it. Answers are those of `answered`, behind a functor another operator.
template <class T, class Layout, class Op, class... Functor>
void add_operator_at(const std::string& name, const Op& op, const Op& answered, const Setting& setting,
                     const Functor&... functor)
{
  const int halo = setting.sub_view ? reach(op) : 0;
  const double bytes = 2 * sizeof(T) * setting.points();
  const Lazy<Ring<Fields<T, Layout>>> sets([=] {
    return Ring<Fields<T, Layout>>(bytes, [=](std::uint64_t seed) {
      const Fields<T, Layout> set{Field<T, Layout>(setting, halo), Field<T, Layout>(setting, 0)};
      fill_device_random(set.in.memory.data(), set.in.memory.size(), seed);
      return set;
    });
  });
  Answer<T> answer = answer_of<T>(answered);
  std::fill_n(answer.first, 3, halo);
  const std::string type = sizeof(T) == 4 ? " f32 " : " f64 ";
  Case the_case{name + type + setting.text(), setting.points(), bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : sets->all()) poison_device(set.out.memory.data(), set.out.memory.size() * sizeof(T));
  };
  the_case.mistake = [=](double) {
    Answer<T> of_call = answer;
    of_call.in = sets->last().in.part;
    of_call.out = sets->last().out.part;
    return mistakes_of(of_call);
  };
  const Keramos::EdgeRules<3> edges = setting.sub_view ? Keramos::EdgeRules<3>(Keramos::ghost) : Keramos::constant(0);
  std::vector<Contender> contenders{
      {"Keramos", [=] {
         const auto& set = sets->next();
         return name_of(Keramos::apply_stencil(Gpu(), op, set.in.part, set.out.part, edges, functor...));
       }}};
  if (Op::tap_count > 100 && sizeof...(Functor) == 0)
    contenders.push_back(arithmetic_alone<T, Op>(setting.points(), sets));
  add("cuda_stencil", the_case, contenders);
}

template <class T, class Layout, class Op>
void add_operator(const std::string& name, const Op& op, const Setting& setting)
{
  add_near(setting.extents, [&](const Extents3& extents) {
    add_operator_at<T, Layout>(name, op, op, {extents, setting.right, setting.sub_view});
  });
}

template <class T, class Layout, int Radius>
void add_star(const Setting& setting)
{
  const auto op = Keramos::FiniteDifference::laplacian<3, 2 * Radius>(1.0, 1.0, 1.0);
  add_operator<T, Layout>("star radius " + std::to_string(Radius), op, setting);
}

template <class T, class Layout, int Radius>
void add_box(const Setting& setting)
{
  add_operator<T, Layout>("box radius " + std::to_string(Radius), box_of_sines<3, Radius>(), setting);
}

template <class T>
struct AddsCentre {
  KOKKOS_FUNCTION T operator()(T value, T centre, int, int, int) const { return value + centre; }
};

template <class T, int Radius>
void add_box_functor(const Setting& setting)
{
  const auto op = box_of_sines<3, Radius>();
  std::array<double, decltype(op)::tap_count> weights{};
  for (int t = 0; t < op.tap_count; ++t) weights[t] = op.weight(t) + (t == op.tap_count / 2 ? 1 : 0);
  const Keramos::Box<3, Radius> with_centre(weights);
  add_near(setting.extents, [&](const Extents3& extents) {
    add_operator_at<T, Kokkos::LayoutRight>("functor, box radius " + std::to_string(Radius), op, with_centre,
                                            {extents, true, false}, AddsCentre<T>());
  });
}

/// A point of a face-centred cubic lattice and its twelve neighbours.
template <class T, class Layout>
void add_lattice(const Setting& setting)
{
  std::array<std::array<int, 3>, 13> offsets{};
  std::array<double, 13> weights;
  weights.fill(1.0 / 12);
  weights[0] = -1;
  int t = 1;
  for (int axis = 0; axis < 3; ++axis)
    for (const int one : {-1, 1})
      for (const int other : {-1, 1}) {
        offsets[t][(axis + 1) % 3] = one;
        offsets[t++][(axis + 2) % 3] = other;
      }
  add_operator<T, Layout>("13 points of an fcc lattice", Keramos::SparseStencil<3, 13>(offsets, weights), setting);
}

template <class T, class Layout>
void add_stars(const Setting& setting)
{
  add_star<T, Layout, 1>(setting);
  add_star<T, Layout, 2>(setting);
  add_star<T, Layout, 3>(setting);
  add_star<T, Layout, 4>(setting);
}

template <class T, class Layout>
void add_operators(const Setting& setting)
{
  add_stars<T, Layout>(setting);
  add_box<T, Layout, 1>(setting);
  add_box<T, Layout, 2>(setting);
  add_lattice<T, Layout>(setting);
}

template <class T>
void add_type()
{
  const auto size = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    const std::int64_t less = sized(320, 0);
    return Extents3{a - less, b - less, c - less};
  };
  add_operators<T, Kokkos::LayoutRight>({size(512, 512, 512), true, false});
  add_operators<T, Kokkos::LayoutLeft>({size(512, 512, 512), false, false});
  add_operators<T, Kokkos::LayoutRight>({size(509, 511, 513), true, false});
  add_operators<T, Kokkos::LayoutLeft>({size(509, 511, 513), false, false});
  add_operators<T, Kokkos::LayoutLeft>({size(513, 511, 509), false, false});
  add_operators<T, Kokkos::LayoutRight>({size(509, 511, 507), true, true});
  add_operators<T, Kokkos::LayoutLeft>({size(507, 511, 509), false, true});
  add_stars<T, Kokkos::LayoutRight>({size(514, 515, 520), true, false}); // rows on 16 bytes that fill no tiles
  add_stars<T, Kokkos::LayoutRight>({size(509, 513, 523), true, false}); // of more than a tile
  add_stars<T, Kokkos::LayoutRight>({size(509, 511, 641), true, false});
  const std::int64_t many = sized(64, 1001);
  add_operators<T, Kokkos::LayoutRight>({{2 * many, many, 33}, true, false}); // short rows
  add_operators<T, Kokkos::LayoutRight>({{many, many, 64}, true, false});
  add_stars<T, Kokkos::LayoutRight>({{many, many, 75}, true, false});
  for (const Extents3& extents : {size(512, 512, 512), size(509, 511, 513), Extents3{2 * many, many, 33}}) {
    add_box_functor<T, 1>({extents, true, false});
    add_box_functor<T, 2>({extents, true, false});
  }
  add_stars<T, Kokkos::LayoutRight>({size(512, 1024, 1024), true, false});
  add_stars<T, Kokkos::LayoutLeft>({size(512, 1024, 1024), false, false});
  add_stars<T, Kokkos::LayoutRight>({size(1000, 1000, 1000), true, false});
}

} // namespace

void add_cases()
{
  add_type<float>();
  add_type<double>();
  add_call_cases();
  add_graph_cases();
}

} // namespace perf
