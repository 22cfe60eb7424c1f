# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target MPI::MPI_CXX: the one that the surrounding project has, else an installed MPI.
include_guard()

if(NOT TARGET MPI::MPI_CXX)
  set(MPI_CXX_SKIP_MPICXX ON) # the C++ bindings, which MPI 3 has no more: the calls of C are all that is wanted
  find_package(MPI 3.1 QUIET COMPONENTS CXX)
endif()
if(NOT TARGET MPI::MPI_CXX)
  message(FATAL_ERROR "Keramos: with Keramos_ENABLE_MPI it needs MPI 3.1 or newer, and none was found (Debian, Ubuntu: "
    "libopenmpi-dev openmpi-bin). Where it is installed, mpicxx on the path or MPI_HOME says; or leave Keramos_ENABLE_MPI out.")
endif()
message(STATUS "Keramos: MPI ${MPI_CXX_VERSION}, for Keramos::distributed")
