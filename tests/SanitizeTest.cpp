// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every CUDA kernel of the library, at the edges of its tiles, on arrays that end with their last element: made for
// compute-sanitizer (checks/sanitize.py), and compared with the reference on the way. The last test demands that the
// kernels that ran are the kernels that the binary holds.
#include "DeviceArray.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>

// ---- What the linker routes through here (options --wrap in CMakeLists.txt): kernels registered, kernels launched
namespace {

std::map<const void*, std::string>& registered()
{
  static std::map<const void*, std::string> names;
  return names;
}
/// By name, for every source that compiles a kernel registers one of its own.
std::set<std::string>& launched()
{
  static std::set<std::string> names;
  return names;
}

} // namespace

extern "C" {
void __real___cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
void __wrap___cudaRegisterFunction(void** fatbin, const char* host, char* device, const char* name, int limit,
                                   uint3* thread, uint3* block, dim3* threads, dim3* blocks, int* warp)
{
  registered()[host] = name;
  __real___cudaRegisterFunction(fatbin, host, device, name, limit, thread, block, threads, blocks, warp);
}
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* shape, const void* kernel, void** arguments)
{
  launched().insert(registered()[kernel]);
  return __real_cudaLaunchKernelExC(shape, kernel, arguments);
}
}

namespace {

using namespace test;

// ---- Mistakes on purpose, by which checks/sanitize.py learns whether a tool works on this machine -------------------

__global__ void reads_beyond(const int* data, int* out) { *out = data[1 << 20]; }
__global__ void reads_what_nobody_wrote(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }
__global__ void races(int* out)
{
  __shared__ int shared[64];
  shared[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = shared[63 - threadIdx.x]; // no barrier
}
__global__ void diverges(int* out)
{
  if (threadIdx.x < 13) __syncthreads();
  out[threadIdx.x] = 1;
}

TEST(Planted, DISABLED_Mistake)
{
  const std::string tool = std::getenv("KERAMOS_PLANT") ? std::getenv("KERAMOS_PLANT") : "";
  int *data = nullptr, *out = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 64 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&out, 64 * sizeof(int)), cudaSuccess);
  if (tool == "memcheck") reads_beyond<<<1, 1>>>(data, out);
  if (tool == "initcheck") reads_what_nobody_wrote<<<1, 64>>>(data, out);
  if (tool == "racecheck") races<<<1, 64>>>(out);
  if (tool == "synccheck") diverges<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}

// ---- The kernels that the binary holds, and those that ran ------------------------------------------------------------

/// Sums by planes and tensor copies are for Hopper and later; for others their kernels are empty. Products of matrices want
/// its shared memory.
bool is_for_newer(const std::string& name)
{
  const Keramos::cuda::Device device = Keramos::cuda::device_of(own_instance());
  bool is_for_hopper = false;
  for (const char* kernel : {"march_kernel", "march_functor_kernel", "tensor_star_kernel", "strided_star_kernel"})
    is_for_hopper = is_for_hopper || name.find(kernel) != std::string::npos;
  return (is_for_hopper && device.architecture < 90) || (name.find("gather_product") != std::string::npos &&
                                                         !Keramos::cuda::gather_sum::has_product_tiles<float>(device));
}

/// Of a user's functor that reads a View by itself: the reference's call compiles kernels for Views of its own memory, and of two orders of indices a
/// call takes one. Which of them ran, their tests say.
bool is_for_other_views(const std::string& name) { return name.find("ReadsView") != std::string::npos; }

std::set<std::string> names_of_library()
{
  std::set<std::string> names;
  for (const auto& [kernel, name] : registered())
    if (name.starts_with("_ZN7Keramos4cuda")) names.insert(name);
  return names;
}

class EveryKernelRan : public testing::Environment {
public:
  void TearDown() override
  {
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    if (tests.test_to_run_count() + tests.disabled_test_count() < tests.total_test_count())
      return; // a part, by a filter
    const std::set<std::string> held = names_of_library();
    std::string idle;
    for (const std::string& name : held)
      if (!launched().count(name) && !is_for_newer(name) && !is_for_other_views(name)) idle += name + "\n";
    EXPECT_EQ(idle, "") << "kernels of the library that never ran";
    EXPECT_GT(held.size(), 100u);
    std::cout << held.size() << " device kernels of the library\n";
  }
};
const testing::Environment* const every_kernel = testing::AddGlobalTestEnvironment(new EveryKernelRan);

} // namespace
