// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user's functor over a tile of targets and a block of sources.
#pragma once

#include "../../../src/keramos/gather_sum/FunctorMath.hpp"
#include "../../../src/keramos/gather_sum/Interaction.hpp"
#include "../../../src/keramos/gather_sum/Lanes.hpp"
#include "../Vectorised.hpp"
#include "FunctorOffsets.hpp"

namespace Keramos::openmp::gather_sum {

/// A vector of targets, to which the sources are added one after the other: so all targets, those of the padding too, go through the
/// same operations. With AVX-512, which has registers for it, two at a time, of which one is computed while the other waits. A functor that
/// takes no vectors is called in a loop along their lanes, without a condition in it, for a branch is what stops a compiler. So a
/// coincident source of a singular functor is computed, and not taken.
template <class T, bool WithGradient, class K>
struct FunctorTile {
  using Interaction = core::Interaction<T, K>;
  Interaction interaction;

  void add_points(const GatherTile<T>& tile) const { add<PointOffsets>(tile); }
  void add_row(const GatherTile<T>& tile) const
  {
    if constexpr (Interaction::is_radial) add<RowOffsets>(tile); // others need every coordinate of a target
  }

private:
  template <class V>
  using Vectors = V[3];

  /// What the sources add to a vector of targets; a radial functor's derivative counts half. Not Lanes, which compilers keep in memory
  /// from source to source.
  template <class V>
  struct Sums {
    typename V::Vector potential{}, gradient[3]{};
  };

  template <template <class> class Offsets>
  void add(const GatherTile<T>& tile) const
  {
    run_vectorised([&](auto bytes) {
      using V = core::Lanes<T, bytes / static_cast<int>(sizeof(T))>;
      constexpr int together = bytes == 64 ? 2 : 1;
      const Offsets<V> offsets(tile);
      int first = 0;
      for (; first + together * V::count <= tile.targets; first += together * V::count)
        sum<together, V>(tile, offsets, first);
      for (; first < tile.targets; first += V::count) sum<1, V>(tile, offsets, first);
    });
  }

  template <int vectors, class V, class Offsets>
  void sum(const GatherTile<T>& tile, const Offsets& offsets, int first) const
  {
    Sums<V> sums[vectors];
    V target[vectors][3], s[vectors], d[vectors][3];
    unrolled<vectors>([&](auto v) {
      unrolled<Offsets::coordinates>([&](auto k) { target[v][k] = V::load(tile.target[k] + first + v * V::count); });
    });
    for (int j = 0; j < tile.sources; ++j) {
      const V weight = tile.weight[j];
      unrolled<vectors>([&](auto v) { s[v] = offsets.squared(target[v], j, d[v]); });
      unrolled<vectors>([&](auto v) {
        if constexpr (Interaction::is_radial)
          add_radial(s[v], d[v], weight, sums[v]);
        else
          add_pair(s[v], target[v], {tile.source[0][j], tile.source[1][j], tile.source[2][j]}, weight, sums[v]);
      });
    }
    unrolled<vectors>([&](auto v) { store(tile, first + v * V::count, sums[v]); });
  }

  template <class V>
  void add_radial(const V& s, const Vectors<V>& d, const V& weight, Sums<V>& sums) const
  {
    V inverse = 0;
    if constexpr (Interaction::takes_inverse) inverse = rsqrt(s);
    if constexpr (Interaction::with_potential) V::add_product(weight, taken(s, value(s, inverse)), sums.potential);
    if constexpr (WithGradient) {
      const V slope = weight * taken(s, derivative(s, inverse));
      unrolled<3>([&](auto k) { V::add_product(slope, d[k], sums.gradient[k]); });
    }
  }

  template <class V>
  void add_pair(const V& s, const Vectors<V>& target, const core::Point<T>& source, const V& weight,
                Sums<V>& sums) const
  {
    const auto point = [&](int i) { return core::Point<T>{target[0].lane[i], target[1].lane[i], target[2].lane[i]}; };
    if constexpr (Interaction::with_potential) {
      const V value = V::of_each([&](int i) { return interaction.value(point(i), source); });
      V::add_product(weight, taken(s, value), sums.potential);
    }
    if constexpr (WithGradient) {
      V gradient[3];
      for (int i = 0; i < V::count; ++i) {
        const core::Point<T> of_lane = interaction.gradient(point(i), source);
        for (int k = 0; k < 3; ++k) gradient[k].lane[i] = of_lane[k];
      }
      unrolled<3>([&](auto k) { V::add_product(weight, taken(s, gradient[k]), sums.gradient[k]); });
    }
  }

  template <class V>
  static void store(const GatherTile<T>& tile, int first, const Sums<V>& sums)
  {
    const auto add = [first](double* total, const V& sum) {
      typename V::Vector part;
      typename core::VectorOf<double, V::count>::type totals;
      sum.get(part);
      __builtin_memcpy(&totals, total + first, sizeof(totals));
      totals += __builtin_convertvector(part, decltype(totals));
      __builtin_memcpy(total + first, &totals, sizeof(totals));
    };
    constexpr int slope = Interaction::is_radial ? 2 : 1; // d(r^2) is twice the offset
    if constexpr (Interaction::with_potential) add(tile.potential, V(sums.potential));
    if constexpr (WithGradient) unrolled<3>([&](auto k) { add(tile.gradient[k], slope * V(sums.gradient[k])); });
  }

  /// 0 where a singular functor meets a coincident source.
  template <class V>
  V taken(const V& s, const V& value) const
  {
    if constexpr (!Interaction::may_be_singular) return value;
    const T singularity = interaction.singular ? 0 : -1; // the r^2 that adds nothing
    return V::of_each([&](int i) { return core::choose<T>(s.lane[i] != singularity, value.lane[i], 0); });
  }

  template <class V>
  V value(const V& s, const V& inverse) const
  {
    if constexpr (Interaction::takes_vectors)
      return core::radial_value<V>(interaction.kernel, s, inverse);
    else
      return V::of_each([&](int i) { return core::radial_value(interaction.kernel, s.lane[i], inverse.lane[i]); });
  }

  template <class V>
  V derivative(const V& s, const V& inverse) const
  {
    if constexpr (Interaction::takes_vectors)
      return core::radial_derivative<V>(interaction.kernel, s, inverse);
    else
      return V::of_each([&](int i) { return core::radial_derivative(interaction.kernel, s.lane[i], inverse.lane[i]); });
  }
};

} // namespace Keramos::openmp::gather_sum
