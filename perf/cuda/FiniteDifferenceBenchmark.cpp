// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 3-D star of order 2 to 12 and the wave equation on a GPU: Keramos beside the classic kernels and plain Kokkos. The
// table of cases is at the end.
#include "../PlainStencils.hpp"
#include "FiniteDifferenceFields.hpp"

#include <Keramos_Stencil.hpp>

namespace perf {

/// One step of the wave equation as one writes it in Kokkos.
template <class Formula>
struct PlainWave {
  Left now, previous, scale, next;
  Formula formula;

  KOKKOS_FUNCTION void operator()(int i, int j, int k) const
  {
    next(i, j, k) = 2 * now(i, j, k) - previous(i, j, k) + scale(i, j, k) * formula(now, i, j, k);
  }
};

namespace {

using Set = const Fields&;
using classic::Part;

/// One size, and what its contenders share.
struct Setting {
  Extents extents;
  Lazy<Ring<Fields>> sets;
  explicit Setting(const Extents& e) : extents(e), sets(make_fields(e)) {}
};

template <int Radius>
using Star = Keramos::Star<3, Radius>;

template <int Radius>
Star<Radius> laplacian()
{
  return Keramos::FiniteDifference::laplacian<3, 2 * Radius>(1.0, 1.0, 1.0);
}

template <int Radius>
ExactStar exact_star(bool zero_outside)
{
  const auto line = Keramos::FiniteDifference::second_derivative<3, 2 * Radius>(0, 1.0);
  ExactStar star{Radius, {}, zero_outside};
  for (int r = 0; r <= Radius; ++r) star.weight[r] = (r == 0 ? 3 : 1) * line.weight(Radius + r);
  return star;
}

template <int Radius>
classic::Weights<Radius> classic_weights()
{
  const ExactStar exact = exact_star<Radius>(false);
  classic::Weights<Radius> weights;
  for (int r = 0; r <= Radius; ++r) weights.weight[r] = static_cast<float>(exact.weight[r]);
  return weights;
}

template <int Radius>
StarFormula<float, Radius> plain_formula()
{
  const auto weights = classic_weights<Radius>();
  StarFormula<float, Radius> formula;
  std::copy(std::begin(weights.weight), std::end(weights.weight), formula.weight);
  return formula;
}

Case case_of(const Setting& setting, const std::string& name, int arrays)
{
  const double points = setting.extents.points(), bytes = arrays * sizeof(float) * points;
  Case the_case{name + " f32 " + setting.extents.text(), points, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (Set set : setting.sets->all()) {
      poison_device(set.out.memory().data(), set.out.memory().size() * sizeof(float));
      poison_device(set.dense_out.data(), set.dense_out.size() * sizeof(float));
    }
  };
  return the_case;
}

template <int Radius>
std::string compare_padded(const Setting& setting, bool wave)
{
  Set set = setting.sets->last();
  return compare(
      {set.out.volume(), set.in.first(), set.out.first(), wave ? set.previous.first() : nullptr, set.scale.first()},
      exact_star<Radius>(false));
}

template <int Radius>
std::string compare_dense(const Setting& setting)
{
  Set set = setting.sets->last();
  const auto [nx, ny, nz] = setting.extents;
  return compare({{nx, ny, nz, nx, std::int64_t{nx} * ny}, set.dense_in.data(), set.dense_out.data(), nullptr, nullptr},
                 exact_star<Radius>(true));
}

Contender contender(const Setting& setting, const std::string& name, double accesses,
                    const std::function<std::string(Set)>& call)
{
  Contender one{name, [=] { return call(setting.sets->next()); }};
  if (accesses > 0) one.columns = [=] { return Columns{{"accesses", accesses}}; };
  return one;
}

// ---- The classics -----------------------------------------------------------------------------------------------------

template <int Radius>
using Launch = void (*)(const float*, float*, const classic::Volume&, const classic::Weights<Radius>&);

template <int Radius>
Contender by_classic(const Setting& setting, const std::string& name, double accesses, Launch<Radius> launch)
{
  return contender(setting, name, accesses, [=](Set set) -> std::string {
    return launch(set.in.first(), set.out.first(), set.in.volume(), classic_weights<Radius>()), "";
  });
}

template <int Radius, int Tile>
Contender in_two_passes(const Setting& setting)
{
  const std::string tile = std::to_string(Tile) + "x" + std::to_string(Tile);
  return by_classic<Radius>(setting, "two passes " + tile, classic::accesses_in_two_passes(Radius, Tile),
                            classic::star_in_two_passes<Radius, Tile>);
}

template <int Radius, int TileX, int TileY, bool Wave = false, Part Does = Part::all>
Contender in_one_pass(const Setting& setting, const std::string& part = "")
{
  const std::string name = "one pass " + std::to_string(TileX) + "x" + std::to_string(TileY) + part;
  const double accesses =
      Does == Part::all ? classic::accesses_plane_by_plane(Radius, TileX, TileY, setting.extents.nz, Wave) : 0;
  Contender one = contender(setting, name, accesses, [=](Set set) -> std::string {
    classic::star_plane_by_plane<Radius, TileX, TileY, Wave, Does>(set.in.first(), set.out.first(), set.in.volume(),
                                                                   classic_weights<Radius>(),
                                                                   {set.previous.first(), set.scale.first()});
    return "";
  });
  if (Does != Part::all) { // a part of the work has no answer
    one.mistake = [] { return ""; };
    one.rival = false;
  }
  return one;
}

// ---- Keramos and plain Kokkos -------------------------------------------------------------------------------------------

template <int Radius>
std::vector<Contender> by_keramos(const Setting& setting)
{
  const auto op = laplacian<Radius>();
  const Keramos::EdgeRules<3> halo = Keramos::ghost, zero = Keramos::constant(0);
  Contender dense = contender(setting, "Keramos, no halo, zero outside", 0, [=](Set set) {
    return name_of(Keramos::apply_stencil(Gpu(), op, set.dense_in, set.dense_out, zero));
  });
  dense.mistake = [=] { return compare_dense<Radius>(setting); };
  return {contender(setting, "Keramos", 0,
                    [=](Set set) {
                      return name_of(Keramos::apply_stencil(Gpu(), op, set.in.view(Radius), set.out.view(0), halo));
                    }),
          dense};
}

using Tile = std::array<int, 3>;
constexpr Tile tuned{32, 8, 1}; // the best of thirteen tried on an H200, by up to 2%

template <class MakeBody>
std::vector<Contender> by_kokkos(const Setting& setting, const MakeBody& make_body)
{
  const auto plain = [=](const std::string& name, const Tile& tile) {
    return contender(setting, name, 0, [=](Set set) -> std::string {
      over_inner_points("perf::plain stencil", set.in.left(), {margin_x, max_radius, max_radius}, tile, make_body(set));
      return "";
    });
  };
  const std::string name = std::to_string(tuned[0]) + "x" + std::to_string(tuned[1]) + "x" + std::to_string(tuned[2]);
  return {plain("Kokkos MDRange", {}), plain("Kokkos MDRange, tile " + name, tuned)};
}

// ---- Cases ----------------------------------------------------------------------------------------------------------

void append(std::vector<Contender>& all, const std::vector<Contender>& more)
{
  all.insert(all.end(), more.begin(), more.end());
}

template <int Radius>
void add_order(const Setting& setting)
{
  const std::string name = "order " + std::to_string(2 * Radius) + " (star-" + std::to_string(6 * Radius + 1) + ")";
  Case the_case = case_of(setting, name, 2);
  the_case.mistake = [=](double) { return compare_padded<Radius>(setting, false); };
  auto contenders = by_keramos<Radius>(setting);
  contenders.push_back(by_classic<Radius>(setting, "one thread a point", classic::accesses_from_global_memory(Radius),
                                          classic::star_from_global_memory<Radius>));
  append(contenders,
         {in_two_passes<Radius, 16>(setting), in_two_passes<Radius, 32>(setting), in_two_passes<Radius, 56>(setting),
          in_one_pass<Radius, 16, 16>(setting), in_one_pass<Radius, 32, 32>(setting)});
  if constexpr (Radius == 1) // the study of tiles
    append(contenders, {in_one_pass<1, 32, 16>(setting), in_one_pass<1, 64, 8>(setting)});
  append(contenders, by_kokkos(setting, [](Set set) {
           using Formula = StarFormula<float, Radius>;
           return AtEachPoint<Left, Left, Formula>{set.in.left(), set.out.left(), plain_formula<Radius>()};
         }));
  add("cuda_finite_difference", the_case, contenders);
}

/// 33 flops a point, and 5 accesses with tiles of 16x16.
void add_wave_at(const Setting& setting)
{
  Case the_case = case_of(setting, "wave of order 8", 4);
  the_case.mistake = [=](double) { return compare_padded<4>(setting, true); };
  const auto op = laplacian<4>();
  const Keramos::EdgeRules<3> halo = Keramos::ghost;
  std::vector<Contender> contenders{
      contender(setting, "Keramos", 0,
                [=](Set set) {
                  return name_of(Keramos::apply_stencil(Gpu(), op, set.in.view(4), set.out.view(0), halo,
                                                        Keramos::LeapFrog{set.previous.view(0), set.scale.view(0)}));
                }),
      in_one_pass<4, 16, 16, true>(setting), in_one_pass<4, 32, 32, true>(setting)};
  append(contenders, by_kokkos(setting, [](Set set) {
           return PlainWave<StarFormula<float, 4>>{set.in.left(), set.previous.left(), set.scale.left(), set.out.left(),
                                                   plain_formula<4>()};
         }));
  add("cuda_finite_difference", the_case, contenders);
}

void add_wave(const Extents& extents)
{
  add_near(std::array<std::int64_t, 3>{extents.nx, extents.ny, extents.nz}, [](const auto& near) {
    add_wave_at(Setting(Extents{static_cast<int>(near[0]), static_cast<int>(near[1]), static_cast<int>(near[2])}));
  });
}

/// What bounds the one-pass kernel: its arithmetic, its writes and its reads alone, beside all of it.
void add_parts(const Setting& setting)
{
  Case the_case = case_of(setting, "parts of order 8", 2);
  the_case.mistake = [=](double) { return compare_padded<4>(setting, false); };
  add("cuda_finite_difference", the_case,
      {in_one_pass<4, 16, 16>(setting), in_one_pass<4, 16, 16, false, Part::arithmetic>(setting, ", arithmetic only"),
       in_one_pass<4, 16, 16, false, Part::writes>(setting, ", writes only"),
       in_one_pass<4, 16, 16, false, Part::reads>(setting, ", reads only"), in_one_pass<4, 32, 32>(setting),
       in_one_pass<4, 32, 32, false, Part::arithmetic>(setting, ", arithmetic only"),
       in_one_pass<4, 32, 32, false, Part::writes>(setting, ", writes only"),
       in_one_pass<4, 32, 32, false, Part::reads>(setting, ", reads only")});
}

} // namespace

void add_cases()
{
  const std::vector<Extents> of_the_article{{480, 480, 100}, {640, 640, 400}, {512, 512, 512}};
  auto sizes = sized<std::vector<Extents>>({{160, 160, 100}}, of_the_article);
  if (effort() == Effort::full) sizes.push_back({1024, 1024, 512});
  for (const Extents& size : sizes) {
    const Setting setting(size);
    add_order<1>(setting);
    add_order<2>(setting);
    add_order<3>(setting);
    add_order<4>(setting);
    add_order<5>(setting);
    add_order<6>(setting);
    add_wave(size);
    add_parts(setting);
  }
  for (const Extents& size : sized<std::vector<Extents>>({}, {{1024, 1024, 512}, {1000, 1000, 1000}})) add_wave(size);
}

} // namespace perf
