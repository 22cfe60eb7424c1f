// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations of three to six axes, and sub-views to contiguous memory and back. With --full, every permutation of the arrays of four,
// five and six axes.
#include "PermuteCases.hpp"
#include "StridedCopies.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>

namespace perf {
namespace {

/// Every `step`-th permutation of the axes, in the order of a dictionary, and the last one: the reversal.
template <class T, int Rank>
void add_permutes(const char* type, const Extents<Rank>& extents, int step)
{
  std::array<std::size_t, Rank> axes;
  std::iota(axes.begin(), axes.end(), 0);
  for (int n = 0; std::next_permutation(axes.begin(), axes.end()); ++n)
    if (n % step == 0 || std::is_sorted(axes.rbegin(), axes.rend()))
      add_permute<T, Rank>(type, extents, axes, step > 1 || Rank == 3 ? Beside::plain : Beside::nobody);
}

/// A part of a cube, which is longer where it would not fit, at an offset of `shift` elements along the rows, to contiguous memory and
/// back.
template <class T>
void add_subview_at(const char* type, const Extents<3>& extents, std::int64_t side, std::int64_t shift)
{
  const Extents<3> around{std::max(side, extents[0] + 2), std::max(side, extents[1] + 2), std::max(side, extents[2])};
  const Position<3> inside{around, {0, 1, 2}, (side + 2) * side + shift}, packed{extents, {0, 1, 2}};
  const std::string part =
      std::string(type) + " " + shape<3>(extents) + " of " + std::to_string(side) + "^3 at " + std::to_string(shift);
  add_copy<T, 3>("copy out of " + part, extents, inside, packed, Beside::plain_and_deep_copy);
  add_copy<T, 3>("copy into " + part, extents, packed, inside, Beside::plain_and_deep_copy);
}

template <class T>
void add_subview(const char* type, const Extents<3>& extents, std::int64_t side, std::int64_t shift)
{
  add_near(extents, [&](const Extents<3>& near) { add_subview_at<T>(type, near, side, shift); });
}

} // namespace

void add_permute_cases()
{
  const std::int64_t part = sized(8, 1);
  add_subview<float>("f32", {638 / part, 598 / part, 624 / part}, 640 / part, 8);
  add_subview<float>("f32", {638 / part, 598 / part, 624 / part}, 640 / part, 7);
  add_subview<float>("f32", {637 / part, 597 / part, 621 / part}, 640 / part, 9);
  add_subview<double>("f64", {478 / part, 458 / part, 463 / part}, 480 / part, 7);
  for (const std::int64_t group : {3, 5}) {
    add_permute<float, 3>("f32", {6000 / part, 8000 / part, group}, {1, 0, 2});
    add_permute<float, 3>("f32", {5999 / part, 8003 / part, group}, {1, 0, 2});
    add_permute<double, 3>("f64", {6000 / part, 4000 / part, group}, {1, 0, 2});
  }
  add_permute<float, 3>("f32", {2000 / part, 4000 / part, 20}, {1, 0, 2});
  add_permute<float, 3>("f32", {2001 / part, 3998 / part, 21}, {1, 0, 2});
  add_permute<double, 3>("f64", {2000 / part, 2000 / part, 20}, {1, 0, 2});
  add_permute<float, 4>("f32", {65, 128 / part, 96 / part, 111}, {0, 2, 1, 3});
  add_permute<float, 4>("f32", {64, 127 / part, 97 / part, 113}, {0, 2, 1, 3});
  add_permute<double, 4>("f64", {65, 128 / part, 96 / part, 57}, {0, 2, 1, 3});
  add_permutes<float, 3>("f32", {256 / part, 512 / part, 1024}, 1);
  add_permute<float, 3, true>("f32", {256 / part, 512 / part, 1024}, {2, 1, 0}, Beside::plain);
  add_permute<float, 4, true>("f32", {65, 128 / part, 96 / part, 111}, {0, 2, 1, 3}, Beside::plain);
  add_permute<float, 4, true>("f32", {65, 128 / part, 96 / part, 111}, {3, 1, 0, 2}, Beside::plain);
  add_permutes<float, 4>("f32", {65, 128 / part, 96 / part, 111}, sized(12, 2, 1));
  add_permutes<double, 4>("f64", {65, 128 / part, 96 / part, 111}, sized(12, 4, 1));
  add_permutes<float, 5>("f32", {31, 40 / part, 24, 33 / part, 70}, sized(60, 10, 1));
  add_permutes<float, 6>("f32", {14, 19 / part, 13, 21, 16 / part, 60}, sized(360, 60, 1));
}

} // namespace perf
