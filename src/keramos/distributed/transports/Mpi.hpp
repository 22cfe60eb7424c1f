// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranks of an MPI communicator, and the transports by which their messages go.
#pragma once

#include "../Communicator.hpp"
#include "Ways.hpp"

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace Keramos::core {

/// The ranks of an MPI communicator. Errors of MPI are std::runtime_error with the words of MPI; they do not end the
/// program, whatever the application's communicator says.
class MpiCommunicator final : public Communicator {
public:
  /// MPI counts in int: longer messages go in pieces of so many bytes.
  static constexpr std::size_t default_piece = std::size_t{1} << 30;

  /// (collective, and so is the end) Over a duplicate of `comm`, so that nobody else's messages are taken for ours; it
  /// is freed with the last user. Throws Error unless MPI is initialised, `comm` is a communicator of one group and, on
  /// all ranks, this thread may call MPI while Kokkos runs its own; and where ranks ask for different transports.
  /// `piece` is the same on all ranks, from 1 to default_piece. `ranks_a_machine`: so many ranks in
  /// a row are treated as those of one machine; 0: as they are.
  explicit MpiCommunicator(MPI_Comm comm, Transport wish = Transport::automatic, std::size_t piece = default_piece,
                           int ranks_a_machine = 0);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  const char* name() const override { return "mpi"; }
  const char* transport(Place place) const override { return ways_->transport(place); }
  void all_gather(const void* mine, std::size_t bytes, void* all) override;
  void broadcast(void* data, std::size_t bytes, int root) override;
  void choose_transport(Place place) override { ways_->choose(place); }
  bool one_at_a_time(Place place) const override { return ways_->one_at_a_time(place); }
  std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives,
                                Place place = Place::host, bool beside = false) override;
  [[noreturn]] void abort(const std::string& reason) override;

private:
  std::shared_ptr<const MPI_Comm> comm_; ///< channels hold it as well
  std::size_t piece_;
  int rank_ = 0, size_ = 0;
  int tags_ = 0;     ///< as many as there are, from 0 on
  int next_tag_ = 0; ///< of the next channel: the same on all ranks, for they open in the same order
  std::optional<Ways> ways_;
};

/// (collective) The ranks of an application's communicator. Errors as of MpiCommunicator's constructor.
std::shared_ptr<Communicator> mpi_communicator(MPI_Comm comm, Transport wish = Transport::automatic);

} // namespace Keramos::core
