// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mpi.hpp"

#include "../../core/Error.hpp"
#include "../../core/Log.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace Keramos::core {
namespace {

void check(int code, const char* call)
{
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> said{};
  int length = 0;
  MPI_Error_string(code, said.data(), &length);
  throw std::runtime_error(text("Keramos: ", call, ": ", said.data()));
}

bool initialised()
{
  int flag = 0;
  MPI_Initialized(&flag);
  return flag != 0;
}

bool finalised()
{
  int flag = 0;
  MPI_Finalized(&flag);
  return flag != 0;
}

[[noreturn]] void refuse(const std::string& expected, const std::string& got)
{
  fail("Cartesian", "comm", expected, got);
}

/// What a rank finds out alone. The others are not asked: there is nothing to ask them by, or they find the same.
void check_usable(MPI_Comm comm)
{
  if (!initialised()) refuse("MPI to be initialised", "a call before MPI_Init_thread");
  if (finalised()) refuse("MPI to be initialised", "a call after MPI_Finalize");
  if (comm == MPI_COMM_NULL) refuse("a communicator that this process belongs to", "MPI_COMM_NULL");
  int between_groups = 0;
  check(MPI_Comm_test_inter(comm, &between_groups), "MPI_Comm_test_inter");
  if (between_groups) refuse("the communicator of one group", "an intercommunicator");
}

/// Only this thread calls MPI; Kokkos' own threads run beside it. Without any, every level serves.
void check_threads()
{
  int level = 0, is_main = 0;
  check(MPI_Query_thread(&level), "MPI_Query_thread");
  check(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
  const std::string space = Kokkos::DefaultHostExecutionSpace::name();
  if (level < MPI_THREAD_FUNNELED && space != "Serial")
    refuse(text("MPI_Init_thread with MPI_THREAD_FUNNELED at least, for Kokkos runs ", space), "MPI_THREAD_SINGLE");
  if (level < MPI_THREAD_SERIALIZED && !is_main)
    refuse("the thread that has initialised MPI, or MPI_THREAD_SERIALIZED", "another thread");
}

std::shared_ptr<const MPI_Comm> duplicate(MPI_Comm comm)
{
  const auto free = [](MPI_Comm* held) {
    if (*held != MPI_COMM_NULL && !finalised()) MPI_Comm_free(held);
    delete held;
  };
  const std::shared_ptr<MPI_Comm> own(new MPI_Comm(MPI_COMM_NULL), free);
  check(MPI_Comm_dup(comm, own.get()), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return own;
}

int number_of_tags(MPI_Comm comm)
{
  int* last = nullptr; // what the standard hands out
  int found = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, &last, &found), "MPI_Comm_get_attr");
  return found ? std::min(*last, 1 << 30) : 1 << 15;
}

/// f(begin, bytes as MPI counts them) for every piece of a message.
template <class F>
void for_each_piece(std::size_t bytes, std::size_t piece, const F& f)
{
  for (std::size_t begin = 0; begin < bytes; begin += piece) f(begin, static_cast<int>(std::min(piece, bytes - begin)));
}

/// The memory of all messages of one direction; each has cache lines of its own.
class Buffers {
public:
  explicit Buffers(const std::vector<Message>& messages)
  {
    std::size_t end = 0;
    for (const Message& message : messages) {
      begin_.push_back(end);
      end += (message.bytes + line - 1) / line * line;
    }
    memory_.reset(static_cast<std::byte*>(::operator new (end, std::align_val_t{line})));
  }

  std::byte* operator[](std::size_t message) const { return memory_.get() + begin_[message]; }
  /// Somebody else may still use it: it is never freed.
  void leave() { static_cast<void>(memory_.release()); }

private:
  static constexpr std::size_t line = 64;
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{line}); }
  };

  std::vector<std::size_t> begin_;
  std::unique_ptr<std::byte, Free> memory_;
};

/// Persistent requests, in the order in which they are started.
class Requests {
public:
  Requests() = default;
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  ~Requests()
  {
    if (finalised()) return;
    for (MPI_Request& request : requests_)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request); // the last is, where MPI has refused to make it
  }

  MPI_Request* add()
  {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }
  /// One after the other: MPI_Startall may take any order, and pieces of one message are told apart by theirs.
  void start()
  {
    for (MPI_Request& request : requests_) check(MPI_Start(&request), "MPI_Start");
  }
  bool test()
  {
    int done = 0;
    check(MPI_Testall(count(), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0;
  }
  void wait() { check(MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall"); }

private:
  int count() const { return static_cast<int>(requests_.size()); }

  std::vector<MPI_Request> requests_;
};

class MpiChannel final : public Channel {
public:
  MpiChannel(std::shared_ptr<const MPI_Comm> comm, int tag, std::size_t piece, const std::vector<Message>& sends,
             const std::vector<Message>& receives)
      : comm_(std::move(comm)), send_buffers_(sends), receive_buffers_(receives)
  {
    for (std::size_t i = 0; i < receives.size(); ++i)
      for_each_piece(receives[i].bytes, piece, [&](std::size_t begin, int bytes) {
        check(
            MPI_Recv_init(receive_buffers_[i] + begin, bytes, MPI_BYTE, receives[i].rank, tag, *comm_, requests_.add()),
            "MPI_Recv_init");
      });
    for (std::size_t i = 0; i < sends.size(); ++i)
      for_each_piece(sends[i].bytes, piece, [&](std::size_t begin, int bytes) {
        check(MPI_Send_init(send_buffers_[i] + begin, bytes, MPI_BYTE, sends[i].rank, tag, *comm_, requests_.add()),
              "MPI_Send_init");
      });
  }

  /// Never waits: where an exception leaves messages on their way, the others may never send theirs.
  ~MpiChannel() override
  {
    if (!posted_) return;
    send_buffers_.leave();
    receive_buffers_.leave();
  }

  void* send_buffer(std::size_t message) override { return send_buffers_[message]; }
  const void* receive_buffer(std::size_t message) override { return receive_buffers_[message]; }

  void post() override
  {
    posted_ = true;
    requests_.start();
  }
  void progress() override
  {
    if (posted_ && requests_.test()) posted_ = false;
  }
  void wait() override
  {
    if (posted_) requests_.wait();
    posted_ = false;
  }

private:
  std::shared_ptr<const MPI_Comm> comm_;
  Buffers send_buffers_, receive_buffers_;
  Requests requests_;
  bool posted_ = false; ///< and not yet known to be done
};

} // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm comm, std::size_t piece) : piece_(piece)
{
  check_usable(comm);
  comm_ = duplicate(comm);
  check(MPI_Comm_rank(*comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(*comm_, &size_), "MPI_Comm_size");
  tags_ = number_of_tags(*comm_);
  agree(*this, check_threads);
}

void MpiCommunicator::all_gather(const void* mine, std::size_t bytes, void* all)
{
  if (bytes <= piece_) {
    const int count = static_cast<int>(bytes);
    check(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, *comm_), "MPI_Allgather");
    return;
  }
  for (int from = 0; from < size_; ++from) {
    std::byte* part = static_cast<std::byte*>(all) + static_cast<std::size_t>(from) * bytes;
    if (from == rank_) std::memcpy(part, mine, bytes);
    broadcast(part, bytes, from);
  }
}

void MpiCommunicator::broadcast(void* data, std::size_t bytes, int root)
{
  for_each_piece(bytes, piece_, [&](std::size_t begin, int count) {
    check(MPI_Bcast(static_cast<std::byte*>(data) + begin, count, MPI_BYTE, root, *comm_), "MPI_Bcast");
  });
}

std::unique_ptr<Channel> MpiCommunicator::open(const std::vector<Message>& sends, const std::vector<Message>& receives)
{
  const int tag = next_tag_;
  next_tag_ = (next_tag_ + 1) % tags_;
  return std::make_unique<MpiChannel>(comm_, tag, piece_, sends, receives);
}

void MpiCommunicator::abort(const std::string& reason)
{
  write_line(text("Keramos: rank ", rank_, " of ", size_, " ends all: ", reason));
  if (!finalised()) MPI_Abort(*comm_, EXIT_FAILURE);
  std::abort();
}

std::shared_ptr<Communicator> mpi_communicator(MPI_Comm comm) { return std::make_shared<MpiCommunicator>(comm); }

} // namespace Keramos::core
