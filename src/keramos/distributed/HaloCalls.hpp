// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exchange_halo, and its two halves for who computes in between.
#pragma once

#include "../core/Execution.hpp"
#include "../stencil/Checks.hpp"
#include "CallLog.hpp"
#include "Exchange.hpp"
#include "Refused.hpp"

#include <string>
#include <tuple>
#include <type_traits>

namespace Keramos {

namespace core {
/// Any rules that convert: nothing is deduced from them.
template <class Field>
using RulesOfField = std::type_identity_t<EdgeRules<Field::rank>>;
/// run(exchange), of whole halos, unless it is only asked for. beside: something is computed meanwhile.
template <class Exec, class First, class... Others, class Run>
const auto& with_halo_exchange(const On<Exec>& on, const std::tuple<First&, Others&...>& fields,
                               const RulesOfField<First>& edges, bool beside, const Run& run)
{
  static_assert(((First::rank == Others::rank) && ...),
                "Keramos::exchange_halo: fields that are exchanged together have one rank.");
  static_assert((std::is_same_v<typename First::value_type, typename Others::value_type> && ...),
                "Keramos::exchange_halo: fields that are exchanged together have one value type.");
  Communicator& ranks = std::get<0>(fields).communicator();
  const CallLog log("exchange_halo", on, ranks);
  const auto request_of = [&](const auto& field) { return whole_halo(field, edges, beside); };
  const auto& exchange = std::apply(
      [&](const auto&... field) -> const auto& { return halo_exchange<Exec>(request_of, field...); },
      std::apply([](const auto&... field) { return std::tuple_cat(components_of(field)...); }, fields));
  if (!on.dry) or_abort(ranks, "exchange_halo", [&] { run(exchange); });
  log.sent(exchange.sends(), ranks.transport(place_of<Exec>), on.dry);
  return exchange;
}
} // namespace core

/// Halos whose messages are on their way: finish() before anybody reads them, and before another exchange of the fields.
template <class Exchange>
class [[nodiscard]] PendingHalo {
public:
  /// Where the exchange was only asked for, nothing is on its way.
  template <class Exec>
  PendingHalo(const Exchange& exchange, const core::On<Exec>& on)
      : exchange_(on.dry ? nullptr : &exchange), label_(on.label)
  {
  }

  /// Lets messages move, from time to time during long work on a host. Waits for nothing. What fails ends all ranks.
  void progress() const
  {
    if (exchange_) core::or_abort(exchange_->communicator(), "begin_exchange", [&] { exchange_->progress(); });
  }
  /// Waits for them, as begin_exchange's Cost has it; work on `exec` then finds the halos filled. Called once for an exchange, by
  /// all ranks. What fails ends all ranks.
  template <core::ExecutionArgument Exec>
  void finish(const Exec& exec) const
  {
    if (!exchange_) return;
    auto on = core::on(exec);
    on.label = label_;
    core::or_abort(exchange_->communicator(), "begin_exchange", [&] {
      exchange_->arrive(on);
      exchange_->finish(on.space);
    });
  }

private:
  const Exchange* exchange_;
  std::string label_;
};

/// Begins to fill the whole halo of fields, corners too, from the ranks that own its images under the edge rules. Called by
/// all ranks. Owned points may be read until finish(), and not be written. All ranks finish several exchanges in one order: between
/// GPUs of several machines, by mpi, finish() may end only when the others have come to theirs.
///
///     const auto halo = Keramos::begin_exchange(exec, u, Keramos::periodic);
///     ...                                                                     // work that needs no halo
///     halo.finish(exec);
///     Keramos::exchange_halo(exec, std::tie(u, v, w), Keramos::periodic);     // three fields, one message for each rank
///
/// exec     execution space instance; with_label names the call, dry_run checks and sends nothing. There is no backend to choose
/// field    one field, or several in a tuple: of one partition and one value type, each with its own halo and layout; all
///          components of those that have several
/// edges    the rules of the global fields; `ghost` where the application fills the halo beyond the ends
///
/// Errors   (Keramos::Error, at the first call of a kind, on all ranks) periodic or periodic_closed on one side only; fields
///          of different partitions; a rank whose halo or rules want other points of a rank than that one
///          sends by its own
/// Cost     the halo once through memory on both ends, and through the network. On hosts and by mpi the host waits for messages,
///          in finish(). Allocates at the first call of a kind only
/// Source   as of apply_stencil over distributed fields
template <core::ExecutionArgument Exec, core::DistributedField First, core::DistributedField... Others>
auto begin_exchange(const Exec& exec, const std::tuple<First&, Others&...>& fields,
                    const core::RulesOfField<First>& edges)
{
  const auto on = core::on(exec);
  return PendingHalo(
      core::with_halo_exchange(on, fields, edges, true, [&](const auto& exchange) { exchange.begin(on); }), on);
}

template <core::ExecutionArgument Exec, core::DistributedField Field>
auto begin_exchange(const Exec& exec, const Field& field, const core::RulesOfField<Field>& edges)
{
  return begin_exchange(exec, std::tie(field), edges);
}

/// Fills the whole halo of fields, corners too, from the ranks that own its images under the edge rules. Called by all ranks.
/// Nothing in `exec` runs beside it.
///
///     Keramos::exchange_halo(exec, u, Keramos::periodic);
///
/// The arguments, the errors, the cost and the source are those of begin_exchange; where that waits in finish(), this does
/// before it returns.
template <core::ExecutionArgument Exec, core::DistributedField First, core::DistributedField... Others>
void exchange_halo(const Exec& exec, const std::tuple<First&, Others&...>& fields,
                   const core::RulesOfField<First>& edges)
{
  const auto on = core::on(exec);
  core::with_halo_exchange(on, fields, edges, false, [&](const auto& exchange) { exchange.fill(on); });
}

template <core::ExecutionArgument Exec, core::DistributedField Field>
void exchange_halo(const Exec& exec, const Field& field, const core::RulesOfField<Field>& edges)
{
  exchange_halo(exec, std::tie(field), edges);
}

} // namespace Keramos
