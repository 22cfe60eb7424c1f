// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClassicWave.hpp"

#include <algorithm>

namespace perf::distributed {
namespace {

constexpr bool on_host = Keramos::core::is_host<Exec>;

Volume part(const Volume& slab, std::int64_t begin, std::int64_t end)
{
  return Kokkos::subview(slab, Kokkos::pair<std::int64_t, std::int64_t>(begin, end), Kokkos::ALL, Kokkos::ALL);
}

Volume message(const Volume& slab, std::int64_t begin) { return part(slab, begin, begin + wave_radius); }

/// On a GPU a stream beside the default one.
Exec another_space()
{
  if constexpr (on_host)
    return exec();
  else
    return Kokkos::Experimental::partition_space(Exec(), 1)[0];
}

} // namespace

ClassicWave::ClassicWave(const Laplacian& op, const Wave& slab)
    : op_(op), extent_(slab.owned.end[0] - slab.owned.begin[0]), boundary_(another_space())
{
  const auto staging = [&] {
    return on_host ? Staging() : Staging("staging", wave_radius, slab.now().extent(1), slab.now().extent(2));
  };
  if (rank() > 0) ends_.push_back({rank() - 1, wave_radius, 0, staging(), staging()});
  if (rank() + 1 < ranks()) ends_.push_back({rank() + 1, extent_, extent_ + wave_radius, staging(), staging()});
}

/// The next values of some planes of the slab.
std::string ClassicWave::planes(const Exec& space, const Wave& wave, std::int64_t begin, std::int64_t end) const
{
  const bool low = rank() > 0, high = rank() + 1 < ranks(); // beyond the others the wave is zero
  const auto owned = [&](const Volume& view) { return part(view, wave_radius, wave_radius + extent_); };
  const Volume now = part(wave.now(), low ? 0 : wave_radius, wave_radius + extent_ + (high ? wave_radius : 0));
  const Keramos::EdgeRule zero = Keramos::constant(0);
  const Keramos::Region<3> region(
      {begin, 0, 0}, {end, static_cast<std::int64_t>(now.extent(1)), static_cast<std::int64_t>(now.extent(2))});
  return name_of(
      Keramos::apply_stencil(space, op_, now, owned(wave.next()),
                             {Keramos::sides(low ? Keramos::ghost : zero, high ? Keramos::ghost : zero), zero, zero},
                             Keramos::LeapFrog{owned(wave.before()), owned(wave.scale)}, region));
}

void ClassicWave::begin_exchange(const Volume& slab)
{
  requests_.assign(2 * ends_.size(), MPI_REQUEST_NULL);
  const int count = static_cast<int>(message(slab, 0).size());
  for (std::size_t n = 0; n < ends_.size(); ++n) {
    float* const to = on_host ? message(slab, ends_[n].halo).data() : ends_[n].up.data();
    MPI_Irecv(to, count, MPI_FLOAT, ends_[n].neighbour, 0, MPI_COMM_WORLD, &requests_[2 * n]);
    if constexpr (!on_host) Kokkos::deep_copy(boundary_, ends_[n].down, message(slab, ends_[n].own));
  }
}

void ClassicWave::send(const Volume& slab)
{
  boundary_.fence("perf: the planes at the ends are there");
  for (std::size_t n = 0; n < ends_.size(); ++n) {
    const Volume own = message(slab, ends_[n].own);
    const float* const from = on_host ? own.data() : ends_[n].down.data();
    MPI_Isend(from, static_cast<int>(own.size()), MPI_FLOAT, ends_[n].neighbour, 0, MPI_COMM_WORLD,
              &requests_[2 * n + 1]);
  }
}

void ClassicWave::finish_exchange(const Volume& slab)
{
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  if constexpr (!on_host)
    for (const End& end : ends_) Kokkos::deep_copy(boundary_, message(slab, end.halo), end.up);
  boundary_.fence("perf: halos are there");
}

void ClassicWave::exchange(const Volume& slab)
{
  exec().fence("perf: the slab is there");
  begin_exchange(slab);
  send(slab);
  finish_exchange(slab);
}

std::string ClassicWave::step(Wave& wave)
{
  exec().fence("perf: what came before");
  const std::int64_t low = rank() > 0 ? wave_radius : 0, high = extent_ - (rank() + 1 < ranks() ? wave_radius : 0);
  if (low > 0) planes(boundary_, wave, 0, low);
  if (high < extent_) planes(boundary_, wave, high, extent_);
  begin_exchange(wave.next());
  std::string kernel;
  if constexpr (on_host) { // who computes cannot wait for messages
    send(wave.next());
    kernel = planes(exec(), wave, low, high);
  } else { // the host has nothing to do but messages
    kernel = planes(exec(), wave, low, high);
    send(wave.next());
  }
  finish_exchange(wave.next());
  exec().fence("perf: the interior is there");
  ++wave.steps;
  return kernel;
}

} // namespace perf::distributed
