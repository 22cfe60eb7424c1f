// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sends what to whom when a field goes from one partition to another with its axes reordered, and how these messages are
// cut into rounds. Pure: numbers in, numbers out.
//
// A transpose between three ranks, both fields cut along View index 0:
//
//             in                          out(j, i) = in(i, j)
//     rank 0  | A0  A1  A2 |      rank 0  | A0' B0' C0' |
//     rank 1  | B0  B1  B2 |      rank 1  | A1' B1' C1' |
//     rank 2  | C0  C1  C2 |      rank 2  | A2' B2' C2' |
//
// Rank 1 sends B2 to rank 2, then B0 to rank 0; it receives A1' from rank 0, then C1' from rank 2; B1 it turns itself. In
// the step with number s every rank sends to the one s behind it and receives from the one s before it, so that no rank is
// everybody's partner at once (round-robin order).
#pragma once

#include "../core/Field.hpp"
#include "Partition.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace Keramos::core {

/// The cuts of every axis, as Partition has them; ranks are counted with the last axis fastest.
template <int Rank>
using Cuts = std::array<std::vector<std::int64_t>, static_cast<std::size_t>(Rank)>;

/// What one rank has to do. No box is empty but those for itself.
template <int Rank>
struct RedistributionPlan {
  struct Piece {
    int rank = 0; ///< whom it goes to, or comes from
    Subdomain<Rank> box;
  };
  std::vector<Piece> sends;        ///< in global indices of in; to rank + 1, rank + 2, ...
  std::vector<Piece> receives;     ///< in global indices of out; from rank - 1, rank - 2, ...
  Subdomain<Rank> own_in, own_out; ///< what it has for itself, in the indices of either
};

/// Axis k of out is axis axes[k] of in; both are cut between the same number of ranks.
///
/// Cost     as many steps as ranks of the other partition meet this rank's box, and parts without points lie between them
template <int Rank>
RedistributionPlan<Rank> redistribution_plan(const Cuts<Rank>& in, const Cuts<Rank>& out,
                                             const std::array<std::int64_t, static_cast<std::size_t>(Rank)>& axes,
                                             int rank);

// Rounds. The extents of a message stand fastest axis first, and so its elements lie in memory. Sender and receiver cut it in
// the same way because that depends on its extents and on the number of rounds alone.

/// The extents of what a message of these extents carries in one of `rounds` rounds, at most: it is cut along its slowest
/// axis, and along the next where even single points of that one are too many.
Index3 part_extents(const Index3& extents, std::int64_t rounds);

/// A box within a message.
struct MessagePart {
  Index3 begin{}, extent{}; ///< all extents are 0 where nothing is left
};

/// What travels in one round, for parts of these extents.
MessagePart message_part(const Index3& extents, const Index3& part, std::int64_t round);

/// The least number of rounds in which parts of all these messages together have no more than `elements` elements. Where
/// there are more messages than that, each round carries an element of each.
std::int64_t rounds_within(std::span<const Index3> messages, std::int64_t elements);

} // namespace Keramos::core
