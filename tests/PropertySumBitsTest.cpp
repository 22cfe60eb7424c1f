// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a target depend on the sources, the kernel and the kind of the targets alone: however many targets a call has,
// in whatever order and memory, and however many threads compute them, each is what it is in one call over all of them.
// Sources and weights are irregular, so that any other order of a sum rounds differently somewhere; some sources stand on
// targets, and a weight may be infinite, so that neighbours of a target that takes the exact path are tested, too.
#include "GatherSumCases.hpp"
#include "Property.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace {

using namespace test;

template <int Rank>
using Index = std::array<std::int64_t, Rank>;

template <class T>
bool is_same(T a, T b)
{
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

/// One call over all targets, and another one over some of them.
template <class T, int Rank, int Dimension, bool WithGradient>
class SumCase {
public:
  using Result = Output<T, Rank, Dimension, WithGradient>;

  explicit SumCase(Dice& dice)
      : extents_(random_extents(dice)), count_(random_count(dice)), positions_({count_, Dimension}, dice.memory()),
        weights_({count_}, dice.memory()), together_({count_, Dimension + 1}, dice.memory()),
        points_({Rank == 1 ? extents_[0] : 0, Dimension}, dice.memory()), whole_(extents_, dice.memory())
  {
    positions_.randomise(1);
    weights_.randomise(2);
    points_.randomise(3);
    grid_.origin.fill(-1);
    grid_.spacing.fill(1. / 32); // numbers of the grid are exact, and so a part of it has the numbers of the whole
    place_on_targets(dice);
    if (count_ > 0 && dice.between(0, 3) == 0)
      weights_.at({dice.between(0, count_ - 1)}) = std::numeric_limits<T>::infinity();
    together_.for_each(
        [&](const auto& at) { together_.at(at) = at[1] < Dimension ? positions_.at(at) : weights_.at({at[0]}); });
  }

  template <class K>
  void check(Dice& dice, const K& kernel) const
  {
    for (const Keramos::Backend backend : all_backends()) {
      const auto ran = all_targets(dice, backend, kernel);
      for (int part = 0; part < 3; ++part) {
        if constexpr (Rank == 1)
          check_points(dice, backend, kernel, ran);
        else
          check_box(dice, backend, kernel, ran);
      }
    }
  }

private:
  static Index<Rank> random_extents(Dice& dice)
  {
    Index<Rank> extents;
    if constexpr (Rank == 1)
      extents[0] = dice.coin() ? dice.between(1, 40) : dice.one_of({63, 64, 65, 127, 300, 700});
    else
      for (auto& extent : extents) extent = dice.one_of({1, 2, 3, 7, 8, 9, 15, 17, Rank == 2 ? 70 : 13});
    return extents;
  }

  /// The edges of blocks, and of nodes of eight and of 64 blocks.
  static std::int64_t random_count(Dice& dice)
  {
    switch (dice.between(0, 11)) {
    case 0:
      return dice.one_of({0, 1, 255, 256, 257});
    case 1:
      return 64 * 256 + dice.between(-1, 600);
    case 2:
    case 3:
      return 8 * 256 + dice.one_of({-1, 0, 1, 300});
    default:
      return dice.between(1, 4000);
    }
  }

  void place_on_targets(Dice& dice)
  {
    for (std::int64_t j = dice.between(0, 40); j < count_; j += dice.between(1, 400)) {
      Index<Rank> i;
      for (int axis = 0; axis < Rank; ++axis) i[axis] = dice.between(0, extents_[axis] - 1);
      for (int d = 0; d < Dimension; ++d)
        positions_.at({j, d}) = static_cast<T>(Rank == 1 ? points_.at({i[0], d}) : coordinate(i, d));
    }
  }

  /// Of a target of a grid, or of the plane 5 across axis 1.
  double coordinate(const Index<Rank>& i, int d) const
  {
    const std::int64_t index = Rank == Dimension ? i[std::min(d, Rank - 1)] : d == 1 ? 5 : i[d == 0 ? 0 : Rank - 1];
    return -1 + static_cast<double>(index) / 32;
  }

  /// Of coordinates and weights in arrays of their own or in the rows of one.
  template <class K, class Targets>
  Keramos::Kernel sum(Dice& dice, Keramos::Backend backend, const K& kernel, const Targets& targets,
                      const Result& out) const
  {
    if (dice.coin()) return sum_of(Keramos::Sources{together_.view}, dice, backend, kernel, targets, out);
    return sum_of(Keramos::Sources{positions_.view, weights_.view}, dice, backend, kernel, targets, out);
  }

  /// With or without a workspace.
  template <class S, class K, class Targets>
  Keramos::Kernel sum_of(const S& sources, Dice& dice, Keramos::Backend backend, const K& kernel,
                         const Targets& targets, const Result& out) const
  {
    out.fill(Keramos::overwrite);
    const auto bytes = Keramos::gather_sum_workspace_size(own_instance(), kernel, targets, sources, out.argument());
    const Kokkos::View<double*, Shared> scratch("scratch", bytes / sizeof(double));
    const bool with_scratch = dice.coin();
    return run_anywhere(dice, backend, [&](const auto& exec) {
      if (!with_scratch) return Keramos::gather_sum(exec, kernel, targets, sources, out.argument());
      return Keramos::gather_sum(exec, kernel, targets, sources, out.argument(), Keramos::Workspace{scratch});
    });
  }

  auto targets_at(const Index<Rank>& begin) const
  {
    auto grid = grid_;
    if constexpr (Rank == Dimension) {
      for (int axis = 0; axis < Rank; ++axis) grid.origin[axis] += static_cast<double>(begin[axis]) / 32;
      return grid;
    } else {
      grid.origin[0] += static_cast<double>(begin[0]) / 32;
      grid.origin[2] += static_cast<double>(begin[1]) / 32;
      return grid.plane(1, 5);
    }
  }

  template <class K>
  Keramos::Kernel all_targets(Dice& dice, Keramos::Backend backend, const K& kernel) const
  {
    if constexpr (Rank == 1)
      return sum(dice, backend, kernel, points_.view, whole_);
    else
      return sum(dice, backend, kernel, targets_at({}), whole_);
  }

  /// Is target i of the part what target j of the whole is?
  bool is_target(const Result& part, const Index<Rank>& i, const Index<Rank>& j) const
  {
    bool same = is_same(part.potential.at(i), whole_.potential.at(j));
    for (int d = 0; WithGradient && d < Dimension; ++d)
      same = same && is_same(part.component(i, d), whole_.component(j, d));
    return same;
  }

  /// Some of the points, in another order.
  template <class K>
  void check_points(Dice& dice, Keramos::Backend backend, const K& kernel, const Keramos::Kernel& of_whole) const
  {
    const auto order = dice.permutation(static_cast<int>(extents_[0]));
    const std::int64_t some = dice.between(1, dice.coin() ? extents_[0] : std::min<std::int64_t>(extents_[0], 5));
    const Array<T, 2> points({some, Dimension}, dice.memory());
    const Result part({some}, dice.memory());
    points.for_each([&](const auto& at) { points.at(at) = points_.at({order[at[0]], at[1]}); });
    const auto ran = sum(dice, backend, kernel, points.view, part);
    std::int64_t differences = 0;
    for (std::int64_t i = 0; i < some; ++i) differences += !is_target(part, {i}, {order[i]});
    EXPECT_EQ(differences, 0) << text(of_whole) << "; " << ran << " of " << some << " targets";
  }

  /// A box of the grid.
  template <class K>
  void check_box(Dice& dice, Keramos::Backend backend, const K& kernel, const Keramos::Kernel& of_whole) const
  {
    Index<Rank> begin, extent;
    for (int axis = 0; axis < Rank; ++axis) {
      begin[axis] = dice.between(0, extents_[axis] - 1);
      extent[axis] = dice.between(1, extents_[axis] - begin[axis]);
    }
    const Result part(extent, dice.memory());
    const auto ran = sum(dice, backend, kernel, targets_at(begin), part);
    std::int64_t differences = 0;
    part.potential.for_each([&](const auto& i) {
      Index<Rank> j = i;
      for (int axis = 0; axis < Rank; ++axis) j[axis] += begin[axis];
      differences += !is_target(part, i, j);
    });
    EXPECT_EQ(differences, 0) << text(of_whole) << "; " << ran << " of " << Keramos::core::tuple_text(extent);
  }

  std::string text(const Keramos::Kernel& kernel) const
  {
    return Keramos::core::text(kernel, sizeof(T) == 4 ? ", float, " : ", double, ", Dimension, " coordinates, extents ",
                               Keramos::core::tuple_text(extents_), ", sources ", count_);
  }

  Index<Rank> extents_;
  std::int64_t count_;
  Array<T, 2> positions_;
  Array<T, 1> weights_;
  Array<T, 2> together_; ///< the same sources
  Array<T, 2> points_;
  Keramos::UniformGrid<Dimension> grid_;
  Result whole_;
};

template <class Case>
void check_kernels(Dice& dice)
{
  const Case one(dice);
  switch (dice.between(0, 9)) {
  case 0:
    return one.check(dice, PlainCoulomb::make());
  case 1:
    return one.check(dice, SoftenedCoulomb::make());
  case 2:
    return one.check(dice, SomeYukawa::make());
  case 3:
    return one.check(dice, SomeGaussian::make());
  case 4:
    return one.check(dice, Logarithm());
  case 5:
    return one.check(dice, InverseCube());
  case 6:
    return one.check(dice, Screened());
  case 7:
    return one.check(dice, RootVectors());
  case 8:
    return one.check(dice, ScreenedVectors());
  default:
    return one.check(dice, Anisotropic());
  }
}

template <class T>
void check_targets(Dice& dice)
{
  switch (dice.between(0, 4)) {
  case 0:
    return check_kernels<SumCase<T, 3, 3, false>>(dice);
  case 1:
    return check_kernels<SumCase<T, 2, 3, true>>(dice);
  case 2:
    return check_kernels<SumCase<T, 2, 2, false>>(dice);
  case 3:
    return check_kernels<SumCase<T, 1, 3, true>>(dice);
  default:
    return check_kernels<SumCase<T, 1, 3, false>>(dice);
  }
}

TEST(GatherSumBits, DependOnNoOtherTargetAndNoNumberOfThreads)
{
  for_random_cases(60, [](Dice& dice) { dice.coin() ? check_targets<float>(dice) : check_targets<double>(dice); });
}

} // namespace
