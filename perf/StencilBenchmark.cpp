// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stencils beside plain Kokkos, functors behind them beside the epilogue that is ready-made, and small grids, in the caches, beside plain
// loops. The table of cases is at the end.
#include "PlainStencils.hpp"
#include "StencilFields.hpp"

#include <Keramos_Stencil.hpp>

namespace perf {
namespace {

namespace fd = Keramos::FiniteDifference;

template <class Op>
double sum_of_weights(const Op& op)
{
  double sum = 0;
  for (int t = 0; t < Op::tap_count; ++t) sum += std::abs(op.weight(t));
  return sum;
}

/// The reach of an operator along each axis.
template <class Op>
Margin<Op::rank> reach(const Op& op)
{
  Margin<Op::rank> result{};
  for (int t = 0; t < Op::tap_count; ++t)
    for (int axis = 0; axis < Op::rank; ++axis) result[axis] = std::max(result[axis], std::abs(op.offset(t)[axis]));
  return result;
}

/// What one call does to a cube: how many arrays each point is read from and written to once.
template <int Rank>
struct Traffic {
  int side, arrays;
  Margin<Rank> margin;
};

template <class T, int Rank>
Case stencil_case(const std::string& name, const Traffic<Rank>& traffic, int calls)
{
  double points = 1;
  for (int axis = 0; axis < Rank; ++axis) points *= traffic.side - 2 * traffic.margin[axis];
  const std::string size = std::to_string(traffic.side) + "^" + std::to_string(Rank);
  return {name + (sizeof(T) == 4 ? " f32 " : " f64 ") + size,
          points,
          points * traffic.arrays * sizeof(T),
          Yardstick::copy,
          {},
          {},
          calls};
}

template <class T, int Rank, class In = Array<T, Rank>>
struct Setting {
  Lazy<Fields<T, Rank, In>> fields;
  int side;
  std::array<int, Rank> tile; ///< of plain Kokkos, the best of ten tried
  int calls;                  ///< in a repetition

  Setting(int the_side, std::array<int, Rank> the_tile, int the_calls = 1)
      : fields([=] { return make_fields<T, Rank, In>(the_side); }), side(the_side), tile(the_tile), calls(the_calls)
  {
  }
  bool is_small() const { return calls > 1; }
};

template <class T>
Setting<T, 3> small_setting(int side)
{
  return Setting<T, 3>(side, {4, 4, 64}, std::max(2, sized(400'000, 4'000'000) / (side * side * side)));
}

template <class T, int Rank, class In, class Body>
std::vector<Contender> plain_kokkos(const Setting<T, Rank, In>& setting, const Margin<Rank>& margin, const Body& plain)
{
  const auto mdrange = [=, fields = setting.fields](std::array<int, Rank> tile) {
    return [=]() -> std::string {
      over_inner_points("perf::plain stencil", fields->in, margin, tile, plain(*fields));
      return "";
    };
  };
  std::string tile = "tile";
  for (const int length : setting.tile) tile += (tile == "tile" ? " " : "x") + std::to_string(length);
  return {{"Kokkos MDRange", mdrange({})}, {"Kokkos MDRange, " + tile, mdrange(setting.tile)}};
}

/// Any call: compute(exec, out, region) is Keramos', where region may be missing; plain(u) is the formula beside it.
template <class T, int Rank, class In, class Compute, class Body>
void add_stencil(const std::string& name, const Setting<T, Rank, In>& setting, const Traffic<Rank>& traffic,
                 double tolerance, const Compute& compute, const Body& plain, const std::vector<Contender>& beside = {})
{
  const auto fields = setting.fields;
  Case the_case = stencil_case<T, Rank>(name, traffic, setting.calls);
  the_case.poison = [=] { poison(fields->out); };
  the_case.mistake = [=](double) {
    return compare(*fields, traffic.margin, tolerance,
                   [&](auto&&... arguments) { return compute(*fields, arguments...); });
  };
  std::vector<Contender> contenders{{"Keramos", [=] { return name_of(compute(*fields, Space(), fields->out)); }}};
  contenders.insert(contenders.end(), beside.begin(), beside.end());
  if constexpr (!std::is_same_v<Body, std::nullptr_t>) {
    if constexpr (Rank == 3)
      if (setting.is_small())
        contenders.push_back({"plain loop over planes", [=]() -> std::string {
                                over_planes("perf::plain loop", fields->in, traffic.margin, plain(*fields));
                                return "";
                              }});
    if (!setting.is_small())
      for (const Contender& one : plain_kokkos<T, Rank, In>(setting, traffic.margin, plain)) contenders.push_back(one);
  }
  add("stencil", the_case, contenders);
}

/// out = op(in), at the points whose neighbourhood lies inside, beside a formula of plain Kokkos. Reading one of three interleaved
/// components moves all of them.
template <class T, int Rank, class In, class Op, class Formula>
void add_operator(const std::string& name, const Setting<T, Rank, In>& setting, const Op& op, const Formula& formula)
{
  constexpr int arrays = std::is_same_v<In, Array<T, Rank>> ? 2 : 4;
  const double tolerance = Op::tap_count * std::numeric_limits<T>::epsilon() * sum_of_weights(op);
  add_stencil<T, Rank>(
      name, setting, {setting.side, arrays, reach(op)}, tolerance,
      [=](const Fields<T, Rank, In>& f, const auto& exec, const auto& out, const auto&... region) {
        return Keramos::apply_stencil(exec, op, f.in, out, Keramos::interior, region...);
      },
      [=](const Fields<T, Rank, In>& f) {
        return AtEachPoint<In, Array<T, Rank>, Formula>{f.in, f.out, formula};
      });
}

/// The same at all points, under an edge rule; plain Kokkos has nothing short beside it.
template <class T, int Rank, class Op>
void add_with_edges(const std::string& name, const Setting<T, Rank>& setting, const Op& op,
                    const std::type_identity_t<Keramos::EdgeRules<Rank>>& edges)
{
  const double tolerance = Op::tap_count * std::numeric_limits<T>::epsilon() * sum_of_weights(op);
  add_stencil<T, Rank>(
      name, setting, {setting.side, 2, {}}, tolerance,
      [=](const Fields<T, Rank>& f, const auto& exec, const auto& out, const auto&... region) {
        return Keramos::apply_stencil(exec, op, f.in, out, edges, region...);
      },
      nullptr);
}

/// One time step of the wave equation: reads the wave at two times and c^2 dt^2, writes the third time.
template <class Formula>
struct WaveBody {
  Array<float, 3> now, previous, scale, next;
  Formula formula;

  KOKKOS_FUNCTION void operator()(int i, int j, int k) const
  {
    next(i, j, k) = 2 * now(i, j, k) - previous(i, j, k) + scale(i, j, k) * formula(now, i, j, k);
  }
};

template <class Op, class Formula>
void add_wave(const Setting<float, 3>& setting, const Op& op, const Formula& formula)
{
  const double tolerance = (Op::tap_count + 3) * std::numeric_limits<float>::epsilon() * (sum_of_weights(op) + 3);
  add_stencil<float, 3>(
      "wave update", setting, {setting.side, 4, reach(op)}, tolerance,
      [=](const Fields<float, 3>& f, const auto& exec, const auto& out, const auto&... region) {
        return Keramos::apply_stencil(exec, op, f.in, out, Keramos::interior, Keramos::LeapFrog{f.previous, f.scale},
                                      region...);
      },
      [=](const Fields<float, 3>& f) {
        return WaveBody<Formula>{f.in, f.previous, f.scale, f.out, formula};
      });
}

/// A functor that returns the sum, beside the plain store, and the leap-frog's formula as one, beside LeapFrog.
template <class T, class Op>
void add_functors(const std::string& name, const Setting<T, 3>& setting, const Op& op)
{
  using F = Fields<T, 3>;
  const double tolerance = (Op::tap_count + 3) * std::numeric_limits<T>::epsilon() * (sum_of_weights(op) + 3);
  const auto ready = [&](const auto&... epilogue_of) {
    return std::vector<Contender>{{"Keramos, ready-made", [=, fields = setting.fields] {
                                     return name_of(Keramos::apply_stencil(Space(), op, fields->in, fields->out,
                                                                           Keramos::interior, epilogue_of(*fields)...));
                                   }}};
  };
  const auto add_one = [&](const std::string& what, int arrays, const auto& epilogue_of, const auto& beside) {
    add_stencil<T, 3>(
        what + name, setting, {setting.side, arrays, reach(op)}, tolerance,
        [=](const F& f, const auto& exec, const auto& out, const auto&... region) {
          return Keramos::apply_stencil(exec, op, f.in, out, Keramos::interior, epilogue_of(f), region...);
        },
        nullptr, beside);
  };
  const auto same = KOKKOS_LAMBDA(T value, T, int, int, int) { return value; };
  const auto step = KOKKOS_LAMBDA(T value, T centre, T previous, T scale)
  {
    return 2 * centre - previous + scale * value;
  };
  add_one(
      "functor behind ", 2, [=](const F&) { return same; }, ready());
  add_one(
      "leap-frog's formula behind ", 4,
      [=](const F& f) {
        return Keramos::Epilogue{step, f.previous, f.scale};
      },
      ready([](const F& f) {
        return Keramos::LeapFrog{f.previous, f.scale};
      }));
}

template <int Axis>
void add_derivative(const Setting<float, 3>& setting)
{
  const auto op = fd::first_derivative<3, 8>(Axis, 1.0);
  DerivativeFormula<float, 4, Axis> formula{};
  for (int r = 1; r <= 4; ++r) formula.weight[r] = op.weight(4 + r);
  add_operator("d/dx" + std::to_string(Axis) + ", 9 points", setting, op, formula);
}

template <int Rank>
Keramos::Box<Rank, 1> random_box()
{
  std::array<double, Keramos::Box<Rank, 1>::tap_count> weights;
  for (std::size_t n = 0; n < weights.size(); ++n) weights[n] = random_number<double>(n);
  return Keramos::Box<Rank, 1>(weights);
}

template <class T, int Rank>
BoxFormula<T, Rank> box_formula(const Keramos::Box<Rank, 1>& box)
{
  BoxFormula<T, Rank> formula;
  for (int t = 0; t < box.tap_count; ++t) formula.weight[t] = static_cast<T>(box.weight(t));
  return formula;
}

template <class T>
StarFormula<T, 4> laplacian_formula()
{
  const auto line = fd::second_derivative<3, 8>(0, 1.0);
  StarFormula<T, 4> formula;
  for (int r = 0; r <= 4; ++r) formula.weight[r] = static_cast<T>(line.weight(4 + r));
  formula.weight[0] *= 3;
  return formula;
}

} // namespace

void add_cases()
{
  const Setting<float, 3> volume(sized(160, 512), {4, 4, 64});
  const Setting<float, 3> odd_volume(sized(150, 500), {4, 4, 64}); // no power of two between rows and planes
  const Setting<double, 3> volume64(sized(128, 400), {4, 4, 64});
  const Setting<float, 3, Component<float>> components(sized(128, 400), {4, 4, 64});
  const Setting<double, 3, Component<double>> components64(sized(96, 320), {4, 4, 64});
  const Setting<float, 2> plane(sized(2048, 8192), {16, 256});
  const auto laplacian = fd::laplacian<3, 8>(1.0, 1.0, 1.0);
  const auto box27 = random_box<3>();
  const auto box9 = random_box<2>();

  add_operator("star-25", volume, laplacian, laplacian_formula<float>());
  add_with_edges("star-25, constant", volume, laplacian, Keramos::constant(0));
  add_with_edges("star-25, periodic", volume, laplacian, Keramos::periodic);
  add_wave(volume, laplacian, laplacian_formula<float>());
  add_operator("star-7", volume, Keramos::Star<3, 1>(-6, {1}), StarFormula<float, 1>{{-6, 1}});
  add_operator("box-27", volume, box27, box_formula<float, 3>(box27));
  add_derivative<0>(volume);
  add_derivative<1>(volume);
  add_derivative<2>(volume);
  add_operator("star-25", odd_volume, laplacian, laplacian_formula<float>());
  add_wave(odd_volume, laplacian, laplacian_formula<float>());
  add_operator("star-25", volume64, laplacian, laplacian_formula<double>());
  add_operator("star-7, one of 3 components", components, Keramos::Star<3, 1>(-6, {1}), StarFormula<float, 1>{{-6, 1}});
  add_operator("star-25, one of 3 components", components, laplacian, laplacian_formula<float>());
  add_operator("star-7, one of 3 components", components64, Keramos::Star<3, 1>(-6, {1}),
               StarFormula<double, 1>{{-6, 1}});
  add_operator("star-25, one of 3 components", components64, laplacian, laplacian_formula<double>());
  add_operator("star-5", plane, Keramos::Star<2, 1>(-4, {1}), StarFormula<float, 1>{{-4, 1}});
  add_operator("box-9", plane, box9, box_formula<float, 2>(box9));

  const Keramos::Star<3, 1> star7(-6, {1});
  add_functors("star-7", volume, star7);
  add_functors("star-25", volume, laplacian);
  add_functors("star-7", volume64, star7);
  add_functors("star-7", small_setting<float>(64), star7);
  add_functors("star-7", small_setting<double>(64), star7);
  for (const int side : sized<std::vector<int>>({16}, {16, 32, 64})) {
    const auto small = small_setting<float>(side);
    const auto small64 = small_setting<double>(side);
    add_operator("star-7", small, star7, StarFormula<float, 1>{{-6, 1}});
    add_operator("star-25", small, laplacian, laplacian_formula<float>());
    add_derivative<2>(small);
    add_operator("star-7", small64, star7, StarFormula<double, 1>{{-6, 1}});
    add_operator("star-25", small64, laplacian, laplacian_formula<double>());
  }
}

} // namespace perf
