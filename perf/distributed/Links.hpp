// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bare link: messages both ways at once between ranks 2n and 2n + 1, by what transports are made of and no more. It is what
// their figures stand beside. Where the number of ranks is odd, the last one does nothing.
#pragma once

#include "Ranks.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perf::distributed {

using Bytes = Kokkos::View<unsigned char*, Exec>;

/// The rank at the other end; -1 for none.
inline int partner()
{
  const int other = rank() ^ 1;
  return other < ranks() ? other : -1;
}

class Link {
public:
  explicit Link(std::size_t bytes)
      : out_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "out"), bytes),
        in_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "in"), bytes)
  {
  }
  virtual ~Link() = default;

  /// (collective) The first `bytes` of what each has to send are in the other's memory when the stream, or the host, is there.
  virtual void exchange(std::size_t bytes) = 0;

  void poison(std::size_t bytes) const;
  std::string mistake(std::size_t bytes) const;

protected:
  Bytes out_, in_;
};

struct LinkWay {
  std::string name;                                       ///< "peer"
  std::function<std::unique_ptr<Link>(std::size_t)> make; ///< (collective) of messages up to so many bytes
};
/// On GPUs peer: copies by IPC into the other's memory and the events that order them; nccl: ncclSend and ncclRecv; mpi:
/// through pinned memory, one after the other. On hosts mpi.
std::vector<LinkWay> link_ways();

/// One message both ways, as the article's model has it: seconds = latency + bytes / rate.
struct LinkModel {
  double latency, rate;
  double seconds(double bytes) const { return latency + bytes / rate; }
};
/// (collective) By messages of 256 KiB and 64 MiB, measured when first asked for. Of a way that has no bare link, that of mpi.
LinkModel link_model(const std::string& way);

/// (collective) Bytes a second each way in messages of 1 GiB, by the fastest of the bare links; measured when first asked for.
double large_message_rate();

/// The contenders "bare link, WAY" of a case whose messages have so many bytes.
std::vector<Contender> bare_links(std::size_t bytes);

} // namespace perf::distributed
