// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.hpp"
#include "TransposeKernels.hpp"
#include "TransposeTuning.hpp"

namespace Keramos::cuda {
namespace {

template <int Size, int ChunkBytes, int K>
void run(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  using T = Word<Size>;
  const auto launch = [&](auto to_planes) {
    launch_kernel(name, space, narrow_kernel<Size, ChunkBytes, K, to_planes>,
                  {plan.blocks, NarrowShape<Size, ChunkBytes, K>::threads}, static_cast<const T*>(in),
                  static_cast<T*>(out), std::get<NarrowJob>(plan.job));
  };
  if (plan.to_planes)
    launch(std::true_type());
  else
    launch(std::false_type());
}

} // namespace

void run_narrow(const MovePlan& plan, const std::string& name, const Kokkos::Cuda& space, const void* in, void* out)
{
  with_size(plan.size, [&](auto size) {
    if constexpr (size < 16) {
      if constexpr (size >= 4)
        if (plan.chunk_bytes == size) return run<size, size, 3>(plan, name, space, in, out);
      if (plan.components == 2) return run<size, 16, 2>(plan, name, space, in, out);
      if (plan.components == 3) return run<size, 16, 3>(plan, name, space, in, out);
      return run<size, 16, 4>(plan, name, space, in, out);
    }
  });
}

} // namespace Keramos::cuda
