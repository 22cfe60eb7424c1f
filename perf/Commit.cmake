# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -D SOURCE=tree -D HEADER=file -P Commit.cmake: the commit of the tree, and whether it differs from it.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
execute_process(COMMAND git -C ${SOURCE} status --porcelain -- src backends perf cmake CMakeLists.txt CMakePresets.json
  OUTPUT_VARIABLE changes ERROR_QUIET)
if(failed)
  set(commit unknown)
endif()
if(changes STREQUAL "" AND NOT failed)
  set(dirty false)
else()
  set(dirty true)
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT [[
// Written by perf/Commit.cmake.
#pragma once
inline constexpr const char* git_commit = "@commit@";
inline constexpr const char* git_dirty = "@dirty@";
]])
