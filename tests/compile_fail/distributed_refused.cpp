// EXPECT-LINES
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentences of the calls over fields of several processes.
// A wrong call stands on one line with what is said of it:
// clang-format off
#include <Keramos_Distributed.hpp>

#include "others.hpp"

int main()
{
  using namespace Keramos;
  using View = Kokkos::View<float**, Kokkos::HostSpace>;
  const Others::Host exec;
  const Star<2, 1> op;
  const View view;
  const Cartesian<2> ranks(MPI_COMM_WORLD, {0, 1});
  const Partition<2> cut(ranks, {8, 8});
  const Distributed<View> u(exec, "u", cut, 1), v(exec, "v", cut, 1);
  const Distributed<Kokkos::View<const float**, Kokkos::HostSpace>> fixed(view, cut);
  const Kokkos::View<float*, Kokkos::HostSpace> sums;
  const DistributedSources sources(ranks, Sources{view});
  Others other;
  transpose(exec, u, view); // SAYS: Keramos::transpose: in and out must both be Kokkos::Views, or both Distributed fields.
  transpose(exec, u, other.dual); // SAYS: Keramos::transpose: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  transpose(exec, u, fixed); // SAYS: Keramos::transpose: argument 'out' has const elements, and the call writes to it
  transpose(exec, u, v, Convert{}); // SAYS: Keramos::transpose: argument 'f' must be
  transpose(exec, u, v, BufferLimit{1});
  copy(exec, u, view); // SAYS: Keramos::copy: in and out must both be Kokkos::Views, or both Distributed fields.
  copy(exec, u, other.dual); // SAYS: Keramos::copy: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  copy(exec, u, fixed); // SAYS: Keramos::copy: argument 'out' has const elements, and the call writes to it
  transpose(exec, u, v, Accumulate{}); // SAYS: Keramos::transpose: argument 'f' must be
  copy(exec, u, v, Convert{}); // SAYS: Keramos::copy: argument 'f' must be
  copy(exec, u, v, BufferLimit{1});
  permute<1, 0>(exec, u, view); // SAYS: Keramos::permute: in and out must both be Kokkos::Views, or both Distributed fields.
  permute<1, 0>(exec, u, other.dual); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  permute<1, 0>(exec, u, fixed); // SAYS: Keramos::permute: argument 'out' has const elements, and the call writes to it
  permute<1, 0>(exec, u, v, Convert{}); // SAYS: Keramos::permute: argument 'f' must be
  permute<1, 0>(exec, u, v, BufferLimit{1});
  permute(exec, Axes{1, 0}, u, view); // SAYS: Keramos::permute: in and out must both be Kokkos::Views, or both Distributed fields.
  permute(exec, Axes{1, 0}, u, other.dual); // SAYS: Keramos::permute: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  permute(exec, Axes{1, 0}, u, fixed); // SAYS: Keramos::permute: argument 'out' has const elements, and the call writes to it
  permute(exec, Axes{1, 0}, u, v, Convert{}); // SAYS: Keramos::permute: argument 'f' must be
  permute(exec, Axes{1, 0}, u, v, BufferLimit{1});
  apply_stencil(exec, op, u, view, periodic); // SAYS: Keramos::apply_stencil: in and out must both be Kokkos::Views, or both Distributed fields.
  apply_stencil(exec, op, u, v); // SAYS: Keramos::apply_stencil: argument 'edges' is missing
  apply_stencil(exec, op, u, v, {periodic, nearest, periodic}); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, u, v, periodic, view); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, u, fixed, periodic); // SAYS: Keramos::apply_stencil: argument 'out' has const elements, and the call writes to it
  apply_stencil(exec, op, u, v, periodic, Overlap::off);
  exchange_halo(u, periodic); // SAYS: Keramos::exchange_halo: the first argument must be an execution space instance
  exchange_halo(exec); // SAYS: Keramos::exchange_halo: expected exchange_halo(exec, field, edges)
  exchange_halo(exec, view, periodic); // SAYS: Keramos::exchange_halo: argument 'field' must be a Distributed field
  exchange_halo(exec, std::tie(u, view), periodic); // SAYS: Keramos::exchange_halo: argument 'field' must be a Distributed field
  exchange_halo(exec, u); // SAYS: Keramos::exchange_halo: behind the field must stand one edge rule
  exchange_halo(exec, u, constant); // SAYS: Keramos::exchange_halo: behind the field must stand one edge rule
  exchange_halo(exec, u, {periodic, nearest, mirror}); // SAYS: Keramos::exchange_halo: behind the field must stand one edge rule
  exchange_halo(exec, std::tie(u, v), {periodic, nearest});
  begin_exchange(u, periodic); // SAYS: Keramos::begin_exchange: the first argument must be an execution space instance
  begin_exchange(exec); // SAYS: Keramos::begin_exchange: expected begin_exchange(exec, field, edges)
  begin_exchange(exec, view, periodic); // SAYS: Keramos::begin_exchange: argument 'field' must be a Distributed field
  begin_exchange(exec, std::tie(u, view), periodic); // SAYS: Keramos::begin_exchange: argument 'field' must be a Distributed field
  begin_exchange(exec, u); // SAYS: Keramos::begin_exchange: behind the field must stand one edge rule
  begin_exchange(exec, u, constant); // SAYS: Keramos::begin_exchange: behind the field must stand one edge rule
  begin_exchange(exec, u, {periodic, nearest, mirror}); // SAYS: Keramos::begin_exchange: behind the field must stand one edge rule
  begin_exchange(exec, std::tie(u, v), {periodic, nearest});
  gather_sum(exec, Coulomb{}, other.dual, sources, sums); // SAYS: Keramos::gather_sum: argument 'targets' must be
  gather_sum(exec, Coulomb{}, view, sources, sums, Workspace{view}); // SAYS: Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate
  gather_sum(exec, Coulomb{}, view, sources, sums, accumulate);
}
