// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars from, into and between components that are interleaved, by partial sums (backends/cuda/stencil/March.hpp): they have the bits of the kernel
// that older GPUs take at every edge rule, alignment and shape of a tile, in Regions and sub-views, and leave the other components alone.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;

using Index = std::array<std::int64_t, 3>;

/// One of `components` that are interleaved, whose rows and planes end with so many points and rows more.
template <class T>
struct Field {
  Kokkos::View<T*, Shared> buffer;
  StridedView<T, 3> view;

  Field(const Index& extents, int components, int component, std::int64_t more)
  {
    const std::int64_t row = (extents[2] + more) * components, plane = row * (extents[1] + more % 2);
    buffer = Kokkos::View<T*, Shared>("buffer", plane * extents[0]);
    const Kokkos::LayoutStride layout(extents[0], plane, extents[1], row, extents[2], components);
    view = StridedView<T, 3>(buffer.data() + component, layout);
    fill(1);
  }
  void fill(unsigned seed) const
  {
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      buffer(i) = T(seed >> 8) / T(1 << 23) - 1;
    }
  }
};

struct Components {
  int in, out;
};

/// Returns how many shapes were there to compare.
template <class T, int Radius>
int check(const Keramos::EdgeRules<3>& rules, const Index& extents, const Components& components, int component,
          std::int64_t more, const Keramos::Region<3>& region)
{
  using Op = Weighted<Keramos::Star<3, Radius>>;
  Index grown = extents;
  for (int k = 0; k < 3; ++k) grown[k] += ghost_sides(rules[k]) * Radius;
  const Field<T> in(grown, components.in, component % components.in, more);
  const Field<T> expected(extents, components.out, component % components.out, 3 - more);
  const Field<T> out(extents, components.out, component % components.out, 3 - more);
  in.fill(7);
  apply_as_older<Op>(in.view, expected.view, rules, region, core::StoreValue());
  const core::StencilProblem problem(core::stencil_call(Op{}, in.view, out.view, rules, &region));
  const auto device = Keramos::cuda::device_of(own_instance());
  int compared = 0;
  for (int number = 0; number < stencil::march_shapes; ++number) {
    auto plan = stencil::plan_march(stencil::request_of(device, problem, core::StoreValue()), number);
    if (!plan) continue;
    EXPECT_EQ(number == stencil::march_of_components, components.in > 1);
    if (more % 2 == 0) plan->arguments.groups.steps = static_cast<int>(plan->arguments.chunk) + 2 * Radius;
    out.fill(1);
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    launch_and_wait([&] { stencil::library::launch_march(name, own_instance(), *plan); });
    EXPECT_EQ(std::memcmp(out.buffer.data(), expected.buffer.data(), out.buffer.size() * sizeof(T)), 0)
        << plan->variant.str() << " component " << component << " more " << more;
    ++compared;
  }
  return compared;
}

template <class T, int Radius>
void check_component(const Components& components)
{
  int turn = 0, compared = 0;
  const auto compare = [&](const Keramos::EdgeRules<3>& rules, const Index& n) {
    SCOPED_TRACE(testing::Message() << "radius " << Radius << " turn " << turn);
    compared += check<T, Radius>(rules, n, components, turn % 3, turn % 4, {{0, 0, 0}, n});
    compared += check<T, Radius>(rules, n, components, turn % 3, turn % 4,
                                 {{1, 2, 3 + turn % 4}, {n[0] - 1, n[1] - 2, n[2] - turn % 5}});
    ++turn;
  };
  for (const auto& rules : all_rules) compare(rules, {9 + turn % 3, 45 + turn, 257 + 5 * turn});
  for (const std::int64_t nx : {63, 65, 128, 129, 130, 256, 387}) {
    compare(Keramos::constant(0), {7, 36, nx});
    compare(Keramos::ghost, {7, 43, nx});
    compare(Keramos::sides(Keramos::ghost, Keramos::mirror), {8, 67, nx});
  }
  EXPECT_GT(compared, 16);
}

TEST(StencilMarchComponents, Bits)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  check_component<float, 1>({3, 1});
  check_component<float, 2>({3, 1});
  check_component<float, 3>({3, 2});
  check_component<float, 4>({3, 1});
  check_component<float, 4>({3, 3});
  check_component<double, 3>({3, 1});
  check_component<double, 4>({3, 3});
}

template <class T, int Radius>
std::string taken(const Index& extents, int components, int out_components = 1)
{
  T element = 0; // a dry run reads nothing
  const auto [nz, ny, nx] = extents;
  const auto layout = [&](int step) { return Kokkos::LayoutStride(nz, ny * nx * step, ny, nx * step, nx, step); };
  const StridedView<T, 3> in(&element, layout(components)),
      out(&element + nz * ny * nx * components, layout(out_components));
  const Keramos::Kernel kernel = Keramos::apply_stencil(
      Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, Radius>>{}, in, out, Keramos::constant(0));
  return kernel.variant.str();
}

/// Where tiles fit the grid and chunks are long, and the other kernel's do not.
TEST(StencilMarchComponents, IsTakenWhereTilesFit)
{
  if (!is_hopper()) GTEST_SKIP() << "bulk copies begin with sm_90";
  EXPECT_EQ((taken<float, 1>({509, 511, 513}, 3)), "star<3,1> partial sums 129x32");
  EXPECT_EQ((taken<float, 2>({509, 511, 513}, 3)), "star<3,2> partial sums 129x32");
  EXPECT_EQ((taken<float, 2>({512, 512, 512}, 3)), "star<3,2> partial sums 128x32");
  EXPECT_EQ((taken<float, 3>({509, 511, 513}, 3)), "star<3,3> partial sums 129x32");
  EXPECT_EQ((taken<float, 4>({509, 511, 513}, 3)), "star<3,4> partial sums 129x32");
  EXPECT_EQ((taken<float, 4>({509, 511, 513}, 3, 3)), "star<3,4> partial sums 129x32");
  EXPECT_EQ((taken<float, 4>({512, 512, 512}, 3)), "star<3,4> tile 128x32 v1");
  EXPECT_EQ((taken<float, 4>({400, 400, 400}, 3)), "star<3,4> tile 128x32 v1");
  EXPECT_EQ((taken<float, 4>({200, 640, 641}, 3)), "star<3,4> tile 128x32 v1");
  EXPECT_EQ((taken<float, 4>({509, 511, 513}, 2)), "star<3,4> tile 128x32 v1");
  EXPECT_EQ((taken<float, 4>({509, 511, 513}, 1, 3)), "star<3,4> tile 128x32 v1");
  EXPECT_EQ((taken<double, 3>({509, 511, 513}, 3)), "star<3,3> partial sums 65x32");
  EXPECT_EQ((taken<double, 4>({509, 511, 513}, 3)), "star<3,4> partial sums 65x32");
  EXPECT_EQ((taken<double, 4>({301, 301, 301}, 3)), "star<3,4> tile 64x32 v1");
  EXPECT_EQ((taken<double, 1>({509, 511, 513}, 3)), "star<3,1> tile 64x32 v1");
}

} // namespace
