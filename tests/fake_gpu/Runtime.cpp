// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU that computes nothing, in the place of the CUDA runtime and driver: which kernel a call takes, with what shape, and which
// calls are refused can be asked on a machine without one (keramos_choice in KeramosTest.cmake). It has the properties of an H200
// that choices look at; its memory is the host's; what is launched does not run. Only what such tests reach is here: anything
// else does not link.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#undef cudaGetDeviceProperties // older names of the same functions
#undef cudaGraphInstantiate

namespace {

constexpr int architecture = 90;
constexpr int multiprocessors = 132, memory_bits = 6016;
constexpr int l2_bytes = 50 << 20;
constexpr std::size_t memory_bytes = std::size_t{140} << 30;
constexpr int shared_bytes = 48 << 10, shared_bytes_opt_in = 227 << 10, shared_bytes_of_multiprocessor = 228 << 10;
constexpr int shared_bytes_reserved = 1 << 10;
constexpr int registers = 1 << 16;

/// The device's names of kernels, by the host's function that launches them.
std::map<const void*, std::string>& kernels()
{
  static std::map<const void*, std::string> names;
  return names;
}

cudaError_t allocate(void** memory, std::size_t bytes)
{
  constexpr std::size_t alignment = 512;
  *memory = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t release(void* memory)
{
  std::free(memory);
  return cudaSuccess;
}

/// A handle that nobody looks into.
template <class Handle>
cudaError_t make(Handle* handle)
{
  static int something;
  *handle = reinterpret_cast<Handle>(&something);
  return cudaSuccess;
}

CUresult encode_tensor_map(...) { return CUDA_SUCCESS; }

} // namespace

extern "C" {

// ---- What nvcc writes into every object ----
void** __cudaRegisterFatBinary(void*)
{
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*)
{
  kernels()[host] = name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
char __cudaInitModule(void**) { return 0; }
unsigned __cudaPushCallConfiguration(dim3, dim3, std::size_t, CUstream_st*) { return 0; }
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, std::size_t*, void*) { return cudaSuccess; }
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host)
{
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
  return cudaSuccess;
}

// ---- Launches. Kokkos asks one kernel for which architecture it was compiled, and has to hear of this GPU's ----
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3, dim3, void** arguments, std::size_t, cudaStream_t)
{
  const std::string& name = kernels()[reinterpret_cast<const void*>(kernel)];
  if (name.find("query_cuda_kernel_arch") != std::string::npos) **static_cast<int**>(arguments[0]) = 10 * architecture;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return cudaSuccess; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*)
{
  *attributes = {};
  attributes->binaryVersion = attributes->ptxVersion = architecture;
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 64;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

// ---- The device ----
cudaError_t cudaGetDeviceCount(int* count)
{
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device)
{
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
  cudaDeviceProp p = {};
  std::strcpy(p.name, "a GPU that computes nothing");
  p.major = architecture / 10;
  p.minor = architecture % 10;
  p.multiProcessorCount = multiprocessors;
  p.memoryBusWidth = memory_bits;
  p.totalGlobalMem = memory_bytes;
  p.sharedMemPerBlock = shared_bytes;
  p.sharedMemPerBlockOptin = shared_bytes_opt_in;
  p.sharedMemPerMultiprocessor = shared_bytes_of_multiprocessor;
  p.reservedSharedMemPerBlock = shared_bytes_reserved;
  p.regsPerBlock = p.regsPerMultiprocessor = registers;
  p.warpSize = 32;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.l2CacheSize = l2_bytes;
  p.totalConstMem = 1 << 16;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.managedMemory = p.concurrentManagedAccess = p.unifiedAddressing = p.pageableMemoryAccess = 1;
  p.canMapHostMemory = p.concurrentKernels = 1;
  *properties = p;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int)
{
  switch (attribute) {
  case cudaDevAttrComputeCapabilityMajor:
    *value = architecture / 10;
    break;
  case cudaDevAttrComputeCapabilityMinor:
    *value = architecture % 10;
    break;
  case cudaDevAttrMultiProcessorCount:
    *value = multiprocessors;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = shared_bytes_opt_in;
    break;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    *value = shared_bytes_of_multiprocessor;
    break;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    *value = shared_bytes_reserved;
    break;
  case cudaDevAttrL2CacheSize:
    *value = l2_bytes;
    break;
  case cudaDevAttrMaxThreadsPerBlock:
    *value = 1024;
    break;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    *value = 2048;
    break;
  default:
    *value = 1; // it can do what is asked about
  }
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result)
{
  *function = reinterpret_cast<void*>(&encode_tensor_map);
  if (result) *result = cudaDriverEntryPointSuccess;
  return cudaSuccess;
}
CUresult cuCtxGetDevice(CUdevice* device)
{
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent(CUcontext*) { return CUDA_SUCCESS; }
CUresult cuStreamGetCtx(CUstream, CUcontext* context)
{
  make(context);
  return CUDA_SUCCESS;
}

// ---- Errors: there are none ----
const char* cudaGetErrorName(cudaError_t) { return "no error"; }
const char* cudaGetErrorString(cudaError_t) { return "no error"; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }

// ---- Memory ----
cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) { return allocate(memory, bytes); }
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) { return allocate(memory, bytes); }
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) { return allocate(memory, bytes); }
cudaError_t cudaFree(void* memory) { return release(memory); }
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return release(memory); }
cudaError_t cudaFreeHost(void* memory) { return release(memory); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t)
{
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind)
{
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void*, std::size_t, std::size_t, cudaMemcpyKind, cudaStream_t)
{
  return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes)
{
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t)
{
  return cudaMemset(memory, value, bytes);
}
cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, cudaMemLocation) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, cudaMemLocation, unsigned, cudaStream_t)
{
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory)
{
  *attributes = {};
  attributes->type = cudaMemoryTypeManaged;
  attributes->devicePointer = attributes->hostPointer = const_cast<void*>(memory);
  return cudaSuccess;
}

// ---- Streams, events, graphs: everything is done when it is asked for ----
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make(stream); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return make(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status)
{
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return cudaSuccess; }
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) { return make(graph); }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* graph, cudaGraph_t, unsigned long long) { return make(graph); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return make(event); }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

} // extern "C"
