// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exchange_halo, and its two halves for who computes in between.
#pragma once

#include "../core/Execution.hpp"
#include "../stencil/Checks.hpp"
#include "CallLog.hpp"
#include "Exchange.hpp"

#include <tuple>
#include <type_traits>

namespace Keramos {

namespace core {
/// Any rules that convert: nothing is deduced from them.
template <class Field>
using RulesOfField = std::type_identity_t<EdgeRules<Field::rank>>;
/// run(exchange), of whole halos. beside: something is computed meanwhile.
template <class Exec, class First, class... Others, class Run>
const auto& with_halo_exchange(const Exec& exec, const std::tuple<First&, Others&...>& fields,
                               const RulesOfField<First>& edges, bool beside, const Run& run)
{
  static_assert(((First::rank == Others::rank) && ...),
                "Keramos::exchange_halo: fields that are exchanged together have one rank.");
  static_assert((std::is_same_v<typename First::value_type, typename Others::value_type> && ...),
                "Keramos::exchange_halo: fields that are exchanged together have one value type.");
  Communicator& ranks = std::get<0>(fields).communicator();
  const CallLog log("exchange_halo", exec.name(), ranks);
  const auto request_of = [&](const auto& field) { return whole_halo(field, edges, beside); };
  const auto& exchange = std::apply(
      [&](const auto&... field) -> const auto& { return halo_exchange<Exec>(request_of, field...); },
      std::apply([](const auto&... field) { return std::tuple_cat(components_of(field)...); }, fields));
  or_abort(ranks, "exchange_halo", [&] { run(exchange); });
  log.sent(exchange.sends(), ranks.transport(place_of<Exec>));
  return exchange;
}
} // namespace core

/// Halos whose messages are on their way: finish() before anybody reads them, and before another exchange of the fields.
template <class Exchange>
class PendingHalo {
public:
  explicit PendingHalo(const Exchange& exchange) : exchange_(&exchange) {}

  /// Lets messages move, from time to time during long work on a host.
  void progress() const { exchange_->progress(); }
  /// Waits for them; work on `exec` then finds the halos filled.
  template <core::ExecutionSpace Exec>
  void finish(const Exec& exec) const
  {
    exchange_->arrive(exec);
    exchange_->finish(exec);
  }

private:
  const Exchange* exchange_;
};

/// Begins to fill the whole halo of fields, corners too, from the ranks that own its images under the edge rules. Called by
/// all ranks. Owned points may be read until finish(), and not be written.
///
///     const auto halo = Keramos::begin_exchange(exec, u, Keramos::periodic);
///     ...                                                                     // work that needs no halo
///     halo.finish(exec);
///     Keramos::exchange_halo(exec, std::tie(u, v, w), Keramos::periodic);     // three fields, one message for each rank
///
/// field    one field, or several in a tuple: of one partition and one value type, each with its own halo and layout; all
///          components of those that have several
/// edges    the rules of the global fields; `ghost` where the application fills the halo beyond the ends
///
/// Errors   (Keramos::Error, at the first call of a kind, on all ranks) periodic or periodic_closed on one side only; fields
///          of different partitions
/// Cost     the halo once through memory on both ends, and through the network. On hosts and by mpi the host waits for messages,
///          in finish(). Allocates at the first call of a kind only
/// Source   as of apply_stencil over distributed fields
template <core::ExecutionSpace Exec, core::DistributedField First, core::DistributedField... Others>
auto begin_exchange(const Exec& exec, const std::tuple<First&, Others&...>& fields,
                    const core::RulesOfField<First>& edges)
{
  return PendingHalo(
      core::with_halo_exchange(exec, fields, edges, true, [&](const auto& exchange) { exchange.begin(exec); }));
}

template <core::ExecutionSpace Exec, core::DistributedField Field>
auto begin_exchange(const Exec& exec, const Field& field, const core::RulesOfField<Field>& edges)
{
  return begin_exchange(exec, std::tie(field), edges);
}

/// Fills the whole halo of fields, corners too, as begin_exchange does. Nothing in `exec` runs beside it.
template <core::ExecutionSpace Exec, core::DistributedField First, core::DistributedField... Others>
void exchange_halo(const Exec& exec, const std::tuple<First&, Others&...>& fields,
                   const core::RulesOfField<First>& edges)
{
  core::with_halo_exchange(exec, fields, edges, false, [&](const auto& exchange) { exchange.fill(exec); });
}

template <core::ExecutionSpace Exec, core::DistributedField Field>
void exchange_halo(const Exec& exec, const Field& field, const core::RulesOfField<Field>& edges)
{
  exchange_halo(exec, std::tie(field), edges);
}

} // namespace Keramos
