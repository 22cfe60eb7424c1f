// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call over distributed fields took: the kernels of this rank and the way of its messages.
#pragma once

#include "../core/Kernel.hpp"

#include <ostream>

namespace Keramos {

/// interior  what ran while messages were on their way
/// boundary  what ran on what they brought, or packed them
struct DistributedKernel {
  Kernel interior, boundary;
  const char* transport = "";

  friend std::ostream& operator<<(std::ostream& out, const DistributedKernel& kernel)
  {
    return out << kernel.interior << "; boundary " << kernel.boundary << "; by " << kernel.transport;
  }
};

} // namespace Keramos
