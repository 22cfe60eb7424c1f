// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exchange_halo and begin_exchange say to arguments that they do not take (core/Refused.hpp). The other calls over
// distributed fields have their sentences beside those over Views.
#pragma once

#include "../core/RefusedArguments.hpp"
#include "DistributedField.hpp"

#include <tuple>

#define KERAMOS_MUST_BE_FIELDS                                                                                         \
  "argument 'field' must be a Distributed field, or several in a tuple, as in std::tie(u, v). A View becomes one by "  \
  "Distributed(view, partition, halo)."
#define KERAMOS_MUST_BE_GLOBAL_RULES                                                                                   \
  "behind the field must stand one edge rule of the global field for all axes, as in Keramos::periodic, or one for "   \
  "each "                                                                                                              \
  "View index, as in {periodic, nearest, sides(constant(0), nearest)}."

namespace Keramos {
namespace core {

template <class T>
inline constexpr bool are_fields = is_distributed<T>;
template <class... Fields>
inline constexpr bool are_fields<std::tuple<Fields...>> = (is_distributed<std::remove_cvref_t<Fields>> && ...);

struct Fields {
  template <class T>
    requires are_fields<T> Fields(const T&);
};
struct NoFields {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (are_fields<T> && ...)))
  NoFields(const T&...) {}
};

} // namespace core

core::Refused exchange_halo(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::exchange_halo: the first argument must be an execution space instance, as in "
                    "exchange_halo(exec, field, edges).");
core::Refused exchange_halo(core::ASpace)
    KERAMOS_REFUSED("Keramos::exchange_halo: expected exchange_halo(exec, field, edges).");
core::Refused exchange_halo(core::ASpace, core::NoFields field, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::exchange_halo: " KERAMOS_MUST_BE_FIELDS);
core::Refused exchange_halo(core::ASpace, core::Fields, core::Anything edges = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::exchange_halo: " KERAMOS_MUST_BE_GLOBAL_RULES);

core::Refused begin_exchange(core::NoSpace, core::Anything = {}, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::begin_exchange: the first argument must be an execution space instance, as in "
                    "begin_exchange(exec, field, edges).");
core::Refused begin_exchange(core::ASpace)
    KERAMOS_REFUSED("Keramos::begin_exchange: expected begin_exchange(exec, field, edges).");
core::Refused begin_exchange(core::ASpace, core::NoFields field, core::Anything = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::begin_exchange: " KERAMOS_MUST_BE_FIELDS);
core::Refused begin_exchange(core::ASpace, core::Fields, core::Anything edges = {}, core::Anything = {})
    KERAMOS_REFUSED("Keramos::begin_exchange: " KERAMOS_MUST_BE_GLOBAL_RULES);

} // namespace Keramos
