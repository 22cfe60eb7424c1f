// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Links.hpp"

#include "../Arrays.hpp"
#include "../Platform.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace perf::distributed {
namespace {

constexpr std::size_t kib = std::size_t{1} << 10, mib = kib << 10;

KOKKOS_INLINE_FUNCTION unsigned char byte_at(int of_rank, std::int64_t n)
{
  return static_cast<unsigned char>(mixed(static_cast<std::uint64_t>(of_rank) << 48 ^ static_cast<std::uint64_t>(n)));
}

struct FillBytes {
  Bytes out, in;
  int of_rank;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const
  {
    out(n) = byte_at(of_rank, n);
    in(n) = 0xff;
  }
};

struct WrongBytes {
  Bytes in;
  int of_rank;

  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t& count) const
  {
    if (in(n) != byte_at(of_rank, n)) ++count;
  }
};

Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> range(std::size_t bytes)
{
  return {exec(), 0, static_cast<std::int64_t>(bytes)};
}

double seconds_of_one(Link& link, std::size_t bytes, int calls)
{
  std::array<double, 5> seconds;
  double host_seconds = 1e-3;
  for (double& one : seconds) {
    finish();
    MPI_Barrier(MPI_COMM_WORLD);
    one = largest(seconds_of(
        [&] {
          for (int n = 0; n < calls; ++n) link.exchange(bytes);
        },
        host_seconds));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2] / calls;
}

LinkModel measured(const LinkWay& way)
{
  const std::size_t small = 256 * kib, large = sized(1 * mib, 64 * mib);
  const auto link = way.make(large);
  link->poison(large);
  link->exchange(large);
  const double of_small = seconds_of_one(*link, small, 50), of_large = seconds_of_one(*link, large, 5);
  const double rate = static_cast<double>(large - small) / std::max(of_large - of_small, 1e-9);
  return {std::max(of_small - static_cast<double>(small) / rate, 0.0), rate};
}

std::string text_of(std::size_t bytes)
{
  return bytes >= mib ? std::to_string(bytes / mib) + " MiB" : std::to_string(bytes / kib) + " KiB";
}

} // namespace

void Link::poison(std::size_t bytes) const
{
  Kokkos::parallel_for("perf::bytes", range(bytes), FillBytes{out_, in_, rank()});
  finish();
  meet(); // nobody sends before the other has poisoned
}

std::string Link::mistake(std::size_t bytes) const
{
  std::int64_t count = 0;
  if (partner() >= 0) Kokkos::parallel_reduce("perf::bytes", range(bytes), WrongBytes{in_, partner()}, count);
  return count == 0 ? "" : std::to_string(count) + " wrong bytes";
}

LinkModel link_model(const std::string& name)
{
  static std::map<std::string, LinkModel> models;
  const auto known = models.find(name);
  if (known != models.end()) return known->second;
  for (const LinkWay& way : link_ways())
    if (way.name == name) return models[name] = measured(way);
  return models[name] = link_model("mpi");
}

double large_message_rate()
{
  static const double rate = [] {
    const std::size_t bytes = sized(4 * mib, 1024 * mib);
    double best = 0;
    for (const LinkWay& way : link_ways()) {
      const auto link = way.make(bytes);
      link->exchange(bytes);
      best = std::max(best, static_cast<double>(bytes) / seconds_of_one(*link, bytes, 2));
    }
    return best;
  }();
  return rate;
}

std::vector<Contender> bare_links(std::size_t bytes)
{
  std::vector<Contender> result;
  for (const LinkWay& way : link_ways()) {
    const Lazy<std::unique_ptr<Link>> link([=] { return way.make(bytes); });
    Contender contender{"bare link, " + way.name, [=]() -> std::string {
                          (*link)->exchange(bytes);
                          return "";
                        }};
    contender.before = [=] { (*link)->poison(bytes); };
    contender.mistake = [=] { return (*link)->mistake(bytes); };
    result.push_back(contender);
  }
  return result;
}

void add_links()
{
  if (ranks() == 1) return;
  const std::vector<std::size_t> sizes =
      effort() == Effort::quick ? std::vector{256 * kib} : std::vector{256 * kib, 4 * mib, 256 * mib, 1024 * mib};
  for (const std::size_t bytes : sizes) {
    const int calls = bytes > 64 * mib ? 3 : 50;
    add({"link, " + text_of(bytes) + " both ways", static_cast<double>(bytes), calls, [] {}, {}}, bare_links(bytes));
  }
}

} // namespace perf::distributed
