// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::apply_stencil: a stencil operator over a View of rank 1, 2 or 3.
#pragma once

#include "Keramos_FiniteDifference.hpp"
#include "keramos/core/Views.hpp"
#include "keramos/stencil/Arguments.hpp"
#include "keramos/stencil/BindEpilogue.hpp"
#include "keramos/stencil/Checks.hpp"
#include "keramos/stencil/Dispatch.hpp"
#include "keramos/stencil/EdgeRule.hpp"
#include "keramos/stencil/Epilogue.hpp"
#include "keramos/stencil/Operators.hpp"
#include "keramos/stencil/Problem.hpp"
#include "keramos/stencil/Refused.hpp"

namespace Keramos {

namespace core {

/// The one way in: arguments, checks, problem, dispatch.
template <class Argument, class Op, class InView, class OutView, class Epilogue>
Kernel apply_stencil(const Argument& exec, const Op& op, const InView& in, const OutView& out,
                     const EdgeRules<Op::rank>& edges, const Epilogue& epilogue, const Region<Op::rank>* region)
{
  const auto where = on(exec);
  using Space = decltype(where.space);
  require_reachable<Space, InView>();
  require_reachable<Space, OutView>();
  require_stencil_views<Op, InView, OutView>();
  const auto call = stencil_call(op, in, out, edges, region);
  check_stencil(call);
  const StencilProblem problem(call);
  return core::dispatch_stencil("apply_stencil", where, problem, bind_epilogue<Op, Space, InView>(problem, epilogue));
}

} // namespace core

/// out(i) = sum over the operator's taps of weight(offset) * in(i + offset), at every point of out or of a region.
///
///     Keramos::apply_stencil(exec, FiniteDifference::laplacian<3, 8>(h, h, h), in, out, Keramos::periodic);
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// op       Star, Box, Line, SparseStencil or a model of core::StencilOperator; offsets count View indices, weights are
///          converted to the Views' value type, which computes, and out has their unit times that of in
/// in, out  Views of the operator's rank, of one value type (float or double), of any layout; they share no element.
///          Extents are equal, except along axes with the rule `ghost`, where in is larger by the operator's reach (the
///          larger one of both directions) on each side that says so; of a wider halo, pass the sub-view
/// edges    one rule, or one per axis in View index order: {periodic, nearest, sides(constant(0), nearest)}. The index
///          maps apply axis by axis; where one axis gives `constant`, its value is read, and of two the last index's
/// region   only these points, in indices of out: Region<3>{{4, 4, 4}, {60, 60, 60}}; the others keep their values
///
/// Errors   (Keramos::Error, before any work) extents that do not match; a region outside of out; periodic or
///          periodic_closed on one side only; views that overlap; a tap offset outside -(2^31 - 1) ... 2^31 - 1
/// Cost     reads each operand and writes each point once from memory where the cache allows: 2 * sizeof(T) bytes and
///          2 * taps - 1 flops per point. Of an operator of more than 5120 taps (Box<3, 9> has 6859) the call allocates memory for
///          them, and on a GPU waits for its kernel
/// Source   P. Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2 (2009)
template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::WritableView OutView>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges)
{
  return core::apply_stencil(exec, op, in, out, edges, core::StoreValue{},
                             static_cast<const Region<Op::rank>*>(nullptr));
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::WritableView OutView>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges, const Region<Op::rank>& region)
{
  return core::apply_stencil(exec, op, in, out, edges, core::StoreValue{}, &region);
}

/// The same with an epilogue, in the same pass: what out(i) becomes of value, the stencil's sum, and centre, which is
/// in(i).
///
///     Keramos::apply_stencil(exec, laplacian, u, lu, edges, Keramos::Epilogue{f, z, 0.5});    // f(value, centre, z_i, 0.5)
///     Keramos::apply_stencil(exec, laplacian, u, u_prev, edges, Keramos::LeapFrog{u_prev, c2dt2});
///     Keramos::apply_stencil(exec, laplacian, u, lu, edges, f);                               // f(value, centre, i, j, k)
///
/// finish   Epilogue{f, fields...}, where what f reads at its point is declared: Views of out's shape and value type, or
///          numbers; LeapFrog, the wave update; or a KOKKOS_LAMBDA or functor of value, centre and the View indices of the
///          point, for what reads elsewhere. It may read out at its own point; returning void, it stores by itself
///
/// Errors   (as above) a field of an Epilogue or LeapFrog.previous that has other extents than out, or overlaps it and is
///          not out itself; LeapFrog.scale that has other extents, or overlaps out
/// Cost     sizeof(T) bytes per point more for every View of an Epilogue or LeapFrog: with the 25-point Laplacian
///          in float, a wave step has 53 flops and 12 bytes per point, 16 where the scale is a View
template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::WritableView OutView,
          core::EpilogueFor<OutView> Finish>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges, const Finish& finish)
{
  return core::apply_stencil(exec, op, in, out, edges, finish, static_cast<const Region<Op::rank>*>(nullptr));
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::WritableView OutView,
          core::EpilogueFor<OutView> Finish>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges, const Finish& finish, const Region<Op::rank>& region)
{
  return core::apply_stencil(exec, op, in, out, edges, finish, &region);
}

} // namespace Keramos
