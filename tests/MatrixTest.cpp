// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GoogleTest case for each cell of the matrix. Its properties say what took it; see tests/matrix/results.py.
#include "Matrix.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

namespace {

using namespace test::matrix;

class Matrix : public testing::TestWithParam<Cell> {};

TEST_P(Matrix, AgreesWithTheReference)
{
  const Taken taken = GetParam().prove();
  std::set<std::string> backends, kernels;
  for (const auto& kernel : taken.kernels) {
    backends.insert(to_string(kernel.backend));
    kernels.insert(Keramos::core::text(kernel));
  }
  const auto joined = [](const std::set<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
  };
  RecordProperty("space", test::Exec::name());
  RecordProperty("backends", joined(backends));
  RecordProperty("kernels", joined(kernels));
  RecordProperty("compared", std::to_string(taken.compared));
  EXPECT_GT(taken.compared, 0);
}

std::string name(const testing::TestParamInfo<Cell>& info)
{
  std::string text = testing::PrintToString(info.param);
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

INSTANTIATE_TEST_SUITE_P(Stencils, Matrix, testing::ValuesIn(stencils()), name);
INSTANTIATE_TEST_SUITE_P(Transposes, Matrix, testing::ValuesIn(transposes()), name);
INSTANTIATE_TEST_SUITE_P(GatherSums, Matrix, testing::ValuesIn(gather_sums()), name);

} // namespace
