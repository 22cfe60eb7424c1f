# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos 5 REQUIRED)
endif()
