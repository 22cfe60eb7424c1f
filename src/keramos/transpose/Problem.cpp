// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem.hpp"

#include <algorithm>

namespace Keramos::core {
namespace {

bool nests(const MoveAxis& fast, const MoveAxis& slow)
{
  return slow.in == fast.extent * fast.in && slow.out == fast.extent * fast.out;
}

} // namespace

MoveAxes normalised(const MoveAxis* axes, int count)
{
  std::array<MoveAxis, max_rank> sorted;
  const auto end = std::copy_if(axes, axes + count, sorted.begin(), [](const auto& axis) { return axis.extent != 1; });
  sort_few(sorted.data(), static_cast<int>(end - sorted.begin()), [](const MoveAxis& axis) { return axis.out; });

  MoveAxes result;
  for (auto axis = sorted.begin(); axis != end; ++axis) {
    if (result.count > 0 && nests(result.axis[result.count - 1], *axis))
      result.axis[result.count - 1].extent *= axis->extent;
    else
      result.axis[result.count++] = *axis;
  }
  return result;
}

} // namespace Keramos::core
