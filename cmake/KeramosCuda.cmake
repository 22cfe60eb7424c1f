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
include_guard()

# Before Kokkos is fetched: CMake wants the language enabled, for a known architecture, above everything that uses it.
function(keramos_cuda_architectures result)
  get_cmake_property(names CACHE_VARIABLES)
  list(FILTER names INCLUDE REGEX "^Kokkos_ARCH_(VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)[0-9]+$")
  set(architectures "")
  foreach(name IN LISTS names)
    if(${name})
      string(REGEX MATCH "[0-9]+$" number ${name})
      list(APPEND architectures ${number})
    endif()
  endforeach()
  if(NOT architectures)
    set(architectures native)
  endif()
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()

macro(keramos_enable_cuda)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    if(Kokkos_CUDA_ARCHITECTURES) # of an installed Kokkos
      set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})
    else()
      keramos_cuda_architectures(CMAKE_CUDA_ARCHITECTURES)
    endif()
  endif()
  if(NOT CMAKE_CUDA_COMPILER_LOADED AND DEFINED PROJECT_IS_TOP_LEVEL AND NOT PROJECT_IS_TOP_LEVEL)
    message(FATAL_ERROR "Keramos: this Kokkos is compiled with CMake's CUDA language. Enable it in your project, above "
      "Keramos: project(${CMAKE_PROJECT_NAME} LANGUAGES CXX CUDA)")
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.25.2)
    message(FATAL_ERROR "Keramos: CUDA as a CMake language with C++20 wants CMake 3.25.2 or newer, and this is "
      "${CMAKE_VERSION}. A newer one is in PyPI: python3 -m venv tools && tools/bin/pip install cmake")
  endif()
  enable_language(CUDA)
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
  if(NOT as_cuda)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.(cpp|cc|cxx)$")
    set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CUDA)
    target_compile_features(${target} PRIVATE cuda_std_20)
    set_target_properties(${target} PROPERTIES CUDA_EXTENSIONS OFF)
  endforeach()
endfunction()
