// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exception of wrong use: a public call throws it before any work is done and before anything is written. What
// fails on the machine's side has other types: std::runtime_error from a CUDA call (backends/cuda/Launch.hpp),
// std::bad_alloc, and what Kokkos itself throws.
#pragma once

#include <charconv>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace Keramos {

/// Wrong use of a public call. what() reads "Keramos::FUNCTION: argument 'ARGUMENT': expected ..., got ...".
class Error : public std::invalid_argument {
public:
  using std::invalid_argument::invalid_argument;
};

namespace core {

/// A floating-point number has as many digits as tell it from all others: 2.4 and 2.3999999999 are not one.
template <class Value>
void print_value(std::ostream& out, const Value& value)
{
  if constexpr (std::is_floating_point_v<Value>) {
    char digits[64];
    out << std::string_view(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  } else {
    out << value;
  }
}

/// Prints values one after the other into a string.
template <class... Values>
std::string text(const Values&... values)
{
  std::ostringstream out;
  (print_value(out, values), ...);
  return out.str();
}

/// Prints a range as "(3, 5, 7)".
template <class Range>
std::string tuple_text(const Range& range)
{
  std::ostringstream out;
  const char* separator = "";
  out << '(';
  for (const auto& entry : range) {
    out << separator;
    print_value(out, entry);
    separator = ", ";
  }
  out << ')';
  return out.str();
}

[[noreturn]] inline void fail(const char* function, const char* argument, const std::string& expected,
                              const std::string& got)
{
  throw Error(text("Keramos::", function, ": argument '", argument, "': expected ", expected, ", got ", got));
}

} // namespace core
} // namespace Keramos
