// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transport "mpi" between the ranks that mpiexec has started: what they agree on, and messages of all sizes, in pieces,
// of several channels and communicators at once. How it ends when a rank cannot go on: MpiEnds.cpp.
#include "../../src/Keramos_Distributed.hpp"
#include "../../src/keramos/core/Error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern std::atomic<long> allocations; // Allocations.cpp

namespace {

using Keramos::Transport;
using Keramos::core::Channel;
using Keramos::core::Communicator;
using Keramos::core::Message;
using Keramos::core::MpiCommunicator;
using testing::HasSubstr;

/// How many bytes a rank sends another.
using Bytes = std::function<std::size_t(int from, int to)>;

const Keramos::core::Queue& host_queue()
{
  static const Kokkos::Serial exec;
  static const Keramos::core::Queue queue(exec);
  return queue;
}

/// One channel with all that one rank sends and receives, in which every byte depends on its message and on the round.
class Traffic {
public:
  Traffic(Communicator& ranks, const Bytes& bytes) : me_(ranks.rank())
  {
    for (int other = 0; other < ranks.size(); ++other)
      if (other != me_) {
        sends_.push_back({other, bytes(me_, other)});
        receives_.insert(receives_.begin(), {other, bytes(other, me_)}); // in another order
      }
    channel_ = ranks.open(sends_, receives_);
  }

  Channel& channel() { return *channel_; }

  /// Buffers of the last round are overwritten first: afterwards a transport may fill them at any time.
  void pack(int round)
  {
    if (is_used_)
      for (std::size_t i = 0; i < receives_.size(); ++i)
        std::memset(const_cast<void*>(channel_->receive_buffer(i)), 0xee, receives_[i].bytes);
    is_used_ = true;
    channel_->release(host_queue());
    channel_->reserve(host_queue());
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      auto* buffer = static_cast<std::uint8_t*>(channel_->send_buffer(i));
      for (std::size_t at = 0; at < sends_[i].bytes; ++at) buffer[at] = value(round, me_, sends_[i].rank, at);
    }
  }

  /// Bytes that are not what they should be.
  std::size_t wrong(int round)
  {
    std::size_t count = 0;
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      const auto* buffer = static_cast<const std::uint8_t*>(channel_->receive_buffer(i));
      for (std::size_t at = 0; at < receives_[i].bytes; ++at)
        count += buffer[at] != value(round, receives_[i].rank, me_, at);
    }
    return count;
  }

  void exchange()
  {
    channel_->post(host_queue());
    channel_->progress();
    channel_->wait(host_queue());
  }

  void expect_rounds(int rounds)
  {
    for (int round = 0; round < rounds; ++round) {
      pack(round);
      exchange();
      EXPECT_EQ(wrong(round), 0u) << "round " << round;
    }
  }

  void expect_aligned()
  {
    for (std::size_t i = 0; i < sends_.size(); ++i) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(channel_->send_buffer(i)) % 16, 0u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(channel_->receive_buffer(i)) % 16, 0u);
    }
  }

private:
  static std::uint8_t value(int round, int from, int to, std::size_t at)
  {
    return static_cast<std::uint8_t>(round * 31 + from * 17 + to * 5 + static_cast<int>(at % 251));
  }

  int me_;
  std::vector<Message> sends_, receives_;
  std::unique_ptr<Channel> channel_;
  bool is_used_ = false;
};

/// Some have nothing to say to each other.
std::size_t uneven(int from, int to)
{
  return (from + 2 * to) % 3 == 0 ? 0 : static_cast<std::size_t>(4099 * from + 131 * to + 1);
}

std::string said(const std::function<void()>& call)
{
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(MpiCommunicator, IsTheGroup)
{
  int rank = -1, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MpiCommunicator ranks(MPI_COMM_WORLD);
  EXPECT_EQ(ranks.rank(), rank);
  EXPECT_EQ(ranks.size(), size);
  EXPECT_STREQ(ranks.transport(Keramos::core::Place::host), "mpi"); // as long as nothing is sent
}

TEST(MpiCommunicator, AllGather)
{
  for (const std::size_t piece : {MpiCommunicator::default_piece, std::size_t{5}}) {
    MpiCommunicator ranks(MPI_COMM_WORLD, Transport::mpi, piece);
    for (const std::size_t count : {0, 1, 3, 100}) {
      std::vector<int> mine(count), all(count * static_cast<std::size_t>(ranks.size()), -1);
      for (std::size_t i = 0; i < count; ++i) mine[i] = ranks.rank() * 1000 + static_cast<int>(i);
      ranks.all_gather(mine.data(), count * sizeof(int), all.data());
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(all[i], static_cast<int>(i / count) * 1000 + static_cast<int>(i % count));
    }
  }
}

TEST(MpiCommunicator, Broadcast)
{
  for (const std::size_t piece : {MpiCommunicator::default_piece, std::size_t{64}}) {
    MpiCommunicator ranks(MPI_COMM_WORLD, Transport::mpi, piece);
    for (int root = 0; root < ranks.size(); ++root)
      for (const std::size_t bytes : {0, 1, 63, 64, 65, 1000}) {
        const std::string sent(bytes, static_cast<char>('a' + root));
        std::string got = ranks.rank() == root ? sent : std::string(bytes, '?');
        ranks.broadcast(got.data(), bytes, root);
        EXPECT_EQ(got, sent);
      }
  }
}

TEST(MpiCommunicator, AllThrowWhatOneRankSays)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  EXPECT_NO_THROW(agree(ranks, [] {}));
  for (int wrong = 0; wrong < ranks.size(); ++wrong) {
    const auto check = [&] {
      if (ranks.rank() >= wrong) Keramos::core::fail("function", "argument", "this", std::to_string(ranks.rank()));
    };
    EXPECT_EQ(said([&] { agree(ranks, check); }),
              Keramos::core::text("Keramos::function: argument 'argument': expected this, got ", wrong, " (on rank ",
                                  wrong, " of ", ranks.size(), ")"));
  }
}

TEST(MpiCommunicator, Ring)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  Traffic ring(ranks, [&](int from, int to) { return (from + 1) % ranks.size() == to ? 1000 : 0; });
  ring.expect_rounds(100);
}

TEST(MpiCommunicator, AllToAllOfUnevenSizes)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  Traffic traffic(ranks, uneven);
  traffic.expect_aligned();
  traffic.expect_rounds(100);
}

TEST(MpiCommunicator, LongMessagesGoInPieces)
{
  MpiCommunicator ranks(MPI_COMM_WORLD, Transport::mpi, 7);
  for (const std::size_t bytes : {0, 1, 6, 7, 8, 14, 15, 1000})
    Traffic(ranks, [&](int, int) { return bytes; }).expect_rounds(5);
  MpiCommunicator large_pieces(MPI_COMM_WORLD, Transport::mpi,
                               100000); // sent when the other side has a receive, not before
  Traffic(large_pieces, [](int, int) { return 350001; }).expect_rounds(5);
}

TEST(MpiCommunicator, ProgressAloneCompletesAnExchange)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  Traffic traffic(ranks, [](int, int) { return 100000; });
  traffic.channel().wait(host_queue()); // nothing was posted
  traffic.channel().progress();
  traffic.pack(1);
  traffic.channel().post(host_queue());
  const double start = MPI_Wtime();
  while (traffic.wrong(1) > 0 && MPI_Wtime() < start + 60) traffic.channel().progress();
  EXPECT_EQ(traffic.wrong(1), 0u);
  traffic.channel().wait(host_queue());
  traffic.expect_rounds(2);
}

/// Between their begin and their end other exchanges begin and end, in another order on every rank.
TEST(MpiCommunicator, SeveralChannelsAtOnce)
{
  MpiCommunicator ranks(MPI_COMM_WORLD, Transport::automatic, 1000);
  Traffic a(ranks, uneven), b(ranks, [](int, int) { return 5000; }), c(ranks, [](int, int) { return 5000; });
  std::array<Traffic*, 3> order{&a, &b, &c};
  for (int turn = 0; turn < ranks.rank() % 3; ++turn) std::swap(order[0], order[turn + 1 < 3 ? turn + 1 : 2]);
  for (int round = 0; round < 20; ++round) {
    for (Traffic* traffic : {&a, &b, &c}) traffic->pack(round + (traffic == &b ? 1 : traffic == &c ? 2 : 0));
    for (Traffic* traffic : order) traffic->channel().post(host_queue());
    for (Traffic* traffic : order) traffic->channel().wait(host_queue());
    EXPECT_EQ(a.wrong(round) + b.wrong(round + 1) + c.wrong(round + 2), 0u) << "round " << round;
  }
}

TEST(MpiCommunicator, SplitAndSeveralGroupsAtOnce)
{
  MpiCommunicator world(MPI_COMM_WORLD), again(MPI_COMM_WORLD);
  MPI_Comm half_comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank() % 2, -world.rank(), &half_comm); // ranks in the opposite order
  auto half = std::make_unique<MpiCommunicator>(half_comm);
  MPI_Comm_free(&half_comm); // it has a duplicate of its own
  EXPECT_EQ(half->size(), (world.size() + (world.rank() % 2 == 0 ? 1 : 0)) / 2);
  Traffic a(world, uneven), b(again, uneven), c(*half, [](int, int) { return 777; });
  for (int round = 0; round < 20; ++round) {
    a.pack(round), b.pack(round + 1), c.pack(round + 2);
    const bool first = world.rank() % 2 == 0;
    (first ? a : b).channel().post(host_queue());
    c.channel().post(host_queue());
    (first ? b : a).channel().post(host_queue());
    c.channel().wait(host_queue());
    (first ? b : a).channel().wait(host_queue());
    (first ? a : b).channel().wait(host_queue());
    EXPECT_EQ(a.wrong(round) + b.wrong(round + 1) + c.wrong(round + 2), 0u) << "round " << round;
  }
  half.reset(); // the channel needs it no more
  c.expect_rounds(2);
}

/// A message of the application that nobody has received yet, with a tag that channels have as well.
TEST(MpiCommunicator, MeetsNoMessageOfTheApplication)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  const int next = (ranks.rank() + 1) % ranks.size(), previous = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const char sent = static_cast<char>(ranks.rank());
  char got = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&sent, 1, MPI_CHAR, next, 0, MPI_COMM_WORLD, &request);
  Traffic(ranks, [](int, int) { return 1; }).expect_rounds(3);
  MPI_Recv(&got, 1, MPI_CHAR, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(got, static_cast<char>(previous));
}

/// The first rank comes to the exchange when the second one, which waits there, has taken its message.
TEST(MpiCommunicator, LetsMessagesOfTheApplicationMoveWhileItWaits)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  if (ranks.size() < 2) return; // nobody to wait for
  Traffic traffic(ranks, [](int, int) { return 100; });
  traffic.pack(0);
  int sent = 17, got = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (ranks.rank() == 1) MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  if (ranks.rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200)); // the second one does wait
    MPI_Ssend(&sent, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  traffic.exchange();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(traffic.wrong(0), 0u);
  EXPECT_EQ(got, ranks.rank() == 1 ? sent : 0);
}

TEST(MpiCommunicator, AnExchangeAllocatesNothing)
{
  MpiCommunicator ranks(MPI_COMM_WORLD, Transport::automatic, 100);
  Traffic traffic(ranks, [](int, int) { return 1000; });
  for (int round = 0; round < 3; ++round) {
    traffic.pack(round);
    const long before = allocations;
    traffic.channel().post(host_queue());
    traffic.channel().progress();
    traffic.channel().wait(host_queue());
    EXPECT_EQ(allocations - before, 0);
  }
}

/// An exception may end an exchange between post() and wait(). Nobody waits then, and others go on.
TEST(MpiCommunicator, AChannelMayEndBeforeItsMessagesDo)
{
  MpiCommunicator ranks(MPI_COMM_WORLD);
  for (const std::size_t bytes : {10, 200000}) {
    {
      Traffic left(ranks, [&](int, int) { return bytes; });
      left.pack(0);
      left.channel().post(host_queue());
    }
    Traffic(ranks, [&](int, int) { return bytes; }).expect_rounds(3);
  }
}

TEST(MpiCommunicator, ErrorsOfMpiAreExceptions)
{
  MpiCommunicator ranks(MPI_COMM_WORLD, Transport::mpi);
  const int nobody = ranks.size();
  char byte = 0;
  EXPECT_THAT(said([&] { ranks.broadcast(&byte, 1, nobody); }), HasSubstr("Keramos: MPI_Bcast: MPI_ERR_ROOT"));
  EXPECT_THROW(ranks.open({{nobody, 1}}, {}), std::runtime_error);
  EXPECT_THROW(ranks.open({}, {{nobody, 1}}), std::runtime_error);
  Traffic(ranks, uneven).expect_rounds(1);
}

/// MPI itself counts the duplicates, and those that are freed.
TEST(MpiCommunicator, FreesItsDuplicate)
{
  struct Counts {
    int made = 0, freed = 0;
  } counts;
  const auto made = [](MPI_Comm, int, void*, void* value, void* copy, int* flag) {
    ++static_cast<Counts*>(value)->made;
    *static_cast<void**>(copy) = value;
    *flag = 1;
    return static_cast<int>(MPI_SUCCESS);
  };
  const auto freed = [](MPI_Comm, int, void* value, void*) {
    ++static_cast<Counts*>(value)->freed;
    return static_cast<int>(MPI_SUCCESS);
  };
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(made, freed, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &counts);
  {
    const auto ranks = std::make_unique<Keramos::Cartesian<2>>(MPI_COMM_WORLD, std::array<int, 2>{});
    const auto copy = *ranks;
    EXPECT_EQ(counts.made, 1);
    EXPECT_EQ(counts.freed, 0);
  }
  EXPECT_EQ(counts.freed, 1);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
}

TEST(MpiCommunicator, CartesianOfMpi)
{
  const Keramos::Cartesian<2> ranks(MPI_COMM_WORLD, {0, 1});
  EXPECT_EQ(ranks.shape(), (std::array<int, 2>{ranks.size(), 1}));
  EXPECT_THAT(said([&] {
                Keramos::Cartesian<2>(MPI_COMM_WORLD, {ranks.size() + 1, 0});
              }),
              HasSubstr("Keramos::Cartesian: argument 'shape': expected"));
}

/// Of machines with two ranks each, and one with a single rank where their number is odd. Within one machine there is a window,
/// and among several none: messages go by MPI.
TEST(MpiCommunicator, RanksOfSeveralMachinesSendByMpi)
{
  const char* const wish = std::getenv("KERAMOS_TRANSPORT");
  MpiCommunicator ranks(MPI_COMM_WORLD, Transport::mpi, 1000, 2);
  Traffic(ranks, uneven).expect_rounds(10);
  if (wish && std::string(wish) != "automatic") unsetenv("KERAMOS_TRANSPORT");
  MpiCommunicator unasked(MPI_COMM_WORLD, Transport::automatic, 1000, 2);
  if (wish) setenv("KERAMOS_TRANSPORT", wish, 1);
  Traffic(unasked, uneven).expect_rounds(10);
  EXPECT_STREQ(unasked.transport(Keramos::core::Place::host), ranks.size() > 2 ? "mpi" : "peer");
}

/// Ranks of several machines have no memory in common. Nobody is ended: all are told.
class SeveralMachines : public testing::TestWithParam<int> {};

TEST_P(SeveralMachines, RefuseATransportThatIsNotToBeHad)
{
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size <= GetParam()) return; // there is one machine
  const auto ranks = std::make_shared<MpiCommunicator>(MPI_COMM_WORLD, Transport::peer, 1 << 20, GetParam());
  const Keramos::Partition<1> cut(Keramos::Cartesian<1>(ranks, {0}), {40});
  const Kokkos::Serial exec;
  const Keramos::Distributed<Kokkos::View<float*, Kokkos::HostSpace>> u(exec, "u", cut, 1), v(exec, "v", cut);
  const char* const refused = "Keramos::Cartesian: argument 'transport': expected ranks of one machine, for peer";
  EXPECT_THAT(said([&] { Keramos::exchange_halo(exec, u, Keramos::periodic); }), HasSubstr(refused));
  EXPECT_THAT(said([&] { Keramos::copy(exec, u, v); }), HasSubstr(refused));
}
INSTANTIATE_TEST_SUITE_P(OfRanks, SeveralMachines, testing::Values(1, 2));

TEST(MpiCommunicator, RefusesUnknownAndDifferentTransports)
{
  const char* const before = std::getenv("KERAMOS_TRANSPORT");
  const std::string kept = before ? before : "";
  setenv("KERAMOS_TRANSPORT", "pigeon", 1);
  EXPECT_THAT(
      said([] { MpiCommunicator{MPI_COMM_WORLD}; }),
      HasSubstr("expected automatic, mpi, nccl or peer in the environment's KERAMOS_TRANSPORT, got 'pigeon' (on "
                "rank 0"));
  setenv("KERAMOS_TRANSPORT", kept.c_str(), 1);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) return; // there is no other one
  EXPECT_THAT(said([&] { MpiCommunicator(MPI_COMM_WORLD, rank == 0 ? Transport::mpi : Transport::peer); }),
              HasSubstr("argument 'transport': expected the same on all ranks, got different ones"));
}

TEST(MpiCommunicator, RefusesAnIntercommunicator)
{
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) return; // there are no two groups
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
  EXPECT_EQ(said([&] { MpiCommunicator{between}; }),
            "Keramos::Cartesian: argument 'comm': expected the communicator of one group, got an intercommunicator");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

} // namespace
