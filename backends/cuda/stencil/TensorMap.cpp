// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../TensorCopy.hpp"

#include "../../../src/keramos/core/Cuda.hpp"

namespace Keramos::cuda {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

/// By the runtime, so that nobody links with the driver.
Encode driver_encode()
{
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const auto error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
  require_success(error, [] { return "the look-up of cuTensorMapEncodeTiled"; });
  return reinterpret_cast<Encode>(function);
}

} // namespace

CUtensorMap tensor_map(const TensorBox& box)
{
  static const Encode encode = driver_encode();
  const cuuint64_t extent[] = {box.extent[0], box.extent[1], box.extent[2]}, pitch[] = {box.pitch[0], box.pitch[1]};
  const cuuint32_t size[] = {box.columns, box.rows, 1}, step[] = {1, 1, 1};
  CUtensorMap map{};
  const CUresult result =
      encode ? encode(&map, box.element_bytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
                      3, const_cast<void*>(box.data), extent, pitch, size, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
             : CUDA_ERROR_NOT_FOUND;
  if (result != CUDA_SUCCESS)
    throw std::runtime_error(
        core::text("Keramos: cuTensorMapEncodeTiled failed with error ", static_cast<int>(result)));
  return map;
}

} // namespace Keramos::cuda
