// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the calls of the tests run: every backend that this build has, each on an instance of its own, never on the
// default one. With CUDA a call may also be captured in a graph and replayed, first over other data (the environment
// says KERAMOS_TEST_LAUNCH=graph): all tests of the suite are then tests of the graph as well.
#pragma once

#include <Keramos.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace test {

using Host = Kokkos::DefaultHostExecutionSpace;
using Exec = Kokkos::DefaultExecutionSpace;
/// Reached by the tests' own loops and by every backend.
using Shared = Kokkos::SharedSpace;

inline constexpr bool has_cuda =
#ifdef KOKKOS_ENABLE_CUDA
    true;
#else
    false;
#endif

/// The backends that stand beside the reference in this build.
inline std::vector<Keramos::Backend> fast_backends()
{
  using Keramos::Backend;
  if constexpr (has_cuda) return {Backend::cuda, Backend::portable, Backend::openmp};
  return {Backend::portable, Backend::openmp};
}
inline std::vector<Keramos::Backend> all_backends()
{
  auto backends = fast_backends();
  backends.push_back(Keramos::Backend::reference);
  return backends;
}
/// What cuda leaves to portable has no kernels of its own to test.
inline std::vector<Keramos::Backend> backends_but_cuda()
{
  auto backends = all_backends();
  std::erase(backends, Keramos::Backend::cuda);
  return backends;
}
/// The backend that Keramos prefers here.
inline constexpr Keramos::Backend first_backend = has_cuda ? Keramos::Backend::cuda : Keramos::Backend::openmp;

/// An instance of the tests' own, on a stream of its own.
const Exec& own_instance();

/// Kokkos fences around kernels that a tool looks at, which no capture allows: a call is then run as usual.
inline bool& watched_by_tools()
{
  static bool watched = false;
  return watched;
}
/// Where Kokkos checks bounds, it fences behind each of its own kernels, which no capture allows either.
inline constexpr bool captures_portable =
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
    false;
#else
    true;
#endif
#ifdef KOKKOS_ENABLE_CUDA
/// Does the environment ask for graphs?
bool in_graphs();
/// Captures what `call` does on the instance, replays it over scrambled data, then over the data as they were.
void run_in_graph(const Exec& exec, const std::function<void()>& call);
#else
inline bool in_graphs() { return false; }
#endif

/// call(where) on the tests' own instance, finished. No backend: the one that Keramos chooses.
template <class Call>
Keramos::Kernel run(const Call& call, std::optional<Keramos::Backend> backend = std::nullopt)
{
  const Exec& exec = own_instance();
  Keramos::Kernel kernel;
  const auto there = [&] { kernel = call(Keramos::with_backend(exec, backend)); };
#ifdef KOKKOS_ENABLE_CUDA
  if (in_graphs() && !watched_by_tools() && (captures_portable || backend != Keramos::Backend::portable)) {
    run_in_graph(exec, there);
    return kernel;
  }
#endif
  there();
  exec.fence("the test reads what was written");
  return kernel;
}

inline bool is_of_host(Keramos::Backend backend)
{
  return backend == Keramos::Backend::openmp || backend == Keramos::Backend::reference;
}

/// The same on one backend: on a host instance for openmp and reference, on the tests' own instance for the others.
template <class Call>
Keramos::Kernel run(Keramos::Backend backend, const Call& call)
{
  if (!is_of_host(backend)) return run(call, backend);
  const Host exec;
  const Keramos::Kernel kernel = call(Keramos::with_backend(exec, backend));
  exec.fence("the test reads what was written");
  return kernel;
}

/// What call(where) tells before any work, such as the size of a workspace: where run(backend, call) runs, and never captured.
template <class Call>
auto ask(Keramos::Backend backend, const Call& call)
{
  return is_of_host(backend) ? call(Keramos::with_backend(Host(), backend))
                             : call(Keramos::with_backend(own_instance(), backend));
}

} // namespace test
