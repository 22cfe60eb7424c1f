// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ways.hpp"

#include "../../core/Error.hpp"
#include "../../core/Log.hpp"
#include "MpiRequests.hpp"
#include "Peer.hpp"

#include <Kokkos_Core.hpp>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace Keramos::core {
namespace {

/// Only where MPI itself says so: a device pointer ends others in a segmentation fault.
bool mpi_takes_device_pointers()
{
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

[[noreturn]] void refuse(const std::string& expected, const std::string& got)
{
  fail("Cartesian", "transport", expected, got);
}

} // namespace

Transport wished(Transport of_application)
{
  if (of_application != Transport::automatic) return of_application;
  const char* variable = std::getenv("KERAMOS_TRANSPORT");
  const std::string_view word = variable ? variable : "";
  if (word.empty() || word == "automatic") return Transport::automatic;
  if (word == "mpi") return Transport::mpi;
  if (word == "nccl") return Transport::nccl;
  if (word == "peer") return Transport::peer;
  refuse("automatic, mpi, nccl or peer in the environment's KERAMOS_TRANSPORT", text("'", word, "'"));
}

Ways::Ways(const Group& group) : group_(group)
{
  MPI_Comm node = MPI_COMM_NULL;
  const int rank = group_.ranks->rank();
  if (group_.ranks_a_machine > 0)
    require_mpi(MPI_Comm_split(*group_.comm, rank / group_.ranks_a_machine, rank, &node), "MPI_Comm_split");
  else
    require_mpi(MPI_Comm_split_type(*group_.comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
                "MPI_Comm_split_type");
  int here = 0;
  require_mpi(MPI_Comm_size(node, &here), "MPI_Comm_size");
  if (any_rank(*group_.ranks, here != group_.ranks->size()))
    MPI_Comm_free(&node);
  else
    node_ = node;
}

Ways::~Ways()
{
  if (node_ == MPI_COMM_NULL) return;
  // The others cannot be asked any more; or an exception ends this rank alone, perhaps, and they are not waited for.
  if (is_mpi_finalised() || std::uncaught_exceptions() > exceptions_) {
    retirement_.leave();
    return;
  }
  retirement_.finish(*group_.ranks);
  MPI_Comm_free(&node_);
}

const char* Ways::name(Way way)
{
  switch (way) {
  case Way::nccl:
    return "nccl";
  case Way::window:
  case Way::ipc:
    return "peer";
  default:
    return "mpi";
  }
}

const char* Ways::transport(Place place) const { return name(place == Place::host ? host_ : device_); }

void Ways::choose(Place place)
{
  Way& way = place == Place::host ? host_ : device_;
  if (way != Way::unknown) return;
  way = place == Place::host ? choose_for_host() : choose_for_gpus();
  log(place, place == Place::host ? "" : measured_);
}

std::unique_ptr<Channel> Ways::open(const std::vector<Message>& sends, const std::vector<Message>& receives,
                                    Place place, bool beside, int tag)
{
  choose(place);
  const Way way = place == Place::host ? host_ : device_;
  auto channel = open_by(way, sends, receives, place, beside, tag);
  if (!channel) throw std::runtime_error("Keramos: memory for messages that the ranks of a machine share is missing");
  return channel;
}

/// Within a machine by its memory.
Ways::Way Ways::choose_for_host() const
{
  const bool one_machine = node_ != MPI_COMM_NULL;
  if (group_.wish == Transport::peer && !one_machine) refuse("ranks of one machine, for peer", "ranks of several");
  return one_machine && group_.wish != Transport::mpi ? Way::window : Way::direct;
}

/// What was asked for; else the faster one of those that there are.
Ways::Way Ways::choose_for_gpus()
{
  const Transport wish = group_.wish;
  if (wish == Transport::mpi) return by_mpi();
  const bool wants_any = wish == Transport::automatic;
  const bool ipc = (wants_any || wish == Transport::peer) && has_ipc();
  const bool nccl = (wants_any || wish == Transport::nccl) && has_nccl();
  if (ipc && nccl) return faster(Way::ipc, Way::nccl);
  if (ipc) return Way::ipc;
  if (nccl) return Way::nccl;
  if (wish == Transport::peer) refuse("GPUs of one machine that reach each other's memory, for peer", "others");
  if (wish == Transport::nccl) refuse("a build with NCCL and a GPU for each rank, for nccl", "none");
  return by_mpi();
}

Ways::Way Ways::by_mpi() const
{
  if (mpi_takes_device_pointers()) return Way::direct;
  return node_ != MPI_COMM_NULL ? Way::mapped : Way::staged;
}

bool Ways::has_ipc()
{
  return node_ != MPI_COMM_NULL && open_peer(*group_.ranks, node_, retirement_, {}, {}, Sharing::ipc) != nullptr;
}

bool Ways::has_nccl()
{
  if (!nccl_) nccl_ = nccl_of(*group_.ranks);
  return nccl_ != nullptr;
}

Ways::Way Ways::faster(Way one, Way other)
{
  const double time = microseconds(one), of_other = microseconds(other);
  measured_ = text(", ", name(one), " ", time, " us, ", name(other), " ", of_other, " us for 1 MiB");
  return time <= of_other ? one : other;
}

/// Of the slowest rank, the best of a few.
double Ways::microseconds(Way way)
{
#ifdef KOKKOS_ENABLE_CUDA
  constexpr std::size_t bytes = std::size_t{1} << 20; // between the halos of small and of large fields
  Communicator& ranks = *group_.ranks;
  const int me = ranks.rank(), size = ranks.size();
  if (size == 1) return 0;
  const auto channel =
      open_by(way, {{(me + 1) % size, bytes}}, {{(me + size - 1) % size, bytes}}, Place::device, false, 0);
  const Kokkos::Cuda exec;
  const Queue queue(exec);
  double best = 1e30;
  for (int repeat = 0; repeat < 8; ++repeat) {
    queue.fence();
    any_rank(ranks, false); // all begin together
    const double begin = MPI_Wtime();
    channel->reserve(queue);
    channel->post(queue);
    channel->wait(queue);
    channel->release(queue);
    queue.fence();
    best = std::min(best, (MPI_Wtime() - begin) * 1e6);
  }
  std::vector<double> all(static_cast<std::size_t>(size));
  ranks.all_gather(&best, sizeof best, all.data());
  return *std::max_element(all.begin(), all.end());
#else
  static_cast<void>(way);
  return 0;
#endif
}

std::unique_ptr<Channel> Ways::open_by(Way way, const std::vector<Message>& sends, const std::vector<Message>& receives,
                                       Place place, bool beside, int tag)
{
  const auto peer = [&](Sharing sharing) {
    return open_peer(*group_.ranks, node_, retirement_, sends, receives, sharing, beside);
  };
  switch (way) {
  case Way::window:
    return peer(Sharing::host);
  case Way::mapped:
    return peer(Sharing::host_mapped);
  case Way::ipc:
    return peer(Sharing::ipc);
  case Way::nccl:
    return nccl_->open(sends, receives);
#ifdef KOKKOS_ENABLE_CUDA
  case Way::staged:
    return open_staged(group_.comm, tag, sends, receives);
#endif
  default:
    return open_direct(group_.comm, tag, group_.piece, sends, receives, place);
  }
}

void Ways::log(Place place, const std::string& why) const
{
  if (log_mode() != LogMode::dispatch || group_.ranks->rank() != 0) return;
  write_line(text("Keramos: messages of ", group_.ranks->size(), " ranks between buffers of ",
                  place == Place::host ? "the host" : "GPUs", " go by ", transport(place), why));
}

} // namespace Keramos::core
