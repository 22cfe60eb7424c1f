# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keramos_kokkos_sources(TARGET...): the targets' sources include Kokkos and are compiled as Kokkos asks for. Applications
# may call it too.
#
# A Kokkos with CUDA is had in three ways. With Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, CMake's own CUDA language compiles
# whatever includes Kokkos; our sources are all called .cpp, since one text serves every backend. nvcc_wrapper is a C++
# compiler: nothing to do. With Kokkos_ENABLE_MULTIPLE_CMAKE_LANGUAGES, find_package(Kokkos) redirects the C++ compiler to
# nvcc_wrapper for what includes Kokkos: nothing to do either, and the application's own .cu files may include Kokkos as well.
#
# What Kokkos is built for decides, for the library and for every target that is named here: CMAKE_CUDA_ARCHITECTURES of the
# surrounding project does not matter, since project(... LANGUAGES CUDA) has set it to the compiler's default.
include_guard()

# What the options ask of a Kokkos that is to be fetched; empty if it is to find out by itself.
function(keramos_kokkos_option_architectures result)
  get_cmake_property(names VARIABLES)
  list(FILTER names INCLUDE REGEX "^Kokkos_ARCH_(PASCAL|VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)[0-9]+$")
  set(architectures "")
  foreach(name IN LISTS names)
    if(${name})
      string(REGEX MATCH "[0-9]+$" number ${name})
      list(APPEND architectures ${number})
    endif()
  endforeach()
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()

# What the user asks of CMake: in the environment, on the command line or in the project. Empty where CMake has taken the
# compiler's default, which shows by its help string; a later -D keeps that, so that the default is remembered.
function(keramos_requested_cuda_architectures result)
  set(requested "${CMAKE_CUDA_ARCHITECTURES}")
  get_property(help CACHE CMAKE_CUDA_ARCHITECTURES PROPERTY HELPSTRING)
  if(NOT "$ENV{CUDAARCHS}" STREQUAL "")
    set(requested "$ENV{CUDAARCHS}")
  elseif(help STREQUAL "CUDA architectures" AND requested STREQUAL "$CACHE{CMAKE_CUDA_ARCHITECTURES}")
    if(NOT DEFINED CACHE{Keramos_CUDA_DEFAULT})
      set(Keramos_CUDA_DEFAULT "${requested}" CACHE INTERNAL "What CMake compiles CUDA for if nobody asks")
    endif()
    if(requested STREQUAL Keramos_CUDA_DEFAULT)
      set(requested "")
    endif()
  endif()
  set(${result} "${requested}" PARENT_SCOPE)
endfunction()

# Ends where the user asks for another architecture than Kokkos is built for.
function(keramos_check_cuda_architectures kokkos)
  keramos_requested_cuda_architectures(requested)
  set(numbers "${requested}")
  if(requested STREQUAL "native")
    set(numbers "${CMAKE_CUDA_ARCHITECTURES_NATIVE}") # of all GPUs here, of which Kokkos is built for one
  endif()
  list(TRANSFORM numbers REPLACE "-(real|virtual)$" "")
  list(REMOVE_DUPLICATES numbers)
  if(requested AND NOT numbers STREQUAL kokkos AND NOT (requested STREQUAL "native" AND kokkos IN_LIST numbers))
    message(FATAL_ERROR "Keramos: Kokkos is built for the CUDA architecture ${kokkos}, and CMAKE_CUDA_ARCHITECTURES (or CUDAARCHS in "
      "the environment) asks for ${requested}. What Kokkos is built for decides: leave the request out, or take a Kokkos that is "
      "built for ${requested} (a fetched one by -DKokkos_ARCH_HOPPER90=ON and the like).")
  endif()
endfunction()

# For the architectures that Kokkos is or will be built for; empty before a Kokkos that finds out by itself.
macro(keramos_enable_cuda architectures)
  if(NOT CMAKE_CUDA_COMPILER_LOADED AND DEFINED PROJECT_IS_TOP_LEVEL AND NOT PROJECT_IS_TOP_LEVEL)
    message(FATAL_ERROR "Keramos: this Kokkos is compiled with CMake's CUDA language. Enable it in your project, above "
      "Keramos: project(${CMAKE_PROJECT_NAME} LANGUAGES CXX CUDA)")
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.25.2)
    message(FATAL_ERROR "Keramos: CUDA as a CMake language with C++20 wants CMake 3.25.2 or newer, and this is "
      "${CMAKE_VERSION}. A newer one is in PyPI: python3 -m venv tools && tools/bin/pip install cmake")
  endif()
  if(NOT "${architectures}" STREQUAL "")
    keramos_check_cuda_architectures("${architectures}")
    set(CMAKE_CUDA_ARCHITECTURES "${architectures}")
    set_property(GLOBAL PROPERTY Keramos_CUDA_ARCHITECTURES "${architectures}")
  elseif(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES native)
  endif()
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    enable_language(CUDA)
  endif()
endmacro()

# True where Kokkos wants CMake's CUDA language. Kept for keramos_kokkos_sources(), which an application may call from above.
macro(keramos_wants_cuda_language result)
  set(${result} FALSE)
  if(Kokkos_ENABLE_CUDA AND Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
    set(${result} TRUE)
  endif()
  set_property(GLOBAL PROPERTY Keramos_CUDA_LANGUAGE ${${result}})
endmacro()

function(keramos_kokkos_sources)
  get_property(as_cuda GLOBAL PROPERTY Keramos_CUDA_LANGUAGE)
  get_property(architectures GLOBAL PROPERTY Keramos_CUDA_ARCHITECTURES)
  if(NOT as_cuda)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.(cpp|cc|cxx)$")
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CUDA)
    target_compile_features(${target} PRIVATE cuda_std_20)
    set_target_properties(${target} PROPERTIES CUDA_EXTENSIONS OFF)
    if(architectures)
      set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES ${architectures})
    endif()
  endforeach()
endfunction()
