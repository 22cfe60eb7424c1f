// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the demo leaves behind: files in one folder, numbers as JSON, checks, and the table.
#pragma once

#include "Comparison.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace demo {

class Results {
public:
  /// Makes the folder. Throws std::runtime_error if it cannot.
  explicit Results(const std::string& folder);
  ~Results();

  /// The path of a file that is about to be written into the folder.
  std::string file(const std::string& name);
  void number(const char* group, const char* name, double value);
  /// Says at once if something is not as it should be.
  void check(const char* what, bool is_right);
  /// Prints the table.
  void comparisons(const std::vector<Comparison>& comparisons);

  /// Writes the numbers, if a file for them is named, and prints what there is to look at; true if every check was
  /// right.
  bool finish(const std::string& json_file);

private:
  std::string folder_;
  std::vector<std::string> files_;
  std::unique_ptr<nlohmann::json> numbers_;
  bool all_right_ = true;
};

} // namespace demo
