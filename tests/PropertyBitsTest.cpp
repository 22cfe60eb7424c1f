// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a stencil's point depend on its operands alone: however a grid is partitioned into regions or into
// sub-views with halos, and however many threads compute it, each point is what it is in one call over the whole. Data and weights are
// irregular, so that any other order of a sum rounds differently somewhere.
#include "PropertyOperators.hpp"
#include "StencilSupport.hpp"

#include <cstring>

namespace {

using namespace test;
using Keramos::AxisRule, Keramos::Backend, Keramos::Edge;

template <int Rank>
using Index = std::array<std::int64_t, Rank>;

template <int Rank>
struct Box {
  Index<Rank> begin, end;
};

/// What the value becomes at its point.
enum class Finish { store, functor, fields, leap_frog };

struct Value {
  template <class T, class... Indices>
  KOKKOS_FUNCTION T operator()(T value, T, Indices...) const
  {
    return value;
  }
};
/// Each operation rounds by itself: a product in a sum might be fused with it in one place and not in another.
struct ScaledDifference {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T, T previous, T scale) const
  {
    return (value - previous) * scale;
  }
};

template <class T, class Op>
class Case {
public:
  static constexpr int rank = Op::rank;

  Case(Dice& dice, const Op& op)
      : op_{op}, reach_(reach_of(op)),
        extents_(dice.extents<rank>(*std::max_element(reach_.begin(), reach_.end()), 12000)),
        in_(extents_, dice.memory()), previous_(extents_, dice.memory()), whole_(extents_, dice.memory()),
        parts_(extents_, dice.memory()), finish_(static_cast<Finish>(dice.between(0, 3)))
  {
    in_.randomise(5);
    previous_.randomise(6);
    for (int axis = 0; axis < rank; ++axis) rules_.push_back(rule(dice));
  }

  void check(Dice& dice, Backend backend)
  {
    refill();
    const Box<rank> all{{}, extents_};
    const auto kernel = run_anywhere(dice, backend, [&](const auto& exec) { return compute(exec, whole_, all); });
    for (const auto& box : partition(dice))
      run_anywhere(dice, backend, [&](const auto& exec) {
        return dice.coin() && can_be_sub_view(box) ? compute_sub_view(exec, parts_, box) : compute(exec, parts_, box);
      });
    std::int64_t differences = 0;
    whole_.for_each([&](const auto& i) { differences += std::memcmp(&whole_.at(i), &parts_.at(i), sizeof(T)) != 0; });
    EXPECT_EQ(differences, 0) << kernel << " " << Keramos::core::tuple_text(extents_);
  }

private:
  static Index<rank> reach_of(const Op& op)
  {
    Index<rank> reach{};
    for (int t = 0; t < Op::tap_count; ++t)
      for (int axis = 0; axis < rank; ++axis)
        reach[axis] = std::max<std::int64_t>(reach[axis], std::abs(op.offset(t)[axis]));
    return reach;
  }

  static AxisRule rule(Dice& dice)
  {
    const auto one_side = [&] {
      return dice.one_of(
          std::array{Keramos::constant(0.3), Keramos::nearest, Keramos::reflect, Keramos::mirror, Keramos::interior});
    };
    if (dice.between(0, 3) == 0) return Keramos::periodic;
    return {one_side(), one_side()};
  }

  void refill() const
  {
    whole_.for_each([&](const auto& i) { whole_.at(i) = parts_.at(i) = T(-777); });
  }

  template <class Exec, class In, class Out, class Previous>
  Keramos::Kernel apply(const Exec& exec, const In& in, const Out& out, const Previous& previous,
                        const std::vector<AxisRule>& rules, const Keramos::Region<rank>& region) const
  {
    switch (finish_) {
    case Finish::store:
      return Keramos::apply_stencil(exec, op_, in, out, edge_rules<rank>(rules), region);
    case Finish::functor:
      return Keramos::apply_stencil(exec, op_, in, out, edge_rules<rank>(rules), Value(), region);
    case Finish::fields:
      return Keramos::apply_stencil(exec, op_, in, out, edge_rules<rank>(rules),
                                    Keramos::Epilogue{ScaledDifference(), previous, 0.7}, region);
    default:
      return Keramos::apply_stencil(exec, op_, in, out, edge_rules<rank>(rules), Keramos::LeapFrog{previous, T(0.7)},
                                    region);
    }
  }

  template <class Exec>
  Keramos::Kernel compute(const Exec& exec, const Array<T, rank>& out, const Box<rank>& box) const
  {
    return apply(exec, in_.view, out.view, previous_.view, rules_, {box.begin, box.end});
  }

  /// Each axis in up to three stretches, some of them short.
  std::vector<Box<rank>> partition(Dice& dice) const
  {
    std::vector<Box<rank>> boxes{{{}, extents_}};
    for (int axis = 0; axis < rank; ++axis)
      for (auto cuts = dice.between(0, 2); cuts > 0; --cuts) {
        const auto at = dice.between(0, extents_[axis]);
        std::vector<Box<rank>> halves;
        for (const auto& box : boxes) {
          const auto middle = std::clamp(at, box.begin[axis], box.end[axis]);
          halves.push_back(box);
          halves.back().end[axis] = middle;
          halves.push_back(box);
          halves.back().begin[axis] = middle;
        }
        boxes = halves;
      }
    return boxes;
  }

  bool is_inner(const Box<rank>& box, int axis, bool low) const
  {
    return low ? box.begin[axis] > 0 : box.end[axis] < extents_[axis];
  }

  /// The whole has a halo wherever the box has an inner face.
  bool can_be_sub_view(const Box<rank>& box) const
  {
    for (int axis = 0; axis < rank; ++axis) {
      const bool low = is_inner(box, axis, true), high = is_inner(box, axis, false);
      if (low && box.begin[axis] < reach_[axis]) return false;
      if (high && box.end[axis] + reach_[axis] > extents_[axis]) return false;
      if ((low || high) && rules_[axis].low.kind == Edge::periodic && !(low && high)) return false;
    }
    return true;
  }

  static StridedView<T, rank> sub_view(const Array<T, rank>& array, const Index<rank>& begin, const Index<rank>& end)
  {
    Kokkos::LayoutStride layout;
    std::int64_t offset = 0;
    for (int axis = 0; axis < rank; ++axis) {
      layout.dimension[axis] = end[axis] - begin[axis];
      layout.stride[axis] = array.view.stride(axis);
      offset += begin[axis] * static_cast<std::int64_t>(array.view.stride(axis));
    }
    return StridedView<T, rank>(array.view.data() + offset, layout);
  }

  template <class Exec>
  Keramos::Kernel compute_sub_view(const Exec& exec, const Array<T, rank>& out, const Box<rank>& box) const
  {
    Box<rank> with_halo = box;
    std::vector<AxisRule> rules = rules_;
    Index<rank> extent{};
    for (int axis = 0; axis < rank; ++axis) {
      extent[axis] = box.end[axis] - box.begin[axis];
      if (is_inner(box, axis, true)) rules[axis].low = Keramos::ghost, with_halo.begin[axis] -= reach_[axis];
      if (is_inner(box, axis, false)) rules[axis].high = Keramos::ghost, with_halo.end[axis] += reach_[axis];
    }
    return apply(exec, sub_view(in_, with_halo.begin, with_halo.end), sub_view(out, box.begin, box.end),
                 sub_view(previous_, box.begin, box.end), rules, {Index<rank>{}, extent});
  }

  Weighted<Op> op_;
  Index<rank> reach_, extents_;
  std::vector<AxisRule> rules_;
  Array<T, rank> in_, previous_, whole_, parts_;
  Finish finish_;
};

template <class Op>
void check_operator(Dice& dice, const Op& op)
{
  const auto of_type = [&](auto value) {
    Case<decltype(value), Op> one(dice, op);
    for (const Backend backend : all_backends()) one.check(dice, backend);
  };
  dice.coin() ? of_type(0.0f) : of_type(0.0);
}

TEST(StencilBits, DependOnNoPartitionAndNoNumberOfThreads)
{
  for_random_cases(120, [](Dice& dice) {
    switch (dice.between(0, 8)) {
    case 0:
      return check_operator(dice, random_star<1, 3>(dice));
    case 1:
      return check_operator(dice, random_star<2, 4>(dice));
    case 2:
      return check_operator(dice, random_star<3, 1>(dice));
    case 3:
      return check_operator(dice, random_star<3, 4>(dice));
    case 4:
      return check_operator(dice, Keramos::Box<2, 2>());
    case 5:
      return check_operator(dice, Keramos::Box<3, 1>());
    case 6:
      return check_operator(dice, Keramos::Box<3, 2>());
    case 7:
      return check_operator(dice, random_line<3, 4>(dice));
    default:
      return check_operator(dice, random_sparse<3, 9>(dice));
    }
  });
}

} // namespace
