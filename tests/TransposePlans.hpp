// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transposes, permutations and copies take on GPUs that are not here.
#pragma once

#include "Devices.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <variant>
#include <vector>

namespace test {

/// The boxes of a functor, on an H200 or what is like it, between matrices of so many rows and columns.
inline Keramos::cuda::transpose::BoxRowsJob boxes(std::int64_t rows, std::int64_t columns, int in_size, int out_size,
                                                  bool accumulates = false, std::uintptr_t in = 0x1000,
                                                  std::uintptr_t out = 0x1000)
{
  namespace transpose = Keramos::cuda::transpose;
  constexpr Keramos::cuda::Device h200{90, 132, 227 << 10, 228 << 10};
  const Keramos::core::MoveAxis axes[] = {{rows, columns, 1}, {columns, 1, rows}};
  const auto plan =
      transpose::plan_functor_move(h200, Keramos::core::normalised(axes, 2), in_size, out_size,
                                   reinterpret_cast<const void*>(in), reinterpret_cast<const void*>(out), accumulates);
  EXPECT_EQ(plan->kind, transpose::MoveKind::box_rows);
  const auto& job = std::get<transpose::BoxRowsJob>(plan->job);
  const int blocks = out_size < 4 && job.cut < 0 ? 4 : 3;
  if (accumulates || out_size < 4) EXPECT_LE(blocks * (plan->shared_bytes + 1024), h200.shared_per_multiprocessor);
  return job;
}

/// What a functor between arrays of these axes takes on an H200.
inline Keramos::cuda::transpose::MovePlan computed_move(std::initializer_list<Keramos::core::MoveAxis> axes,
                                                        int in_size, int out_size, bool accumulates = false)
{
  constexpr Keramos::cuda::Device h200{90, 132, 227 << 10, 228 << 10};
  const Keramos::core::MoveAxes normalised = Keramos::core::normalised(axes.begin(), static_cast<int>(axes.size()));
  return *Keramos::cuda::transpose::plan_functor_move(h200, normalised, in_size, out_size,
                                                      reinterpret_cast<const void*>(0x1080),
                                                      reinterpret_cast<const void*>(0x1080), accumulates);
}

/// The plan of a permutation of a contiguous array.
inline Keramos::cuda::transpose::MovePlan plan_of_permutation(const Keramos::cuda::Device& device,
                                                              const std::vector<std::int64_t>& extent,
                                                              const std::vector<int>& order, int size)
{
  const int rank = static_cast<int>(extent.size());
  std::vector<std::int64_t> in(extent.size());
  std::int64_t step = 1;
  for (int k = rank - 1; k >= 0; step *= extent[k], --k) in[k] = step;
  std::vector<Keramos::core::MoveAxis> axes(extent.size());
  step = 1;
  for (int k = rank - 1; k >= 0; step *= extent[order[k]], --k) axes[k] = {extent[order[k]], in[order[k]], step};
  return *Keramos::cuda::transpose::plan_move(device, Keramos::core::normalised(axes.data(), rank), size, nullptr,
                                              nullptr);
}

} // namespace test
