// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an exchange does to memory: boxes of elements moved between a field and a message, or within a field, or filled with
// a number; all that belong to one step by one kernel.
#pragma once

#include "../core/Field.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Keramos::core {

/// to[i . to_stride] = from[i . from_stride] for every index i of a box, or `value` where there is no `from`. Axis 0 is the
/// one along which neighbours lie in `to`. A stride of `from` is negative where a rule mirrors and 0 where it repeats.
template <class T>
struct BoxCopy {
  const T* from = nullptr;
  T* to = nullptr;
  T value{};
  Index3 extent{}, from_stride{}, to_stride{};
  std::int64_t first_row = 0; ///< of all boxes' rows, that is lines along axis 0

  std::int64_t rows() const { return extent[1] * extent[2]; }

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
};

/// Boxes that one kernel copies. No element is written twice, and none is read that is written.
template <class T, class MemorySpace>
class BoxCopies {
public:
  BoxCopies() = default;
  BoxCopies(std::string label, std::vector<BoxCopy<T>> boxes) : label_(std::move(label))
  {
    std::erase_if(boxes, [](const BoxCopy<T>& box) { return box.rows() == 0 || box.extent[0] == 0; });
    for (BoxCopy<T>& box : boxes) {
      box.first_row = rows_;
      rows_ += box.rows();
    }
    table_ = Table(Kokkos::view_alloc(Kokkos::WithoutInitializing, label_), boxes.size());
    const Kokkos::View<const BoxCopy<T>*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(boxes.data(), boxes.size());
    Kokkos::deep_copy(table_, host);
  }

  bool empty() const { return rows_ == 0; }

  /// Asynchronous and ordered on `exec`.
  template <class Exec>
  void copy(const Exec& exec) const
  {
    if (empty()) return;
    Kokkos::parallel_for(label_, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, rows_),
                         Row{table_});
  }

private:
  using Table = Kokkos::View<BoxCopy<T>*, MemorySpace>;

  struct Row {
    Table table;

    KOKKOS_FUNCTION void operator()(std::int64_t row) const
    {
      std::size_t low = 0, high = table.extent(0); // the last box that begins at or before the row
      while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (table(middle).first_row <= row ? low : high) = middle;
      }
      table(low).copy_row(row - table(low).first_row);
    }
  };

  std::string label_;
  Table table_;
  std::int64_t rows_ = 0;
};

} // namespace Keramos::core
