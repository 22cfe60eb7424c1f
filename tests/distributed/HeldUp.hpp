// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream of a GPU that goes no further until the test says so: who waits for it meanwhile is found out.
#pragma once

#include "RankSpace.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace test {

/// Waits, on the GPU, until the host says go.
struct UntilTold {
  const volatile int* go;
  KOKKOS_FUNCTION void operator()(int) const
  {
    while (*go == 0) continue;
  }
};

/// Holds up what enters the stream after it. A test whose own thread waits for that would wait forever: after 20 seconds the
/// stream goes on without it.
class HeldUp {
public:
  explicit HeldUp(const RankExec& exec)
  {
    Kokkos::parallel_for("until told", Kokkos::RangePolicy<RankExec>(exec, 0, 1), UntilTold{go_.data()});
    watch_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      if (!released_.wait_for(lock, std::chrono::seconds(20), [this] { return is_released_; })) let_go();
    });
  }
  HeldUp(const HeldUp&) = delete;
  HeldUp& operator=(const HeldUp&) = delete;
  ~HeldUp()
  {
    release();
    watch_.join();
  }

  /// True where it was held up until now.
  bool release()
  {
    const std::lock_guard lock(mutex_);
    const bool was_held = std::atomic_ref(go_()).load() == 0;
    is_released_ = true;
    let_go();
    released_.notify_all();
    return was_held;
  }

private:
  void let_go() const { std::atomic_ref(go_()).store(1); }

  Kokkos::View<int, Kokkos::SharedHostPinnedSpace> go_{"go"};
  bool is_released_ = false;
  std::mutex mutex_;
  std::condition_variable released_;
  std::thread watch_;
};

} // namespace test
