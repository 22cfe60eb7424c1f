// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank knows all sources and targets, and computes with one call over all of them what its own targets must be, bit for
// bit and on the same backend.
#include "DistributedSumBodies.hpp"

#include "DistributedCases.hpp"
#include "RankSpace.hpp"
#include "Relays.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace test {
namespace {

template <class T>
using Rows = Kokkos::View<T**, Kokkos::LayoutRight, RankMemory>;
template <class T>
using Numbers1 = Kokkos::View<T*, RankMemory>;
template <class T, class Layout, int Rank>
using Local = Kokkos::View<typename Pointers<T, Rank>::type, Layout, RankMemory>;
using Index1 = std::pair<std::int64_t, std::int64_t>;

/// 1 / (1 + s), no kernel of the library.
struct Rational {
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return 1 / (1 + s);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s) const
  {
    return -1 / ((1 + s) * (1 + s));
  }
};

/// All sources, and which of them a rank has.
template <class T>
struct Cloud {
  Rows<T> packed;
  std::vector<std::int64_t> cuts;

  Cloud(Dice& dice, int ranks, int dimension, std::int64_t count)
      : packed("packed", static_cast<std::size_t>(count), static_cast<std::size_t>(dimension + 1)),
        cuts(random_cuts<1>(dice, {count}, {ranks})[0])
  {
    fill_global(packed, std::array<std::int64_t, 2>{}, static_cast<unsigned>(dice.between(0, 1000)));
  }

  auto of(int rank) const
  {
    const auto at = static_cast<std::size_t>(rank);
    return Keramos::Sources{Kokkos::subview(packed, Index1(cuts[at], cuts[at + 1]), Kokkos::ALL)};
  }
  auto all() const { return Keramos::Sources{Kokkos::subview(packed, Index1(0, cuts.back()), Kokkos::ALL)}; }
};

/// sum(kernel) with one of them.
template <class Sum>
void with_random_kernel(Dice& dice, const Sum& sum)
{
  switch (dice.between(0, 3)) {
  case 0:
    return sum(Keramos::Coulomb{});
  case 1:
    return sum(Keramos::Yukawa{.kappa = 1.5});
  case 2:
    return sum(Keramos::Gaussian{.sigma = 0.5});
  default:
    return sum(Rational{});
  }
}

Keramos::Backend random_backend(Dice& dice)
{
  if (!Keramos::core::is_host<RankExec>) return dice.coin() ? Keramos::Backend::cuda : Keramos::Backend::portable;
  const Keramos::Backend backends[] = {Keramos::Backend::openmp, Keramos::Backend::portable,
                                       Keramos::Backend::reference};
  return backends[dice.between(0, 2)];
}

template <std::size_t Rank>
std::array<std::int64_t, Rank> random_extents(Dice& dice)
{
  std::array<std::int64_t, Rank> extents;
  for (auto& extent : extents) extent = dice.between(1, 12);
  return extents;
}

Keramos::UniformGrid<3> some_grid() { return {{-0.7, -0.6, -0.5}, {0.11, 0.13, 0.17}}; }

/// A grid or a plane of one, with potential and gradient.
template <class T, class Layout, int Rank>
void check_grid(const Ranks& ranks, Dice& dice)
{
  const auto exec = own_space();
  const auto extents = random_extents<Rank>(dice);
  const auto targets = [] {
    if constexpr (Rank == 3)
      return some_grid();
    else
      return some_grid().plane(1, 3);
  }();
  const auto cut = random_partition<Rank>(ranks, dice, extents);
  const Keramos::Distributed<Local<T, Layout, Rank>> phi(exec, "phi", cut, dice.between(0, 1));
  std::array<std::size_t, Rank + 1> owned;
  for (int axis = 0; axis < Rank; ++axis) owned[static_cast<std::size_t>(axis)] = phi.owned().extent(axis);
  const auto view = [](const char* label, const auto& extent) {
    return std::apply([&](auto... e) { return Local<T, Layout, static_cast<int>(sizeof...(e))>(label, e...); }, extent);
  };
  using Slopes = Kokkos::View<typename Local<T, Layout, Rank>::data_type[3], Layout,
                              typename Local<T, Layout, Rank>::memory_space>;
  const Keramos::Distributed<Slopes> slopes(exec, "slopes", cut, dice.between(0, 1));
  owned[Rank] = 3;
  const auto grad = view("grad", owned); // a View of the owned points
  std::array<std::size_t, Rank> whole_extents;
  std::copy(extents.begin(), extents.end(), whole_extents.begin());
  const auto whole = view("whole", whole_extents);
  std::array<std::size_t, Rank + 1> with_component;
  std::copy(extents.begin(), extents.end(), with_component.begin());
  with_component[Rank] = 3;
  const auto whole_grad = view("whole_grad", with_component);
  Cloud<T> cloud(dice, ranks->size(), 3, dice.between(0, 900));
  const Keramos::DistributedSources sources(cut.ranks(), cloud.of(ranks->rank()));
  const auto on = Keramos::with_backend(exec, random_backend(dice));
  with_random_kernel(dice, [&](const auto& kernel) {
    Keramos::gather_sum(on, kernel, targets, sources, phi);
    Keramos::gather_sum(on, kernel, targets, cloud.all(), whole);
    EXPECT_TRUE(is_part_of(phi, whole));
    cloud = Cloud<T>(dice, ranks->size(), 3, dice.between(0, 900)); // and once more, with others
    sources.assign(cloud.of(ranks->rank()));
    Keramos::gather_sum(on, kernel, targets, sources, Keramos::PotentialAndGradient{phi, grad}, Keramos::accumulate);
    Keramos::gather_sum(on, kernel, targets, cloud.all(), Keramos::PotentialAndGradient{whole, whole_grad},
                        Keramos::accumulate);
    EXPECT_TRUE(is_part_of(phi, whole));
    const auto check_gradient = [&](const auto& of_rank) {
      settle();
      std::int64_t differences = 0;
      for (std::size_t n = 0; n < grad.size(); ++n) {
        std::array<std::size_t, Rank + 1> at;
        for (std::size_t axis = Rank + 1, rest = n; axis-- > 0; rest /= grad.extent(axis))
          at[axis] = rest % grad.extent(axis);
        const T mine = std::apply([&](auto... i) { return of_rank(i...); }, at);
        for (std::size_t axis = 0; axis < Rank; ++axis) at[axis] += static_cast<std::size_t>(phi.box().begin[axis]);
        differences += mine != std::apply([&](auto... i) { return whole_grad(i...); }, at);
      }
      EXPECT_EQ(differences, 0);
    };
    check_gradient(grad);
    Keramos::gather_sum(on, kernel, targets, sources, Keramos::Gradient{slopes});
    Keramos::gather_sum(on, kernel, targets, cloud.all(), Keramos::Gradient{whole_grad});
    check_gradient(slopes.owned());
    Keramos::gather_sum(on, kernel, targets, cloud.all(), phi); // the same sources on all ranks
    Keramos::gather_sum(on, kernel, targets, cloud.all(), whole);
    EXPECT_TRUE(is_part_of(phi, whole));
  });
}

/// Points that are a distributed field, and Views of this rank's.
template <class T>
void check_points(const Ranks& ranks, Dice& dice, std::int64_t count, std::int64_t source_count)
{
  const auto exec = own_space();
  const int size = ranks->size();
  const Keramos::Cartesian<1> line(ranks, {size});
  const Keramos::Cartesian<2> rows(line, {size, 1});
  const auto cuts = random_cuts<1>(dice, {count}, {size});
  const Keramos::Partition<1> cut(line, {count}, cuts);
  const Keramos::Distributed<Rows<T>> points(exec, "points",
                                             Keramos::Partition<2>(rows, {count, 2}, {{cuts[0], {0, 2}}}));
  const Keramos::Distributed<Numbers1<T>> out(exec, "out", cut);
  const Rows<T> all_points("all points", static_cast<std::size_t>(count), 2);
  const Numbers1<T> whole("whole", static_cast<std::size_t>(count));
  fill_global(points.owned(), points.box().begin, 17);
  fill_global(all_points, std::array<std::int64_t, 2>{}, 17);
  const Cloud<T> cloud(dice, size, 2, source_count);
  const auto mine = cloud.of(ranks->rank());
  const Keramos::DistributedSources sources(line, mine);
  const auto column = [&](int k) { return Kokkos::subview(mine.packed, Kokkos::ALL, k); };
  const Keramos::DistributedSources apart(line, Keramos::Sources{column(0), column(1), column(2)});
  const auto on = Keramos::with_backend(exec, random_backend(dice));
  with_random_kernel(dice, [&](const auto& kernel) {
    Keramos::gather_sum(on, kernel, all_points, cloud.all(), whole);
    Keramos::gather_sum(on, kernel, points, sources, out);
    EXPECT_TRUE(is_part_of(out, whole));
    Kokkos::deep_copy(exec, out.local(), T(-1));
    Keramos::gather_sum(on, kernel, points.local(), sources, out.local());
    EXPECT_TRUE(is_part_of(out, whole));
    Kokkos::deep_copy(exec, out.local(), T(-1));
    const auto x = Kokkos::subview(points.local(), Kokkos::ALL, 0), y = Kokkos::subview(points.local(), Kokkos::ALL, 1);
    Keramos::gather_sum(on, kernel, Keramos::Points{x, y}, apart, out);
    EXPECT_TRUE(is_part_of(out, whole));
  });
}

template <class Call>
std::string said_by(const Call& call)
{
  try {
    call();
  } catch (const Keramos::Error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace

void sums_are_those_of_one_rank(const Ranks& ranks, std::uint64_t seed)
{
  Dice dice(seed);
  switch (dice.between(0, 3)) {
  case 0:
    return check_grid<float, Kokkos::LayoutRight, 3>(ranks, dice);
  case 1:
    return check_grid<double, Kokkos::LayoutLeft, 3>(ranks, dice);
  case 2:
    return check_grid<float, Kokkos::LayoutLeft, 2>(ranks, dice);
  default:
    return check_points<double>(ranks, dice, dice.between(1, 100), dice.between(0, 3000));
  }
}

void long_sums_are_those_of_one_rank(const Ranks& ranks)
{
  Dice dice(3);
  const auto node = Keramos::core::node_blocks(Keramos::core::GatherCarry::level) * Keramos::core::source_block;
  for (const std::int64_t count : {node, node + 1, 2 * node + 700, 9 * node + 300})
    check_points<float>(ranks, dice, count < 3 * node ? 9 : 3, count);
}

#ifndef Keramos_TEST_RANKS_ON_GPU
namespace {

float rational(float s) { return 1 / (1 + s); }
float of_s_and_inverse(float s, float inverse) { return s * inverse + 1; }
float of_places(Kokkos::Array<float, 3> target, Kokkos::Array<float, 3> source) { return target[0] - 2 * source[1]; }

} // namespace

void sums_take_functions(const Ranks& ranks)
{
  Dice dice(11);
  const auto exec = own_space();
  const Keramos::Partition<3> cut(Keramos::Cartesian<3>(ranks, {0, 1, 1}), {8, 5, 6});
  using View = Local<float, Kokkos::LayoutRight, 3>;
  const Keramos::Distributed<View> phi(exec, "phi", cut);
  const View whole("whole", 8, 5, 6);
  const Cloud<float> cloud(dice, ranks->size(), 3, 600);
  const Keramos::DistributedSources sources(cut.ranks(), cloud.of(ranks->rank()));
  const auto check = [&](const auto& kernel) {
    Keramos::gather_sum(exec, kernel, some_grid(), cloud.all(), whole);
    Keramos::gather_sum(exec, kernel, some_grid(), sources, phi);
    EXPECT_TRUE(is_part_of(phi, whole));
    Kokkos::deep_copy(exec, phi.local(), -1.f);
    Keramos::gather_sum(exec, kernel, some_grid(), cloud.all(), phi);
    EXPECT_TRUE(is_part_of(phi, whole));
  };
  check(rational);
  check(&rational);
  check(of_s_and_inverse);
  check(&of_s_and_inverse);
  check(of_places);
  check(&of_places);
}
#endif

void a_rank_may_have_nothing(const Ranks& ranks)
{
  Dice dice(3);
  const auto exec = own_space();
  const Keramos::Cartesian<1> line(ranks, {0});
  const Cloud<float> cloud(dice, 1, 3, 300);
  const Rows<float> points("points", 7, 3);
  fill_global(points, std::array<std::int64_t, 2>{}, 17);
  const Numbers1<float> whole("whole", 7), out("out", 7);
  for (int idle = 0; idle < ranks->size(); ++idle) {
    const bool has_some = ranks->rank() != idle, has_all = ranks->rank() == (idle == 0 ? ranks->size() - 1 : 0);
    const Keramos::DistributedSources sources(line,
                                              Keramos::Sources{has_some && has_all ? cloud.packed : Rows<float>()});
    const Rows<float> here = has_some ? points : Rows<float>();
    const Numbers1<float> result = has_some ? out : Numbers1<float>();
    EXPECT_EQ(said_by([&] { Keramos::gather_sum(exec, Keramos::Coulomb{}, here, sources, result); }), "no error");
    if (!has_some) continue;
    Keramos::gather_sum(exec, Keramos::Coulomb{}, points, cloud.all(), whole);
    settle();
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(out(i), whole(i)) << "rank " << idle << " has nothing";
  }
}

void a_dry_sum_moves_nothing(const Ranks& ranks)
{
  Dice dice(5);
  const auto exec = own_space();
  const auto relay = std::make_shared<Relay>(ranks);
  const Keramos::Partition<3> cut(Keramos::Cartesian<3>(relay, {0, 1, 1}), {8, 5, 6});
  const Keramos::Distributed<Local<float, Kokkos::LayoutRight, 3>> phi(exec, "phi", cut);
  const Cloud<float> cloud(dice, ranks->size(), 3, 150000);
  const Keramos::DistributedSources sources(cut.ranks(), cloud.of(ranks->rank()));
  const auto asked = Keramos::gather_sum(Keramos::dry_run(exec), Keramos::Coulomb{}, some_grid(), sources, phi);
  EXPECT_EQ(relay->broadcasts, 0);
  EXPECT_EQ(sources.buffers().rows[0].size(), 0u);
  settle();
  for (std::size_t i = 0; i < phi.local().size(); ++i) EXPECT_EQ(phi.local().data()[i], 0.f);
  const auto ran = Keramos::gather_sum(exec, Keramos::Coulomb{}, some_grid(), sources, phi);
  if (Keramos::core::is_host<RankExec>) {
    EXPECT_EQ(ran.interior, asked.interior);
    EXPECT_EQ(ran.boundary, asked.boundary);
  } else { // a dry run on a GPU has no buffers, and tells that it would allocate scratch memory
    EXPECT_EQ(ran.interior.backend, asked.interior.backend);
    EXPECT_EQ(ran.boundary.backend, asked.boundary.backend);
  }
  EXPECT_STREQ(ran.transport, asked.transport);
  EXPECT_GE(relay->broadcasts, 2);
  EXPECT_LE(relay->largest_broadcast, (1u << 17) * 4 * sizeof(float)); // a node at once
}

void wrong_sums_are_refused(const Ranks& ranks)
{
  Dice dice(7);
  const auto exec = own_space();
  const int last = ranks->size() - 1;
  const bool is_last = ranks->rank() == last;
  const std::string on_first = Keramos::core::text(" (on rank 0 of ", ranks->size(), ")");
  const std::string on_last = Keramos::core::text(" (on rank ", last, " of ", ranks->size(), ")");
  const Keramos::Cartesian<3> slabs(ranks, {0, 1, 1});
  const Keramos::Partition<3> cut(slabs, {8, 5, 6});
  const Keramos::Distributed<Local<float, Kokkos::LayoutRight, 3>> phi(exec, "phi", cut);
  const Cloud<float> cloud(dice, ranks->size(), 3, 40), flat(dice, ranks->size(), 2, 40);
  const Keramos::DistributedSources sources(slabs, cloud.of(ranks->rank()));
  const auto sum = [&](const auto& kernel, const auto& from, const auto& out) {
    return said_by([&] { Keramos::gather_sum(exec, kernel, some_grid(), from, out); });
  };

  EXPECT_EQ(
      sum(Keramos::Yukawa{.kappa = is_last ? -1. : 1.}, sources, phi),
      "Keramos::gather_sum: argument 'kernel.kappa': expected a finite number >= 0, in the range of float, got -1" +
          on_last);
  const Keramos::DistributedSources plane(slabs, flat.of(ranks->rank()));
  EXPECT_EQ(
      sum(Keramos::Coulomb{}, plane, phi),
      "Keramos::gather_sum: argument 'sources': expected 3 coordinates, as the targets have, and a weight in each row,"
      " got 3 columns" +
          on_first);
  const Keramos::Cartesian<3> strangers(std::make_shared<Relay>(ranks), {0, 1, 1});
  const Keramos::DistributedSources strange(strangers, cloud.of(ranks->rank()));
  EXPECT_EQ(
      sum(Keramos::Coulomb{}, strange, phi),
      "Keramos::gather_sum: argument 'out': expected ranks of one Cartesian, as the other distributed arguments have, "
      "got another group of ranks" +
          on_first);
  EXPECT_EQ(said_by([&] {
              Keramos::gather_sum(Keramos::with_backend(exec, foreign_backend), Keramos::Coulomb{}, some_grid(),
                                  sources, phi);
            }),
            Keramos::core::text("Keramos::gather_sum: argument 'exec': expected a backend that covers this call, got ",
                                Keramos::to_string(foreign_backend), " on ", RankExec::name(), on_first));
  EXPECT_EQ(sum(Keramos::Coulomb{}, sources, phi), "no error");
  if (last == 0) return;

  // Points of the plane on one rank, in space on the others: each is right by itself.
  const Rows<float> points("points", 4, is_last ? 2 : 3);
  const Numbers1<float> out("out", 4);
  const Keramos::DistributedSources mixed(slabs, is_last ? flat.of(last) : cloud.of(ranks->rank()));
  EXPECT_EQ(said_by([&] { Keramos::gather_sum(exec, Keramos::Coulomb{}, points, mixed, out); }),
            "Keramos::gather_sum: argument 'sources': expected as many coordinates on all ranks, got 3 and 2");
}

} // namespace test
