// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array in a GPU's own memory, for compute-sanitizer: the allocation ends with the View's last element, so that a
// step beyond is seen, and nothing is ever initialised but the View's elements and what shares a sector of 32 bytes with one of them
// (rows on odd addresses are read in whole chunks), so that other reads between them are seen.
#pragma once

#include "Support.hpp"

namespace test {

template <class T>
using OnDevice = Kokkos::View<T*, Exec::memory_space>;

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
    offsets_ = OnDevice<std::int64_t>("offsets", count);
    const OnDevice<T> values("values", count);
    const auto offsets_here = Kokkos::create_mirror_view(offsets_);
    const auto values_here = Kokkos::create_mirror_view(values);
    std::size_t next = 0;
    array.for_each([&](const auto& i) {
      offsets_here(next) = shift + (&array.at(i) - array.view.data());
      values_here(next++) = array.at(i);
    });
    Kokkos::deep_copy(offsets_, offsets_here);
    Kokkos::deep_copy(values, values_here);
    scatter(offsets_, memory_, bytes, values);
  }
  ~DeviceArray() { cudaFree(memory_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  const View& view() const { return view_; }

  /// The elements of the GPU's array into `array`.
  void download(const Array<T, Rank>& array) const
  {
    const OnDevice<T> values("values", offsets_.size());
    gather(offsets_, memory_, values);
    const auto values_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
    std::size_t next = 0;
    array.for_each([&](const auto& i) { array.at(i) = values_here(next++); });
  }

  // Kernels of their own: an extended lambda has no place in a private function.
  static void scatter(const OnDevice<std::int64_t>& offsets, T* memory, std::int64_t bytes, const OnDevice<T>& values)
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
  static void gather(const OnDevice<std::int64_t>& offsets, const T* memory, const OnDevice<T>& values)
  {
    Kokkos::parallel_for(
        "gather", Kokkos::RangePolicy(own_instance(), 0, values.size()),
        KOKKOS_LAMBDA(std::size_t n) { values(n) = memory[offsets(n)]; });
    own_instance().fence("the values are in place");
  }

private:
  T* memory_ = nullptr;
  View view_;
  OnDevice<std::int64_t> offsets_; ///< of the elements, in the order of for_each()
};

} // namespace test
