// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One cell of coverage/stencil.txt: 65 operator types for each value type, which is compiled on its own.
#pragma once

#include "Launches.hpp"
#include "Support.hpp"

#include <gtest/gtest.h>

#include <map>

namespace test::stencil_coverage {

struct Cell {
  std::map<std::string, std::string> field;
  std::string backend; ///< that takes it on the host
};

struct Difference {
  template <class T, class... Index>
  KOKKOS_FUNCTION T operator()(T value, T centre, Index...) const
  {
    return value - centre;
  }
};

struct Combination {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c) const
  {
    return value - a * centre + b * c;
  }
};

inline Keramos::EdgeRule rule_named(const std::string& name)
{
  for (auto rule : {Keramos::periodic, Keramos::periodic_closed, Keramos::constant(1), Keramos::nearest,
                    Keramos::reflect, Keramos::mirror, Keramos::ghost, Keramos::interior})
    if (name == to_string(rule.kind)) return rule;
  throw std::runtime_error("no edge rule " + name);
}

inline Memory memory_named(const std::string& name)
{
  const std::map<std::string, Memory> names{{"right", Memory::right},
                                            {"left", Memory::left},
                                            {"right_padded", Memory::right_padded},
                                            {"left_padded", Memory::left_padded},
                                            {"inside", Memory::inside},
                                            {"spread", Memory::spread}};
  return names.at(name);
}

template <class T, class Op>
void run(const Cell& cell, const Op& op)
{
  constexpr int rank = Op::rank;
  const auto& field = cell.field;
  const Keramos::EdgeRule rule = rule_named(field.at("edge"));
  std::array<std::int64_t, rank> extents, in_extents;
  for (int axis = 0; axis < rank; ++axis) {
    extents[axis] = in_extents[axis] = 5 + axis;
    for (int t = 0; t < Op::tap_count && rule.kind == Keramos::Edge::ghost; ++t)
      in_extents[axis] = std::max<std::int64_t>(in_extents[axis], extents[axis] + 2 * op.offset(t)[axis]);
  }
  const Memory memory = memory_named(field.at("memory"));
  const Array<T, rank> in(in_extents, memory), out(extents, memory), other(extents, memory);

  const Launches launches;
  const auto call = [&](const auto&... how) {
    return test::run(
        [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in.view, out.view, rule, how...); });
  };
  const std::string how = field.at("how");
  Keramos::Kernel kernel;
  if (how == "store") kernel = call();
  if constexpr (Op::shape == Keramos::Shape::box || Op::radius == 1 || Op::radius == 4) { // each costs compile time
    if (how == "leap_frog") kernel = call(Keramos::LeapFrog{out.view, 0.5});
    if (how == "functor") kernel = call(Difference{});
  }
  if constexpr (Op::radius == 1) {
    if (how == "fields") kernel = call(Keramos::Epilogue{Combination{}, out.view, 0.5, other.view});
  }
  EXPECT_EQ(to_string(kernel.backend), has_cuda ? "cuda" : cell.backend);
  EXPECT_EQ(Launches::regions(), std::vector<std::string>{"Keramos::apply_stencil"});
  // Nothing is launched where a rule leaves no point to write.
  const bool nothing = rule.kind == Keramos::Edge::interior && Launches::kernels().empty();
  if (nothing) return;
  EXPECT_EQ(Launches::kernels(), std::vector<std::string>{kernel.name()});
}

template <class T, int Rank, int Radius>
void run_radius(const Cell& cell)
{
  const std::string shape = cell.field.at("shape");
  if (shape == "star") return run<T>(cell, Keramos::Star<Rank, Radius>());
  if constexpr (Radius <= 2)
    if (shape == "box") return run<T>(cell, Keramos::Box<Rank, Radius>());
  if (shape == "line")
    for (int axis = 0; axis < Rank; ++axis) run<T>(cell, Keramos::Line<Rank, Radius>(axis, {}));
  if constexpr (Radius == 0)
    if (shape == "sparse") return run<T>(cell, Keramos::SparseStencil<Rank, 2>({{{-1}, {2}}}, {1, 1}));
  if (shape != "line") FAIL() << "no operator for shape " << shape << " of radius " << Radius;
}

template <class T, int Rank>
void run_rank(const Cell& cell)
{
  const int radius = std::stoi(cell.field.at("radius"));
  const bool known = [&]<int... Radius>(std::integer_sequence<int, Radius...>)
  {
    return ((radius == Radius && (run_radius<T, Rank, Radius>(cell), true)) || ...);
  }
  (std::make_integer_sequence<int, 9>());
  EXPECT_TRUE(known) << "radius " << radius;
}

/// The cell's call runs on the backend that the list names, under the name that Kokkos Tools is told.
template <class T>
void run_type(const Cell& cell)
{
  const std::string rank = cell.field.at("rank");
  if (rank == "1") return run_rank<T, 1>(cell);
  if (rank == "2") return run_rank<T, 2>(cell);
  if (rank == "3") return run_rank<T, 3>(cell);
  FAIL() << "rank " << rank;
}

extern template void run_type<float>(const Cell&);
extern template void run_type<double>(const Cell&);

} // namespace test::stencil_coverage
