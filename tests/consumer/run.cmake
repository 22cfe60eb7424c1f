# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures, builds and runs one application of this folder, without a network:
# cmake -D KIND=find_package -D BUILD=dir -D "OPTIONS=-Dname=value|..." -D CONFIG=Release -D JOBS=1 -P run.cmake
cmake_minimum_required(VERSION 3.22)

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${KIND}: failed: ${command}")
  endif()
endfunction()

string(REPLACE "|" ";" OPTIONS "${OPTIONS}")
file(REMOVE_RECURSE ${BUILD})
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${KIND} -B ${BUILD} -G ${GENERATOR} ${OPTIONS})
step(${CMAKE_COMMAND} --build ${BUILD} --config ${CONFIG} --parallel ${JOBS})
find_program(program consumer PATHS ${BUILD} ${BUILD}/${CONFIG} NO_DEFAULT_PATH REQUIRED)
step(${program})
