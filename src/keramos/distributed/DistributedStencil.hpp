// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One stencil call over distributed fields, on one rank: the exchange is posted, the interior computed meanwhile, and the
// boundary when the messages are there. Every part is a call of apply_stencil over the local Views, with `ghost` where an
// axis goes through the halo.
#pragma once

#include "../../Keramos_Stencil.hpp"
#include "../../Keramos_Transpose.hpp"
#include "CallLog.hpp"
#include "DistributedEpilogue.hpp"
#include "DistributedKernel.hpp"
#include "Exchange.hpp"
#include "StencilSetup.hpp"
#include "StencilSplit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace Keramos {

/// How a call over distributed fields treats the halo of its input.
///
/// on       exchanges it while it computes the interior
/// off      exchanges it first: to compare
/// current  uses it as it is: nothing has been written to the field since an exchange of that width under these rules
enum class Overlap { on, off, current };

namespace core {

template <int Rank>
EdgeRules<Rank> rules_of(const std::array<AxisRule, 3>& rules)
{
  if constexpr (Rank == 1)
    return {rules[0]};
  else if constexpr (Rank == 2)
    return {rules[0], rules[1]};
  else
    return {rules[0], rules[1], rules[2]};
}

/// One call with its types; `Where` is an execution argument, On<Space>.
template <class Where, StencilOperator Op, class InView, class OutView, class Finish>
class DistributedStencil {
  static_assert((require_one_component<InView>(), require_one_component<OutView>(), true));
  static constexpr int rank = Op::rank;
  using Space = decltype(Where::space);
  using Setup = StencilSetup<InView, Space>;

public:
  DistributedStencil(const Where& where, const Op& op, const Distributed<InView>& in, const Distributed<OutView>& out,
                     const EdgeRules<rank>& edges, const Finish& finish, const Region<rank>* region)
      : where_(where), op_(op), in_(in), out_(out), finish_(finish)
  {
    for (int axis = 0; axis < rank; ++axis) edges_[static_cast<std::size_t>(axis)] = edges[axis];
    if (!region) return;
    region_.emplace(LocalBox{{0, 0, 0}, {1, 1, 1}});
    std::copy(region->begin.begin(), region->begin.end(), region_->begin.begin());
    std::copy(region->end.begin(), region->end.end(), region_->end.begin());
  }

  DistributedKernel run(Overlap overlap) const
  {
    const CallLog log("apply_stencil", where_, in_.communicator());
    const DistributedKernel kernel = take(overlap);
    log.took(kernel, where_.dry);
    return kernel;
  }

private:
  DistributedKernel take(Overlap overlap) const
  {
    const Setup* setup = known_setup();
    if (!setup)
      setup = &make_setup();
    else if (where_.only)
      agree(in_.communicator(), [&] { ask(*setup); }); // which may cover the call on some ranks alone
    if (where_.dry) return {part(*setup, written(*setup)), part(*setup, written(*setup)), transport()};
    return or_abort(in_.communicator(), "apply_stencil", [&] { return launch(*setup, overlap); });
  }

  const char* transport() const { return in_.communicator().transport(place_of<Space>); }

  const Setup* known_setup() const
  {
    const StencilReach reach = reach_of(op_);
    const auto fields = fields_of(finish_);
    const auto out = identity_of(out_);
    for (const auto& one : in_.remembered())
      if (const auto* setup = dynamic_cast<const Setup*>(one.get()))
        if (setup->kind.is(reach, edges_, region_, out, fields)) return setup;
    return nullptr;
  }

  /// (collective) Wrong use on any rank is thrown on all.
  const Setup& make_setup() const
  {
    Communicator& ranks = in_.communicator();
    auto setup = std::make_unique<Setup>();
    agree(ranks, [&] { check(); });
    const auto fields = fields_of(finish_);
    setup->kind = {reach_of(op_), edges_, region_, identity_of(out_), {fields.begin(), fields.end()}};
    for (int axis = 0; axis < rank; ++axis)
      setup->through_halo[axis] = goes_through_halo(in_.partition().ranks().shape()[axis], edges_[axis]);
    if (needs_whole_halo(setup->through_halo, edges_, setup->kind.reach.corners))
      for (int axis = 0; axis < rank; ++axis) setup->through_halo[axis] = true;
    const HaloRequest request = setup->request();
    const Halo<rank> halo = setup->halo();
    if (any_rank(ranks, !fits(halo)))
      or_abort(ranks, "apply_stencil", [&] { // a rank without memory for it would leave the others waiting
        setup->staging.emplace(allocated_like(where_.space, "Keramos::apply_stencil::staging", in_, halo),
                               in_.partition(), halo);
      });
    agree(ranks, [&] { ask(*setup); });
    setup->exchange = &halo_exchange<Space>([&](const auto&) { return request; }, source(*setup));
    forget_dead_outputs();
    in_.remembered().push_back(std::move(setup));
    return static_cast<const Setup&>(*in_.remembered().back());
  }

  /// Whose field is no more, is asked for no more.
  void forget_dead_outputs() const
  {
    std::erase_if(in_.remembered(), [](const auto& one) {
      const auto* setup = dynamic_cast<const Setup*>(one.get());
      return setup && setup->kind.out.expired();
    });
  }

  /// The checks of the local call.
  void ask(const Setup& setup) const
  {
    auto dry = where_;
    dry.dry = true;
    call(dry, setup, written(setup));
  }

  void check() const
  {
    for (int t = 0; t < Op::tap_count; ++t) check_tap<rank>(op_.offset(t));
    for (std::size_t axis = 0; axis < rank; ++axis) {
      check_sides("apply_stencil", static_cast<int>(axis), edges_[axis]);
      if (region_)
        check_region(static_cast<int>(axis), region_->begin[axis], region_->end[axis], in_.partition().extents()[axis]);
    }
    check_same_partition("apply_stencil", "out", out_, "'in'", in_);
    for_fields(finish_, [&](const char* argument, const auto& field) {
      if constexpr (is_distributed<std::remove_cvref_t<decltype(field)>>)
        check_same_partition("apply_stencil", argument, field, "'in'", in_);
    });
    check_apart("apply_stencil", "in", field_of(in_.local()), "out", field_of(out_.owned()));
  }

  bool fits(const Halo<rank>& halo) const
  {
    bool fits = true;
    for (std::size_t axis = 0; axis < rank; ++axis)
      fits = fits && in_.halo().low[axis] >= halo.low[axis] && in_.halo().high[axis] >= halo.high[axis];
    return fits;
  }

  const Distributed<InView>& source(const Setup& setup) const { return setup.staging ? *setup.staging : in_; }

  LocalBox written(const Setup& setup) const
  {
    const auto box = in_.box();
    std::array<std::int64_t, 3> begin{}, own{1, 1, 1}, extent{1, 1, 1};
    for (std::size_t axis = 0; axis < rank; ++axis) {
      begin[axis] = box.begin[axis];
      own[axis] = box.extent(static_cast<int>(axis));
      extent[axis] = in_.partition().extents()[axis];
    }
    LocalBox points = written_points(begin, own, extent, edges_, setup.through_halo, setup.kind.reach);
    for (std::size_t axis = 0; region_ && axis < rank; ++axis) {
      points.begin[axis] = std::clamp(region_->begin[axis] - begin[axis], points.begin[axis], points.end[axis]);
      points.end[axis] = std::clamp(region_->end[axis] - begin[axis], points.begin[axis], points.end[axis]);
    }
    return points;
  }

  /// The local call over some of the points.
  template <class Argument>
  Kernel call(const Argument& where, const Setup& setup, const LocalBox& points) const
  {
    std::array<std::int64_t, rank> begin, end;
    std::array<AxisRule, 3> rules = edges_;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (setup.through_halo[axis]) rules[axis] = ghost;
      begin[axis] = points.begin[axis];
      end[axis] = points.end[axis];
    }
    const Region<rank> region(begin, end);
    return core::apply_stencil(where, op_, source(setup).around(setup.halo().low), out_.owned(), rules_of<rank>(rules),
                               local_epilogue<rank>(finish_, in_.box()), &region);
  }
  Kernel part(const Setup& setup, const LocalBox& points) const { return call(where_, setup, points); }

  DistributedKernel launch(const Setup& setup, Overlap overlap) const
  {
    const ProfilingRegion region("apply_stencil", where_.label);
    const HaloExchangeOf<InView, Space>& exchange = *setup.exchange;
    const LocalBox points = written(setup);
    if (setup.staging) Keramos::copy(with_label(where_.space, where_.label), in_.owned(), setup.staging->owned());
    if (overlap != Overlap::on) {
      if (overlap == Overlap::off || setup.staging) exchange.fill(where_);
      const Kernel kernel = part(setup, points);
      return {kernel, kernel, transport()};
    }
    exchange.begin(where_);
    const Split parts = split(points, written_extent(), setup.margins(), exchange.order());
    const Kernel inside = interior(setup, parts.interior);
    exchange.arrive(where_);
    const Kernel outside = boundary(setup, parts.boundary, inside);
    exchange.finish(where_.space);
    return {inside, outside, transport()};
  }

  /// In the lanes of the messages: on a GPU slabs, which fill few multiprocessors, run beside each other and beside what is
  /// left of the interior.
  template <class Slabs>
  Kernel boundary(const Setup& setup, const Slabs& slabs, Kernel taken) const
  {
    const ProfilingRegion region("apply_stencil::boundary", where_.label);
    const auto lanes = setup.exchange->lanes(where_.space);
    std::size_t next = 0;
    for (const LocalBox& slab : slabs) taken = call(where_.in(*lanes[next++ % lanes.size()]), setup, slab);
    return taken;
  }

  std::array<std::int64_t, 3> written_extent() const
  {
    std::array<std::int64_t, 3> own{1, 1, 1};
    for (std::size_t axis = 0; axis < rank; ++axis) own[axis] = in_.box().extent(static_cast<int>(axis));
    return own;
  }

  /// On a host nobody but this thread moves messages of MPI: between parts of the interior it looks after them. Four parts of
  /// 16 planes at least are a guess for networks.
  Kernel interior(const Setup& setup, const LocalBox& points) const
  {
    const ProfilingRegion region("apply_stencil::interior", where_.label);
    const auto axis = static_cast<std::size_t>(setup.exchange->order()[rank - 1]);
    const std::int64_t begin = points.begin[axis], extent = points.end[axis] - begin;
    const bool in_parts = is_host<Space> && setup.exchange->wants_progress();
    const std::int64_t parts = in_parts ? std::clamp<std::int64_t>(extent / 16, 1, 4) : 1;
    Kernel kernel;
    for (std::int64_t p = 0; p < parts; ++p) {
      LocalBox slab = points;
      slab.begin[axis] = begin + extent * p / parts;
      slab.end[axis] = begin + extent * (p + 1) / parts;
      if (slab.empty() && p + 1 < parts) continue;
      kernel = part(setup, slab);
      setup.exchange->progress();
    }
    return kernel;
  }

  const Where& where_;
  const Op& op_;
  const Distributed<InView>& in_;
  const Distributed<OutView>& out_;
  std::array<AxisRule, 3> edges_{periodic, periodic, periodic};
  const Finish& finish_;
  std::optional<LocalBox> region_;
};

/// The public calls: over the whole field, or in a region of it.
template <class Where, StencilOperator Op, class InView, class OutView, class Finish>
DistributedKernel distributed_stencil(const Where& where, const Op& op, const Distributed<InView>& in,
                                      const Distributed<OutView>& out, const RulesOf<Op>& edges, const Finish& finish,
                                      Overlap overlap, const Region<Op::rank>* region = nullptr)
{
  return DistributedStencil<Where, Op, InView, OutView, Finish>(where, op, in, out, edges, finish, region).run(overlap);
}

} // namespace core
} // namespace Keramos
