// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exchange_halo, and its two halves for who computes in between.
#pragma once

#include "../core/Execution.hpp"
#include "../stencil/Checks.hpp"
#include "Exchange.hpp"

#include <cstddef>

namespace Keramos {

/// A halo whose messages are on their way: finish() before anybody reads it, and before another exchange of the field.
template <class View>
class PendingHalo {
public:
  explicit PendingHalo(const core::HaloExchange<View>& exchange) : exchange_(&exchange) {}

  /// Lets messages move, from time to time during long work on a host.
  void progress() const { exchange_->progress(); }
  /// Waits for them; work on `exec` then finds the halo filled.
  template <core::ExecutionSpace Exec>
  void finish(const Exec& exec) const
  {
    exchange_->finish(exec);
  }

private:
  const core::HaloExchange<View>* exchange_;
};

/// Begins to fill the whole halo of a field, corners too, from the ranks that own its images under the edge rules. Called by
/// all ranks. Owned points may be read until finish(), and not be written.
///
///     const auto halo = Keramos::begin_exchange(exec, u, Keramos::periodic);
///     ...                                                                     // work that needs no halo
///     halo.finish(exec);
///
/// Errors   (Keramos::Error, at the first call of a kind, on all ranks) periodic or periodic_closed on one side only
/// Cost     the halo once through memory on both ends, and through the network
template <core::ExecutionSpace Exec, class View>
PendingHalo<View> begin_exchange(const Exec& exec, const Distributed<View>& field,
                                 const EdgeRules<Distributed<View>::rank>& edges)
{
  core::HaloRequest request;
  for (int axis = 0; axis < Distributed<View>::rank; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    request.low[k] = field.halo().low[k];
    request.high[k] = field.halo().high[k];
    request.edges[k] = edges[axis];
  }
  const auto& exchange = core::halo_exchange(field, request);
  core::or_abort(field.communicator(), "begin_exchange", [&] { exchange.begin(exec); });
  return PendingHalo<View>(exchange);
}

/// Fills the whole halo of a field, corners too, as begin_exchange does, and waits for it.
template <core::ExecutionSpace Exec, class View>
void exchange_halo(const Exec& exec, const Distributed<View>& field, const EdgeRules<Distributed<View>::rank>& edges)
{
  begin_exchange(exec, field, edges).finish(exec);
}

} // namespace Keramos
