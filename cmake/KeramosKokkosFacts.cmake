# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keramos_kokkos_facts(): what the target Kokkos::kokkos was built with, as its header KokkosCore_config.h says, wherever the
# target comes from: an installed Kokkos, a fetched one, one that the surrounding project added. Sets
#
#   Keramos_KOKKOS_VERSION              5.0.2; empty where there is no such header, and then nothing is known
#   Keramos_KOKKOS_BACKENDS_TEXT        SERIAL, OPENMP
#   Keramos_KOKKOS_INCLUDE              the header's folder
#   Keramos_KOKKOS_CUDA_ARCHITECTURES   90; empty without CUDA
#
# Used by Keramos' own build and by the installed package.
include_guard()

# The header's path, or nothing.
function(keramos_kokkos_header result)
  set(folders "")
  foreach(target Kokkos::kokkoscore Kokkos::kokkos)
    if(TARGET ${target})
      get_target_property(more ${target} INTERFACE_INCLUDE_DIRECTORIES)
      list(APPEND folders ${more})
    endif()
  endforeach()
  string(REGEX REPLACE "\\$<BUILD_INTERFACE:|>" "" folders "${folders}")
  set(${result} "" PARENT_SCOPE)
  foreach(folder IN LISTS folders)
    if(EXISTS "${folder}/KokkosCore_config.h")
      set(${result} "${folder}/KokkosCore_config.h" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(keramos_kokkos_facts)
  set(version "")
  set(backends "")
  set(architectures "")
  keramos_kokkos_header(header)
  if(header)
    file(STRINGS "${header}" defined REGEX "^#define KOKKOS_")
    if(defined MATCHES "#define KOKKOS_VERSION ([0-9]+)")
      math(EXPR major "${CMAKE_MATCH_1} / 10000")
      math(EXPR minor "${CMAKE_MATCH_1} / 100 % 100")
      math(EXPR patch "${CMAKE_MATCH_1} % 100")
      set(version ${major}.${minor}.${patch})
    endif()
    foreach(backend SERIAL OPENMP THREADS HPX CUDA HIP SYCL)
      if(defined MATCHES "#define KOKKOS_ENABLE_${backend}(;|$)")
        list(APPEND backends ${backend})
      endif()
    endforeach()
    if(CUDA IN_LIST backends AND defined MATCHES "#define KOKKOS_ARCH_(PASCAL|VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)([0-9]+)")
      set(architectures ${CMAKE_MATCH_2}) # Kokkos is built for one
    endif()
  endif()
  set(Keramos_KOKKOS_VERSION "${version}" PARENT_SCOPE)
  list(JOIN backends ", " backends)
  set(Keramos_KOKKOS_BACKENDS_TEXT "${backends}" PARENT_SCOPE)
  get_filename_component(folder "${header}" DIRECTORY)
  set(Keramos_KOKKOS_INCLUDE "${folder}" PARENT_SCOPE)
  set(Keramos_KOKKOS_CUDA_ARCHITECTURES "${architectures}" PARENT_SCOPE)
endfunction()

# "Kokkos 4.7.1 in /opt/kokkos/lib/cmake/Kokkos, ...": what find_package(Kokkos) has just seen and not taken; or nothing.
function(keramos_refused_kokkos result)
  set(seen "")
  foreach(config version IN ZIP_LISTS Kokkos_CONSIDERED_CONFIGS Kokkos_CONSIDERED_VERSIONS)
    get_filename_component(folder "${config}" DIRECTORY)
    list(APPEND seen "Kokkos ${version} in ${folder}")
  endforeach()
  list(JOIN seen ", " text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
