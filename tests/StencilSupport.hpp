// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stencil call on any backend against the reference: irregular weights, a bound from the rounding of every term, and no
// stray write.
#pragma once

#include "Support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace test {

/// Any operator, its weights replaced by something irregular or by their magnitudes.
template <class Op>
struct Weighted {
  static constexpr auto shape = Op::shape;
  static constexpr int rank = Op::rank, radius = Op::radius, tap_count = Op::tap_count;
  Op op;
  bool magnitude = false;

  auto offset(int t) const { return op.offset(t); }
  double weight(int t) const
  {
    const double w = std::sin(1.0 + 0.7 * t);
    return magnitude ? std::abs(w) : w;
  }
};

/// An application's operator that calls itself what Op is and lacks the last tap of it.
template <class Op>
struct Lacking {
  static constexpr auto shape = Op::shape;
  static constexpr int rank = Op::rank, radius = Op::radius, tap_count = Op::tap_count - 1;
  Op op;
  auto offset(int t) const { return op.offset(t); }
  double weight(int) const { return 1; }
};

/// A star of radius 2 within planes across View axis 0.
using PlaneStar = Weighted<Keramos::SparseStencil<3, 9>>;
inline PlaneStar plane_star()
{
  return {
      {{{{0, -2, 0}, {0, -1, 0}, {0, 0, -2}, {0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 1, 0}, {0, 2, 0}}}, {}}};
}

/// The same rules with the magnitudes of their constants.
template <int Rank>
Keramos::EdgeRules<Rank> magnitudes(const Keramos::EdgeRules<Rank>& edges)
{
  const auto one = [](const Keramos::AxisRule& rule) {
    return Keramos::AxisRule({rule.low.kind, std::abs(rule.low.value)}, {rule.high.kind, std::abs(rule.high.value)});
  };
  return [&]<std::size_t... Axis>(std::index_sequence<Axis...>)
  {
    return Keramos::EdgeRules<Rank>(one(edges[Axis])...);
  }
  (std::make_index_sequence<Rank>());
}

/// Runs one call on a backend and on the reference and compares point by point.
template <class T, class Op>
class Comparison {
public:
  static constexpr int rank = Op::rank;
  using Index = std::array<std::int64_t, rank>;

  Comparison(const Op& op, const Keramos::EdgeRules<rank>& edges, const Index& extents, Memory in_memory,
             Memory out_memory)
      : op_{op}, edges_(edges), in_(grown(op, edges, extents), in_memory), magnitude_(in_.extents, in_memory),
        out_(extents, out_memory), expected_(extents, Memory::right), scale_(extents, Memory::right)
  {
    in_.randomise(11);
    in_.for_each([&](const Index& i) { magnitude_.at(i) = std::abs(in_.at(i)); });
  }

  /// No backend: the one that Keramos chooses.
  Keramos::Kernel run(std::optional<Keramos::Backend> backend, const Keramos::Region<rank>* region = nullptr)
  {
    using Keramos::Backend;
    const auto call = [&](std::optional<Backend> which, const auto& op, const auto& in, const auto& out,
                          const auto& edges) {
      const auto apply = [&](const auto& exec) {
        return region ? Keramos::apply_stencil(exec, op, in.view, out.view, edges, *region)
                      : Keramos::apply_stencil(exec, op, in.view, out.view, edges);
      };
      return which ? test::run(*which, apply) : test::run(apply);
    };
    call(Backend::reference, op_, in_, expected_, edges_);
    call(Backend::reference, Weighted<Op>{op_.op, true}, magnitude_, scale_, magnitudes(edges_));
    const auto kernel = call(backend, op_, in_, out_, edges_);
    compare();
    return kernel;
  }

  /// Points that the edge rules leave to be written.
  std::int64_t points() const
  {
    std::int64_t count = 0;
    expected_.for_each([&](const Index& i) { count += expected_.at(i) != T(-777); });
    return count;
  }

private:
  static Index grown(const Op& op, const Keramos::EdgeRules<rank>& edges, Index extents)
  {
    for (int axis = 0; axis < rank; ++axis) {
      int reach = 0;
      for (int t = 0; t < Op::tap_count; ++t) reach = std::max(reach, std::abs(op.offset(t)[axis]));
      extents[axis] += ghost_sides(edges[axis]) * reach;
    }
    return extents;
  }

  void compare() const
  {
    // Both sums have rounded each product and each addition once: number of terms * eps * sum |c||u|.
    const double unit = Op::tap_count * std::numeric_limits<T>::epsilon();
    std::int64_t wrong = 0;
    out_.for_each([&](const Index& i) {
      const double error = std::abs(double(out_.at(i)) - double(expected_.at(i)));
      const bool agrees = error <= unit * std::abs(double(scale_.at(i))); // unwritten points have not moved at all
      if (!agrees && wrong++ == 0)
        ADD_FAILURE() << "at " << testing::PrintToString(i) << ": " << out_.at(i) << ", reference " << expected_.at(i);
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(out_.touched_outside(), 0);
  }

  Weighted<Op> op_;
  Keramos::EdgeRules<rank> edges_;
  Array<T, rank> in_, magnitude_, out_, expected_, scale_;
};

} // namespace test
