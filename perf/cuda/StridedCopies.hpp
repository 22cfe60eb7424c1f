// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy between Views of one shape and different strides, which is what a permutation comes down to, as a case: Keramos beside plain
// Kokkos, and matrices beside cuBLAS.
#pragma once

#include "Buffers.hpp"
#include "CublasGeam.hpp"

#include <Keramos_Transpose.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

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

} // namespace perf
