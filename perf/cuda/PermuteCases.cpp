// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Permutations that keep a short run innermost, and sub-views to contiguous memory and back: Keramos beside plain Kokkos. All are
// copies between Views of one shape and different strides, which is what a permutation comes down to.
#include "PermuteCases.hpp"
#include "Buffers.hpp"

#include <Keramos_Transpose.hpp>

#include <array>
#include <numeric>

namespace perf {

template <class T, int Rank>
struct StridedOf {
  using type = Kokkos::View<typename StridedOf<T, Rank - 1>::type::data_type*, Kokkos::LayoutStride, Gpu>;
};
template <class T>
struct StridedOf<T, 1> {
  using type = Kokkos::View<T*, Kokkos::LayoutStride, Gpu>;
};
template <class T, int Rank>
using Strided = typename StridedOf<T, Rank>::type;

/// out(i...) becomes in(i...); `memory` is all of the output's.
template <class T, int Rank>
struct Copied {
  Kokkos::View<T*, Gpu> from_memory, memory;
  Strided<T, Rank> in, out;

  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... i) const
  {
    out(i...) = in(i...);
  }
};

template <class T, int Rank>
struct CountsWrong {
  Strided<T, Rank> in, out;

  KOKKOS_FUNCTION void operator()(int i, int j, int k, int& wrong) const { wrong += out(i, j, k) != in(i, j, k); }
  KOKKOS_FUNCTION void operator()(int i, int j, int k, int l, int& wrong) const
  {
    wrong += out(i, j, k, l) != in(i, j, k, l);
  }
};

namespace {

template <int Rank>
using Extents = std::array<std::int64_t, Rank>;

/// Where a View of these extents lies in an array of C order, whose axes are `order` of the View's.
template <int Rank>
struct Position {
  Extents<Rank> array;                 ///< extents of the array, by its axes
  std::array<std::size_t, Rank> order; ///< order[k] is the View's axis that is axis k of the array
  std::int64_t offset = 0;

  std::int64_t elements() const
  {
    return std::accumulate(array.begin(), array.end(), std::int64_t{1}, std::multiplies<>());
  }
  Kokkos::LayoutStride layout(const Extents<Rank>& extents) const
  {
    Kokkos::LayoutStride result;
    std::int64_t pitch = 1;
    for (int k = Rank - 1; k >= 0; --k) {
      result.stride[order[k]] = pitch;
      pitch *= array[k];
    }
    for (int k = 0; k < Rank; ++k) result.dimension[k] = extents[k];
    return result;
  }
};

template <class T, int Rank>
Copied<T, Rank> copied(const Extents<Rank>& extents, const Position<Rank>& from, const Position<Rank>& to,
                       std::uint64_t seed)
{
  const auto in = device_array<Kokkos::View<T*, Gpu>>("in", from.elements());
  const auto out = device_array<Kokkos::View<T*, Gpu>>("out", to.elements());
  fill_device_random(in.data(), from.elements(), seed + 1);
  return {in, out, Strided<T, Rank>(in.data() + from.offset, from.layout(extents)),
          Strided<T, Rank>(out.data() + to.offset, to.layout(extents))};
}

template <int Rank>
Kokkos::MDRangePolicy<Gpu, Kokkos::Rank<Rank>, Kokkos::IndexType<int>> all_of(const Extents<Rank>& extents)
{
  Kokkos::Array<std::int64_t, Rank> begin{}, end{};
  for (int k = 0; k < Rank; ++k) end[k] = extents[k];
  return {begin, end};
}

template <class T, int Rank>
void add_copy(const std::string& name, const Extents<Rank>& extents, const Position<Rank>& from,
              const Position<Rank>& to)
{
  const double bytes = 2.0 * sizeof(T) * std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
  const Lazy<Ring<Copied<T, Rank>>> arrays([=] {
    return Ring<Copied<T, Rank>>(static_cast<std::int64_t>(bytes),
                                 [=](std::uint64_t seed) { return copied<T, Rank>(extents, from, to, seed); });
  });
  Case the_case{name, bytes, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : arrays->all()) poison_device(set.memory.data(), set.memory.size() * sizeof(T));
  };
  the_case.mistake = [=](double) -> std::string {
    const auto& set = arrays->last();
    int wrong = 0;
    Kokkos::parallel_reduce("perf::compare", all_of<Rank>(extents), CountsWrong<T, Rank>{set.in, set.out}, wrong);
    return wrong == 0 ? "" : std::to_string(wrong) + " wrong elements";
  };
  const auto keramos = [=] {
    const auto& set = arrays->next();
    return name_of(Keramos::copy(Gpu(), set.in, set.out));
  };
  const auto plain = [=]() -> std::string {
    Kokkos::parallel_for("perf::plain copy", all_of<Rank>(extents), arrays->next());
    return "";
  };
  const auto deep_copy = [=]() -> std::string {
    const auto& set = arrays->next();
    Kokkos::deep_copy(Gpu(), set.out, set.in);
    return "";
  };
  add("cuda_transpose", the_case, {{"Keramos", keramos}, {"Kokkos MDRange", plain}, {"Kokkos deep_copy", deep_copy}});
}

template <int Rank>
std::string shape(const Extents<Rank>& extents)
{
  std::string text = std::to_string(extents[0]);
  for (int k = 1; k < Rank; ++k) text += "x" + std::to_string(extents[k]);
  return text;
}

/// An array of C order, and its axes permuted.
template <class T, int Rank>
void add_permute(const char* type, const Extents<Rank>& extents, const std::array<std::size_t, Rank>& axes)
{
  std::array<std::size_t, Rank> same;
  std::iota(same.begin(), same.end(), 0);
  Extents<Rank> permuted;
  std::string digits;
  for (int k = 0; k < Rank; ++k) {
    permuted[k] = extents[axes[k]];
    digits += (k ? " " : "") + std::to_string(axes[k]);
  }
  add_copy<T, Rank>("permute (" + digits + ") " + type + " " + shape<Rank>(extents), extents, {extents, same},
                    {permuted, axes});
}

/// A part of a cube, at an offset of `shift` elements along the rows, to contiguous memory and back.
template <class T>
void add_subview(const char* type, const Extents<3>& extents, std::int64_t side, std::int64_t shift)
{
  const Position<3> inside{{side, side, side}, {0, 1, 2}, (side + 2) * side + shift}, packed{extents, {0, 1, 2}};
  const std::string part =
      std::string(type) + " " + shape<3>(extents) + " of " + std::to_string(side) + "^3 at " + std::to_string(shift);
  add_copy<T, 3>("copy out of " + part, extents, inside, packed);
  add_copy<T, 3>("copy into " + part, extents, packed, inside);
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
  add_permute<float, 4>("f32", {65, 128 / part, 96 / part, 111}, {3, 2, 1, 0});
}

} // namespace perf
