// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected answer comes from index arithmetic alone: an element tells its global index, and of the memory around the
// owned points every byte is compared.
#include "RedistributionBodies.hpp"

#include "../../src/keramos/core/Integer.hpp"
#include "../../src/keramos/distributed/RedistributionCalls.hpp"
#include "../Property.hpp"
#include "../TransposeSupport.hpp"
#include "RandomPartition.hpp"
#include "RankSpace.hpp"
#include "Relays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace test {
namespace {

template <int Rank>
using Index = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

template <int Rank>
Index<Rank> picked(const Index<Rank>& from, const Index<Rank>& axes)
{
  Index<Rank> result;
  for (std::size_t k = 0; k < Rank; ++k) result[k] = from[static_cast<std::size_t>(axes[k])];
  return result;
}

/// The number of a point, the last index fastest.
template <int Rank>
std::int64_t number_of(const Index<Rank>& at, const Index<Rank>& extents)
{
  std::int64_t number = 0;
  for (std::size_t k = 0; k < Rank; ++k) number = number * extents[k] + at[k];
  return number;
}

/// The number in `in` of the element that belongs to a point of out.
template <int Rank>
std::int64_t source_number(const Index<Rank>& at, const Index<Rank>& axes, const Index<Rank>& in_extents)
{
  Index<Rank> source;
  for (std::size_t k = 0; k < Rank; ++k) source[static_cast<std::size_t>(axes[k])] = at[k];
  return number_of<Rank>(source, in_extents);
}

/// f(global index, place in the local View) for every owned point.
template <class View, class F>
void for_owned(const Keramos::Distributed<View>& field, const F& f)
{
  constexpr int rank = Keramos::Distributed<View>::rank;
  const auto box = field.box();
  if (box.empty()) return;
  settle();
  auto at = box.begin;
  while (true) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < rank; ++k)
      place += (at[k] - box.begin[k] + field.halo().low[k]) * static_cast<std::int64_t>(field.local().stride(k));
    f(at, place);
    int axis = rank - 1;
    while (axis >= 0 && ++at[static_cast<std::size_t>(axis)] == box.end[static_cast<std::size_t>(axis)]) {
      at[static_cast<std::size_t>(axis)] = box.begin[static_cast<std::size_t>(axis)];
      --axis;
    }
    if (axis < 0) return;
  }
}

/// An application's memory around a field: any order of axes, gaps between elements and rows, a halo.
template <int Size, int Rank>
struct Wrapped {
  Cells<Item<Size>> memory;
  Keramos::Distributed<StridedView<Item<Size>, Rank>> field;

  Wrapped(Dice& dice, const Keramos::Partition<Rank>& partition, const Keramos::Halo<Rank>& halo)
      : memory(random_shape(dice, partition, halo)), field(memory.template view<Rank>(), partition, halo)
  {
  }

  static Shape random_shape(Dice& dice, const Keramos::Partition<Rank>& partition, const Keramos::Halo<Rank>& halo)
  {
    Numbers extent;
    for (std::size_t k = 0; k < Rank; ++k)
      extent.push_back(halo.low[k] + partition.box().extent(static_cast<int>(k)) + halo.high[k]);
    const auto order = dice.permutation(Rank);
    const std::int64_t spacing = dice.one_of({1, 1, 1, 2}), pad = dice.one_of({0, 0, 3}), start = dice.between(0, 3);
    return Shape(extent, order, spacing, pad, start);
  }
  std::vector<unsigned char> bytes() const
  {
    std::vector<unsigned char> copy(memory.bytes());
    std::memcpy(copy.data(), static_cast<const void*>(memory.data()), copy.size());
    return copy;
  }
  /// In memory or in a copy of its bytes.
  void put(void* bytes, std::int64_t place, const Item<Size>& value) const
  {
    std::memcpy(static_cast<unsigned char*>(bytes) + (memory.shape.offset + place) * Size, &value, Size);
  }
};

template <int Rank>
Keramos::Halo<Rank> random_halo(Dice& dice)
{
  Keramos::Halo<Rank> halo;
  for (std::size_t k = 0; k < Rank; ++k) {
    halo.low[k] = dice.one_of({0, 0, 1, 2});
    halo.high[k] = dice.one_of({0, 0, 1, 3});
  }
  return halo;
}

/// By the call that an application would take for this order of axes, or by permute.
template <int Rank, class Exec, class In, class Out>
Keramos::DistributedKernel call(Dice& dice, const Exec& exec, const Index<Rank>& axes, const In& in, const Out& out,
                                const Keramos::BufferLimit& limit)
{
  if (std::is_sorted(axes.begin(), axes.end()) && (Rank == 1 || dice.coin()))
    return Keramos::copy(exec, in, out, limit);
  if constexpr (Rank == 2)
    if (axes[0] == 1 && dice.coin()) return Keramos::transpose(exec, in, out, limit);
  if constexpr (Rank >= 2) return Keramos::permute(exec, Keramos::Axes<Rank>(axes), in, out, limit);
  throw std::logic_error("no call for these axes");
}

template <int Size, int Rank>
void check_case(const Ranks& ranks, Dice& dice, Dice& mine, const Index<Rank>& axes)
{
  Index<Rank> extents;
  for (auto& extent : extents) extent = dice.one_of({0, 1, 2, 3, 5, 8, 13, 17});
  if (dice.between(0, 3) > 0)
    for (auto& extent : extents) extent = std::max<std::int64_t>(extent, 1);
  const auto cut = random_partition<Rank>(ranks, dice, extents);
  const auto other_cut = random_partition<Rank>(ranks, dice, picked<Rank>(extents, axes));
  const auto exec = own_space();
  const Wrapped<Size, Rank> in(mine, cut, random_halo<Rank>(dice)), out(mine, other_cut, random_halo<Rank>(dice));
  // Rounds of one element each only where there are few of them.
  const bool is_small = extents[0] * extents[Rank - 1] * extents[Rank / 2] < 64;
  const Keramos::BufferLimit limit{static_cast<std::size_t>(dice.one_of({is_small ? 1 : 1000, 3000, 1 << 28}))};
  for (int time = 0; time < 2; ++time) {
    for_owned(in.field, [&](const auto& at, std::int64_t place) {
      in.put(in.memory.data(), place, item<Size>(2 * number_of<Rank>(at, extents) + time));
    });
    const auto in_before = in.bytes();
    auto expected = out.bytes();
    for_owned(out.field, [&](const auto& at, std::int64_t place) {
      out.put(expected.data(), place, item<Size>(2 * source_number<Rank>(at, axes, extents) + time));
    });
    const auto kernel = call<Rank>(dice, exec, axes, in.field, out.field, limit);
    exec.fence();
    EXPECT_TRUE(out.bytes() == expected) << kernel << ", size " << Size << ", extents "
                                         << Keramos::core::tuple_text(extents) << ", axes "
                                         << Keramos::core::tuple_text(axes) << ", limit " << limit.bytes << ", rank "
                                         << ranks->rank() << " of " << ranks->size() << ", time " << time;
    EXPECT_TRUE(in.bytes() == in_before);
    EXPECT_STREQ(kernel.transport, ranks->transport(Keramos::core::place_of<RankExec>));
  }
}

template <int Size, int Rank>
void check_all_axes(const Ranks& ranks, Dice& dice, Dice& mine)
{
  Index<Rank> axes;
  for (std::size_t k = 0; k < Rank; ++k) axes[k] = static_cast<std::int64_t>(k);
  do check_case<Size, Rank>(ranks, dice, mine, axes);
  while (std::next_permutation(axes.begin(), axes.end()));
}

template <int Size>
void check_all_ranks(const Ranks& ranks, Dice& dice, Dice& mine)
{
  check_all_axes<Size, 1>(ranks, dice, mine);
  check_all_axes<Size, 2>(ranks, dice, mine);
  check_all_axes<Size, 3>(ranks, dice, mine);
}

/// Every element its number.
template <class View, std::size_t Rank>
void fill_numbers(const Keramos::Distributed<View>& field, const std::array<std::int64_t, Rank>& extents)
{
  for_owned(field, [&](const auto& at, std::int64_t place) {
    field.local().data()[place] =
        static_cast<typename View::value_type>(number_of<static_cast<int>(Rank)>(at, extents));
  });
}

template <class View, std::size_t Rank>
void expect_numbers(const Keramos::Distributed<View>& field, const std::array<std::int64_t, Rank>& axes,
                    const std::array<std::int64_t, Rank>& in_extents)
{
  std::int64_t wrong = 0;
  for_owned(field, [&](const auto& at, std::int64_t place) {
    wrong += field.local().data()[place] !=
             static_cast<typename View::value_type>(source_number<static_cast<int>(Rank)>(at, axes, in_extents));
  });
  EXPECT_EQ(wrong, 0);
}

template <class InLayout, class OutLayout>
void check_layouts(const Ranks& ranks)
{
  const auto exec = own_space();
  const Index<3> extents{6, 5, 4};
  const Keramos::Cartesian<3> slabs(ranks, {0, 1, 1}), pencils(ranks, {1, 0, 0});
  const Keramos::Partition<3> cut(slabs, extents), turned(pencils, {4, 6, 5}), same(pencils, extents);
  const Keramos::Distributed<Kokkos::View<double***, InLayout, RankMemory>> u(exec, "u", cut, 1);
  const Keramos::Distributed<Kokkos::View<double***, OutLayout, RankMemory>> v(exec, "v", turned),
      w(exec, "w", same, {{0, 2, 1}});
  fill_numbers(u, extents);
  const auto kernel = Keramos::permute<2, 0, 1>(exec, u, v);
  EXPECT_EQ(kernel.interior.operation, "permute");
  EXPECT_EQ(kernel.boundary.operation, "permute");
  expect_numbers(v, {2, 0, 1}, extents);
  EXPECT_EQ(Keramos::copy(exec, u, w).boundary.operation, "copy");
  expect_numbers(w, {0, 1, 2}, extents);

  const Keramos::Cartesian<2> rows(ranks, {0, 1});
  const Keramos::Distributed<Kokkos::View<const double**, InLayout, RankMemory>> read_only(
      Kokkos::View<double**, InLayout, RankMemory>("m", ranks->rank() == 0 ? 9 : 0, 7),
      Keramos::Partition<2>(rows, {9, 7}, gathered_cuts<2>(ranks->size(), {9, 7})));
  const Keramos::Distributed<Kokkos::View<double**, OutLayout, RankMemory>> t(exec, "t",
                                                                              Keramos::Partition<2>(rows, {7, 9}));
  for_owned(read_only, [&](const auto& at, std::int64_t place) {
    const_cast<double*>(read_only.local().data())[place] = static_cast<double>(number_of<2>(at, {9, 7}));
  });
  EXPECT_EQ(Keramos::transpose(exec, read_only, t).interior.operation, "transpose");
  expect_numbers(t, {1, 0}, Index<2>{9, 7});
}

std::string prefix(const std::string& text, const char* end) { return text.substr(0, text.find(end)); }

} // namespace

void elements_arrive(const Ranks& ranks, std::uint64_t seed)
{
  Dice dice(seed), mine(1000 * seed + static_cast<std::uint64_t>(ranks->rank()));
  check_all_ranks<1>(ranks, dice, mine);
  check_all_ranks<2>(ranks, dice, mine);
  check_all_ranks<4>(ranks, dice, mine);
  check_all_ranks<8>(ranks, dice, mine);
  check_all_ranks<16>(ranks, dice, mine);
}

void layouts_are_mixed(const Ranks& ranks)
{
  check_layouts<Kokkos::LayoutLeft, Kokkos::LayoutLeft>(ranks);
  check_layouts<Kokkos::LayoutLeft, Kokkos::LayoutRight>(ranks);
  check_layouts<Kokkos::LayoutRight, Kokkos::LayoutLeft>(ranks);
  check_layouts<Kokkos::LayoutRight, Kokkos::LayoutRight>(ranks);
}

using Field2 = Keramos::Distributed<Kokkos::View<float**, Kokkos::LayoutRight, RankMemory>>;

void fields_are_gathered(const Ranks& ranks)
{
  const auto exec = own_space();
  const Index<2> extents{7, 10};
  const Keramos::Cartesian<2> grid(ranks, {0, 0}), line(ranks, {0, 1});
  const Field2 u(exec, "u", Keramos::Partition<2>(grid, extents), 1), again(exec, "again", u.partition());
  const Field2 root(exec, "root", Keramos::Partition<2>(line, extents, gathered_cuts<2>(ranks->size(), extents)));
  EXPECT_EQ(root.local().size(), ranks->rank() == 0 ? 70u : 0u);
  fill_numbers(u, extents);
  Keramos::copy(exec, u, root, {64});
  expect_numbers(root, {0, 1}, extents);
  Keramos::copy(exec, root, again);
  expect_numbers(again, {0, 1}, extents);
}

void limits_are_kept(const Ranks& ranks)
{
  const auto exec = own_space();
  constexpr auto place = Keramos::core::place_of<decltype(own_space())>;
  const Index<2> extents{40, 30};
  for (const std::size_t limit : {std::size_t{1} << 28, std::size_t{2000}, std::size_t{300}, std::size_t{0}}) {
    const auto relay = std::make_shared<Relay>(ranks);
    const Field2 u(exec, "u", Keramos::Partition<2>(Keramos::Cartesian<2>(relay, {0, 1}), extents), 1);
    const Field2 v(exec, "v", Keramos::Partition<2>(Keramos::Cartesian<2>(relay, {0, 1}), {30, 40}));
    for (int time = 0; time < 3; ++time) {
      fill_numbers(u, extents);
      Kokkos::deep_copy(exec, v.local(), -1.f);
      Keramos::transpose(exec, u, v, {limit});
      expect_numbers(v, {1, 0}, extents);
    }
    const bool in_steps = limit < std::size_t{1} << 28 && ranks->size() > 1 && ranks->one_at_a_time(place);
    const std::int64_t steps = in_steps ? ranks->size() - 1 : 1;
    const std::size_t channels = relay->opened.size(); // of even and of odd rounds
    EXPECT_LE(channels, static_cast<std::size_t>(2 * steps));
    EXPECT_LE(std::accumulate(relay->opened.begin(), relay->opened.end(), std::size_t{0}),
              std::max(limit, channels * relay->messages * sizeof(float)));
    if (limit == std::size_t{1} << 28) {
      EXPECT_EQ(relay->posts, 3);
    }
    if (limit == 0 && ranks->size() > 1) {
      EXPECT_EQ(relay->posts,
                3 * steps * Keramos::core::ceil_div(40, ranks->size()) * Keramos::core::ceil_div(30, ranks->size()));
    }
  }
}

void a_limit_may_be_none(const Ranks& ranks)
{
  const auto exec = own_space();
  using Bytes = Keramos::Distributed<Kokkos::View<signed char**, Kokkos::LayoutRight, RankMemory>>;
  const auto relay = std::make_shared<Relay>(ranks);
  const Keramos::Cartesian<2> line(relay, {0, 1});
  const Index<2> extents{9, 14};
  const Bytes u(exec, "u", Keramos::Partition<2>(line, extents)), v(exec, "v", Keramos::Partition<2>(line, {14, 9}));
  fill_numbers(u, extents);
  Keramos::transpose(exec, u, v, {SIZE_MAX});
  expect_numbers(v, {1, 0}, extents);
  EXPECT_EQ(relay->posts, 1);
}

void a_dead_field_is_forgotten(const Ranks& ranks)
{
  const auto exec = own_space();
  const Index<2> extents{5, 6};
  const auto relay = std::make_shared<Relay>(ranks);
  const Keramos::Partition<2> cut(Keramos::Cartesian<2>(relay, {0, 1}), extents);
  const Keramos::Partition<2> other(Keramos::Cartesian<2>(relay, {1, 0}), extents);
  const Field2 v(exec, "v", other);
  for (int time = 1; time <= 3; ++time) {
    const Field2 u(exec, "u", cut, time), same = u;
    fill_numbers(u, extents);
    for (const Field2& one : {u, same}) {
      Kokkos::deep_copy(exec, v.local(), -1.f);
      Keramos::copy(exec, one, v);
      expect_numbers(v, {0, 1}, extents);
    }
    EXPECT_EQ(relay->opened.size(), static_cast<std::size_t>(time));
    EXPECT_EQ(v.remembered().size(), 1u);
  }
}

void a_dry_run_moves_nothing(const Ranks& ranks)
{
  const auto exec = own_space();
  const auto relay = std::make_shared<Relay>(ranks);
  const Keramos::Cartesian<2> line(relay, {0, 1});
  const Field2 u(exec, "u", Keramos::Partition<2>(line, {20, 21})), v(exec, "v", Keramos::Partition<2>(line, {21, 20}));
  Kokkos::deep_copy(exec, u.local(), 1.f);
  const auto kernel = Keramos::transpose(Keramos::dry_run(exec), u, v);
  EXPECT_EQ(relay->posts, 0);
  settle();
  for (std::size_t i = 0; i < v.local().size(); ++i) EXPECT_EQ(v.local().data()[i], 0.f);
  const auto ran = Keramos::transpose(exec, u, v);
  EXPECT_EQ(ran.interior, kernel.interior);
  EXPECT_EQ(ran.boundary, kernel.boundary);
  EXPECT_STREQ(ran.transport, kernel.transport);
  const auto portable = Keramos::with_backend(exec, Keramos::Backend::portable);
  EXPECT_EQ(Keramos::transpose(portable, u, v).interior.backend, Keramos::Backend::portable);
}

void wrong_redistributions_are_refused(const Ranks& ranks)
{
  const auto exec = own_space();
  const int me = ranks->rank(), last = ranks->size() - 1;
  const std::string on_first = Keramos::core::text(" (on rank 0 of ", ranks->size(), ")");
  const std::string on_last = Keramos::core::text(" (on rank ", last, " of ", ranks->size(), ")");
  const Keramos::Cartesian<2> line(ranks, {0, 1});
  const Keramos::Partition<2> cut(line, {8, 6});
  const Field2 u(exec, "u", cut, 1), v(exec, "v", cut), t(exec, "t", Keramos::Partition<2>(line, {6, 8}));

  EXPECT_EQ(message([&] { Keramos::transpose(exec, u, v); }),
            "Keramos::transpose: argument 'out': expected extents (6, 8), got (8, 6)" + on_first);
  EXPECT_EQ(message([&] { Keramos::permute<1, 0>(exec, u, v); }),
            "Keramos::permute: argument 'out': expected extents (6, 8), got (8, 6)" + on_first);
  EXPECT_EQ(message([&] { Keramos::copy(exec, u, t); }),
            "Keramos::copy: argument 'out': expected extents (8, 6), got (6, 8)" + on_first);
  EXPECT_EQ(message([&] { Keramos::copy(exec, u, u); }),
            "Keramos::copy: argument 'out': expected no element in common with 'in', got Views that overlap in memory" +
                on_first);
  EXPECT_EQ(message([&] {
              Keramos::permute(exec, Keramos::Axes{1, 2}, u, t);
            }),
            "Keramos::permute: argument 'axes': expected each axis from 0 to 1 once, got (1, 2)" + on_first);

  const Field2 apart(me == last ? u.local() : Field2::view_type("apart", u.local().extent(0), u.local().extent(1)), cut,
                     1);
  EXPECT_EQ(message([&] { Keramos::copy(exec, u, apart); }),
            "Keramos::copy: argument 'out': expected no element in common with 'in', got Views that overlap in memory" +
                on_last);

  const Keramos::Cartesian<2> strangers(std::make_shared<Relay>(ranks), {0, 1});
  const Field2 strange(exec, "strange", Keramos::Partition<2>(strangers, {8, 6}));
  EXPECT_EQ(
      message([&] { Keramos::copy(exec, u, strange); }),
      "Keramos::copy: argument 'out': expected a field over the ranks of 'in', as partitions of one Cartesian have "
      "them, got one over another group of ranks" +
          on_first);
  EXPECT_EQ(message([&] { Keramos::copy(Keramos::with_backend(exec, foreign_backend), u, v); }),
            Keramos::core::text("Keramos::copy: argument 'exec': expected a backend that covers this call, got ",
                                Keramos::to_string(foreign_backend), " on ", RankExec::name(), on_first));
  if (last == 0) return;

  const Keramos::Partition<2> square(line, {6, 6});
  const Field2 a(exec, "a", square), b(exec, "b", square);
  const Keramos::Axes<2> axes = me == last ? Keramos::Axes{1, 0} : Keramos::Axes{0, 1};
  EXPECT_EQ(message([&] { Keramos::permute(exec, axes, a, b); })
                .find("Keramos::permute: argument 'axes': expected the"
                      " same on all ranks, such as "),
            0u);
  auto cuts = cut.cuts(0);
  const Field2 even(exec, "even", Keramos::Partition<2>(line, {8, 6}, {{cuts, {0, 6}}}));
  cuts[1] = cuts[0];
  const Field2 uneven(exec, "uneven", Keramos::Partition<2>(line, {8, 6}, {{cuts, {0, 6}}}));
  EXPECT_EQ(prefix(message([&] { Keramos::copy(exec, v, me == last ? uneven : even); }), " (on"),
            "Keramos::copy: argument 'out': expected a partition with the same cuts on all ranks, got different ones");
}

} // namespace test
