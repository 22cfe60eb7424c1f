// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators over fields that several processes share: Cartesian, Partition, Distributed, and the calls by the names that
// an application knows. Target Keramos::distributed.
#pragma once

#include "Keramos_GatherSum.hpp"
#include "Keramos_Stencil.hpp"
#include "keramos/distributed/DistributedField.hpp"
#include "keramos/distributed/DistributedKernel.hpp"
#include "keramos/distributed/DistributedStencil.hpp"
#include "keramos/distributed/Exchange.hpp"
#include "keramos/distributed/GatherSumCalls.hpp"
#include "keramos/distributed/HaloCalls.hpp"
#include "keramos/distributed/Partition.hpp"
#include "keramos/distributed/RedistributionCalls.hpp"

namespace Keramos {

/// apply_stencil over distributed fields: the same sum at every global point, bit for bit what one process computes with the
/// same instruction set and backend. Called by all ranks of the fields.
///
///     Keramos::Distributed<Kokkos::View<float***>> u(exec, "u", cut, 4), lu(exec, "lu", cut);
///     Keramos::apply_stencil(exec, laplacian, u, lu, {Keramos::periodic, Keramos::nearest, Keramos::constant(0)});
///     Keramos::apply_stencil(exec, laplacian, u, u_prev, Keramos::constant(0), Keramos::LeapFrog{u_prev, c2dt2});
///
/// exec     as in apply_stencil; dry_run and with_backend apply to this rank's kernels
/// op       as in apply_stencil
/// in, out  fields of one partition. Of in the halo is overwritten, of out only owned points are written. Along axes that one
///          rank has alone no halo is needed; along others, one as wide as the operator reaches on both sides, or the call
///          copies the input to a field that has one, at every call
/// edges    the rules of the global field; `ghost` where the application fills the halo beyond the ends
/// finish   as in apply_stencil: declared fields are distributed like out (or Views of its owned points, or numbers), indices
///          are global
/// region   only these global points; the others keep their values
/// overlap  on: messages travel while points that need none are computed; off: they come first; current: none are sent, the
///          halo is as exchange_halo left it
///
/// Errors   (Keramos::Error, at the first call of a kind, on all ranks where any has one) those of apply_stencil; fields of
///          another partition. What fails later ends all ranks
/// Cost     that of apply_stencil, and the halo once through the network; waits on the host for messages, and allocates at
///          the first call of a kind only. Where a rank has fewer points than the operator reaches, halos come from several
/// Source   P. Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2 (2009), section 4
template <core::ExecutionArgument Exec, core::StencilOperator Op, class InView, core::WritableView OutView>
DistributedKernel apply_stencil(const Exec& exec, const Op& op, const Distributed<InView>& in,
                                const Distributed<OutView>& out, const core::RulesOf<Op>& edges,
                                Overlap overlap = Overlap::on)
{
  return core::distributed_stencil(core::on(exec), op, in, out, edges, core::StoreValue{}, overlap);
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, class InView, core::WritableView OutView,
          core::EpilogueFor<OutView> Finish>
DistributedKernel apply_stencil(const Exec& exec, const Op& op, const Distributed<InView>& in,
                                const Distributed<OutView>& out, const core::RulesOf<Op>& edges, const Finish& finish,
                                Overlap overlap = Overlap::on)
{
  return core::distributed_stencil(core::on(exec), op, in, out, edges, finish, overlap);
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, class InView, core::WritableView OutView>
DistributedKernel apply_stencil(const Exec& exec, const Op& op, const Distributed<InView>& in,
                                const Distributed<OutView>& out, const core::RulesOf<Op>& edges,
                                const Region<Op::rank>& region, Overlap overlap = Overlap::on)
{
  return core::distributed_stencil(core::on(exec), op, in, out, edges, core::StoreValue{}, overlap, &region);
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, class InView, core::WritableView OutView,
          core::EpilogueFor<OutView> Finish>
DistributedKernel apply_stencil(const Exec& exec, const Op& op, const Distributed<InView>& in,
                                const Distributed<OutView>& out, const core::RulesOf<Op>& edges, const Finish& finish,
                                const Region<Op::rank>& region, Overlap overlap = Overlap::on)
{
  return core::distributed_stencil(core::on(exec), op, in, out, edges, finish, overlap, &region);
}

} // namespace Keramos
