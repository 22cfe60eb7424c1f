# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D LOG=.ninja_log -D LIBRARY=libkeramos.a -P PrintBudgets.cmake: one line for each budget (see KeramosBudgets.cmake).
# A line of Ninja's log: start in ms, end in ms, time stamp, output, hash of the command; the last line of an output counts.
cmake_minimum_required(VERSION 3.22)
file(SIZE "${LIBRARY}" bytes)
math(EXPR kilobytes "${bytes} / 1000")
get_filename_component(library "${LIBRARY}" NAME)
message("Keramos: ${library} has ${kilobytes} kB")

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
