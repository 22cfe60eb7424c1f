// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Results.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace demo {

Results::Results(const std::string& folder) : folder_(folder), numbers_(std::make_unique<nlohmann::json>())
{
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(folder + ": the folder could not be made: " + error.message());
}

Results::~Results() = default;

std::string Results::file(const std::string& name)
{
  files_.push_back((std::filesystem::path(folder_) / name).string());
  return files_.back();
}

void Results::number(const char* group, const char* name, double value) { (*numbers_)[group][name] = value; }

void Results::check(const char* what, bool is_right)
{
  (*numbers_)["checks"][what] = is_right;
  if (!is_right) std::printf("  WRONG: not so: %s\n", what);
  all_right_ = all_right_ && is_right;
}

void Results::comparisons(const std::vector<Comparison>& comparisons)
{
  std::printf("\n%s\n", table(comparisons).c_str());
  for (const Comparison& c : comparisons)
    (*numbers_)["operators"].push_back({{"operator", c.operation},
                                        {"work", c.work},
                                        {"kernel", c.kernel.name()},
                                        {"speed", c.speed},
                                        {"plain_kokkos_speed", c.plain_speed},
                                        {"unit", c.unit},
                                        {"fraction", c.fraction},
                                        {"of", c.ceiling},
                                        {"ceiling", c.ceiling_text}});
}

bool Results::finish(const std::string& json_file)
{
  if (!json_file.empty()) {
    std::ofstream out(json_file);
    out << numbers_->dump(2) << '\n';
    if (!out.flush()) throw std::runtime_error(json_file + ": could not be written");
    files_.push_back(json_file);
  }
  std::printf("To look at:\n");
  for (const std::string& file : files_) std::printf("  %s\n", file.c_str());
  return all_right_;
}

} // namespace demo
