// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the kernels around messages run: on a GPU in streams of their own, so that messages travel while the application's
// stream computes; on a host where the application computes.
#pragma once

#include "../core/Cuda.hpp"
#include "../core/Execution.hpp"

#include <Kokkos_Core.hpp>

#include <memory>

namespace Keramos::core {

/// A process has three, which all exchanges share: a GPU has few queues for the streams of a process, and a stream that
/// waits for a message holds up those that share its queue.
enum class LaneOf { packing, sending, receiving };

/// Work that is put into its space after begin() follows what was in `exec` by then; what enters `exec` after end()
/// follows that work.
template <class Exec>
class Lane {
  static_assert(is_host<Exec>, "Keramos: calls over distributed fields run on hosts and on NVIDIA GPUs.");

public:
  explicit Lane(LaneOf) {}
  const Exec& begin(const Exec& exec) const { return exec; }
  const Exec& space(const Exec& exec) const { return exec; }
  /// Its later work follows what is in the other one now.
  void follow(const Lane&) const {}
  void end(const Exec&) const {}
};

#ifdef KOKKOS_ENABLE_CUDA
/// A stream of high priority: packing and unpacking are short, and others wait for them.
template <>
class Lane<Kokkos::Cuda> {
public:
  explicit Lane(LaneOf work);

  const Kokkos::Cuda& begin(const Kokkos::Cuda& exec) const;
  const Kokkos::Cuda& space(const Kokkos::Cuda&) const { return space_; }
  void follow(const Lane& other) const;
  void end(const Kokkos::Cuda& exec) const;

private:
  struct Stream;
  std::shared_ptr<Stream> stream_; ///< before the instance that runs in it
  Kokkos::Cuda space_;
};
#endif

} // namespace Keramos::core
