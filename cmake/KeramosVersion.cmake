# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the project's version decides: the header Keramos_Version.hpp, what find_package takes for compatible, and the names of shared
# libraries. While the major version is 0, a minor version may change the interface, and so has names of its own.
math(EXPR Keramos_VERSION_NUMBER "10000 * ${PROJECT_VERSION_MAJOR} + 100 * ${PROJECT_VERSION_MINOR} + ${PROJECT_VERSION_PATCH}")
set(Keramos_GENERATED_INCLUDE ${PROJECT_BINARY_DIR}/include)
configure_file(${CMAKE_CURRENT_LIST_DIR}/Keramos_Version.hpp.in ${Keramos_GENERATED_INCLUDE}/Keramos_Version.hpp @ONLY)

if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(Keramos_COMPATIBILITY SameMinorVersion)
  set(Keramos_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
  set(Keramos_COMPATIBILITY SameMajorVersion)
  set(Keramos_SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
