// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where what an operator has for each of its taps is kept. A call has a dozen such arrays: as members and on the stack they allocate
// nothing, and a kernel carries them; but those of a box of radius 20, 68,921 taps, were more than a stack of 8 MiB holds.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace Keramos::core {

/// Taps whose arrays are members at most: in double a call with 4913 of them takes 0.6 to 0.8 MB of stack (g++ 12, -O2). As many as CUDA's
/// kernels take as parameters (Tile.hpp).
inline constexpr int max_taps_in_place = 5120;

/// Memory for `Capacity` elements, not initialised: a value, as an array that is a member.
template <class T, int Capacity>
class HeapArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

public:
  HeapArray() : elements_(new T[Capacity]) {}
  HeapArray(const HeapArray& other) : HeapArray() { std::copy_n(other.elements_.get(), Capacity, elements_.get()); }
  HeapArray(HeapArray&&) noexcept = default;
  HeapArray& operator=(HeapArray other) noexcept
  {
    elements_ = std::move(other.elements_);
    return *this;
  }

  operator T*() { return elements_.get(); }
  operator const T*() const { return elements_.get(); }

private:
  std::unique_ptr<T[]> elements_;
};

template <int Capacity>
inline constexpr bool taps_in_place = Capacity <= max_taps_in_place;

template <class T, int Capacity>
using TapArray = std::conditional_t<taps_in_place<Capacity>, T[Capacity], HeapArray<T, Capacity>>;

} // namespace Keramos::core
