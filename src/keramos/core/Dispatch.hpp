// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call on its way through the backends, which are asked in turn: the first that covers it takes it. Each family has
// a function dispatch_FAMILY() in Dispatch.hpp of its folder, which lists its backends; here is what the lists have in common.
//
// A backend of a family is a namespace with two functions, which are called by their qualified names, so that none of an
// application's own is found by its arguments:
//
//     std::optional<Plan> choose(problem...)     pure: what it would run, or "not covered"
//     void launch(plan, space)                   only launches, on the given instance
//
// where plan.kernel is the Kernel that the public call returns. cuda's choose takes the numbers of the GPU in front.
#pragma once

#include "Error.hpp"
#include "Execution.hpp"
#include "Log.hpp"

#include <string>
#include <string_view>

namespace Keramos::core {

/// A region of Kokkos Tools, "Keramos::apply_stencil", behind its label; nothing where no tool listens.
class ProfilingRegion {
public:
  ProfilingRegion(const char* operation, std::string_view label) : listens_(Kokkos::Tools::profileLibraryLoaded())
  {
    if (listens_) Kokkos::Profiling::pushRegion(labelled(label, "Keramos::") + operation);
  }
  ~ProfilingRegion()
  {
    if (listens_) Kokkos::Profiling::popRegion();
  }
  ProfilingRegion(const ProfilingRegion&) = delete;
  ProfilingRegion& operator=(const ProfilingRegion&) = delete;

private:
  bool listens_;
};

template <class Space>
class Dispatch {
public:
  /// `nothing`: there is no element to compute.
  Dispatch(const char* operation, const On<Space>& on, bool nothing)
      : operation_(operation), on_(on), region_(operation, on.label)
  {
    decision_.space = Space::name();
    decision_.only = on.only;
    decision_.dry = on.dry;
    decision_.nothing = nothing;
  }

  /// Unless another backend has taken the call: choose() gives this one's plan, or nothing, and launch(plan) runs it.
  template <class Choose, class Launch>
  void ask(Backend backend, const Choose& choose, const Launch& launch)
  {
    if (taken_) return;
    if (on_.allows(backend)) {
      if (auto plan = choose()) {
        taken_ = true;
        plan->kernel.label = on_.label;
        kernel_ = plan->kernel;
        if (logs_calls()) log_dispatch(kernel_, decision_);
        if (!decision_.dry && !decision_.nothing) launch(*plan);
        return;
      }
    }
    decision_.pass(backend);
  }

  /// What took the call. Error: no backend did.
  const Kernel& kernel() const
  {
    if (!taken_)
      fail(operation_, "exec", "a backend that covers this call",
           std::string(on_.only ? to_string(*on_.only) : "no backend") + " on " + Space::name());
    return kernel_;
  }

private:
  const char* operation_;
  const On<Space>& on_;
  ProfilingRegion region_;
  Decision decision_;
  bool taken_ = false;
  Kernel kernel_;
};

} // namespace Keramos::core
