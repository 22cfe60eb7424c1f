// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is true of every permutation of axes, whatever the element, the rank, the extents and the strides: two of them
// are one, a permutation and its inverse are nothing, a matrix transposed twice is itself. Every byte of the memory
// around an array is compared as well.
#include "Property.hpp"
#include "TransposeSupport.hpp"

namespace {

using namespace test;

constexpr std::int64_t max_elements = 40000;

/// Memory for these extents: any order of axes, gaps between neighbours and between rows, any start.
Shape random_shape(Dice& dice, const Numbers& extents)
{
  const auto order = dice.permutation(static_cast<int>(extents.size()));
  const bool spread = dice.between(0, 3) == 0;
  return Shape(extents, order, spread ? dice.between(2, 3) : 1, dice.one_of({0, 0, 1, 3, 8}), dice.between(0, 9));
}

template <std::size_t Rank>
Numbers random_extents(Dice& dice)
{
  const auto extents = dice.extents<Rank>(2, max_elements);
  return {extents.begin(), extents.end()};
}

/// out = in with its axes permuted, as one call.
template <int Size, int Rank>
std::string permute(std::optional<Keramos::Backend> backend, const Numbers& axes, const Cells<Item<Size>>& in,
                    const Cells<Item<Size>>& out)
{
  const auto kernel = run_on(backend, [&](const auto& exec) {
    return Keramos::permute(exec, axes_of<Rank>(axes), in.template view<Rank>(), out.template view<Rank>());
  });
  return Keramos::core::text(kernel, ", size ", Size, ", extents ", Keramos::core::tuple_text(in.shape.extent),
                             ", strides ", Keramos::core::tuple_text(in.shape.stride), ", axes ",
                             Keramos::core::tuple_text(axes), ", strides of out ",
                             Keramos::core::tuple_text(out.shape.stride));
}

template <class T>
bool same_bytes(const Cells<T>& a, const Cells<T>& b)
{
  return std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

/// permute(q, permute(p, in)) = permute(p after q, in), and permute(inverse of p, permute(p, in)) = in.
template <int Size, int Rank>
void check_permutations(Dice& dice)
{
  using T = Item<Size>;
  const auto p = dice.permutation(Rank), q = dice.permutation(Rank);
  Numbers inverse(Rank);
  for (int k = 0; k < Rank; ++k) inverse[p[k]] = k;
  const Cells<T> in(random_shape(dice, random_extents<Rank>(dice)));
  number(in);
  const Shape between = random_shape(dice, picked(in.shape.extent, p));
  const Shape end = random_shape(dice, picked(between.extent, q));
  for (const auto backend : asked_backends()) {
    const Cells<T> once(between), twice(end), direct(end), back(in.shape);
    const std::string first = permute<Size, Rank>(backend, p, in, once);
    const std::string second = permute<Size, Rank>(backend, q, once, twice);
    const std::string whole = permute<Size, Rank>(backend, picked(p, q), in, direct);
    EXPECT_TRUE(same_bytes(twice, direct)) << first << "\n" << second << "\n" << whole;
    const std::string home = permute<Size, Rank>(backend, inverse, once, back);
    EXPECT_TRUE(same_bytes(back, in)) << first << "\n" << home;
  }
}

/// transpose(transpose(in)) = in; a square in place becomes its transpose and then itself again.
template <int Size>
void check_transposes(Dice& dice)
{
  using T = Item<Size>;
  Numbers extents = random_extents<2>(dice);
  const bool square = dice.coin();
  if (square) extents[0] = extents[1] = std::min<std::int64_t>(extents[0], 200);
  const Cells<T> in(random_shape(dice, extents));
  number(in);
  const Shape turned = random_shape(dice, {extents[1], extents[0]});
  for (const auto backend : asked_backends()) {
    const Cells<T> once(turned), back(in.shape), place(in.shape), expected(in.shape);
    const auto transpose = [&](const Cells<T>& from, const Cells<T>& to) {
      return run_on(backend, [&](const auto& exec) {
        return Keramos::transpose(exec, from.template view<2>(), to.template view<2>());
      });
    };
    transpose(in, once);
    const auto kernel = transpose(once, back);
    const std::string said = Keramos::core::text(
        kernel, ", size ", Size, ", extents ", Keramos::core::tuple_text(extents), ", strides ",
        Keramos::core::tuple_text(in.shape.stride), " and ", Keramos::core::tuple_text(turned.stride));
    EXPECT_TRUE(same_bytes(back, in)) << said;
    if (!square) continue;
    const auto in_place = [&] {
      return run_on(backend,
                    [&](const auto& exec) { return Keramos::transpose_in_place(exec, place.template view<2>()); });
    };
    number(place);
    transpose(in, expected);
    const auto how = in_place();
    EXPECT_TRUE(same_bytes(place, expected)) << how << "; " << said;
    in_place();
    EXPECT_TRUE(same_bytes(place, in)) << how << "; " << said;
  }
}

/// copy(copy(in)) = in through memory of another layout.
template <int Size, int Rank>
void check_copies(Dice& dice)
{
  using T = Item<Size>;
  const Cells<T> in(random_shape(dice, random_extents<Rank>(dice)));
  number(in);
  const Shape other = random_shape(dice, in.shape.extent);
  for (const auto backend : asked_backends()) {
    const Cells<T> there(other), back(in.shape);
    const auto copy = [&](const Cells<T>& from, const Cells<T>& to) {
      return run_on(backend, [&](const auto& exec) {
        return Keramos::copy(exec, from.template view<Rank>(), to.template view<Rank>());
      });
    };
    copy(in, there);
    const auto kernel = copy(there, back);
    EXPECT_TRUE(same_bytes(back, in)) << kernel << ", size " << Size << ", extents "
                                      << Keramos::core::tuple_text(in.shape.extent) << ", strides "
                                      << Keramos::core::tuple_text(in.shape.stride) << " and "
                                      << Keramos::core::tuple_text(other.stride);
  }
}

/// f with a random size of an element, as a constant.
template <class F>
void with_random_size(Dice& dice, const F& f)
{
  const auto chosen = dice.one_of({1, 2, 4, 8, 16});
  for_each_size([&](auto size) {
    if (size == chosen) f(size);
  });
}

TEST(TransposeProperties, PermutationsCompose)
{
  for_random_cases(400, [](Dice& dice) {
    with_random_size(dice, [&](auto size) {
      switch (dice.between(2, 5)) {
      case 2:
        return check_permutations<size, 2>(dice);
      case 3:
        return check_permutations<size, 3>(dice);
      case 4:
        return check_permutations<size, 4>(dice);
      default:
        return check_permutations<size, 5>(dice);
      }
    });
  });
}

TEST(TransposeProperties, TwiceIsNothing)
{
  for_random_cases(400, [](Dice& dice) { with_random_size(dice, [&](auto size) { check_transposes<size>(dice); }); });
}

TEST(TransposeProperties, CopiesComeBack)
{
  for_random_cases(400, [](Dice& dice) {
    with_random_size(dice, [&](auto size) {
      switch (dice.between(1, 3)) {
      case 1:
        return check_copies<size, 1>(dice);
      case 2:
        return check_copies<size, 2>(dice);
      default:
        return check_copies<size, 3>(dice);
      }
    });
  });
}

} // namespace
