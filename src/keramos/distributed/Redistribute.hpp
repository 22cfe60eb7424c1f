// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A permute, transpose or copy between distributed fields: its checks, on which all ranks agree, and then the work that `out`
// remembers or that is made now.
#pragma once

#include "../core/Execution.hpp"
#include "../core/Views.hpp"
#include "../transpose/Checks.hpp"
#include "CallLog.hpp"
#include "Redistribution.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace Keramos::core {

template <class View>
using MovedElement = ElementOf<typename View::non_const_value_type>;

/// (collective) Those of every rank.
template <class InView, class OutView>
std::vector<RedistributionTerms> terms_of_ranks(const std::array<std::int64_t, 3>& axes, const Distributed<InView>& in,
                                                const Distributed<OutView>& out)
{
  Communicator& ranks = in.communicator();
  const RedistributionTerms mine{axes, fastest_first(padded<3>(field_of(out.local())), std::array<int, 3>{0, 1, 2}, 3),
                                 in.partition().checksum(), out.partition().checksum()};
  std::vector<RedistributionTerms> terms(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&mine, sizeof mine, terms.data());
  return terms;
}

template <class InView, class OutView>
void check_redistribution(const char* function, const std::array<std::int64_t, 3>& axes, const Distributed<InView>& in,
                          const Distributed<OutView>& out, const std::vector<RedistributionTerms>& terms)
{
  constexpr std::size_t rank = Distributed<InView>::rank;
  if (!is_permutation(axes.data(), rank))
    fail(function, "axes", text("each axis from 0 to ", rank - 1, " once"),
         tuple_text(std::vector<std::int64_t>(axes.begin(), axes.begin() + rank)));
  if (&in.communicator() != &out.communicator())
    fail(function, "out", "a field over the ranks of 'in', as partitions of one Cartesian have them",
         "one over another group of ranks");
  std::array<std::int64_t, rank> expected;
  for (std::size_t k = 0; k < rank; ++k) expected[k] = in.partition().extents()[static_cast<std::size_t>(axes[k])];
  check_extents(function, "out", expected, out.partition().extents());
  for (const RedistributionTerms& other : terms) {
    if (other.axes != axes)
      fail(function, "axes", text("the same on all ranks, such as ", tuple_text(other.axes)), tuple_text(axes));
    if (other.cuts_of_in != terms.front().cuts_of_in)
      fail(function, "in", "a partition with the same cuts on all ranks", "different ones");
    if (other.cuts_of_out != terms.front().cuts_of_out)
      fail(function, "out", "a partition with the same cuts on all ranks", "different ones");
  }
  const auto from = field_of(in.owned());
  const auto to = field_of(out.owned());
  check_output(function, "out", to);
  check_apart(function, "in", from, "out", to);
}

template <class Space, class InView, class OutView>
const Redistribution<MovedElement<InView>, Space>* find_redistribution(const std::array<std::int64_t, 3>& axes,
                                                                       const Distributed<InView>& in,
                                                                       const Distributed<OutView>& out)
{
  const auto identity = identity_of(in);
  for (const auto& one : out.remembered())
    if (const auto* found = dynamic_cast<const Redistribution<MovedElement<InView>, Space>*>(one.get()))
      if (found->is_for(identity, axes)) return found;
  return nullptr;
}

/// (collective) The first call of a kind; throws Error, on all ranks, where an argument is wrong on one.
template <class Space, class InView, class OutView>
const Redistribution<MovedElement<InView>, Space>&
make_redistribution(const char* function, const std::array<std::int64_t, 3>& axes, const Distributed<InView>& in,
                    const Distributed<OutView>& out, const BufferLimit& limit)
{
  using Made = Redistribution<MovedElement<InView>, Space>;
  const auto terms = terms_of_ranks(axes, in, out);
  agree(in.communicator(), [&] { check_redistribution(function, axes, in, out, terms); });
  in.communicator().choose_transport(place_of<Space>);
  std::unique_ptr<Made> made;
  or_abort(in.communicator(), function, [&] { made = std::make_unique<Made>(in, out, terms, limit); });
  const Made& result = *made;
  auto& remembered = out.remembered();
  std::erase_if(remembered, [](const auto& one) {
    const auto* old = dynamic_cast<const Made*>(one.get());
    return old && old->expired();
  });
  remembered.push_back(std::move(made));
  return result;
}

/// out = in with its axes reordered; the axes behind the fields' rank stand at their own places. `limit` counts at the first
/// call of a kind only.
template <class Exec, class InView, class OutView>
DistributedKernel redistribute(const Exec& exec, const char* function, const std::array<std::int64_t, 3>& axes,
                               const Distributed<InView>& in, const Distributed<OutView>& out, const BufferLimit& limit)
{
  require_one_component<InView>();
  require_one_component<OutView>();
  static_assert(Distributed<InView>::rank <= 3, "Keramos: transposes, permutes and copies of distributed fields take "
                                                "fields of rank 1 to 3.");
  require_move<Exec, Move, InView, OutView>();
  const auto on = core::on(exec);
  const ProfilingRegion region(function, on.label);
  const CallLog log(function, on, in.communicator());
  using Space = decltype(on.space);
  const auto* known = find_redistribution<Space>(axes, in, out);
  const auto& redistribution = known ? *known : make_redistribution<Space>(function, axes, in, out, limit);
  Communicator& ranks = in.communicator();
  DistributedKernel kernel;
  if (on.dry || on.only) // a backend may cover the call on some ranks alone
    agree(ranks, [&] { kernel = redistribution.ask(on, function); });
  if (!on.dry) or_abort(ranks, function, [&] { kernel = redistribution.run(on, function); });
  log.took(kernel, on.dry);
  return kernel;
}

} // namespace Keramos::core
