// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of every shape: odd and narrow ones, stacks of small ones, and such as begin off a line of memory, turned; and one copied.
#include "PermuteCases.hpp"
#include "StridedCopies.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace perf {
namespace {

/// Beside plain Kokkos where its indices of 32 bits reach.
template <class T>
void add_transposes(const char* type, std::initializer_list<Extents<2>> matrices)
{
  for (const auto& matrix : matrices)
    add_permute<T, 2>(type, matrix, {1, 0}, matrix[0] * matrix[1] < INT32_MAX ? Beside::plain : Beside::nobody);
}

/// `elements` in points of some components, to planes and back. Few of these numbers of points are multiples of 16 bytes.
template <class T>
void add_narrow(const char* type, std::int64_t elements, std::initializer_list<std::int64_t> components)
{
  for (const std::int64_t k : components) add_transposes<T>(type, {{elements / k, k}, {k, elements / k}});
}

template <class T>
void add_stack(const char* type, const Extents<3>& extents)
{
  add_permute<T, 3>(type, extents, {0, 2, 1}, Beside::plain);
}

/// A matrix that begins `from` elements behind a line of memory, turned to where it begins `to` behind one.
template <class T>
void add_shifted(const char* type, const Extents<2>& extents, std::int64_t from, std::int64_t to)
{
  add_near(extents, [&](const Extents<2>& near) {
    add_copy<T, 2>(std::string("transpose ") + type + " " + shape<2>(near) + " at " + std::to_string(from) + " to " +
                       std::to_string(to),
                   near, {{near[0] + 1, near[1]}, {0, 1}, from}, {{near[1] + 1, near[0]}, {1, 0}, to}, Beside::plain);
  });
}

void add_contiguous(const Extents<2>& extents)
{
  add_near(extents, [&](const Extents<2>& near) {
    add_copy<float, 2>("copy f32 " + shape<2>(near), near, {near, {0, 1}}, {near, {0, 1}}, Beside::plain_and_deep_copy);
  });
}

} // namespace

void add_matrix_cases()
{
  const std::int64_t part = sized(16, 1), elements = 200'000'000 / part;
  const Extents<2> odd{10001 / part, 15013 / part}, square{8191 / part, 8193 / part}, wide{4097 / part, 65535 / part};
  add_transposes<float>("f32", {odd, square, wide});
  add_transposes<double>("f64", {odd, square, wide});
  add_transposes<Kokkos::complex<double>>("c128", {odd, square, wide});
  const std::int64_t side = 16384 / part;
  add_transposes<double>("f64", {{side, side}});
  add_transposes<Kokkos::complex<double>>("c128", {{side, side}});
  add_transposes<std::int16_t>("i16", {{side, side}, {20001 / part, 25013 / part}, {46349 / part, 46351 / part}});
  add_transposes<std::int8_t>("i8", {{side, side}, {30001 / part, 35013 / part}});
  add_shifted<float>("f32", {side, side}, 1, 3);
  add_shifted<float>("f32", odd, 1, 3);
  add_shifted<double>("f64", odd, 1, 0);
  add_contiguous(odd);
  add_narrow<float>("f32", elements, {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 48, 64, 100});
  add_narrow<double>("f64", elements / 2, {3, 7, 16, 31});
  add_stack<float>("f32", {1'000'000 / part, 8, 8});
  add_stack<float>("f32", {1'000'000 / part, 16, 16});
  add_stack<float>("f32", {300'000 / part, 32, 32});
  add_stack<float>("f32", {30'000 / part, 100, 100});
  add_stack<double>("f64", {2'000'000 / part, 5, 7});
}

} // namespace perf
