// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pqr.hpp"

#include "InputError.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

namespace demo {
namespace {

/// Records that a PDB or PQR file may hold beside its atoms, and that say nothing about charges.
bool is_skipped(const std::string& record)
{
  static const char* names[] = {"REMARK", "TER",    "END",    "ENDMDL", "MODEL",  "HEADER", "TITLE", "COMPND",
                                "SOURCE", "AUTHOR", "CRYST1", "CONECT", "MASTER", "SEQRES", "HELIX", "SHEET"};
  return record.front() == '#' || std::find(std::begin(names), std::end(names), record) != std::end(names);
}

std::vector<std::string> fields_of(const std::string& line)
{
  std::istringstream stream(line);
  std::vector<std::string> fields;
  for (std::string field; stream >> field;) fields.push_back(field);
  return fields;
}

/// The demo computes in float, with squares of distances: beyond these, sums of them overflow or small numbers vanish.
constexpr double smallest = std::numeric_limits<float>::min(), largest = 1e18;

double number(const std::string& text, const char* name, const std::string& file, const std::string& place)
{
  const bool plus = text.starts_with('+') && !text.starts_with("+-"); // which from_chars does not take
  const char* begin = text.data() + plus;
  const char* const text_end = text.data() + text.size();
  double value = 0;
  const auto [end, error] = std::from_chars(begin, text_end, value);
  if (error == std::errc::invalid_argument || end != text_end || !std::isfinite(value))
    throw InputError(file, place, std::string("a number for ") + name, "'" + text + "'");
  const double magnitude = std::abs(value);
  if (error != std::errc() || magnitude > largest || (magnitude > 0 && magnitude < smallest)) {
    char expected[120];
    std::snprintf(expected, sizeof(expected),
                  "a number for %s that float can compute with (0, or from %.2g to %.2g in magnitude)", name, smallest,
                  largest);
    throw InputError(file, place, expected, "'" + text + "'");
  }
  return value;
}

} // namespace

Molecule read_pqr(const std::string& file)
{
  std::ifstream stream(file);
  if (!stream) throw InputError(file, "", "a PQR file", "no file that can be opened");

  Molecule molecule;
  std::string line;
  for (int line_number = 1; std::getline(stream, line); ++line_number) {
    const auto fields = fields_of(line);
    if (fields.empty() || is_skipped(fields[0])) continue;
    const std::string place = "line " + std::to_string(line_number);
    if (fields[0] != "ATOM" && fields[0] != "HETATM")
      throw InputError(file, place, "a record ATOM, HETATM, REMARK, TER or END", "'" + fields[0] + "'");
    if (fields.size() < 10 || fields.size() > 11)
      throw InputError(
          file, place,
          "10 or 11 fields: record, serial, atom, residue, (chain), residue number, x, y, z, charge, radius",
          std::to_string(fields.size()));
    const std::string* last = fields.data() + fields.size() - 5;
    molecule.position.push_back(
        {number(last[0], "x", file, place), number(last[1], "y", file, place), number(last[2], "z", file, place)});
    molecule.charge.push_back(number(last[3], "the charge", file, place));
    number(last[4], "the radius", file, place);
  }
  if (molecule.charge.empty()) throw InputError(file, "", "at least one ATOM or HETATM record", "none");
  return molecule;
}

} // namespace demo
