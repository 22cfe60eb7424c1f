# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The build's budgets, printed when everything else is built: the slowest translation unit, the size of the library, the
# number of its device kernels, and the seconds that a user's functor costs (tests/budgets).

# Every target of a directory and below that a plain build makes.
function(keramos_targets_below directory result)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(directories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS directories)
    if(below MATCHES "^${PROJECT_SOURCE_DIR}/(tests|examples|perf)")
      keramos_targets_below(${below} more)
      list(APPEND targets ${more})
    endif()
  endforeach()
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()

keramos_targets_below(${PROJECT_SOURCE_DIR} Keramos_all_targets)
set(Keramos_built_targets "")
foreach(target IN LISTS Keramos_all_targets)
  get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
  get_target_property(type ${target} TYPE)
  if(NOT excluded AND type MATCHES "EXECUTABLE|LIBRARY")
    list(APPEND Keramos_built_targets ${target})
  endif()
endforeach()
set(Keramos_count_kernels "")
if(Kokkos_ENABLE_CUDA)
  set(Keramos_count_kernels -D NM=${CMAKE_NM})
endif()
add_custom_target(keramos_budgets ALL
  COMMAND ${CMAKE_COMMAND} -D LOG=${CMAKE_BINARY_DIR}/.ninja_log -D LIBRARY=$<TARGET_FILE:keramos> ${Keramos_count_kernels}
    -P ${CMAKE_CURRENT_LIST_DIR}/PrintBudgets.cmake
  VERBATIM COMMENT "Budgets")
add_dependencies(keramos_budgets ${Keramos_built_targets})
