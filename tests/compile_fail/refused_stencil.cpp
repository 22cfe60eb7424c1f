// EXPECT-LINES
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sentence of apply_stencil for every argument, and those of FiniteDifference and of operators.
// A wrong call stands on one line with what is said of it:
// clang-format off
#include <Keramos_Stencil.hpp>

#include "others.hpp"

/// The number of taps is a part of the type.
struct VaryingTaps {
  static constexpr Keramos::Shape shape = Keramos::Shape::sparse;
  static constexpr int rank = 2, radius = 0;
  int tap_count = 1;
  double weight(int) const { return 1; }
  std::array<int, 2> offset(int) const { return {}; }
};

int main()
{
  using namespace Keramos;
  const Others::Host exec;
  const Star<2, 1> op;
  const Star<3, 1> volume;
  const Kokkos::View<const float**, Kokkos::HostSpace> in, fixed;
  const Kokkos::View<float**, Kokkos::HostSpace> out;
  const Kokkos::View<float***, Kokkos::HostSpace> in3, out3;
  const Region<2> region{{0, 0}, {1, 1}};
  const auto f = [](float value, float, int, int) { return value; };
  Others other;
  apply_stencil(op, in, out, periodic); // SAYS: Keramos::apply_stencil: the first argument must be an execution space instance, as in
  apply_stencil(exec); // SAYS: Keramos::apply_stencil: expected apply_stencil(exec, op, in, out, edges)
  apply_stencil(exec, op, in); // SAYS: Keramos::apply_stencil: expected apply_stencil(exec, op, in, out, edges)
  apply_stencil(exec, in, op, out, periodic); // SAYS: Keramos::apply_stencil: argument 'op' must be an operator: Star, Box, Line
  apply_stencil(exec, {1, -2, 1}, in, out, periodic); // SAYS: Keramos::apply_stencil: argument 'op' must be an operator: Star, Box, Line
  apply_stencil(exec, VaryingTaps(), in, out, periodic); // SAYS: Keramos::apply_stencil: argument 'op' must be an operator: Star, Box, Line, SparseStencil, what FiniteDifference makes, or a type with constants rank
  apply_stencil(exec, op, other.dual, out, periodic); // SAYS: Keramos::apply_stencil: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, other.dual, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, other.dynamic, out, periodic); // SAYS: Keramos::apply_stencil: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, other.dynamic, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, other.offset, out, periodic); // SAYS: Keramos::apply_stencil: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, other.offset, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, other.span, out, periodic); // SAYS: Keramos::apply_stencil: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, other.span, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, other.scatter, out, periodic); // SAYS: Keramos::apply_stencil: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, other.scatter, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, other.vector, out, periodic); // SAYS: Keramos::apply_stencil: argument 'in' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, other.vector, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'out' must be a Kokkos::View. Of a DualView pass view_device()
  apply_stencil(exec, op, in, fixed, periodic); // SAYS: Keramos::apply_stencil: argument 'out' has const elements, and the call writes to it
  apply_stencil(exec, op, in, fixed, periodic, f, region); // SAYS: Keramos::apply_stencil: argument 'out' has const elements, and the call writes to it
  apply_stencil(exec, op, in, out); // SAYS: Keramos::apply_stencil: argument 'edges' is missing: behind out stands one edge rule for all axes
  apply_stencil(exec, volume, in3, out3, {periodic, nearest}); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, volume, in3, out3, {{periodic, nearest}, nearest}); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, {periodic, nearest, mirror}); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, {sides(periodic, periodic), nearest, mirror}, f); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, constant); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, {constant, nearest}); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, {sides(constant, nearest), nearest}); // SAYS: Keramos::sides: argument 'low' must be an edge rule
  apply_stencil(exec, op, in, out, {sides(nearest, constant), nearest}); // SAYS: Keramos::sides: argument 'high' must be an edge rule
  apply_stencil(exec, op, in, out, {sides(nearest), nearest}); // SAYS: Keramos::sides: expected sides(low, high)
  apply_stencil(exec, op, in, out, {sides({Edge::constant, 1.0}, {Edge::nearest}), nearest});
  apply_stencil(exec, op, in, out, Edge::periodic); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, "periodic"); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, f); // SAYS: Keramos::apply_stencil: argument 'edges' must be one edge rule for all axes
  apply_stencil(exec, op, in, out, periodic, [](float value, float) { return value; }); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, periodic, [](float value, float, int) { return value; }); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, periodic, [](float value, float, int, int, int) { return value; }); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, periodic, [n = 0](float value, float, int, int) mutable { return value + n++; }); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue: Epilogue{f, fields...}, LeapFrog{previous, scale}, or a function, callable where it is const
  apply_stencil(exec, op, in, out, periodic, Region<3>{{0, 0, 0}, {1, 1, 1}}); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, periodic, other.dual); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, periodic, region, f); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, {periodic, nearest}, f, f); // SAYS: Keramos::apply_stencil: what follows 'edges' must be an epilogue
  apply_stencil(exec, op, in, out, {{periodic, periodic}, nearest}, f, region);
  apply_stencil(exec, volume, in3, out3, {periodic, nearest, sides(constant(0), mirror)});
  FiniteDifference::laplacian<3, 8>(1, 1); // SAYS: Keramos::FiniteDifference::laplacian: expected laplacian<Rank, Accuracy>(h0, h1, h2)
  FiniteDifference::laplacian<3, 8>(in, 1, 1); // SAYS: Keramos::FiniteDifference::laplacian: expected laplacian<Rank, Accuracy>(h0, h1, h2)
  FiniteDifference::laplacian<3>(1, 1, 1); // SAYS: Keramos::FiniteDifference::laplacian: expected laplacian<Rank, Accuracy>(h0, h1, h2)
  FiniteDifference::first_derivative<3, 8>(0.5, 1); // SAYS: Keramos::FiniteDifference::first_derivative: expected first_derivative<Rank, Accuracy>(axis, spacing)
  FiniteDifference::first_derivative<3, 8>(0, other.dual); // SAYS: Keramos::FiniteDifference::first_derivative: expected first_derivative<Rank, Accuracy>(axis, spacing)
  FiniteDifference::second_derivative<3, 8>(0); // SAYS: Keramos::FiniteDifference::second_derivative: expected second_derivative<Rank, Accuracy>(axis, spacing)
  FiniteDifference::derivative<1>(0, 2, {-2, -1, 0, 1}, other.span); // SAYS: Keramos::FiniteDifference::derivative: expected derivative<Rank>(axis, order, {offsets...}, spacing)
  FiniteDifference::derivative<1>(0, 2, {-2, -1, 0, 1}); // SAYS: Keramos::FiniteDifference::derivative: expected derivative<Rank>(axis, order, {offsets...}, spacing)
  FiniteDifference::weights(1, 2); // SAYS: Keramos::FiniteDifference::weights: expected weights(order, {offsets...})
  FiniteDifference::derivative<1>(0, 2, {-2, -1, 0, 1}, 1);
  FiniteDifference::weights(1, {-1, 1});
  FiniteDifference::laplacian<3, 8>(1, 1.f, 2u);
  Star<3, 4>(1, {1, 2, 3}); // SAYS: Keramos::Star: expected one weight for each distance from 1 to Radius
  Line<3, 1>(2, {-0.5, 0.5}); // SAYS: Keramos::Line: expected one weight for each offset from -Radius to Radius
  Line<3, 1>(2, {-0.5, 0, 0.5, 1}); // SAYS: Keramos::Line: expected one weight for each offset from -Radius to Radius
  SparseStencil<1, 3>({{{0}, {1}, {2}}}, {1, 2}); // SAYS: Keramos::SparseStencil: expected as many weights as offsets
  SparseStencil<1, 3>({{{0}, {1}}}, {1, 2, 3}); // SAYS: Keramos::SparseStencil: expected as many offsets as weights
  Box<1, 1>{1, 2}; // SAYS: Keramos::Box: expected one weight for each of its points
  Line<3, 1>(2, {-0.5, 0, 0.5});
  Box<1, 1>{1, 2, 3};
}
