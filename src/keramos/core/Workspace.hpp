// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory of the caller, for the calls that may take some or need some.
#pragma once

#include "Views.hpp"

#include <cstddef>
#include <cstdint>

namespace Keramos {

/// Scratch memory of the caller: a View of any type, contiguous and aligned to 8 bytes (and to the elements that are moved
/// through it), that the execution space reaches. A call writes anything there and reads nothing that was there before; the
/// next call on the same instance may use it again. A function beside each call tells how many bytes it takes.
///
///     Kokkos::View<char*, Space> scratch("scratch", Keramos::gather_sum_workspace_size(exec, kernel, targets, sources,
///                                                                                       out));
///     Keramos::gather_sum(exec, kernel, targets, sources, out, Keramos::Workspace{scratch});
template <class View>
struct Workspace {
  View view;
};
template <class View>
Workspace(View) -> Workspace<View>;

namespace core {

/// The bytes of a workspace; Error if they have gaps.
template <class Space, KokkosView View>
Field<char, 1> scratch_of(const char* function, const Workspace<View>& workspace)
{
  require_reachable<Space, View>();
  const View& view = workspace.view;
  if (!view.span_is_contiguous()) fail(function, "workspace", "contiguous memory", "strides with gaps");
  const auto bytes = static_cast<std::int64_t>(view.span() * sizeof(typename View::value_type));
  return {reinterpret_cast<char*>(view.data()), {bytes}, {1}};
}

inline void check_scratch_alignment(const char* function, const Field<char, 1>& scratch, std::size_t alignment)
{
  if (reinterpret_cast<std::uintptr_t>(scratch.data) % alignment != 0)
    fail(function, "workspace", text("memory aligned to ", alignment, " bytes"), "another address");
}

inline void check_scratch_size(const char* function, const char* told_by, std::size_t bytes, std::size_t needed)
{
  if (bytes < needed)
    fail(function, "workspace", text("at least ", needed, " bytes, as ", told_by, " tells"), text(bytes));
}

} // namespace core
} // namespace Keramos
