# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Defaults for a build of Keramos itself: an optimised build, and as many compilers at once as cores and memory allow.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Ninja starts two compilers more than there are cores; the largest test sources take 1.5 GB each.
set(Keramos_MEGABYTES_A_COMPILER 1500)
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
execute_process(COMMAND nproc OUTPUT_VARIABLE cores ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE) # respects affinity
if(NOT cores)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
endif()
math(EXPR jobs "${memory} / ${Keramos_MEGABYTES_A_COMPILER}")
if(jobs GREATER cores)
  set(jobs ${cores})
elseif(jobs LESS 1)
  set(jobs 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS keramos_compilers=${jobs})
set(CMAKE_JOB_POOL_COMPILE keramos_compilers)
