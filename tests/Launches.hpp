// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kokkos Tools is told while a Launches object lives: the labels of kernels, and of regions around them.
#pragma once

#include "Run.hpp"

#include <string>
#include <vector>

namespace test {

class Launches {
public:
  Launches()
  {
    watched_by_tools() = true;
    kernels().clear();
    regions().clear();
    using namespace Kokkos::Tools::Experimental;
    const auto begin = [](const char* name, std::uint32_t, std::uint64_t*) { kernels().push_back(name); };
    set_begin_parallel_for_callback(begin);
    set_begin_parallel_reduce_callback(begin);
    set_push_region_callback([](const char* name) { regions().push_back(name); });
  }
  ~Launches()
  {
    watched_by_tools() = false;
    using namespace Kokkos::Tools::Experimental;
    set_begin_parallel_for_callback(nullptr);
    set_begin_parallel_reduce_callback(nullptr);
    set_push_region_callback(nullptr);
  }
  Launches(const Launches&) = delete;
  Launches& operator=(const Launches&) = delete;

  static std::vector<std::string>& kernels()
  {
    static std::vector<std::string> names;
    return names;
  }
  /// The last kernel's label, or nothing.
  static std::string last() { return kernels().empty() ? "" : kernels().back(); }

  static std::vector<std::string>& regions()
  {
    static std::vector<std::string> names;
    return names;
  }
};

} // namespace test
