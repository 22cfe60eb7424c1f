// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gather_sum, gather_sum_workspace_size and member say to arguments that they do not take (core/Refused.hpp).
#pragma once

#include "../core/RefusedArguments.hpp"
#include "../core/RefusedRequests.hpp"
#include "Requirements.hpp"

namespace Keramos {
namespace core {

struct SomeTargets {
  template <SumTargets T>
  SomeTargets(const T&)
  {
  }
};
struct NoTargets {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (SumTargets<T> && ...)))
  NoTargets(const T&...) {}
};
struct SomeSources {
  template <SumSources T>
  SomeSources(const T&)
  {
  }
};
struct NoSources {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (SumSources<T> && ...)))
  NoSources(const T&...) {}
};
struct ASumOutput {
  template <SumOutput T>
  ASumOutput(const T&)
  {
  }
};
struct NoSumOutput {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (is_sum_output<T> && ...)))
  NoSumOutput(const T&...) {}
};
struct ConstSumOutput {
  template <class T>
    requires(is_sum_output<T> && !SumOutput<T>)
  ConstSumOutput(const T&) {}
};

} // namespace core

core::Refused gather_sum(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {},
                         core::Anything = {}, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum: the first argument must be an execution space instance, as in "
                    "gather_sum(exec, kernel, targets, sources, out).");
core::Refused gather_sum(core::ASpace, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum: expected gather_sum(exec, kernel, targets, sources, out), and behind these a "
                    "Cutoff, an Update, a Workspace, or some of these in this order.");
core::Refused gather_sum(core::ASpace, core::Anything, core::NoTargets targets, core::Anything, core::Anything,
                         core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of "
                    "points, or Points{x, y, z} of Kokkos::Views. " KERAMOS_OTHERS_HAVE_ONE);
core::Refused gather_sum(core::ASpace, core::Anything, core::SomeTargets, core::NoSources sources, core::Anything,
                         core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or "
                    "Sources{x, y, z, weights}, of Kokkos::Views. " KERAMOS_OTHERS_HAVE_ONE);
core::Refused gather_sum(core::ASpace, core::Anything, core::SomeTargets, core::SomeSources, core::NoSumOutput out,
                         core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or "
                    "Gradient{grad}, of Kokkos::Views. " KERAMOS_OTHERS_HAVE_ONE);
core::Refused gather_sum(core::ASpace, core::Anything, core::SomeTargets, core::SomeSources, core::ConstSumOutput out,
                         core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum: argument 'out' " KERAMOS_HAS_CONST_ELEMENTS);
core::Refused gather_sum(core::ASpace, core::Anything, core::SomeTargets, core::SomeSources, core::ASumOutput,
                         core::Anything update, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED(
        "Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate, and then "
        "Workspace{view} with a Kokkos::View of non-const elements, or either alone, and before them there may be a "
        "Cutoff{radius}; over several processes there is neither a Workspace nor a Cutoff. " KERAMOS_OTHERS_HAVE_ONE);

core::Refused gather_sum_workspace_size(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {},
                                        core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::gather_sum_workspace_size: the first argument must be an execution space instance, as in "
                    "gather_sum_workspace_size(exec, kernel, targets, sources, out).");
core::Refused gather_sum_workspace_size(core::ASpace, core::Anything = {}, core::Anything = {}, core::Anything = {},
                                        core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED(
        "Keramos::gather_sum_workspace_size: expected gather_sum_workspace_size(exec, kernel, targets, sources, "
        "out), or with a Cutoff behind these, with targets, sources and out as gather_sum takes them: of "
        "Kokkos::Views. " KERAMOS_OTHERS_HAVE_ONE);

core::Refused member(core::Anything structs = {}) KERAMOS_REFUSED(
    "Keramos::member: expected member(structs, &Struct::member), or with the members of a struct in the "
    "struct behind it.");

} // namespace Keramos
