// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::gather_sum: what all sources add up to at every target, out(i) = sum_j weight(j) * kernel(target(i),
// source(j)).
#pragma once

#include "keramos/core/Member.hpp"
#include "keramos/gather_sum/Arguments.hpp"
#include "keramos/gather_sum/Checks.hpp"
#include "keramos/gather_sum/CutoffChecks.hpp"
#include "keramos/gather_sum/Dispatch.hpp"
#include "keramos/gather_sum/FunctorMath.hpp"
#include "keramos/gather_sum/RadialKernels.hpp"
#include "keramos/gather_sum/Refused.hpp"

#include <cstddef>

namespace Keramos {

/// out(i) = sum over the sources j of weight(j) * kernel(target(i), source(j)).
///
///     Keramos::UniformGrid<3> grid{origin, spacing};
///     Keramos::gather_sum(exec, Keramos::Coulomb{}, grid, Keramos::Sources{positions, weights}, potential);
///     Keramos::gather_sum(exec, Keramos::Gaussian{.sigma = s}, points, sources, density, Keramos::accumulate);
///     Keramos::gather_sum(exec, Keramos::Coulomb{}, points, sources, Keramos::PotentialAndGradient{phi, grad});
///     Keramos::gather_sum(exec, Keramos::Coulomb{}, points, sources, Keramos::Gradient{grad});
///     Keramos::gather_sum(exec, Keramos::Exact{Keramos::Coulomb{}}, points, sources, potential);
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// kernel   Coulomb, Yukawa, Gaussian or InverseMultiquadric, not normalised; a functor T operator()(T r_squared)
///          const, or T operator()(T r_squared, T inverse_r) const, which gets 1/r as Keramos::rsqrt has it (not finite
///          at r = 0, nor on some backends where r^2 is subnormal); or a functor of two points, T operator()(Point target,
///          Point source) const with Point = Kokkos::Array<T, 3>, where a missing coordinate is 0. A template of r_squared and
///          inverse_r whose result is auto has derivative or says takes_vectors (false, or true: see Cost); else the compiler
///          takes it for one of points. A functor whose member or function `singular` is true has a singularity: there, as for Coulomb without softening and Yukawa, a coincident source (r^2 is 0 in
///          the value type) adds nothing (a functor may be called and what it returns dropped); any other kernel adds
///          its value at r = 0. Keramos::rsqrt and Keramos::exp are for functors. Or Exact{kernel}, of any of these: see Accuracy
/// targets  UniformGrid<2> or <3>; grid.plane(axis, index) of a 3-D grid; or points, a View of extents (n, 3) or (n, 2), or
///          Points{x, y, z} or Points{x, y}, Views of extent n
/// sources  Sources{positions, weights}, with positions as points; Sources{packed}; Sources{x, y, z, weights} or, in the
///          plane, Sources{x, y, weights}; with as many coordinates as the targets (arrays of extents (0, 0), never
///          allocated, hold no points of any dimension). member(view, &Struct::x) is a View of
///          the members of structs, for any of these and for out
/// out      a View of the rank of the grid, of rank 2 for a plane, of rank 1 for points; PotentialAndGradient{phi, grad},
///          where grad has one more index for the component; or Gradient{grad}, which computes no potential and, of a
///          built-in kernel, gives the same bits where that is finite. A gradient needs derivative(r_squared) of a functor, d/d(r^2), derivative(r_squared, inverse_r), or
///          gradient(target, source), with respect to the target
/// update   overwrite (the default) or accumulate, which adds to what out holds
/// workspace  Workspace{view}, last, with or without an update before it: scratch of gather_sum_workspace_size(exec,
///          kernel, targets, sources, out) bytes. Without it a call that takes scratch allocates it in the order of
///          exec's stream, and the Kernel says "scratch allocated"
///
/// Views are of any layout, each of its own, and of one value type, float or double. Coordinates, softening, sigma and c
/// share one unit of length, kappa is its inverse; the result has the unit of the weights times that of the kernel.
///
/// Without targets nothing happens; without sources the sum is 0. The value type computes kernels and sums blocks of
/// 256 sources, whose totals are double: float stays near its own accuracy for millions of sources. A target has the same
/// bits on any number of threads, and whatever other targets the call has, in whatever order and layout; they depend on
/// the kernel, the value type, the sources in their order, the kind of the targets (points, a 2-D or 3-D grid, a plane
/// across an axis), the backend and what it runs on. On the host few targets make few tasks: parallelism is over targets;
/// a GPU divides the sources as well.
///
/// Range    a kernel sees r^2 in the value type. In float that is infinite beyond distances of 1.8e19, has fewer digits
///          below 1.1e-19 and is 0, as for coincident points, below 2.6e-23; gradients of Coulomb and Yukawa go through
///          1 / r^3, which is infinite below 1.4e-13 (on hosts 2.9e-13) and has fewer digits beyond 4e12. (double: 1.3e154, 1.5e-154,
///          1.6e-162; 1.8e-103 (with AVX-512 2.9e-102), 3.5e102.) Terms of these two carry powers of 2 until they are summed on hosts, and
///          are infinite where 2 |weight| / r or 8 |weight| / r^3 is in float, 16 and 4096 times in double with AVX-512. Where r^2 is
///          infinite, kernels are 0; Yukawa's gradient, and its value with kappa = 0, are NaN. Exponentials below the smallest normal
///          number (float: 1.2e-38, double: 2.2e-308) count as 0: see Gaussian
/// Accuracy within that range a sum is off by eps * sum over j of |weight(j)| * (|K| * (min(n, 256) + 10) + 4 |r K'(r)|) at most,
///          eps of the value type (float: 1.2e-7) and n sources, for gradients with |K'| for |K|; coordinates are taken as they
///          are, far from the origin too. Roundings rarely agree: sums of 1500 sources in float were off by a thirtieth of that on hosts
///          Exact{kernel} sums float Views in double, as if their numbers were doubles: a root of a given r^2, 1.6e-7 off in float, and
///          the terms of pairs are right to some 2^-52, places on a grid are not rounded (a source on a target whose place float does
///          not hold is close to it, not on it), and the sum, with that bound for double, is rounded to the output, or added to
///          what that holds, once: 0.501 units in the last place off, unless terms cancel to less than a thousandth. Its range is
///          that of double, in which a functor must compute. Views of double it sums as without. It costs the rate of
///          double (docs/tuning/gather-sums.md; Coulomb on an H200: 0.50 of float's on a grid, 0.43 at points) and scratch, on hosts
///          as well: 32 bytes a source, at points 24 a target, and 8 for each number of a target. Not over several processes
/// Errors   (Keramos::Error, before any work) extents or numbers of coordinates that do not match; an origin that is
///          not finite; a spacing that is not finite and positive; a kernel parameter out of range; an output that
///          overlaps an input or the other output; a workspace that is too small, not contiguous, not aligned to 8
///          bytes, or overlaps another argument
/// Cost     n_targets * n_sources pairs; a pair of Coulomb on a grid is 9 flops with one reciprocal square root (20
///          with the gradient, 18 for it alone), 13 at points; Yukawa adds an exponential, about 10; a Gaussian on a grid
///          is 2 flops (8, 6). A functor runs on the host's vectors where the compiler can make them of it, whatever its flags:
///          Keramos::rsqrt and Keramos::exp, not std::sqrt and std::exp. One that is a template over its argument, calculates
///          with + - * / and these two alone, and says `static constexpr bool takes_vectors = true`, is called with vectors
/// Source   J. E. Stone et al., "Accelerating molecular modeling applications with graphics processors", J. Comput.
///          Chem. 28 (2007): direct Coulomb summation
template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output,
          core::SumWorkspace W = core::NoWorkspace>
  requires(!core::span_ranks<Targets, S, Output>)
Kernel gather_sum(const Exec& exec, const K& kernel, const Targets& targets, const S& sources, const Output& out,
                  Update update = overwrite, const W& workspace = {})
{
  const auto where = core::on(exec);
  using Space = decltype(where.space);
  core::require_gather_sum<Space, K, Output>();
  if constexpr (core::fits_gather_sum<K, Output>()) {
    const auto checked = core::check_gather_sum<Space>(kernel, targets, sources, out, update, workspace);
    return core::dispatch_gather_sum("gather_sum", where, checked.problem, checked.interaction);
  }
  return {};
}

template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output,
          core::WritableView View>
  requires(!core::span_ranks<Targets, S, Output>)
Kernel gather_sum(const Exec& exec, const K& kernel, const Targets& targets, const S& sources, const Output& out,
                  const Workspace<View>& workspace)
{
  return gather_sum(exec, kernel, targets, sources, out, overwrite, workspace);
}

/// gather_sum over the sources that are close to a target: what lies beyond the radius of the Cutoff adds nothing, and its
/// pairs are not visited.
///
///     Keramos::gather_sum(exec, Keramos::Coulomb{}, points, sources, phi, Keramos::Cutoff{1.2});
///     Keramos::gather_sum(exec, Keramos::Yukawa{.kappa = 3}, points, sources, Keramos::PotentialAndGradient{phi, grad},
///                         Keramos::Cutoff{.radius = 1.2, .form = Keramos::CutoffForm::shifted, .box = {8, 8, 8}},
///                         Keramos::accumulate);
///
/// cutoff   Cutoff{radius}: sharp, shifted or switched, in open space or in a box that is periodic along any of its axes;
///          see there. The others as above, of one process
///
/// Sources are sorted into cells on every call, in the order of the instance, in scratch: a Workspace, on the host too, of
/// gather_sum_workspace_size(exec, kernel, targets, sources, out, cutoff) bytes, or allocated: in float 40 to 48 a source; on hosts,
/// for points, 8 to 16 more, and 16 a target; on NVIDIA GPUs 32 to 36 a source, for points 4 to 8 more, and 12 a target, and 8 KiB.
/// A target's sum goes through the cells around it in a fixed order, and through the sources of a cell in that of the call:
/// its bits depend on what those of gather_sum depend on, and on the cutoff; not on the other targets, threads or scratch.
///
/// A target or a source with a coordinate that is not finite, or 2^36 (6.9e10) radii or more from 0, has no neighbours: such a
/// target gets the sum 0, such a source adds nothing. Nor does a source at exactly the radius; where r^2 is so to within
/// its rounding, backends may differ. The gradient of a sharp or shifted kernel leaves out its jump.
///
/// Errors   as above; a radius that is not positive or whose square the value type does not hold, nor, of a switched kernel, 1 /
///          (radius^2 - switch_on^2) as a normal number (float: radii above 9.2e18); switch_on out of range; a box shorter than twice
///          the radius, longer than 2^36 radii, or along an axis that the targets lack; shifted with a functor of two points
/// Cost     O(n_sources + n_targets + pairs): about 6 pairs are looked at for one that counts, by CUDA about 4
/// Source   M. P. Allen, D. J. Tildesley, "Computer Simulation of Liquids" (1987): cell lists, minimum image
template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output,
          core::SumWorkspace W = core::NoWorkspace>
  requires(!core::span_ranks<Targets, S, Output>)
Kernel gather_sum(const Exec& exec, const K& kernel, const Targets& targets, const S& sources, const Output& out,
                  const Cutoff& cutoff, Update update = overwrite, const W& workspace = {})
{
  const auto where = core::on(exec);
  using Space = decltype(where.space);
  core::require_gather_sum<Space, K, Output>();
  if constexpr (core::fits_gather_sum<K, Output>()) {
    const auto checked =
        core::check_cutoff_sum(core::check_gather_sum<Space>(kernel, targets, sources, out, update, workspace), cutoff);
    return core::dispatch_gather_sum("gather_sum", where, checked.problem, checked.interaction);
  }
  return {};
}

template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output,
          core::WritableView View>
  requires(!core::span_ranks<Targets, S, Output>)
Kernel gather_sum(const Exec& exec, const K& kernel, const Targets& targets, const S& sources, const Output& out,
                  const Cutoff& cutoff, const Workspace<View>& workspace)
{
  return gather_sum(exec, kernel, targets, sources, out, cutoff, overwrite, workspace);
}

/// Bytes of scratch that the same call of gather_sum takes; 0 where it takes none, as on the host without a cutoff and Exact. On a
/// GPU, when targets alone do not fill it, the sources are partitioned into chunks whose sums meet in scratch; with a cutoff,
/// sources are sorted there. Without a Workspace such a call allocates, on a GPU in the order of the instance's stream, and the
/// Kernel says so.
///
/// Errors   those of that call of gather_sum, whose name they bear
/// Cost     that of the checks: nothing is launched or allocated
template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output>
  requires(!core::span_ranks<Targets, S, Output>)
std::size_t gather_sum_workspace_size(const Exec& exec, const K& kernel, const Targets& targets, const S& sources,
                                      const Output& out)
{
  const auto where = core::on(exec);
  using Space = decltype(where.space);
  core::require_gather_sum<Space, K, Output>();
  if constexpr (core::fits_gather_sum<K, Output>()) {
    const auto checked = core::check_gather_sum<Space>(kernel, targets, sources, out, overwrite, core::NoWorkspace{});
    return core::gather_sum_workspace(where, checked.problem, checked.interaction);
  }
  return 0;
}

template <core::ExecutionArgument Exec, class K, core::SumTargets Targets, core::SumSources S, core::SumOutput Output>
  requires(!core::span_ranks<Targets, S, Output>)
std::size_t gather_sum_workspace_size(const Exec& exec, const K& kernel, const Targets& targets, const S& sources,
                                      const Output& out, const Cutoff& cutoff)
{
  const auto where = core::on(exec);
  using Space = decltype(where.space);
  core::require_gather_sum<Space, K, Output>();
  if constexpr (core::fits_gather_sum<K, Output>()) {
    const auto checked = core::check_cutoff_sum(
        core::check_gather_sum<Space>(kernel, targets, sources, out, overwrite, core::NoWorkspace{}), cutoff);
    return core::gather_sum_workspace(where, checked.problem, checked.interaction);
  }
  return 0;
}

} // namespace Keramos
