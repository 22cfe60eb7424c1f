# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target Kokkos::kokkos: the one that the surrounding project has, else an installed Kokkos 5, else a fetched one, built
# as part of this build.
#
# Options Kokkos_ENABLE_<BACKEND or OPTION> and Kokkos_ARCH_<NAME> in the cache, as the presets set them, configure a fetched
# Kokkos; an installed one is taken only if it agrees with each of them. What was decided once stays: a fetched Kokkos writes
# every one of its options into the cache, where they would look like requests to the next run.
include(KeramosFetch)
include(KeramosCuda)
include(KeramosKokkosFacts)

# Every option about Kokkos in the cache, as "ENABLE_OPENMP=ON".
function(keramos_kokkos_requests result)
  get_cmake_property(names CACHE_VARIABLES)
  list(FILTER names INCLUDE REGEX "^Kokkos_(ENABLE|ARCH)_")
  set(requests "")
  foreach(name IN LISTS names)
    string(REGEX REPLACE "^Kokkos_" "" request "${name}")
    if(${${name}})
      list(APPEND requests ${request}=ON)
    else()
      list(APPEND requests ${request}=OFF)
    endif()
  endforeach()
  set(${result} "${requests}" PARENT_SCOPE)
endfunction()

# Empty if the Kokkos found has what the requests say, else the requests that it does not grant.
function(keramos_kokkos_disagrees result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "REQUESTS;HAS")
  set(missing "")
  foreach(request IN LISTS arg_REQUESTS)
    string(REGEX MATCH "^(.*)=(ON|OFF)$" _ "${request}")
    set(has OFF)
    if(CMAKE_MATCH_1 IN_LIST arg_HAS)
      set(has ON)
    endif()
    if(NOT has STREQUAL CMAKE_MATCH_2)
      list(APPEND missing Kokkos_${request})
    endif()
  endforeach()
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()

# Sets Keramos_KOKKOS to "installed" or "fetched".
function(keramos_choose_kokkos)
  keramos_kokkos_requests(requests) # also tells CMake that options about Kokkos are used
  if(DEFINED CACHE{Keramos_KOKKOS})
    return()
  endif()
  set(asked_for "")
  foreach(place IN ITEMS "${Kokkos_DIR}" "${Kokkos_ROOT}" "$ENV{Kokkos_ROOT}")
    if(place)
      set(asked_for "${place}")
      break()
    endif()
  endforeach()
  # In a directory of its own: its imported targets end there, so that a Kokkos that is not taken leaves no trace.
  add_subdirectory(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/probe_kokkos ${CMAKE_CURRENT_BINARY_DIR}/probe_kokkos)
  set(choice fetched)
  if(probe_version)
    keramos_kokkos_disagrees(missing REQUESTS ${requests} HAS ${probe_has})
    if(NOT probe_compiler MATCHES "^(${CMAKE_CXX_COMPILER_ID}|NVIDIA)$" AND NOT asked_for) # NVIDIA: it compiles us as well
      list(APPEND missing "compiler ${CMAKE_CXX_COMPILER_ID}") # two compilers bring two OpenMP runtimes
    endif()
    list(JOIN missing ", " missing_text)
    if(NOT missing)
      set(choice installed)
    elseif(asked_for)
      message(FATAL_ERROR "Keramos: the Kokkos ${probe_version} in ${probe_dir} was not built with ${missing_text}. "
        "Point Kokkos_ROOT to one that was, or leave it out: then Keramos fetches Kokkos and builds it so.")
    else()
      message(STATUS "Keramos: Kokkos ${probe_version} in ${probe_dir} is passed over: not built with ${missing_text}")
    endif()
  elseif(asked_for)
    if(probe_refused)
      string(PREPEND probe_refused ": too old is ")
    endif()
    message(FATAL_ERROR "Keramos needs Kokkos 5, and there is none where Kokkos_ROOT or Kokkos_DIR points to "
      "(${asked_for})${probe_refused}.")
  elseif(probe_refused)
    message(STATUS "Keramos: ${probe_refused} is passed over: Keramos needs Kokkos 5")
  endif()
  if(choice STREQUAL fetched)
    unset(Kokkos_DIR CACHE)
  endif()
  set(Keramos_KOKKOS ${choice} CACHE INTERNAL "Where Kokkos comes from")
endfunction()

function(keramos_add_fetched_kokkos)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON) # so that a shared Keramos, or a user's plugin, can hold it
  if(NOT (Kokkos_ENABLE_HIP OR Kokkos_ENABLE_SYCL OR Kokkos_ENABLE_HPX)) # nobody has seen those built so
    set(CMAKE_UNITY_BUILD ON) # each of its sources would read all of its headers
  endif()
  if(NOT DEFINED Kokkos_ENABLE_SERIAL AND NOT DEFINED Kokkos_ENABLE_OPENMP AND NOT DEFINED Kokkos_ENABLE_THREADS)
    find_package(OpenMP QUIET COMPONENTS CXX)
    set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "Kokkos' Serial backend")
    set(Kokkos_ENABLE_OPENMP ${OpenMP_CXX_FOUND} CACHE BOOL "Kokkos' OpenMP backend")
  endif()
  keramos_fetch(Kokkos VERSION 5.0.2
    SHA256 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
    URL https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
    POOL pool/main/k/kokkos/kokkos_5.0.2.orig.tar.gz
    INSTALL "install Kokkos 5 (https://kokkos.org) and point Kokkos_ROOT to it")
  foreach(backend SERIAL OPENMP THREADS CUDA HIP SYCL HPX)
    if(Kokkos_ENABLE_${backend})
      list(APPEND backends ${backend})
    endif()
  endforeach()
  list(JOIN backends ", " backends)
  message(STATUS "Keramos: Kokkos 5.0.2, fetched, is built with ${backends} as part of this build (less than a minute on two cores)")
endfunction()

# A static Kokkos goes into a shared Keramos only if its code is position-independent, which the linker finds out.
function(keramos_check_shared_kokkos)
  if(NOT BUILD_SHARED_LIBS OR NOT TARGET Kokkos::kokkoscore)
    return()
  endif()
  get_target_property(type Kokkos::kokkoscore TYPE)
  get_target_property(imported Kokkos::kokkoscore IMPORTED)
  if(NOT imported OR NOT type STREQUAL STATIC_LIBRARY)
    return()
  endif()
  get_target_property(archive Kokkos::kokkoscore LOCATION)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -shared -o ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/keramos_shared_kokkos.so
    -Wl,--whole-archive ${archive} -Wl,--no-whole-archive OUTPUT_QUIET ERROR_VARIABLE said)
  if(said MATCHES "recompile with -fPIC")
    message(FATAL_ERROR "Keramos: with BUILD_SHARED_LIBS a static Kokkos must hold position-independent code, and ${archive} does "
      "not. Build Kokkos with -DCMAKE_POSITION_INDEPENDENT_CODE=ON or -DBUILD_SHARED_LIBS=ON, or leave BUILD_SHARED_LIBS out here.")
  endif()
endfunction()

if(TARGET Kokkos::kokkos)
  keramos_kokkos_facts()
  message(STATUS "Keramos: Kokkos ${Keramos_KOKKOS_VERSION} (${Keramos_KOKKOS_BACKENDS_TEXT}) is the one that the surrounding "
    "project has")
  if(Keramos_KOKKOS_VERSION AND Keramos_KOKKOS_VERSION VERSION_LESS 5)
    message(FATAL_ERROR "Keramos needs Kokkos 5, and the surrounding project has Kokkos ${Keramos_KOKKOS_VERSION} "
      "(${Keramos_KOKKOS_INCLUDE}).")
  endif()
else()
  keramos_choose_kokkos()
  if(Keramos_KOKKOS STREQUAL installed)
    find_package(Kokkos 5 REQUIRED QUIET)
    list(JOIN Kokkos_DEVICES ", " Keramos_kokkos_backends)
    message(STATUS "Keramos: Kokkos ${Kokkos_VERSION} (${Keramos_kokkos_backends}), installed in ${Kokkos_DIR}")
  else()
    keramos_wants_cuda_language(Keramos_CUDA_LANGUAGE)
    if(Keramos_CUDA_LANGUAGE)
      # CMake wants the language enabled, for a known architecture, above everything that uses it.
      keramos_kokkos_option_architectures(Keramos_option_architectures)
      keramos_enable_cuda("${Keramos_option_architectures}")
    endif()
    keramos_add_fetched_kokkos()
  endif()
endif()
keramos_kokkos_facts()
keramos_check_shared_kokkos()
keramos_wants_cuda_language(Keramos_CUDA_LANGUAGE)
if(Keramos_CUDA_LANGUAGE)
  keramos_enable_cuda("${Keramos_KOKKOS_CUDA_ARCHITECTURES}")
endif()
