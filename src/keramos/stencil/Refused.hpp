// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What apply_stencil says to arguments that it does not take (core/Refused.hpp).
#pragma once

#include "../core/RefusedArguments.hpp"
#include "../core/RefusedRequests.hpp"
#include "Arguments.hpp"

#include <concepts>

#define KERAMOS_EDGE_RULES                                                                                             \
  "one edge rule for all axes, as in Keramos::periodic, or one for each View index, as in {periodic, nearest, "        \
  "sides(constant(0), nearest)}. constant takes the value beyond the edge, as in constant(0)."
#define KERAMOS_MUST_BE_AN_EDGE_RULE                                                                                   \
  "must be an edge rule, as in sides(constant(0), nearest). constant takes the value beyond the edge."

namespace Keramos {
namespace core {

/// What makes no edge rule. Lists in braces are left to EdgeRule.
struct NoEdgeRule {
  template <class T>
    requires(!std::convertible_to<const T&, EdgeRule> && !std::same_as<T, Edge>)
  NoEdgeRule(const T&) {}
};

struct AnOperator {
  template <StencilOperator T>
  AnOperator(const T&)
  {
  }
};
struct NoOperator {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (StencilOperator<T> && ...)))
  NoOperator(const T&...) {}
};

/// What makes no edge rules: too few in braces, or too many, or something else.
template <int Rank>
struct NoRules {
  template <class... T>
    requires(!std::constructible_from<EdgeRules<Rank>, const T&...>)
  NoRules(const T&...) {}
  // The same where a rule is itself in braces, {low, high}: no type is deduced from these.
  NoRules(AxisRule, AxisRule) requires(Rank != 2) {}
  NoRules(AxisRule, AxisRule, AxisRule) requires(Rank != 3) {}
};
template <class Op>
using NoRulesOf = std::type_identity_t<NoRules<Op::rank>>;

} // namespace core

core::Refused sides(core::NoEdgeRule low, core::Anything)
    KERAMOS_REFUSED("Keramos::sides: argument 'low' " KERAMOS_MUST_BE_AN_EDGE_RULE);
core::Refused sides(EdgeRule, core::NoEdgeRule high)
    KERAMOS_REFUSED("Keramos::sides: argument 'high' " KERAMOS_MUST_BE_AN_EDGE_RULE);
core::Refused sides(core::Anything = {})
    KERAMOS_REFUSED("Keramos::sides: expected sides(low, high), with an edge rule for each side of an axis.");

core::Refused apply_stencil(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {},
                            core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::apply_stencil: the first argument must be an execution space instance, as in "
                    "apply_stencil(exec, op, in, out, edges).");
core::Refused apply_stencil(core::ASpace, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::apply_stencil: expected apply_stencil(exec, op, in, out, edges), and behind these an "
                    "epilogue, a Region, or both.");
core::Refused apply_stencil(core::ASpace, core::NoOperator op, core::Anything, core::Anything, core::Anything = {},
                            core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED(
        "Keramos::apply_stencil: argument 'op' must be an operator: Star, Box, Line, SparseStencil, what "
        "FiniteDifference makes, or a type with constants rank, radius, shape and tap_count, and with weight(t) "
        "and offset(t), which are const.");
core::Refused apply_stencil(core::ASpace, core::AnOperator, core::NoData in, core::Anything, core::Anything = {},
                            core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::apply_stencil: argument 'in' " KERAMOS_MUST_BE_A_VIEW);
core::Refused apply_stencil(core::ASpace, core::AnOperator, core::Data, core::NoData out, core::Anything = {},
                            core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::apply_stencil: argument 'out' " KERAMOS_MUST_BE_A_VIEW);
core::Refused apply_stencil(core::ASpace, core::AnOperator, core::Data, core::ConstOutput out, core::Anything = {},
                            core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::apply_stencil: argument 'out' " KERAMOS_HAS_CONST_ELEMENTS);
core::Refused apply_stencil(core::ASpace, core::AnOperator, core::Data, core::Output)
    KERAMOS_REFUSED("Keramos::apply_stencil: argument 'edges' is missing: behind out stands " KERAMOS_EDGE_RULES);
template <core::StencilOperator Op>
core::Refused apply_stencil(core::ASpace, const Op&, core::Data, core::Output, core::NoRulesOf<Op> edges,
                            core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::apply_stencil: argument 'edges' must be " KERAMOS_EDGE_RULES);
template <core::StencilOperator Op>
core::Refused apply_stencil(core::ASpace, const Op&, core::Data, core::Output, core::RulesOf<Op>)
    KERAMOS_REFUSED("Keramos::apply_stencil: " KERAMOS_MUST_BE_OF_ONE_KIND);
template <core::StencilOperator Op>
core::Refused apply_stencil(core::ASpace, const Op&, core::Data, core::Output, core::RulesOf<Op>, core::Anything finish,
                            core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED(
        "Keramos::apply_stencil: what follows 'edges' must be an epilogue: Epilogue{f, fields...}, "
        "LeapFrog{previous, scale}, or a function, callable where it is const, of (value, centre, i...) with "
        "one index for each View index; or a Region of the rank of op; or first the one and then the other. in and out "
        "must both be Kokkos::Views, or both Distributed fields, which take an Overlap at the end.");

} // namespace Keramos
