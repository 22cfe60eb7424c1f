// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge rules against SciPy and NumPy: every case of data/edges.txt (made by data/make_edges.py) on every backend, to
// the last bit.
#include "Run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

using Keramos::Backend, Keramos::EdgeRule;

struct Case {
  int rank = 0, radius = 0;
  std::vector<std::string> rules; ///< an axis each, "low/high" or one for both
  std::vector<std::int64_t> shape;
  std::vector<double> in, weights, out;
};

/// float, 2 -> float**
template <class T, int Rank>
struct DataType {
  using type = typename DataType<T*, Rank - 1>::type;
};
template <class T>
struct DataType<T, 0> {
  using type = T;
};

template <class T>
std::vector<T> row(std::istream& file)
{
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  return {std::istream_iterator<T>(words), {}};
}

std::vector<Case> read_cases()
{
  std::ifstream file(std::string(KERAMOS_TEST_DATA) + "/edges.txt");
  std::vector<Case> cases;
  while (file.peek() != EOF) {
    const auto head = row<std::string>(file);
    Case c;
    c.rank = std::stoi(head.at(1));
    c.radius = std::stoi(head.at(2));
    c.rules.assign(head.begin() + 3, head.end());
    c.shape = row<std::int64_t>(file);
    c.in = row<double>(file);
    c.weights = row<double>(file);
    c.out = row<double>(file);
    cases.push_back(c);
  }
  return cases;
}

EdgeRule rule_named(const std::string& name, double value)
{
  for (EdgeRule rule :
       {Keramos::periodic, Keramos::periodic_closed, Keramos::nearest, Keramos::reflect, Keramos::mirror})
    if (name == to_string(rule.kind)) return rule;
  EXPECT_EQ(name, "constant");
  return Keramos::constant(value);
}

/// make_edges.py: 3 below and -2 above, plus the axis where rules are mixed.
Keramos::AxisRule axis_rule(const std::string& text, int axis)
{
  const auto slash = text.find('/');
  if (slash == std::string::npos) return rule_named(text, 3);
  return Keramos::sides(rule_named(text.substr(0, slash), 3 + axis), rule_named(text.substr(slash + 1), -2 + axis));
}

template <class T, int Rank, int Radius>
void check(const Case& c, Backend backend)
{
  std::array<double, Keramos::Box<Rank, Radius>::tap_count> weights;
  std::copy(c.weights.begin(), c.weights.end(), weights.begin());
  const Keramos::Box<Rank, Radius> box(weights);
  const auto rules = [&]<std::size_t... Axis>(std::index_sequence<Axis...>)
  {
    return Keramos::EdgeRules<Rank>(axis_rule(c.rules[Axis], Axis)...);
  }
  (std::make_index_sequence<Rank>());

  using View = Kokkos::View<typename DataType<T, Rank>::type, Kokkos::LayoutRight, test::Shared>;
  Kokkos::LayoutRight layout;
  for (int axis = 0; axis < Rank; ++axis) layout.dimension[axis] = c.shape[axis];
  View in("in", layout), out("out", layout);
  std::copy(c.in.begin(), c.in.end(), in.data());
  Kokkos::deep_copy(out, T(-12345));
  const auto kernel =
      test::run(backend, [&](const auto& exec) { return Keramos::apply_stencil(exec, box, in, out, rules); });
  EXPECT_EQ(kernel.backend, backend);
  EXPECT_EQ(std::vector<double>(out.data(), out.data() + out.size()), c.out);
}

template <class T>
void check(const Case& c, Backend backend)
{
  SCOPED_TRACE(to_string(backend) + (" " + ::testing::PrintToString(c.rules)) + " radius " + std::to_string(c.radius) +
               " extents " + ::testing::PrintToString(c.shape));
  if (c.rank == 1 && c.radius == 1) return check<T, 1, 1>(c, backend);
  if (c.rank == 1 && c.radius == 4) return check<T, 1, 4>(c, backend);
  if (c.rank == 2 && c.radius == 2) return check<T, 2, 2>(c, backend);
  if (c.rank == 3 && c.radius == 1) return check<T, 3, 1>(c, backend);
  FAIL() << "no operator for this case";
}

class EdgeRules : public testing::TestWithParam<Backend> {};

TEST_P(EdgeRules, AgreeWithSciPyAndNumPy)
{
  const auto cases = read_cases();
  ASSERT_EQ(cases.size(), 442u);
  for (const Case& c : cases) {
    check<float>(c, GetParam());
    check<double>(c, GetParam());
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, EdgeRules, testing::ValuesIn(test::all_backends()),
                         [](const auto& info) { return to_string(info.param); });

} // namespace
