// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures on a GPU: times between two events on the stream, and what a result must say of the card.
#include "../Platform.hpp"

#include "../Harness.hpp"
#include "Buffers.hpp"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

// Found by its name in what a profiler writes (perf/redundancy.py); outside of namespaces for that.
__global__ void mark_of_a_contender() {}

namespace perf {
namespace {

/// Keeps the stream busy, so that what the host launches meanwhile starts without a gap.
__global__ void wait_kernel(unsigned long long nanoseconds)
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

/// Made once and never destroyed: the driver may be gone when statics are.
struct Events {
  cudaEvent_t begin, end;
  Events()
  {
    require_success(cudaEventCreate(&begin), "cudaEventCreate");
    require_success(cudaEventCreate(&end), "cudaEventCreate");
  }
};

/// "580.159.04", as the kernel module says it.
std::string driver_version()
{
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line, word;
  std::getline(file, line);
  std::istringstream words(line);
  while (words >> word)
    if (std::count(word.begin(), word.end(), '.') >= 1 && std::isdigit(static_cast<unsigned char>(word[0])))
      return word;
  return "unknown";
}

std::string dotted(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

} // namespace

void finish() { require_success(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

double seconds_of(const std::function<void()>& work, double& host_seconds)
{
  static const Events events;
  constexpr double max_wait = 20e-3; // who blocks the host is timed with what the host does
  const double wait = std::min(1.5 * host_seconds + 30e-6, max_wait);
  wait_kernel<<<1, 1, 0, stream()>>>(static_cast<unsigned long long>(wait * 1e9));
  require_success(cudaEventRecord(events.begin, stream()), "cudaEventRecord");
  Kokkos::Timer timer;
  work();
  const double host = timer.seconds();
  require_success(cudaEventRecord(events.end, stream()), "cudaEventRecord");
  require_success(cudaEventSynchronize(events.end), "a timed call");
  host_seconds = std::min(host_seconds, host);
  float milliseconds = 0;
  require_success(cudaEventElapsedTime(&milliseconds, events.begin, events.end), "cudaEventElapsedTime");
  return milliseconds * 1e-3;
}

int repetitions(bool) { return sized(5, 15); }

void profiled(int number, const std::function<void()>& work)
{
  finish();
  cudaProfilerStart();
  mark_of_a_contender<<<number, 1, 0, stream()>>>();
  work();
  finish();
  cudaProfilerStop();
}

std::vector<std::pair<std::string, std::string>> platform_context()
{
  const cudaDeviceProp card = Gpu().cuda_device_prop();
  int driver = 0, runtime = 0, clock_khz = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, Gpu().cuda_device());
  return {{"gpu", card.name},
          {"gpu_architecture", "sm_" + std::to_string(card.major) + std::to_string(card.minor)},
          {"gpu_multiprocessors", std::to_string(card.multiProcessorCount)},
          {"gpu_memory_bytes", std::to_string(card.totalGlobalMem)},
          {"gpu_l2_bytes", std::to_string(card.l2CacheSize)},
          {"gpu_clock_mhz", std::to_string(clock_khz / 1000)},
          {"gpu_driver", driver_version()},
          {"cuda_driver_api", dotted(driver)},
          {"cuda_runtime", dotted(runtime)},
          {"cuda_compiler", std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__) + "." +
                                std::to_string(__CUDACC_VER_BUILD__)}};
}

} // namespace perf
