// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DistributedShot.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

namespace demo {
namespace {

constexpr std::int64_t halo = decltype(laplacian(1))::radius;

/// The epilogue of the Laplacian gets global indices; its Views begin at the first point of this rank.
struct AtOwnPoints {
  AbsorbingLeapFrog step;
  std::int64_t first;

  KOKKOS_FUNCTION float operator()(float laplacian, float centre, std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    return step(laplacian, centre, i - first, j, k);
  }
};

/// Planes of a View that begin at an index.
View3D planes(const View3D& view, std::int64_t begin, std::int64_t count)
{
  return Kokkos::subview(view, std::pair(begin, begin + count), Kokkos::ALL, Kokkos::ALL);
}

/// This rank's part of a volume.
Volume part_of(const Volume& whole, const Keramos::Subdomain<3>& box)
{
  const std::size_t plane = whole.extent[1] * whole.extent[2];
  Volume part({static_cast<std::size_t>(box.extent(0)), whole.extent[1], whole.extent[2]});
  std::copy_n(whole.value.begin() + box.begin[0] * static_cast<std::int64_t>(plane), part.value.size(),
              part.value.begin());
  return part;
}

/// Receivers belong to the rank in whose slab they stand.
Keramos::Partition<2> partition_of_record(const Keramos::Partition<3>& ground, const Survey& survey)
{
  std::vector<std::int64_t> cuts;
  for (const std::int64_t x : ground.cuts(0))
    cuts.push_back(std::ranges::count_if(survey.receivers, [x](const Point& receiver) { return receiver[0] < x; }));
  const auto receivers = static_cast<std::int64_t>(survey.receivers.size());
  return {Keramos::Cartesian<2>(ground.ranks(), {0, 1}), {receivers, survey.steps}, {cuts, {0, survey.steps}}};
}

/// All rows on the first rank.
Keramos::Partition<2> all_on_first(const Keramos::Cartesian<3>& ranks, std::int64_t rows, std::int64_t columns)
{
  std::vector<std::int64_t> cuts(static_cast<std::size_t>(ranks.size()) + 1, rows);
  cuts.front() = 0;
  return {Keramos::Cartesian<2>(ranks, {0, 1}), {rows, columns}, {cuts, {0, columns}}};
}

/// Those of the record, in indices of the local Views with their halo.
std::vector<Point> own_receivers(const Survey& survey, const Keramos::Subdomain<3>& box)
{
  std::vector<Point> own;
  for (const auto& [x, y, depth] : survey.receivers)
    if (x >= box.begin[0] && x < box.end[0]) own.push_back({static_cast<int>(x - box.begin[0] + halo), y, depth});
  return own;
}

} // namespace

DistributedShot::DistributedShot(const Where& where, const Keramos::Cartesian<3>& slabs, const Volume& velocity,
                                 const Survey& survey)
    : where_(where), survey_(survey), time_step_(stable_time_step(velocity, survey.spacing)),
      cut_(slabs, {static_cast<std::int64_t>(velocity.extent[0]), static_cast<std::int64_t>(velocity.extent[1]),
                   static_cast<std::int64_t>(velocity.extent[2])}),
      now_(where.space, "wave now", cut_, Keramos::Halo<3>({halo, 0, 0})),
      before_(where.space, "wave before", cut_, Keramos::Halo<3>({halo, 0, 0})),
      record_(where.space, "record", partition_of_record(cut_, survey)),
      receivers_(receiver_view(where.space, own_receivers(survey, cut_.box())))
{
  const auto [n0, n1, n2] = velocity.extent;
  const Volume c2dt2 = scaled_squares(velocity, time_step_);
  const auto box = cut_.box();
  c2dt2_ = to_device(where.space, "c^2 dt^2", part_of(c2dt2, box));
  taper0_ =
      Kokkos::subview(absorbing_taper(where.space, static_cast<int>(n0), true), std::pair(box.begin[0], box.end[0]));
  taper1_ = absorbing_taper(where.space, static_cast<int>(n1), true);
  taper2_ = absorbing_taper(where.space, static_cast<int>(n2), !survey.free_surface);
  source_scale_ = source_scale(c2dt2, survey);
}

void DistributedShot::advance(int count)
{
  const auto box = cut_.box();
  const auto [x, y, depth] = survey_.source;
  for (int n = 0; n < count; ++n, ++steps_done_) {
    listen(where_.space, now_.local(), receivers_, record_.local(), steps_done_);
    const AbsorbingLeapFrog step{planes(before_.local(), halo, box.extent(0)), c2dt2_, taper0_, taper1_, taper2_};
    kernel_ = Keramos::apply_stencil(where_, laplacian(survey_.spacing), now_, before_, Keramos::constant(0),
                                     AtOwnPoints{step, box.begin[0]});
    std::swap(now_, before_);
    const double pulse = ricker(steps_done_ * time_step_, survey_.peak_frequency);
    if (x >= box.begin[0] && x < box.end[0])
      inject(where_.space, now_.local(), {static_cast<int>(x - box.begin[0] + halo), y, depth},
             static_cast<float>(source_scale_ * pulse));
  }
}

std::string DistributedShot::took() const
{
  std::ostringstream took;
  const int ranks = cut_.ranks().size();
  took << kernel_.interior.name() << " on " << ranks << (ranks == 1 ? " rank" : " ranks") << ", messages by "
       << kernel_.transport;
  return took.str();
}

/// A transpose of a field of two axes that ends on the first rank.
template <class View>
Plane DistributedShot::turned_at_first(const Keramos::Distributed<View>& field) const
{
  const auto [rows, columns] = field.partition().extents();
  const Keramos::Distributed<View2D> whole(where_.space, "on the first rank",
                                           all_on_first(cut_.ranks(), columns, rows));
  Keramos::transpose(where_, field, whole);
  return to_host(where_.space, whole.local());
}

Plane DistributedShot::section() const
{
  const View3D own = planes(now_.local(), halo, cut_.box().extent(0));
  const auto plane = Kokkos::subview(own, Kokkos::ALL, survey_.source[1], Kokkos::ALL);
  const Keramos::Partition<2> cut(Keramos::Cartesian<2>(cut_.ranks(), {0, 1}), {cut_.extents()[0], cut_.extents()[2]},
                                  {cut_.cuts(0), cut_.cuts(2)});
  return turned_at_first(Keramos::Distributed(plane, cut));
}

Plane DistributedShot::seismogram() const { return turned_at_first(record_); }

} // namespace demo
