// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars by registers (backends/cuda/stencil/Direct.hpp) have the bits of the march that older GPUs take: around the ends of blocks, on
// tiny extents, at every edge rule and alignment of rows, in Regions, behind the library's epilogues. And they are what thin Regions take.
#include "StencilKernels.hpp"

#include <cstring>

namespace {

using namespace test;
namespace core = Keramos::core;
namespace stencil = Keramos::cuda::stencil;
using Index = std::array<std::int64_t, 3>;
using Rules = Keramos::EdgeRules<3>;
using Keramos::constant, Keramos::sides;

/// Three axes, the fastest last, as View indices in this memory.
template <class Axes>
Axes in_memory_order(Axes axes, Memory memory)
{
  if (memory == Memory::left) std::swap(axes[0], axes[2]);
  return axes;
}

template <class View>
View on_vectors(const View& view)
{
  const bool is_left = view.stride(0) < view.stride(2);
  const std::pair columns(std::int64_t{3}, static_cast<std::int64_t>(view.extent(is_left ? 0 : 2)) - 1);
  if (is_left) return Kokkos::subview(view, columns, Kokkos::ALL, Kokkos::ALL);
  return Kokkos::subview(view, Kokkos::ALL, Kokkos::ALL, columns);
}

template <class T, class Op>
class Case {
public:
  Case(const Rules& rules, const Index& extents, const Index& halo, Memory memory)
      : rules_(rules), in_({extents[0] + halo[0], extents[1] + halo[1], extents[2] + halo[2]}, memory),
        scale_(extents, memory), by_march_(extents, memory), by_registers_(extents, memory)
  {
    in_.randomise(3);
    scale_.randomise(4);
  }

  /// Views that begin three columns later, on 16 bytes, and end one before the last.
  void begin_on_vectors()
  {
    for (auto* array : {&in_, &scale_, &by_march_, &by_registers_}) array->view = on_vectors(array->view);
  }

  bool was_plain() const { return was_plain_; }

  /// Whether it was taken, and with the same bits everywhere, outside of the View as well.
  template <class EpilogueOf>
  bool same(const Keramos::Region<3>& region, const EpilogueOf& epilogue_of)
  {
    for (const auto& out : {by_march_, by_registers_}) Kokkos::deep_copy(out.buffer, T(0.25));
    const auto device = Keramos::cuda::device_of(own_instance());
    const core::StencilProblem problem(
        core::stencil_call(Weighted<Op>{}, in_.view, by_registers_.view, rules_, &region));
    if (problem.empty()) return true; // nobody would be asked
    apply_as_older<Weighted<Op>>(in_.view, by_march_.view, rules_, region, epilogue_of(by_march_));
    const auto epilogue = bound_epilogue<Op, StridedView<T, 3>>(problem, epilogue_of(by_registers_));
    const auto plan = stencil::plan_direct(stencil::request_of(device, problem, epilogue));
    if (!plan) return false;
    was_plain_ |= plan->plain.has_value();
    const Keramos::Kernel name{Keramos::Backend::cuda, "apply_stencil", plan->variant};
    const auto ordered = stencil::reordered(epilogue, plan->order);
    const auto launch = [&] { stencil::library::launch_direct(name, own_instance(), *plan, ordered); };
    launch_and_wait(launch);
    const auto bytes = by_march_.buffer.size() * sizeof(T);
    return std::memcmp(by_march_.buffer.data(), by_registers_.buffer.data(), bytes) == 0;
  }

  void check(const Keramos::Region<3>& region)
  {
    EXPECT_TRUE(same(region, [](const auto&) { return core::StoreValue(); }));
    if (in_graphs()) return; // the second run would find what the first one left
    EXPECT_TRUE(same(region, [](const auto& out) { return Keramos::LeapFrog{out.view, T(0.3)}; }));
    EXPECT_TRUE(same(region, [&](const auto& out) { return Keramos::LeapFrog{out.view, scale_.view}; }));
    EXPECT_TRUE(same(region, [&](const auto&) { return Keramos::LeapFrog{scale_.view, T(0.3)}; }));
  }

private:
  Rules rules_;
  Array<T, 3> in_, scale_, by_march_, by_registers_;
  bool was_plain_ = false;
};

constexpr Memory memory_of_turn[] = {Memory::right, Memory::inside, Memory::left, Memory::spread};

/// Extents from tiny to more than a block along each axis; each takes the next rules and memory.
template <class T, int Radius>
void check_bits()
{
  constexpr int r = Radius;
  using Op = Keramos::Star<3, r>;
  std::size_t turn = 0;
  for (const std::int64_t nx : {2, r + 1, 31, 32, 68, 131, 260})
    for (const Index& other : {Index{2, 2, 0}, {r + 1, 2 * r + 1, 0}, {7, 33, 0}, {33, 5, 0}, {13, 17, 0}}) {
      SCOPED_TRACE(testing::Message() << "radius " << r << " turn " << turn << " rows of " << nx);
      const Index extents{other[0], other[1], nx};
      Case<T, Op> one(all_rules[turn % std::size(all_rules)], extents, {}, memory_of_turn[turn % 4]);
      one.check({{0, 0, 0}, extents});
      if (nx > 8 && other[1] > 4) one.check({{1, 2, 3}, {extents[0], extents[1] - 1, nx - 2}});
      ++turn;
    }
  for (const std::int64_t nx : {60, 63, 132}) { // rows on 16 bytes, and others
    Case<T, Op> both(Keramos::ghost, {6, 9, nx}, {2 * r, 2 * r, 2 * r}, Memory::inside);
    both.check({{0, 0, 0}, {6, 9, nx}});
    Case<T, Op> low(sides(Keramos::ghost, Keramos::mirror), {6, 9, nx}, {r, r, r}, Memory::right);
    low.check({{0, 0, 0}, {6, 9, nx}});
  }
}

/// Few planes across each axis, at the ends and inside.
template <class T>
void check_thin()
{
  using Op = Keramos::Star<3, 4>;
  const Index extents{36, 37, 64};
  for (const Memory memory : {Memory::right, Memory::left, Memory::inside})
    for (int axis = 0; axis < 3; ++axis)
      for (const std::int64_t planes : {1, 3, 4, 6})
        for (const std::int64_t first : {std::int64_t{0}, std::int64_t{9}, extents[axis] - planes}) {
          SCOPED_TRACE(testing::Message() << planes << " planes across axis " << axis << " from " << first);
          Keramos::Region<3> region{{0, 0, 0}, extents};
          region.begin[axis] = first;
          region.end[axis] = first + planes;
          Case<T, Op>(all_rules[(first + axis) % 6], extents, {}, memory).check(region);
        }
}

/// Whole vectors and columns that reach beyond no end, beside zeros, values and none (DirectPlain.hpp), by blocks that they fill and do not fill.
template <class T, int Radius>
void check_plain(Memory memory)
{
  using Op = Keramos::Star<3, Radius>;
  const Rules zeros = constant(0),
              values = {constant(0.25), sides(constant(0.5), constant(2)), sides(constant(-1), constant(3))},
              none = Keramos::interior;
  for (const Rules* rules : {&zeros, &values, &none})
    for (const std::int64_t nx : {16, 132, 256})
      for (const std::int64_t planes : {4, 8})
        for (const int axis : {0, 1}) {
          SCOPED_TRACE(testing::Message() << planes << " planes across axis " << axis << ", rows of " << nx);
          Index extents{40, 40, nx + 4};
          extents[1 - axis] = 37;
          Keramos::Region<3> region{{0, 0, 0}, {extents[0], extents[1], nx}};
          region.begin[axis] = 5 + Radius;
          region.end[axis] = 5 + Radius + planes;
          if (rules == &none) region.begin[1 - axis] = Radius + 1, region.end[2] = nx - 8;
          Case<T, Op> stars(*rules, in_memory_order(extents, memory), {}, memory);
          stars.begin_on_vectors();
          stars.check({in_memory_order(region.begin, memory), in_memory_order(region.end, memory)});
          if (rules == &zeros) EXPECT_EQ(stars.was_plain(), stencil::has_direct_plain<T>(Radius));
        }
}

/// Planes whose rows lie along View index 0 and begin five elements behind a vector, in rows so many elements apart, in Regions that begin and
/// end with whole vectors and elsewhere. Plain are whole vectors that read no part of one.
template <class T, int Radius>
void check_along_first_index()
{
  constexpr int width = Keramos::cuda::vector_width<T>, halo = static_cast<int>(core::round_up(Radius, width));
  const Rules zeros = constant(0), ghosts = Keramos::ghost, periods = Keramos::periodic;
  for (const Rules* rules : {&zeros, &ghosts, &periods})
    for (const std::int64_t nx : {76, 77})
      for (const Memory memory : {Memory::left, Memory::left_padded}) // which adds three elements to a row
        for (const std::int64_t first : {3, 8, 11})
          for (const int axis : {1, 2}) {
            const std::int64_t row = nx + (memory == Memory::left ? 0 : 3), last = first + (first == 8 ? 57 : 60);
            SCOPED_TRACE(testing::Message() << "radius " << Radius << ", rows of " << nx << " in " << row << " from "
                                            << first << ", planes across axis " << axis);
            Index extents{nx, 29, 29}, around{};
            extents[axis] = 13;
            if (rules == &ghosts) around.fill(2 * Radius);
            Keramos::Region<3> region{{first, 2, 2}, {last, 27, 27}};
            region.begin[axis] = 5, region.end[axis] = 9;
            Case<T, Keramos::Star<3, Radius>> stars(*rules, extents, around, memory);
            stars.check(region);
            const bool is_whole = row % width == 0 && (first + 5) % width == 0 && first >= halo;
            if (rules == &zeros) EXPECT_EQ(stars.was_plain(), stencil::has_direct_plain<T>(Radius) && is_whole);
          }
}

/// The same beside the reference, by what is chosen.
template <class T>
void check_reference_along_first_index()
{
  using Op = Keramos::Star<3, 4>;
  for (const std::int64_t nx : {156, 157})
    for (const int axis : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "rows of " << nx << ", planes across axis " << axis);
      Index extents{nx, 128, 128};
      extents[axis] = 13;
      Keramos::Region<3> region{{11, 5, 5}, {151, 125, 125}};
      region.begin[axis] = 5, region.end[axis] = 9;
      const auto kernel = Comparison<T, Op>({}, constant(0), extents, Memory::left, Memory::left).run({}, &region);
      const bool is_plain = kernel.variant.str().find("direct plain") != std::string::npos;
      EXPECT_EQ(is_plain, nx == 156) << kernel.variant.str();
    }
}

template <class T>
void check_all_plain()
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  for (const Memory memory : {Memory::right, Memory::left}) {
    SCOPED_TRACE(memory == Memory::left ? "rows along index 0" : "rows along index 2");
    check_plain<T, 1>(memory);
    check_plain<T, 2>(memory);
    check_plain<T, 3>(memory);
    check_plain<T, 4>(memory);
  }
}

TEST(StencilDirect, RegionsThatHaveNothingToAskInFloat) { check_all_plain<float>(); }
TEST(StencilDirect, RegionsThatHaveNothingToAskInDouble) { check_all_plain<double>(); }

TEST(StencilDirect, RowsAlongTheFirstIndex)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  check_along_first_index<float, 2>();
  check_along_first_index<float, 3>();
  check_along_first_index<float, 4>();
  check_along_first_index<double, 1>();
  check_along_first_index<double, 4>();
}

TEST(StencilDirect, AgreesWithTheReferenceAlongTheFirstIndex)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  check_reference_along_first_index<float>();
  check_reference_along_first_index<double>();
}

TEST(StencilDirect, IsTakenPlainForRegionsThatHaveNothingToAsk)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  using Op = Keramos::Star<3, 4>;
  const Array<float, 3> in_array({40, 37, 136}, Memory::right), out_array({40, 37, 136}, Memory::right);
  const auto in = on_vectors(in_array.view), out = on_vectors(out_array.view);
  const auto is_plain = [&](const Keramos::Region<3>& region, const Rules& rules = constant(0)) {
    const core::StencilProblem problem(core::stencil_call(Weighted<Op>{}, in, out, rules, &region));
    const auto request = stencil::request_of(Keramos::cuda::device_of(own_instance()), problem, core::StoreValue());
    return stencil::plan_direct(request)->variant.str().find("direct plain") != std::string::npos;
  };
  EXPECT_TRUE(is_plain({{5, 0, 0}, {9, 37, 132}}));
  EXPECT_TRUE(is_plain({{1, 6, 4}, {39, 10, 128}}));
  EXPECT_FALSE(is_plain({{5, 0, 0}, {9, 37, 132}}, constant(0.25)));
  EXPECT_FALSE(is_plain({{1, 6, 4}, {39, 10, 128}}, Keramos::periodic));
  EXPECT_TRUE(is_plain({{5, 6, 4}, {35, 10, 128}}, Keramos::periodic)); // nothing beyond an end is read
  EXPECT_FALSE(is_plain({{0, 0, 0}, {4, 37, 132}}));                    // columns beyond an end
  EXPECT_FALSE(is_plain({{36, 0, 0}, {40, 37, 132}}));
  EXPECT_FALSE(is_plain({{5, 0, 0}, {10, 37, 132}})); // columns that are not whole
  EXPECT_FALSE(is_plain({{5, 0, 1}, {9, 37, 132}}));  // vectors that are not whole
}

template <class T>
void check_all()
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  check_bits<T, 1>();
  check_bits<T, 2>();
  check_bits<T, 3>();
  check_bits<T, 4>();
  check_thin<T>();
}

TEST(StencilDirect, HasTheBitsOfAMarchInFloat) { check_all<float>(); }
TEST(StencilDirect, HasTheBitsOfAMarchInDouble) { check_all<double>(); }

TEST(StencilDirect, IsTakenForThinRegions)
{
  if (!is_hopper()) GTEST_SKIP() << "other GPUs march";
  const Index extents{128, 130, 132};
  const Array<float, 3> in(extents, Memory::right), out(extents, Memory::right);
  const auto is_direct = [&](const Keramos::Region<3>& region, const std::string& how = "direct") {
    return Keramos::apply_stencil(Keramos::dry_run(own_instance()), Weighted<Keramos::Star<3, 4>>{}, in.view, out.view,
                                  Keramos::periodic, region)
               .variant.str()
               .find(how) != std::string::npos;
  };
  EXPECT_TRUE(is_direct({{0, 0, 0}, {128, 4, 132}}));
  EXPECT_TRUE(is_direct({{0, 0, 124}, {128, 130, 132}}, "direct rows"));
  EXPECT_TRUE(is_direct({{0, 0, 2}, {128, 130, 7}}, "direct rows"));
  EXPECT_FALSE(is_direct({{0, 0, 0}, {128, 130, 132}}));
  EXPECT_TRUE(is_direct({{0, 0, 0}, {4, 130, 132}}));
  EXPECT_FALSE(is_direct({{0, 0, 0}, {5, 130, 132}}));
  EXPECT_FALSE(is_direct({{0, 0, 0}, {12, 4, 132}}));
}

} // namespace
