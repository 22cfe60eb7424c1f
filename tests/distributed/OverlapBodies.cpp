// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An epilogue notes when, by the clock of the GPU, some points were written, on all planes. A point of the boundary is computed
// when the messages are there:
//
//     interior waits for nobody     it is complete while the other ranks have not sent anything
//     messages travel beside it     the first point of the boundary is written before the last one of the interior
//
// Both are also asked of calls of which they are not true.
#include "OverlapBodies.hpp"

#include "../../src/Keramos_Distributed.hpp"
#include "HeldUp.hpp"
#include "RankSpace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <thread>
#include <vector>

namespace test {
namespace {

using Keramos::Overlap;
using View = Kokkos::View<float***, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using Times = Kokkos::View<std::uint64_t***, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>;

constexpr std::int64_t reach = 4;
constexpr std::int64_t side = 512; ///< of a plane
constexpr std::int64_t pitch = 64; ///< of the points whose times are noted

/// Nanoseconds, the same for all of a GPU; 0 on a host.
KOKKOS_INLINE_FUNCTION std::uint64_t time_now()
{
  std::uint64_t now = 0;
  KOKKOS_IF_ON_DEVICE((asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));))
  return now;
}

/// Notes the time and stores the value.
struct NoteTime {
  Times times;
  std::int64_t first; ///< plane of this rank

  KOKKOS_FUNCTION float operator()(float value, float, std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    if (j % pitch == 0 && k % pitch == 0) times(i - first, j / pitch, k / pitch) = time_now();
    return value;
  }
};

struct Span {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  bool complete = true; ///< all of its points are written
  bool begun() const { return last != 0; }
};

/// Fields in slabs along View index 0, whose ends do not meet, and when the points of this rank's slab were written.
class Slabs {
public:
  Slabs(const Ranks& ranks, std::int64_t planes)
      : ranks_(ranks), planes_(planes),
        cut_(Keramos::Cartesian<3>(ranks, {0, 1, 1}), {planes * ranks->size(), side, side}),
        in_(exec_, "in", cut_, Keramos::Halo<3>({reach, 0, 0})), out_(exec_, "out", cut_),
        times_("times", planes, side / pitch, side / pitch)
  {
    Kokkos::deep_copy(exec_, in_.local(), 1.0f);
  }

  const RankExec& exec() const { return exec_; }

  void forget()
  {
    exec_.fence();
    Kokkos::deep_copy(times_, 0);
    meet();
  }
  void meet() const
  {
    char mine = 0;
    std::vector<char> all(static_cast<std::size_t>(ranks_->size()));
    ranks_->all_gather(&mine, 1, all.data());
  }

  void step(Overlap overlap) const
  {
    Keramos::apply_stencil(exec_, op_, in_, out_, Keramos::constant(0), note(), overlap);
  }
  /// Exchange, interior and boundary one after the other.
  void step_in_sequence() const
  {
    Keramos::exchange_halo(exec_, in_, Keramos::constant(0));
    for (int rank = 0; rank < ranks_->size(); ++rank)
      compute(planes_ * rank + below(rank), planes_ * (rank + 1) - above(rank));
    for (int rank = 1; rank < ranks_->size(); ++rank) compute(planes_ * rank - reach, planes_ * rank + reach);
  }

  Span interior() const { return span(below(ranks_->rank()), planes_ - above(ranks_->rank())); }
  Span boundary() const
  {
    Span low = span(0, below(ranks_->rank())), high = span(planes_ - above(ranks_->rank()), planes_);
    return {std::min(low.first, high.first), std::max(low.last, high.last), low.complete && high.complete};
  }

private:
  NoteTime note() const { return {times_, planes_ * ranks_->rank()}; }
  /// Planes next to another rank's.
  static std::int64_t below(int rank) { return rank > 0 ? reach : 0; }
  std::int64_t above(int rank) const { return rank + 1 < ranks_->size() ? reach : 0; }

  /// Global planes, with the halo as it is.
  void compute(std::int64_t begin, std::int64_t end) const
  {
    Keramos::apply_stencil(exec_, op_, in_, out_, Keramos::constant(0), note(),
                           Keramos::Region<3>({begin, 0, 0}, {end, side, side}), Overlap::current);
  }

  /// Of own planes; the GPU may be writing meanwhile.
  Span span(std::int64_t begin, std::int64_t end) const
  {
    Span result;
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t j = 0; j < side / pitch; ++j)
        for (std::int64_t k = 0; k < side / pitch; ++k) {
          const std::uint64_t time = std::atomic_ref(times_(i, j, k)).load();
          if (time == 0) result.complete = false;
          if (time != 0) result.first = std::min(result.first, time);
          result.last = std::max(result.last, time);
        }
    return result;
  }

  Ranks ranks_;
  std::int64_t planes_; ///< of a rank
  RankExec exec_;
  Keramos::Partition<3> cut_;
  Keramos::Distributed<View> in_, out_;
  Times times_;
  decltype(Keramos::FiniteDifference::laplacian<3, 2 * reach>(1.0, 1.0, 1.0)) op_ =
      Keramos::FiniteDifference::laplacian<3, 2 * reach>(1.0, 1.0, 1.0);
};

/// Looks for a while.
bool becomes_complete(const Slabs& slabs, std::chrono::milliseconds patience)
{
  const auto end = std::chrono::steady_clock::now() + patience;
  bool complete = false;
  while (!(complete = slabs.interior().complete) && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return complete;
}

} // namespace

/// The streams of all ranks but the first are held up before they pack anything.
void the_interior_waits_for_no_message(const Ranks& ranks)
{
  Slabs slabs(ranks, 64);
  for (const Overlap overlap : {Overlap::on, Overlap::off}) {
    slabs.step(overlap); // the first call of a kind agrees on it
    slabs.forget();
    if (ranks->rank() == 0) {
      slabs.step(overlap);
      const bool overlaps = overlap == Overlap::on;
      EXPECT_EQ(becomes_complete(slabs, std::chrono::milliseconds(overlaps ? 10000 : 300)), overlaps);
      EXPECT_EQ(slabs.interior().begun(), overlaps);
      EXPECT_FALSE(slabs.boundary().begun());
      slabs.meet();
    } else {
      HeldUp held(slabs.exec());
      slabs.step(overlap);
      slabs.meet();
      EXPECT_TRUE(held.release()) << "rank " << ranks->rank() << " has waited for its own stream";
    }
    slabs.exec().fence();
    EXPECT_TRUE(slabs.interior().complete && slabs.boundary().complete) << "rank " << ranks->rank();
  }
}

/// Ranks never begin at quite the same time: of some tries one must show it. So many planes take milliseconds, and messages
/// of 4 MiB by MPI one.
void messages_travel_beside_the_interior(const Ranks& ranks)
{
  Slabs slabs(ranks, 4096);
  const auto times_beside = [&](const auto& step) {
    int beside = 0;
    for (int time = 0; time < 10; ++time) {
      step(); // with what it makes at its first call
      slabs.forget();
      step();
      slabs.exec().fence();
      if (slabs.boundary().first < slabs.interior().last) ++beside;
    }
    return beside;
  };
  const int beside = times_beside([&] { slabs.step(Overlap::on); });
  std::cerr << "rank " << ranks->rank() << ": the boundary began beside the interior " << beside << " times of 10\n";
  EXPECT_GT(beside, 0) << "rank " << ranks->rank();
  EXPECT_EQ(times_beside([&] { slabs.step_in_sequence(); }), 0) << "rank " << ranks->rank();
}

} // namespace test
