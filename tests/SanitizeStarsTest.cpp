// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of large and of small grids, by their own plans on grids that suit the sanitizers, for compute-sanitizer: see
// SanitizeTest.cpp.
#include "SanitizeStencils.hpp"

#include <optional>

namespace {

using namespace test;
namespace stencil = Keramos::cuda::stencil;
namespace core = Keramos::core;

/// Sums by planes.
template <class T, class Taps>
void check_march()
{
  int ran = 0;
  const auto check = [&](const auto& rule, std::int64_t columns, int shift) {
    ran += check_shapes<T, Taps>({6, 33, columns}, rule, shift, stencil::march_shapes, stencil::plan_march<T>,
                                 stencil::library::launch_march<T>);
  };
  for (int turn = 0; turn < 4; ++turn) check(rules[turn], turn < 2 ? 257 : 509, turn);
  check(Keramos::EdgeRule(Keramos::constant(0)), 509, 3); // which pairs of columns want
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) EXPECT_GE(ran, 4);
}

/// A box without its centre.
template <int Radius>
struct Shell : Keramos::Box<3, Radius> {
  static constexpr Keramos::Shape shape = Keramos::Shape::sparse;
  static constexpr int tap_count = Keramos::Box<3, Radius>::tap_count - 1;
  auto offset(int t) const { return Keramos::Box<3, Radius>::offset(t < tap_count / 2 ? t : t + 1); }
};

template <class T>
void check_marches()
{
  check_march<T, Keramos::Star<3, 3>>();
  check_march<T, Keramos::Star<3, 4>>();
  check_march<T, Keramos::Box<3, 1>>();
  check_march<T, Keramos::Box<3, 2>>();
  check_march<T, Shell<1>>();
  check_march<T, Shell<2>>();
}

/// Single columns in double, which want zero or memory beyond all ends.
template <int Radius>
void check_single_columns()
{
  const int ran = check_shapes<double, Keramos::Star<3, Radius>>({6, 33, 509}, Keramos::constant(0), 3,
                                                                 stencil::march_shapes, stencil::plan_march<double>,
                                                                 stencil::library::launch_march<double>);
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) EXPECT_EQ(ran, 1);
}

TEST(SanitizeStars, Marches)
{
  check_single_columns<1>();
  check_single_columns<2>();
  check_march<float, Keramos::Star<3, 1>>();
  check_march<float, Keramos::Star<3, 2>>();
  check_marches<float>();
  check_marches<double>();
}

/// A star by the kernel that `plan_of(request)` has for newer GPUs.
template <class T, class Star, class PlanOf, class Launch>
void check_planned_star(const Keramos::EdgeRules<Star::rank>& edges, const PlanOf& plan_of, const Launch& launch,
                        const Keramos::cuda::Device& device = Keramos::cuda::device_of(own_instance()),
                        const std::array<std::int64_t, Star::rank>& extents = {11, 36, 132},
                        std::optional<Keramos::Region<Star::rank>> region = std::nullopt)
{
  using Op = Weighted<Star>;
  constexpr int rank = Star::rank;
  using View = typename DeviceArray<T, rank>::View;
  const Array<T, rank> in(extents, Memory::right), expected(extents, Memory::right), got(extents, Memory::right);
  in.randomise(1);
  const auto check = [&](const auto& epilogue_of) {
    expected.randomise(2);
    const DeviceArray<T, rank> in_there(in), out_there(expected);
    const auto there = region.value_or(Keramos::Region<rank>{std::array<std::int64_t, rank>{}, extents});
    const core::StencilProblem problem(core::stencil_call(Op{}, in_there.view(), out_there.view(), edges, &there));
    const auto epilogue = core::bind_epilogue<Op, Exec, View>(problem, epilogue_of(out_there.view()));
    const auto plan = plan_of(stencil::request_of(device, problem, epilogue));
    ASSERT_TRUE(plan.has_value());
    launch(Keramos::Kernel{Backend::cuda, "apply_stencil", plan->variant}, *plan, epilogue);
    own_instance().fence("the test reads what was written");
    out_there.download(got);
    run(Backend::reference, [&](const auto& exec) {
      if constexpr (core::only_stores<std::decay_t<decltype(epilogue)>>)
        return Keramos::apply_stencil(exec, Op{}, in.view, expected.view, edges, there);
      else
        return Keramos::apply_stencil(exec, Op{}, in.view, expected.view, edges, epilogue_of(expected.view), there);
    });
    const double bound = 4. * Op::tap_count * std::numeric_limits<T>::epsilon();
    got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << plan->variant.str(); });
  };
  check([](const auto& out) { return Keramos::LeapFrog{out, 0.5}; });
  check([](const auto&) { return core::StoreValue(); });
}

/// Tensor copies are for large grids, too: those that leave zero beyond edges, and those that settle what is there.
template <class T, int Radius>
void check_tensor_star()
{
  const auto check = [](const Keramos::EdgeRules<3>& edges, const std::array<std::int64_t, 3>& extents) {
    check_planned_star<T, Keramos::Star<3, Radius>>(
        edges, [](const auto& request) { return stencil::plan_tensor_star(request); },
        [](const auto& kernel, const auto& plan, const auto& epilogue) {
          stencil::library::launch_tensor_star(kernel, own_instance(), plan, epilogue);
        },
        Keramos::cuda::device_of(own_instance()), extents);
  };
  check(Keramos::constant(0), {11, 36, 132});
  if constexpr (Radius <= stencil::max_settled_radius) {
    check(Keramos::periodic, {11, 36, 132});
    // Columns beyond the ends of rows, of threads with fewer rows than others.
    check({Keramos::constant(0), Keramos::constant(0), Keramos::periodic}, {11, 34, 132});
  }
}

/// Rows that are short have a march of their own.
template <class T, int Radius>
void check_narrow_star()
{
  const auto check = [](const Keramos::EdgeRules<3>& edges, const std::array<std::int64_t, 3>& extents) {
    check_planned_star<T, Keramos::Star<3, Radius>>(
        edges, [](const auto& request) { return stencil::plan_narrow_march(request); },
        [](const auto& kernel, const auto& plan, const auto& epilogue) {
          stencil::library::launch_narrow_march(kernel, own_instance(), plan, epilogue);
        },
        Keramos::cuda::device_of(own_instance()), extents);
  };
  check(Keramos::constant(0.5), {11, 71, 33});
  check(Keramos::periodic, {11, 36, 12});
}

/// So do small boxes, and what is within them.
template <class T, class Op>
void check_narrow_box()
{
  const auto plan = [](const auto& request, int) { return stencil::plan_narrow_march(request); };
  const auto launch = [](const Keramos::Kernel& kernel, const auto& space, const auto& narrow) {
    stencil::library::launch_narrow_march(kernel, space, narrow, core::StoreValue());
  };
  for (const auto& rule : {rules[0], rules[1]})
    EXPECT_EQ((check_shapes<T, Op>({6, 33, 35}, rule, 1, 1, plan, launch)), 1);
}

/// And planes, whose columns of tiles end within one.
const std::array<std::int64_t, 2> narrow_plane{1501, 35};

template <class T, int Radius>
void check_narrow_rows()
{
  for (const auto& rule : {rules[0], rules[1]})
    check_planned_star<T, Keramos::Star<2, Radius>>(
        rule, [](const auto& request) { return stencil::plan_narrow_rows(request); },
        [](const auto& kernel, const auto& plan, const auto& epilogue) {
          stencil::library::launch_narrow_rows(kernel, own_instance(), plan, epilogue);
        },
        Keramos::cuda::device_of(own_instance()), narrow_plane);
}
template <class T, int Radius>
void check_narrow_rows_of_boxes()
{
  const auto plan = [](const auto& request, int) { return stencil::plan_narrow_rows(request); };
  const auto launch = [](const Keramos::Kernel& kernel, const auto& space, const auto& rows) {
    stencil::library::launch_narrow_rows(kernel, space, rows, core::StoreValue());
  };
  for (const auto& rule : {rules[0], rules[1]})
    EXPECT_EQ((check_shapes<T, Keramos::Box<2, Radius>>(narrow_plane, rule, 1, 1, plan, launch)), 1);
}
template <class T>
void check_narrow_planes()
{
  check_narrow_rows<T, 1>();
  check_narrow_rows<T, 2>();
  check_narrow_rows<T, 3>();
  check_narrow_rows<T, 4>();
  check_narrow_rows_of_boxes<T, 1>();
  check_narrow_rows_of_boxes<T, 2>();
}

TEST(SanitizeStars, NarrowPlanes)
{
  check_narrow_planes<float>();
  check_narrow_planes<double>();
}

TEST(SanitizeStars, NarrowBoxes)
{
  check_narrow_box<float, Keramos::Box<3, 1>>();
  check_narrow_box<float, Shell<1>>();
  check_narrow_box<float, Keramos::Box<3, 2>>();
  check_narrow_box<float, Shell<2>>();
  check_narrow_box<double, Keramos::Box<3, 1>>();
  check_narrow_box<double, Shell<1>>();
  check_narrow_box<double, Keramos::Box<3, 2>>();
  check_narrow_box<double, Shell<2>>();
}

TEST(SanitizeStars, NarrowMarches)
{
  check_narrow_star<float, 1>();
  check_narrow_star<float, 2>();
  check_narrow_star<float, 3>();
  check_narrow_star<float, 4>();
  check_narrow_star<double, 1>();
  check_narrow_star<double, 2>();
  check_narrow_star<double, 3>();
  check_narrow_star<double, 4>();
}

/// Those by registers are for thin Regions.
template <class T, int Radius>
void check_direct_star(const Keramos::EdgeRules<3>& edges, const std::array<std::int64_t, 3>& extents,
                       const Keramos::Region<3>& region)
{
  check_planned_star<T, Keramos::Star<3, Radius>>(
      edges, [](const auto& request) { return stencil::plan_direct(request); },
      [](const auto& kernel, const auto& plan, const auto& epilogue) {
        stencil::library::launch_direct(kernel, own_instance(), plan, stencil::reordered(epilogue, plan.order));
      },
      Keramos::cuda::device_of(own_instance()), extents, region);
}

/// Everywhere, and where there is nothing to ask.
template <class T, int Radius>
void check_direct_stars()
{
  const std::array<std::int64_t, 3> extents{11, 36, 132}, deeper{12, 36, 132};
  check_direct_star<T, Radius>(Keramos::periodic, extents, {{0, 0, 0}, extents});
  check_direct_star<T, Radius>(Keramos::constant(0), deeper, {{4, 0, 0}, {8, 36, 132}});
}

/// Those of small grids, and the tiles that nothing else in this suite is large enough for: of rows on 16 bytes.
template <class T>
void check_small_star()
{
  constexpr int radius = stencil::max_small_star_radius;
  const auto plan_of = [](const auto& request, auto...) { return stencil::plan_small_star(request); };
  const auto launch = [](const auto& kernel, const auto& plan, const auto& epilogue) {
    stencil::library::launch_small_star(kernel, own_instance(), plan, epilogue);
  };
  auto device = Keramos::cuda::device_of(own_instance());
  for (const int multiprocessors : {device.multiprocessors, 8, 0}) { // by rows, planes, a march
    device.multiprocessors = multiprocessors;
    for (const Keramos::EdgeRules<3>& edges : {Keramos::EdgeRules<3>(Keramos::constant(0)), {Keramos::periodic}})
      check_planned_star<T, Keramos::Star<3, radius>>(edges, plan_of, launch, device);
  }
  const int ran = check_shapes<T, Keramos::Star<3, radius>>( // of single elements
      {6, 33, 131}, Keramos::constant(0), 1, 1, plan_of,
      [&](const Keramos::Kernel& kernel, const auto&, const auto& plan) { launch(kernel, plan, core::StoreValue()); });
  EXPECT_EQ(ran, 1);
  check_planned_star<T, Keramos::Star<3, radius>>(
      Keramos::periodic, [](const auto& request) { return stencil::choose_star(request); },
      [](const auto& kernel, const auto& plan, const auto& epilogue) {
        stencil::library::launch_star<3>(kernel, own_instance(), plan, epilogue);
      });
}

/// Tiles of large grids of odd rows over two axes, of a GPU that this grid is large for.
template <class T>
void check_plane_tiles()
{
  auto device = Keramos::cuda::device_of(own_instance());
  if (device.architecture < 90) return;
  device.multiprocessors = 1;
  const std::int64_t row = 8 * stencil::plane_tile.width(sizeof(T)) + 5;
  for (const Keramos::EdgeRules<2>& edges :
       {Keramos::EdgeRules<2>(Keramos::periodic), {Keramos::constant(1), Keramos::mirror}}) {
    const int ran = check_shapes<T, Keramos::Star<2, stencil::max_plane_star>>(
        {37, row}, edges, 0, 1, [](const auto& request, int) { return stencil::choose_plane(request); },
        [](const Keramos::Kernel& kernel, const auto& space, const auto& plan) {
          EXPECT_TRUE(plan.by_tiles);
          stencil::library::launch_plane(kernel, space, plan, core::StoreValue());
        },
        device);
    EXPECT_EQ(ran, 1);
  }
}

template <class T, int... Tensor, int... Direct>
void check_stars(std::integer_sequence<int, Tensor...>, std::integer_sequence<int, Direct...>)
{
  (check_direct_stars<T, Direct + 1>(), ...);
  const std::array<std::int64_t, 3> narrow{19, 18, 4}; // by rows in shared memory
  check_direct_star<T, stencil::max_direct_radius>(Keramos::periodic, narrow, {{0, 0, 0}, narrow});
  check_small_star<T>();
  check_plane_tiles<T>();
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) (check_tensor_star<T, Tensor + 1>(), ...);
}

TEST(SanitizeStars, TensorDirectAndSmallStars)
{
  const std::make_integer_sequence<int, stencil::max_tensor_star_radius> tensor;
  const std::make_integer_sequence<int, stencil::max_direct_radius> direct;
  check_stars<float>(tensor, direct);
  check_stars<double>(tensor, direct);
}

/// From one of three interleaved components, by partial sums; StencilMarchComponentsTest.cpp compares the bits.
template <class T, int Radius>
void check_march_component()
{
  const std::int64_t nz = 6, ny = 33, nx = 130;
  const Kokkos::View<T*, Kokkos::CudaSpace> memory("components", 4 * nz * ny * nx);
  Kokkos::deep_copy(own_instance(), memory, T(1));
  const StridedView<T, 3> in(memory.data() + 1, Kokkos::LayoutStride(nz, ny * nx * 3, ny, nx * 3, nx, 3));
  const StridedView<T, 3> out(memory.data() + 3 * nz * ny * nx, Kokkos::LayoutStride(nz, ny * nx, ny, nx, nx, 1));
  const Keramos::EdgeRules<3> edges = Keramos::reflect;
  const Keramos::Region<3>* const everywhere = nullptr;
  const core::StencilProblem problem(
      core::stencil_call(Weighted<Keramos::Star<3, Radius>>{}, in, out, edges, everywhere));
  const auto device = Keramos::cuda::device_of(own_instance());
  const auto request = stencil::request_of(device, problem, core::StoreValue());
  const auto plan = stencil::plan_march(request, stencil::march_of_components);
  if (device.architecture >= 90) ASSERT_TRUE(plan) << "radius " << Radius;
  if (plan) stencil::library::launch_march({Backend::cuda, "apply_stencil", plan->variant}, own_instance(), *plan);
  own_instance().fence("the memory goes");
}

TEST(SanitizeStars, MarchesFromComponents)
{
  check_march_component<float, 1>();
  check_march_component<float, 2>();
  check_march_component<float, 3>();
  check_march_component<float, 4>();
  check_march_component<double, 3>();
  check_march_component<double, 4>();
}

TEST(SanitizeStars, StridedStars)
{
  int ran = 0;
  const auto check = [&]<class Star>(const Star&, std::int64_t columns) {
    ran += check_shapes<double, Star>(
        {7, 67, columns}, Keramos::constant(0), 1, 1,
        [](const auto& request, int) { return stencil::plan_strided_star(request); },
        stencil::library::launch_strided_star<double>);
  };
  check(Keramos::Star<3, 1>(), 129);
  check(Keramos::Star<3, 2>(), 257);
  check(Keramos::Star<3, 3>(), 257);
  check(Keramos::Star<3, 4>(), 262);
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) EXPECT_EQ(ran, 4);
}

} // namespace
