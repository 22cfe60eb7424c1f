// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edge rules against SciPy and NumPy: every case of data/edges.txt (made by data/make_edges.py) on every backend, to
// the last bit. The index maps against their symmetries, and the drawings of keramos/stencil/EdgeRule.hpp against the maps.
#include "Run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
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

/// A part whose other side is a halo reads what the larger array does in its place, also where a rule leads past all of the part.
TEST_P(EdgeRules, AreThoseOfTheLargerArrayBesideAHalo)
{
  constexpr int points = 12, radius = 4;
  const Keramos::Box<1, radius> box{1, 2, 4, 8, 16, 32, 64, 128, 256};
  using View = Kokkos::View<double*, test::Shared>;
  const auto apply = [&](const View& in, const View& out, const Keramos::AxisRule& rule) {
    test::run(GetParam(), [&](const auto& exec) { return Keramos::apply_stencil(exec, box, in, out, rule); });
  };
  const View in("in", points), whole("whole", points);
  for (int i = 0; i < points; ++i) in(i) = i * i + 1;
  for (EdgeRule rule : {Keramos::constant(3), Keramos::nearest, Keramos::reflect, Keramos::mirror}) {
    apply(in, whole, rule);
    for (int size = 1; size <= points - radius; ++size) {
      const View low("low", size), high("high", size);
      apply(Kokkos::subview(in, std::pair(0, size + radius)), low, Keramos::sides(rule, Keramos::ghost));
      apply(Kokkos::subview(in, std::pair(points - size - radius, points)), high, Keramos::sides(Keramos::ghost, rule));
      for (int i = 0; i < size; ++i) {
        EXPECT_EQ(low(i), whole(i)) << to_string(rule.kind) << " below " << size << " points, at " << i;
        EXPECT_EQ(high(i), whole(points - size + i))
            << to_string(rule.kind) << " above " << size << " points, at " << i;
      }
    }
  }
}

/// A map is the identity inside and has the symmetries that define it: the period, or the point about which it turns.
TEST(EdgeMaps, AreTheIdentityInsideAndRepeatOutside)
{
  using Keramos::Edge;
  for (std::int64_t n = 2; n <= 7; ++n) {
    const auto at = [n](Edge edge, std::int64_t index) { return Keramos::core::edge_index(edge, index, n); };
    for (std::int64_t k = -30; k <= 30; ++k) {
      EXPECT_EQ(at(Edge::periodic, k), at(Edge::periodic, k + n));
      EXPECT_EQ(at(Edge::periodic_closed, k), at(Edge::periodic_closed, k + n - 1));
      EXPECT_EQ(at(Edge::reflect, k), at(Edge::reflect, -1 - k));
      EXPECT_EQ(at(Edge::reflect, k), at(Edge::reflect, 2 * n - 1 - k));
      EXPECT_EQ(at(Edge::mirror, k), at(Edge::mirror, -k));
      EXPECT_EQ(at(Edge::mirror, k), at(Edge::mirror, 2 * (n - 1) - k));
      if (k < 0 || k >= n) {
        EXPECT_EQ(at(Edge::nearest, k), k < 0 ? 0 : n - 1);
        continue;
      }
      for (Edge edge : {Edge::periodic, Edge::reflect, Edge::mirror}) EXPECT_EQ(at(edge, k), k);
      EXPECT_EQ(at(Edge::periodic_closed, k), k < n - 1 ? k : 0); // the last point is the first
    }
  }
}

/// `rule, ///< c a b c | a b c d | b c a b`: the letters below and above the axis, without the axis itself.
std::map<std::string, std::string> drawings()
{
  std::ifstream header(KERAMOS_TEST_DATA "/../../src/keramos/stencil/EdgeRule.hpp");
  const std::regex drawing("^ *([a-z_]+), +///< ((?:[a-dv] ){4})\\| a b c d \\|((?: [a-dv]){4})(?: .*)?$");
  std::map<std::string, std::string> found;
  std::smatch part;
  for (std::string line; std::getline(header, line);)
    if (std::regex_match(line, part, drawing)) found[part[1]] = part[2].str() + part[3].str().substr(1);
  return found;
}

TEST(EdgeMaps, AreAsDrawn)
{
  const auto drawn = drawings();
  EXPECT_EQ(drawn.size(), 6u); // ghost and interior read nothing that could be drawn
  for (Keramos::Edge edge : {Keramos::Edge::periodic, Keramos::Edge::periodic_closed, Keramos::Edge::constant,
                             Keramos::Edge::nearest, Keramos::Edge::reflect, Keramos::Edge::mirror}) {
    std::string read;
    for (const std::int64_t index : {-4, -3, -2, -1, 4, 5, 6, 7}) {
      const auto place = Keramos::core::edge_index(edge, index, 4);
      read += {place == Keramos::core::no_index ? 'v' : static_cast<char>('a' + place), ' '};
    }
    read.pop_back();
    EXPECT_EQ(drawn.count(to_string(edge)) ? drawn.at(to_string(edge)) : "not drawn", read) << to_string(edge);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, EdgeRules, testing::ValuesIn(test::all_backends()),
                         [](const auto& info) { return to_string(info.param); });

} // namespace
