// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What dry_run, with_backend and with_label say to arguments that they do not take (Refused.hpp).
#pragma once

#include "RefusedArguments.hpp"

#include <concepts>
#include <optional>
#include <string_view>

namespace Keramos {
namespace core {

struct NoBackend {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (std::convertible_to<const T&, std::optional<Backend>> && ...)))
  NoBackend(const T&...) {}
};
struct NoLabel {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (std::convertible_to<const T&, std::string_view> && ...)))
  NoLabel(const T&...) {}
};

} // namespace core

core::Refused dry_run(core::NoSpace)
    KERAMOS_REFUSED("Keramos::dry_run: the argument must be an execution space instance, as in dry_run(exec).");
core::Refused with_backend(core::NoSpace, core::Anything = {})
    KERAMOS_REFUSED("Keramos::with_backend: the first argument must be an execution space instance, as in "
                    "with_backend(exec, Keramos::Backend::portable).");
core::Refused with_backend(core::ASpace, core::NoBackend = {})
    KERAMOS_REFUSED("Keramos::with_backend: the second argument must be a Keramos::Backend, as in with_backend(exec, "
                    "Keramos::Backend::portable), or std::nullopt.");
core::Refused with_label(core::NoSpace, core::Anything = {})
    KERAMOS_REFUSED("Keramos::with_label: the first argument must be an execution space instance, as in "
                    "with_label(exec, \"diffusion of u\").");
core::Refused with_label(core::ASpace, core::NoLabel = {}) KERAMOS_REFUSED(
    "Keramos::with_label: the second argument must be a text, as in with_label(exec, \"diffusion of u\").");

} // namespace Keramos
