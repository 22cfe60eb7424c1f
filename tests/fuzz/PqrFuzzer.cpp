// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a PQR file: read_pqr() throws InputError, or returns a molecule that is whole, whose numbers stand in the
// file as strtod() reads them, whose numbers and their squares float holds, and which is the same when it is written out
// and read again.
#include "InputError.hpp"
#include "MemoryFile.hpp"
#include "Pqr.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

namespace {

demo::Molecule read(const std::string& text)
{
  const fuzz::MemoryFile file(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return demo::read_pqr(file.name());
}

/// The finite numbers among the fields of a text, by the C library.
std::set<double> numbers_of(const std::string& text)
{
  std::set<double> numbers;
  std::istringstream stream(text);
  for (std::string field; stream >> field;) {
    char* end = nullptr;
    const double value = std::strtod(field.c_str(), &end);
    if (end == field.c_str() + field.size() && std::isfinite(value)) numbers.insert(value);
  }
  return numbers;
}

bool held_by_float(double value)
{
  const float held = static_cast<float>(value);
  return std::isfinite(held * held) && (held == 0) == (value == 0);
}

std::string written(const demo::Molecule& molecule)
{
  std::string text;
  for (std::size_t n = 0; n < molecule.charge.size(); ++n) {
    const auto& [x, y, z] = molecule.position[n];
    char line[200];
    std::snprintf(line, sizeof(line), "ATOM 1 C X 1 %.17g %.17g %.17g %.17g 1\n", x, y, z, molecule.charge[n]);
    text += line;
  }
  return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string text(reinterpret_cast<const char*>(data), size);
  demo::Molecule molecule;
  try {
    molecule = read(text);
  } catch (const demo::InputError&) {
    return 0;
  }
  fuzz::require(!molecule.charge.empty() && molecule.position.size() == molecule.charge.size());
  const auto numbers = numbers_of(text);
  const auto stands = [&](double value) { return numbers.count(value) == 1 && held_by_float(value); };
  for (std::size_t n = 0; n < molecule.charge.size(); ++n) {
    for (const double coordinate : molecule.position[n]) fuzz::require(stands(coordinate));
    fuzz::require(stands(molecule.charge[n]));
  }
  const demo::Molecule again = read(written(molecule));
  fuzz::require(again.position == molecule.position && again.charge == molecule.charge);
  return 0;
}
