// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Narrow.hpp"
#include "../Launch.hpp"
#include "Run.hpp"

namespace Keramos::cuda::transpose {
namespace {

template <int Size, int AccessBytes, int K>
void run(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  using T = Word<Size>;
  const auto launch = [&](auto to_planes) {
    launch_kernel<narrow_kernel<Size, AccessBytes, K, to_planes>>(taken, space, {plan.blocks, NarrowShape::threads},
                                                                  static_cast<const T*>(in), static_cast<T*>(out),
                                                                  std::get<NarrowJob>(plan.job));
  };
  if (plan.to_planes)
    launch(std::true_type());
  else
    launch(std::false_type());
}

} // namespace

void run_narrow(const MovePlan& plan, const Kernel& taken, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    if constexpr (size < 16) {
      if constexpr (size >= 4)
        if (plan.narrow.access_bytes == size) return run<size, size, 3>(plan, taken, space, in, out);
      if (plan.narrow.components == 2) return run<size, 16, 2>(plan, taken, space, in, out);
      if (plan.narrow.components == 3) return run<size, 16, 3>(plan, taken, space, in, out);
      return run<size, 16, 4>(plan, taken, space, in, out);
    }
  });
}

} // namespace Keramos::cuda::transpose
