# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the demo's application needs beside Keramos: CLI11::CLI11 (command line), nlohmann_json::nlohmann_json (its report) and
# PNG::PNG (its pictures). The first two are headers and fetched where missing; libpng comes with the system.
include_guard()
include(KeramosFetch)

function(keramos_add_fetched_cli11)
  set(CLI11_BUILD_TESTS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  set(CLI11_BUILD_DOCS OFF)
  set(CLI11_INSTALL OFF)
  keramos_fetch(CLI11 VERSION 2.4.2
    SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
    INSTALL "install CLI11 (Debian, Ubuntu: libcli11-dev)")
endfunction()

function(keramos_add_fetched_json)
  set(JSON_BuildTests OFF)
  set(JSON_Install OFF)
  keramos_fetch(nlohmann_json VERSION 3.11.3
    SHA256 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
    URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
    POOL pool/main/n/nlohmann-json3/nlohmann-json3_3.11.3.orig.tar.gz
    INSTALL "install nlohmann-json (Debian, Ubuntu: nlohmann-json3-dev)")
endfunction()

find_package(CLI11 2 QUIET CONFIG)
if(NOT TARGET CLI11::CLI11)
  keramos_add_fetched_cli11()
endif()
find_package(nlohmann_json 3 QUIET CONFIG)
if(NOT TARGET nlohmann_json::nlohmann_json)
  keramos_add_fetched_json()
endif()
find_package(PNG QUIET)
if(NOT PNG_FOUND)
  message(FATAL_ERROR "Keramos: the demo writes PNG pictures and needs libpng (Debian, Ubuntu: libpng-dev; Fedora: libpng-devel). "
    "Install it, or leave the examples out with -DKeramos_ENABLE_EXAMPLES=OFF.")
endif()
