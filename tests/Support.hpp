// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views for tests: every layout an application may bring, on top of one flat buffer whose other elements must not
// change.
#pragma once

#include "Run.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace test {

/// float, 2 -> float**
template <class T, int Rank>
struct Pointers {
  using type = typename Pointers<T*, Rank - 1>::type;
};
template <class T>
struct Pointers<T, 0> {
  using type = T;
};

template <class T, int Rank>
using StridedView = Kokkos::View<typename Pointers<T, Rank>::type, Kokkos::LayoutStride, Shared>;

/// The layouts of the tests: contiguous both ways, odd pitches, a sub-view somewhere inside, and no axis contiguous.
enum class Memory { right, left, right_padded, left_padded, inside, spread };
inline constexpr std::array memories{Memory::right,       Memory::left,   Memory::right_padded,
                                     Memory::left_padded, Memory::inside, Memory::spread};

/// A View of the requested extents inside a larger buffer.
template <class T, int Rank>
struct Array {
  Kokkos::View<T*, Shared> buffer;
  StridedView<T, Rank> view;
  std::array<std::int64_t, Rank> extents;

  Array(const std::array<std::int64_t, Rank>& the_extents, Memory memory, T fill = T(-777)) : extents(the_extents)
  {
    const bool left = memory == Memory::left || memory == Memory::left_padded;
    const std::int64_t pad = memory == Memory::right || memory == Memory::left ? 0 : 3;
    const std::int64_t margin = memory == Memory::inside ? 2 : 0; // points around the View on every axis
    std::int64_t stride = memory == Memory::spread ? 2 : 1, start = 5;
    Kokkos::LayoutStride layout;
    for (int step = 0; step < Rank; ++step) {
      const int axis = left ? step : Rank - 1 - step;
      layout.dimension[axis] = extents[axis];
      layout.stride[axis] = stride;
      start += margin * stride;
      stride *= extents[axis] + 2 * margin + (step == 0 ? pad : 0);
    }
    buffer = Kokkos::View<T*, Shared>(Kokkos::view_alloc("buffer", Kokkos::WithoutInitializing), start + stride + 7);
    std::fill_n(buffer.data(), buffer.size(), fill); // by the host, whose turn it is: shared memory moves page by page
    view = StridedView<T, Rank>(buffer.data() + start, layout);
  }

  /// f(index) for every index, the last fastest.
  template <class F>
  void for_each(F f) const
  {
    std::array<std::int64_t, Rank> index{};
    for (const std::int64_t extent : extents)
      if (extent == 0) return;
    while (true) {
      f(index);
      int axis = Rank - 1;
      while (axis >= 0 && ++index[axis] == extents[axis]) index[axis--] = 0;
      if (axis < 0) return;
    }
  }

  T& at(const std::array<std::int64_t, Rank>& index) const
  {
    std::int64_t offset = 0;
    for (int axis = 0; axis < Rank; ++axis) offset += index[axis] * static_cast<std::int64_t>(view.stride(axis));
    return view.data()[offset];
  }

  /// Uniform numbers in [-1, 1), the same for the same seed whatever the layout.
  void randomise(unsigned seed) const
  {
    std::mt19937 engine(seed);
    for_each([&](const auto& index) { at(index) = static_cast<T>(engine() / 2147483648.0 - 1); });
  }

  /// Elements of the buffer outside of the View that are not `fill` any more.
  std::int64_t touched_outside(T fill = T(-777)) const
  {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < buffer.extent(0); ++i) count += buffer(i) != fill;
    for_each([&](const auto& index) { count -= at(index) != fill; });
    return count;
  }
};

/// On how many sides of the axis `in` carries a halo.
inline int ghost_sides(const Keramos::AxisRule& rule)
{
  return (rule.low.kind == Keramos::Edge::ghost) + (rule.high.kind == Keramos::Edge::ghost);
}

/// What the error of a call says, or "no error".
template <class Call>
std::string message(const Call& call)
{
  try {
    call();
  } catch (const Keramos::Error& error) {
    return error.what();
  }
  return "no error";
}

/// Memory for Views of huge span: there only where it is touched, also where a GPU shares it.
template <class T>
class FarMemory {
public:
  explicit FarMemory(std::size_t elements) : bytes_(elements * sizeof(T))
  {
#ifdef KOKKOS_ENABLE_CUDA
    if (cudaMallocManaged(&data_, bytes_) != cudaSuccess) data_ = nullptr;
#else
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) data_ = static_cast<T*>(memory);
#endif
    if (!data_) throw std::runtime_error("no address space for " + std::to_string(bytes_) + " bytes");
  }
  ~FarMemory()
  {
#ifdef KOKKOS_ENABLE_CUDA
    cudaFree(data_);
#else
    munmap(data_, bytes_);
#endif
  }
  FarMemory(const FarMemory&) = delete;
  FarMemory& operator=(const FarMemory&) = delete;

  T* data() const { return data_; }

private:
  std::size_t bytes_;
  T* data_ = nullptr;
};

} // namespace test
