// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FieldRows.hpp"

#include "../HostKernels.hpp"

#include <algorithm>
#include <utility>

namespace Keramos::openmp::stencil {
namespace {

/// The elements from `from` to the next element with the place of `like` in its line.
template <class T>
std::int64_t aligned_as(const T* like, const T* from)
{
  const auto bytes = reinterpret_cast<std::uintptr_t>(like) - reinterpret_cast<std::uintptr_t>(from);
  return bytes % 64 / sizeof(T);
}

} // namespace

template <class T>
const RunRows<T>& FieldRows<T>::in_place(const Run& run)
{
  for (int plane = 0; plane < run.planes; ++plane) rows_.out[plane] = &operands_.out(run.first, run.j, run.k + plane);
  rows_.out_pitch = operands_.out.stride[1];
  rows_.streaming = operands_.streaming.rows && (run.planes == 1 || operands_.streaming.blocks);
  return rows_;
}

template <class T>
const RunRows<T>& FieldRows<T>::in_place(const Run& run, const core::EpilogueOperand<T>* operand)
{
  for (int n = 0; n < kernel_operands; ++n) rows_.operand_pitch[n] = operand[n].field.stride[1];
  for (int plane = 0; plane < run.planes; ++plane) {
    const std::int64_t k = run.k + plane;
    OperandRows<T>& operands = rows_.operands[plane];
    operands.centre = &operands_.in(run.first, run.j, k);
    for (int n = 0; n < kernel_operands; ++n) {
      operands.operand[n] = operand[n].is_field() ? &operand[n].field(run.first, run.j, k) : nullptr;
      operands.number[n] = operand[n].number;
    }
  }
  return in_place(run);
}

template <class T>
void FieldRows<T>::set_functor(const Run& run, const Functor<T>& functor)
{
  for (int plane = 0; plane < run.planes; ++plane) {
    rows_.operands[plane].functor = &functor;
    rows_.operands[plane].plane = plane;
  }
}

template <class T>
const RunRows<T>& FieldRows<T>::in_place(const Run& run, const Functor<T>& functor)
{
  set_functor(run, functor);
  return in_place(run);
}

template <class T>
const RunRows<T>& FieldRows<T>::staged(const Run& run)
{
  constexpr std::int64_t line = 64 / sizeof(T);
  const std::int64_t pitch = operands_.run_points() + line;
  staged_.resize(line + run.planes * pitch);
  for (int plane = 0; plane < run.planes; ++plane) {
    staged_rows_.out[plane] = staged_.data() + plane * pitch + aligned_as(rows_.out[plane], staged_.data());
    staged_rows_.operands[plane] = rows_.operands[plane];
  }
  return staged_rows_;
}

template <class T>
const RunRows<T>& FieldRows<T>::nowhere(const Run& run, const Functor<T>& functor)
{
  set_functor(run, functor);
  return rows_;
}

template <class T>
const RunRows<T>& FieldRows<T>::gathered(const Run& run, const core::EpilogueOperand<T>* operand)
{
  gathered_.resize(std::size_t{kernel_operands + 2} * max_run);
  T* next = gathered_.data();
  const auto copied = [&](const core::Field<const T, 3>& field, std::int64_t k) -> const T* {
    if (!field.data) return nullptr;
    for (std::int64_t i = run.first; i < run.last; ++i) next[i - run.first] = field(i, run.j, k);
    return std::exchange(next, next + operands_.run_points());
  };
  for (int plane = 0; plane < run.planes; ++plane) {
    const std::int64_t k = run.k + plane;
    OperandRows<T>& operands = rows_.operands[plane];
    operands.centre = copied(operands_.in, k);
    for (int n = 0; n < kernel_operands; ++n) {
      operands.operand[n] = copied(operand[n].field, k);
      operands.number[n] = operand[n].number;
    }
    rows_.out[plane] = std::exchange(next, next + operands_.run_points());
  }
  return rows_;
}

template <class T>
void FieldRows<T>::scatter(const Run& run) const
{
  for (int plane = 0; plane < run.planes; ++plane)
    for (std::int64_t i = run.first; i < run.last; ++i)
      operands_.out(i, run.j, run.k + plane) = rows_.out[plane][i - run.first];
}

template <class T>
void write_past_caches(T* out, const T* values, std::int64_t length)
{
  stencil_kernels().stream(out, values, length * sizeof(T));
}

template void write_past_caches(float*, const float*, std::int64_t);
template void write_past_caches(double*, const double*, std::int64_t);
template class FieldRows<float>;
template class FieldRows<double>;

} // namespace Keramos::openmp::stencil
