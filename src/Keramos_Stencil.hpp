// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::apply_stencil: a stencil operator over a View of rank 1, 2 or 3.
#pragma once

#include "Dispatch.hpp"
#include "Keramos_FiniteDifference.hpp"
#include "core/EdgeRule.hpp"
#include "core/Epilogue.hpp"
#include "core/IndexArgument.hpp"
#include "core/Operators.hpp"
#include "core/StencilChecks.hpp"
#include "core/StencilProblem.hpp"
#include "core/Views.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Keramos {

/// Half-open box of points [begin, end), in indices of the output. A corner is a list in braces or an array, of whole
/// numbers of any type:
///
///     Keramos::Region<3>{{4, 4, 4}, {60, 60, 60}}                     // as Kokkos::MDRangePolicy has it
///     Keramos::Region{std::array{4, 4, 4}, Kokkos::Array{n0, n1, n2}} // the rank follows from the arrays
template <int Rank>
struct Region {
  std::array<std::int64_t, Rank> begin, end;

  constexpr Region(const core::Corner<Rank>& first, const core::Corner<Rank>& last)
      : begin(first.index), end(last.index)
  {
  }
};
template <core::CountedList Begin, core::CountedList End>
Region(const Begin&, const End&) -> Region<static_cast<int>(core::index_count<Begin>())>;
template <std::size_t Rank, std::size_t EndRank>
Region(const core::IndexArgument (&)[Rank], const core::IndexArgument (&)[EndRank]) -> Region<static_cast<int>(Rank)>;

namespace core {

template <class Op, class InView, class OutView>
constexpr void require_stencil_views()
{
  static_assert(static_cast<int>(InView::rank) == Op::rank && static_cast<int>(OutView::rank) == Op::rank,
                "Keramos::apply_stencil: the operator, the input and the output must have the same rank.");
  static_assert(Real<typename InView::value_type> &&
                    std::is_same_v<typename InView::non_const_value_type, typename OutView::value_type>,
                "Keramos::apply_stencil: input and output must have one value type, float or double.");
}

/// What the layout says where strides do not, because of extents of 1.
template <class View>
bool last_index_fastest(const View& view)
{
  using Layout = typename View::array_layout;
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutRight> || View::rank < 2)
    return true;
  else if constexpr (std::is_same_v<Layout, Kokkos::LayoutLeft>)
    return false;
  else
    return view.stride(0) >= view.stride(View::rank - 1);
}

/// Offsets are ints, and so are the reaches, which are offsets without their signs.
template <int Rank, class Offset>
void check_tap(const Offset& offset)
{
  std::array<std::int64_t, Rank> wide;
  for (int axis = 0; axis < Rank; ++axis) wide[axis] = static_cast<std::int64_t>(offset[axis]);
  for (const std::int64_t distance : wide)
    if (distance < -INT32_MAX || distance > INT32_MAX)
      fail("apply_stencil", "op", text("offsets from ", -INT32_MAX, " to ", INT32_MAX), tuple_text(wide));
}

/// The call, erased: from here on only the value type and the rounded-up number of taps are types.
template <StencilOperator Op, class InView, class OutView>
auto stencil_call(const Op& op, const InView& in, const OutView& out, const EdgeRules<Op::rank>& edges,
                  const Region<Op::rank>* region)
{
  using T = typename OutView::value_type;
  StencilCall<T, tap_capacity(Op::tap_count)> call;
  call.rank = Op::rank;
  call.shape = Op::shape;
  call.radius = Op::radius;
  call.taps.count = Op::tap_count;
  for (int t = 0; t < Op::tap_count; ++t) {
    const auto offset = op.offset(t);
    check_tap<Op::rank>(offset);
    call.taps.weight[t] = static_cast<T>(op.weight(t));
    for (int axis = 0; axis < 3; ++axis)
      call.taps.offset[t][axis] = axis < Op::rank ? static_cast<int>(offset[axis]) : 0;
  }
  const auto in_field = field_of(in);
  call.in = padded<3>(Field<const T, Op::rank>{in.data(), in_field.extent, in_field.stride});
  call.out = padded<3>(field_of(out));
  call.last_index_fastest = last_index_fastest(in);
  call.end = call.out.extent;
  for (int axis = 0; axis < Op::rank; ++axis) {
    call.edges[axis] = edges[axis];
    if (!region) continue;
    call.begin[axis] = region->begin[axis];
    call.end[axis] = region->end[axis];
  }
  return call;
}

template <class T, class OutView, class View>
Field<const T, 3> leap_frog_field(const char* argument, const OutView& out, const View& view)
{
  static_assert(static_cast<int>(View::rank) == static_cast<int>(OutView::rank) &&
                    std::is_same_v<typename View::non_const_value_type, T>,
                "Keramos::LeapFrog: previous and scale must have the rank and the value type of the output.");
  check_extents("apply_stencil", argument, extents(field_of(out)), extents(field_of(view)));
  return padded<3>(
      Field<const T, static_cast<int>(View::rank)>{view.data(), field_of(view).extent, field_of(view).stride});
}

/// LeapFrog reads `previous` at the point it writes: another point may not have written there before.
template <class T>
void check_previous(const Field<const T, 3>& previous, const Field<T, 3>& out)
{
  bool is_out = previous.data == out.data;
  for (int axis = 0; axis < 3; ++axis)
    is_out = is_out && (out.extent[axis] == 1 || previous.stride[axis] == out.stride[axis]);
  if (is_out) return;
  const Answer answer = share_a_byte(footprint(previous), footprint(out));
  if (answer != Answer::no)
    refuse(answer, "apply_stencil", "LeapFrog.previous",
           "'out' itself, element for element, or no element in common with it", "a View that overlaps it partly");
}

/// The user's epilogue in the axis order of the problem.
template <StencilOperator Op, class Space, class T, int Capacity, class OutView, class Epilogue>
auto bind_epilogue(const StencilProblem<T, Capacity>& problem, const OutView& out, const Epilogue& epilogue)
{
  if constexpr (std::is_same_v<Epilogue, Store>) {
    return epilogue;
  } else if constexpr (is_leap_frog<Epilogue>) {
    require_reachable<Space, decltype(epilogue.previous)>();
    LeapFrogFields<T> fields;
    fields.previous = permuted(leap_frog_field<T>("LeapFrog.previous", out, epilogue.previous), problem.order);
    check_previous(fields.previous, problem.out);
    if constexpr (std::is_arithmetic_v<decltype(epilogue.scale)>) {
      fields.scale_value = static_cast<T>(epilogue.scale);
    } else {
      require_reachable<Space, decltype(epilogue.scale)>();
      fields.scale = permuted(leap_frog_field<T>("LeapFrog.scale", out, epilogue.scale), problem.order);
      check_apart("apply_stencil", "LeapFrog.scale", fields.scale, "out", problem.out);
    }
    return fields;
  } else {
    UserFunctor<Epilogue, T, Op::rank, Op::shape, Op::radius> functor{epilogue, {}};
    for (int p = 0; p < 3; ++p) functor.position[problem.order[p]] = p;
    return functor;
  }
}

template <class Argument, class Op, class InView, class OutView, class Epilogue>
Kernel apply_stencil(const Argument& exec, const Op& op, const InView& in, const OutView& out,
                     const EdgeRules<Op::rank>& edges, const Epilogue& epilogue, const Region<Op::rank>* region)
{
  const auto where = on(exec);
  using Space = decltype(where.space);
  require_reachable<Space, InView>();
  require_reachable<Space, OutView>();
  require_writable<OutView>();
  require_stencil_views<Op, InView, OutView>();
  const auto call = stencil_call(op, in, out, edges, region);
  check_stencil(call);
  const StencilProblem problem(call);
  return dispatch("apply_stencil", where, problem, bind_epilogue<Op, Space>(problem, out, epilogue));
}

/// The rules that a call with this operator takes. Not deduced, so that one rule converts to them (and through a type of
/// the standard library, without which nvcc 13 refuses the conversion).
template <class Op>
using RulesOf = std::type_identity_t<EdgeRules<Op::rank>>;

// clang-format off
template <class F, class OutView>
concept EpilogueFor =
    is_leap_frog<F> || UserEpilogue<F, typename OutView::value_type, static_cast<int>(OutView::rank)>;
// clang-format on

} // namespace core

/// out(i) = sum over the operator's taps of weight(offset) * in(i + offset), at every point of out or of a region.
///
///     Keramos::apply_stencil(exec, FiniteDifference::laplacian<3, 8>(h, h, h), in, out, Keramos::periodic);
///
/// exec     execution space instance; the call is asynchronous and ordered on it
/// op       Star, Box, Line, SparseStencil or a model of core::StencilOperator; weights are converted to the Views'
///          value type, which computes
/// in, out  Views of the operator's rank, of one value type (float or double), of any layout; they share no element.
///          Extents are equal, except along axes with the rule `ghost`, where in is larger by the operator's reach (the
///          larger one of both directions) on each side that says so; of a wider halo, pass the sub-view
/// edges    one rule, or one an axis in View index order: {periodic, nearest, sides(constant(0), nearest)}. The index
///          maps apply axis by axis; where one axis gives `constant`, constant wins, and of two the last index's
/// region   only these points, in indices of out: Region<3>{{4, 4, 4}, {60, 60, 60}}; the others keep their values
///
/// Errors   (Keramos::Error, before any work) extents that do not match; a region outside of out; periodic or
///          periodic_closed on one side only; views that overlap; a LeapFrog.previous that overlaps out and is not out
///          itself; a tap offset outside -(2^31 - 1) ... 2^31 - 1
/// Cost     reads each operand and writes each point once from memory where the cache allows: 2 * sizeof(T) bytes and
///          2 * taps - 1 flops a point
/// Source   P. Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2 (2009)
template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::KokkosView OutView>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges)
{
  return core::apply_stencil(exec, op, in, out, edges, core::Store{}, static_cast<const Region<Op::rank>*>(nullptr));
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::KokkosView OutView>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges, const Region<Op::rank>& region)
{
  return core::apply_stencil(exec, op, in, out, edges, core::Store{}, &region);
}

/// The same with an epilogue: out(i...) = f(value, centre, i...), where value is the stencil's sum and centre is
/// in(i...). f is a KOKKOS_LAMBDA or a functor; it may read out at its own point; returning void, it stores by itself.
/// LeapFrog is the ready-made one (33 flops and 16 bytes a point with the 25-point Laplacian in float).
template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::KokkosView OutView,
          core::EpilogueFor<OutView> Epilogue>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges, const Epilogue& epilogue)
{
  return core::apply_stencil(exec, op, in, out, edges, epilogue, static_cast<const Region<Op::rank>*>(nullptr));
}

template <core::ExecutionArgument Exec, core::StencilOperator Op, core::KokkosView InView, core::KokkosView OutView,
          core::EpilogueFor<OutView> Epilogue>
Kernel apply_stencil(const Exec& exec, const Op& op, const InView& in, const OutView& out,
                     const core::RulesOf<Op>& edges, const Epilogue& epilogue, const Region<Op::rank>& region)
{
  return core::apply_stencil(exec, op, in, out, edges, epilogue, &region);
}

/// The execution space instance is never optional: this overload turns its absence into a sentence.
template <class First, class... Rest>
  requires(!core::ExecutionArgument<First>)
Kernel apply_stencil(const First&, const Rest&...)
{
  static_assert(core::ExecutionArgument<First>,
                "Keramos::apply_stencil: the first argument must be an execution space instance, as in "
                "apply_stencil(exec, op, in, out, edges).");
  return {};
}

} // namespace Keramos
