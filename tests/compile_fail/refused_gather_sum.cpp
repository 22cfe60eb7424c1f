// EXPECT-LINES
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of every call of the family, for every argument.
// A wrong call stands on one line with what is said of it:
// clang-format off
#include <Keramos_GatherSum.hpp>

#include "others.hpp"

int main()
{
  using namespace Keramos;
  const Others::Host exec;
  const Coulomb kernel;
  const Kokkos::View<float* [3], Kokkos::HostSpace> points;
  const Kokkos::View<float*, Kokkos::HostSpace> out;
  const Kokkos::View<const float*, Kokkos::HostSpace> fixed;
  const Sources sources{points, out};
  Others other;
  gather_sum(kernel, points, sources, out); // SAYS: Keramos::gather_sum: the first argument must be an execution space instance, as in
  gather_sum(exec, kernel, points, sources); // SAYS: Keramos::gather_sum: expected gather_sum(exec, kernel, targets, sources, out)
  gather_sum(exec, points, kernel, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid
  gather_sum(exec, kernel, 3, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid
  gather_sum(exec, kernel, points, points, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}
  gather_sum(exec, kernel, other.dual, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z} of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.dual, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, sources, other.dual); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, other.dynamic, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z} of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.dynamic, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, sources, other.dynamic); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, other.offset, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z} of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.offset, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, sources, other.offset); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, other.span, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z} of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.span, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, sources, other.span); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, other.scatter, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z} of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.scatter, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, sources, other.scatter); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, other.vector, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z} of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.vector, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, sources, other.vector); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}, of Kokkos::Views. Of a DualView pass view_device()
  gather_sum(exec, kernel, points, Sources{other.dual}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be
  gather_sum(exec, kernel, points, Sources{out, out, other.dual, out}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be Sources{positions, weights}, Sources{packed} or Sources{x, y, z, weights}
  gather_sum(exec, kernel, points, Sources{Points{out, out, out}}, out); // SAYS: Keramos::gather_sum: argument 'sources' must be
  gather_sum(exec, kernel, Points{out, other.dual}, sources, out); // SAYS: Keramos::gather_sum: argument 'targets' must be a UniformGrid, a plane of one, a Kokkos::View of points, or Points{x, y, z}
  gather_sum(exec, kernel, Points{out, out, out}, Sources{out, out, out, out}, out);
  gather_sum(exec, kernel, points, sources, PotentialAndGradient{out, other.dual}); // SAYS: Keramos::gather_sum: argument 'out' must be
  gather_sum(exec, kernel, points, sources, Gradient{other.dual}); // SAYS: Keramos::gather_sum: argument 'out' must be a Kokkos::View, PotentialAndGradient{phi, grad} or Gradient{grad}
  gather_sum(exec, kernel, points, sources, Gradient{fixed}); // SAYS: Keramos::gather_sum: argument 'out' has const elements, and the call writes to it
  gather_sum(exec, kernel, points, sources, fixed); // SAYS: Keramos::gather_sum: argument 'out' has const elements, and the call writes to it
  gather_sum(exec, kernel, points, sources, PotentialAndGradient{out, fixed}); // SAYS: Keramos::gather_sum: argument 'out' has const elements, and the call writes to it
  gather_sum(exec, kernel, points, sources, out, true); // SAYS: Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate
  gather_sum(exec, kernel, points, sources, out, out); // SAYS: Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate
  gather_sum(exec, kernel, points, sources, out, Workspace{other.dual}); // SAYS: Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate
  gather_sum(exec, kernel, points, sources, out, accumulate, Workspace{fixed}); // SAYS: Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate
  gather_sum(exec, kernel, points, sources, out, 1.2); // SAYS: Keramos::gather_sum: what follows 'out' must be Keramos::overwrite or Keramos::accumulate, and then Workspace{view} with a Kokkos::View of non-const elements, or either alone, and before them there may be a Cutoff{radius}
  gather_sum(exec, kernel, points, sources, out, accumulate, Cutoff{1.2}); // SAYS: Keramos::gather_sum: what follows 'out' must be
  gather_sum(exec, kernel, points, sources, out, Cutoff{1.2}, out); // SAYS: Keramos::gather_sum: what follows 'out' must be
  gather_sum(exec, kernel, points, sources, out, Cutoff{1.2}, accumulate, Workspace{fixed}); // SAYS: Keramos::gather_sum: what follows 'out' must be
  gather_sum(exec, kernel, points, sources, fixed, Cutoff{1.2}, accumulate, Workspace{out}); // SAYS: Keramos::gather_sum: argument 'out' has const elements
  gather_sum(kernel, points, sources, out, Cutoff{1.2}, accumulate, Workspace{out}); // SAYS: Keramos::gather_sum: the first argument must be an execution space instance
  gather_sum(exec, kernel, points, sources, out, accumulate, Workspace{out});
  gather_sum(exec, kernel, points, sources, out, Cutoff{1.2}, accumulate, Workspace{out});
  gather_sum(exec, kernel, points, sources, out, Cutoff{1.2}, Workspace{out});
  gather_sum_workspace_size(kernel, points, sources, out); // SAYS: Keramos::gather_sum_workspace_size: the first argument must be an execution space instance
  gather_sum_workspace_size(exec, kernel, points, sources); // SAYS: Keramos::gather_sum_workspace_size: expected gather_sum_workspace_size(exec, kernel, targets, sources, out)
  gather_sum_workspace_size(exec, kernel, points, sources, other.dual); // SAYS: Keramos::gather_sum_workspace_size: expected gather_sum_workspace_size(exec, kernel, targets, sources, out)
  gather_sum_workspace_size(exec, kernel, points, sources, out, accumulate); // SAYS: Keramos::gather_sum_workspace_size: expected gather_sum_workspace_size(exec, kernel, targets, sources, out), or with a Cutoff behind these
  gather_sum_workspace_size(exec, kernel, points, sources, out);
  member(points); // SAYS: Keramos::member: expected member(structs, &Struct::member)
  gather_sum_workspace_size(exec, kernel, points, sources, out, Cutoff{1.2});
}
