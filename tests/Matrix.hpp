// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cells of the portability matrix: value type x layout pair x operator x edge rule. Each is a call on the backend that
// Keramos chooses, compared with the reference on a few sizes at the edges of tiles. MatrixTest.cpp runs them, and
// tests/matrix reads which kernels they took.
#pragma once

#include "Support.hpp"

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace test::matrix {

/// What the calls of a cell took, and how many elements were compared.
struct Taken {
  std::vector<Keramos::Kernel> kernels;
  std::int64_t compared = 0;
};

struct Cell {
  std::string type, layouts, op, edge;
  std::function<Taken()> prove; ///< fails the running test where an answer is wrong
};
/// GoogleTest's value_param, by which tests/matrix knows the cell.
inline void PrintTo(const Cell& cell, std::ostream* out)
{
  *out << cell.type << '/' << cell.layouts << '/' << cell.op << '/' << cell.edge;
}

inline constexpr std::array layouts{std::pair{"right", Memory::right}, std::pair{"left", Memory::left},
                                    std::pair{"padded", Memory::right_padded}, std::pair{"inside", Memory::inside},
                                    std::pair{"spread", Memory::spread}};

/// f("right-left", in, out) for every pair of entries of `layouts`.
template <class F>
void for_each_layout_pair(const F& f)
{
  for (const auto& in : layouts)
    for (const auto& out : layouts) f(std::string(in.first) + "-" + out.first, in, out);
}

std::vector<Cell> stencils();
std::vector<Cell> transposes();
std::vector<Cell> gather_sums();

} // namespace test::matrix
