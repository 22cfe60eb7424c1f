// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::transpose, permute and copy of distributed fields: the public calls.
#pragma once

#include "../transpose/Arguments.hpp"
#include "../transpose/Refused.hpp"
#include "Redistribute.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace Keramos {

/// (collective) out(j, i) = in(i, j), between any two partitions of the same ranks.
///
///     Keramos::transpose(exec, in, out);
///
/// exec     execution space instance; the call is ordered on it. The host waits for messages, and for what is packed into
///          them; what is done to `out` with the last ones is asynchronous
/// in       Distributed field of rank 2, any layout and any halo, global extents (m, n); elements are trivially copyable, of
///          1, 2, 4, 8 or 16 bytes. Owned points are read
/// out      Distributed field of rank 2, any layout and any halo, global extents (n, m), of the same value type, over the
///          ranks of in; shares no owned element with in. Its halo keeps its values
/// limit    optional: the memory for messages; at the first call with these two fields and axes, which then keep it
///
/// Returns  on this rank: interior, the kernel of what it had for itself; boundary, the one that packed the first message
/// Errors   (Keramos::Error, on all ranks at the first call with these fields and axes, before any work) extents that do not
///          match; fields over different groups of ranks; ranks that do not agree in the cuts; in and out overlap; an index
///          of out that is not its own element. A rank that fails later ends all (Communicator::abort)
/// Cost     an element that stays on its rank is read and written once, another one twice on either side of its message. The
///          first call with these fields and axes allocates, later ones do not
/// Source   L. Dalcin, M. Mortensen, D. E. Keyes, "Fast parallel multidimensional FFT using advanced MPI", J. Parallel Distrib.
///          Comput. 128, 2019; the local moves: that of transpose for Views
template <core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView>
DistributedKernel transpose(const Exec& exec, const Distributed<InView>& in, const Distributed<OutView>& out,
                            const BufferLimit& limit = {})
{
  static_assert(InView::rank == 2 && OutView::rank == 2,
                "Keramos::transpose: takes fields of rank 2; use permute<axes...> for other ranks.");
  return core::redistribute(exec, "transpose", {1, 0, 2}, in, out, limit);
}

/// (collective) out = in with its axes reordered, as numpy.transpose(in, axes), between any two partitions of the same ranks:
/// axis k of out is axis axes[k] of in. Rank 2 and 3.
///
///     Keramos::permute<2, 0, 1>(exec, in, out);                      // out(k, i, j) = in(i, j, k)
///     Keramos::permute(exec, Keramos::Axes{2, 0, 1}, in, out);       // the same, axes known at run time
///
/// The arguments, what is returned, the cost and the source are those of transpose.
///
/// Errors   those of transpose; an axis out of range or named twice (at compile time for permute<...>), or axes that differ
///          between ranks
template <std::int64_t... axes, core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView>
  requires(sizeof...(axes) > 0)
DistributedKernel permute(const Exec& exec, const Distributed<InView>& in, const Distributed<OutView>& out,
                          const BufferLimit& limit = {})
{
  constexpr std::int64_t list[] = {axes..., 0};
  static_assert(InView::rank >= 2, "Keramos::permute: takes fields of rank 2 and 3.");
  static_assert(sizeof...(axes) == InView::rank,
                "Keramos::permute: name one axis for each View index, as in permute<2, 0, 1>(exec, in, out).");
  static_assert(core::is_permutation(list, sizeof...(axes)),
                "Keramos::permute: each axis from 0 to rank - 1 must be named once.");
  return permute(exec, Axes<sizeof...(axes)>{axes...}, in, out, limit);
}

template <core::ExecutionArgument Exec, std::size_t Rank, core::KokkosView InView, core::WritableView OutView>
DistributedKernel permute(const Exec& exec, const Axes<Rank>& axes, const Distributed<InView>& in,
                          const Distributed<OutView>& out, const BufferLimit& limit = {})
{
  static_assert(InView::rank >= 2, "Keramos::permute: takes fields of rank 2 and 3.");
  static_assert(Rank == InView::rank,
                "Keramos::permute: name one axis for each View index, as in permute(exec, Axes{2, 0, 1}, in, out).");
  std::array<std::int64_t, 3> all{0, 1, 2};
  for (std::size_t k = 0; k < Rank; ++k) all[k] = axes.axis[k];
  return core::redistribute(exec, "permute", all, in, out, limit);
}

/// (collective) out(i...) = in(i...), between any two partitions of the same ranks and any two layouts. Rank 1 to 3.
///
///     Keramos::copy(exec, in, out);
///
/// A partition may give everything to one rank: then copy gathers a field for output there, or spreads what was read there.
///
///     Keramos::Partition<2> whole(ranks, {nx, ny}, {{{0, nx, nx, nx}, {0, ny}}});   // 3 ranks: all to the first
///     Keramos::Distributed<Kokkos::View<float**>> root(exec, "root", whole);        // empty on the others
///     Keramos::copy(exec, u, root);
///
/// The arguments, what is returned, the errors and the cost are those of transpose; the global extents are equal. That one
/// rank holds the whole field; its messages stay within the limit.
template <core::ExecutionArgument Exec, core::KokkosView InView, core::WritableView OutView>
DistributedKernel copy(const Exec& exec, const Distributed<InView>& in, const Distributed<OutView>& out,
                       const BufferLimit& limit = {})
{
  return core::redistribute(exec, "copy", {0, 1, 2}, in, out, limit);
}

} // namespace Keramos
