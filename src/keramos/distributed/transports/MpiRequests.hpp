// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests of MPI, for the transports that send messages by them.
#pragma once

#include "../../core/Error.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace Keramos::core {

/// Throws what MPI says of an error.
inline void require_mpi(int code, const char* call)
{
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> said{};
  int length = 0;
  MPI_Error_string(code, said.data(), &length);
  throw std::runtime_error(text("Keramos: ", call, ": ", said.data()));
}

inline bool is_mpi_finalised()
{
  int flag = 0;
  MPI_Finalized(&flag);
  return flag != 0;
}

/// f(begin, bytes as MPI counts them) for every piece of a message.
template <class F>
void for_each_piece(std::size_t bytes, std::size_t piece, const F& f)
{
  for (std::size_t begin = 0; begin < bytes; begin += piece) f(begin, static_cast<int>(std::min(piece, bytes - begin)));
}

/// Persistent requests, in the order in which they are started.
class Requests {
public:
  Requests() = default;
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  ~Requests()
  {
    if (is_mpi_finalised()) return;
    for (MPI_Request& request : requests_)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request); // the last is, where MPI has refused to make it
  }

  void send(const void* data, int bytes, int to, int tag, MPI_Comm comm)
  {
    require_mpi(MPI_Send_init(data, bytes, MPI_BYTE, to, tag, comm, add()), "MPI_Send_init");
  }
  void receive(void* data, int bytes, int from, int tag, MPI_Comm comm)
  {
    require_mpi(MPI_Recv_init(data, bytes, MPI_BYTE, from, tag, comm, add()), "MPI_Recv_init");
  }
  /// One after the other: MPI_Startall may take any order, and pieces of one message are told apart by theirs.
  void start()
  {
    for (std::size_t i = 0; i < requests_.size(); ++i) start(i);
  }
  void start(std::size_t i) { require_mpi(MPI_Start(&requests_[i]), "MPI_Start"); }
  bool test(std::size_t i)
  {
    int done = 0;
    require_mpi(MPI_Test(&requests_[i], &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }
  bool test()
  {
    int done = 0;
    require_mpi(MPI_Testall(count(), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0;
  }
  void wait() { require_mpi(MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall"); }

private:
  MPI_Request* add()
  {
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }
  int count() const { return static_cast<int>(requests_.size()); }

  std::vector<MPI_Request> requests_;
};

} // namespace Keramos::core
