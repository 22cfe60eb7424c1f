// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Buffers.hpp"

#include "../../core/Cuda.hpp"

#include <new>

namespace Keramos::core {
namespace {

constexpr std::align_val_t host_alignment{64};
constexpr std::size_t line = 256;

std::size_t whole_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

} // namespace

Allocation allocate(std::size_t bytes, Memory memory)
{
  void* result = nullptr;
  if (memory == Memory::host) result = ::operator new(bytes, host_alignment);
#ifdef KOKKOS_ENABLE_CUDA
  if (memory == Memory::pinned)
    cuda::require_success(cudaHostAlloc(&result, bytes, cudaHostAllocPortable), [] { return "memory for messages"; });
  if (memory == Memory::device) cuda::require_success(cudaMalloc(&result, bytes), [] { return "memory for messages"; });
#endif
  return Allocation(static_cast<std::byte*>(result), FreeMemory{memory});
}

void FreeMemory::operator()(std::byte* bytes) const
{
  if (memory == Memory::host) ::operator delete(bytes, host_alignment);
#ifdef KOKKOS_ENABLE_CUDA
  if (memory == Memory::pinned) cudaFreeHost(bytes);
  if (memory == Memory::device) cudaFree(bytes);
#endif
}

Buffers::Buffers(const std::vector<Message>& messages, Memory memory)
{
  std::size_t end = 0;
  for (const Message& message : messages)
    if (!message.in_place) end += whole_lines(message.bytes);
  if (end > 0) allocation_ = allocate(end, memory);
  std::byte* next = allocation_.get();
  for (const Message& message : messages) {
    begin_.push_back(message.in_place ? static_cast<std::byte*>(message.in_place) : next);
    if (!message.in_place) next += whole_lines(message.bytes);
  }
}

} // namespace Keramos::core
