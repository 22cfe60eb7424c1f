// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of gather_sum with a cutoff: the bits of a target, scratch, whose kernel ran, wrong use.
#include "CutoffSupport.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace test;
using Keramos::Backend, Keramos::Coulomb, Keramos::UniformGrid, Keramos::Workspace;

// ---- Bits -----------------------------------------------------------------------------------------------------------

template <class T>
bool is_same(T a, T b)
{
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Any targets in any order, in any memory, with or without scratch: a target has its bits.
template <class T, class K>
void expect_same_bits(const K& kernel, const Cutoff& cutoff)
{
  const Points<T> points(5000, 700);
  points.put_targets_on_sources();
  for (const Backend backend : cutoff_backends<K>()) {
    const Output<T, 1, 3, true> whole({700}, Memory::right);
    const auto sum = [&](const auto& targets, const auto& out, const auto&... more) {
      return run(backend, [&](const auto& exec) {
        return Keramos::gather_sum(exec, kernel, targets, points.sources(), out.argument(), cutoff, more...);
      });
    };
    const Keramos::Kernel taken = sum(points.targets.view, whole);
    for (const std::int64_t some : {1, 3, 64, 250, 700}) {
      const std::int64_t step = some == 700 ? 3 : 11; // no factor of 700: all are others
      const Array<T, 2> targets({some, 3}, memories[some % 6]);
      targets.for_each([&](const auto& i) { targets.at(i) = points.targets.at({(step * i[0] + 5) % 700, i[1]}); });
      const Output<T, 1, 3, true> part({some}, memories[some % 5]);
      const auto bytes = ask(backend, [&](const auto& exec) {
        return Keramos::gather_sum_workspace_size(exec, kernel, targets.view, points.sources(), part.argument(),
                                                  cutoff);
      });
      const Kokkos::View<char*, Shared> scratch("scratch", bytes);
      some % 2 ? sum(targets.view, part) : sum(targets.view, part, Workspace{scratch});
      int differences = 0;
      for (std::int64_t i = 0; i < some; ++i) {
        const std::int64_t j = (step * i + 5) % 700;
        differences += !is_same(part.potential.at({i}), whole.potential.at({j}));
        for (int d = 0; d < 3; ++d) differences += !is_same(part.component({i}, d), whole.component({j}, d));
      }
      EXPECT_EQ(differences, 0) << taken << ", " << some << " targets";
    }
  }
}

TEST(CutoffBits, DependOnNoOtherTarget)
{
  expect_same_bits<float>(Coulomb{}, {0.3});
  expect_same_bits<double>(Keramos::Yukawa{.kappa = 2},
                           {.radius = 0.4, .form = CutoffForm::shifted, .box = {1, 0, 1.5}});
  expect_same_bits<float>(Keramos::Gaussian{.sigma = 0.2},
                          {.radius = 0.4, .form = CutoffForm::switched, .switch_on = 0.1, .box = {0.8, 1, 1}});
  expect_same_bits<float>(Screened(), {0.3});
  expect_same_bits<double>(Anisotropic(), {10});
}

/// A box of a grid has the bits of the grid.
TEST(CutoffBits, PartsOfAGrid)
{
  const Points<float> points(3000, 0);
  const Cutoff cutoff{.radius = 0.25, .box = {0, 2, 0}};
  for (const Backend backend : cutoff_backends<Coulomb>()) {
    const Array<float, 3> whole({17, 9, 33}, Memory::left), part({5, 4, 19}, Memory::right_padded);
    const auto sum = [&](const UniformGrid<3>& grid, const Array<float, 3>& out) {
      return run(backend, [&](const auto& exec) {
        return Keramos::gather_sum(exec, Coulomb{}, grid, points.sources(), out.view, cutoff);
      });
    };
    sum({{-1, -1, -1}, {0.125, 0.25, 0.0625}}, whole);
    const Keramos::Kernel taken = sum({{-1 + 3 * 0.125, -1 + 2 * 0.25, -1 + 7 * 0.0625}, {0.125, 0.25, 0.0625}}, part);
    int differences = 0;
    part.for_each([&](const auto& i) {
      differences += !is_same(part.at(i), whole.at({i[0] + 3, i[1] + 2, i[2] + 7}));
    });
    EXPECT_EQ(differences, 0) << taken;
  }
}

/// Whatever order threads come in: blocks of cells that share slots of the table, and all sources in one cell.
TEST(CutoffBits, RunAfterRun)
{
  const Points<float> points(60000, 500);
  points.move([](std::int64_t, int, double x) { return 300 * x; });
  for (const double radius : {9., 1e6}) {
    for (const Backend backend : cutoff_backends<Coulomb>()) {
      if (backend == Backend::reference) continue;
      const Array<float, 1> first({500}, Memory::right), again({500}, Memory::right);
      for (const auto* out : {&first, &again})
        run(backend, [&](const auto& exec) {
          return Keramos::gather_sum(exec, Coulomb{}, points.targets.view, points.sources(), out->view, Cutoff{radius});
        });
      EXPECT_EQ(std::memcmp(first.view.data(), again.view.data(), 500 * sizeof(float)), 0);
    }
  }
  expect_definition<false>(Coulomb{}, points, Cutoff{9});
}

// ---- What ran, and scratch ------------------------------------------------------------------------------------------

TEST(CutoffCalls, KernelsSayWhatTheyAre)
{
  const Points<float> points(100, 10);
  const Array<float, 1> out({10}, Memory::right);
  const auto variant = [&](Backend backend, const auto& kernel, const auto&... more) {
    return run(backend,
               [&](const auto& exec) {
                 return Keramos::gather_sum(exec, kernel, points.targets.view, points.sources(), out.view, Cutoff{0.5},
                                            more...);
               })
        .variant.str();
  };
  EXPECT_EQ(variant(Backend::reference, Coulomb{}), "cutoff double loop");
  EXPECT_EQ(variant(Backend::portable, Coulomb{}), "cutoff target, scratch allocated");
  const std::string set = Keramos::openmp::instruction_set_name();
  EXPECT_EQ(variant(Backend::openmp, Coulomb{}), "cutoff points coulomb " + set + ", scratch allocated");
  EXPECT_EQ(variant(Backend::portable, Logarithm(), Keramos::accumulate), "cutoff target, scratch allocated");
  if constexpr (has_cuda) {
    EXPECT_EQ(variant(Backend::cuda, Coulomb{}), "cutoff points coulomb, scratch allocated");
    EXPECT_EQ(variant(Backend::cuda, Logarithm()), "cutoff points radial functor, scratch allocated");
  }
}

class CutoffWorkspace : public testing::Test {
protected:
  Points<float> points{900, 80};
  Array<float, 1> out{{80}, Memory::right}, same{{80}, Memory::right};
  using Bytes = Kokkos::View<char*, Shared>;

  template <class K>
  std::size_t size(const K& kernel, Backend backend) const
  {
    return ask(backend, [&](const auto& exec) {
      return Keramos::gather_sum_workspace_size(exec, kernel, points.targets.view, points.sources(), out.view,
                                                Cutoff{0.4});
    });
  }
  template <class K, class... More>
  Keramos::Kernel sum(const K& kernel, Backend backend, const Array<float, 1>& to, const More&... more) const
  {
    return run(backend, [&](const auto& exec) {
      return Keramos::gather_sum(exec, kernel, points.targets.view, points.sources(), to.view, Cutoff{0.4}, more...);
    });
  }
};

/// Exactly the bytes that are told, none of those behind them, and not one less.
TEST_F(CutoffWorkspace, ExactSize)
{
  for (const Backend backend : cutoff_backends<Coulomb>()) {
    const std::size_t bytes = size(Coulomb{}, backend);
    EXPECT_EQ(bytes > 0, backend != Backend::reference);
    if (bytes == 0) continue;
    const Bytes memory("memory", bytes + 64);
    Kokkos::deep_copy(memory, 'x');
    const auto scratch = [&](std::size_t count) {
      return Workspace{Kokkos::subview(memory, std::pair<std::size_t, std::size_t>(32, 32 + count))};
    };
    const Keramos::Kernel with = sum(Coulomb{}, backend, out, scratch(bytes)), without = sum(Coulomb{}, backend, same);
    EXPECT_EQ(with.variant.str() + ", scratch allocated", without.variant.str());
    EXPECT_EQ(std::memcmp(out.view.data(), same.view.data(), 80 * sizeof(float)), 0);
    for (int i = 0; i < 32; ++i) EXPECT_TRUE(memory(i) == 'x' && memory(bytes + 32 + i) == 'x');
    EXPECT_EQ(message([&] { sum(Coulomb{}, backend, out, Keramos::accumulate, scratch(bytes - 1)); }),
              Keramos::core::text("Keramos::gather_sum: argument 'workspace': expected at least ", bytes,
                                  " bytes, as gather_sum_workspace_size tells, got ", bytes - 1));
    sum(Coulomb{}, backend, out, Keramos::accumulate, scratch(bytes));
    for (std::int64_t i = 0; i < 80; ++i) EXPECT_EQ(out.at({i}), 2 * same.at({i}));
  }
}

/// Without targets the call takes as many bytes as are told, which is none, whatever the sources.
TEST_F(CutoffWorkspace, NoneWithoutTargets)
{
  const Points<float> none(900, 0);
  const Array<float, 1> nothing({0}, Memory::right);
  const Workspace empty{Bytes("no bytes", 0)};
  const auto check = [&](const auto& exec, const auto& kernel) {
    EXPECT_EQ(
        Keramos::gather_sum_workspace_size(exec, kernel, none.targets.view, none.sources(), nothing.view, Cutoff{0.4}),
        0u);
    EXPECT_EQ(message([&] {
                Keramos::gather_sum(exec, kernel, none.targets.view, none.sources(), nothing.view, Cutoff{0.4}, empty);
              }),
              "no error");
  };
  for (const Backend backend : cutoff_backends<Coulomb>())
    run(backend, [&](const auto& exec) {
      check(exec, Coulomb{});
      check(exec, Keramos::Exact{Coulomb{}});
      return Keramos::Kernel{};
    });
}

// ---- Wrong use ------------------------------------------------------------------------------------------------------

std::string said(const auto& kernel, const Cutoff& cutoff, int dimension = 3)
{
  const Points<float> points(5, 4, dimension);
  const Array<float, 1> out({4}, Memory::right);
  const auto call = [&](const auto& exec) {
    return message([&] { Keramos::gather_sum(exec, kernel, points.targets.view, points.sources(), out.view, cutoff); });
  };
  const std::string words = call(own_instance()), head = "Keramos::gather_sum: argument ";
  EXPECT_EQ(call(Keramos::dry_run(own_instance())), words);
  EXPECT_EQ(message([&] {
              Keramos::gather_sum_workspace_size(own_instance(), kernel, points.targets.view, points.sources(),
                                                 out.view, cutoff);
            }),
            words);
  own_instance().fence("the test reads what was written");
  EXPECT_EQ(out.at({2}) == -777, words != "no error"); // before an error nothing is written
  return words.rfind(head, 0) == 0 ? words.substr(head.size()) : words;
}

TEST(CutoffErrors, Radius)
{
  const std::string head = "'cutoff.radius': expected a positive number with its square, in the range of float, got ";
  EXPECT_EQ(said(Coulomb{}, {2}), "no error");
  EXPECT_EQ(said(Coulomb{}, {0}), head + "0");
  EXPECT_EQ(said(Coulomb{}, {-1}), head + "-1");
  EXPECT_EQ(said(Coulomb{}, {std::numeric_limits<double>::quiet_NaN()}), head + "nan");
  EXPECT_EQ(said(Coulomb{}, {std::numeric_limits<double>::infinity()}), head + "inf");
  EXPECT_EQ(said(Coulomb{}, {1e-30}), head + "1e-30");
  EXPECT_EQ(said(Coulomb{}, {1e20}), head + "1e+20");
}

TEST(CutoffErrors, Forms)
{
  const std::string on =
      "'cutoff.switch_on': expected 0 or more and less than the radius, which is 2, in the range of float, got ";
  const auto switched = [](double from) {
    return Cutoff{.radius = 2, .form = CutoffForm::switched, .switch_on = from};
  };
  EXPECT_EQ(said(Coulomb{}, switched(0)), "no error");
  EXPECT_EQ(said(Coulomb{}, switched(1.9)), "no error");
  EXPECT_EQ(said(Coulomb{}, switched(2)), on + "2");
  EXPECT_EQ(said(Coulomb{}, switched(-0.5)), on + "-0.5");
  EXPECT_EQ(said(Coulomb{}, switched(std::numeric_limits<double>::quiet_NaN())), on + "nan");
  // 9.2e18 is the square root of the inverse of the least normal number.
  EXPECT_EQ(said(Coulomb{}, {.radius = 9.2e18, .form = CutoffForm::switched}), "no error");
  EXPECT_EQ(
      said(Coulomb{}, {.radius = 9.3e18, .form = CutoffForm::switched}),
      "'cutoff.radius': expected a positive number with its square, and with the inverse of its square less that of "
      "switch_on, in the range of float, got 9.3e+18");
  EXPECT_EQ(said(Coulomb{}, {.radius = 9.3e18, .form = CutoffForm::shifted}), "no error");
  EXPECT_EQ(said(Coulomb{}, {.radius = 9.3e18, .form = CutoffForm::switched, .switch_on = 9e18}), "no error");
  EXPECT_EQ(said(Anisotropic(), {.radius = 2, .form = CutoffForm::shifted}),
            "'cutoff.form': expected sharp or switched with a functor of two points, got shifted");
  EXPECT_EQ(said(Anisotropic(), switched(1)), "no error");
}

TEST(CutoffErrors, Box)
{
  const std::string box =
      "'cutoff.box': expected 0 or twice to 2^36 times the radius, which is 2, along each axis, got ";
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {4, 0, 1e9}}), "no error");
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {4, 3.99, 0}}), box + "(4, 3.99, 0)");
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {3.9999999999, 4, 0}}), box + "(3.9999999999, 4, 0)");
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {-8, 0, 0}}), box + "(-8, 0, 0)");
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {0, 0, 1e12}}), box + "(0, 0, 1e+12)");
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {0, 0, std::numeric_limits<double>::quiet_NaN()}}),
            box + "(0, 0, nan)");
  EXPECT_EQ(said(Coulomb{}, {.radius = 2, .box = {0, 0, 8}}, 2),
            "'cutoff.box': expected 0 along an axis that the targets lack, of which they have 2, got (0, 0, 8)");
}

} // namespace
