// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests that launch one of the CUDA kernels of stencils and compare its bits with those of the kernel that older GPUs take.
#pragma once

#include "StencilSupport.hpp"

namespace test {

/// Whether kernels by bulk and tensor copies are for this GPU.
inline bool is_hopper() { return Keramos::cuda::device_of(own_instance()).architecture >= 90; }

/// This GPU, as if it had nothing that came with Hopper.
inline Keramos::cuda::Device older_device()
{
  auto device = Keramos::cuda::device_of(own_instance());
  device.architecture = 80;
  return device;
}

/// As a backend gets it, where `View` is the output's.
template <class Op, class View>
auto bound_epilogue(const auto& problem, const auto& epilogue)
{
  return Keramos::core::bind_epilogue<Op, Exec, View>(problem, epilogue);
}

/// By the kernel of such a GPU; then the host may read. `Op` without its values is enough.
template <class Op, class View>
void apply_as_on(const Keramos::cuda::Device& device, const auto& in, const View& out,
                 const Keramos::EdgeRules<Op::rank>& rules, const Keramos::Region<Op::rank>& region,
                 const auto& epilogue)
{
  const Keramos::core::StencilProblem problem(Keramos::core::stencil_call(Op{}, in, out, rules, &region));
  Keramos::cuda::stencil::launch(
      *Keramos::cuda::stencil::choose(device, problem, bound_epilogue<Op, View>(problem, epilogue)), own_instance());
  own_instance().fence("the host reads what was written");
}
template <class Op, class View>
void apply_as_older(const auto& in, const View& out, const Keramos::EdgeRules<Op::rank>& rules,
                    const Keramos::Region<Op::rank>& region, const auto& epilogue)
{
  apply_as_on<Op>(older_device(), in, out, rules, region, epilogue);
}

/// Taps of a box: so many, drawn from a seed, the one at the corner among them.
template <int Radius, int Count>
struct SomeTaps {
  static constexpr Keramos::Shape shape = Keramos::Shape::sparse;
  static constexpr int rank = 3, radius = 0, tap_count = Count;

  std::array<int, 3> offset(int t) const
  {
    constexpr int side = 2 * Radius + 1, step = 11; // has no divisor in common with 27 or 125
    const int place = t * step % (side * side * side);
    return {place / (side * side) - Radius, place / side % side - Radius, place % side - Radius};
  }
  double weight(int) const { return 0; } // Weighted gives others
};

/// A View within a larger one, `before` elements behind its first, whose rows and planes end with so many elements and rows more.
template <class T>
struct Part {
  Kokkos::View<T*, Shared> buffer;
  StridedView<T, 3> view;

  Part(const std::array<std::int64_t, 3>& extents, std::int64_t before, std::int64_t more = 0,
       std::int64_t more_rows = 0)
  {
    const std::int64_t row = extents[2] + more, plane = row * (extents[1] + more_rows);
    buffer = Kokkos::View<T*, Shared>("buffer", plane * extents[0] + before);
    const Kokkos::LayoutStride layout(extents[0], plane, extents[1], row, extents[2], 1);
    view = StridedView<T, 3>(buffer.data() + before, layout);
  }
  void fill(unsigned seed) const
  {
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      buffer(i) = T(seed >> 8) / T(1 << 23) - 1;
    }
  }
};

/// Reads a View by itself, and tells the axes apart.
template <class T>
struct ReadsView {
  StridedView<T, 3> view;
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j, int k) const
  {
    return centre + view(i, j, k) * value + T(i) - T(2 * j) + T(3 * k);
  }
};

/// Stores by itself, differently when called twice.
template <class T>
struct Stores {
  StridedView<T, 3> out;
  KOKKOS_FUNCTION void operator()(T value, T centre, int i, int j, int k) const
  {
    out(i, j, k) = 3 * out(i, j, k) + value - centre;
  }
};

/// Rules of every kind, alone and mixed.
inline const Keramos::EdgeRules<3> all_rules[] = {
    Keramos::periodic,
    Keramos::constant(0),
    Keramos::periodic_closed,
    Keramos::constant(0.3),
    Keramos::nearest,
    Keramos::reflect,
    Keramos::mirror,
    Keramos::interior,
    {Keramos::sides(Keramos::reflect, Keramos::constant(0.5)), Keramos::sides(Keramos::interior, Keramos::mirror),
     Keramos::sides(Keramos::nearest, Keramos::constant(-1))},
    {Keramos::constant(0.25), Keramos::sides(Keramos::constant(0.5), Keramos::constant(2)), Keramos::constant(0.75)},
    {Keramos::sides(Keramos::constant(0.25), Keramos::mirror), Keramos::constant(-0.0), Keramos::periodic}};

/// By the instance of the tests, twice from a graph where these are asked for; then the host may read.
inline void launch_and_wait(const std::function<void()>& launch)
{
  if (in_graphs())
    run_in_graph(own_instance(), launch);
  else
    launch();
  own_instance().fence("the host reads what was written");
}

} // namespace test
