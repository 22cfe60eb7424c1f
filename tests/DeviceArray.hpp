// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array in a GPU's own memory, for compute-sanitizer: the allocation ends with the View's last element, so that a
// step beyond is seen, and nothing is ever initialised but the View's elements and what shares a sector of 32 bytes with one of them
// (rows on odd addresses are read in whole chunks), so that other reads between them are seen.
#pragma once

#include "Support.hpp"

namespace test {

template <class T, int Rank>
class DeviceArray {
public:
  using View = Kokkos::View<typename Pointers<T, Rank>::type, Kokkos::LayoutStride, Exec,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// The elements of `array` with the strides of its View, from `shift` elements behind an aligned address on.
  explicit DeviceArray(const Array<T, Rank>& array, std::int64_t shift = 0)
  {
    Kokkos::LayoutStride layout;
    std::int64_t count = 1, last = shift;
    for (int axis = 0; axis < Rank; ++axis) {
      layout.dimension[axis] = array.extents[axis];
      layout.stride[axis] = array.view.stride(axis);
      count *= array.extents[axis];
      last += (array.extents[axis] - 1) * static_cast<std::int64_t>(array.view.stride(axis));
    }
    const std::int64_t bytes = (count == 0 ? 1 : last + 1) * sizeof(T);
    if (cudaMalloc(&memory_, bytes) != cudaSuccess) throw std::runtime_error("no memory on the GPU");
    view_ = View(memory_ + shift, layout);
    offsets_ = Kokkos::View<std::int64_t*, Shared>("offsets", count);
    const Kokkos::View<T*, Shared> values("values", count);
    std::size_t next = 0;
    array.for_each([&](const auto& i) {
      offsets_(next) = shift + (&array.at(i) - array.view.data());
      values(next++) = array.at(i);
    });
    scatter(offsets_, memory_, bytes, values);
  }
  ~DeviceArray() { cudaFree(memory_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  const View& view() const { return view_; }

  /// The elements of the GPU's array into `array`.
  void download(const Array<T, Rank>& array) const
  {
    const Kokkos::View<T*, Shared> values("values", offsets_.size());
    gather(offsets_, memory_, values);
    std::size_t next = 0;
    array.for_each([&](const auto& i) { array.at(i) = values(next++); });
  }

  // Kernels of their own: an extended lambda has no place in a private function.
  static void scatter(const Kokkos::View<std::int64_t*, Shared>& offsets, T* memory, std::int64_t bytes,
                      const Kokkos::View<T*, Shared>& values)
  {
    Kokkos::parallel_for(
        "sectors of 32 bytes", Kokkos::RangePolicy(own_instance(), 0, values.size()), KOKKOS_LAMBDA(std::size_t n) {
          const std::int64_t size = sizeof(T), first = offsets(n) * size / 32 * 32;
          for (std::int64_t b = first; b < first + 32 && b < bytes; ++b)
            reinterpret_cast<unsigned char*>(memory)[b] = 0xA5;
        });
    Kokkos::parallel_for(
        "scatter", Kokkos::RangePolicy(own_instance(), 0, values.size()),
        KOKKOS_LAMBDA(std::size_t n) { memory[offsets(n)] = values(n); });
    own_instance().fence("the values are in place");
  }
  static void gather(const Kokkos::View<std::int64_t*, Shared>& offsets, const T* memory,
                     const Kokkos::View<T*, Shared>& values)
  {
    Kokkos::parallel_for(
        "gather", Kokkos::RangePolicy(own_instance(), 0, values.size()),
        KOKKOS_LAMBDA(std::size_t n) { values(n) = memory[offsets(n)]; });
    own_instance().fence("the values are in place");
  }

private:
  T* memory_ = nullptr;
  View view_;
  Kokkos::View<std::int64_t*, Shared> offsets_; ///< of the elements, in the order of for_each()
};

} // namespace test
