// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a stencil must give, point by point and in double, on a GPU: for operators, Views and edge rules of any kind.
#pragma once

#include "Buffers.hpp"

#include <Keramos_Stencil.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perf {

using Extents3 = std::array<std::int64_t, 3>;

template <class T>
using Any = Kokkos::View<T***, Kokkos::LayoutStride, Gpu, Kokkos::MemoryUnmanaged>;

/// Where to read for an index that is at most an extent beyond an end of an axis; -1: there is 0.
__device__ inline std::int64_t place_of(Keramos::Edge edge, std::int64_t index, std::int64_t extent)
{
  if (index >= 0 && index < extent) return index;
  const bool below = index < 0;
  switch (edge) {
  case Keramos::Edge::periodic:
    return below ? index + extent : index - extent;
  case Keramos::Edge::periodic_closed:
    return below ? index + extent - 1 : index - extent + 1;
  case Keramos::Edge::nearest:
    return below ? 0 : extent - 1;
  case Keramos::Edge::reflect:
    return below ? -1 - index : 2 * extent - 1 - index;
  case Keramos::Edge::mirror:
    return below ? -index : 2 * extent - 2 - index;
  default:
    return -1;
  }
}

/// The sum at a point in double. Point 0 of out is point `first` of in.
template <class T>
struct Answer {
  Any<const T> in, out;
  Keramos::Edge edge = Keramos::Edge::constant;
  std::int64_t first[3];
  int taps;
  int offset[125][3];
  double weight[125], tolerance;

  __device__ bool is_wrong(std::int64_t i, std::int64_t j, std::int64_t k) const
  {
    double sum = 0;
    for (int t = 0; t < taps; ++t) {
      const std::int64_t x = place_of(edge, i + first[0] + offset[t][0], in.extent(0));
      const std::int64_t y = place_of(edge, j + first[1] + offset[t][1], in.extent(1));
      const std::int64_t z = place_of(edge, k + first[2] + offset[t][2], in.extent(2));
      sum += weight[t] * (x >= 0 && y >= 0 && z >= 0 ? double(in(x, y, z)) : 0);
    }
    return !(fabs(out(i, j, k) - sum) <= tolerance);
  }
};

template <class T>
__global__ void count_wrong_kernel(const Answer<T> answer, int* wrong)
{
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, i = blockIdx.z;
  if (k >= std::int64_t(answer.out.extent(2))) return;
  for (std::int64_t j = blockIdx.y; j < std::int64_t(answer.out.extent(1)); j += gridDim.y)
    if (answer.is_wrong(i, j, k)) atomicAdd(wrong, 1);
}

/// Of an operator over the last axes of a View of three.
template <class T, class Op>
Answer<T> answer_of(const Op& op)
{
  Answer<T> answer{};
  double sizes = 0;
  for (int t = 0; t < Op::tap_count; ++t) {
    std::copy_n(op.offset(t).begin(), Op::rank, answer.offset[t] + 3 - Op::rank);
    answer.weight[t] = op.weight(t);
    sizes += std::abs(op.weight(t));
  }
  answer.taps = Op::tap_count;
  answer.tolerance = Op::tap_count * std::numeric_limits<T>::epsilon() * sizes;
  return answer;
}

template <class T>
std::string mistakes_of(const Answer<T>& answer)
{
  const Mistakes wrong;
  const auto& out = answer.out;
  const auto blocks = [&](int axis) { return static_cast<unsigned>(std::min<std::size_t>(out.extent(axis), 65535)); };
  count_wrong_kernel<<<dim3(fill_blocks(out.extent(2)), blocks(1), blocks(0)), fill_threads, 0, stream()>>>(
      answer, wrong.counter());
  require_launched("comparison");
  finish();
  return wrong.text("wrong points");
}

template <int Rank, int Radius>
Keramos::Box<Rank, Radius> box_of_sines()
{
  using Box = Keramos::Box<Rank, Radius>;
  std::array<double, Box::tap_count> weights;
  for (std::size_t t = 0; t < weights.size(); ++t) weights[t] = std::sin(1.0 + 0.7 * static_cast<double>(t));
  return Box(weights);
}

/// Registers what is in StencilCallCases.cpp, and in GraphCases.cpp.
void add_call_cases();
void add_graph_cases();

} // namespace perf
