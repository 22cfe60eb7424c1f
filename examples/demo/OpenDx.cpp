// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenDx.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace demo {
namespace {

std::string head(const Volume& volume, const std::array<double, 3>& origin, const std::array<double, 3>& spacing,
                 const std::string& comment)
{
  const auto [n0, n1, n2] = volume.extent;
  std::ostringstream out;
  out.precision(9);
  out << "# " << comment << "\n"
      << "object 1 class gridpositions counts " << n0 << ' ' << n1 << ' ' << n2 << "\n"
      << "origin " << origin[0] << ' ' << origin[1] << ' ' << origin[2] << "\n"
      << "delta " << spacing[0] << " 0 0\n"
      << "delta 0 " << spacing[1] << " 0\n"
      << "delta 0 0 " << spacing[2] << "\n"
      << "object 2 class gridconnections counts " << n0 << ' ' << n1 << ' ' << n2 << "\n"
      << "object 3 class array type double rank 0 items " << n0 * n1 * n2 << " data follows\n";
  return out.str();
}

constexpr const char* tail = "attribute \"dep\" string \"positions\"\n"
                             "object \"regular positions regular connections\" class field\n"
                             "component \"positions\" value 1\n"
                             "component \"connections\" value 2\n"
                             "component \"data\" value 3\n";

} // namespace

void write_open_dx(const std::string& file, const Volume& volume, const std::array<double, 3>& origin,
                   const std::array<double, 3>& spacing, const std::string& comment)
{
  std::ofstream out(file, std::ios::binary);
  out << head(volume, origin, spacing, comment);
  // Three numbers a line, the last index fastest: the order of the volume itself.
  std::string text;
  for (std::size_t n = 0; n < volume.value.size(); ++n) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), volume.value[n], std::chars_format::scientific, 6);
    text.append(digits, end.ptr);
    text += n % 3 == 2 || n + 1 == volume.value.size() ? '\n' : ' ';
    if (text.size() > 1 << 20) {
      out << text;
      text.clear();
    }
  }
  out << text << tail;
  if (!out.flush()) throw std::runtime_error(file + ": could not be written");
}

} // namespace demo
