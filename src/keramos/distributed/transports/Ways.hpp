// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which transport the messages of a group take, chosen by all ranks together when its first channel is opened.
#pragma once

#include "../Communicator.hpp"
#include "MpiChannels.hpp"
#include "Nccl.hpp"
#include "SharedMemory.hpp"

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace Keramos::core {

/// The wish of a process: the application's, else that of the environment, KERAMOS_TRANSPORT=mpi, nccl, peer or automatic. Throws
/// Error for another word there.
Transport wished(Transport of_application);

class Ways {
public:
  /// What a group has to offer.
  struct Group {
    Communicator* ranks;
    SharedComm comm;
    Transport wish = Transport::automatic;
    std::size_t piece = 0;   ///< of messages of MPI, in bytes
    int ranks_a_machine = 0; ///< so many in a row are taken for those of one machine; 0: as they are
  };

  /// (collective)
  explicit Ways(const Group& group);
  /// (collective, but where an exception ends this rank's)
  ~Ways();
  Ways(const Ways&) = delete;
  Ways& operator=(const Ways&) = delete;

  /// "mpi", until a channel of that place has been opened.
  const char* transport(Place place) const;
  /// See Communicator::one_at_a_time. By NCCL a transpose of 32768^2 floats over four H200 takes 3.4 ms where all messages are
  /// in one group, 6.0 in steps.
  bool one_at_a_time(Place place) const { return place == Place::device && device_ == Way::ipc; }
  /// (collective) See Communicator::choose_transport.
  void choose(Place place);
  /// (collective) tag: one that no open channel of MPI has. Throws Error, on all ranks, where the transport that was
  /// asked for is not to be had.
  std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives, Place place,
                                bool beside, int tag);

private:
  /// direct: MPI has the buffers themselves. staged: those of GPUs through pinned memory. mapped: the same through
  /// memory that all ranks of the machine map. window, ipc: into the receiver's memory.
  enum class Way { unknown, direct, staged, mapped, window, ipc, nccl };

  static const char* name(Way way);
  Way choose_for_host() const;
  Way choose_for_gpus();
  Way by_mpi() const;
  bool has_ipc();
  bool has_nccl();
  /// The one by which messages to the next rank take less time.
  Way faster(Way one, Way other);
  double microseconds(Way way);
  std::unique_ptr<Channel> open_by(Way way, const std::vector<Message>& sends, const std::vector<Message>& receives,
                                   Place place, bool beside, int tag);
  void log(Place place, const std::string& why) const;

  Group group_;
  MPI_Comm node_ = MPI_COMM_NULL; ///< the group, where all of it is on one machine
  Way host_ = Way::unknown, device_ = Way::unknown;
  Retirement retirement_;
  int exceptions_ = std::uncaught_exceptions(); ///< on their way when the group was made
  std::unique_ptr<Nccl> nccl_;
  std::string measured_;
};

} // namespace Keramos::core
