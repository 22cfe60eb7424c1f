// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that are not square, transposed in place: every backend against index arithmetic, the maps beyond 32 bits against the
// definition, and every wrong use with its message.
#include "OblongCells.hpp"
#include "TransposeSupport.hpp"

#include "../backends/openmp/transpose/OblongJob.hpp"
#include "keramos/transpose/Oblong.hpp"

#include <random>

using namespace test;
using Keramos::Backend;
using Keramos::Workspace;

namespace {

template <class T, class Layout>
using Matrix = Kokkos::View<T**, Layout, Shared>;

/// What a test asks for: bytes(in, out) of scratch, and call(in, out, scratch).
template <class Bytes, class Call>
struct Way {
  Bytes bytes;
  Call call;
};

/// In memory between untouched bytes, with scratch between others.
template <class T, class Layout, class Bytes, class Call>
void check_way(std::int64_t m, std::int64_t n, Backend backend, const Way<Bytes, Call>& way)
{
  constexpr std::int64_t guard = 16;
  const Kokkos::View<T*, Shared> memory("memory", m * n + 2 * guard);
  std::memset(static_cast<void*>(memory.data()), 0xA5, memory.size() * sizeof(T));
  const Matrix<T, Layout> in(memory.data() + guard, m, n), out(memory.data() + guard, n, m);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) in(i, j) = item<sizeof(T)>(i * n + j);

  constexpr std::size_t around = 64;
  const std::size_t bytes = way.bytes(in, out);
  const Kokkos::View<unsigned char*, Shared> scratch("scratch", bytes + 2 * around);
  std::memset(scratch.data(), 0x5A, scratch.size());
  const auto kernel = way.call(in, out, Kokkos::subview(scratch, Kokkos::make_pair(around, around + bytes)));

  EXPECT_EQ(kernel.backend, backend);
  EXPECT_EQ(kernel.operation, "transpose_in_place");
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) wrong += !(out(j, i) == item<sizeof(T)>(i * n + j));
  EXPECT_EQ(wrong, 0) << kernel << ", " << m << " x " << n << ", " << sizeof(T) << " bytes";
  const auto untouched = [](const auto* first, std::size_t bytes, unsigned char mark) {
    const auto* const byte = reinterpret_cast<const unsigned char*>(first);
    return std::all_of(byte, byte + bytes, [&](unsigned char b) { return b == mark; });
  };
  EXPECT_TRUE(untouched(memory.data(), guard * sizeof(T), 0xA5));
  EXPECT_TRUE(untouched(memory.data() + guard + m * n, guard * sizeof(T), 0xA5));
  EXPECT_TRUE(untouched(scratch.data(), around, 0x5A));
  EXPECT_TRUE(untouched(scratch.data() + scratch.size() - around, around, 0x5A));
}

/// With exactly the scratch that is asked for, and `more`.
template <class T, class Layout>
void check(std::int64_t m, std::int64_t n, Backend backend, std::size_t more = 0)
{
  const auto bytes = [&](const auto& in, const auto& out) {
    return more +
           ask(backend, [&](const auto& exec) { return Keramos::transpose_in_place_workspace_size(exec, in, out); });
  };
  const auto call = [&](const auto& in, const auto& out, const auto& scratch) {
    return run(backend,
               [&](const auto& exec) { return Keramos::transpose_in_place(exec, in, out, Workspace{scratch}); });
  };
  check_way<T, Layout>(m, n, backend, Way{bytes, call});
}

TEST(InPlaceOblong, EverySizeAndLayout)
{
  for_each_size([](auto size) {
    using T = Item<size>;
    for (const Backend backend : all_backends())
      for (const std::int64_t m : {0, 1, 2, 7, 31, 32, 33, 127})
        for (const std::int64_t n : {0, 1, 3, 12, 31, 32, 48, 67}) {
          check<T, Kokkos::LayoutRight>(m, n, backend);
          check<T, Kokkos::LayoutLeft>(m, n, backend);
        }
  });
}

/// Scratch for one line, and for more than were asked for; many rows and panels for each slot; narrow panels.
TEST(InPlaceOblong, LargeAndNarrow)
{
  for (const Backend backend : all_backends()) {
    check<Item<4>, Kokkos::LayoutRight>(1024, 768, backend);
    check<Item<8>, Kokkos::LayoutRight>(641, 1283, backend, 12345);
    check<Item<8>, Kokkos::LayoutLeft>(600, 36, backend, 1 << 20);
    check<Item<2>, Kokkos::LayoutRight>(3, 20011, backend);
    check<Item<16>, Kokkos::LayoutRight>(20010, 6, backend);
    if (backend == Backend::reference) continue;
    check<Item<4>, Kokkos::LayoutRight>((1 << 20) + 3, 3, backend);
    check<Item<4>, Kokkos::LayoutRight>(2053, 1031, backend);
    check<Item<4>, Kokkos::LayoutLeft>(2053, 1031, backend);
    check<Item<2>, Kokkos::LayoutRight>(1024, 4096, backend);
  }
}

#ifdef KOKKOS_ENABLE_CUDA
template <class T, class Layout>
void check_cells(std::int64_t m, std::int64_t n, std::size_t more = 0)
{
  const auto bytes = [&](const auto& in, const auto& out) { return more + cells_workspace_size(in, out); };
  const auto call = [&](const auto& in, const auto& out, const auto& scratch) {
    return run([&](const auto& exec) { return transpose_by_cells(exec, in, out, scratch); });
  };
  check_way<T, Layout>(m, n, Backend::cuda, Way{bytes, call});
}

/// High and wide, with and without what bands and cells leave over, cells of many rows and of one, many bands to a move and one, rows that
/// are longer than what moves at once, near squares.
TEST(InPlaceOblong, ByCellsOnGpus)
{
  const std::vector<std::pair<std::int64_t, std::int64_t>> shapes{{4096, 96},  {5003, 96},  {1021, 1019}, {2048, 256},
                                                                  {2053, 259}, {100003, 3}, {65537, 2},   {30011, 17}};
  for_each_size([&](auto size) {
    using T = Item<size>;
    for (const auto& [longer, shorter] : shapes) {
      check_cells<T, Kokkos::LayoutRight>(longer, shorter);
      check_cells<T, Kokkos::LayoutRight>(shorter, longer);
    }
    check_cells<T, Kokkos::LayoutLeft>(2053, 259, 12345);
    check_cells<T, Kokkos::LayoutLeft>(259, 2053);
  });
}

/// Small ones, whatever they lie on, and large ones, which wait in a part of their size.
TEST(InPlaceOblong, WhichWayOnGpus)
{
  const auto way = [](std::int64_t m, std::int64_t n) {
    using Bytes = Kokkos::View<char**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
    const Kokkos::View<char*, Kokkos::CudaSpace> memory(Kokkos::view_alloc("memory", Kokkos::WithoutInitializing),
                                                        1 + m * n);
    const Bytes in(memory.data() + 1, m, n), out(memory.data() + 1, n, m);
    const Kokkos::View<char*, Kokkos::CudaSpace> scratch(
        "scratch", Keramos::transpose_in_place_workspace_size(own_instance(), in, out));
    return run([&](const auto& exec) {
      return Keramos::transpose_in_place(Keramos::dry_run(exec), in, out, Workspace{scratch});
    });
  };
  EXPECT_EQ(way(2, 3).variant, "through scratch");
  EXPECT_EQ(way(8192, 8191).variant, "through scratch");
  EXPECT_EQ(way(8192, 8193).backend, Backend::portable); // too large, and not on 4 bytes
}
#endif

/// Element (i, j) must come to place j * rows + i of the memory: the passes, followed back from there, lead to it. Walks along
/// rows agree with the maps.
TEST(InPlaceOblong, MapsBeyond32Bits)
{
  const std::int64_t large = std::int64_t{1} << 31;
  std::mt19937_64 engine(5);
  for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{{large + 7, large + 11},
                                                                                        {3'000'000'000, 1'500'000'000},
                                                                                        {large + 1, large - 1},
                                                                                        {7, 6 * large},
                                                                                        {5 * large, 3},
                                                                                        {97, 60},
                                                                                        {96, 60},
                                                                                        {45, 7000}}) {
    const Keramos::core::OblongMaps maps(rows, columns);
    for (int trial = 0; trial < 1000; ++trial) {
      const auto row = static_cast<std::int64_t>(engine() % rows);
      auto column = static_cast<std::int64_t>(engine() % columns);
      if (trial % 2) // where rows begin again
        column = std::clamp<std::int64_t>((rows - row) * maps.b - 20, 0, columns - 1);
      const std::int64_t place = row * columns + column, i = place % rows, j = place / rows;
      const std::int64_t between = maps.shuffled_row(row, column);
      ASSERT_EQ(maps.shuffled_column(between, j), column) << rows << " x " << columns;
      ASSERT_EQ(maps.rotated(between, j), i) << rows << " x " << columns;
      Keramos::core::RotatedRow rotated(maps, row, column);
      Keramos::core::ShuffledColumn shuffled(maps, row, column);
      Keramos::core::ShuffledRow gathered(maps, row, column);
      for (std::int64_t next = column; next < std::min(columns, column + 70); ++next) {
        ASSERT_EQ(*rotated, maps.rotated(row, next));
        ASSERT_EQ(*shuffled, maps.shuffled_column(row, next));
        ASSERT_EQ(*gathered, maps.shuffled_row(row, next));
        rotated.next();
        shuffled.next();
        gathered.next();
      }
    }
  }
}

/// Tasks of any number of threads in any order: the first or the last one begins. Each size has shapes with rows left over and
/// without, of one band and of many, whose cycles are short or long.
template <class T>
void check_job(std::int64_t rows, std::int64_t columns, int threads, bool backwards)
{
  using Keramos::openmp::transpose::OblongJob;
  OblongJob job(rows, columns, sizeof(T), threads);
  std::vector<T> matrix(rows * columns);
  for (std::size_t at = 0; at < matrix.size(); ++at) matrix[at] = item<sizeof(T)>(static_cast<std::int64_t>(at));
  constexpr std::size_t guard = 8; // the scratch begins on no line
  std::vector<std::uint64_t> scratch((job.scratch_bytes() + 7) / 8 + 2 * guard, 0x5A5A5A5A5A5A5A5Aull);
  auto* const bytes = reinterpret_cast<unsigned char*>(scratch.data() + guard);
  job.use(matrix.data(), bytes);
  const auto all = [&](std::int64_t tasks, const auto& task) {
    for (std::int64_t t = 0; t < tasks; ++t) task(backwards ? tasks - 1 - t : t);
  };
  const auto cycles = [&] {
    if (!job.has_cycles()) return;
    job.cycles().mark();
    all(job.cycles().cuts(), [&](std::int64_t cut) { job.cycles().save(cut); });
    all(job.cycles().tasks(), [&](std::int64_t task) { job.cycles().walk(task); });
  };
  if (!job.tall()) cycles();
  for (std::int64_t step = 0; step < job.steps(); ++step)
    all(job.tasks(step), [&](std::int64_t task) { job.move(step, task); });
  if (job.tall()) cycles();

  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) wrong += !(matrix[j * rows + i] == item<sizeof(T)>(i * columns + j));
  EXPECT_EQ(wrong, 0) << rows << " x " << columns << ", " << sizeof(T) << " bytes, " << threads << " threads";
  const auto untouched = [&](std::size_t begin, std::size_t end) {
    const auto* const byte = reinterpret_cast<const unsigned char*>(scratch.data());
    return std::all_of(byte + begin, byte + end, [](unsigned char b) { return b == 0x5A; });
  };
  EXPECT_TRUE(untouched(0, 8 * guard));
  EXPECT_TRUE(untouched(8 * guard + job.scratch_bytes(), 8 * scratch.size()));
}

TEST(InPlaceOblong, AnyNumberOfWorkersInAnyOrder)
{
  for_each_size([](auto size) {
    for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1021, 251}, {1024, 256}, {256, 1024}, {251, 1021}, {4099, 3}, {3, 4099}, {640, 640}, {65, 64}, {2, 2}})
      for (const int threads : {1, 2, 3, 16})
        for (const bool backwards : {false, true}) check_job<Item<size>>(rows, columns, threads, backwards);
  });
}

/// Grids of which every cycle has two runs, or three: the queue of hops takes more of them than it can keep runs aside for.
TEST(InPlaceOblong, ManyShortCyclesInOneQueue)
{
  using namespace Keramos::openmp::transpose;
  constexpr std::int64_t run = 64, runs = 4096;
  for (const std::int64_t rows : {64, 16})
    for (const bool streaming : {false, true}) {
      const RunGrid grid{rows, runs / rows, 0, 0, runs, run, 0, nullptr};
      RunCycles cycles(grid, 1, streaming);
      std::vector<Item<16>> data(runs * run / 16), before(data.size());
      for (std::size_t at = 0; at < data.size(); ++at) before[at] = data[at] = item<16>(static_cast<std::int64_t>(at));
      std::vector<std::uint64_t> scratch((cycles.scratch_bytes() + 7) / 8);
      cycles.use(reinterpret_cast<unsigned char*>(data.data()), reinterpret_cast<unsigned char*>(scratch.data()));
      cycles.mark();
      for (std::int64_t cut = 0; cut < cycles.cuts(); ++cut) cycles.save(cut);
      for (std::int64_t task = 0; task < cycles.tasks(); ++task) cycles.walk(task);
      std::int64_t wrong = 0;
      for (std::int64_t slot = 0; slot < runs; ++slot)
        wrong += std::memcmp(&data[slot * run / 16], &before[grid.source(slot) * run / 16], run) != 0;
      EXPECT_EQ(wrong, 0) << rows << " rows, " << (streaming ? "streaming" : "in the caches");
    }
}

/// What transpose_in_place_workspace_size documents. A band is 16 MiB, or a line of memory for each element of the shorter side; what is
/// left over is no more, and several bands are an eighth of the matrix.
TEST(InPlaceOblong, ScratchOfBandsIsBounded)
{
  using Keramos::openmp::transpose::OblongJob;
  for (const int size : {1, 2, 4, 8, 16})
    for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{{10007, 8009},
                                                                                          {100'000'000, 3},
                                                                                          {3, 100'000'000},
                                                                                          {400'000, 500'000},
                                                                                          {268'000, 256'175},
                                                                                          {1007, 1568},
                                                                                          {45261, 140},
                                                                                          {35, 133'028}})
      for (const int threads : {1, 2, 64, 128}) {
        const std::int64_t shorter = std::min(rows, columns), whole = rows * columns * size;
        const std::int64_t two = 2 * std::max<std::int64_t>(16 << 20, 64 * shorter);
        const std::int64_t of_threads = threads * std::int64_t{(4 << 20) + (32 << 10)};
        const auto bytes = static_cast<std::int64_t>(OblongJob(rows, columns, size, threads).scratch_bytes());
        EXPECT_LE(bytes, two + of_threads + whole / 256) << rows << " x " << columns << ", " << size << " bytes";
        const bool waits_in_bands = whole >= 4 << 20; // smaller ones wait as a whole
        EXPECT_TRUE(!waits_in_bands || bytes <= whole / 4) << rows << " x " << columns << ", " << size << " bytes";
      }
}

/// O(m + n) elements for a line, an eighth of the matrix for several.
TEST(InPlaceOblong, ScratchOfShufflesIsBounded)
{
  for (const std::int64_t size : {1, 2, 4, 8, 16})
    for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {10007, 8009}, {100'000'000, 3}, {3, 100'000'000}, {40000, 50000}, {2, 3}}) {
      const Keramos::core::OblongSlots slots(rows, columns, size);
      const std::int64_t line = std::max({std::max(rows, columns) * size, std::min<std::int64_t>(rows * 64, 4 << 20)});
      EXPECT_LE(slots.bytes, line + 64) << rows << " x " << columns;
      for (const int threads : {0, 1, 2, 128}) {
        EXPECT_GE(slots.wanted(threads), 1);
        EXPECT_LE(slots.wanted(threads) * slots.bytes, std::max(slots.bytes, rows * columns * size / 8));
      }
    }
}

TEST(InPlaceOblong, DryRunWritesNothing)
{
  const Matrix<float, Kokkos::LayoutRight> in("in", 3, 5), out(in.data(), 5, 3);
  const Kokkos::View<char*, Shared> scratch("scratch", 4096);
  in(0, 1) = 7;
  const auto call = [&](const auto& exec) { return Keramos::transpose_in_place(exec, in, out, Workspace{scratch}); };
  const auto dry = run([&](const auto& exec) { return call(Keramos::dry_run(exec)); });
  EXPECT_EQ(in(0, 1), 7);
  EXPECT_EQ(run(call), dry);
  EXPECT_EQ(in(0, 3), 7);
}

TEST(InPlaceOblong, Errors)
{
  using Right = Kokkos::View<double**, Kokkos::LayoutRight, Host>;
  const Right in("in", 6, 9), out(in.data(), 9, 6);
  const Kokkos::View<double*, Host> scratch("scratch", 1000);
  const std::string head = "Keramos::transpose_in_place: argument ";
  const auto says = [&](const auto& from, const auto& to, const auto& workspace) {
    return message([&] { Keramos::transpose_in_place(Host(), from, to, Workspace{workspace}); });
  };
  EXPECT_EQ(says(in, out, scratch), "no error");
  EXPECT_EQ(says(in, in, scratch), head + "'out': expected extents (9, 6), got (6, 9)");
  EXPECT_EQ(says(in, Right("other", 9, 6), scratch),
            head + "'out': expected the memory of 'in', from the same element on, got another address");
  const Kokkos::View<double**, Kokkos::LayoutLeft, Host> left(in.data(), 9, 6);
  const std::string layouts =
      "'out': expected in and out without gaps and both of LayoutRight or both of LayoutLeft, got ";
  EXPECT_EQ(says(in, left, scratch), head + layouts + "strides (9, 1) and (1, 9)");
  const Right wide("wide", 12, 12);
  const auto part = Kokkos::subview(wide, Kokkos::make_pair(0, 6), Kokkos::make_pair(0, 9));
  const auto turned = Kokkos::subview(wide, Kokkos::make_pair(0, 9), Kokkos::make_pair(0, 6));
  EXPECT_EQ(says(part, turned, scratch), head + layouts + "strides (12, 1) and (12, 1)");

  const std::size_t bytes = Keramos::transpose_in_place_workspace_size(Host(), in, out);
  EXPECT_EQ(says(in, out, Kokkos::View<char*, Host>("small", bytes - 1)),
            head + "'workspace': expected at least " + std::to_string(bytes) +
                " bytes, as transpose_in_place_workspace_size tells, got " + std::to_string(bytes - 1));
  EXPECT_EQ(says(in, out, Kokkos::subview(scratch, Kokkos::make_pair(0, 999))), "no error");
  const Kokkos::View<double*, Host> itself(in.data() + 53, 1);
  EXPECT_EQ(says(in, out, itself),
            head + "'workspace': expected no element in common with 'in', got Views that overlap in memory");
  const Kokkos::View<char*, Host> odd(reinterpret_cast<char*>(scratch.data()) + 1, 4096);
  EXPECT_EQ(says(in, out, odd), head + "'workspace': expected memory aligned to 8 bytes, got another address");
  const Kokkos::View<double**, Kokkos::LayoutStride, Host> gaps(scratch.data(), Kokkos::LayoutStride(20, 2, 20, 40));
  EXPECT_EQ(says(in, out, gaps), head + "'workspace': expected contiguous memory, got strides with gaps");
  EXPECT_EQ(message([&] { Keramos::transpose_in_place_workspace_size(Host(), in, in); }),
            head + "'out': expected extents (9, 6), got (6, 9)");
}

} // namespace
