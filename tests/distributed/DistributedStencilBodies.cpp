// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DistributedStencilBodies.hpp"

#include "DistributedCases.hpp"
#include "RankSpace.hpp"

#include <gmock/gmock.h>

#ifdef Keramos_TEST_RANKS_ON_GPU
#include "HeldUp.hpp"
#endif

namespace test {
namespace {

using Keramos::AxisRule;
using Keramos::Distributed;
using Keramos::Edge;

/// A stencil call of `Rank` axes, the same on every rank.
template <int Rank>
struct Case {
  std::array<std::int64_t, Rank> extents, reach;
  std::array<AxisRule, 3> edges{Keramos::periodic, Keramos::periodic, Keramos::periodic};
  unsigned seed;

  Keramos::EdgeRules<Rank> rules() const { return Keramos::core::rules_of<Rank>(edges); }
  bool says_ghost(int axis) const { return has_low(axis) || has_high(axis); }
  bool has_low(int axis) const { return edges[static_cast<std::size_t>(axis)].low.kind == Edge::ghost; }
  bool has_high(int axis) const { return edges[static_cast<std::size_t>(axis)].high.kind == Edge::ghost; }
};

template <int Rank, class Op>
Case<Rank> random_case(Dice& dice, const Op& op)
{
  Case<Rank> result;
  const auto reach = Keramos::core::reach_of(op);
  for (int axis = 0; axis < Rank; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    result.extents[k] = dice.between(1, dice.between(0, 3) == 0 ? 3 : 13);
    if (dice.between(0, 5) == 0) result.extents[k] = dice.between(31, 90); // the interior in several parts
    result.edges[k] = random_rule(dice);
    result.reach[k] = reach.halo(k);
  }
  result.seed = static_cast<unsigned>(dice.between(0, 1 << 30));
  return result;
}

template <int Rank, class View>
View make(const char* label, const std::array<std::int64_t, Rank>& extents)
{
  return [&]<std::size_t... axis>(std::index_sequence<axis...>)
  {
    return View(label, static_cast<std::size_t>(extents[axis])...);
  }
  (std::make_index_sequence<Rank>());
}

/// The whole input, as one rank has it: with a halo where the rules say ghost.
template <int Rank, class View>
View whole_input(const Case<Rank>& c)
{
  auto extents = c.extents;
  std::array<std::int64_t, Rank> first{};
  for (int axis = 0; axis < Rank; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    if (c.has_low(axis)) first[k] = -c.reach[k];
    extents[k] += (c.has_low(axis) ? c.reach[k] : 0) + (c.has_high(axis) ? c.reach[k] : 0);
  }
  const auto view = make<Rank, View>("whole", extents);
  fill_global(view, first, c.seed);
  return view;
}
template <int Rank, class View>
View whole_output(const Case<Rank>& c, unsigned seed)
{
  const auto view = make<Rank, View>("whole", c.extents);
  fill_global(view, std::array<std::int64_t, Rank>{}, seed);
  return view;
}

/// The same input, distributed; the halo is NaN where the application does not fill it.
template <int Rank, class View>
Distributed<View> input(const Case<Rank>& c, const Keramos::Partition<Rank>& partition, Dice& dice)
{
  Keramos::Halo<Rank> halo;
  std::array<std::int64_t, Rank> first, last;
  bool needs_all = false;
  for (int axis = 0; axis < Rank; ++axis) needs_all = needs_all || c.says_ghost(axis);
  for (int axis = 0; axis < Rank; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const bool is_wide = needs_all || dice.between(0, 3) > 0;
    halo.low[k] = is_wide ? c.reach[k] + dice.between(0, 1) : dice.between(0, 1);
    halo.high[k] = is_wide ? c.reach[k] + dice.between(0, 1) : dice.between(0, 1);
  }
  const Distributed<View> field(RankExec(), "in", partition, halo);
  fill_field(field, c.seed);
  std::array<std::int64_t, Rank> begin{}, extent{};
  for (int axis = 0; axis < Rank; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    first[k] = field.box().begin[k];
    last[k] = field.box().end[k];
    if (field.box().empty()) return field;
    if (c.has_low(axis) && first[k] == 0) first[k] -= c.reach[k];
    if (c.has_high(axis) && last[k] == c.extents[k]) last[k] += c.reach[k];
    begin[k] = halo.low[k] + first[k] - field.box().begin[k];
    extent[k] = last[k] - first[k];
  }
  fill_global(Keramos::core::part_of_view(field.local(), begin, extent), first, c.seed);
  return field;
}

Keramos::Overlap random_overlap(Dice& dice)
{
  return dice.between(0, 3) == 0 ? Keramos::Overlap::off : Keramos::Overlap::on;
}

template <int Rank, class InView, class OutView, class Op>
void compare(const Ranks& ranks, Dice& dice, const Op& op)
{
  const auto c = random_case<Rank>(dice, op);
  const RankExec exec;
  const auto partition = random_partition<Rank>(ranks, dice, c.extents);
  const auto in = input<Rank, InView>(c, partition, dice);
  const Distributed<OutView> out(exec, "out", partition, dice.between(0, 2));
  fill_field(out, c.seed + 1);
  const auto whole = whole_output<Rank, OutView>(c, c.seed + 1);
  Keramos::apply_stencil(exec, op, whole_input<Rank, InView>(c), whole, c.rules());
  const auto overlap = random_overlap(dice);
  const auto kernel = Keramos::apply_stencil(exec, op, in, out, c.rules(), overlap);
  EXPECT_STREQ(kernel.transport, ranks->transport(Keramos::core::place_of<RankExec>));
  EXPECT_TRUE(is_part_of(out, whole)) << "rank " << ranks->rank() << ", " << kernel;
  Keramos::apply_stencil(exec, op, in, out, c.rules(), overlap); // again, with what the first call made
  EXPECT_TRUE(is_part_of(out, whole)) << "rank " << ranks->rank() << ", second call, " << kernel;

  std::array<std::int64_t, Rank> begin, end;
  for (std::size_t axis = 0; axis < Rank; ++axis) {
    begin[axis] = dice.between(0, c.extents[axis]);
    end[axis] = dice.between(begin[axis], c.extents[axis]);
  }
  const Keramos::Region<Rank> region(begin, end);
  fill_field(out, c.seed + 2);
  fill_global(whole, std::array<std::int64_t, Rank>{}, c.seed + 2);
  Keramos::apply_stencil(exec, op, whole_input<Rank, InView>(c), whole, c.rules(), region);
  Keramos::apply_stencil(exec, op, in, out, c.rules(), region, overlap);
  EXPECT_TRUE(is_part_of(out, whole)) << "rank " << ranks->rank() << ", in a region";
}

template <int Rank, class Op>
Op random_weights(Dice& dice)
{
  Op op{};
  if constexpr (requires { op.centre(); }) {
    op.centre() = static_cast<double>(dice.between(-9, 9)) / 7;
    for (int axis = 0; axis < Rank; ++axis)
      for (int r = 1; r <= Op::radius; ++r)
        for (const int offset : {-r, r}) op.at(axis, offset) = static_cast<double>(dice.between(-9, 9)) / 7;
  } else {
    for (int t = 0; t < Op::tap_count; ++t) op.at(op.offset(t)) = static_cast<double>(dice.between(-9, 9)) / 7;
  }
  return op;
}

/// One tap far from the others along two axes, and one on one side only.
template <int Rank>
Keramos::SparseStencil<Rank, 3> lopsided()
{
  std::array<int, Rank> far{}, near{};
  far[0] = 4;
  far[Rank - 1] -= 3;
  near[Rank - 1] = 1;
  return {{std::array<int, Rank>{}, far, near}, {0.5, -1.25, 2.0 / 3}};
}

template <class View>
using Other = Kokkos::View<typename View::data_type,
                           std::conditional_t<std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft>,
                                              Kokkos::LayoutRight, Kokkos::LayoutLeft>,
                           RankMemory>;

/// Every shape of operator, on fields of one layout and of two.
template <int Rank, class View>
void compare_operators(const Ranks& ranks, Dice& dice)
{
  switch (dice.between(0, 4)) {
  case 0:
    return compare<Rank, View, View>(ranks, dice, random_weights<Rank, Keramos::Star<Rank, 1>>(dice));
  case 1:
    return compare<Rank, View, View>(ranks, dice, random_weights<Rank, Keramos::Star<Rank, 4>>(dice));
  case 2:
    return compare<Rank, View, Other<View>>(ranks, dice, random_weights<Rank, Keramos::Box<Rank, 1>>(dice));
  case 3:
    return compare<Rank, View, View>(
        ranks, dice, Keramos::Line<Rank, 2>(static_cast<int>(dice.between(0, Rank - 1)), {0.1, -0.7, 0.3, 0.9, -2}));
  default:
    return compare<Rank, View, View>(ranks, dice, lopsided<Rank>());
  }
}

/// f(value, centre, i, j) with indices that tell where the point is.
struct WithIndices {
  KOKKOS_FUNCTION double operator()(double value, double centre, std::int64_t i, std::int64_t j) const
  {
    return value + 0.5 * centre + static_cast<double>(100 * i + j);
  }
};
struct WithFields {
  KOKKOS_FUNCTION double operator()(double value, double centre, double z, double m) const
  {
    return m * value - centre * z;
  }
};

} // namespace

void stencils_are_those_of_one_rank(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  switch (dice.between(0, 4)) {
  case 0:
    return compare_operators<1, Kokkos::View<double*, RankMemory>>(ranks, dice);
  case 1:
    return compare_operators<2, Kokkos::View<float**, Kokkos::LayoutLeft, RankMemory>>(ranks, dice);
  case 2:
    return compare_operators<3, Kokkos::View<double***, Kokkos::LayoutLeft, RankMemory>>(ranks, dice);
  default:
    return compare_operators<3, Kokkos::View<float***, Kokkos::LayoutRight, RankMemory>>(ranks, dice);
  }
}

void epilogues_are_those_of_one_rank(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  using View = Kokkos::View<double**, Kokkos::LayoutRight, RankMemory>;
  const auto op = random_weights<2, Keramos::Star<2, 2>>(dice);
  const auto c = random_case<2>(dice, op);
  const auto partition = random_partition<2>(ranks, dice, c.extents);
  const RankExec exec;
  const auto in = input<2, View>(c, partition, dice);
  const auto whole_in = whole_input<2, View>(c);
  const Distributed<View> out(exec, "out", partition, 1), z(exec, "z", partition);
  const auto whole = whole_output<2, View>(c, c.seed + 1), whole_z = whole_output<2, View>(c, c.seed + 2);
  fill_field(out, c.seed + 1);
  fill_field(z, c.seed + 2);
  const auto both = [&](const auto& distributed, const auto& one) {
    Keramos::apply_stencil(exec, op, whole_in, whole, c.rules(), one);
    Keramos::apply_stencil(exec, op, in, out, c.rules(), distributed, random_overlap(dice));
    EXPECT_TRUE(is_part_of(out, whole)) << "rank " << ranks->rank();
  };
  both(WithIndices{}, WithIndices{});
  both(Keramos::LeapFrog{out, 0.25}, Keramos::LeapFrog{whole, 0.25});
  both(Keramos::LeapFrog{out, z}, Keramos::LeapFrog{whole, whole_z});
  both(Keramos::Epilogue{WithFields{}, z, 0.75}, Keramos::Epilogue{WithFields{}, whole_z, 0.75});
}

/// A wave whose two fields change places at every step.
void steps_are_those_of_one_rank(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  using View = Kokkos::View<float***, Kokkos::LayoutRight, RankMemory>;
  const auto op = Keramos::FiniteDifference::laplacian<3, 8>(1, 1, 1);
  const std::array<std::int64_t, 3> extents{dice.between(1, 90), dice.between(1, 20), dice.between(1, 20)};
  const auto partition = random_partition<3>(ranks, dice, extents);
  const RankExec exec;
  Distributed<View> u(exec, "u", partition, 4), before(exec, "before", partition, 4);
  auto whole_u = make<3, View>("u", extents), whole_before = make<3, View>("before", extents);
  fill_field(u, seed);
  fill_global(whole_u, std::array<std::int64_t, 3>{}, seed);
  for (int step = 0; step < 4; ++step) {
    Keramos::apply_stencil(exec, op, whole_u, whole_before, Keramos::constant(0),
                           Keramos::LeapFrog{whole_before, 0.1f});
    Keramos::apply_stencil(exec, op, u, before, Keramos::constant(0), Keramos::LeapFrog{before, 0.1f});
    std::swap(u, before);
    std::swap(whole_u, whole_before);
    ASSERT_TRUE(is_part_of(u, whole_u)) << "rank " << ranks->rank() << ", step " << step;
  }
}

/// Every point of the local View is the one that the rules name: of the first axis' rule, and periodic along the second.
template <class View>
testing::AssertionResult has_images(const Distributed<View>& field, const std::array<std::int64_t, 2>& extents,
                                    unsigned seed, Edge first = Edge::mirror)
{
  const auto box = field.box();
  if (box.empty()) return testing::AssertionSuccess();
  settle();
  const Kokkos::View<typename View::value_type**, Kokkos::HostSpace> expected("expected", 1, 1);
  for (std::int64_t i = 0; i < field.local().extent_int(0); ++i)
    for (std::int64_t j = 0; j < field.local().extent_int(1); ++j) {
      std::array<std::int64_t, 2> at{box.begin[0] - field.halo().low[0] + i, box.begin[1] - field.halo().low[1] + j};
      if (at[0] < 0 || at[0] >= extents[0]) at[0] = Keramos::core::edge_index(first, at[0], extents[0]);
      at[1] = (at[1] % extents[1] + extents[1]) % extents[1];
      fill_global(expected, at, seed);
      if (field.local()(i, j) != expected(0, 0))
        return testing::AssertionFailure() << field.local()(i, j) << " at (" << i << ", " << j << "), where "
                                           << expected(0, 0) << " of (" << at[0] << ", " << at[1] << ") should be";
    }
  return testing::AssertionSuccess();
}

/// After exchange_halo a call needs no messages, and an application's own loop finds every neighbour.
void halos_are_filled(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  using View = Kokkos::View<double**, Kokkos::LayoutLeft, RankMemory>;
  const std::array<std::int64_t, 2> extents{dice.between(1, 9), dice.between(1, 9)};
  const auto partition = random_partition<2>(ranks, dice, extents);
  const RankExec exec;
  const Distributed<View> u(exec, "u", partition, 2);
  fill_field(u, seed);
  const auto halo = Keramos::begin_exchange(exec, u, Keramos::periodic);
  halo.progress();
  halo.finish(exec);
  EXPECT_TRUE(has_images(u, extents, seed, Keramos::Edge::periodic));
  const auto op = random_weights<2, Keramos::Box<2, 2>>(dice);
  const Distributed<View> out(exec, "out", partition);
  const View whole("whole", extents[0], extents[1]), whole_out("whole out", extents[0], extents[1]);
  fill_global(whole, std::array<std::int64_t, 2>{}, seed);
  Keramos::apply_stencil(exec, op, whole, whole_out, Keramos::periodic);
  Keramos::apply_stencil(exec, op, u, out, Keramos::periodic, Keramos::Overlap::current);
  EXPECT_TRUE(is_part_of(out, whole_out));
}

/// Fields of several layouts and halos in one exchange: every point of each halo is the image's.
void fields_are_exchanged_together(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  using Left = Kokkos::View<float**, Kokkos::LayoutLeft, RankMemory>;
  const std::array<std::int64_t, 2> extents{dice.between(1, 9), dice.between(1, 9)};
  const auto partition = random_partition<2>(ranks, dice, extents);
  const RankExec exec;
  const Distributed<Left> u(exec, "u", partition, 2);
  const Distributed<Other<Left>> v(exec, "v", partition, Keramos::Halo<2>({0, 1}, {3, 0}));
  for (int time = 0; time < 2; ++time) {
    fill_field(u, seed + 2 * time);
    fill_field(v, seed + 2 * time + 1);
    Keramos::exchange_halo(exec, std::tie(u, v), {Keramos::mirror, Keramos::periodic});
    EXPECT_TRUE(has_images(u, extents, seed + 2 * time)) << "rank " << ranks->rank();
    EXPECT_TRUE(has_images(v, extents, seed + 2 * time + 1)) << "rank " << ranks->rank();
  }
}

/// With LayoutStride neighbours lie along another axis in the memory of every other rank; a message has one order.
void layouts_may_differ_between_ranks(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  using View = Kokkos::View<double**, Kokkos::LayoutStride, RankMemory>;
  const std::array<std::int64_t, 2> extents{dice.between(1, 9), dice.between(1, 9)};
  const auto partition = random_partition<2>(ranks, dice, extents);
  const auto n0 = static_cast<std::size_t>(partition.box().extent(0) + 4),
             n1 = static_cast<std::size_t>(partition.box().extent(1) + 4), one = std::size_t{1};
  const bool is_left = ranks->rank() % 2 == 1;
  const View local("local", Kokkos::LayoutStride(n0, is_left ? one : n1, n1, is_left ? n0 : one));
  const Distributed<View> u(local, partition, 2);
  fill_field(u, seed);
  Keramos::exchange_halo(RankExec(), u, {Keramos::mirror, Keramos::periodic});
  EXPECT_TRUE(has_images(u, extents, seed)) << "rank " << ranks->rank();
}

/// Ranks agree on what they send, and on no more: what lies beyond the ends is a matter of the ranks there, and one without
/// points has neither a halo nor rules.
void rules_may_differ_where_nothing_is_sent(const Ranks& ranks, unsigned seed)
{
  using View = Kokkos::View<float**, RankMemory>;
  const int with_points = std::max(ranks->size() - 1, 1);
  typename Keramos::Partition<2>::Cuts cuts{std::vector<std::int64_t>{0}, {0, 5}};
  for (int part = 1; part <= ranks->size(); ++part) cuts[0].push_back(4 * std::min(part, with_points));
  const std::array<std::int64_t, 2> extents{cuts[0].back(), 5};
  const Keramos::Partition<2> cut(Keramos::Cartesian<2>(ranks, {ranks->size(), 1}), extents, cuts);
  const Distributed<View> u(RankExec(), "u", cut, cut.box().empty() ? 0 : 2);
  fill_field(u, seed);
  const bool is_end = ranks->rank() == 0 || ranks->rank() == with_points - 1;
  Keramos::exchange_halo(RankExec(), u, {is_end ? Keramos::mirror : Keramos::nearest, Keramos::periodic});
  EXPECT_TRUE(has_images(u, extents, seed)) << "rank " << ranks->rank();
}

/// A field of several components against Views that one rank has: an exchange fills the halo of each, and a call from one
/// component to another is that of one rank, also where it copies the input to a wider halo first.
template <class View>
void compare_components(const Ranks& ranks, Dice& dice, unsigned seed)
{
  const std::array<std::int64_t, 2> extents{dice.between(1, 9), dice.between(1, 40)};
  const auto partition = random_partition<2>(ranks, dice, extents);
  const RankExec exec;
  const Distributed<View> out(exec, "out", partition);
  const Keramos::Halo<2> halo(dice.between(0, 2));
  const auto box = partition.box();
  const View local("local", box.extent(0) + 2 * halo.low[0], box.extent(1) + 2 * halo.low[1]);
  const Distributed in(local, partition, halo); // an application's View
  const View whole("whole", extents[0], extents[1]), whole_out("whole out", extents[0], extents[1]);
  for (int c = 0; c < 3; ++c) {
    fill_global(Keramos::core::component_of_view(whole, c), std::array<std::int64_t, 2>{}, seed + c);
    fill_field(in.component(c), seed + c);
  }
  Keramos::exchange_halo(exec, in, {Keramos::mirror, Keramos::periodic});
  for (int c = 0; c < 3; ++c)
    EXPECT_TRUE(has_images(in.component(c), extents, seed + c)) << "rank " << ranks->rank() << ", component " << c;

  const auto op = random_weights<2, Keramos::Star<2, 2>>(dice);
  const auto to = Keramos::core::component_of_view(whole_out, 1);
  Keramos::apply_stencil(exec, op, Keramos::core::component_of_view(whole, 2), to, Keramos::nearest,
                         Keramos::LeapFrog{Keramos::core::component_of_view(whole, 0), 0.5});
  for (int time = 0; time < 2; ++time)
    Keramos::apply_stencil(exec, op, in.component(2), out.component(1), Keramos::nearest,
                           Keramos::LeapFrog{in.component(0), 0.5}, random_overlap(dice));
  EXPECT_TRUE(is_part_of(out.component(1), to)) << "rank " << ranks->rank() << ", halo " << halo.low[0];
}

void components_are_those_of_one_rank(const Ranks& ranks, unsigned seed)
{
  Dice dice(seed);
  if (dice.between(0, 1) == 0)
    compare_components<Kokkos::View<double** [3], Kokkos::LayoutRight, RankMemory>>(ranks, dice, seed);
  else
    compare_components<Kokkos::View<float** [3], Kokkos::LayoutLeft, RankMemory>>(ranks, dice, seed);
}

void wrong_use_is_refused_on_every_rank(const Ranks& ranks)
{
  using View = Kokkos::View<float**, RankMemory>;
  const RankExec exec;
  const int last = ranks->size() - 1;
  const auto says = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Keramos::Error& error) {
      return error.what();
    }
    return "nothing";
  };
  using testing::HasSubstr;
  EXPECT_THAT(says([&] {
                Keramos::Cartesian<2>(ranks, {ranks->size() + 1, 1});
              }),
              HasSubstr("Keramos::Cartesian: argument 'shape': expected numbers of ranks per axis"));
  const Keramos::Cartesian<2> grid(ranks, {0, 1});
  EXPECT_THAT(says([&] {
                Keramos::Partition<2>(grid, {4, 4}, {{{0, 4, 4, 4, 4, 4, 4, 4, 4}, {0, 4}}});
              }),
              HasSubstr("ascending numbers from 0 to 4 along axis 0"));
  const std::int64_t mine = ranks->rank() == last ? 1 : 2;
  if (ranks->size() > 1) {
    typename Keramos::Partition<2>::Cuts cuts{Keramos::core::even_cuts(4, ranks->size()), {0, 4}};
    cuts[0][1] = mine;
    for (std::size_t k = 2; k < cuts[0].size(); ++k) cuts[0][k] = 4;
    EXPECT_THAT(says([&] {
                  Keramos::Partition<2>(grid, {4, 4}, cuts);
                }),
                HasSubstr("Keramos::Partition: argument 'cuts': expected the same on all ranks"));
  }
  const Keramos::Partition<2> cut(grid, {32, 5}), other(grid, {33, 5});
  // One rank alone is wrong, and all say so.
  const View local("local", static_cast<std::size_t>(cut.box().extent(0)) + (ranks->rank() == last ? 1 : 0), 5);
  EXPECT_THAT(says([&] { Distributed<View>(local, cut); }),
              HasSubstr("'local': expected a View of extents (" + std::to_string(cut.box(last).extent(0)) + ", 5)"));
  const Distributed<View> in(exec, "in", cut, 1), out(exec, "out", cut), strange(exec, "strange", other);
  const Keramos::Star<2, 1> op;
  EXPECT_THAT(says([&] { Keramos::apply_stencil(exec, op, in, strange, Keramos::periodic); }),
              HasSubstr("argument 'out': expected a field of the same ranks and cuts"));
  EXPECT_THAT(says([&] { Keramos::apply_stencil(exec, op, in, in, Keramos::periodic); }), HasSubstr("argument 'out'"));
  EXPECT_THAT(
      says([&] { Keramos::apply_stencil(exec, op, in, out, Keramos::sides(Keramos::periodic, Keramos::nearest)); }),
      HasSubstr("periodic on both sides of axis 0"));
  EXPECT_THAT(says([&] {
                Keramos::apply_stencil(exec, op, in, out, Keramos::periodic, Keramos::LeapFrog{strange, 1});
              }),
              HasSubstr("argument 'previous': expected a field of the same ranks and cuts"));
  EXPECT_THAT(
      says([&] { Keramos::exchange_halo(exec, in, Keramos::sides(Keramos::periodic_closed, Keramos::nearest)); }),
      HasSubstr("Keramos::exchange_halo: argument 'edges'"));
  EXPECT_THAT(says([&] {
                Keramos::apply_stencil(exec, op, in, out, Keramos::periodic, Keramos::Region<2>{{0, 0}, {33, 5}});
              }),
              HasSubstr("argument 'region': expected 0 <= begin <= end <= 32 along axis 0"));
  const Keramos::SparseStencil<2, 1> too_far({std::array<int, 2>{INT32_MIN, 0}}, {1.0});
  EXPECT_THAT(says([&] { Keramos::apply_stencil(exec, too_far, in, out, Keramos::periodic); }),
              HasSubstr("argument 'op'"));
  const auto foreign = Keramos::with_backend(exec, foreign_backend);
  EXPECT_THAT(says([&] { Keramos::apply_stencil(foreign, op, in, out, Keramos::nearest); }), HasSubstr("backend"));
  EXPECT_THAT(says([&] { Keramos::exchange_halo(exec, std::tie(in, strange), Keramos::periodic); }),
              HasSubstr("argument 'fields': expected a field of the same ranks and cuts as the first"));
  if (ranks->size() > 1) { // messages of the last rank's would not be those that the others wait for
    const Distributed<View> wider(exec, "wider", cut, ranks->rank() == last ? 2 : 1);
    const auto refused = HasSubstr("Keramos::exchange_halo: argument 'edges': expected the same kinds of rules, and "
                                   "fields with halos of the same widths, as on rank ");
    EXPECT_THAT(says([&] { Keramos::exchange_halo(exec, wider, Keramos::periodic); }), refused);
    const Keramos::EdgeRule rule = ranks->rank() == last ? Keramos::nearest : Keramos::periodic;
    EXPECT_THAT(says([&] { Keramos::exchange_halo(exec, in, rule); }), refused);
  }
  const Distributed<Kokkos::View<float** [3], RankMemory>> vectors(exec, "vectors", cut);
  EXPECT_THAT(says([&] { vectors.component(3); }), HasSubstr("argument 'c': expected a component from 0 to 2, got 3"));
  EXPECT_EQ(says([&] { Keramos::apply_stencil(exec, op, in, out, Keramos::periodic); }), "nothing");
  EXPECT_THAT(says([&] { Keramos::apply_stencil(foreign, op, in, out, Keramos::periodic); }), HasSubstr("backend"));
  const auto kernel = Keramos::apply_stencil(Keramos::dry_run(exec), op, in, out, Keramos::periodic);
  EXPECT_EQ(kernel.interior, Keramos::apply_stencil(exec, op, in, out, Keramos::periodic).interior);
}

#ifdef Keramos_TEST_RANKS_ON_GPU
/// The stream is held up while calls are made: a call that waited for it, or for a message, would not return.
void no_call_waits_on_the_host(const Ranks& ranks)
{
  using View = Kokkos::View<float***, Kokkos::LayoutRight, RankMemory>;
  const RankExec exec;
  const std::array<std::int64_t, 3> extents{40, 9, 33};
  const Keramos::Partition<3> slabs(Keramos::Cartesian<3>(ranks, {0, 1, 1}), extents);
  const Keramos::Partition<3> turned(Keramos::Cartesian<3>(ranks, {0, 1, 1}), {33, 40, 9});
  const Distributed<View> u(exec, "u", slabs, 4), out(exec, "out", slabs), t(exec, "t", turned);
  const auto whole = make<3, View>("whole", extents), whole_out = make<3, View>("whole out", extents);
  const auto op = Keramos::FiniteDifference::laplacian<3, 8>(1, 1, 1);
  fill_field(u, 5);
  fill_global(whole, std::array<std::int64_t, 3>{}, 5);
  Keramos::apply_stencil(exec, op, whole, whole_out, Keramos::periodic);
  const auto calls = [&] {
    Keramos::apply_stencil(exec, op, u, out, Keramos::periodic);
    Keramos::exchange_halo(exec, u, Keramos::nearest);
    Keramos::permute<2, 0, 1>(exec, out, t, {1000});
  };
  calls();
  settle();
  Kokkos::deep_copy(out.local(), 0);
  for (int time = 0; time < 3; ++time) {
    HeldUp held(exec);
    calls();
    EXPECT_TRUE(held.release()) << "rank " << ranks->rank() << ": a call has waited";
    EXPECT_TRUE(is_part_of(out, whole_out)) << "rank " << ranks->rank();
  }
}
#endif

} // namespace test
