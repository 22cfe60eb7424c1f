// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is chosen for other GPUs fits into them, and is right where it runs: here, on the GPU of this machine.
#include "Support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;
namespace core = Keramos::core;
using Keramos::cuda::Device;

/// Architecture, multiprocessors, shared memory of a block and of a multiprocessor (CUDA programming guide, compute
/// capabilities): A100, RTX 3090, L40, and one multiprocessor of any.
constexpr Device devices[] = {{80, 108, 163 << 10, 164 << 10},
                              {86, 82, 99 << 10, 100 << 10},
                              {89, 142, 99 << 10, 100 << 10},
                              {90, 1, 99 << 10, 100 << 10}};

struct Weigh {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c) const
  {
    return value - a * centre + b * c;
  }
};

/// What happens at a point: nothing, LeapFrog with its scale a number or a field, and a functor with three fields. The
/// number is that of the fields.
enum class How { store, leap_frog, leap_frog_field, functor };

template <How how, class View>
auto epilogue_of(const View& out, const View& one, const View& another)
{
  if constexpr (how == How::store) return core::StoreValue();
  if constexpr (how == How::leap_frog) return Keramos::LeapFrog{out, 0.5};
  if constexpr (how == How::leap_frog_field) return Keramos::LeapFrog{out, one};
  if constexpr (how == How::functor) return Keramos::Epilogue{Weigh(), out, one, another};
}

template <How how, class T, class Op, class Values>
void run_reference(const Op& op, const Values& in, const Values& out, const Values& one, const Values& another)
{
  run(Keramos::Backend::reference, [&](const auto& exec) {
    if constexpr (how == How::store)
      return Keramos::apply_stencil(exec, op, in.view, out.view, Keramos::mirror);
    else
      return Keramos::apply_stencil(exec, op, in.view, out.view, Keramos::mirror,
                                    epilogue_of<how>(out.view, one.view, another.view));
  });
}

/// The largest stars in double want more for their fields than GPUs with 99 KiB have, where no tile is small enough either:
/// they fall to portable.
template <class T, class Op>
bool is_too_large(const Device& device, How how)
{
  const int fields = static_cast<int>(how);
  const bool is_large = Op::radius == 6 || Op::radius == 8 || (Op::radius == 7 && fields >= 2);
  return sizeof(T) == 8 && Op::shape == Keramos::Shape::star && Op::rank == 3 && fields > 0 && is_large &&
         device.shared_per_block < 100 << 10;
}

template <How how, class T, class Op>
void check_call(const Device& device, const Op& op, const std::array<std::int64_t, Op::rank>& extents)
{
  constexpr int rank = Op::rank;
  SCOPED_TRACE(testing::Message() << "sm_" << device.architecture << " "
                                  << core::shape_text(Op::shape, rank, Op::radius, Op::tap_count) << " how "
                                  << int(how));
  using Values = Array<T, rank>;
  const Values in(extents, Memory::right), out(extents, Memory::right), expected(extents, Memory::right);
  const Values one(extents, Memory::right), another(extents, Memory::right);
  in.randomise(1);
  out.randomise(2);
  expected.randomise(2);
  one.randomise(3);
  another.randomise(4);
  const Keramos::EdgeRules<rank> edges = Keramos::mirror;
  const core::StencilProblem problem(
      core::stencil_call(op, in.view, out.view, edges, static_cast<const Keramos::Region<rank>*>(nullptr)));
  const auto epilogue =
      core::bind_epilogue<Op, Exec, decltype(in.view)>(problem, epilogue_of<how>(out.view, one.view, another.view));
  const auto plan = Keramos::cuda::stencil::choose(device, problem, epilogue);
  ASSERT_EQ(bool(plan), !(is_too_large<T, Op>(device, how)));
  if (!plan) return;
  std::visit(
      [&](const auto& chosen) {
        EXPECT_LE(chosen.shape.shared_bytes, static_cast<unsigned>(device.shared_per_block)) << plan->kernel;
      },
      plan->how);
  if constexpr (how != How::functor || Op::radius == 1) { // whose kernels are compiled here
    Keramos::cuda::stencil::launch(*plan, own_instance());
    own_instance().fence("the test reads what was written");
    run_reference<how, T>(op, in, expected, one, another);
    double sum = 3;
    for (int t = 0; t < Op::tap_count; ++t) sum += std::abs(op.weight(t));
    const double bound = Op::tap_count * std::numeric_limits<T>::epsilon() * sum;
    out.for_each([&](const auto& i) { ASSERT_NEAR(out.at(i), expected.at(i), bound) << plan->kernel; });
  }
}

template <class T, class Op>
void check(const Op& op, const std::array<std::int64_t, Op::rank>& extents)
{
  for (const Device& device : devices) {
    check_call<How::store, T>(device, op, extents);
    check_call<How::leap_frog, T>(device, op, extents);
    check_call<How::leap_frog_field, T>(device, op, extents);
    check_call<How::functor, T>(device, op, extents);
  }
}

template <class T>
void check_all()
{
  [&]<int... R>(std::integer_sequence<int, R...>)
  {
    (check<T>(Keramos::FiniteDifference::laplacian<3, 2 * R + 2>(1.0, 1.0, 1.0), {11, 37, 70}), ...);
    (check<T>(Keramos::FiniteDifference::laplacian<2, 2 * R + 2>(1.0, 1.0), {67, 530}), ...);
    (check<T>(Keramos::FiniteDifference::first_derivative<3, 2 * R + 2>(1, 1.0), {7, 37, 70}), ...);
  }
  (std::make_integer_sequence<int, 8>());
  std::array<double, Keramos::Box<3, 2>::tap_count> weights;
  for (std::size_t t = 0; t < weights.size(); ++t) weights[t] = static_cast<double>(t % 5) - 2;
  check<T>(Keramos::Box<3, 2>(weights), {9, 17, 70});
}

/// What blocks over two axes ask the L2 for lies behind the rows of their own, and ends with the last one; nothing where rows lie far apart.
TEST(DeviceChoice, RowsOfPlanesAskedForAhead)
{
  using Planes = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;
  const Planes in("in", 512, 4096), out("out", 512, 4096);
  const auto planned = [&](std::int64_t columns) {
    constexpr Device h100{90, 132, 227 << 10, 228 << 10, 5120};
    const auto part = [&](const Planes& of) {
      return Kokkos::subview(of, Kokkos::ALL, std::pair<std::int64_t, std::int64_t>(0, columns));
    };
    const auto from = part(in), to = part(out);
    const Keramos::EdgeRules<2> edges = Keramos::mirror;
    const core::StencilProblem problem(
        core::stencil_call(Keramos::Star<2, 4>(), from, to, edges, static_cast<const Keramos::Region<2>*>(nullptr)));
    const auto plan = Keramos::cuda::stencil::choose(h100, problem, core::StoreValue());
    return std::get<Keramos::cuda::stencil::PlanePlan<float>>(plan->how);
  };
  const auto plan = planned(4096);
  const auto& prefetch = plan.arguments.prefetch;
  const char* const data = reinterpret_cast<const char*>(in.data());
  EXPECT_EQ(prefetch.from + (prefetch.end - 1) + prefetch.piece, data + in.size() * sizeof(float));
  EXPECT_GE(prefetch.from - data, prefetch.band + std::int64_t(4 * 4096 * sizeof(float)));
  EXPECT_GE(std::int64_t(prefetch.piece) * plan.arguments.blocks_along_x.d, prefetch.band);
  EXPECT_EQ(planned(2048).arguments.prefetch.end, 0u);
}

/// The length of chunks is that of all numbers of chunks tried one after the other.
TEST(DeviceChoice, LengthsOfChunks)
{
  for (const std::int64_t planes : {1, 7, 8, 64, 255, 256, 257, 513, 2000})
    for (const std::int64_t columns : {1, 2, 5, 64, 131, 132, 133, 1000})
      for (const std::int64_t slots : {1, 3, 132, 264, 500})
        for (const std::int64_t ramp : {7, 14}) {
          const auto waves = [&](std::int64_t chunks) { return (columns * chunks + slots - 1) / slots; };
          const auto length = [&](std::int64_t chunks) { return (planes + chunks - 1) / chunks; };
          const std::int64_t min_chunks = (planes + 255) / 256;
          const std::int64_t max_chunks = std::min(planes, min_chunks + 2 * ((slots + columns - 1) / columns) + 8);
          std::int64_t cost = INT64_MAX;
          for (std::int64_t chunks = min_chunks; chunks <= max_chunks; ++chunks)
            cost = std::min(cost, waves(chunks) * (length(chunks) + ramp));
          const std::int64_t chosen = Keramos::cuda::stencil::chunk_length(planes, columns, slots, ramp);
          bool is_best = false;
          for (std::int64_t chunks = min_chunks; chunks <= max_chunks; ++chunks)
            is_best = is_best || (length(chunks) == chosen && waves(chunks) * (chosen + ramp) == cost);
          EXPECT_TRUE(is_best) << chosen << " of " << planes << " planes, " << columns << " columns, " << slots;
        }
}

TEST(DeviceChoice, DivisionsOfBlockNumbers)
{
  constexpr std::int64_t most = 0x7fffffff;
  std::vector<std::int64_t> divisors{most, 1000003};
  for (std::int64_t power = 1; power < most; power *= 2)
    for (const std::int64_t d : {power - 1, power, power + 1, power + power / 2 + 1})
      if (d > 0) divisors.push_back(d);
  for (const std::int64_t d : divisors) {
    const auto by = Keramos::cuda::block_divisor(d);
    for (const std::int64_t multiple : {std::int64_t{0}, d, 2 * d, most / d / 2 * d, most / d * d, most})
      for (const std::int64_t n : {multiple - 1, multiple, multiple + 1})
        if (n >= 0 && n <= most) ASSERT_EQ(quotient(static_cast<unsigned>(n), by), n / d) << n << " by " << d;
  }
}

/// Where reversed axes have a batch between them, and nowhere else.
TEST(DeviceChoice, TransposesThatGoThroughTheBatchFirst)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto goes_so = [](std::initializer_list<core::MoveAxis> axes) {
    const core::MoveAxes normalised = core::normalised(axes.begin(), static_cast<int>(axes.size()));
    const auto plan = transpose::plan_move(devices[0], normalised, 4, nullptr, nullptr);
    const auto& job = std::get<transpose::TileJob>(plan->job);
    EXPECT_EQ(plan->blocks % job.inner.d, 0u);
    return job.batch_first;
  };
  EXPECT_TRUE(goes_so({{1024, 1, 512 * 256}, {512, 1024, 256}, {256, 512 * 1024, 1}}));     // (2 1 0)
  EXPECT_FALSE(goes_so({{1024, 1, 512}, {256, 1024, 1024 * 512}, {512, 256 * 1024, 1}}));   // (1 2 0)
  EXPECT_FALSE(goes_so({{1024, 1, 512}, {512, 1024, 1}, {256, 512 * 1024, 512 * 1024}}));   // (0 2 1)
  EXPECT_FALSE(goes_so({{1024, 1, 1024}, {1024, 1024, 1}}));                                // a matrix
  EXPECT_FALSE(goes_so({{1021, 1, 511 * 1001}, {511, 1021, 1001}, {1001, 511 * 1021, 1}})); // no vectors
}

/// The boxes of a functor, on an H200 or what is like it, between matrices of so many rows and columns.
Keramos::cuda::transpose::BoxRowsJob boxes(std::int64_t rows, std::int64_t columns, int in_size, int out_size,
                                           bool accumulates = false, std::uintptr_t in = 0x1000,
                                           std::uintptr_t out = 0x1000)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const core::MoveAxis axes[] = {{rows, columns, 1}, {columns, 1, rows}};
  const auto plan =
      transpose::plan_functor_move(h200, core::normalised(axes, 2), in_size, out_size,
                                   reinterpret_cast<const void*>(in), reinterpret_cast<const void*>(out), accumulates);
  EXPECT_EQ(plan->kind, transpose::MoveKind::box_rows);
  const auto& job = std::get<transpose::BoxRowsJob>(plan->job);
  const int blocks = out_size < 4 && job.cut < 0 ? 4 : 3;
  if (accumulates || out_size < 4) EXPECT_LE(blocks * (plan->shared_bytes + 1024), h200.shared_per_multiprocessor);
  return job;
}

/// Whole lines of 256 bytes, wherever the arrays begin, where the pitches keep to them.
TEST(DeviceChoice, TransposesByBoxesOfLines)
{
  const auto expect = [](int in_size, int out_size, bool accumulates, unsigned a, unsigned b) {
    const auto aligned = boxes(16384, 16384, in_size, out_size, accumulates).grid;
    EXPECT_EQ(aligned.axis[0].box, a);
    EXPECT_EQ(aligned.axis[1].box, b);
    EXPECT_EQ(aligned.axis[0].peel + aligned.axis[1].peel, 0u);
    const auto behind = boxes(16384, 16384, in_size, out_size, accumulates, 0x1080, 0x1040).grid;
    EXPECT_EQ(behind.axis[0].peel, 64u / out_size);
    EXPECT_EQ(behind.axis[1].peel, 128u / in_size);
    EXPECT_EQ(behind.axis[0].blocks.d, aligned.axis[0].blocks.d + 1);
    EXPECT_EQ(behind.axis[1].blocks.d, aligned.axis[1].blocks.d + 1);
  };
  expect(4, 4, false, 128, 64);
  expect(4, 4, true, 128, 64);
  expect(8, 8, false, 64, 32);
  expect(4, 8, false, 64, 64);
  expect(4, 2, false, 128, 64);
  EXPECT_EQ(boxes(16384 + 8, 16384 + 8, 4, 4).grid.axis[0].peel, 0u); // other pitches
}

/// What a functor between arrays of these axes takes on an H200.
Keramos::cuda::transpose::MovePlan computed_move(std::initializer_list<core::MoveAxis> axes, int in_size, int out_size,
                                                 bool accumulates = false)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const core::MoveAxes normalised = core::normalised(axes.begin(), static_cast<int>(axes.size()));
  return *Keramos::cuda::transpose::plan_functor_move(h200, normalised, in_size, out_size,
                                                      reinterpret_cast<const void*>(0x1080),
                                                      reinterpret_cast<const void*>(0x1080), accumulates);
}

/// Accumulations have boxes of lines where these are full, however few they are, and else what costs least.
TEST(DeviceChoice, AccumulationsOverSeveralAxes)
{
  using Keramos::cuda::transpose::BoxRowsJob;
  const auto lines = computed_move({{1024, 1, 512 * 256}, {512, 1024, 256}, {256, 512 * 1024, 1}}, 4, 4, true);
  const auto& grid = std::get<BoxRowsJob>(lines.job).grid; // (2 1 0)
  EXPECT_EQ(grid.axis[0].box, 128u);
  EXPECT_EQ(grid.axis[1].box, 1u);
  EXPECT_EQ(grid.axis[2].box, 64u);
  EXPECT_EQ(lines.threads, 384u);
  const auto cheapest = computed_move(
      {{96, 111, 1}, {65, 128 * 96 * 111, 96}, {128, 96 * 111, 65 * 96}, {111, 1, 128 * 65 * 96}}, 4, 4, true);
  const auto& rows =
      std::get<BoxRowsJob>(cheapest.job); // (3 1 0 2), whole rows of the output, not out of one run of the input
  EXPECT_EQ(rows.grid.axis[0].box, 96u);
  EXPECT_EQ(rows.grid.axis[3].box, 56u);
  EXPECT_LT(rows.in.run_axes, rows.inner);
  const auto many_banks =
      computed_move({{96, 128, 1}, {64, 128 * 96 * 128, 96}, {128, 1, 64 * 96}, {128, 96 * 128, 128 * 64 * 96}}, 4, 4,
                    true); // (1 3 0 2)
  const auto& job = std::get<BoxRowsJob>(many_banks.job);
  EXPECT_TRUE(job.in.run_axes < job.inner || job.out.axis[0].slot % 128 != 0);
}

/// Boxes of a transpose that accumulates cost the same where they would lie half behind the ends of its rows.
TEST(DeviceChoice, AccumulationsOfShortRows)
{
  for (const std::int64_t rows : {257, 130}) {
    const auto& axis = boxes(rows, 400000, 4, 4, true).grid.axis[0];
    EXPECT_LE(axis.blocks.d * axis.box, 1.05 * rows);
  }
}

/// Copies by a functor have small boxes, unless they narrow elements; the threads are those of the larger side.
TEST(DeviceChoice, CopiesThatCompute)
{
  const auto expect = [](int in_size, int out_size, bool accumulates, unsigned least, unsigned most, unsigned threads) {
    const auto plan = computed_move({{150145013, 1, 1}}, in_size, out_size, accumulates);
    const auto& axis = std::get<Keramos::cuda::transpose::BoxRowsJob>(plan.job).grid.axis[0];
    EXPECT_GE(axis.box, least);
    EXPECT_LE(axis.box, most);
    EXPECT_EQ(plan.threads, threads);
  };
  expect(4, 4, false, 1900, 2048, 64);
  expect(8, 8, false, 950, 1024, 64);
  expect(4, 8, false, 950, 1024, 64);
  expect(4, 2, false, 10000, 16384, 256);
  expect(4, 4, true, 7000, 10000, 256);
}

/// Boxes of accumulations that share the sectors at the ends of their runs are as long as three blocks can have them, and add up to whole
/// sectors.
TEST(DeviceChoice, TransposesThatShareWholeSectors)
{
  for (const auto& [rows, columns] : {std::pair(10001, 15013), {8191, 8193}, {9001, 9011}, {15013, 10001}}) {
    const auto sums = boxes(rows, columns, 4, 4, true);
    EXPECT_EQ(sums.cut, 0);
    EXPECT_EQ((sums.grid.axis[0].box + sums.shared) % 8, 0u);
    EXPECT_GE(sums.grid.axis[0].box, 113u);
  }
  const auto halves = boxes(3, 100000000, 4, 2); // shares none, so that there are four
  EXPECT_LT(halves.cut, 0);
  EXPECT_GE(halves.grid.axis[1].box, 4500u);
}

/// Functors that narrow elements have boxes of lines, tiles in sectors where rows begin anywhere, and boxes where these fill no tiles or
/// are added up.
TEST(DeviceChoice, TransposesThatNarrow)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns, int in_size, int out_size, bool accumulates = false) {
    const core::MoveAxis axes[] = {{rows, columns, 1}, {columns, 1, rows}};
    return transpose::plan_functor_move(devices[0], core::normalised(axes, 2), in_size, out_size, nullptr, nullptr,
                                        accumulates)
        ->kind;
  };
  EXPECT_EQ(kind(10001, 15013, 4, 2), transpose::MoveKind::tile_unaligned);
  EXPECT_EQ(kind(10001, 15013, 16, 1), transpose::MoveKind::tile_unaligned);
  EXPECT_EQ(kind(10001, 15013, 4, 2, true), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(10001, 15013, 4, 8), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(16384, 16384, 4, 2), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(33, 1000001, 4, 2), transpose::MoveKind::box_rows);
}

/// The plan of a square matrix in place that begins on a line.
Keramos::cuda::transpose::SwapPlan plan_of_swap(std::int64_t order, int size)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto plan = Keramos::cuda::transpose::plan_in_place(
      h200, {order, 1, order, {}, size, reinterpret_cast<void*>(0x1000)}, false);
  return std::get<Keramos::cuda::transpose::SwapPlan>(*plan);
}

/// In place, vectors want rows on sectors, and large ones on lines.
TEST(DeviceChoice, SwapsByVectors)
{
  using Keramos::cuda::transpose::SwapKind;
  EXPECT_EQ(plan_of_swap(15013, 4).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(1004, 4).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(2008, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(5000, 4).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(6048, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(15008, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(16384, 4).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(2004, 8).kind, SwapKind::vector);
  EXPECT_EQ(plan_of_swap(3004, 8).kind, SwapKind::unaligned);
  EXPECT_EQ(plan_of_swap(10000, 8).kind, SwapKind::vector);
}

/// In place, tiles come in groups where those of one line share its sectors, and one by one where rows begin on lines.
TEST(DeviceChoice, SwapsInGroups)
{
  const auto group = [&](std::int64_t order, int size) { return plan_of_swap(order, size).job.group; };
  EXPECT_EQ(group(16384, 4), 0);
  EXPECT_EQ(group(8192, 8), 0);
  EXPECT_EQ(group(6048, 4), 2);
  EXPECT_EQ(group(15008, 4), 2);
  EXPECT_EQ(group(10000, 8), 2);
  EXPECT_EQ(group(1000, 4), 0);  // few
  EXPECT_EQ(group(2008, 4), 2);  // stays in the cache
  EXPECT_EQ(group(15016, 4), 1); // on sectors, not on lines: as odd orders, by how many tiles there are
  EXPECT_EQ(group(10004, 8), 1);
  EXPECT_EQ(group(15013, 4), 1);
  EXPECT_EQ(group(8191, 4), 2);
  EXPECT_EQ(group(4001, 8), 2);
  EXPECT_EQ(group(20001, 4), 3);
  EXPECT_EQ(group(14001, 8), 3);
}

/// The plan of a permutation of a contiguous array.
Keramos::cuda::transpose::MovePlan plan_of_permutation(const Device& device, const std::vector<std::int64_t>& extent,
                                                       const std::vector<int>& order, int size)
{
  const int rank = static_cast<int>(extent.size());
  std::vector<std::int64_t> in(extent.size());
  std::int64_t step = 1;
  for (int k = rank - 1; k >= 0; step *= extent[k], --k) in[k] = step;
  std::vector<core::MoveAxis> axes(extent.size());
  step = 1;
  for (int k = rank - 1; k >= 0; step *= extent[order[k]], --k) axes[k] = {extent[order[k]], in[order[k]], step};
  return *Keramos::cuda::transpose::plan_move(device, core::normalised(axes.data(), rank), size, nullptr, nullptr);
}

/// Threads are so few that a multiprocessor holds as many boxes as its shared memory does, or eight, one less where they are single runs:
/// all permutations of an array.
TEST(DeviceChoice, PermutationsFillSharedMemory)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  std::vector<int> order{0, 1, 2, 3};
  int boxes = 0;
  do {
    const auto plan = plan_of_permutation(h200, {65, 128, 96, 111}, order, 4);
    if (plan.kind != transpose::MoveKind::box_rows) continue;
    const int by_memory = h200.shared_per_multiprocessor / (plan.shared_bytes + 1024);
    const auto& job = std::get<transpose::BoxRowsJob>(plan.job);
    const bool single_run = job.in.run_axes == job.inner;
    EXPECT_GE(2048 / static_cast<int>(plan.threads), std::min(by_memory, 8) - single_run) << plan.shared_bytes;
    ++boxes;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_GT(boxes, 5);
}

/// Short axes of the output are joined where boxes would cost much: not where these share no sector, nor where joined tiles would be partly
/// empty or come late to the next row of the input, or read what lies on sectors.
TEST(DeviceChoice, JoinedAxes)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  using Keramos::cuda::transpose::MoveKind;
  const auto joins = [&](const std::vector<std::int64_t>& extent, const std::vector<int>& order, int size = 4) {
    return plan_of_permutation(h200, extent, order, size).kind == MoveKind::tile_joined;
  };
  for (const std::vector<int>& order : {std::vector{3, 2, 1, 0}, {3, 0, 2, 1}, {0, 3, 2, 1}, {2, 3, 1, 0}})
    EXPECT_TRUE(joins({63, 129, 94, 114}, order)) << testing::PrintToString(order);
  EXPECT_FALSE(joins({63, 129, 94, 114}, {3, 2, 1, 0}, 8));   // no kernel
  EXPECT_FALSE(joins({65, 128, 96, 111}, {3, 0, 2, 1}));      // rows of 128 lie on sectors
  EXPECT_FALSE(joins({33, 37, 23, 30, 73}, {4, 3, 0, 1, 2})); // late, and boxes share sectors
  EXPECT_TRUE(joins({33, 37, 23, 30, 73}, {4, 3, 1, 2, 0}));
  EXPECT_FALSE(joins({14, 19, 13, 21, 16, 60}, {5, 4, 0, 1, 3, 2}));
  EXPECT_FALSE(joins({13, 20, 14, 19, 17, 61}, {1, 2, 3, 5, 0, 4})); // rows of 221
  EXPECT_TRUE(joins({33, 37, 23, 30, 73}, {1, 3, 4, 0, 2}));
  EXPECT_FALSE(joins({32, 37, 25, 32, 69}, {1, 3, 4, 0, 2})); // on sectors
}

/// Matrices that are contiguous on both sides move whole, and so do runs that stay, where boxes would cost much: not where tiles are full, where
/// blocks would be few or elements of a matrix, where narrow boxes have vectors, or where short ones come late to the next one of the input.
TEST(DeviceChoice, SmallMatrices)
{
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto whole = [&](const std::vector<std::int64_t>& extent, const std::vector<int>& order, int size = 4) {
    return plan_of_permutation(h200, extent, order, size).kind == Keramos::cuda::transpose::MoveKind::matrices;
  };
  for (const int size : {1, 2, 4, 8}) {
    EXPECT_EQ(whole({29, 39, 22, 31, 71}, {1, 0, 2, 4, 3}, size), size < 8) << size;
    EXPECT_EQ(whole({33, 37, 23, 30, 73}, {0, 1, 2, 4, 3}, size), size < 8) << size;
    EXPECT_EQ(whole({1000000, 16, 16}, {0, 2, 1}, size), size >= 4) << size;
    EXPECT_EQ(whole({29, 39, 22, 31, 71}, {1, 0, 3, 2, 4}, size), size >= 4) << size;
    EXPECT_FALSE(whole({30000, 32, 32}, {0, 2, 1}, size)) << size;
    EXPECT_FALSE(whole({100, 31, 71}, {0, 2, 1}, size)) << size;
  }
  EXPECT_TRUE(whole({3000, 140, 140}, {0, 2, 1}));
  EXPECT_FALSE(whole({3000, 163, 167}, {0, 2, 1}));
  EXPECT_FALSE(whole({1000000, 6, 6}, {0, 2, 1}));
  EXPECT_FALSE(whole({29, 39, 22, 31, 71}, {3, 2, 1, 0, 4}));
  EXPECT_TRUE(whole({40, 50000, 9, 9}, {1, 0, 3, 2}));
  EXPECT_FALSE(whole({50000, 40, 9, 9}, {1, 0, 3, 2}));
}

/// Whole rows of the input, and so many of what follows them in the output that its runs are long; where rows of the input are long, parts:
/// with functors, for which no axes are joined.
TEST(DeviceChoice, PermutationsByWholeRows)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto box = [&](std::initializer_list<core::MoveAxis> list, int size, int axis) {
    const auto axes = core::normalised(list.begin(), static_cast<int>(list.size()));
    const auto plan = transpose::plan_functor_move(h200, axes, size, size, nullptr, nullptr, false);
    return std::get<transpose::BoxRowsJob>(plan->job).grid.axis[axis].box;
  };
  const std::initializer_list<core::MoveAxis> three{{65, 12288 * 111, 1}, {12288, 111, 65}, {111, 1, 65 * 12288}};
  EXPECT_EQ(box(three, 4, 0), 65u);
  EXPECT_EQ(box(three, 4, 1), 3u);
  EXPECT_EQ(box(three, 4, 2), 111u);
  EXPECT_LT(box(three, 8, 2), 111u);
  const std::initializer_list<core::MoveAxis> four{
      {97, 113, 1}, {66, 1392047, 97}, {127, 10961, 6402}, {113, 1, 813054}}; // 66x127x97x113 (3, 1, 0, 2)
  EXPECT_EQ(box(four, 4, 0), 97u);
  EXPECT_EQ(box(four, 4, 1), 2u);
  EXPECT_EQ(box(four, 4, 3), 113u);
}

/// Long runs of the output are cut in whole sectors, for which boxes share elements; of short axes they would share too many.
TEST(DeviceChoice, PermutationsByWhatBoxesCost)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto cut = [&](std::initializer_list<core::MoveAxis> list) {
    const auto axes = core::normalised(list.begin(), static_cast<int>(list.size()));
    return std::get<transpose::BoxRowsJob>(transpose::plan_move(h200, axes, 4, nullptr, nullptr)->job).cut;
  };
  EXPECT_EQ(cut({{813054, 113, 1}, {113, 1, 813054}}), 0);
  EXPECT_LT(cut({{19, 3549 * 960, 1}, {3549, 960, 19}, {960, 1, 19 * 3549}}), 0);
  EXPECT_LT(cut({{19, 2 * 960, 1}, {2, 960, 19}, {960, 1, 19 * 2}}), 0); // there are few boxes
}

/// The plan of a transpose of rows x columns elements of so many bytes.
Keramos::cuda::transpose::MovePlan plan_of_matrix(std::int64_t rows, std::int64_t columns, int size)
{
  const core::MoveAxis axes[] = {{columns, 1, rows}, {rows, columns, 1}};
  return *Keramos::cuda::transpose::plan_move(devices[0], core::normalised(axes, 2), size, nullptr, nullptr);
}

/// Small matrices whose rows begin anywhere have tiles of few elements; boxes take those whose tiles share lines with neighbours that come
/// much later, and rows of the output that tiles of vectors fill badly.
TEST(DeviceChoice, TransposesAtOddPitches)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns, int size) {
    return plan_of_matrix(rows, columns, size).kind;
  };
  EXPECT_EQ(kind(511, 513, 4), transpose::MoveKind::tile_small);
  EXPECT_EQ(kind(2047, 2049, 4), transpose::MoveKind::tile_small);
  EXPECT_NE(kind(2047, 2049, 8), transpose::MoveKind::tile_small);
  EXPECT_EQ(kind(3001, 3003, 4), transpose::MoveKind::tile_unaligned);
  EXPECT_EQ(kind(1021, 130815, 4), transpose::MoveKind::tile_unaligned);
  for (const int size : {4, 8}) EXPECT_EQ(kind(130815, 1021, size), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(10002, 15014, 8), transpose::MoveKind::tile_unaligned); // on 16 bytes, but not on sectors
  for (const int size : {4, 8}) EXPECT_EQ(kind(10008, 15016, size), transpose::MoveKind::tile_unaligned); // on sectors
  EXPECT_EQ(kind(9984, 15040, 8), transpose::MoveKind::tile_vector);  // on 256 bytes
  EXPECT_EQ(kind(2000000, 200, 8), transpose::MoveKind::tile_vector); // unaligned ones would come late to the next
  EXPECT_EQ(kind(1002, 1504, 8), transpose::MoveKind::tile_vector);   // small
  EXPECT_EQ(kind(100, 2000000, 4), transpose::MoveKind::box_rows);
}

/// Narrow matrices whose rows lie on sectors: boxes have those with short rows of the output that tiles cut within lines, with narrow rows that fill
/// small tiles alone; and, of more axes, small tiles whose rows of the input do not lie on lines.
TEST(DeviceChoice, NarrowTransposesByBoxes)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns) { return plan_of_matrix(rows, columns, 4).kind; };
  for (const std::int64_t rows : {88, 200}) EXPECT_EQ(kind(rows, 520832), transpose::MoveKind::box_rows);
  for (const std::int64_t rows : {48, 64, 128, 384}) EXPECT_EQ(kind(rows, 520832), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(128, 520840), transpose::MoveKind::box_rows); // rows of the input not on units
  EXPECT_EQ(kind(768, 260416), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(256, 524288), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(6250000, 32), transpose::MoveKind::box_rows); // small tiles, far rows
  EXPECT_EQ(kind(1190472, 168), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(3125000, 64), transpose::MoveKind::tile_vector_wide); // large ones, not on units
  EXPECT_EQ(kind(892832, 224), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(1562496, 128), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(669632, 224), transpose::MoveKind::tile_vector);      // on units in the output
  EXPECT_EQ(kind(390624, 512), transpose::MoveKind::tile_vector_wide); // not on units, but long rows
  constexpr Device h200{90, 132, 227 << 10, 228 << 10};
  const auto stack = [&](std::int64_t matrices, std::int64_t rows, std::int64_t columns) {
    return plan_of_permutation(h200, {matrices, rows, columns}, {0, 2, 1}, 4).kind;
  };
  EXPECT_EQ(stack(40000, 96, 80), transpose::MoveKind::box_rows);
  EXPECT_EQ(stack(200000, 32, 32), transpose::MoveKind::tile_vector_small); // on lines
  EXPECT_EQ(stack(8000, 160, 160), transpose::MoveKind::tile_vector_small);
}

/// Unaligned tiles that no boxes take, where their neighbours along the input would come late.
TEST(DeviceChoice, TransposesInBands)
{
  const auto bands = [](std::int64_t rows, std::int64_t columns, int size) {
    const auto plan = plan_of_matrix(rows, columns, size);
    const auto& job = std::get<Keramos::cuda::transpose::TileJob>(plan.job);
    EXPECT_EQ(plan.blocks % job.band.d, 0u);
    return plan.blocks / job.band.d;
  };
  EXPECT_EQ(bands(30001, 35013, 1), 1u);
  EXPECT_EQ(bands(523263, 1021, 1), 64u);
  EXPECT_EQ(bands(20001, 25013, 2), 1u);
  EXPECT_EQ(bands(25013, 20001, 2), 1u);
  EXPECT_EQ(bands(65535, 8193, 2), 17u);
}

/// Boxes with short runs of the input go along it first where their neighbours would come late: 31x40x24x33x70 (4 3 0 1 2).
TEST(DeviceChoice, PermutationsThatGoAlongTheInputFirst)
{
  const auto goes_so = [](std::initializer_list<core::MoveAxis> list, int axis) {
    const auto axes = core::normalised(list.begin(), static_cast<int>(list.size()));
    const auto plan = Keramos::cuda::transpose::plan_move(devices[0], axes, 4, nullptr, nullptr);
    return std::get<Keramos::cuda::transpose::BoxRowsJob>(plan->job).grid.axis[axis].before.d == 1;
  };
  EXPECT_TRUE(goes_so({{29760, 2310, 1}, {33, 70, 29760}, {70, 1, 982080}}, 1));
}

/// Short rows that follow each other in the input are copied one after the other, where they would come late.
TEST(DeviceChoice, CopiesOfShortRows)
{
  const auto first = [](std::int64_t between) { // of 16 groups of 60 floats, which become the slowest axis
    const core::MoveAxis axes[] = {{60, 1, 1}, {between, 960, 60}, {16, 60, 60 * between}};
    const auto plan = Keramos::cuda::transpose::plan_move(devices[0], core::normalised(axes, 3), 4, nullptr, nullptr);
    return std::get<Keramos::cuda::transpose::RowsJob>(plan->job).rows.axis[0].extent.d;
  };
  EXPECT_EQ(first(20000), 20000u);
  EXPECT_EQ(first(30000), 16u);
}

/// Runs that both sides share change places in boxes while they are short.
TEST(DeviceChoice, CopiesOfLongerRuns)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto copies = [](std::int64_t run, int size) {
    const core::MoveAxis axes[] = {{run, 1, 1}, {3000, 2000 * run, run}, {2000, run, 3000 * run}};
    const auto plan = transpose::plan_move(devices[0], core::normalised(axes, 3), size, nullptr, nullptr);
    EXPECT_TRUE(plan->kind == transpose::MoveKind::rows || plan->kind == transpose::MoveKind::box_rows);
    return plan->kind == transpose::MoveKind::rows;
  };
  for (const auto& [size, longest_in_boxes] : {std::pair(1, 223), {2, 159}, {4, 255}, {8, 127}, {16, 7}}) {
    EXPECT_FALSE(copies(longest_in_boxes, size)) << size;
    EXPECT_TRUE(copies(longest_in_boxes + 2, size)) << size;
  }
}

/// A sub-view's rows are copied unless they are shorter than two sectors, or one of elements of 4 bytes and more.
TEST(DeviceChoice, CopiesOfSubviews)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t row, int size) {
    const core::MoveAxis axes[] = {{row, 1, 1}, {3001, row, row + 1}};
    return transpose::plan_move(devices[0], core::normalised(axes, 2), size, nullptr, nullptr)->kind;
  };
  for (const int size : {1, 2, 4, 8}) {
    const int least = size >= 4 ? 32 : 64;
    EXPECT_EQ(kind(least / size + 1, size), transpose::MoveKind::rows) << size;
    EXPECT_EQ(kind(least / size - 1, size), transpose::MoveKind::box) << size;
  }
}

/// What is told the L2 cache: rows with gaps between them in the output leave parts of sectors that nobody fills; and of what it cannot hold, data in
/// place is kept until it is written.
TEST(DeviceChoice, WhatTransposesTellTheCache)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto has_gaps = [](std::int64_t in, std::int64_t out) {
    const core::MoveAxis axes[] = {{101, 1, 1}, {3001, in, out}};
    const auto plan = transpose::plan_move(devices[0], core::normalised(axes, 2), 4, nullptr, nullptr);
    return std::get<transpose::RowsJob>(plan->job).has_gaps;
  };
  EXPECT_TRUE(has_gaps(101, 103));
  EXPECT_FALSE(has_gaps(103, 101));
  const auto keeps = [](std::int64_t order) {
    const auto plan = transpose::plan_in_place(devices[0], {order, 1, order, {}, 8, nullptr}, false);
    return std::get<transpose::SwapPlan>(*plan).job.keeps;
  };
  EXPECT_TRUE(keeps(3001));
  EXPECT_FALSE(keeps(2048));
}

/// Elements of 16 bytes: tiles that are full on both sides, and whose rows of the input go on soon.
TEST(DeviceChoice, TransposesOf16Bytes)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns) { return plan_of_matrix(rows, columns, 16).kind; };
  EXPECT_EQ(kind(8191, 8193), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(16384, 16384), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(61, 200000), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(200000, 61), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(200000, 256), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(40001, 2001), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(20001, 4001), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(40, 200000), transpose::MoveKind::box_rows);
  EXPECT_EQ(kind(8191, 40), transpose::MoveKind::tile_vector); // small
}

/// Where the rows of the output are few, or far from each other.
TEST(DeviceChoice, TransposesByWideTiles)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto kind = [](std::int64_t rows, std::int64_t columns) { return plan_of_matrix(rows, columns, 4).kind; };
  EXPECT_EQ(kind(3125056, 64), transpose::MoveKind::tile_vector_wide);
  EXPECT_EQ(kind(131072, 1024), transpose::MoveKind::tile_vector_wide);
  EXPECT_EQ(kind(2000000, 100), transpose::MoveKind::tile_vector);
  EXPECT_EQ(kind(16384, 16384), transpose::MoveKind::tile_vector);
}

TEST(DeviceChoice, StencilsInFloat) { check_all<float>(); }
TEST(DeviceChoice, StencilsInDouble) { check_all<double>(); }

} // namespace
