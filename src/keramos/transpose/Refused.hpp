// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transpose, permute, transpose_in_place and copy say to arguments that they do not take (core/Refused.hpp).
#pragma once

#include "../core/RefusedArguments.hpp"
#include "../core/RefusedRequests.hpp"
#include "Arguments.hpp"

#include <cstddef>
#include <cstdint>

#define KERAMOS_MOVES_BY_A_FUNCTION                                                                                    \
  "argument 'f' must be a function of one value of in, which gives a value of out, or Accumulate{alpha, beta, f} of "  \
  "one and of numbers that scale a value of out; of Distributed fields, which take none, it is a "                     \
  "BufferLimit. " KERAMOS_MUST_BE_OF_ONE_KIND

namespace Keramos {
namespace core {

template <class T>
inline constexpr bool is_axes = false;
template <std::size_t Rank>
inline constexpr bool is_axes<Axes<Rank>> = true;

struct SomeAxes {
  template <class T>
    requires is_axes<T> SomeAxes(const T&);
};
struct NoAxes {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (is_axes<T> && ...)))
  NoAxes(const T&...) {}
};

} // namespace core

// ---- transpose -----------------------------------------------------------------------------------------------------------

core::Refused transpose(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {},
                        core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose: the first argument must be an execution space instance, as in "
                    "transpose(exec, in, out).");
core::Refused transpose(core::ASpace, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose: expected transpose(exec, in, out) or transpose(exec, in, out, f).");
core::Refused transpose(core::ASpace, core::NoData in, core::Anything, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose: argument 'in' " KERAMOS_MUST_BE_A_VIEW);
core::Refused transpose(core::ASpace, core::Data, core::NoData out, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose: argument 'out' " KERAMOS_MUST_BE_A_VIEW);
core::Refused transpose(core::ASpace, core::Data, core::ConstOutput out, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose: argument 'out' " KERAMOS_HAS_CONST_ELEMENTS);
core::Refused transpose(core::ASpace, core::Data, core::Output)
    KERAMOS_REFUSED("Keramos::transpose: " KERAMOS_MUST_BE_OF_ONE_KIND);
core::Refused transpose(core::ASpace, core::Data, core::Output, core::Anything f, core::Anything = {},
                        core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose: " KERAMOS_MOVES_BY_A_FUNCTION);

// ---- permute, its axes in the type of the call -----------------------------------------------------------------------

template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {}, core::Anything = {})
KERAMOS_REFUSED(
    "Keramos::permute: the first argument must be an execution space instance, as in permute<2, 0, 1>(exec, in, out).");
template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::ASpace, core::Anything = {})
KERAMOS_REFUSED("Keramos::permute: expected permute<2, 0, 1>(exec, in, out), or the same with a last argument f.");
template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::ASpace, core::NoData in, core::Anything, core::Anything = {}, core::Anything = {})
KERAMOS_REFUSED("Keramos::permute: argument 'in' " KERAMOS_MUST_BE_A_VIEW);
template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::ASpace, core::Data, core::NoData out, core::Anything = {}, core::Anything = {})
KERAMOS_REFUSED("Keramos::permute: argument 'out' " KERAMOS_MUST_BE_A_VIEW);
template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::ASpace, core::Data, core::ConstOutput out, core::Anything = {}, core::Anything = {})
KERAMOS_REFUSED("Keramos::permute: argument 'out' " KERAMOS_HAS_CONST_ELEMENTS);
template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::ASpace, core::Data, core::Output)
KERAMOS_REFUSED("Keramos::permute: " KERAMOS_MUST_BE_OF_ONE_KIND);
template <std::int64_t... axes>
  requires(sizeof...(axes) > 0)
core::Refused permute(core::ASpace, core::Data, core::Output, core::Anything f, core::Anything = {},
                      core::Anything = {}, core::Anything = {})
KERAMOS_REFUSED("Keramos::permute: " KERAMOS_MOVES_BY_A_FUNCTION);

// ---- permute, its axes an argument -----------------------------------------------------------------------------------

core::Refused permute(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::permute: the first argument must be an execution space instance, as in permute(exec, "
                    "Axes{2, 0, 1}, in, out).");
core::Refused permute(core::ASpace, core::SomeAxes, core::Anything = {}) KERAMOS_REFUSED(
    "Keramos::permute: expected permute(exec, Axes{2, 0, 1}, in, out), or the same with a last argument f.");
core::Refused permute(core::ASpace, core::SomeAxes, core::NoData in, core::Anything, core::Anything = {},
                      core::Anything = {}) KERAMOS_REFUSED("Keramos::permute: argument 'in' " KERAMOS_MUST_BE_A_VIEW);
core::Refused permute(core::ASpace, core::SomeAxes, core::Data, core::NoData out, core::Anything = {},
                      core::Anything = {}) KERAMOS_REFUSED("Keramos::permute: argument 'out' " KERAMOS_MUST_BE_A_VIEW);
core::Refused permute(core::ASpace, core::SomeAxes, core::Data, core::ConstOutput out, core::Anything = {},
                      core::Anything = {})
    KERAMOS_REFUSED("Keramos::permute: argument 'out' " KERAMOS_HAS_CONST_ELEMENTS);
core::Refused permute(core::ASpace, core::SomeAxes, core::Data, core::Output)
    KERAMOS_REFUSED("Keramos::permute: " KERAMOS_MUST_BE_OF_ONE_KIND);
core::Refused permute(core::ASpace, core::SomeAxes, core::Data, core::Output, core::Anything f, core::Anything = {},
                      core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::permute: " KERAMOS_MOVES_BY_A_FUNCTION);
core::Refused permute(core::ASpace, core::NoAxes, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::permute: name the order of the axes, as in permute<2, 0, 1>(exec, in, out) or "
                    "permute(exec, Axes{2, 0, 1}, in, out).");

// ---- transpose_in_place ----------------------------------------------------------------------------------------------

core::Refused transpose_in_place(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose_in_place: the first argument must be an execution space instance, as in "
                    "transpose_in_place(exec, matrix).");
core::Refused transpose_in_place(core::ASpace)
    KERAMOS_REFUSED("Keramos::transpose_in_place: expected transpose_in_place(exec, matrix), "
                    "transpose_in_place(exec, matrix, f) or transpose_in_place(exec, in, out, Workspace{view}).");
core::Refused transpose_in_place(core::ASpace, core::NoData matrix, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose_in_place: argument 'matrix' " KERAMOS_MUST_BE_A_VIEW);
core::Refused transpose_in_place(core::ASpace, core::ConstOutput matrix, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose_in_place: argument 'matrix' " KERAMOS_HAS_CONST_ELEMENTS);
core::Refused transpose_in_place(core::ASpace, core::Output, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose_in_place: expected transpose_in_place(exec, matrix) or "
                    "transpose_in_place(exec, matrix, f), where matrix is a Kokkos::View and f a function of one value "
                    "that gives another; or transpose_in_place(exec, in, out, Workspace{view}), where in and out are "
                    "Kokkos::Views of one memory and view is one of non-const elements.");

core::Refused transpose_in_place_workspace_size(core::NoSpace, core::Anything = {}, core::Anything = {},
                                                core::Anything = {})
    KERAMOS_REFUSED(
        "Keramos::transpose_in_place_workspace_size: the first argument must be an execution space instance, "
        "as in transpose_in_place_workspace_size(exec, in, out).");
core::Refused transpose_in_place_workspace_size(core::ASpace, core::Anything = {}, core::Anything = {},
                                                core::Anything = {})
    KERAMOS_REFUSED("Keramos::transpose_in_place_workspace_size: expected transpose_in_place_workspace_size(exec, in, "
                    "out), with in and out as transpose_in_place takes them: Kokkos::Views of non-const "
                    "elements. " KERAMOS_OTHERS_HAVE_ONE);

// ---- copy ------------------------------------------------------------------------------------------------------------

core::Refused copy(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::copy: the first argument must be an execution space instance, as in "
                    "copy(exec, in, out).");
core::Refused copy(core::ASpace, core::Anything = {})
    KERAMOS_REFUSED("Keramos::copy: expected copy(exec, in, out) or copy(exec, in, out, f).");
core::Refused copy(core::ASpace, core::NoData in, core::Anything, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::copy: argument 'in' " KERAMOS_MUST_BE_A_VIEW);
core::Refused copy(core::ASpace, core::Data, core::NoData out, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::copy: argument 'out' " KERAMOS_MUST_BE_A_VIEW);
core::Refused copy(core::ASpace, core::Data, core::ConstOutput out, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::copy: argument 'out' " KERAMOS_HAS_CONST_ELEMENTS);
core::Refused copy(core::ASpace, core::Data, core::Output)
    KERAMOS_REFUSED("Keramos::copy: " KERAMOS_MUST_BE_OF_ONE_KIND);
core::Refused copy(core::ASpace, core::Data, core::Output, core::Anything f, core::Anything = {}, core::Anything = {},
                   core::Anything = {}) KERAMOS_REFUSED("Keramos::copy: " KERAMOS_MOVES_BY_A_FUNCTION);

} // namespace Keramos
