// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix' cells of gather-sums. The layout pair is that of the sources' positions and of the output.
#include "GatherSumSupport.hpp"
#include "Matrix.hpp"

namespace test::matrix {
namespace {

/// call(where, backend, output) on the reference and on the backend that Keramos chooses, for each number of sources.
template <class T, int Rank, class K, class Targets>
Taken prove(const K& kernel, const Targets& targets, const std::array<std::int64_t, Rank>& extents, Memory in,
            Memory out)
{
  Taken taken;
  for (const std::int64_t sources : {1, 67}) {
    SCOPED_TRACE(sources);
    Data<T, Rank, 3, false> data(extents, sources, in, out);
    data.out.potential.for_each([&](const auto& i) { data.targets.push_back(coordinates<T>(targets, i)); });
    data.place_on_targets();
    for (const auto& target : data.targets)
      data.bounds.push_back(gather_bound<T>(kernel, target, data.positions, data.weights));
    const auto call = [&](std::optional<Keramos::Backend> backend, const auto& output) {
      output.fill(Keramos::overwrite);
      const auto sum = [&](const auto& exec) {
        return Keramos::gather_sum(exec, kernel, argument_of(targets), data.sources(), output.argument());
      };
      return backend ? test::run(*backend, sum) : test::run(sum);
    };
    call(Keramos::Backend::reference, data.expected);
    taken.kernels.push_back(call(std::nullopt, data.out));
    data.compare();
    taken.compared += static_cast<std::int64_t>(data.targets.size());
  }
  return taken;
}

template <class T, class K>
void add(std::vector<Cell>& cells, const std::string& type, const K& kernel)
{
  for_each_layout_pair([&](const std::string& pair, const auto& in_named, const auto& out_named) {
    const Memory in = in_named.second, out = out_named.second;
    cells.push_back({type, pair, std::string(K::name) + " on a grid", "-", [=] {
                       const Keramos::UniformGrid<3> grid{{-0.9, -0.4, 0.1}, {0.05, 0.07, 0.11}};
                       return prove<T, 3>(kernel, grid, {3, 2, 33}, in, out);
                     }});
    cells.push_back({type, pair, std::string(K::name) + " at points", "-", [=] {
                       const Array<T, 2> points({65, 3}, in);
                       points.randomise(3);
                       return prove<T, 1>(kernel, points, {65}, in, out);
                     }});
  });
}

template <class T>
void add_sums(std::vector<Cell>& cells, const char* type)
{
  add<T>(cells, type, Keramos::Coulomb{});
  add<T>(cells, type, Keramos::Yukawa{.kappa = 1.3});
  add<T>(cells, type, Keramos::Gaussian{.sigma = 0.4});
  add<T>(cells, type, Keramos::InverseMultiquadric{.c = 0.2});
}

} // namespace

std::vector<Cell> gather_sums()
{
  std::vector<Cell> cells;
  add_sums<float>(cells, "float");
  add_sums<double>(cells, "double");
  return cells;
}

} // namespace test::matrix
