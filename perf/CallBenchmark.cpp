// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of one small call on the host, beside an empty Kokkos::parallel_for on the same space and the plain loop that
// does the same work. The table of cases is at the end.
#include "Calls.hpp"
#include "PlainStencils.hpp"
#include "PlainSums.hpp"

namespace perf {
namespace {

/// A cube whose indices go round, for the formulas of PlainStencils.hpp. Its side is short, in which the compiler sees that
/// no index overflows.
struct PeriodicCube {
  const float* data;
  short side;

  template <class View>
  explicit PeriodicCube(const View& view) : data(view.data()), side(static_cast<short>(view.extent_int(0)))
  {
  }

  int inside(int index) const { return index < 0 ? index + side : index >= side ? index - side : index; }
  float operator()(int i, int j, int k) const { return data[(inside(i) * side + inside(j)) * side + inside(k)]; }
};

template <class Store>
void over_points(short side, const Store& store)
{
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) store(i, j, k);
}

template <class Formula>
struct StencilLoop {
  Formula formula;
  template <class Data>
  void operator()(const Data& data) const
  {
    const PeriodicCube u(data.in);
    over_points(u.side, [&](int i, int j, int k) { data.out(i, j, k) = formula(u, i, j, k); });
  }
};

/// `in` has a halo.
template <class Formula>
struct GhostLoop {
  Formula formula;
  template <class Data>
  void operator()(const Data& data) const
  {
    constexpr int halo = Data::halo;
    over_points(cube_side,
                [&](int i, int j, int k) { data.out(i, j, k) = formula(data.in, i + halo, j + halo, k + halo); });
  }
};

template <class Formula>
struct WaveLoop {
  Formula formula;
  template <class Data>
  void operator()(const Data& data) const
  {
    const PeriodicCube u(data.in);
    over_points(u.side, [&](int i, int j, int k) {
      data.out(i, j, k) = 2 * u(i, j, k) - data.previous(i, j, k) + data.scale(i, j, k) * formula(u, i, j, k);
    });
  }
};

struct TransposeLoop {
  template <class Data>
  void operator()(const Data& data) const
  {
    for (int i = 0; i < data.out.extent_int(0); ++i)
      for (int j = 0; j < data.out.extent_int(1); ++j) data.out(i, j) = data.in(j, i);
  }
};

struct SumLoop {
  template <class Data>
  void operator()(const Data& data) const
  {
    for (int n = 0; n < data.out.extent_int(0); ++n)
      data.out(n) = plain_sum(data.sources, data.points(n, 0), data.points(n, 1), data.points(n, 2), PlainCoulomb{});
  }
};

StarFormula<float, 4> laplacian_formula()
{
  const auto line = Keramos::FiniteDifference::second_derivative<3, 8>(0, 1.0);
  StarFormula<float, 4> formula;
  for (int r = 0; r <= 4; ++r) formula.weight[r] = static_cast<float>(line.weight(4 + r));
  formula.weight[0] *= 3;
  return formula;
}

template <int Radius>
BoxFormula<float, 3, Radius> box_formula(const Keramos::Box<3, Radius>& box)
{
  BoxFormula<float, 3, Radius> formula;
  for (int t = 0; t < box.tap_count; ++t) formula.weight[t] = static_cast<float>(box.weight(t));
  return formula;
}

template <class Exec, class Data, class Call, class Loop>
void add_call(const std::string& name, Yardstick launch, Data (*make)(), const Call& call, const Loop& loop)
{
  auto the_call = call_case<Exec>(name + ", " + Exec::name(), launch, make, call);
  const auto data = the_call.data;
  the_call.contenders.push_back({"plain loop", batch_of<Exec>([=](const Exec&) { loop(*data); })});
  add("call", the_call.the_case, the_call.contenders);
}

template <class Exec>
void add_calls(Yardstick launch)
{
  const auto box27 = random_box<1>();
  const auto box125 = random_box<2>();
  const auto cube = &make_cube<Exec, 0>;
  add_call<Exec>("star-7 f32 8^3, periodic", launch, cube, StencilOn<Keramos::Star<3, 1>>{small_star()},
                 StencilLoop<StarFormula<float, 1>>{{{-6, 1}}});
  add_call<Exec>("star-7 f32 8^3, ghost", launch, &make_cube<Exec, 1>, StencilOn<Keramos::Star<3, 1>>{small_star()},
                 GhostLoop<StarFormula<float, 1>>{{{-6, 1}}});
  add_call<Exec>("wave update, star-25 f32 8^3, periodic", launch, cube, WaveOn<Keramos::Star<3, 4>>{large_star()},
                 WaveLoop<StarFormula<float, 4>>{laplacian_formula()});
  add_call<Exec>("box-27 f32 8^3, periodic", launch, cube, StencilOn<Keramos::Box<3, 1>>{box27},
                 StencilLoop<BoxFormula<float, 3, 1>>{box_formula(box27)});
  add_call<Exec>("box-125 f32 8^3, periodic", launch, cube, StencilOn<Keramos::Box<3, 2>>{box125},
                 StencilLoop<BoxFormula<float, 3, 2>>{box_formula(box125)});
  add_call<Exec>("transpose f32 64x64", launch, &make_matrices<Exec>, TransposeOf{}, TransposeLoop{});
  add_call<Exec>("Coulomb, 100 points, 100 sources f32", launch, &make_charges<Exec, 100>, CoulombOf{}, SumLoop{});
}

} // namespace

void add_cases()
{
#ifdef KOKKOS_ENABLE_SERIAL
  add_calls<Kokkos::Serial>(Yardstick::serial_launch);
  if constexpr (std::is_same_v<Space, Kokkos::Serial>) return;
#endif
  add_calls<Space>(Yardstick::launch);
}

} // namespace perf
