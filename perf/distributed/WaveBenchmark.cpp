// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of the wave equation, of order 8 in space and 2 in time, in slabs along View index 0: the same points by one call of one
// process, by Keramos over ranks, and by the scheme of
//
//   P. Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2 (2009), section 4
#include "ClassicWave.hpp"
#include "Links.hpp"
#include "WaveFields.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

namespace perf::distributed {
namespace {

using Keramos::Overlap;

Laplacian laplacian() { return Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0); }

/// What all contenders of a case work on: each rank's slab, and what one process has alone.
struct Waves {
  Point3 extents;
  Wave slab, alone;
  std::map<std::string, WaveFields> by_way;
  std::unique_ptr<ClassicWave> classic;

  WaveFields& fields(const Way& way)
  {
    auto known = by_way.find(way.name);
    if (known == by_way.end()) known = by_way.emplace(way.name, fields_by(way, slab, extents)).first;
    return known->second;
  }
};

/// One case. Alone is one process: on a GPU each rank is one by itself, at the same time as the others; on a host rank 0 with the
/// threads of all.
struct Sizes {
  Point3 extents;     ///< of all ranks together
  std::int64_t alone; ///< planes of the one that is alone
  int calls;
};

Waves make_waves(const Sizes& sizes)
{
  const auto& [nx, ny, nz] = sizes.extents;
  const auto cuts = Keramos::core::even_cuts(nx, ranks());
  const auto me = static_cast<std::size_t>(rank());
  const bool is_alone = !Keramos::core::is_host<Exec> || rank() == 0;
  Waves waves{sizes.extents,
              make_wave(Box3({cuts[me], 0, 0}, {cuts[me + 1], ny, nz}), wave_radius),
              make_wave(Box3({0, 0, 0}, {is_alone ? sizes.alone : 0, ny, nz}), 0),
              {},
              nullptr};
  poison(waves.alone); // also where it is only what others are measured by
  return waves;
}

std::string step(Waves& waves, const Way& way, Overlap overlap)
{
  Wave& wave = waves.slab;
  const WaveFields& fields = waves.fields(way);
  const auto at = [&](int later) -> const Field& {
    return fields.at[static_cast<std::size_t>((wave.steps + later) % 3)];
  };
  std::ostringstream kernel;
  kernel << Keramos::apply_stencil(exec(), laplacian(), at(0), at(1), Keramos::constant(0),
                                   Keramos::LeapFrog{at(2), fields.scale}, overlap);
  ++wave.steps;
  return kernel.str();
}

std::string step_alone(Wave& wave)
{
  if (wave.now().size() == 0) return "";
  const auto kernel = Keramos::apply_stencil(Exec(), laplacian(), wave.now(), wave.next(), Keramos::constant(0),
                                             Keramos::LeapFrog{wave.before(), wave.scale});
  ++wave.steps;
  return name_of(kernel);
}

/// For the model of the article: what a step has to send to one neighbour, and the points that wait for it.
Columns model_of(const Sizes& sizes, const Way& way)
{
  const auto& [nx, ny, nz] = sizes.extents;
  const double bytes = static_cast<double>(wave_radius * ny * nz) * sizeof(float);
  const double boundary =
      static_cast<double>(wave_radius * std::min(ranks() - 1, 2) * ranks()) / static_cast<double>(nx);
  return {{"message_s", link_model(way.name).seconds(bytes)}, {"boundary", boundary}};
}

Contender distributed(const Lazy<Waves>& waves, const Sizes& sizes, const Way& way)
{
  Contender contender{"Keramos, " + way.name, [=] { return step(*waves, way, Overlap::on); }};
  contender.columns = [=] { return model_of(sizes, way); };
  return contender;
}

std::vector<Contender> contenders_of(const Lazy<Waves>& waves, const Sizes& sizes)
{
  Contender alone{"alone", [=] { return step_alone(waves->alone); }};
  alone.share = static_cast<double>(sizes.alone) / static_cast<double>(sizes.extents[0]);
  if (!Keramos::core::is_host<Exec>) alone.share *= ranks();
  alone.before = [=] { poison(waves->alone); };
  alone.mistake = [=] { return mistake(waves->alone, laplacian(), waves->alone.owned); };
  std::vector<Contender> result{alone};
  if (ranks() == 1) return result;
  for (const Way& way : ways()) {
    result.push_back(distributed(waves, sizes, way));
    result.push_back({"Keramos, " + way.name + ", Overlap::off", [=] { return step(*waves, way, Overlap::off); }});
  }
  Contender current{"Keramos, Overlap::current", [=] { return step(*waves, ways()[0], Overlap::current); }};
  current.before = [=] {
    for (const Volume& view : waves->slab.at) zero_halo(view);
    Keramos::exchange_halo(exec(), waves->fields(ways()[0]).at[0],
                           {Keramos::constant(0), Keramos::constant(0), Keramos::constant(0)});
  };
  result.push_back(current);
  Contender classic{"boundary first (2009), mpi", [=] { return waves->classic->step(waves->slab); }};
  classic.before = [=] {
    if (!waves->classic) waves->classic = std::make_unique<ClassicWave>(laplacian(), waves->slab);
    waves->classic->exchange(waves->slab.now());
  };
  result.push_back(classic);
  return result;
}

void add_wave(const std::string& name, const Sizes& sizes)
{
  const Lazy<Waves> waves([=] { return make_waves(sizes); });
  const auto& [nx, ny, nz] = sizes.extents;
  const Box3 domain({0, 0, 0}, sizes.extents);
  Case the_case{"wave " + name, static_cast<double>(nx * ny * nz), sizes.calls, {}, {}};
  the_case.poison = [=] { poison(waves->slab); };
  the_case.mistake = [=] { return mistake(waves->slab, laplacian(), domain); };
  if (Keramos::core::is_host<Exec>) the_case.measure = [=] { step_alone(waves->alone); };
  add(the_case, contenders_of(waves, sizes));
}

std::string cube(std::int64_t side) { return std::to_string(side) + "^3"; }

void add_weak(std::int64_t side, int calls)
{
  add_wave(cube(side) + " each", {{side * ranks(), side, side}, side, calls});
}

void add_strong(std::int64_t side, int calls) { add_wave(cube(side) + " in all", {{side, side, side}, side, calls}); }

} // namespace

void add_waves()
{
  if (Keramos::core::is_host<Exec>) return add_strong(sized<std::int64_t>(64, 256), 4);
  add_weak(sized<std::int64_t>(64, 256), 60);
  if (effort() == Effort::quick) return;
  add_weak(512, 15);
  add_strong(1024, 5);
}

} // namespace perf::distributed
