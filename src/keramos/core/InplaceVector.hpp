// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector with room for a fixed number of elements in itself: the checks of a call must not allocate.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace Keramos::core {

/// The part of std::vector that the checks need. Capacity is a bound that the caller knows to hold.
template <class T, std::size_t Capacity>
class InplaceVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

public:
  InplaceVector() = default;
  InplaceVector(std::initializer_list<T> elements)
  {
    for (const T& element : elements) push_back(element);
  }
  InplaceVector(const InplaceVector& other) : size_(other.size_) { std::copy(other.begin(), other.end(), begin()); }
  InplaceVector& operator=(const InplaceVector& other)
  {
    size_ = other.size_;
    std::copy(other.begin(), other.end(), begin());
    return *this;
  }

  void push_back(const T& element)
  {
    assert(size_ < Capacity);
    elements_[size_++] = element;
  }
  void erase(T* element)
  {
    std::copy(element + 1, end(), element);
    --size_;
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t k) { return elements_[k]; }
  const T& operator[](std::size_t k) const { return elements_[k]; }
  T* begin() { return elements_; }
  T* end() { return elements_ + size_; }
  const T* begin() const { return elements_; }
  const T* end() const { return elements_ + size_; }

private:
  std::size_t size_ = 0;
  T elements_[Capacity]; // not initialised behind size_
};

} // namespace Keramos::core
