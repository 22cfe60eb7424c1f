# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target keramos_nccl, an installed NCCL; NCCL brings no package of its own for CMake.
include_guard()

if(NOT Kokkos_ENABLE_CUDA)
  message(FATAL_ERROR "Keramos: Keramos_ENABLE_NCCL is for fields of NVIDIA GPUs, and this Kokkos has no CUDA.")
endif()
find_path(Keramos_NCCL_INCLUDE nccl.h HINTS ENV NCCL_HOME PATH_SUFFIXES include)
find_library(Keramos_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ENV NCCL_HOME PATH_SUFFIXES lib lib64)
mark_as_advanced(Keramos_NCCL_INCLUDE Keramos_NCCL_LIBRARY)
if(NOT Keramos_NCCL_INCLUDE OR NOT Keramos_NCCL_LIBRARY)
  message(FATAL_ERROR "Keramos: with Keramos_ENABLE_NCCL it needs NCCL, and none was found (Debian, Ubuntu, from NVIDIA: "
    "libnccl-dev). Where it is installed, NCCL_HOME says; or leave Keramos_ENABLE_NCCL out.")
endif()
message(STATUS "Keramos: NCCL ${Keramos_NCCL_LIBRARY}, for messages between GPUs")
