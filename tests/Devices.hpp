// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs that are not here, of which tests ask what is chosen for them.
#pragma once

#include "Support.hpp"

namespace test {

/// Architecture, multiprocessors, shared memory of a block and of a multiprocessor (CUDA programming guide, compute
/// capabilities): A100, RTX 3090, L40, and one multiprocessor of any.
inline constexpr Keramos::cuda::Device devices[] = {{80, 108, 163 << 10, 164 << 10},
                                                    {86, 82, 99 << 10, 100 << 10},
                                                    {89, 142, 99 << 10, 100 << 10},
                                                    {90, 1, 99 << 10, 100 << 10}};

/// With the bits of a memory's bus, by which memory counts as fast.
inline constexpr Keramos::cuda::Device h100{90, 132, 227 << 10, 228 << 10, 5120},
    h200{90, 132, 227 << 10, 228 << 10, 6016};

} // namespace test
