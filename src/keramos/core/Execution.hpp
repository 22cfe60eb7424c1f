// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a call runs: the execution argument of every public call.
#pragma once

#include "Kernel.hpp"
#include "Log.hpp"

#include <Kokkos_Core.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#if KOKKOS_VERSION < 50000
#error "Keramos needs Kokkos 5 or newer, and this one is older: KOKKOS_VERSION / 10000 says which."
#endif

namespace Keramos {

namespace core {

template <class T>
concept ExecutionSpace = Kokkos::is_execution_space_v<T>;

/// An execution space instance with what is asked for beside it: only this backend, only to ask, and a label.
template <ExecutionSpace Space>
struct On {
  Space space;
  std::optional<Backend> only = std::nullopt;
  bool dry = false;
  std::string label = {}; ///< empty where nobody reads it

  /// The same in another instance.
  On in(const Space& other) const { return {other, only, dry, label}; }
  bool allows(Backend backend) const { return only ? *only == backend : backend != Backend::reference; }
};

template <class T>
inline constexpr bool is_on = false;
template <class Space>
inline constexpr bool is_on<On<Space>> = true;

/// What the first argument of a public call may be.
template <class T>
concept ExecutionArgument = ExecutionSpace<T> || is_on<T>;

template <ExecutionSpace Space>
On<Space> on(const Space& space)
{
  return {space};
}
template <class Space>
On<Space> on(const On<Space>& argument)
{
  return argument;
}

/// Host execution spaces: what the openmp and the reference backend run on. They are listed, because a memory space
/// does not tell: the host reaches unified memory of a GPU, too. A space that is not known here is left to `portable`.
template <class Space>
inline constexpr bool is_host = std::is_same_v<Space, Kokkos::DefaultHostExecutionSpace>;
#ifdef KOKKOS_ENABLE_SERIAL
template <>
inline constexpr bool is_host<Kokkos::Serial> = true;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
inline constexpr bool is_host<Kokkos::OpenMP> = true;
#endif
#ifdef KOKKOS_ENABLE_THREADS
template <>
inline constexpr bool is_host<Kokkos::Threads> = true;
#endif
#ifdef KOKKOS_ENABLE_HPX
template <>
inline constexpr bool is_host<Kokkos::Experimental::HPX> = true;
#endif

/// Host execution spaces whose launches have ended when they return.
template <class Space>
inline constexpr bool is_synchronous = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;
#ifdef KOKKOS_ENABLE_HPX
template <>
inline constexpr bool is_synchronous<Kokkos::Experimental::HPX> = false;
#endif

/// Does anybody read what a call is named? If not, labels are not kept.
inline bool names_are_read() { return Kokkos::Tools::profileLibraryLoaded() || logs_calls(); }

/// The name of a launch, for Kokkos Tools; empty where no tool listens.
inline std::string label(const Kernel& kernel)
{
  return Kokkos::Tools::profileLibraryLoaded() ? kernel.name() : std::string();
}

} // namespace core

/// The same call, only asked: checks every argument and returns the kernel that would run; launches and writes nothing.
///
///     auto kernel = Keramos::transpose(Keramos::dry_run(exec), in, out);
template <core::ExecutionArgument Argument>
auto dry_run(const Argument& argument)
{
  auto on = core::on(argument);
  on.dry = true;
  return on;
}

/// The same call, on one backend only; throws Error if that backend does not cover the call. For tests, comparisons and
/// applications with such an option: std::nullopt means the usual choice.
///
///     Keramos::transpose(Keramos::with_backend(exec, Keramos::Backend::portable), in, out);
template <core::ExecutionArgument Argument>
auto with_backend(const Argument& argument, std::optional<Backend> backend)
{
  auto on = core::on(argument);
  on.only = backend;
  return on;
}

/// The same call under a name of the application's, by which profiles and logs tell apart what takes one kernel for different
/// equations: it stands in front of the call's region and kernels as Kokkos Tools see them, "diffusion of u:
/// Keramos::apply_stencil", and in the lines of KERAMOS_LOG. Of two labels the outer one counts.
///
///     Keramos::apply_stencil(Keramos::with_label(exec, "diffusion of u"), laplacian, u, u_next, edges);
///
/// The text is copied, and only where a tool or the log is there to read it. Elsewhere nothing is kept, and a call costs what
/// it costs without.
template <core::ExecutionArgument Argument>
auto with_label(const Argument& argument, std::string_view label)
{
  auto on = core::on(argument);
  if (core::names_are_read()) on.label = label;
  return on;
}

} // namespace Keramos
