// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix' cells of stencils.
#include "Matrix.hpp"
#include "StencilSupport.hpp"

namespace test::matrix {
namespace {

constexpr std::array rules{Keramos::periodic, Keramos::periodic_closed, Keramos::constant(0.7), Keramos::nearest,
                           Keramos::reflect,  Keramos::mirror,          Keramos::ghost,         Keramos::interior};

/// Around one halo, one vector and one tile.
template <int Rank>
std::vector<std::array<std::int64_t, Rank>> sizes(int radius)
{
  const std::int64_t reach = 2 * radius + 1;
  if constexpr (Rank == 1) return {{reach}, {33}, {1025}};
  if constexpr (Rank == 2) return {{reach, reach + 1}, {9, 33}};
  if constexpr (Rank == 3) return {{1, 2, 33}, {reach, reach + 1, reach + 2}};
}

template <class T, class Op>
Taken prove(const Op& op, const Keramos::EdgeRule& rule, Memory in, Memory out)
{
  Taken taken;
  for (const auto& extents : sizes<Op::rank>(Op::radius)) {
    SCOPED_TRACE("extents " + testing::PrintToString(extents));
    Comparison<T, Op> comparison(op, rule, extents, in, out);
    const Keramos::Kernel kernel = comparison.run(std::nullopt);
    const std::int64_t compared = comparison.points();
    if (compared > 0) taken.kernels.push_back(kernel); // nothing runs where a rule leaves no point to write
    taken.compared += compared;
  }
  return taken;
}

template <class T, class Op>
void add(std::vector<Cell>& cells, const char* type, const char* name, const Op& op)
{
  for (const Keramos::EdgeRule& rule : rules)
    for_each_layout_pair([&](const std::string& pair, const auto& in, const auto& out) {
      const auto proof = [=, in = in.second, out = out.second] { return prove<T>(op, rule, in, out); };
      cells.push_back({type, pair, name, to_string(rule.kind), proof});
    });
}

template <class T>
void add_stencils(std::vector<Cell>& cells, const char* type)
{
  add<T>(cells, type, "star1d r4", Keramos::Star<1, 4>());
  add<T>(cells, type, "star2d r2", Keramos::Star<2, 2>());
  add<T>(cells, type, "star3d r1", Keramos::Star<3, 1>());
  add<T>(cells, type, "star3d r4", Keramos::Star<3, 4>());
  add<T>(cells, type, "box2d r1", Keramos::Box<2, 1>());
  add<T>(cells, type, "box3d r1", Keramos::Box<3, 1>());
  constexpr std::array lines{"line3d r4 axis 0", "line3d r4 axis 1", "line3d r4 axis 2"};
  for (int axis = 0; axis < 3; ++axis) add<T>(cells, type, lines[axis], Keramos::Line<3, 4>(axis, {}));
  add<T>(cells, type, "sparse2d", Keramos::SparseStencil<2, 4>({{{-2, 1}, {0, 0}, {1, 3}, {0, -1}}}, {}));
}

} // namespace

std::vector<Cell> stencils()
{
  std::vector<Cell> cells;
  add_stencils<float>(cells, "float");
  add_stencils<double>(cells, "double");
  return cells;
}

} // namespace test::matrix
