# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The target benchmark::benchmark (Google Benchmark): found, else fetched.
include_guard()
include(KeramosFetch)

function(keramos_add_fetched_benchmark)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  set(BUILD_SHARED_LIBS OFF)
  keramos_fetch(benchmark VERSION 1.9.1
    SHA256 32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981
    URL https://github.com/google/benchmark/archive/refs/tags/v1.9.1.tar.gz
    POOL pool/main/b/benchmark/benchmark_1.9.1.orig.tar.gz
    INSTALL "install Google Benchmark (Debian, Ubuntu: libbenchmark-dev)")
endfunction()

find_package(benchmark 1.6 QUIET CONFIG)
if(TARGET benchmark::benchmark)
  message(STATUS "Keramos: Google Benchmark ${benchmark_VERSION}, installed in ${benchmark_DIR}")
else()
  keramos_add_fetched_benchmark()
endif()
