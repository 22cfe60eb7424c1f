# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The targets GTest::gtest and GTest::gmock: found, else fetched.
include_guard()
include(KeramosFetch)

function(keramos_add_fetched_googletest)
  set(INSTALL_GTEST OFF)
  set(BUILD_SHARED_LIBS OFF)
  keramos_fetch(GTest VERSION 1.12.1
    SHA256 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
    URL https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
    POOL pool/main/g/googletest/googletest_1.12.1.orig.tar.gz
    INSTALL "install GoogleTest (Debian, Ubuntu: libgmock-dev)")
endfunction()

find_package(GTest 1.11 QUIET CONFIG)
if(TARGET GTest::gmock)
  message(STATUS "Keramos: GoogleTest ${GTest_VERSION}, installed in ${GTest_DIR}")
else()
  keramos_add_fetched_googletest()
endif()
