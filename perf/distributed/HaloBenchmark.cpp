// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exchange_halo of four planes of 512 x 512 numbers, 4 MiB each way between neighbours, by every transport beside the bare link.
// The ends of the axis are no neighbours: of two ranks each has one.
#include "Fields.hpp"
#include "Links.hpp"

#include <map>

namespace perf::distributed {
namespace {

constexpr std::int64_t width = 4;
constexpr std::uint64_t seed = 1;

struct Slabs {
  Point3 extents;
  Keramos::Halo<3> halo;
  Volume view;
  std::map<std::string, Field> by_way; ///< all of them over the same View

  Field& field(const Way& way)
  {
    auto known = by_way.find(way.name);
    if (known == by_way.end()) known = by_way.emplace(way.name, field_by(way, view, extents, halo)).first;
    return known->second;
  }
};

std::int64_t planes_of_rank() { return sized(16, 64); }

Slabs make_slabs(std::int64_t side, const Keramos::Halo<3>& halo)
{
  const auto length = [&](int axis, std::int64_t points) {
    return static_cast<std::size_t>(points + halo.low[axis] + halo.high[axis]);
  };
  return {{planes_of_rank() * ranks(), side, side},
          halo,
          Volume("slab", length(0, planes_of_rank()), length(1, side), length(2, side)),
          {}};
}

Placed placed(const Slabs& slabs)
{
  return {slabs.view, {planes_of_rank() * rank() - slabs.halo.low[0], -slabs.halo.low[1], -slabs.halo.low[2]}};
}

void add_halo(const std::string& name, const Keramos::Halo<3>& halo)
{
  const std::int64_t side = sized(64, 512);
  const Lazy<Slabs> slabs([=] { return make_slabs(side, halo); });
  const std::int64_t begin = planes_of_rank() * rank();
  const std::size_t bytes = static_cast<std::size_t>(width * side * side) * sizeof(float);
  Case the_case{
      "halo 4x" + std::to_string(side) + "x" + std::to_string(side) + name, static_cast<double>(bytes), 50, {}, {}};
  the_case.poison = [=] { fill(placed(*slabs), Box3({begin, 0, 0}, {begin + planes_of_rank(), side, side}), seed); };
  // What lies beyond the ends of the global field is nobody's, and stays as it was.
  the_case.mistake = [=] {
    const std::int64_t low = rank() > 0 ? begin - width : begin;
    const std::int64_t high = begin + planes_of_rank() + (rank() + 1 < ranks() ? width : 0);
    return unlike(placed(*slabs), Box3({low, 0, 0}, {high, side, side}), seed);
  };
  std::vector<Contender> contenders;
  for (const Way& way : ways())
    contenders.push_back({"Keramos, " + way.name, [=] {
                            Field& field = slabs->field(way);
                            Keramos::exchange_halo(exec(), field, Keramos::ghost);
                            return std::string(field.communicator().transport(Keramos::core::place_of<Exec>));
                          }});
  for (const Contender& bare : bare_links(bytes)) contenders.push_back(bare);
  add(the_case, contenders);
}

} // namespace

void add_halos()
{
  if (ranks() == 1) return;
  add_halo("", Keramos::Halo<3>({width, 0, 0}));
  add_halo(", halos along all axes", Keramos::Halo<3>(width));
}

} // namespace perf::distributed
