// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a .npy file: read_npy() returns a volume that is whole, or throws InputError.
#include "InputError.hpp"
#include "MemoryFile.hpp"
#include "Npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const fuzz::MemoryFile file(data, size);
  try {
    const demo::Volume volume = demo::read_npy(file.name());
    const auto [n0, n1, n2] = volume.extent;
    fuzz::require(n0 > 0 && n1 > 0 && n2 > 0);
    fuzz::require(volume.value.size() == n0 * n1 * n2 && volume.value.size() * sizeof(float) <= size);
  } catch (const demo::InputError&) {
  }
  return 0;
}
