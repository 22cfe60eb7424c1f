// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix' cells of transposes: the value type is an element of so many bytes.
#include "Matrix.hpp"
#include "TransposeSupport.hpp"

namespace test::matrix {
namespace {

const std::vector<Numbers> planes{{33, 65}, {130, 7}}, boxes{{5, 33, 18}, {34, 3, 9}};

/// call(exec, in, out) for each extents; out's axes are in's picked by `axes`.
template <int Size, int Rank, class Call>
Cell moving(const std::string& pair, const std::string& in, const std::string& out, const char* name,
            const std::vector<Numbers>& extents, const Numbers& axes, const Call& call)
{
  const auto prove = [=] {
    Taken taken;
    for (const Numbers& extent : extents) {
      const Shape from = shape(extent, in), to = shape(picked(extent, axes), out);
      taken.kernels.push_back(check_move<Size, Rank>(from, axes, to, [&](const auto& in_view, const auto& out_view) {
        return run([&](const auto& exec) { return call(exec, in_view, out_view); });
      }));
      taken.compared += to.size();
    }
    return taken;
  };
  return {std::to_string(Size) + (Size == 1 ? " byte" : " bytes"), pair, name, "-", prove};
}

template <int Size>
Cell in_place(const std::string& layout)
{
  const auto prove = [=] {
    Taken taken;
    for (const std::int64_t order : {7, 33, 65}) {
      const Shape square = shape({order, order}, layout);
      taken.kernels.push_back(check_in_place<Size, 2>(square, [](const auto& view) {
        return run([&](const auto& exec) { return Keramos::transpose_in_place(exec, view); });
      }));
      taken.compared += square.size();
    }
    return taken;
  };
  return {std::to_string(Size) + (Size == 1 ? " byte" : " bytes"), layout + "-" + layout, "transpose in place", "-",
          prove};
}

template <int Size>
void add(std::vector<Cell>& cells)
{
  for (const auto& layout : layouts) cells.push_back(in_place<Size>(layout.first));
  for_each_layout_pair([&](const std::string& pair, const auto& in, const auto& out) {
    const auto add_moving = [&]<int Rank>(std::integral_constant<int, Rank>, const char* name, const auto& extents,
                                          const Numbers& axes, const auto& call) {
      cells.push_back(moving<Size, Rank>(pair, in.first, out.first, name, extents, axes, call));
    };
    const std::integral_constant<int, 2> two;
    const std::integral_constant<int, 3> three;
    add_moving(two, "copy", planes, {0, 1},
               [](const auto& exec, const auto& a, const auto& b) { return Keramos::copy(exec, a, b); });
    add_moving(two, "transpose", planes, {1, 0},
               [](const auto& exec, const auto& a, const auto& b) { return Keramos::transpose(exec, a, b); });
    add_moving(three, "permute<1, 0, 2>", boxes, {1, 0, 2},
               [](const auto& exec, const auto& a, const auto& b) { return Keramos::permute<1, 0, 2>(exec, a, b); });
    add_moving(three, "permute<2, 0, 1>", boxes, {2, 0, 1},
               [](const auto& exec, const auto& a, const auto& b) { return Keramos::permute<2, 0, 1>(exec, a, b); });
    add_moving(three, "permute<2, 1, 0>", boxes, {2, 1, 0},
               [](const auto& exec, const auto& a, const auto& b) { return Keramos::permute<2, 1, 0>(exec, a, b); });
  });
}

} // namespace

std::vector<Cell> transposes()
{
  std::vector<Cell> cells;
  for_each_size([&](auto size) { add<size>(cells); });
  return cells;
}

} // namespace test::matrix
