// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is true of every gather-sum, whatever its targets, its sources and its memory: it is additive over the sources,
// linear in their weights, and turned around when targets and sources change places. Integers make both sides of each
// identity exact; Coulomb is held to the bound that backends/reference/GatherSum.hpp states.
#include "GatherSumSupport.hpp"
#include "Property.hpp"

namespace {

using namespace test;
using MaybeBackend = std::optional<Keramos::Backend>;

/// r^2, an integer between points with integer coordinates; its gradient has integer components.
struct SquaredDistance {
  template <class T>
  KOKKOS_FUNCTION T operator()(T r_squared) const
  {
    return r_squared;
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T) const
  {
    return 1;
  }
};

// Sums of r^2 stay below 2^24, so that every partial sum is exact in float.
constexpr std::int64_t max_coordinate = 8, max_grid = 24, max_sources = 600, max_weight = 3;
constexpr std::int64_t farthest = 2 * max_coordinate + max_grid;
static_assert(3 * farthest * farthest * max_weight * max_sources < 1 << 24);

/// A value type, the indices of an output, the coordinates of its targets, and whether there is a gradient.
template <class Value, int R, int D, bool G>
struct Form {
  using T = Value;
  static constexpr int rank = R, dimension = D;
  static constexpr bool gradient = G;
  using Result = Output<T, rank, dimension, gradient>;
};

/// f with a grid, a plane or points in space, a grid or points in the plane.
template <class F>
void with_random_form(Dice& dice, const F& f)
{
  const auto of_type = [&](auto value) {
    using T = decltype(value);
    switch (dice.between(0, 4)) {
    case 0:
      return f(Form<T, 3, 3, true>());
    case 1:
      return f(Form<T, 2, 3, true>());
    case 2:
      return f(Form<T, 1, 3, false>());
    case 3:
      return f(Form<T, 2, 2, false>());
    default:
      return f(Form<T, 1, 2, true>());
    }
  };
  if (dice.coin()) return of_type(float());
  return of_type(double());
}

// ---- Sources and targets -------------------------------------------------------------------------------------------------

template <class F>
struct RandomSources {
  using T = typename F::T;
  Array<T, 2> positions;
  Array<T, 1> weights;

  RandomSources(Dice& dice, std::int64_t count)
      : positions({count, F::dimension}, dice.memory()), weights({count}, dice.memory())
  {
    dice.fill(positions, max_coordinate);
    dice.fill(weights, max_weight);
  }

  auto all() const { return Keramos::Sources{positions.view, weights.view}; }
  auto part(std::int64_t begin, std::int64_t end) const
  {
    const auto rows = std::pair(begin, end);
    return Keramos::Sources{Kokkos::subview(positions.view, rows, Kokkos::ALL), Kokkos::subview(weights.view, rows)};
  }
};

/// The edges of blocks more often than chance would have them.
std::int64_t random_count(Dice& dice)
{
  if (dice.coin()) return dice.between(1, max_sources);
  return dice.one_of({0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 2000, 2049});
}

template <class F>
std::array<std::int64_t, F::rank> random_extents(Dice& dice)
{
  if constexpr (F::rank == 1) {
    return {random_count(dice)};
  } else {
    std::array<std::int64_t, F::rank> extents;
    for (auto& extent : extents) extent = dice.between(dice.between(0, 7) == 0 ? 0 : 1, max_grid);
    return extents;
  }
}

/// Targets with integer coordinates.
template <class F>
auto random_targets(Dice& dice, const std::array<std::int64_t, F::rank>& extents)
{
  if constexpr (F::rank == 1) {
    const Array<typename F::T, 2> points({extents[0], F::dimension}, dice.memory());
    dice.fill(points, max_coordinate);
    return points;
  } else {
    Keramos::UniformGrid<F::dimension> grid;
    for (int k = 0; k < F::dimension; ++k) {
      grid.origin[k] = static_cast<double>(dice.between(-max_coordinate, max_coordinate));
      grid.spacing[k] = 1;
    }
    if constexpr (F::rank == F::dimension)
      return grid;
    else
      return grid.plane(static_cast<int>(dice.between(0, 2)), dice.between(0, max_grid));
  }
}

template <class T>
auto argument(const Array<T, 2>& points)
{
  return points.view;
}
template <class Grid>
auto argument(const Grid& grid)
{
  return grid;
}

template <class K, class Targets, class S, class Result>
Keramos::Kernel sum(MaybeBackend backend, const K& kernel, const Targets& targets, const S& sources, const Result& out,
                    Keramos::Update update = Keramos::overwrite)
{
  return run_on(backend, [&](const auto& exec) {
    return Keramos::gather_sum(exec, kernel, argument(targets), sources, out.argument(), update);
  });
}

/// Every number of an output, with the index of its target.
template <class F, class Visit>
void for_each_number(const typename F::Result& out, const Visit& visit)
{
  out.potential.for_each([&](const auto& i) { visit(out.potential.at(i), i); });
  out.gradient.for_each([&](const auto& j) {
    std::array<std::int64_t, F::rank> i;
    std::copy_n(j.begin(), F::rank, i.begin());
    visit(out.gradient.at(j), i);
  });
}

template <class F>
std::vector<double> numbers(const typename F::Result& out)
{
  std::vector<double> all;
  for_each_number<F>(out, [&](typename F::T value, const auto&) { all.push_back(value); });
  return all;
}

template <class F>
std::string text(const Keramos::Kernel& kernel, const std::array<std::int64_t, F::rank>& extents, std::int64_t sources)
{
  return Keramos::core::text(kernel, sizeof(typename F::T) == 4 ? ", float, " : ", double, ", F::dimension,
                             " coordinates, extents ", Keramos::core::tuple_text(extents), ", sources ", sources);
}

// ---- The properties ------------------------------------------------------------------------------------------------------

/// The sum over all sources is the sum over some plus the sum over the others.
template <class F>
void check_additive(Dice& dice)
{
  const auto extents = random_extents<F>(dice);
  const auto targets = random_targets<F>(dice, extents);
  const RandomSources<F> sources(dice, random_count(dice));
  const std::int64_t count = sources.weights.extents[0], split = dice.between(0, count);
  const typename F::Result whole(extents, dice.memory()), parts(extents, dice.memory());
  for (const auto backend : asked_backends()) {
    const auto kernel = sum(backend, SquaredDistance{}, targets, sources.all(), whole);
    sum(backend, SquaredDistance{}, targets, sources.part(0, split), parts);
    sum(backend, SquaredDistance{}, targets, sources.part(split, count), parts, Keramos::accumulate);
    EXPECT_EQ(numbers<F>(whole), numbers<F>(parts)) << text<F>(kernel, extents, count) << ", split at " << split;
    EXPECT_EQ(whole.touched_outside() + parts.touched_outside(), 0) << text<F>(kernel, extents, count);
  }
}

/// The same for Coulomb, on targets anywhere: each of the three sums is within the bound of all sources.
template <class F>
void check_additive_coulomb(Dice& dice)
{
  using T = typename F::T;
  const auto extents = random_extents<F>(dice);
  auto targets = random_targets<F>(dice, extents);
  if constexpr (F::rank == 1)
    targets.randomise(7);
  else
    for (auto& spacing : targets.spacing) spacing = 0.01 * static_cast<double>(dice.between(1, 50));
  const RandomSources<F> sources(dice, random_count(dice));
  const std::int64_t count = sources.weights.extents[0], split = dice.between(0, count);
  const typename F::Result whole(extents, dice.memory()), parts(extents, dice.memory());
  std::vector<Bound> bounds;
  whole.potential.for_each([&](const auto& i) {
    bounds.push_back(gather_bound(Keramos::Coulomb{}, coordinates<T>(targets, i), sources.positions, sources.weights));
  });
  for (const auto backend : asked_backends()) {
    const auto kernel = sum(backend, Keramos::Coulomb{}, targets, sources.all(), whole);
    sum(backend, Keramos::Coulomb{}, targets, sources.part(0, split), parts);
    sum(backend, Keramos::Coulomb{}, targets, sources.part(split, count), parts, Keramos::accumulate);
    const auto got = numbers<F>(whole), want = numbers<F>(parts);
    int wrong = 0;
    for (std::size_t n = 0; n < got.size(); ++n) {
      const bool potential = n < bounds.size();
      const Bound& bound = bounds[potential ? n : (n - bounds.size()) / F::dimension];
      const double within = 2 * (potential ? bound.potential : bound.gradient) +
                            std::numeric_limits<T>::epsilon() * std::abs(want[n]); // of the addition
      wrong += !(std::abs(got[n] - want[n]) <= within);
    }
    EXPECT_EQ(wrong, 0) << text<F>(kernel, extents, count) << ", split at " << split;
  }
}

/// The sum with weights a v + b w is a times that with v plus b times that with w.
template <class F>
void check_linear(Dice& dice)
{
  const auto extents = random_extents<F>(dice);
  const auto targets = random_targets<F>(dice, extents);
  const std::int64_t count = random_count(dice), a = dice.between(-2, 2), b = dice.between(-1, 1);
  const RandomSources<F> v(dice, count);
  const Array<typename F::T, 1> w({count}, dice.memory()), both({count}, dice.memory());
  dice.fill(v.weights, 1);
  dice.fill(w, 1);
  both.for_each([&](const auto& j) { both.at(j) = a * v.weights.at(j) + b * w.at(j); });
  const typename F::Result of_v(extents, dice.memory()), of_w(extents, dice.memory()), of_both(extents, dice.memory());
  for (const auto backend : asked_backends()) {
    const auto add = [&](const auto& weights, const auto& out) {
      return sum(backend, SquaredDistance{}, targets, Keramos::Sources{v.positions.view, weights.view}, out);
    };
    add(v.weights, of_v);
    add(w, of_w);
    const auto kernel = add(both, of_both);
    auto want = numbers<F>(of_v);
    const auto other = numbers<F>(of_w);
    for (std::size_t n = 0; n < want.size(); ++n) want[n] = a * want[n] + b * other[n];
    EXPECT_EQ(numbers<F>(of_both), want) << text<F>(kernel, extents, count) << ", " << a << " v + " << b << " w";
  }
}

/// <A w, q> = <w, A^T q>, where A^T sums from the targets to the sources: K(t, s) = K(s, t).
template <class F>
void check_adjoint(Dice& dice)
{
  static_assert(F::rank == 1 && !F::gradient);
  const RandomSources<F> here(dice, random_count(dice)), there(dice, random_count(dice));
  const typename F::Result at_there({there.weights.extents[0]}, dice.memory());
  const typename F::Result at_here({here.weights.extents[0]}, dice.memory());
  const auto product = [](const typename F::Result& sums, const auto& weights) {
    double result = 0; // of integers, far below 2^53
    weights.for_each([&](const auto& i) { result += double(sums.potential.at(i)) * double(weights.at(i)); });
    return result;
  };
  for (const auto backend : asked_backends()) {
    const auto kernel = sum(backend, SquaredDistance{}, there.positions, here.all(), at_there);
    sum(backend, SquaredDistance{}, here.positions, there.all(), at_here);
    EXPECT_EQ(product(at_there, there.weights), product(at_here, here.weights))
        << text<F>(kernel, there.weights.extents, here.weights.extents[0]);
  }
}

/// An array per coordinate, each of its own memory.
template <class F>
class SourcesApart {
public:
  using T = typename F::T;

  SourcesApart(Dice& dice, const RandomSources<F>& all) : weights_(all.weights)
  {
    for (std::int64_t d = 0; d < F::dimension; ++d) {
      coordinates_.emplace_back(all.weights.extents, dice.memory());
      coordinates_.back().for_each([&](const auto& j) { coordinates_.back().at(j) = all.positions.at({j[0], d}); });
    }
  }
  auto points() const
  {
    if constexpr (F::dimension == 3)
      return Keramos::Points{coordinates_[0].view, coordinates_[1].view, coordinates_[2].view};
    else
      return Keramos::Points{coordinates_[0].view, coordinates_[1].view};
  }
  auto all() const { return Keramos::Sources{points(), weights_.view}; }

private:
  std::vector<Array<T, 1>> coordinates_;
  Array<T, 1> weights_;
};

/// Where the coordinates stand, and whether somebody wants the potential, is no matter.
template <class F>
void check_forms(Dice& dice)
{
  const auto extents = random_extents<F>(dice);
  const auto targets = random_targets<F>(dice, extents);
  const RandomSources<F> sources(dice, random_count(dice));
  const SourcesApart<F> apart(dice, sources);
  const typename F::Result of_rows(extents, dice.memory()), of_arrays(extents, dice.memory());
  for (const auto backend : asked_backends()) {
    const auto kernel = sum(backend, SquaredDistance{}, targets, sources.all(), of_rows);
    sum(backend, SquaredDistance{}, targets, apart.all(), of_arrays);
    if constexpr (F::gradient) {
      of_arrays.fill(Keramos::overwrite);
      of_arrays.potential.for_each([&](const auto& i) { of_arrays.potential.at(i) = of_rows.potential.at(i); });
      run_on(backend, [&](const auto& exec) {
        return Keramos::gather_sum(exec, SquaredDistance{}, argument(targets), apart.all(), of_arrays.gradient_alone());
      });
    }
    EXPECT_EQ(numbers<F>(of_rows), numbers<F>(of_arrays)) << text<F>(kernel, extents, sources.weights.extents[0]);
    EXPECT_EQ(of_arrays.touched_outside(), 0) << text<F>(kernel, extents, sources.weights.extents[0]);
  }
}

TEST(GatherSumProperties, AreTheSameInEveryForm)
{
  for_random_cases(30,
                   [](Dice& dice) { with_random_form(dice, [&](auto form) { check_forms<decltype(form)>(dice); }); });
}

TEST(GatherSumProperties, AreAdditiveOverSources)
{
  for_random_cases(
      30, [](Dice& dice) { with_random_form(dice, [&](auto form) { check_additive<decltype(form)>(dice); }); });
}

TEST(GatherSumProperties, OfCoulombAreAdditiveOverSources)
{
  for_random_cases(
      30, [](Dice& dice) { with_random_form(dice, [&](auto form) { check_additive_coulomb<decltype(form)>(dice); }); });
}

TEST(GatherSumProperties, AreLinearInTheWeights)
{
  for_random_cases(30,
                   [](Dice& dice) { with_random_form(dice, [&](auto form) { check_linear<decltype(form)>(dice); }); });
}

TEST(GatherSumProperties, AreTransposedByExchangingTargetsAndSources)
{
  for_random_cases(40, [](Dice& dice) {
    if (dice.coin()) return check_adjoint<Form<float, 1, 3, false>>(dice);
    return check_adjoint<Form<double, 1, 3, false>>(dice);
  });
}

} // namespace
