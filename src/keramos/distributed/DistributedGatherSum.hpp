// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One gather-sum of several processes, on one rank: its targets stay, and the sources of all ranks come by, in their order,
// a node of the tree of blocks at a time (Problem.hpp of the family has the tree). Between the nodes a target keeps the
// running sums of the levels above, and so has the bits that one process gives it.
//
//     for each node:   every rank that has sources of it packs and broadcasts them
//                      the local kernels add them to the targets, on a GPU while the next node comes
#pragma once

#include "../core/Dispatch.hpp"
#include "../gather_sum/Dispatch.hpp"
#include "DistributedField.hpp"
#include "DistributedKernel.hpp"
#include "DistributedSources.hpp"
#include "SourceStream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace Keramos::core {

template <class S>
inline constexpr bool spans_ranks<DistributedSources<S>> = true;
template <class View>
inline constexpr bool spans_ranks<Distributed<View>> = true;
template <class S>
inline constexpr bool is_sources<DistributedSources<S>> = is_sources<S>;
template <class View>
inline constexpr bool is_targets<Distributed<View>> = true;
template <class Potential, class Gradient>
inline constexpr bool spans_ranks<PotentialAndGradient<Potential, Gradient>> =
    spans_ranks<Potential> || spans_ranks<Gradient>;
template <class View>
inline constexpr bool spans_ranks<Gradient<View>> = spans_ranks<View>;

// ---- Arguments as this rank's call takes them -----------------------------------------------------------------------

/// Owned points of distributed fields, this rank's sources; what is local stays.
template <class Argument>
const Argument& local_argument(const Argument& argument)
{
  return argument;
}
template <class View>
auto local_argument(const Distributed<View>& field)
{
  return field.owned();
}
template <class S>
const S& local_argument(const DistributedSources<S>& sources)
{
  return sources.local();
}
template <class Potential, class Gradient>
auto local_argument(const PotentialAndGradient<Potential, Gradient>& out)
{
  return PotentialAndGradient{local_argument(out.potential), local_argument(out.gradient)};
}
template <class View>
auto local_argument(const Gradient<View>& out)
{
  return Gradient{local_argument(out.gradient)};
}
template <class Argument>
using LocalArgument = std::remove_cvref_t<decltype(local_argument(std::declval<const Argument&>()))>;

/// f(name, field) for every argument that is distributed.
template <class Targets, class S, class Output, class F>
void for_each_distributed(const Targets& targets, const S& sources, const Output& out, const F& f)
{
  const auto visit = [&](const char* name, const auto& argument) {
    if constexpr (spans_ranks<std::remove_cvref_t<decltype(argument)>>) f(name, argument);
  };
  visit("sources", sources);
  visit("targets", targets);
  using Traits = OutputTraits<Output>;
  visit(Traits::first_name, Traits::first(out));
  if constexpr (Traits::with_potential && Traits::with_gradient) visit("out.gradient", out.gradient);
}

/// The axes of an output that may be distributed. A gradient may have one of its components, which begins at 0.
template <class Output>
inline constexpr int target_axes = std::min<int>(OutputTraits<Output>::First::rank, 3);

/// The first global index of each axis of the output that this rank owns; zeros where the output is not distributed.
template <class Output>
Index3 first_target(const Output& out)
{
  Index3 first{};
  const auto& field = OutputTraits<Output>::first(out);
  if constexpr (is_distributed<std::remove_cvref_t<decltype(field)>>)
    for (int axis = 0; axis < target_axes<Output>; ++axis)
      first[axis] = field.box().begin[static_cast<std::size_t>(axis)];
  return first;
}

template <class Targets, class S, class Output>
Communicator& communicator_of(const Targets& targets, const S& sources, const Output& out)
{
  Communicator* result = nullptr;
  for_each_distributed(targets, sources, out, [&](const char*, const auto& argument) {
    if (!result) result = &argument.communicator();
  });
  return *result;
}

/// One group of ranks; targets and gradient on the ranks of the output.
template <class Targets, class S, class Output>
void check_ranks(const Targets& targets, const S& sources, const Output& out)
{
  const Communicator& ranks = communicator_of(targets, sources, out);
  for_each_distributed(targets, sources, out, [&](const char* name, const auto& argument) {
    if (&argument.communicator() != &ranks)
      fail("gather_sum", name, "ranks of one Cartesian, as the other distributed arguments have",
           "another group of ranks");
    if constexpr (is_distributed<std::remove_cvref_t<decltype(argument)>>) {
      using First = typename OutputTraits<Output>::First;
      const Index3 expected = first_target(out);
      for (int axis = 0; axis < std::min<int>(argument.rank, target_axes<Output>); ++axis)
        if (is_distributed<First> && argument.box().begin[static_cast<std::size_t>(axis)] != expected[axis])
          fail("gather_sum", name,
               text("a partition that begins at ", expected[axis], " along axis ", axis, ", as out's"),
               text(argument.box().begin[static_cast<std::size_t>(axis)]));
    }
  });
}

// ---- The call -------------------------------------------------------------------------------------------------------

/// What a call keeps of its targets between two nodes.
template <class T>
void set_carry(GatherOutput<T>& out, double* sums, std::int64_t number, bool last)
{
  const auto& extent = out.potential.extent;
  out.carry = {sums, count_of(extent), {}, number, last};
  std::int64_t stride = 1;
  for (const int axis : fastest_first(out.potential, std::array{0, 1, 2}, 3)) {
    out.carry.stride[axis] = stride;
    stride *= extent[axis];
  }
}

template <class Space, class T, bool WithGradient, class K> // K as Interaction has it
class DistributedGatherSum {
public:
  DistributedGatherSum(const On<Space>& on, const GatherSumCall<T>& call, const BareKernel<K>& kernel)
      : on_(on), call_(call), interaction_(kernel)
  {
  }

  /// The sources are this rank's own.
  DistributedKernel run(const char* transport) const
  {
    const Kernel kernel = dispatch(Problem(call_));
    return {kernel, kernel, transport};
  }

  /// (collective) All nodes; only asked, where the call is.
  template <class Buffers>
  DistributedKernel run(Communicator& communicator, Buffers& buffers) const
  {
    SourceStream stream(communicator, buffers, on_, call_.sources);
    const std::int64_t nodes = stream.nodes();
    DistributedKernel kernel;
    kernel.transport = communicator.name();
    if (!on_.dry) {
      stream.reserve();
      stream.bring(0);
    }
    for (std::int64_t number = 0; number < nodes; ++number) {
      if (!on_.dry) stream.take();
      kernel.boundary = add(stream.node(number), buffers, number, nodes);
      if (number == 0) kernel.interior = kernel.boundary;
      if (!on_.dry && number + 1 < nodes) stream.bring(number + 1);
    }
    return kernel;
  }

private:
  using Problem = GatherSumProblem<T, WithGradient>;

  template <class Buffers>
  Kernel add(const GatherSources<T>& sources, Buffers& buffers, std::int64_t number, std::int64_t nodes) const
  {
    GatherSumCall<T> call = call_;
    call.sources = sources;
    const auto targets = count_of(call.output.potential.extent);
    const auto doubles = static_cast<std::size_t>(GatherCarry::size(targets, total_components<WithGradient>));
    if (nodes > 1 && !on_.dry)
      set_carry(call.output, buffers.reserve(on_.space, buffers.carry, doubles), number, number + 1 == nodes);
    GatherWorkspace workspace;
    if (const std::size_t bytes = gather_sum_workspace(on_, Problem(call), interaction_); bytes > 0 && !on_.dry)
      workspace = {buffers.reserve(on_.space, buffers.workspace, bytes), bytes, true};
    return dispatch(Problem(call, workspace));
  }

  Kernel dispatch(const Problem& problem) const
  {
    return dispatch_gather_sum("gather_sum", on_, problem, interaction_);
  }

  const On<Space>& on_;
  GatherSumCall<T> call_;
  Interaction<T, K> interaction_;
};

/// What the others hear of this rank's sources.
template <class T>
SourceTerms terms_of(const GatherSumCall<T>& call)
{
  const std::int64_t count = call.sources.count();
  const bool has_points = count > 0 || call.targets.on_grid || call.targets.points.count > 0;
  return {count, has_points ? call.sources.positions.dimension : 0};
}

/// (collective) What every rank says of its arguments; throws Error, on all ranks, where one of them is wrong. One small
/// message a call: the number of sources travels anyway. Returns the coordinates of a source; 0: no rank has points.
template <class Check>
int agree_on_sources(Communicator& communicator, std::vector<SourceTerms>& all, SourceTerms mine, const Check& check)
{
  try {
    check(mine);
  } catch (const Error&) {
    mine.fails = true;
  }
  communicator.all_gather(&mine, sizeof mine, all.data());
  if (std::ranges::any_of(all, [](const SourceTerms& terms) { return terms.fails; }))
    agree(communicator, [&] { check(mine); });
  std::int64_t dimension = 0;
  for (const SourceTerms& terms : all) {
    if (dimension > 0 && terms.dimension > 0 && terms.dimension != dimension)
      fail("gather_sum", "sources", "as many coordinates on all ranks", text(dimension, " and ", terms.dimension));
    dimension = std::max(dimension, terms.dimension);
  }
  return static_cast<int>(dimension);
}

/// The kernel by value, as check_gather_sum() takes it.
template <class Space, class K, class Targets, class S, class Output>
DistributedKernel distributed_gather_sum(const On<Space>& on, K kernel, const Targets& targets, const S& sources,
                                         const Output& out, Update update)
{
  using Local = LocalArgument<Output>;
  using T = typename OutputTraits<Local>::First::non_const_value_type;
  using Wanted = WantedKernel<K, Local>;
  constexpr bool with_gradient = OutputTraits<Local>::with_gradient;
  const ProfilingRegion region("gather_sum", on.label);
  Communicator& communicator = communicator_of(targets, sources, out);
  GatherSumCall<T> call;
  const auto check = [&](SourceTerms& mine) {
    check_ranks(targets, sources, out);
    check_kernel<T>(kernel);
    call = gather_sum_call<Space, T>(local_argument(targets), local_argument(sources), local_argument(out), update);
    call.targets.first = first_target(out);
    mine = terms_of(call);
  };
  const auto run = [&](const auto& body) {
    DistributedKernel ran;
    if (on.dry || on.only) { // a backend may cover the call on some ranks alone
      On<Space> asking = on;
      asking.dry = true;
      agree(communicator,
            [&] { ran = body(DistributedGatherSum<Space, T, with_gradient, Wanted>(asking, call, kernel)); });
    }
    if (!on.dry)
      ran = or_abort(communicator, "gather_sum",
                     [&] { return body(DistributedGatherSum<Space, T, with_gradient, Wanted>(on, call, kernel)); });
    return ran;
  };
  if constexpr (spans_ranks<S>) {
    if (const int dimension = agree_on_sources(communicator, sources.buffers().terms, {}, check); dimension > 0)
      call.sources.positions.dimension = dimension;
    return run([&](const auto& sum) { return sum.run(communicator, sources.buffers()); });
  } else {
    agree(communicator, [&] {
      SourceTerms mine;
      check(mine);
    });
    return run([&](const auto& sum) { return sum.run(communicator.name()); });
  }
}

} // namespace Keramos::core
