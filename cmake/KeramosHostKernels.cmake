# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keramos_add_host_kernels(TARGET SOURCE...): compiles each source once for every instruction set of this processor family, with
# KERAMOS_SIMD naming it, into TARGET. backends/openmp/HostKernels.cpp chooses among them at run time. The sources see neither
# Kokkos nor its flags (an installed Kokkos may add -march=native), and what they do name overrides an -march in the user's flags
# or of a compiler wrapper (Spack's), so that each set is what it says and the baseline runs anywhere.
include(CheckCXXCompilerFlag)

function(keramos_add_host_kernels target)
  set(sets baseline)
  set(baseline_flags "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND sets avx2 avx512)
    set(baseline_flags -march=x86-64 -mtune=generic)
    set(avx2_flags ${baseline_flags} -mavx2 -mfma)
    set(avx512_flags ${baseline_flags} -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma -mprefer-vector-width=512)
    target_compile_definitions(${target} PRIVATE KERAMOS_HAVE_AVX2 KERAMOS_HAVE_AVX512)
  endif()
  # Kernels must be fast in every build type, but sanitizers' checks in unrolled loops take minutes to optimise, and a build that
  # only shows that it can be made (Keramos_HOST_OPTIMISATION, for tests and cuda-compile-only) need not be.
  set(optimisation -O3)
  if(Keramos_HOST_OPTIMISATION)
    set(optimisation ${Keramos_HOST_OPTIMISATION})
  elseif(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(optimisation -O1 -fexpensive-optimizations) # the latter fuses multiply-adds: sums round as they do in a release
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      set(optimisation -O1)
    endif()
  endif()
  set(extensions ON) # without, g++ fuses no multiply-adds by itself
  # A point has the same bits in vectors of any width. g++ 13 for "generic", and g++ 12 for some processors, fuse no chains of
  # multiply-adds in short ones.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND optimisation --param=avoid-fma-max-bits=0)
  endif()
  # nvcc_wrapper hands these to its host compiler, but knows no extensions.
  if(Kokkos_ENABLE_CUDA AND NOT Keramos_CUDA_LANGUAGE)
    check_cxx_compiler_flag(--host-only Keramos_CXX_IS_NVCC_WRAPPER)
    if(Keramos_CXX_IS_NVCC_WRAPPER)
      set(extensions OFF)
      list(APPEND optimisation --host-only -ffp-contract=fast)
    endif()
  endif()
  foreach(set IN LISTS sets)
    set(objects ${target}_host_${set})
    add_library(${objects} OBJECT ${ARGN})
    target_compile_features(${objects} PRIVATE cxx_std_20)
    # -fno-math-errno lets a square root be one instruction. An application's -ffast-math would fold the searches for NaN away, and
    # the roundings that find the nearest integer.
    target_compile_options(${objects} PRIVATE ${optimisation} -fno-fast-math -fno-math-errno ${${set}_flags})
    target_compile_definitions(${objects} PRIVATE KERAMOS_SIMD=${set})
    set_target_properties(${objects} PROPERTIES CXX_EXTENSIONS ${extensions} POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  set(Keramos_INSTRUCTION_SETS ${sets} PARENT_SCOPE) # for the tests of the disassembly
endfunction()
