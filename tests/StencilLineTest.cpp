// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines (backends/cuda/stencil/Line.hpp) agree with the reference at every edge rule and alignment of rows, by the kernels
// of small grids and by those of large ones; and contiguous rows go by vectors wherever they begin. Small grids of whole vectors go by
// LineVectors.hpp.
#include "StencilSupport.hpp"

#include <regex>

namespace {

using namespace test;
using Keramos::constant;

const Keramos::AxisRule all_rules[] = {Keramos::periodic,
                                       Keramos::periodic_closed,
                                       constant(0.3),
                                       Keramos::nearest,
                                       Keramos::reflect,
                                       Keramos::mirror,
                                       Keramos::interior,
                                       Keramos::ghost,
                                       Keramos::sides(constant(0.5), Keramos::ghost),
                                       Keramos::sides(Keramos::ghost, Keramos::mirror)};

/// Without multiprocessors every grid is a large one, with so many each is small.
constexpr Keramos::cuda::Device takes_for_large{90, 0, 227 << 10, 228 << 10, 6016};
constexpr Keramos::cuda::Device takes_for_small{90, 1 << 20, 227 << 10, 228 << 10};

/// Kernels by bulk copies are empty in a build for older GPUs, which newer ones run as well.
bool has_bulk_lines() { return Keramos::cuda::has_bulk_copies(takes_for_large); }

template <class T, class Op>
class LineCase {
public:
  static constexpr int rank = Op::rank;
  using Index = std::array<std::int64_t, rank>;

  LineCase(const Op& the_op, const Keramos::AxisRule& rule, const Index& extents, Memory in_memory, Memory out_memory)
      : op{the_op}, edges(rule), in(grown(the_op, rule, extents), in_memory, poison), out(extents, out_memory),
        expected(extents, Memory::right)
  {
    in.randomise(1);
  }

  /// Whose rows begin on 16 bytes if they are made of whole vectors.
  void align()
  {
    for (Array<T, rank>* array : {&in, &out})
      array->view = StridedView<T, rank>(array->buffer.data() + 8, array->view.layout());
    in.randomise(1);
  }

  /// By the kernel that `device` takes.
  Keramos::Kernel check(const Keramos::cuda::Device& device)
  {
    const Keramos::Kernel kernel = run(device);
    compare();
    return kernel;
  }

  /// The kernel that `device` would take.
  std::string chosen(const Keramos::cuda::Device& device)
  {
    const auto plan = planned(device);
    return plan ? plan->kernel.name() : "";
  }

private:
  auto planned(const Keramos::cuda::Device& device)
  {
    namespace core = Keramos::core;
    const core::StencilProblem problem(
        core::stencil_call(op, in.view, out.view, edges, static_cast<const Keramos::Region<rank>*>(nullptr)));
    const auto epilogue = core::bind_epilogue<Weighted<Op>, Exec, decltype(in.view)>(problem, core::StoreValue());
    auto plan = Keramos::cuda::stencil::choose(device, problem, epilogue);
    if (problem.empty()) plan.reset();
    return plan;
  }

  Keramos::Kernel run(const Keramos::cuda::Device& device)
  {
    const auto plan = planned(device);
    if (!plan) return {};
    Keramos::cuda::stencil::launch(*plan, own_instance());
    own_instance().fence("the test reads what was written");
    return plan->kernel;
  }

  void compare()
  {
    test::run(Keramos::Backend::reference,
              [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in.view, expected.view, edges); });
    const double bound = 1. * Op::tap_count * Op::tap_count * std::numeric_limits<T>::epsilon();
    out.for_each([&](const Index& i) { ASSERT_NEAR(out.at(i), expected.at(i), bound) << testing::PrintToString(i); });
    EXPECT_EQ(out.touched_outside(), 0);
  }

  static constexpr T poison = std::numeric_limits<T>::quiet_NaN(); ///< what no point may read
  static Index grown(const Op& op, const Keramos::AxisRule& rule, Index extents)
  {
    extents[op.axis()] += ghost_sides(rule) * Op::radius;
    return extents;
  }

  Weighted<Op> op;
  Keramos::EdgeRules<rank> edges;
  Array<T, rank> in, out, expected;
};

std::string expected_way(int axis, int rank, Memory memory, bool is_float)
{
  const bool left = memory == Memory::left || memory == Memory::left_padded;
  const bool along = axis == (left ? 0 : rank - 1), slowest = axis == (left ? rank - 1 : 0);
  const char* const vector = memory == Memory::spread ? " v1" : is_float ? " v4" : " v2";
  if (along) return std::string(" along .*") + vector;
  if (rank < 3) return " across ";
  return slowest ? " across | march " : " across | slab "; // IsTakenBySlowAxes tells which
}

template <class T, class Op>
void check(const Op& op, const typename LineCase<T, Op>::Index& extents)
{
  static int turn = 0;
  for (const Memory in : memories)
    for (const Memory out : {Memory::right, Memory::right_padded, Memory::inside, Memory::left}) {
      const Keramos::AxisRule& rule = all_rules[turn++ % std::size(all_rules)];
      SCOPED_TRACE(testing::Message() << "radius " << Op::radius << " axis " << op.axis() << " rule "
                                      << to_string(rule.low.kind) << "|" << to_string(rule.high.kind) << " extents "
                                      << testing::PrintToString(extents) << " memory " << int(in) << " " << int(out));
      LineCase<T, Op>(op, rule, extents, in, out).check(takes_for_small);
      const std::string name = LineCase<T, Op>(op, rule, extents, in, out).check(takes_for_large).name();
      const bool has_points =
          *std::min_element(extents.begin(), extents.end()) > 1 && rule.low.kind != Keramos::Edge::interior;
      if (in == out && has_points)
        EXPECT_TRUE(std::regex_search(name, std::regex(expected_way(op.axis(), Op::rank, in, sizeof(T) == 4)))) << name;
      if (testing::Test::HasFailure()) return;
    }
}

template <class T, int Radius>
void check_radius()
{
  using Extents = std::array<std::int64_t, 3>;
  for (int axis = 0; axis < 3; ++axis)
    for (const Extents& extents : {Extents{1, 1, 1},
                                   {2, 3, 5},
                                   {Radius, 2 * Radius + 1, 31},
                                   {5, 3, 131},
                                   {3, 2, 517},
                                   {9, 5, 192},
                                   {2, 33, 67},
                                   {37, 2, 9},
                                   {1, 40, 4}})
      check<T>(Keramos::Line<3, Radius>(axis, {}), extents);
  for (const std::int64_t n : {1, 2, Radius, 2 * Radius + 1, 33, 1023, 4099, 9001})
    check<T>(Keramos::Line<1, Radius>(0, {}), {n});
}

template <class T>
void check_radii()
{
  check_radius<T, 1>();
  check_radius<T, 3>();
  check_radius<T, 4>();
  check_radius<T, 8>();
}

/// `extents` are those of the slowest axis, the middle one and the rows, which are whole vectors of what is computed and read.
template <class T, int Radius>
void check_whole_vectors(const std::array<std::int64_t, 3>& extents)
{
  for (const Memory memory : {Memory::right, Memory::left})
    for (int axis = 0; axis < 3; ++axis)
      for (const Keramos::AxisRule& rule : all_rules) {
        auto in_view_order = extents;
        if (memory == Memory::left) std::swap(in_view_order[0], in_view_order[2]);
        SCOPED_TRACE(testing::Message() << "radius " << Radius << " axis " << axis << " rule "
                                        << to_string(rule.low.kind) << "|" << to_string(rule.high.kind) << " extents "
                                        << testing::PrintToString(extents) << " memory " << int(memory));
        LineCase<T, Keramos::Line<3, Radius>> line(Keramos::Line<3, Radius>(axis, {}), rule, in_view_order, memory,
                                                   memory);
        line.align();
        const std::string name = line.check(takes_for_small).name();
        EXPECT_NE(name.find("small"), std::string::npos) << name;
        if (testing::Test::HasFailure()) return;
      }
}

template <class T>
void check_small_grids()
{
  check_whole_vectors<T, 4>({13, 21, 16});
  check_whole_vectors<T, 4>({18, 10, 64});
  check_whole_vectors<T, 4>({9, 15, 132});
  check_whole_vectors<T, 4>({70, 67, 12});
  check_whole_vectors<T, 8>({21, 18, 32});
}

/// Along an axis, counted from the slowest, of planes whose rows begin anywhere: `way` is what it takes.
template <class T, int Radius>
void check_zeros(const std::string& way, int axis, const Keramos::cuda::Device& device,
                 const std::array<std::int64_t, 3>& extents)
{
  int turn = 0;
  for (const Keramos::AxisRule& rule :
       {Keramos::AxisRule(constant(0)), Keramos::AxisRule(Keramos::interior), Keramos::AxisRule(Keramos::ghost),
        Keramos::sides(constant(0), Keramos::ghost)}) {
    SCOPED_TRACE(testing::Message() << "radius " << Radius << " rule " << to_string(rule.low.kind) << "|"
                                    << to_string(rule.high.kind) << " extents " << testing::PrintToString(extents));
    const bool left = turn++ % 2 == 1;
    auto in_view_order = extents;
    if (left) std::swap(in_view_order[0], in_view_order[2]);
    const Memory memory = left ? Memory::left : Memory::right;
    LineCase<T, Keramos::Line<3, Radius>> line(Keramos::Line<3, Radius>(left ? 2 - axis : axis, {}), rule,
                                               in_view_order, memory, memory);
    const std::string name = line.check(device).name();
    EXPECT_NE(name.find(way), std::string::npos) << name;
  }
}

/// The march along the slowest axis: of one block and of some, in one chunk and in some.
template <class T, int Radius>
void check_marches()
{
  constexpr Keramos::cuda::Device one_multiprocessor{90, 1, 227 << 10, 228 << 10, 6016};
  check_zeros<T, Radius>(" march ", 0, takes_for_large, {41, 33, 65});
  check_zeros<T, Radius>(" march ", 0, takes_for_large, {43, 9, 131});
  check_zeros<T, Radius>(" march ", 0, takes_for_large, {47, 3, 5});
  check_zeros<T, Radius>(" march ", 0, one_multiprocessor, {151, 33, 65});
}

TEST(StencilLine, MarchesInFloat)
{
  if (!has_bulk_lines()) GTEST_SKIP() << "compiled for older GPUs";
  check_marches<float, 1>();
  check_marches<float, 2>();
  check_marches<float, 4>();
}
TEST(StencilLine, MarchesInDouble)
{
  if (!has_bulk_lines()) GTEST_SKIP() << "compiled for older GPUs";
  check_marches<double, 1>();
  check_marches<double, 3>();
  check_marches<double, 4>();
}

/// Slabs along the middle axis: of planes of some, of one, and of rows so long that few fit into one.
template <class T, int Radius>
void check_slabs()
{
  check_zeros<T, Radius>(" slab ", 1, takes_for_large, {3, 147, 257});
  check_zeros<T, Radius>(" slab ", 1, takes_for_large, {5, 33, 513});
  check_zeros<T, Radius>(" slab ", 1, takes_for_large, {7, 29, 257});
  check_zeros<T, Radius>(" slab ", 1, takes_for_large, {9, 4 * Radius + 1, 2401 / Radius | 1});
}

TEST(StencilLine, SlabsInFloat)
{
  if (!has_bulk_lines()) GTEST_SKIP() << "compiled for older GPUs";
  check_slabs<float, 1>();
  check_slabs<float, 2>();
  check_slabs<float, 4>();
}
TEST(StencilLine, IsTakenBySlowAxes)
{
  const auto takes = [](const std::string& way, const Keramos::cuda::Device& device, const Keramos::AxisRule& rule,
                        int axis, const std::array<std::int64_t, 3>& extents) {
    LineCase<float, Keramos::Line<3, 4>> line(Keramos::Line<3, 4>(axis, {}), rule, extents, Memory::right,
                                              Memory::right);
    line.align();
    return line.chosen(device).find(way) != std::string::npos;
  };
  int axis = 0;
  for (const std::string way : {" march ", " slab "}) {
    EXPECT_EQ(takes(way, takes_for_large, constant(0), axis, {41, 67, 65}), has_bulk_lines());
    EXPECT_EQ(takes(way, takes_for_large, Keramos::ghost, axis, {41, 67, 65}), has_bulk_lines());
    EXPECT_FALSE(takes(way, takes_for_large, constant(0.3), axis, {41, 33, 65}));
    EXPECT_FALSE(takes(way, takes_for_large, Keramos::periodic, axis, {41, 33, 65}));
    EXPECT_FALSE(takes(way, takes_for_large, constant(0), 1 - axis, {41, 33, 65}));
    EXPECT_EQ(takes(way, takes_for_large, constant(0), axis, {41, 67, 96}), has_bulk_lines()); // rows of 128 bytes
    EXPECT_FALSE(takes(way, takes_for_large, constant(0), axis, {41, 67, 64}));
    EXPECT_FALSE(takes(way, takes_for_small, constant(0), axis, {41, 33, 65}));
    ++axis;
  }
  EXPECT_FALSE(takes(" march ", takes_for_large, constant(0), 0, {31, 33, 65})); // few planes
  EXPECT_FALSE(takes(" slab ", takes_for_large, constant(0), 1, {3, 33, 1601})); // long rows
  EXPECT_FALSE(takes(" slab ", takes_for_large, constant(0), 1, {41, 33, 65}));  // planes that fill a sixth
}

TEST(StencilLine, SmallGridsInFloat) { check_small_grids<float>(); }
TEST(StencilLine, SmallGridsInDouble) { check_small_grids<double>(); }

TEST(StencilLine, InFloat) { check_radii<float>(); }
TEST(StencilLine, InDouble) { check_radii<double>(); }

} // namespace
