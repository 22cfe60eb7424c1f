// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every cell of coverage/stencil.txt runs on the backend that the file names, under the name that Kokkos Tools is told.
#include "StencilCoverage.hpp"

#include <fstream>
#include <sstream>

namespace {

using namespace test;
using stencil_coverage::Cell, stencil_coverage::run_type;

std::vector<std::string> split(const std::string& list)
{
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

/// Every combination of the lists of one line.
std::vector<Cell> expanded(const std::string& line)
{
  std::vector<Cell> cells(1);
  std::istringstream words(line);
  for (std::string word; words >> word && word != "->";) {
    const auto equals = word.find('=');
    std::string values = word.substr(equals + 1);
    if (values == "all") values = "periodic,periodic_closed,constant,nearest,reflect,mirror,ghost,interior";
    std::vector<Cell> more;
    for (const Cell& cell : cells)
      for (const std::string& value : split(values)) {
        more.push_back(cell);
        more.back().field[word.substr(0, equals)] = value;
      }
    cells = more;
  }
  std::string backend;
  words >> backend;
  for (Cell& cell : cells) cell.backend = backend;
  return cells;
}

TEST(StencilCoverage, EveryCellRunsWhereTheListSays)
{
  std::ifstream file(KERAMOS_TEST_DATA "/../coverage/stencil.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (const Cell& cell : expanded(line)) {
      SCOPED_TRACE(testing::PrintToString(cell.field));
      ++count;
      cell.field.at("type") == "float" ? run_type<float>(cell) : run_type<double>(cell);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(count, 3000);
  std::cout << count << " cells\n";
}

} // namespace
