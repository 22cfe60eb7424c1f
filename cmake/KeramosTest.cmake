# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keramos_test(NAME SOURCE... [SIMD] [LIBRARIES TARGET...] [LABELS LABEL...])
#
# Builds a GoogleTest binary keramos_NAME from the sources and tests/Main.cpp and registers it with CTest as NAME. With SIMD,
# for binaries that reach the vectorised host kernels, it is registered again under KERAMOS_SIMD=baseline and avx2 (label
# "simd"), so that every instruction set is tested on every machine that has it; the entry NAME runs the widest one.
include(KeramosGoogleTest) # the targets GTest::gtest and GTest::gmock, found or fetched

set(Keramos_TEST_SKIPPED 77) # exit code of a test that could not run here; tests/Main.cpp has the same number

# Two threads are enough to see races and keep the time bearable on small machines; CTest counts them, so that parallel test
# runs do not oversubscribe the cores.
set(Keramos_TEST_THREADS 2)

add_library(keramos_test_main OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/Main.cpp)
target_link_libraries(keramos_test_main PUBLIC Keramos::keramos GTest::gtest GTest::gmock)
target_compile_options(keramos_test_main PUBLIC ${Keramos_WARNINGS})

function(keramos_register_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;ENVIRONMENT;LABELS")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set(environment KOKKOS_NUM_THREADS=${Keramos_TEST_THREADS} OMP_PROC_BIND=false ${arg_ENVIRONMENT})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${environment}"
    LABELS "${arg_LABELS}"
    PROCESSORS ${Keramos_TEST_THREADS}
    SKIP_RETURN_CODE ${Keramos_TEST_SKIPPED}
    TIMEOUT 900)
endfunction()

function(keramos_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SIMD" "" "LIBRARIES;LABELS")
  set(target keramos_${name})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${target} PRIVATE keramos_test_main ${arg_LIBRARIES})
  target_compile_definitions(${target} PRIVATE KERAMOS_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data")
  # One line a failed test instead of one a passed one: CTest shows the output of what failed.
  set(command $<TARGET_FILE:${target}> --gtest_brief=1)
  keramos_register_test(${name} COMMAND ${command} LABELS unit ${arg_LABELS})
  if(arg_SIMD)
    foreach(set baseline avx2)
      keramos_register_test(${name}.${set} COMMAND ${command} ENVIRONMENT KERAMOS_SIMD=${set} LABELS unit simd ${arg_LABELS})
    endforeach()
  endif()
endfunction()
