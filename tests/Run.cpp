// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Run.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

namespace test {
namespace {

void require(cudaError_t error, const char* what)
{
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Shared memory stays on the host, whose loops look at all of it, and the GPU reaches it there: pages that travel at
/// every look are most of the time of many tests.
cudaError_t keep_on_host(const void* data, std::size_t bytes)
{
  int device = 0, reaches = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&reaches, cudaDevAttrConcurrentManagedAccess, device);
  if (error != cudaSuccess || !reaches) return error;
  error = cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeHost, 0});
  if (error != cudaSuccess) return error;
  return cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, {cudaMemLocationTypeDevice, device});
}

/// Every allocation of Shared memory that lives, as Kokkos Tools hears of them.
class Allocations {
public:
  static std::map<unsigned char*, std::size_t>& live()
  {
    static std::map<unsigned char*, std::size_t> allocations;
    return allocations;
  }

  static void watch()
  {
    using namespace Kokkos::Tools::Experimental;
    set_allocate_data_callback([](Kokkos_Profiling_SpaceHandle space, const char*, const void* data, uint64_t bytes) {
      if (is_shared(space)) live()[bytes_at(data)] = bytes;
    });
    set_deallocate_data_callback([](Kokkos_Profiling_SpaceHandle space, const char*, const void* data, uint64_t) {
      if (is_shared(space)) live().erase(bytes_at(data));
    });
    // Kokkos names where an allocation begins, and the bytes of the View, which lie some way behind that.
    // No kernel may initialise it: a test could be listening.
    const Kokkos::View<int*, Shared> probe(Kokkos::view_alloc("probe", Kokkos::WithoutInitializing), 1);
    header() = reinterpret_cast<unsigned char*>(probe.data()) - live().begin()->first;
  }

  static std::ptrdiff_t& header()
  {
    static std::ptrdiff_t bytes = 0;
    return bytes;
  }

private:
  static unsigned char* bytes_at(const void* data) { return static_cast<unsigned char*>(const_cast<void*>(data)); }
  static bool is_shared(const Kokkos_Profiling_SpaceHandle& space) { return Shared::name() == std::string(space.name); }
};

/// A copy of all Shared memory.
class Snapshot {
public:
  Snapshot()
  {
    for (const auto& [data, bytes] : Allocations::live()) {
      unsigned char* const begin = data + Allocations::header();
      copies_.emplace_back(begin, std::vector<unsigned char>(begin, begin + bytes));
    }
  }
  void scramble() const
  {
    for (const auto& [begin, copy] : copies_)
      for (std::size_t i = 0; i < copy.size(); ++i) begin[i] = copy[i] ^ static_cast<unsigned char>(0x5A + i);
  }
  void restore() const
  {
    for (const auto& [begin, copy] : copies_) std::copy(copy.begin(), copy.end(), begin);
  }

private:
  std::vector<std::pair<unsigned char*, std::vector<unsigned char>>> copies_;
};

} // namespace

bool in_graphs()
{
  static const bool wanted = [] {
    const char* launch = std::getenv("KERAMOS_TEST_LAUNCH");
    const bool graphs = launch && std::strcmp(launch, "graph") == 0;
    if (graphs) Allocations::watch();
    return graphs;
  }();
  return wanted;
}

void run_in_graph(const Exec& exec, const std::function<void()>& call)
{
  const cudaStream_t stream = exec.cuda_stream();
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin of a capture");
  cudaGraph_t graph = nullptr;
  try {
    call();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    cudaGraphDestroy(graph);
    throw;
  }
  require(cudaStreamEndCapture(stream, &graph), "end of a capture");
  cudaGraphExec_t executable = nullptr;
  require(cudaGraphInstantiate(&executable, graph, 0), "a graph");
  const auto replay = [&] {
    require(cudaGraphLaunch(executable, stream), "launch of a graph");
    require(cudaStreamSynchronize(stream), "run of a graph");
  };
  const Snapshot before;
  before.scramble();
  replay();
  before.restore();
  replay();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

} // namespace test

// Kokkos allocates Shared memory by this function; the linker gives the tests' calls to the second (cmake/KeramosTest.cmake).
extern "C" {
cudaError_t __real_cudaMallocManaged(void** data, std::size_t bytes, unsigned flags);
cudaError_t __wrap_cudaMallocManaged(void** data, std::size_t bytes, unsigned flags)
{
  const cudaError_t error = __real_cudaMallocManaged(data, bytes, flags);
  return error == cudaSuccess ? test::keep_on_host(*data, bytes) : error;
}
}
#endif

namespace test {

const Exec& own_instance()
{
  static std::optional<Exec> exec;
  if (!exec) {
#ifdef KOKKOS_ENABLE_CUDA
    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    exec.emplace(stream);
#else
    exec.emplace();
#endif
    Kokkos::push_finalize_hook([] { exec.reset(); });
  }
  return *exec;
}

} // namespace test
