// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a .npy file: read_npy() returns a volume that is whole and whose shape stands in the file as Python writes
// a tuple, or throws InputError.
#include "InputError.hpp"
#include "MemoryFile.hpp"
#include "Npy.hpp"

#include <regex>
#include <string>

namespace {

bool holds_tuple(const std::string& text, const std::array<std::size_t, 3>& extent)
{
  std::string pattern = "\\(";
  for (const std::size_t n : extent) pattern += " *0*" + std::to_string(n) + " *,";
  return std::regex_search(text, std::regex(pattern + "? *\\)"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const fuzz::MemoryFile file(data, size);
  try {
    const demo::Volume volume = demo::read_npy(file.name());
    const auto [n0, n1, n2] = volume.extent;
    fuzz::require(n0 > 0 && n1 > 0 && n2 > 0);
    fuzz::require(volume.value.size() == n0 * n1 * n2 && volume.value.size() * sizeof(float) <= size);
    fuzz::require(holds_tuple(std::string(reinterpret_cast<const char*>(data), size), volume.extent));
  } catch (const demo::InputError&) {
  }
  return 0;
}
