// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves of every shape: odd and narrow matrices, stacks of small ones, permutations, sub-views to contiguous memory and back.
// Keramos beside plain Kokkos, and matrices beside cuBLAS. All are copies between Views of one shape and different strides, which is what a permutation comes
// down to. With --full, every permutation of the arrays of four, five and six axes.
#include "PermuteCases.hpp"
#include "Buffers.hpp"
#include "CublasGeam.hpp"

#include <Keramos_Transpose.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
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

/// out(i...) becomes in(i...), or is added to it; `memory` is all of the output's.
template <class T, int Rank, bool Adds = false>
struct Copied {
  Kokkos::View<T*, Gpu> from_memory, memory;
  Strided<T, Rank> in, out;

  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... i) const
  {
    if constexpr (Adds)
      out(i...) += in(i...);
    else
      out(i...) = in(i...);
  }
};

/// An output that was added to held 1, which random numbers are added to without rounding.
template <class T, int Rank, bool Adds>
struct CountsWrong {
  Strided<T, Rank> in, out;

  template <class... Index>
  KOKKOS_FUNCTION void count(int& wrong, Index... i) const
  {
    const T right = in(std::int64_t{i}...); // 64 bits, for a View multiplies in the type of its indices
    if constexpr (Adds)
      wrong += out(std::int64_t{i}...) != right + T(1);
    else
      wrong += out(std::int64_t{i}...) != right;
  }
  KOKKOS_FUNCTION void operator()(int i, int j, int& wrong) const { count(wrong, i, j); }
  KOKKOS_FUNCTION void operator()(int i, int j, int k, int& wrong) const { count(wrong, i, j, k); }
  KOKKOS_FUNCTION void operator()(int i, int j, int k, int l, int& wrong) const { count(wrong, i, j, k, l); }
  KOKKOS_FUNCTION void operator()(int i, int j, int k, int l, int m, int& wrong) const { count(wrong, i, j, k, l, m); }
  KOKKOS_FUNCTION void operator()(int i, int j, int k, int l, int m, int n, int& wrong) const
  {
    count(wrong, i, j, k, l, m, n);
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

template <class T, int Rank, bool Adds>
Copied<T, Rank, Adds> copied(const Extents<Rank>& extents, const Position<Rank>& from, const Position<Rank>& to,
                             std::uint64_t seed)
{
  const auto in = device_array<Kokkos::View<T*, Gpu>>("in", from.elements());
  const auto out = device_array<Kokkos::View<T*, Gpu>>("out", to.elements());
  const std::int64_t words = from.elements() * std::int64_t{sizeof(T)} / std::int64_t{sizeof(float)};
  fill_device_random(reinterpret_cast<float*>(in.data()), words, seed + 1); // random bits for elements of any size
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

/// Who is there beside Keramos.
enum class Beside { nobody, plain, plain_and_deep_copy };

template <class T, int Rank, bool Adds = false>
void add_copy(const std::string& name, const Extents<Rank>& extents, const Position<Rank>& from,
              const Position<Rank>& to, Beside beside)
{
  const double bytes =
      (Adds ? 3.0 : 2.0) * sizeof(T) * std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
  const Lazy<Ring<Copied<T, Rank, Adds>>> arrays([=] {
    return Ring<Copied<T, Rank, Adds>>(static_cast<std::int64_t>(bytes), [=](std::uint64_t seed) {
      return copied<T, Rank, Adds>(extents, from, to, seed);
    });
  });
  Case the_case{name, bytes, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : arrays->all())
      if constexpr (Adds)
        Kokkos::deep_copy(Gpu(), set.memory, T(1));
      else
        poison_device(set.memory.data(), set.memory.size() * sizeof(T));
  };
  the_case.mistake = [=](double) -> std::string {
    const auto& set = arrays->last();
    int wrong = 0;
    Kokkos::parallel_reduce("perf::compare", all_of<Rank>(extents), CountsWrong<T, Rank, Adds>{set.in, set.out}, wrong);
    return wrong == 0 ? "" : std::to_string(wrong) + " wrong elements";
  };
  const auto keramos = [=] {
    const auto& set = arrays->next();
    if constexpr (Adds)
      return name_of(Keramos::copy(Gpu(), set.in, set.out, Keramos::Accumulate{}));
    else
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
  std::vector<Contender> contenders{{"Keramos", keramos}};
  if (beside != Beside::nobody) contenders.push_back({"Kokkos MDRange", plain});
  if (beside == Beside::plain_and_deep_copy) contenders.push_back({"Kokkos deep_copy", deep_copy});
  if constexpr (Rank == 2 && cublas_letter<T> != 0 && !Adds)
    if (beside != Beside::nobody && from.order != to.order)
      contenders.push_back(by_cublas<T>([=] {
        const auto& set = arrays->next();
        return GeamCall<T>{set.in.data(), set.out.data(), extents[0], extents[1]};
      }));
  add("cuda_transpose", the_case, contenders);
}

template <int Rank>
std::string shape(const Extents<Rank>& extents)
{
  std::string text = std::to_string(extents[0]);
  for (int k = 1; k < Rank; ++k) text.append("x").append(std::to_string(extents[k]));
  return text;
}

/// An array of C order, and its axes permuted.
template <class T, int Rank, bool Adds>
void add_permute_at(const char* type, const Extents<Rank>& extents, const std::array<std::size_t, Rank>& axes,
                    Beside beside)
{
  std::array<std::size_t, Rank> same;
  std::iota(same.begin(), same.end(), 0);
  Extents<Rank> permuted;
  std::string digits;
  for (int k = 0; k < Rank; ++k) {
    permuted[k] = extents[axes[k]];
    digits.append(k ? " " : "").append(std::to_string(axes[k]));
  }
  add_copy<T, Rank, Adds>((Adds ? "B += permute (" : "permute (") + digits + ") " + type + " " + shape<Rank>(extents),
                          extents, {extents, same}, {permuted, axes}, beside);
}

template <class T, int Rank, bool Adds = false>
void add_permute(const char* type, const Extents<Rank>& extents, const std::array<std::size_t, Rank>& axes,
                 Beside beside = Beside::plain_and_deep_copy)
{
  add_near(extents, [&](const Extents<Rank>& near) { add_permute_at<T, Rank, Adds>(type, near, axes, beside); });
}

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

/// Beside plain Kokkos where its indices of 32 bits reach.
template <class T>
void add_transposes(const char* type, std::initializer_list<Extents<2>> matrices)
{
  for (const auto& matrix : matrices)
    add_permute<T, 2>(type, matrix, {1, 0}, matrix[0] * matrix[1] < INT32_MAX ? Beside::plain : Beside::nobody);
}

/// `elements` in points of some components, to planes and back. Few of these numbers of points are multiples of 16 bytes.
template <class T>
void add_narrow(const char* type, std::int64_t elements, std::initializer_list<std::int64_t> components)
{
  for (const std::int64_t k : components) add_transposes<T>(type, {{elements / k, k}, {k, elements / k}});
}

template <class T>
void add_stack(const char* type, const Extents<3>& extents)
{
  add_permute<T, 3>(type, extents, {0, 2, 1}, Beside::plain);
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

/// A matrix that begins `from` elements behind a line of memory, turned to where it begins `to` behind one.
template <class T>
void add_shifted(const char* type, const Extents<2>& extents, std::int64_t from, std::int64_t to)
{
  add_near(extents, [&](const Extents<2>& near) {
    add_copy<T, 2>(std::string("transpose ") + type + " " + shape<2>(near) + " at " + std::to_string(from) + " to " +
                       std::to_string(to),
                   near, {{near[0] + 1, near[1]}, {0, 1}, from}, {{near[1] + 1, near[0]}, {1, 0}, to}, Beside::plain);
  });
}

void add_contiguous(const Extents<2>& extents)
{
  add_near(extents, [&](const Extents<2>& near) {
    add_copy<float, 2>("copy f32 " + shape<2>(near), near, {near, {0, 1}}, {near, {0, 1}}, Beside::plain_and_deep_copy);
  });
}

void add_matrices()
{
  const std::int64_t part = sized(16, 1), elements = 200'000'000 / part;
  const Extents<2> odd{10001 / part, 15013 / part}, square{8191 / part, 8193 / part}, wide{4097 / part, 65535 / part};
  add_transposes<float>("f32", {odd, square, wide});
  add_transposes<double>("f64", {odd, square, wide});
  add_transposes<Kokkos::complex<double>>("c128", {odd, square, wide});
  const std::int64_t side = 16384 / part;
  add_transposes<double>("f64", {{side, side}});
  add_transposes<Kokkos::complex<double>>("c128", {{side, side}});
  add_transposes<std::int16_t>("i16", {{side, side}, {20001 / part, 25013 / part}, {46349 / part, 46351 / part}});
  add_transposes<std::int8_t>("i8", {{side, side}, {30001 / part, 35013 / part}});
  add_shifted<float>("f32", {side, side}, 1, 3);
  add_shifted<float>("f32", odd, 1, 3);
  add_shifted<double>("f64", odd, 1, 0);
  add_contiguous(odd);
  add_narrow<float>("f32", elements, {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 48, 64, 100});
  add_narrow<double>("f64", elements / 2, {3, 7, 16, 31});
  add_stack<float>("f32", {1'000'000 / part, 8, 8});
  add_stack<float>("f32", {1'000'000 / part, 16, 16});
  add_stack<float>("f32", {300'000 / part, 32, 32});
  add_stack<float>("f32", {30'000 / part, 100, 100});
  add_stack<double>("f64", {2'000'000 / part, 5, 7});
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
  add_matrices();
}

} // namespace perf
