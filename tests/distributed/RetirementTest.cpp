// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of memory that ranks write for each other: it is freed when no rank uses it any more, on all at once, and not before.
#include "../../src/keramos/distributed/transports/SharedMemory.hpp"

#include "Loopback.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace {

using Keramos::core::Communicator;
using Keramos::core::Retirement;

struct Life {
  int settled = 0;
  bool ended = false;
};

/// Tells when it is settled and when it ends.
class Memory final : public Keramos::core::SharedMemory {
public:
  explicit Memory(std::shared_ptr<Life> life) : life_(std::move(life)) {}
  ~Memory() override { life_->ended = true; }
  std::byte* of(int) const override { return nullptr; }
  void settle() const override { ++life_->settled; }

private:
  std::shared_ptr<Life> life_;
};

/// Pieces of memory in the order in which all ranks have made them, each with one user.
struct Pieces {
  std::vector<std::shared_ptr<Life>> lives;
  std::vector<std::shared_ptr<Memory>> users;

  Pieces(Retirement& retirement, int count)
  {
    for (int n = 0; n < count; ++n) {
      lives.push_back(std::make_shared<Life>());
      users.push_back(std::make_shared<Memory>(lives.back()));
      retirement.add(users.back());
    }
  }
  bool ended(std::size_t n) const { return lives[n]->ended; }
  int settled(std::size_t n) const { return lives[n]->settled; }
  int number_ended() const
  {
    int count = 0;
    for (const auto& life : lives) count += life->ended;
    return count;
  }
};

/// Counts the ranks that have let go of it; all have when one frees it.
class Shared final : public Keramos::core::SharedMemory {
public:
  explicit Shared(std::atomic<int>& let_go) : let_go_(let_go) {}
  ~Shared() override { EXPECT_EQ(let_go_.load(), 3); }
  std::byte* of(int) const override { return nullptr; }
  void disconnect() override { ++let_go_; }

private:
  std::atomic<int>& let_go_;
};

TEST(Retirement, AllRanksLetGoBeforeOneFrees)
{
  std::atomic<int> let_go = 0;
  test::on_ranks(3, 1, [&](const std::shared_ptr<Communicator>& ranks) {
    Retirement retirement;
    retirement.add(std::make_shared<Shared>(let_go));
    retirement.collect(*ranks);
  });
  EXPECT_EQ(let_go.load(), 3);
}

/// Of four pieces the first is used by nobody, the second by all ranks but the last, the third by the last, the fourth by all.
TEST(Retirement, FreesWhatNoRankUses)
{
  test::on_ranks(3, 1, [](const std::shared_ptr<Communicator>& ranks) {
    Retirement retirement;
    Pieces pieces(retirement, 4);
    const bool is_last = ranks->rank() == 2;
    pieces.users[0].reset();
    pieces.users[is_last ? 1 : 2].reset();
    retirement.collect(*ranks);
    EXPECT_TRUE(pieces.ended(0));
    EXPECT_EQ(pieces.settled(0), 1);
    EXPECT_EQ(pieces.number_ended(), 1);
    EXPECT_EQ(pieces.settled(3), 0); // in use
    pieces.users[is_last ? 2 : 1].reset();
    retirement.collect(*ranks);
    EXPECT_TRUE(pieces.ended(1) && pieces.ended(2));
    EXPECT_FALSE(pieces.ended(3));
  });
}

/// Ranks tell each other of a few at a time; what they have left of one must not be taken for another.
TEST(Retirement, FreesManyByAndBy)
{
  test::on_ranks(3, 1, [](const std::shared_ptr<Communicator>& ranks) {
    constexpr int count = 40;
    Retirement retirement;
    Pieces pieces(retirement, count);
    const auto used_by = [&](int n) { return n % 4 == 3 && n / 4 % 3 == ranks->rank(); };
    for (int n = 0; n < count; ++n)
      if (!used_by(n)) pieces.users[static_cast<std::size_t>(n)].reset();
    for (int time = 0; time < count; ++time) retirement.collect(*ranks);
    for (int n = 0; n < count; ++n) EXPECT_EQ(pieces.ended(static_cast<std::size_t>(n)), n % 4 != 3) << n;
    pieces.users.clear();
    for (int time = 0; time < count; ++time) retirement.collect(*ranks);
    EXPECT_EQ(pieces.number_ended(), count);
  });
}

/// All at once, however many there are; one is still used, by one rank alone.
TEST(Retirement, FinishesWithTheGroup)
{
  test::on_ranks(3, 1, [](const std::shared_ptr<Communicator>& ranks) {
    constexpr int count = 40, used = 33;
    std::vector<std::shared_ptr<Life>> lives;
    std::shared_ptr<Memory> user;
    {
      Retirement retirement;
      Pieces pieces(retirement, count);
      lives = pieces.lives;
      if (ranks->rank() == 1) user = pieces.users[used];
      pieces.users.clear();
      retirement.finish(*ranks);
      for (int n = 0; n < count; ++n) EXPECT_EQ(pieces.ended(static_cast<std::size_t>(n)), n != used) << n;
    }
    EXPECT_FALSE(lives[used]->ended);
  });
}

TEST(Retirement, LeavesWhatItCannotAskFor)
{
  std::vector<std::shared_ptr<Life>> lives;
  {
    Retirement retirement;
    Pieces pieces(retirement, 2);
    lives = pieces.lives;
    retirement.leave();
  }
  EXPECT_FALSE(lives[0]->ended || lives[1]->ended);
}

} // namespace
