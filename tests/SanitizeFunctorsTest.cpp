// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils behind which an epilogue stands, a user's or that of waves, for compute-sanitizer: see SanitizeTest.cpp.
#include "SanitizeStencils.hpp"

namespace {

using namespace test;

// ---- Functors of a user, whose kernels are compiled here ------------------------------------------------------------------

struct OneField {
  static constexpr const char* name = " one field";
  static constexpr int fields = 1;
  template <class Out>
  static auto epilogue(const Out&, const Out& field)
  {
    return Keramos::Epilogue{OneField(), field};
  }
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a) const
  {
    return value - a * centre;
  }
};
struct ThreeFields {
  static constexpr const char* name = " three fields";
  static constexpr int fields = 3;
  template <class Out>
  static auto epilogue(const Out& out, const Out& field)
  {
    return Keramos::Epilogue{ThreeFields(), field, out, field};
  }
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c) const
  {
    return value - a * centre + b * c;
  }
};

/// Reads a View by itself.
template <class View>
struct ReadsView {
  View view;
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j, int k) const
  {
    return value - view(i, j, k) * centre;
  }
};
struct OfIndices {
  static constexpr const char* name = " indices";
  static constexpr int fields = 0;
  template <class Out>
  static auto epilogue(const Out&, const Out& field)
  {
    return ReadsView<Out>{field};
  }
};

/// It calls itself what Op is, and is not: of a user's functor, the tile kernel takes it.
template <class Op>
struct Irregular {
  static constexpr auto shape = Op::shape;
  static constexpr int rank = Op::rank, radius = Op::radius, tap_count = 2;
  std::array<int, rank> offset(int t) const { return {t * (radius + 1)}; }
  double weight(int t) const { return 1 - 0.5 * t; }
};

/// A user's functor on the kernels of its operator, the tile kernel among them.
template <class T, class Op>
void check_fields(const Op& op, const Sizes<Op>& sizes)
{
  check_hows<T, OneField, ThreeFields>(Weighted<Op>{op}, sizes);
  check_hows<T, OneField, ThreeFields>(Irregular<Op>(), sizes);
}

TEST(SanitizeFunctors, FieldsInFloat)
{
  check_fields<float>(Keramos::Star<3, 1>(), {{2, 5, 132}, {3, 4, 36}});
  check_fields<float>(Keramos::Star<3, 4>(), {{2, 5, 132}, {7, 18, 36}});
  check_fields<float>(Keramos::Star<2, 4>(), {{5, 260}, {9, 36}});
  check_plane<float, OneField, ThreeFields>(Keramos::Star<2, 4>());
  for (int axis = 0; axis < 3; ++axis) check_fields<float>(Keramos::Line<3, 2>(axis, {}), {{5, 6, 36}, {3, 5, 132}});
  check_fields<float>(Keramos::Box<3, 1>(), {{3, 5, 36}, {4, 2, 131}});
}
TEST(SanitizeFunctors, FieldsInDouble)
{
  check_fields<double>(Keramos::Star<3, 4>(), {{2, 5, 132}, {7, 18, 36}});
  check_fields<double>(Keramos::Box<2, 1>(), {{5, 36}, {3, 131}});
}

// ---- Marches ----------------------------------------------------------------------------------------------------------

/// The same behind which an epilogue stands: of grids of odd rows, by plan_of(request) and launch(kernel, space, plan, epilogue).
template <class T, class Taps, class How, class PlanOf, class Launch>
void check_march_epilogue(const PlanOf& plan_of, const Keramos::AxisRule& rule, const Launch& launch,
                          const std::array<std::int64_t, Taps::rank>& extents)
{
  namespace stencil = Keramos::cuda::stencil;
  namespace core = Keramos::core;
  using Op = Weighted<Taps>;
  using Case = StencilCase<T, Op>;
  constexpr int rank = Taps::rank;
  using View = typename DeviceArray<T, rank>::View;
  const Array<T, rank> in(extents, Memory::right), out(extents, Memory::right), expected(extents, Memory::right),
      got(extents, Memory::right), field(extents, Memory::right);
  in.randomise(1);
  out.randomise(2);
  field.randomise(3);
  out.for_each([&](const auto& i) { expected.at(i) = out.at(i); });
  run(Backend::reference,
      [&](const auto& exec) { return Case::template call<How>(exec, Op{}, rule, in.view, expected.view, field.view); });
  const auto device = Keramos::cuda::device_of(own_instance());
  const DeviceArray<T, rank> in_there(in, 1), out_there(out, 0), field_there(field, 1);
  const Keramos::Region<rank>* const everywhere = nullptr;
  const Keramos::EdgeRules<rank> edges = rule;
  const core::StencilProblem problem(core::stencil_call(Op{}, in_there.view(), out_there.view(), edges, everywhere));
  const auto epilogue =
      core::bind_epilogue<Op, Exec, View>(problem, How::epilogue(out_there.view(), field_there.view()));
  const auto plan = plan_of(stencil::request_of(device, problem, epilogue));
  if (device.architecture >= 90) ASSERT_TRUE(plan) << "radius " << Taps::radius;
  if (!plan) return;
  const Keramos::Kernel kernel{Backend::cuda, "apply_stencil", plan->variant};
  launch(kernel, own_instance(), *plan, epilogue);
  own_instance().fence("the test reads what was written");
  out_there.download(got);
  const double bound = 4. * (Op::tap_count + How::fields) * std::numeric_limits<T>::epsilon();
  got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << kernel; });
}

/// Rows of 513: a column beside those of whole warps.
template <int Radius>
inline constexpr std::array<std::int64_t, 3> odd_rows{6, 33, Radius == 4 ? 513 : 509};

/// By the shape of this number.
auto march_of_shape(int number)
{
  return [=](const auto& request) { return Keramos::cuda::stencil::plan_march_functor(request, number); };
}

/// A march by single elements.
template <class T, Keramos::cuda::stencil::MarchKind Kind, class Taps, class How>
void check_narrow_functor(const Keramos::AxisRule& rule)
{
  namespace stencil = Keramos::cuda::stencil;
  check_march_epilogue<T, Taps, How>(
      [](const auto& request) { return stencil::plan_narrow_march(request); }, rule,
      [](const auto&... arguments) { stencil::launch_narrow_march_of<Kind, Taps::radius>(arguments...); },
      odd_rows<Taps::radius>);
}

/// A user's functor.
template <class T, int Radius, class How>
void check_march_functor()
{
  namespace stencil = Keramos::cuda::stencil;
  check_narrow_functor<T, stencil::MarchKind::star, Keramos::Star<3, Radius>, How>(rules[Radius % 4]);
  for (int number = 0; number < stencil::march_shapes; ++number) {
    if (!stencil::has_march_functor_shape(Radius, sizeof(T), How::fields, number)) continue;
    const bool wants_zeros = stencil::march_functor_shape(Radius, sizeof(T), How::fields, number).has_row_copies();
    check_march_epilogue<T, Keramos::Star<3, Radius>, How>(
        march_of_shape(number), wants_zeros ? Keramos::AxisRule(Keramos::constant(0)) : rules[Radius % 4],
        [](const auto&... arguments) { stencil::launch_march_functor_of<Radius>(arguments...); }, odd_rows<Radius>);
  }
}

TEST(SanitizeFunctors, MarchesOfBoxes)
{
  using Keramos::cuda::stencil::MarchKind;
  using Box = Keramos::Box<3, 1>;
  check_narrow_functor<float, MarchKind::box, Box, OneField>(Keramos::periodic);
  check_narrow_functor<float, MarchKind::box, Box, ThreeFields>(Keramos::constant(0.5));
  check_narrow_functor<float, MarchKind::sparse, Box, OneField>(Keramos::mirror);
}

/// Planes whose rows are short.
template <class T, class Taps, class How>
void check_narrow_plane(const Keramos::AxisRule& rule)
{
  namespace stencil = Keramos::cuda::stencil;
  using IsStar = std::bool_constant<Taps::shape == Keramos::Shape::star>;
  check_march_epilogue<T, Taps, How>(
      [](const auto& request) { return stencil::plan_narrow_rows(request); }, rule,
      [](const auto&... arguments) { stencil::launch_narrow_rows_of<IsStar::value, Taps::radius>(arguments...); },
      {1501, 35});
}

TEST(SanitizeFunctors, NarrowPlanes)
{
  check_narrow_plane<float, Keramos::Star<2, 4>, OneField>(Keramos::periodic);
  check_narrow_plane<float, Keramos::Star<2, 4>, ThreeFields>(Keramos::mirror);
  check_narrow_plane<double, Keramos::Box<2, 1>, OneField>(Keramos::constant(0.5));
  check_narrow_plane<double, Keramos::Box<2, 1>, ThreeFields>(Keramos::periodic);
}

TEST(SanitizeFunctors, MarchesOfFunctors)
{
  check_march_functor<float, 1, OneField>();
  check_march_functor<float, 1, ThreeFields>();
  check_march_functor<float, 4, OneField>();
  check_march_functor<float, 4, ThreeFields>();
  check_march_functor<double, 4, OneField>();
  check_march_functor<double, 4, ThreeFields>();
  check_march_functor<float, 1, OfIndices>();
  check_march_functor<float, 2, OfIndices>();
  check_march_functor<float, 3, OfIndices>();
  check_march_functor<double, 1, OfIndices>();
  check_march_functor<double, 3, OfIndices>();
  check_march_functor<float, 4, OfIndices>();
  check_march_functor<double, 4, OfIndices>();
}

template <class T>
void check_march_waves()
{
  namespace stencil = Keramos::cuda::stencil;
  constexpr int radius = stencil::march_epilogue_radius;
  for (int number = stencil::functor_pairs;
       stencil::has_march_functor_shape(radius, sizeof(T), Keramos::core::LeapFrogEpilogue<T>::operands, number);
       ++number)
    check_march_epilogue<T, Keramos::Star<3, radius>, WaveUpdate>(
        march_of_shape(number), Keramos::constant(0),
        [](const auto&... arguments) { stencil::library::launch_march_epilogue(arguments...); }, odd_rows<radius>);
}

TEST(SanitizeFunctors, MarchesOfWaves)
{
  check_march_waves<float>();
  check_march_waves<double>();
}

} // namespace
