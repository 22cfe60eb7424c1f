# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D LOG=.ninja_log -D LIBRARY=libkeramos.a [-D NM=nm] -P PrintBudgets.cmake: one line for each budget (see
# KeramosBudgets.cmake). With NM the device kernels are counted, by the stubs that launch them from the host.
# A line of Ninja's log: start in ms, end in ms, time stamp, output, hash of the command; the last line of an output counts.
cmake_minimum_required(VERSION 3.22)
file(SIZE "${LIBRARY}" bytes)
math(EXPR kilobytes "${bytes} / 1000")
get_filename_component(library "${LIBRARY}" NAME)
message("Keramos: ${library} has ${kilobytes} kB")

# A kernel costs a user's binary some 50 kB and every build some tenths of a second.
set(most_kernels 450)
if(NM)
  execute_process(COMMAND ${NM} "${LIBRARY}" OUTPUT_VARIABLE symbols ERROR_QUIET)
  string(REGEX MATCHALL "_ZGVZL[0-9]+__device_stub__ZN7Keramos[A-Za-z0-9_]+" kernels "${symbols}")
  list(REMOVE_DUPLICATES kernels)
  list(LENGTH kernels count)
  message("Keramos: ${count} device kernels for one architecture, of ${most_kernels} at most")
  if(count GREATER most_kernels)
    message(FATAL_ERROR "Keramos: more device kernels than the budget; instantiate fewer, or raise it here with the reason")
  endif()
endif()

if(NOT EXISTS "${LOG}")
  return() # not built by Ninja: nobody wrote down the times
endif()
file(STRINGS "${LOG}" lines REGEX "\\.cpp\\.o\t")
list(REVERSE lines)
set(seen "")
set(slowest 0)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([0-9]+)\t([0-9]+)\t[0-9]+\t([^\t]+)\\.o\t" _ "${line}")
  set(output "${CMAKE_MATCH_3}")
  math(EXPR time "${CMAKE_MATCH_2} - ${CMAKE_MATCH_1}")
  if(output MATCHES "^_deps/" OR output IN_LIST seen)
    continue()
  endif()
  list(APPEND seen "${output}")
  if(time GREATER slowest)
    set(slowest ${time})
    string(REGEX REPLACE "CMakeFiles/([^/]+)\\.dir/" "" name "${output}")
  endif()
endforeach()
list(LENGTH seen count)
if(count GREATER 0)
  math(EXPR seconds "${slowest} / 1000")
  math(EXPR tenths "${slowest} / 100 % 10")
  message("Keramos: ${count} translation units, the slowest is ${name} with ${seconds}.${tenths} s")
endif()
