// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coverage/transpose.txt names the cells that must run a fast kernel. Each call here takes the one its line names, and
// Kokkos Tools sees the launch under the name that the call returns.
#include "Launches.hpp"
#include "TransposeSupport.hpp"

#include <fstream>
#include <sstream>

using namespace test;

namespace {

std::vector<std::string> split(const std::string& text, char separator)
{
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Numbers numbers(const std::string& text, char separator)
{
  Numbers result;
  for (const auto& part : split(text, separator)) result.push_back(std::stoll(part));
  return result;
}

struct Same {
  template <class T>
  KOKKOS_FUNCTION T operator()(const T& value) const
  {
    return value;
  }
};

struct Cell {
  std::string operation;
  Numbers extent, axes;
  std::string in, out;
};

template <int Size, int Rank, class... F>
Keramos::Kernel call(const Cell& cell, const F&... f)
{
  const Cells<Item<Size>> in(shape(cell.extent, cell.in), 0);
  const auto in_view = in.template view<Rank>();
  if (cell.operation == "transpose_in_place")
    return run([&](const auto& exec) { return Keramos::transpose_in_place(exec, in_view, f...); });
  Numbers axes = cell.axes;
  if (axes.empty()) axes = cell.operation == "transpose" ? Numbers{1, 0} : left(Rank);
  const Cells<Item<Size>> out(shape(picked(cell.extent, axes), cell.out), 0);
  const auto out_view = out.template view<Rank>();
  return run([&](const auto& exec) {
    if constexpr (Rank == 2)
      if (cell.operation == "transpose") return Keramos::transpose(exec, in_view, out_view, f...);
    if (cell.operation == "copy") return Keramos::copy(exec, in_view, out_view, f...);
    return Keramos::permute(exec, axes_of<Rank>(axes), in_view, out_view, f...);
  });
}

template <int Size, class... F>
Keramos::Kernel call_of_rank(const Cell& cell, const F&... f)
{
  switch (cell.extent.size()) {
  case 2:
    return call<Size, 2>(cell, f...);
  case 3:
    return call<Size, 3>(cell, f...);
  case 4:
    return call<Size, 4>(cell, f...);
  case 5:
    return call<Size, 5>(cell, f...);
  default:
    return call<Size, 6>(cell, f...);
  }
}

Keramos::Kernel call_of_size(const Cell& cell, std::int64_t size, bool functor)
{
  Keramos::Kernel kernel;
  for_each_size([&](auto bytes) {
    if (bytes != size) return;
    kernel = functor ? call_of_rank<bytes>(cell, Same{}) : call_of_rank<bytes>(cell);
  });
  return kernel;
}

/// `kind` is the first words of a variant, or two of them: "tiles or interleave".
bool is_of_kind(const std::string& variant, const std::string& kind)
{
  const auto either = kind.find(" or ");
  if (either != std::string::npos)
    return is_of_kind(variant, kind.substr(0, either)) || is_of_kind(variant, kind.substr(either + 4));
  return variant.compare(0, kind.size() + 1, kind + " ") == 0;
}

/// One line of the file: all cells of its lists.
int check(const std::string& line)
{
  std::istringstream stream(line);
  std::string operation, extents, axes, ins, outs, sizes, ways, arrow, kind;
  stream >> operation >> extents >> axes >> ins >> outs >> sizes >> ways >> arrow >> std::ws;
  std::getline(stream, kind);
  EXPECT_EQ(arrow, "->") << line;
  int cells = 0;
  for (const auto& in : split(ins, ','))
    for (const auto& out : split(outs, ','))
      for (const auto size : numbers(sizes, ','))
        for (const auto& way : split(ways, ',')) {
          const Cell cell{operation, numbers(extents, 'x'), axes == "-" ? Numbers{} : numbers(axes, ','), in, out};
          const auto kernel = call_of_size(cell, size, way == "functor");
          EXPECT_EQ(kernel.backend, first_backend) << line;
          EXPECT_TRUE(has_cuda || is_of_kind(kernel.variant, kind))
              << kernel << ", cell " << in << " " << out << " " << size << " of\n"
              << line;
          EXPECT_EQ(kernel.name(), Launches::last()) << line;
          ++cells;
        }
  return cells;
}

TEST(TransposeCoverage, EveryCellTakesItsKernel)
{
  const Launches launches;
  std::ifstream file(KERAMOS_TEST_DATA "/../coverage/transpose.txt");
  ASSERT_TRUE(file) << "tests/coverage/transpose.txt cannot be read";
  int cells = 0;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') cells += check(line);
  EXPECT_GT(cells, 1000);
}

} // namespace
