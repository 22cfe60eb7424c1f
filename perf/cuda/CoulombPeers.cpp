// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coulomb sums of others. The kernels of the classics are in CoulombSums.hpp, the orders in plain C in PlainSums.hpp.
#include "CoulombPeers.hpp"
#include "CoulombSums.hpp"

#include <cstdint>
#include <memory>

namespace perf {

/// As one writes it in Kokkos: a target a thread.
struct PlainSum {
  Rows sources;
  Places<float> places;
  float* out;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    float place[3];
    places(n, place);
    out[n] = plain_sum(sources, place[0], place[1], place[2], PlainCoulomb{});
  }
};

/// The same with a team a target, for few of them.
struct PlainTeamSum {
  Rows sources;
  Places<float> places;
  float* out;

  KOKKOS_FUNCTION void operator()(const Kokkos::TeamPolicy<Gpu>::member_type& team) const
  {
    float p[3], sum = 0;
    places(team.league_rank(), p);
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, sources.extent_int(0)),
        [&](int s, float& partial) {
          const float dx = p[0] - sources(s, 0), dy = p[1] - sources(s, 1), dz = p[2] - sources(s, 2);
          partial += sources(s, 3) * PlainCoulomb{}(dx * dx + dy * dy + dz * dz);
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { out[team.league_rank()] = sum; });
  }
};

namespace {

classic::Slab slab_of(const Charges& c, int rows)
{
  return {c.potential.data(), c.planes, rows, c.side, origin, c.spacing()};
}

/// The sum of as many sources on a line.
std::string compare_line(const Charges& c)
{
  using Line = classic::SourcesOnALine;
  const Rows line = device_array<Rows>("sources on a line", c.count());
  Kokkos::parallel_for(
      "perf::line", Kokkos::RangePolicy<Gpu>(0, c.count()), KOKKOS_LAMBDA(int n) {
        line(n, 0) = Line::x;
        line(n, 1) = Line::first_y + static_cast<float>(n) * Line::apart;
        line(n, 2) = Line::z;
        line(n, 3) = Line::charge;
      });
  return compare_sums(line, places_of(c), PotentialOf<CoulombTerm>{}, c.out(), 1, c.targets());
}

} // namespace

Contender by_kokkos(const Data& data)
{
  return {"Kokkos RangePolicy", [=]() -> std::string {
            Kokkos::parallel_for("perf::plain sum",
                                 Kokkos::RangePolicy<Gpu, Kokkos::IndexType<std::int64_t>>(0, data->targets()),
                                 PlainSum{data->sources, places_of(*data), data->out()});
            return "";
          }};
}

Contender by_kokkos_teams(const Data& data)
{
  return {"Kokkos TeamPolicy", [=]() -> std::string {
            Kokkos::parallel_for("perf::plain team sum",
                                 Kokkos::TeamPolicy<Gpu>(static_cast<int>(data->targets()), Kokkos::AUTO),
                                 PlainTeamSum{data->sources, places_of(*data), data->out()});
            return "";
          }};
}

Contender by_roots(const Data& data)
{
  Contender one{"roots and what they need, in registers",
                [=]() -> std::string { return classic::roots(slab_of(*data, data->side), data->count()), ""; }};
  one.mistake = [=] { return compare_line(*data); };
  one.rival = false;
  return one;
}

std::vector<Contender> classics(const Data& data, int side, int rows_of_scatter)
{
  return {{"gather, 1 point a thread",
           [=]() -> std::string { return classic::gather<1>(slab_of(*data, side), data->atoms(), data->count()), ""; }},
          {"gather, 8 points a thread",
           [=]() -> std::string { return classic::gather<8>(slab_of(*data, side), data->atoms(), data->count()), ""; }},
          {"scatter with atomics",
           [=]() -> std::string {
             return classic::scatter(slab_of(*data, rows_of_scatter), data->atoms(), data->count()), "";
           },
           double(rows_of_scatter) / side}};
}

Contender by_host(const Data& data, const std::string& name, void (*order)(const GridOfSources<float>&, int, float*))
{
  const auto out = std::make_shared<std::vector<float>>();
  Contender one{name, [=]() -> std::string {
                  out->resize(data->targets());
                  order({data->host_sources, origin, data->spacing(), data->side}, 0, out->data());
                  return "";
                }};
  one.by_host_clock = true;
  one.mistake = [=] {
    require_success(cudaMemcpy(data->out(), out->data(), out->size() * sizeof(float), cudaMemcpyHostToDevice), "copy");
    return compare(*data, 1);
  };
  return one;
}

} // namespace perf
