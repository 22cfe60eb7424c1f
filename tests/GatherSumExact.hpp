// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixture of the tests of exact sums, each of which runs on every backend.
#pragma once

#include "GatherSumCases.hpp"
#include "GatherSumCloud.hpp"

#include <cstring>

namespace test {

inline bool says(const Keramos::Kernel& kernel, const char* words)
{
  return kernel.variant.str().find(words) != std::string::npos;
}

class GatherSumExact : public GatherSumOnBackend {
protected:
  template <class... Arguments>
  static std::size_t size(const Arguments&... arguments)
  {
    return ask(GetParam(), [&](const auto& exec) { return Keramos::gather_sum_workspace_size(exec, arguments...); });
  }
};

} // namespace test
