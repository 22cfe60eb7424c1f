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

# 12345 ms as "12.3 s"
function(keramos_seconds milliseconds result)
  set(sign "")
  if(milliseconds LESS 0)
    set(sign "-")
    math(EXPR milliseconds "-(${milliseconds})")
  endif()
  math(EXPR seconds "${milliseconds} / 1000")
  math(EXPR tenths "${milliseconds} / 100 % 10")
  set(${result} "${sign}${seconds}.${tenths} s" PARENT_SCOPE)
endfunction()

# A kernel costs a user's binary some 50 kB and every build some tenths of a second. The last that were worth more room: small
# gather-sums by warps, 24, which take 0.55 to 0.7 of the time that chunks and a second kernel took; large stars of radius 5 to 8 and
# small operators over two axes, 28, which are 1.1 to 1.8 times as fast; edge rules of large stars, 12, 1.1 to 1.4 times as fast; stars
# on thin Regions, 16, which take 0.35 to 0.5 of the time; lines across the rows of large grids, 16, up to 1.3 times as fast;
# stars on small grids, 8, which take 0.4 to 0.9 of the time; one more each of tiles, of sums and of Gaussians at many points; small
# tiles at odd pitches, 1, which take 0.25 to 0.75 of the time; tiles of 8 bytes at odd pitches, 1, 0.96; stars of radius 2 in float where
# memory is fast, 1, 0.93 on odd rows; lines along the slowest axis of odd rows, 8, 0.80 to 0.95; operators over two axes whose rows
# lie more than whole vectors apart, 6, 0.96 to 0.98 of those that do not; lines along the middle axis of odd rows, 4, 0.86; boxes of radius
# 1 in float on rows of 513 to 544, 1, 0.88; stars on Regions thin along contiguous rows, 4, 0.65 to 0.8; stars of
# radius 1 to 4 in float on odd rows by pairs of columns, 4, 0.7 to 1.02; transposes of 4 bytes over joined axes, 1, 0.86 to
# 1.03; boxes of radius 1 in float by pairs of columns, 1, 0.75 to 1.02; small matrices that are contiguous on both sides, 4 (1 to 8
# bytes), 0.70 to 1.02 of boxes by runs, 0.3 to 0.4 of boxes by elements of 1 and 2 bytes; waves over two axes by registers, 8, 0.69 to 0.98;
# the wave update of radius 4 in float on odd rows by pairs of columns, 1, 0.61 to 0.90, in double by single ones, 1, 0.68 to 0.82; cells that
# trade places, of matrices in place that are not square, 1, 0.0015 to 0.3 of the time; the wave update's fields
# in float in shared memory, 1, 0.85 to 1.0; stars from one of three interleaved components on rows of 513, 6, 0.78 to 0.94;
# stars on thin Regions that have nothing to ask, 7, 0.73 to 0.97; transposes of 1 byte by large tiles, 1, 0.93 to 0.98;
# stars of radius 4 over two axes on large grids of odd rows, 2, 0.7 to 0.97; stars in double by single columns, 4, 0.8 to 0.98; stars whose
# rows are short, 16, 0.12 to 0.9; transposes in place of 2 bytes at odd orders, 1, 0.63 to 0.66; boxes, and what is within them, whose
# rows are short, 8, 0.05 to 0.95; stars, waves and boxes over two axes whose rows are, 20, 0.07 to 0.95.
set(max_kernels 653)
if(NM)
  execute_process(COMMAND ${NM} "${LIBRARY}" OUTPUT_VARIABLE symbols ERROR_QUIET)
  string(REGEX MATCHALL "_ZGVZL[0-9]+__device_stub__ZN7Keramos[A-Za-z0-9_]+" kernels "${symbols}")
  list(REMOVE_DUPLICATES kernels)
  list(LENGTH kernels count)
  message("Keramos: ${count} device kernels for one architecture, of ${max_kernels} at most")
  if(count GREATER max_kernels)
    message(FATAL_ERROR "Keramos: more device kernels than the budget; instantiate fewer, or raise it here with the reason")
  endif()
endif()

if(NOT EXISTS "${LOG}")
  return() # not built by Ninja: nobody wrote down the times
endif()
file(STRINGS "${LOG}" lines REGEX "\\.(cpp|cu|cxx)\\.o\t")
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
  if(output MATCHES "/budgets/([A-Za-z]+)[.]cpp$")
    set(time_${CMAKE_MATCH_1} ${time})
  endif()
  if(time GREATER slowest)
    set(slowest ${time})
    string(REGEX REPLACE "CMakeFiles/([^/]+)\\.dir/" "" name "${output}")
  endif()
endforeach()
list(LENGTH seen count)
if(count GREATER 0)
  keramos_seconds(${slowest} text)
  message("Keramos: ${count} translation units, the slowest is ${name} with ${text}")
endif()
foreach(family Stencil Transpose GatherSum)
  if(time_${family} AND time_${family}Functor)
    math(EXPR more "${time_${family}Functor} - ${time_${family}}")
    keramos_seconds(${time_${family}} plain)
    keramos_seconds(${more} functor)
    message("Keramos: a source with one call, ${family}: ${plain}; a functor in it: ${functor} more")
  endif()
endforeach()
