// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gather_sum where sources, targets or both are distributed.
#pragma once

#include "DistributedGatherSum.hpp"

namespace Keramos {

/// (collective) gather_sum where sources, targets or both are spread over processes: the same sum at every target, bit for
/// bit what one process computes with all sources, the same instruction set and backend.
///
///     Keramos::Distributed<Kokkos::View<float***>> potential(exec, "potential", cut);
///     Keramos::DistributedSources all(ranks, Keramos::Sources{positions, weights});   // this rank's
///     Keramos::gather_sum(exec, Keramos::Coulomb{}, grid, all, potential);            // grid: the global one
///     Keramos::gather_sum(exec, Keramos::Coulomb{}, points, all, at_points);          // Views of this rank's points
///
/// exec     as in gather_sum; dry_run, which is collective as well, and with_backend apply to this rank's kernels
/// kernel   as in gather_sum, but for Exact, the same on all ranks
/// targets  a global grid, or a plane of one, of which every rank computes the points that out owns; or points, a View of
///          this rank's or a Distributed one
/// sources  DistributedSources; or Sources, the same on all ranks, where targets are distributed
/// out      Distributed fields, whose owned points are written, or Views; as in gather_sum
/// update   overwrite (the default) or accumulate
///
/// Returns the kernels of the first and of the last sources, as interior and boundary.
///
/// Errors   (Keramos::Error, on all ranks where any has one) those of gather_sum; arguments of several groups of ranks;
///          targets or a gradient whose partition begins elsewhere than out's; sources with other numbers of coordinates on
///          other ranks, but for those that have neither sources nor points. What fails later ends all ranks
/// Cost     that of gather_sum, and all sources once through the network, to every rank, 131072 at a time, of which a rank
///          holds two lots; with more sources than that a target takes 24 bytes (with gradient 96) between two messages. Waits
///          on the host for messages, and allocates at the first call of a kind only
/// Source   as gather_sum
template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output>
  requires(core::span_ranks<Targets, S, Output>)
DistributedKernel gather_sum(const Exec& exec, const K& kernel, const Targets& targets, const S& sources,
                             const Output& out, Update update = overwrite)
{
  const auto on = core::on(exec);
  using Space = decltype(on.space);
  using LocalOutput = core::LocalArgument<Output>;
  static_assert(!core::Accuracy<K>::is_exact, "Keramos::gather_sum: Exact{kernel} is for calls of one process.");
  core::require_gather_sum<Space, K, LocalOutput>();
  if constexpr (!core::Accuracy<K>::is_exact && core::fits_gather_sum<K, LocalOutput>())
    return core::distributed_gather_sum(on, kernel, targets, sources, out, update);
  return {};
}

} // namespace Keramos
