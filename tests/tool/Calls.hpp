// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of each kind, small, for any execution space: what tests/ToolsTest.cpp lets a tool hear of.
#pragma once

#include "../Support.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tool {

struct AddCentre {
  KOKKOS_FUNCTION float operator()(float value, float centre, int, int, int) const { return value + centre; }
};
struct Negate {
  KOKKOS_FUNCTION float operator()(float value) const { return -value; }
};
struct InverseSquare {
  KOKKOS_FUNCTION float operator()(float r_squared) const { return 1 / (1 + r_squared); }
};

template <class Space>
struct Call {
  std::string operation;
  std::function<Keramos::Kernel(const Keramos::core::On<Space>&)> run;
};

class Calls {
public:
  template <class Space>
  std::vector<Call<Space>> of() const
  {
    using On = Keramos::core::On<Space>;
    using namespace Keramos;
    const Star<3, 4> star(-3, {1, 0.5, 0.25, 0.125});
    const Box<3, 1> box;
    const Line<3, 2> line(1, {1, -8, 0, 8, -1});
    const UniformGrid<3> grid{{0, 0, 0}, {0.1, 0.1, 0.1}};
    const Sources few{few_positions.view, few_weights.view}, many{positions.view, weights.view};
    const PotentialAndGradient both{potential.view, gradient.view};
    return {
        {"apply_stencil", [=, this](const On& exec) { return apply_stencil(exec, star, u.view, v.view, periodic); }},
        {"apply_stencil", [=, this](const On& exec) { return apply_stencil(exec, box, u.view, v.view, mirror); }},
        {"apply_stencil", [=, this](const On& exec) { return apply_stencil(exec, line, u.view, v.view, nearest); }},
        {"apply_stencil",
         [=, this](const On& exec) {
           return apply_stencil(exec, star, u.view, v.view, constant(1), LeapFrog{v.view, 0.5});
         }},
        {"apply_stencil",
         [=, this](const On& exec) { return apply_stencil(exec, box, u.view, v.view, interior, AddCentre{}); }},
        {"transpose", [=, this](const On& exec) { return transpose(exec, matrix.view, turned.view); }},
        {"transpose", [=, this](const On& exec) { return transpose(exec, matrix.view, turned.view, Negate{}); }},
        {"permute", [=, this](const On& exec) { return permute<2, 0, 1>(exec, u.view, rolled.view); }},
        {"permute",
         [=, this](const On& exec) {
           return permute(exec, Axes{2, 0, 1}, u.view, rolled.view);
         }},
        {"transpose_in_place", [=, this](const On& exec) { return transpose_in_place(exec, square.view); }},
        {"copy", [=, this](const On& exec) { return copy(exec, u.view, v.view); }},
        {"gather_sum", [=, this](const On& exec) { return gather_sum(exec, Coulomb{}, grid, few, v.view); }},
        {"gather_sum",
         [=, this](const On& exec) { return gather_sum(exec, Gaussian{}, grid.plane(0, 3), few, matrix.view); }},
        {"gather_sum",
         [=, this](const On& exec) { return gather_sum(exec, InverseSquare{}, points.view, few, potential.view); }},
        {"gather_sum", [=, this](const On& exec) { return gather_sum(exec, Yukawa{}, points.view, few, both); }},
        {"gather_sum",
         [=, this](const On& exec) {
           return gather_sum(exec, Coulomb{}, Points{few_weights.view, few_weights.view, few_weights.view},
                             Sources{few_weights.view, few_weights.view, few_weights.view, few_weights.view},
                             Gradient{slopes.view});
         }},
        {"gather_sum",
         [=, this](const On& exec) {
           return gather_sum(exec, Coulomb{}, points.view, many, potential.view, Workspace{scratch});
         }},
    };
  }

private:
  const test::Array<float, 3> u{{20, 21, 22}, test::Memory::right_padded}, v{{20, 21, 22}, test::Memory::left},
      rolled{{22, 20, 21}, test::Memory::right};
  const test::Array<float, 2> matrix{{33, 47}, test::Memory::right}, turned{{47, 33}, test::Memory::right},
      square{{40, 40}, test::Memory::right};
  const test::Array<float, 2> positions{{20000, 3}, test::Memory::right, 0.5f},
      few_positions{{100, 3}, test::Memory::right, 2.0f}, points{{50, 3}, test::Memory::right, 1.0f},
      gradient{{50, 3}, test::Memory::right}, slopes{{100, 3}, test::Memory::right};
  const test::Array<float, 1> weights{{20000}, test::Memory::right, 1.0f},
      few_weights{{100}, test::Memory::right, 1.0f}, potential{{50}, test::Memory::right};
  const Kokkos::View<char*, test::Shared> scratch{"scratch", 1 << 20};
};

} // namespace tool
