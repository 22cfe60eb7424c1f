// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mpi.hpp"

#include "../../core/Error.hpp"
#include "../../core/Log.hpp"
#include "MpiRequests.hpp"

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

bool initialised()
{
  int flag = 0;
  MPI_Initialized(&flag);
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
  if (is_mpi_finalised()) refuse("MPI to be initialised", "a call after MPI_Finalize");
  if (comm == MPI_COMM_NULL) refuse("a communicator that this process belongs to", "MPI_COMM_NULL");
  int between_groups = 0;
  require_mpi(MPI_Comm_test_inter(comm, &between_groups), "MPI_Comm_test_inter");
  if (between_groups) refuse("the communicator of one group", "an intercommunicator");
}

/// Only this thread calls MPI; Kokkos' own threads run beside it. Without any, every level serves.
void check_threads()
{
  int level = 0, is_main = 0;
  require_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  require_mpi(MPI_Is_thread_main(&is_main), "MPI_Is_thread_main");
  const std::string space = Kokkos::DefaultHostExecutionSpace::name();
  if (level < MPI_THREAD_FUNNELED && space != "Serial")
    refuse(text("MPI_Init_thread with MPI_THREAD_FUNNELED at least, for Kokkos runs ", space), "MPI_THREAD_SINGLE");
  if (level < MPI_THREAD_SERIALIZED && !is_main)
    refuse("the thread that has initialised MPI, or MPI_THREAD_SERIALIZED", "another thread");
}

std::shared_ptr<const MPI_Comm> duplicate(MPI_Comm comm)
{
  const auto free = [](MPI_Comm* held) {
    if (*held != MPI_COMM_NULL && !is_mpi_finalised()) MPI_Comm_free(held);
    delete held;
  };
  const std::shared_ptr<MPI_Comm> own(new MPI_Comm(MPI_COMM_NULL), free);
  require_mpi(MPI_Comm_dup(comm, own.get()), "MPI_Comm_dup");
  require_mpi(MPI_Comm_set_errhandler(*own, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return own;
}

int number_of_tags(MPI_Comm comm)
{
  int* last = nullptr; // what the standard hands out
  int found = 0;
  require_mpi(MPI_Comm_get_attr(comm, MPI_TAG_UB, &last, &found), "MPI_Comm_get_attr");
  return found ? std::min(*last, 1 << 30) : 1 << 15;
}

} // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm comm, Transport wish, std::size_t piece, int ranks_a_machine) : piece_(piece)
{
  check_usable(comm);
  comm_ = duplicate(comm);
  require_mpi(MPI_Comm_rank(*comm_, &rank_), "MPI_Comm_rank");
  require_mpi(MPI_Comm_size(*comm_, &size_), "MPI_Comm_size");
  tags_ = number_of_tags(*comm_);
  agree(*this, [&] {
    check_threads();
    wish = wished(wish);
  });
  const bool is_same = is_same_everywhere(*this, static_cast<std::uint64_t>(wish));
  agree(*this, [&] {
    if (!is_same) fail("Cartesian", "transport", "the same on all ranks", "different ones");
  });
  ways_.emplace(Ways::Group{this, comm_, wish, piece, ranks_a_machine});
}

void MpiCommunicator::all_gather(const void* mine, std::size_t bytes, void* all)
{
  if (bytes <= piece_) {
    const int count = static_cast<int>(bytes);
    require_mpi(MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, *comm_), "MPI_Allgather");
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
    require_mpi(MPI_Bcast(static_cast<std::byte*>(data) + begin, count, MPI_BYTE, root, *comm_), "MPI_Bcast");
  });
}

std::unique_ptr<Channel> MpiCommunicator::open(const std::vector<Message>& sends, const std::vector<Message>& receives,
                                               Place place, bool beside)
{
  const int tag = next_tag_;
  next_tag_ = (next_tag_ + 1) % tags_;
  return ways_->open(sends, receives, place, beside, tag);
}

void MpiCommunicator::abort(const std::string& reason)
{
  write_line(text("Keramos: rank ", rank_, " of ", size_, " ends all: ", reason));
  if (!is_mpi_finalised()) MPI_Abort(*comm_, EXIT_FAILURE);
  std::abort();
}

std::shared_ptr<Communicator> mpi_communicator(MPI_Comm comm, Transport wish)
{
  return std::make_shared<MpiCommunicator>(comm, wish);
}

} // namespace Keramos::core
