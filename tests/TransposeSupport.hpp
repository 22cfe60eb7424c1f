// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of elements of any size in any layout for the transpose tests, and the check by index arithmetic: every byte of
// the memory around an output is compared, so that a stray write shows.
#pragma once

#include "Support.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>

namespace test {

/// `Size` bytes without arithmetic, aligned as a type of this size is at least.
template <int Size>
struct alignas(Size > 8 ? 8 : Size) Item {
  unsigned char byte[Size];

  friend bool operator==(const Item&, const Item&) = default;
};

/// An element that tells its index: all bits of the index in 8 bytes, a mix of them in fewer.
template <int Size>
Item<Size> item(std::int64_t index)
{
  std::uint64_t bits = static_cast<std::uint64_t>(index);
  if (Size < 8) bits = bits * 0x9E3779B97F4A7C15u >> (64 - 8 * std::min(Size, 7));
  Item<Size> result;
  for (int k = 0; k < Size; k += 8) { // by words: tests write millions of these
    const std::uint64_t word = bits ^ static_cast<std::uint64_t>(k / 8) * 0x0101010101010101u;
    std::memcpy(result.byte + k, &word, std::min(Size - k, 8));
  }
  return result;
}

using Numbers = std::vector<std::int64_t>;

/// Where the elements of an array lie: extents and strides in View index order, and room before and behind.
struct Shape {
  Numbers extent, stride;
  std::int64_t offset = 0, span = 0;

  /// `order` names the axes fastest first. The fastest has `spacing` between neighbours; each pitch has `pad` elements
  /// more.
  Shape(Numbers the_extent, const Numbers& order, std::int64_t spacing = 1, std::int64_t pad = 0,
        std::int64_t start = 0)
      : extent(std::move(the_extent)), stride(extent.size(), 1), offset(start)
  {
    std::int64_t pitch = spacing;
    for (const auto axis : order) {
      stride[axis] = pitch;
      pitch = pitch * std::max<std::int64_t>(1, extent[axis]) + pad;
    }
    span = offset + pitch + 3;
  }

  std::int64_t size() const
  {
    return std::accumulate(extent.begin(), extent.end(), std::int64_t{1}, std::multiplies<>());
  }
};

inline Numbers right(int rank)
{
  Numbers order(rank);
  for (int k = 0; k < rank; ++k) order[k] = rank - 1 - k;
  return order;
}
inline Numbers left(int rank)
{
  Numbers order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// f(linear index, offset in a, offset in b) for every index of two arrays of one shape, the last index fastest;
/// strides_b are those of b for the axes of a.
template <class F>
void for_each(const Shape& a, const Numbers& strides_b, std::int64_t offset_b, const F& f)
{
  const int rank = static_cast<int>(a.extent.size());
  Numbers index(rank);
  const std::int64_t size = a.size();
  std::int64_t at = a.offset, bt = offset_b;
  for (std::int64_t linear = 0; linear < size; ++linear) {
    f(linear, at, bt);
    for (int k = rank - 1; k >= 0; --k) {
      at += a.stride[k];
      bt += strides_b[k];
      if (++index[k] < a.extent[k]) break;
      at -= a.extent[k] * a.stride[k];
      bt -= a.extent[k] * strides_b[k];
      index[k] = 0;
    }
  }
}

/// The layouts that lists of cells name.
inline Shape shape(const Numbers& extent, const std::string& layout)
{
  const int rank = static_cast<int>(extent.size());
  if (layout == "left") return Shape(extent, left(rank));
  if (layout == "padded") return Shape(extent, right(rank), 1, 1 - extent.back() % 2);
  if (layout == "inside") return Shape(extent, right(rank), 1, 6, 11);
  if (layout == "spread") return Shape(extent, right(rank), 2);
  EXPECT_EQ(layout, "right");
  return Shape(extent, right(rank));
}

/// Memory of a Shape.
template <class T>
class Cells {
public:
  explicit Cells(const Shape& the_shape, int fill = 0xA5)
      : shape(the_shape), items_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "items"), the_shape.span)
  {
    std::memset(static_cast<void*>(data()), fill, bytes());
  }

  T* data() const { return items_.data(); }
  std::size_t bytes() const { return static_cast<std::size_t>(shape.span) * sizeof(T); }

  template <int Rank>
  StridedView<T, Rank> view() const
  {
    Kokkos::LayoutStride layout;
    for (int k = 0; k < Rank; ++k) {
      layout.dimension[k] = shape.extent[k];
      layout.stride[k] = shape.stride[k];
    }
    return StridedView<T, Rank>(data() + shape.offset, layout);
  }

  const Shape shape;

private:
  Kokkos::View<T*, Shared> items_;
};

/// The input, each element telling its linear index.
template <int Size>
void number(const Cells<Item<Size>>& memory)
{
  for_each(memory.shape, memory.shape.stride, memory.shape.offset,
           [&](std::int64_t linear, std::int64_t at, std::int64_t) { memory.data()[at] = item<Size>(linear); });
}

inline Numbers picked(const Numbers& from, const Numbers& axes)
{
  Numbers result;
  for (const auto axis : axes) result.push_back(from[axis]);
  return result;
}

template <std::size_t Rank>
Keramos::Axes<Rank> axes_of(const Numbers& axes)
{
  std::array<std::int64_t, Rank> array{};
  std::copy(axes.begin(), axes.end(), array.begin());
  return Keramos::Axes<Rank>(array);
}

/// call(in, out) permutes axes; checked element by element and around.
template <int Size, int Rank, class Call>
Keramos::Kernel check_move(const Shape& in_shape, const Numbers& axes, const Shape& out_shape, const Call& call)
{
  using T = Item<Size>;
  const Cells<T> in(in_shape);
  number(in);
  const Cells<T> out(out_shape), expected(out_shape);
  for_each(out_shape, picked(in_shape.stride, axes), in_shape.offset,
           [&](std::int64_t, std::int64_t at, std::int64_t from) { expected.data()[at] = in.data()[from]; });
  const Keramos::Kernel kernel = call(in.template view<Rank>(), out.template view<Rank>());
  EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.bytes()), 0)
      << kernel << ", size " << Size << ", extents " << Keramos::core::tuple_text(in_shape.extent) << ", strides "
      << Keramos::core::tuple_text(in_shape.stride) << ", axes " << Keramos::core::tuple_text(axes)
      << ", strides of out " << Keramos::core::tuple_text(out_shape.stride);
  return kernel;
}

/// permute, checked. Returns the kernel that ran; the layout of out is `out_order` of its axes.
template <int Size, int Rank>
std::string check_permute(const Shape& in_shape, const Numbers& axes, const Numbers& out_order,
                          std::int64_t out_spacing = 1, std::int64_t out_pad = 0, std::int64_t out_start = 0,
                          Keramos::Backend backend = first_backend)
{
  const Shape out_shape(picked(in_shape.extent, axes), out_order, out_spacing, out_pad, out_start);
  const auto kernel = check_move<Size, Rank>(in_shape, axes, out_shape, [&](const auto& in, const auto& out) {
    return run(backend, [&](const auto& exec) { return Keramos::permute(exec, axes_of<Rank>(axes), in, out); });
  });
  EXPECT_EQ(kernel.backend, backend);
  return kernel.variant;
}

#ifdef KOKKOS_ENABLE_CUDA
/// permute as on a GPU with one multiprocessor, where small arrays already have tiles enough for the large shapes.
template <int Rank, class InView, class OutView, class F = Keramos::core::Move>
Keramos::Kernel permute_on_small_gpu(const Numbers& axes, const InView& in, const OutView& out, const F& f = F())
{
  namespace core = Keramos::core;
  using From = core::MovedType<F, InView>;
  using To = core::MovedType<F, OutView>;
  core::TransposeCall<From, To> call{"permute", Rank, core::field_as<const From>(in), core::field_as<To>(out)};
  std::copy(axes.begin(), axes.end(), call.axes.begin());
  const core::TransposeProblem<From, To> problem(call);
  Keramos::cuda::Device device = Keramos::cuda::device_of(own_instance());
  device.multiprocessors = 1;
  const auto plan = Keramos::cuda::transpose::choose(device, problem, f);
  Keramos::cuda::transpose::launch(*plan, own_instance());
  own_instance().fence("the test reads what was written");
  return plan->kernel;
}
#endif

/// call(stack) exchanges the last two axes in place; checked element by element and around.
template <int Size, int Rank, class Call>
Keramos::Kernel check_in_place(const Shape& shape, const Call& call)
{
  const Cells<Item<Size>> stack(shape), expected(shape);
  number(stack);
  number(expected);
  Numbers swapped = shape.stride;
  std::swap(swapped[Rank - 1], swapped[Rank - 2]);
  for_each(shape, swapped, shape.offset,
           [&](std::int64_t linear, std::int64_t, std::int64_t to) { expected.data()[to] = item<Size>(linear); });
  const Keramos::Kernel kernel = call(stack.template view<Rank>());
  EXPECT_EQ(std::memcmp(stack.data(), expected.data(), stack.bytes()), 0)
      << kernel << ", size " << Size << ", extents " << Keramos::core::tuple_text(shape.extent) << ", strides "
      << Keramos::core::tuple_text(shape.stride);
  return kernel;
}

/// Calls f with std::integral_constant<int, size> for each element size.
template <class F>
void for_each_size(const F& f)
{
  f(std::integral_constant<int, 1>());
  f(std::integral_constant<int, 2>());
  f(std::integral_constant<int, 4>());
  f(std::integral_constant<int, 8>());
  f(std::integral_constant<int, 16>());
}

} // namespace test
