// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an exchange does to memory: boxes of elements moved between a field and a message, or within a field, or filled with
// a number; all that belong to one step by one kernel.
#pragma once

#include "../core/Execution.hpp"
#include "../core/Field.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Keramos::core {

/// Neighbours that one thread of a GPU copies together.
template <class T>
struct alignas(16) Chunk {
  static constexpr std::int64_t size = 16 % sizeof(T) == 0 ? 16 / sizeof(T) : 1;
  T values[size];
};

/// to[i . to_stride] = from[i . from_stride] for every index i of a box, or `value` where there is no `from`. Axis 0 is the
/// one along which neighbours lie in `to`. A stride of `from` is negative where a rule mirrors and 0 where it repeats.
template <class T>
struct BoxCopy {
  const T* from = nullptr;
  T* to = nullptr;
  T value{};
  Index3 extent{}, from_stride{}, to_stride{};
  bool in_chunks = false; ///< a GPU copies whole chunks
  bool is_short = false;  ///< the number of elements is one of 32 bits
  std::int64_t first = 0; ///< of its rows, lines along axis 0, or of its parts among those of all boxes

  std::int64_t rows() const { return extent[1] * extent[2]; }
  std::int64_t elements() const { return extent[0] * rows(); }
  /// What a thread of a GPU copies, a chunk or an element: how many of them.
  std::int64_t parts() const { return in_chunks ? elements() / Chunk<T>::size : elements(); }

  /// Rows are whole chunks on both sides.
  bool has_chunks() const
  {
    const auto is_whole = [](std::int64_t count) { return count % Chunk<T>::size == 0; };
    const auto begins_one = [](const T* at) { return reinterpret_cast<std::uintptr_t>(at) % sizeof(Chunk<T>) == 0; };
    if (Chunk<T>::size == 1 || !from || from_stride[0] != 1 || to_stride[0] != 1) return false;
    bool result = is_whole(extent[0]) && begins_one(from) && begins_one(to);
    for (int axis = 1; axis < 3; ++axis)
      if (extent[axis] > 1) result = result && is_whole(from_stride[axis]) && is_whole(to_stride[axis]);
    return result;
  }

  KOKKOS_FUNCTION void copy_row(std::int64_t row) const
  {
    const std::int64_t j = row % extent[1], k = row / extent[1];
    T* target = to + j * to_stride[1] + k * to_stride[2];
    if (!from) {
      for (std::int64_t i = 0; i < extent[0]; ++i) target[i * to_stride[0]] = value;
      return;
    }
    const T* source = from + j * from_stride[1] + k * from_stride[2];
    if (from_stride[0] == 1 && to_stride[0] == 1)
      for (std::int64_t i = 0; i < extent[0]; ++i) target[i] = source[i];
    else
      for (std::int64_t i = 0; i < extent[0]; ++i) target[i * to_stride[0]] = source[i * from_stride[0]];
  }
  KOKKOS_FUNCTION void copy_part(std::int64_t part) const
  {
    const std::int64_t width = in_chunks ? Chunk<T>::size : 1;
    const Index3 at = is_short ? index_of<std::uint32_t>(part, width) : index_of<std::int64_t>(part, width);
    T* target = to + at[0] * to_stride[0] + at[1] * to_stride[1] + at[2] * to_stride[2];
    if (!from) {
      *target = value;
      return;
    }
    const T* source = from + at[0] * from_stride[0] + at[1] * from_stride[1] + at[2] * from_stride[2];
    if (in_chunks)
      *reinterpret_cast<Chunk<T>*>(target) = *reinterpret_cast<const Chunk<T>*>(source);
    else
      *target = *source;
  }

private:
  /// A GPU divides short numbers only.
  template <class Integer>
  KOKKOS_FUNCTION Index3 index_of(std::int64_t part, std::int64_t width) const
  {
    const auto p = static_cast<Integer>(part), columns = static_cast<Integer>(extent[0] / width);
    const auto row = static_cast<Integer>(p / columns), rows_of_plane = static_cast<Integer>(extent[1]);
    return {static_cast<std::int64_t>(p % columns) * width, static_cast<std::int64_t>(row % rows_of_plane),
            static_cast<std::int64_t>(row / rows_of_plane)};
  }
};

/// One row or part of all the boxes of a table: the kernel.
template <bool by_row, class Table>
struct CopyUnit {
  Table table;

  KOKKOS_FUNCTION void operator()(std::int64_t unit) const
  {
    std::size_t low = 0, high = table.extent(0); // the last box that begins at or before it
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (table(middle).first <= unit ? low : high) = middle;
    }
    const auto& box = table(low);
    if constexpr (by_row)
      box.copy_row(unit - box.first);
    else
      box.copy_part(unit - box.first);
  }
};

/// Boxes that one kernel copies: a row a thread of a host; of a GPU 16 bytes a thread where a box allows it, else an element.
/// No element is written twice, and none is read that is written.
template <class T, class Exec>
class BoxCopies {
public:
  BoxCopies() = default;
  BoxCopies(std::string label, std::vector<BoxCopy<T>> boxes) : label_(std::move(label))
  {
    std::erase_if(boxes, [](const BoxCopy<T>& box) { return box.elements() == 0; });
    for (BoxCopy<T>& box : boxes) {
      box.first = count_;
      box.is_short = box.elements() >> 32 == 0;
      box.in_chunks = box.has_chunks();
      count_ += by_row ? box.rows() : box.parts();
    }
    table_ = Table(Kokkos::view_alloc(Kokkos::WithoutInitializing, label_), boxes.size());
    const Kokkos::View<const BoxCopy<T>*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(boxes.data(), boxes.size());
    Kokkos::deep_copy(table_, host);
  }

  bool empty() const { return count_ == 0; }

  /// Asynchronous and ordered on `exec`. `call` is the label of the call, empty where nobody reads it.
  void copy(const Exec& exec, const std::string& call) const
  {
    if (empty()) return;
    const std::string behind = call.empty() ? std::string() : labelled(call, label_);
    Kokkos::parallel_for(call.empty() ? label_ : behind,
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count_),
                         CopyUnit<by_row, Table>{table_});
  }

private:
  static constexpr bool by_row = is_host<Exec>;
  using Table = Kokkos::View<BoxCopy<T>*, typename Exec::memory_space>;

  std::string label_;
  Table table_;
  std::int64_t count_ = 0;
};

} // namespace Keramos::core
