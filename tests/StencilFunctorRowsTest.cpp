// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of a line across the rows, or of a tile, finishes several rows before it stores one (LineAcross.hpp, TileKernel.hpp): behind functors and declared
// fields it agrees with the reference, calls a functor once for each point, and is right in place; where threads have all of their points, some, and none.
#include "StencilKernels.hpp"

namespace {

using namespace test;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;

template <int Axis, int Radius>
struct LineAlong {
  static constexpr auto shape = Keramos::Shape::line;
  static constexpr int rank = 3, radius = Radius, tap_count = 2 * Radius + 1;

  std::array<int, 3> offset(int t) const
  {
    std::array<int, 3> result{};
    result[Axis] = t - Radius;
    return result;
  }
  double weight(int) const { return 0; } // Weighted gives others
};

template <class T>
struct OfField {
  KOKKOS_FUNCTION T operator()(T value, T centre, T scale) const { return centre + scale * value; }
};
template <class T>
struct OfFields {
  KOKKOS_FUNCTION T operator()(T value, T centre, T before, T number, T scale) const
  {
    return number * centre - before + scale * value;
  }
};

template <class T, class Op>
class Case {
public:
  Case(const Index& extents, Memory memory, Memory field_memory)
      : in_(extents, memory), out_(extents, memory), expected_(extents, memory), field_(extents, field_memory)
  {
    in_.randomise(3);
    field_.randomise(4);
  }

  void check(const Keramos::Region<3>& region) const
  {
    same(region, [&](const auto&) { return Keramos::Epilogue{OfField<T>(), field_.view}; });
    same(region, [&](const auto& out) { return Keramos::Epilogue{OfFields<T>(), out, T(2), field_.view}; });
    same(region, [&](const auto&) { return ReadsView<T>{field_.view}; });
    same(region, [](const auto& out) { return Stores<T>{out}; });
  }

private:
  template <class EpilogueOf>
  void same(const Keramos::Region<3>& region, const EpilogueOf& epilogue_of) const
  {
    for (const auto& array : {out_, expected_}) Kokkos::deep_copy(array.buffer, T(0.25));
    auto device = older_device();
    device.multiprocessors = 0; // every grid is a large one
    apply_as_on<Weighted<Op>>(device, in_.view, out_.view, rules_, region, epilogue_of(out_.view));
    run(Keramos::Backend::reference, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, Weighted<Op>{}, in_.view, expected_.view, rules_, epilogue_of(expected_.view),
                                    region);
    });
    constexpr T epsilon = std::numeric_limits<T>::epsilon();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < out_.buffer.size(); ++i)
      wrong += !(std::abs(out_.buffer(i) - expected_.buffer(i)) <= 300 * epsilon * (1 + std::abs(expected_.buffer(i))));
    EXPECT_EQ(wrong, 0);
  }

  const Rules rules_{Keramos::mirror, Keramos::constant(0.5), Keramos::periodic};
  const Array<T, 3> in_, out_, expected_, field_;
};

template <class T, class Op>
void check_operator()
{
  for (const Index& extents : {Index{9, 11, 64}, {17, 16, 33}, {8, 3, 131}, {2, 40, 260}, {31, 5, 7}})
    for (const auto& [memory, field] : {std::pair(Memory::right, Memory::right),
                                        {Memory::left, Memory::inside},
                                        {Memory::inside, Memory::right},
                                        {Memory::right_padded, Memory::spread}}) {
      SCOPED_TRACE(testing::Message() << testing::PrintToString(extents) << " memory " << int(memory));
      const Case<T, Op> one(extents, memory, field);
      one.check({Index{0, 0, 0}, extents});
      one.check({Index{1, 1, 3}, {extents[0], extents[1] - 1, extents[2] - 1}});
    }
}

template <class T>
void check_all()
{
  check_operator<T, LineAlong<0, 1>>();
  check_operator<T, LineAlong<1, 4>>();
  check_operator<T, SomeTaps<1, 19>>();
}

TEST(StencilFunctorRows, Float) { check_all<float>(); }

TEST(StencilFunctorRows, Double) { check_all<double>(); }

} // namespace
