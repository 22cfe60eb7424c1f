// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds data and is no Kokkos::View, as applications have it.
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_ScatterView.hpp>

#include <vector>

struct Others {
  using Host = Kokkos::DefaultHostExecutionSpace;

  Kokkos::DualView<float**, Host> dual;
  Kokkos::DynRankView<float, Host> dynamic;
  Kokkos::Experimental::OffsetView<float**, Host> offset;
  Kokkos::mdspan<float, Kokkos::dextents<int, 2>> span;
  Kokkos::Experimental::ScatterView<float**, Kokkos::LayoutRight, Host> scatter;
  std::vector<float> vector;
};
