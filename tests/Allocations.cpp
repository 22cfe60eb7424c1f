// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what operator new is asked for. Of its own, because nvcc takes these operators for device code.
#include <atomic>
#include <cstdlib>
#include <new>

std::atomic<long> allocations{0};

// Not inlined, or g++ 12 sees a free() of what operator new has returned, and warns.
[[gnu::noinline]] void* operator new(std::size_t bytes)
{
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
  ++allocations;
  return std::malloc(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
