# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# keramos_test(NAME SOURCE... [SIMD] [GRAPH] [OPTIMISED] [LIBRARIES TARGET...] [LABELS LABEL...])
#
# Builds a GoogleTest binary keramos_NAME from the sources and tests/Main.cpp and registers it with CTest as NAME. The sources are
# compiled with -O1, or as the build type says with OPTIMISED (Keramos_TEST_OPTIONS overrules both). With SIMD,
# for binaries that reach the vectorised host kernels, it is registered again under KERAMOS_SIMD=SET (label "simd") for every instruction
# set but the widest, so that each is tested on every machine that has it; the entry NAME runs the widest one, and alone the tests whose
# names end in the backends reference and portable, which take no kernels of a set. Not where
# Kokkos has CUDA: there the binaries test the GPU most of their time, and a host build of the machine tests the sets. With
# GRAPH it is registered again where Kokkos has CUDA, with every call captured in a graph and replayed (label "graph").
include(KeramosGoogleTest) # the targets GTest::gtest and GTest::gmock, found or fetched

set(Keramos_TEST_SKIPPED 77) # exit code of a test that could not run here; tests/Main.cpp has the same number

# Two threads are enough to see races and keep the time bearable on small machines; CTest counts them, so that parallel test
# runs do not oversubscribe the cores. Beside CUDA the second one rests most of the time.
set(Keramos_TEST_THREADS 1)
if(Kokkos_ENABLE_OPENMP OR Kokkos_ENABLE_THREADS)
  set(Keramos_TEST_THREADS 2)
endif()
set(Keramos_TEST_PROCESSORS ${Keramos_TEST_THREADS})
if(Kokkos_ENABLE_CUDA)
  set(Keramos_TEST_PROCESSORS 1)
endif()

# The library's kernels are compiled as in an application. The tests' own code would take twice the time with -O3; presets with
# sanitizers leave some checks out of it, which cost a third of its time, and one that runs nothing optimises nothing.
set(Keramos_TEST_OPTIONS "" CACHE STRING
  "Compile options of every test's own sources; empty: -O1, and the build type's alone for those that ask for them")
set(build_type_options "") # beyond those of this folder
if(Keramos_CUDA_LANGUAGE AND CMAKE_BUILD_TYPE) # nvcc warns of a second -O, so the first becomes an option
  string(TOUPPER CMAKE_CUDA_FLAGS_${CMAKE_BUILD_TYPE} flags)
  string(REGEX MATCH "-O[0-9]" build_type_options "${${flags}}")
  string(REGEX REPLACE "-O[0-9]" "" ${flags} "${${flags}}")
endif()
if(Keramos_TEST_OPTIONS)
  set(test_options ${Keramos_TEST_OPTIONS})
  set(optimised_test_options ${Keramos_TEST_OPTIONS})
else()
  set(test_options -O1)
  set(optimised_test_options ${build_type_options})
endif()

add_library(keramos_test_main OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/Main.cpp ${CMAKE_CURRENT_SOURCE_DIR}/Run.cpp)
keramos_kokkos_sources(keramos_test_main)
set_target_properties(keramos_test_main PROPERTIES UNITY_BUILD OFF) # Main.cpp's command is what the checks of headers take
target_link_libraries(keramos_test_main PUBLIC Keramos::keramos GTest::gtest GTest::gmock)
target_compile_options(keramos_test_main PUBLIC ${Keramos_WARNINGS} PRIVATE ${test_options})
set(Keramos_TEST_LINK_OPTIONS "")
if(Kokkos_ENABLE_CUDA)
  set(Keramos_TEST_LINK_OPTIONS -Wl,--wrap=cudaMallocManaged) # for Run.cpp
endif()
target_link_options(keramos_test_main PUBLIC ${Keramos_TEST_LINK_OPTIONS})
# A third of the time of most tests' sources goes into these two headers. nvcc takes none that are precompiled.
if(NOT Kokkos_ENABLE_CUDA)
  target_precompile_headers(keramos_test_main PRIVATE <Keramos.hpp> <gtest/gtest.h>)
  set_source_files_properties(Main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endif()

function(keramos_register_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;ENVIRONMENT;LABELS")
  add_test(NAME ${name} COMMAND ${arg_COMMAND} COMMAND_EXPAND_LISTS)
  set(environment KOKKOS_NUM_THREADS=${Keramos_TEST_THREADS} OMP_PROC_BIND=false OMP_WAIT_POLICY=passive ${arg_ENVIRONMENT})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "${environment}"
    LABELS "${arg_LABELS}"
    PROCESSORS ${Keramos_TEST_PROCESSORS}
    SKIP_RETURN_CODE ${Keramos_TEST_SKIPPED}
    TIMEOUT 900)
endfunction()

function(keramos_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SIMD;GRAPH;OPTIMISED" "" "LIBRARIES;LABELS")
  set(target keramos_${name})
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  keramos_kokkos_sources(${target})
  target_link_libraries(${target} PRIVATE keramos_test_main ${arg_LIBRARIES})
  target_compile_definitions(${target} PRIVATE KERAMOS_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data")
  if(arg_OPTIMISED)
    target_compile_options(${target} PRIVATE ${optimised_test_options})
  else()
    target_compile_options(${target} PRIVATE ${test_options})
    if(NOT Kokkos_ENABLE_CUDA)
      target_precompile_headers(${target} REUSE_FROM keramos_test_main)
    endif()
  endif()
  # One line a failed test instead of one a passed one: CTest shows the output of what failed.
  set(command ${target} --gtest_brief=1) # by its name: the emulator of a cross build comes before it
  keramos_register_test(${name} COMMAND ${command} LABELS unit ${arg_LABELS})
  if(arg_SIMD AND NOT Kokkos_ENABLE_CUDA)
    set(narrower ${Keramos_INSTRUCTION_SETS})
    list(POP_BACK narrower)
    foreach(set IN LISTS narrower)
      keramos_register_test(${name}.${set} COMMAND ${command} "--gtest_filter=-*/reference:*/portable"
        ENVIRONMENT KERAMOS_SIMD=${set} LABELS unit simd ${arg_LABELS})
    endforeach()
  endif()
  if(arg_GRAPH AND Kokkos_ENABLE_CUDA)
    keramos_register_test(${name}.graph COMMAND ${command} ENVIRONMENT KERAMOS_TEST_LAUNCH=graph LABELS unit graph ${arg_LABELS})
  endif()
endfunction()

# keramos_choice(NAME FILTER): registers those tests of the binary keramos_NAME that only ask what a call takes as choice.NAME, on a
# GPU that computes nothing (tests/fake_gpu/Runtime.cpp): for machines without one.
if(Kokkos_ENABLE_CUDA)
  add_library(keramos_fake_gpu OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/fake_gpu/Runtime.cpp)
  target_compile_features(keramos_fake_gpu PRIVATE cxx_std_20)
  target_include_directories(keramos_fake_gpu SYSTEM PRIVATE ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  target_compile_options(keramos_fake_gpu PRIVATE ${Keramos_WARNINGS})
endif()
function(keramos_choice name filter)
  set(target keramos_choice_${name})
  add_executable(${target} $<TARGET_OBJECTS:keramos_${name}>)
  target_link_libraries(${target} PRIVATE keramos_test_main keramos_fake_gpu)
  target_link_options(${target} PRIVATE -Wl,--as-needed) # no driver
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY None LINKER_LANGUAGE CXX)
  keramos_register_test(choice.${name} COMMAND ${target} --gtest_brief=1 "--gtest_filter=${filter}" LABELS choice)
endfunction()

# keramos_check(NAME ARGUMENT...): tests/checks/NAME.py, where what follows a dot in NAME only tells entries apart
find_package(Python3 3.9 COMPONENTS Interpreter REQUIRED)
function(keramos_check name)
  string(REGEX REPLACE "\\..*" "" script ${name})
  keramos_register_test(${name} LABELS check
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/checks/${script}.py ${ARGN})
endfunction()

# keramos_sanitize(NAME TOOL FILTER): these tests of keramos_Sanitize under a tool of compute-sanitizer, as sanitize.NAME
function(keramos_sanitize name tool filter)
  keramos_check(sanitize.${name} ${tool} $<TARGET_FILE:keramos_Sanitize> ${filter})
  set_tests_properties(sanitize.${name} PROPERTIES LABELS "check;sanitize" COST 1) # begins first: it takes minutes
endfunction()

# keramos_mutant(NAME TEST_SOURCE [LIBRARY_SOURCE...]): see tests/checks/mutant.py. The sources lie in a copy that the test
# makes and builds; a library source given here takes the place of the library's own.
function(keramos_mutant name test_source)
  set(target keramos_mutant_${name})
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name})
  list(TRANSFORM ARGN PREPEND ${copy}/ OUTPUT_VARIABLE sources)
  list(APPEND sources ${copy}/tests/${test_source})
  set_source_files_properties(${sources} PROPERTIES GENERATED TRUE)
  add_executable(${target} EXCLUDE_FROM_ALL ${sources})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF) # a test waits for it
  target_include_directories(${target} BEFORE PRIVATE ${copy}/src)
  target_compile_definitions(${target} PRIVATE KERAMOS_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data")
  target_compile_options(${target} PRIVATE ${test_options})
  keramos_kokkos_sources(${target})
  target_link_libraries(${target} PRIVATE keramos_test_main)
  keramos_check(mutant.${name} ${name} ${copy} ${target} $<TARGET_FILE:${target}> ${CMAKE_BINARY_DIR})
  set_tests_properties(mutant.${name} PROPERTIES RESOURCE_LOCK build_directory PROCESSORS 1)
endfunction()

# keramos_consumer(KIND [OPTION...]): builds and runs tests/consumer/KIND against the installed library, as it was moved to
# another folder, or this source tree, with the Kokkos of this build and without a network. Installing and moving are tests
# of their own, which the others wait for.
set(Keramos_TEST_PREFIX ${CMAKE_CURRENT_BINARY_DIR}/installed)
set(Keramos_MOVED_PREFIX ${CMAKE_CURRENT_BINARY_DIR}/moved)
keramos_register_test(install LABELS embedding
  COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --config $<CONFIG> --prefix ${Keramos_TEST_PREFIX})
set_tests_properties(install PROPERTIES FIXTURES_SETUP installed RESOURCE_LOCK build_directory)
keramos_check(relocate ${Keramos_TEST_PREFIX} ${Keramos_MOVED_PREFIX})
set_tests_properties(relocate PROPERTIES FIXTURES_REQUIRED installed FIXTURES_SETUP moved)

set(Keramos_CONSUMER_OPTIONS
  -DCMAKE_BUILD_TYPE=$<CONFIG>
  -DCMAKE_CXX_FLAGS_$<UPPER_CASE:$<CONFIG>>=-O0 # that all is compiled is what they show: with -O3 in twice the time
  -DKeramos_HOST_OPTIMISATION=-O0
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
  -DCMAKE_PREFIX_PATH=${Keramos_MOVED_PREFIX})
if(Kokkos_DIR)
  list(APPEND Keramos_CONSUMER_OPTIONS -DKokkos_DIR=${Kokkos_DIR})
endif()
if(Keramos_CUDA_LANGUAGE)
  list(APPEND Keramos_CONSUMER_OPTIONS -DCONSUMER_LANGUAGES=CUDA -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER})
endif()

# CTest runs these side by side; but with CUDA one that compiles the whole library alone would be the time of all. It counts as
# one process all the same, for CTest begins a test that wants more than others leave at a time when they have all ended.
set(Keramos_CONSUMER_JOBS 1)
if(Kokkos_ENABLE_CUDA)
  set(Keramos_CONSUMER_JOBS 6)
endif()

function(keramos_consumer kind)
  set(options ${Keramos_CONSUMER_OPTIONS} -DKERAMOS_SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DFETCHCONTENT_SOURCE_DIR_KERAMOS=${PROJECT_SOURCE_DIR} -DFETCHCONTENT_FULLY_DISCONNECTED=ON
    -DKeramos_DOWNLOAD_DIR=${Keramos_DOWNLOAD_DIR} ${ARGN})
  list(JOIN options "|" options) # one argument: a list would be expanded
  keramos_register_test(consumer.${kind} LABELS embedding
    COMMAND ${CMAKE_COMMAND} -D KIND=${kind} -D BUILD=${CMAKE_CURRENT_BINARY_DIR}/consumer/${kind} -D "OPTIONS=${options}"
      -D GENERATOR=${CMAKE_GENERATOR} -D CONFIG=$<CONFIG> -D JOBS=${Keramos_CONSUMER_JOBS} -P ${CMAKE_CURRENT_SOURCE_DIR}/consumer/run.cmake)
  set_tests_properties(consumer.${kind} PROPERTIES FIXTURES_REQUIRED moved PROCESSORS 1)
endfunction()
