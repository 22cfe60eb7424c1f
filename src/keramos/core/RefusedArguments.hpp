// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What refused calls (Refused.hpp) say of execution spaces and of Views, and the parameters that tell these from others.
#pragma once

#include "Execution.hpp"
#include "Refused.hpp"
#include "Views.hpp"

#include <type_traits>

// Ends of sentences.
#define KERAMOS_OTHERS_HAVE_ONE                                                                                        \
  "Of a DualView pass view_device(), or view_host() on the host; of an OffsetView view(); of a ScatterView the View "  \
  "that it contributes to; of a DynRankView or an mdspan an unmanaged View over its memory."
#define KERAMOS_MUST_BE_A_VIEW "must be a Kokkos::View. " KERAMOS_OTHERS_HAVE_ONE
#define KERAMOS_HAS_CONST_ELEMENTS "has const elements, and the call writes to it: pass a View of non-const elements."
#define KERAMOS_MUST_BE_OF_ONE_KIND "in and out must both be Kokkos::Views, or both Distributed fields."

namespace Keramos::core {

/// What holds the elements of a field: a View; what several processes share joins them.
template <class T>
inline constexpr bool is_data = KokkosView<T>;

template <class T>
concept WritableData = is_data<T> && !std::is_const_v<typename T::value_type>;

struct ASpace {
  template <ExecutionArgument T>
  ASpace(const T&)
  {
  }
};
struct NoSpace {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (ExecutionArgument<T> && ...)))
  NoSpace(const T&...) {}
};
struct Data {
  template <class T>
    requires is_data<T> Data(const T&) {}
};
struct NoData {
  template <class... T>
    requires(!(sizeof...(T) == 1 && (is_data<T> && ...)))
  NoData(const T&...) {}
};
struct Output {
  template <WritableData T>
  Output(const T&)
  {
  }
};
struct ConstOutput {
  template <class T>
    requires(is_data<T> && !WritableData<T>)
  ConstOutput(const T&) {}
};

} // namespace Keramos::core
