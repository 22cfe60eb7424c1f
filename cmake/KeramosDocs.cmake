# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target keramos_docs: the public headers' docstrings, the README and docs/ as HTML in <build>/html.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  message(FATAL_ERROR "Keramos_ENABLE_DOCS needs Doxygen (Debian, Ubuntu: doxygen). Install it, or leave the option out.")
endif()
set(DOXYGEN_PROJECT_NAME Keramos)
set(DOXYGEN_EXTRACT_ALL YES)
# What refused calls say (core/Refused.hpp) is for compilers, and no part of the interface.
set(DOXYGEN_EXCLUDE_PATTERNS "*/Refused*.hpp")
set(DOXYGEN_EXCLUDE_SYMBOLS "Keramos::core*" "Keramos::openmp*" "Keramos::portable*" "Keramos::reference*")
set(DOXYGEN_USE_MDFILE_AS_MAINPAGE README.md)
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR} ${Keramos_GENERATED_INCLUDE})
set(DOXYGEN_IMAGE_PATH ${PROJECT_SOURCE_DIR}/docs/pictures) # of the whole tree Doxygen would read the builds in it
set(DOXYGEN_QUIET YES)
doxygen_add_docs(keramos_docs README.md CONTRIBUTING.md SECURITY.md docs src ${Keramos_GENERATED_INCLUDE}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Keramos' reference as HTML")

find_package(Python3 3.9 COMPONENTS Interpreter REQUIRED)
add_test(NAME docs_pages COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/checks/docs_pages.py ${CMAKE_CURRENT_BINARY_DIR}/html)
set_tests_properties(docs_pages PROPERTIES LABELS check)
