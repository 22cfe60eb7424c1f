// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices that are not square, in place on a GPU that is not here: the steps of a call, with loops in the place of moves, and the warps that
// walk along cycles, lane by lane.
#include "../backends/cuda/transpose/CellCycles.hpp"
#include "../backends/cuda/transpose/OblongSteps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace Keramos::cuda::transpose;
namespace core = Keramos::core;

/// What becomes of elements of `size` bytes, and moves that read before what is in front of them has ended, though it writes there.
struct Loops {
  int size;
  const char *written = nullptr, *written_end = nullptr; ///< by the step before
  int too_early = 0;

  void move(const core::MoveAxes& axes, const char* in, char* out, bool reads_early)
  {
    const core::MoveAxis last = axes.offset(axes.size() - 1);
    too_early += reads_early && in < written_end && written < in + (last.in + 1) * size;
    written = out;
    written_end = out + (last.out + 1) * size;
    for (std::int64_t n = 0; n < axes.size(); ++n) {
      const core::MoveAxis at = axes.offset(n);
      std::memcpy(out + at.out * size, in + at.in * size, size);
    }
  }
};

/// walk(), with all lanes in step.
template <class Lane>
void walk_on_host(const CellCyclesJob& job, char* data, unsigned first)
{
  for (unsigned warp = 0; warp < job.warps; ++warp) {
    const CellPiece piece(job, warp);
    const auto at = [&](unsigned cell) { return data + job.offset(cell) + piece.offset; };
    std::array<Lane, 32> held, moved;
    const auto for_lanes = [](const auto& f) {
      for (int lane = 0; lane < 32; ++lane) f(lane);
    };
    for_lanes([&](int lane) { held[lane].load(at(first), at(job.grid.to(first)), piece.bytes, lane); });
    unsigned cell = first;
    for (unsigned next = job.grid.from(cell); next != first; cell = next, next = job.grid.from(next)) {
      for_lanes([&](int lane) { moved[lane].load(at(next), at(cell), piece.bytes, lane); });
      for_lanes([&](int lane) { moved[lane].store(at(cell), piece.bytes, lane); });
    }
    for_lanes([&](int lane) { held[lane].store(at(cell), piece.bytes, lane); });
  }
}

/// Between bytes that nobody writes to, the data `behind` bytes behind a line; a byte of an element is told by its place and number.
struct Trial {
  std::int64_t rows, columns;
  int size, behind = 0;

  static constexpr std::int64_t guard = 128;
  char byte(std::int64_t row, std::int64_t column, int b) const
  {
    std::uint64_t x = static_cast<std::uint64_t>((row * columns + column) * 16 + b) * 0x9E3779B97F4A7C15ull;
    return static_cast<char>(x >> 40 ^ x >> 56);
  }
};

/// The steps of a call, in loops.
void take_steps(const OblongCut& cut, Loops& loops, char* data, char* scratch)
{
  const auto move = [&](const core::MoveAxes& axes, const char* in, char* out, bool reads_early) {
    loops.move(axes, in, out, reads_early);
  };
  char* const cells = data + cut.place(0) * cut.size;
  const auto trade = [&] {
    const CellCyclesJob job = cycles_job(cut, cells);
    for_each_cycle(job.grid, [&](unsigned first) {
      job.by_vectors ? walk_on_host<CellVectors>(job, cells, first) : walk_on_host<CellWords>(job, cells, first);
    });
    loops.written = data;
    loops.written_end = data + cut.longer * cut.shorter * cut.size;
  };
  const OblongSteps steps(cut, data, scratch, move, trade);
  cut.is_high ? steps.high() : steps.wide();
}
void take_steps(const OblongWhole& whole, Loops& loops, char* data, char* scratch)
{
  steps_through_scratch(whole, data, scratch, [&](const core::MoveAxes& axes, const char* in, char* out, bool early) {
    loops.move(axes, in, out, early);
  });
}

/// Bytes that are not as they should be, of all, and steps that read too early; -1: does not go that way.
std::int64_t wrong_bytes(const Trial& trial, bool by_cells)
{
  const std::int64_t bytes = trial.rows * trial.columns * trial.size, guard = Trial::guard;
  std::vector<char> memory(bytes + 3 * guard, 0x5A);
  const auto line_of = [](char* p) { return p + (-reinterpret_cast<std::uintptr_t>(p) % guard); };
  char* const data = line_of(memory.data()) + trial.behind;
  std::optional<OblongWay> way = OblongWhole{trial.rows, trial.columns, trial.size};
  if (by_cells) way = cut_oblong(trial.rows, trial.columns, trial.size, data);
  if (!way) return -1;
  std::vector<char> scratch(scratch_bytes(*way) + 2 * guard, 0x5A);
  const std::int64_t in_front = data - memory.data();
  for (std::int64_t n = 0; n < bytes; ++n) {
    const std::int64_t element = n / trial.size;
    data[n] = trial.byte(element / trial.columns, element % trial.columns, static_cast<int>(n % trial.size));
  }
  Loops loops{trial.size};
  std::visit([&](const auto& its) { take_steps(its, loops, data, scratch.data() + guard); }, *way);

  std::int64_t wrong = loops.too_early;
  for (std::int64_t n = 0; n < bytes; ++n) {
    const std::int64_t element = n / trial.size, row = element % trial.rows, column = element / trial.rows;
    wrong += data[n] != trial.byte(row, column, static_cast<int>(n % trial.size));
  }
  for (std::int64_t n = 0; n < in_front; ++n) wrong += memory[n] != 0x5A;
  for (std::int64_t n = in_front + bytes; n < std::int64_t(memory.size()); ++n) wrong += memory[n] != 0x5A;
  for (std::int64_t n = 0; n < guard; ++n) wrong += (scratch[n] != 0x5A) + (scratch[scratch.size() - 1 - n] != 0x5A);
  return wrong;
}

/// Primes, near squares, narrow ones; cells of many rows and of one, which vectors divide and which begin anywhere.
TEST(DeviceOblong, EveryElementComesToItsPlace)
{
  for (const int size : {1, 2, 4, 8, 16})
    for (const auto& [longer, shorter] : std::vector<std::pair<std::int64_t, std::int64_t>>{{521, 509},
                                                                                            {512, 511},
                                                                                            {384, 256},
                                                                                            {1021, 131},
                                                                                            {4099, 17},
                                                                                            {8192, 64},
                                                                                            {2048, 40},
                                                                                            {30011, 3},
                                                                                            {65537, 2},
                                                                                            {20000, 5},
                                                                                            {3, 2},
                                                                                            {100, 1}})
      for (const int behind : {0, size < 4 ? 4 : size}) {
        for (const auto& [rows, columns] : {std::pair(longer, shorter), {shorter, longer}}) {
          const bool is_small = longer * size < 1 << 10 || rows * columns * size < 64 << 10; // and may go another way
          EXPECT_EQ(wrong_bytes({rows, columns, size, behind}, false), 0);
          const std::int64_t wrong = wrong_bytes({rows, columns, size, behind}, true);
          EXPECT_TRUE(wrong == 0 || (is_small && wrong == -1)) << wrong << " of " << rows << " x " << columns << ", "
                                                               << size << " bytes, " << behind << " behind a line";
        }
      }
}

/// A cell is the source of one cell, and all are in one cycle each.
TEST(DeviceOblong, CyclesHaveAllCells)
{
  for (const bool is_high : {true, false})
    for (const auto& [rows, columns, shift] : {std::array{19, 19, 1},
                                               {3, 24, 1},
                                               {2, 48, 1},
                                               {100, 100, 8},
                                               {53, 53, 3},
                                               {2, 2, 1},
                                               {7, 7, 6},
                                               {6, 6, 2},
                                               {8, 8, 4}}) {
      const CellGrid grid{Keramos::cuda::block_divisor(rows), Keramos::cuda::block_divisor(columns),
                          static_cast<unsigned>(shift), is_high};
      std::vector<int> seen(grid.count());
      for_each_cycle(grid, [&](unsigned first) {
        unsigned cell = first;
        do {
          ++seen[cell];
          EXPECT_EQ(grid.to(grid.from(cell)), cell);
          cell = grid.from(cell);
        } while (cell != first);
      });
      for (unsigned cell = 0; cell < grid.count(); ++cell) EXPECT_EQ(seen[cell], grid.from(cell) == cell ? 0 : 1);
    }
}

/// The last of the small ones and the first of the others, in scratch of what transpose_in_place_workspace_size documents.
TEST(DeviceOblong, SmallMatricesWaitAsAWhole)
{
  alignas(16) char data[16];
  for (const int size : {1, 2, 4, 8, 16}) {
    const std::int64_t rows = 8192, columns = 8192 / size; // 64 MiB
    const auto small = oblong_way(rows, columns, size, data), smallest = oblong_way(2, 3, size, data + 1);
    ASSERT_TRUE(small && smallest && std::holds_alternative<OblongWhole>(*small)) << size << " bytes";
    EXPECT_TRUE(std::holds_alternative<OblongWhole>(*smallest)) << size << " bytes";
    EXPECT_EQ(scratch_bytes(*small), (64 << 20) + 256);
    EXPECT_EQ(scratch_bytes(*smallest), 6 * size + 256);
    const auto large = oblong_way(rows + 1, columns, size, data);
    ASSERT_TRUE(large && std::holds_alternative<OblongCut>(*large)) << size << " bytes";
    EXPECT_LE(scratch_bytes(*large), (rows + 1) * columns * size / 8);
    EXPECT_FALSE(oblong_way(rows + 1, columns, size, data + 1)); // on a byte
  }
}

/// Large sides have a cut, whose parts of scratch are as much as the call asks for; no band is overwritten before it is read, and the last
/// cell ends within the matrix.
TEST(DeviceOblong, LargeMatricesAreCut)
{
  for (const int size : {1, 2, 4, 8, 16})
    for (const auto& [longer, shorter] : std::vector<std::pair<std::int64_t, std::int64_t>>{{15013, 10001},
                                                                                            {9011, 8005},
                                                                                            {66666666, 3},
                                                                                            {1000000, 100},
                                                                                            {100003, 1009},
                                                                                            {40009, 39989},
                                                                                            {400009, 40009}}) {
      const auto cut = cut_oblong(longer, shorter, size, nullptr);
      ASSERT_TRUE(cut) << longer << " x " << shorter << ", " << size << " bytes";
      const std::int64_t bytes = longer * shorter * size, waiting = cut->at_once * cut->band_elements() * size;
      EXPECT_LE(scratch_alignment + cut->waiting_begin() + waiting, cut->scratch_bytes);
      EXPECT_LE(cut->scratch_bytes, std::min(bytes / 8, std::max<std::int64_t>(64 << 20, bytes / 64)));
      EXPECT_EQ(cut->bands * cut->run + cut->rest, longer);
      EXPECT_EQ(cut->cell_rows * cut->cell_height + cut->lead, shorter);
      EXPECT_EQ(cut->bands % cut->cell_rows, 0);
      EXPECT_TRUE(cut->at_once == 1 || cut->bands == cut->cell_rows);
      for (std::int64_t p = 0; p < cut->bands; ++p) EXPECT_GE(cut->place(p), p * cut->band_elements());
      EXPECT_GE(cut->run * size, 512) << longer << " x " << shorter << ", " << size << " bytes";
    }
}

} // namespace
