// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Square matrices in place. Each call turns the matrix once more, so that only the first, over fresh data, is compared.
#include "Buffers.hpp"
#include "PermuteCases.hpp"

#include <Keramos_Transpose.hpp>

namespace perf {

/// Element n is random_number(seed, n) as fill_device_random makes it.
template <class T>
__global__ void count_unturned_kernel(const T* data, std::int64_t order, std::uint64_t seed, int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= order * order) return;
  const std::int64_t from = n % order * order + n / order;
  if (data[n] != random_number<T>(seed << 40 ^ static_cast<std::uint64_t>(from))) atomicAdd(wrong, 1);
}

namespace {

template <class T>
void add_in_place_at(const char* type, int order)
{
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Gpu>;
  constexpr std::uint64_t seed = 1;
  const std::int64_t elements = std::int64_t{order} * order;
  const double bytes = 2.0 * sizeof(T) * elements;
  const Lazy<Matrix> matrix([=] { return device_array<Matrix>("matrix", order, order); });
  const std::string size = std::to_string(order);
  Case the_case{std::string("transpose in place ") + type + " " + size + "x" + size,
                bytes,
                bytes,
                Yardstick::copy,
                {},
                {},
                calls_for(bytes)};
  the_case.poison = [=] { fill_device_random(matrix->data(), elements, seed); };
  the_case.mistake = [=](double) {
    const Mistakes wrong;
    count_unturned_kernel<<<fill_blocks(elements), fill_threads, 0, stream()>>>(matrix->data(), std::int64_t{order},
                                                                                seed, wrong.counter());
    require_launched("comparison");
    finish();
    return wrong.text();
  };
  add("cuda_transpose", the_case, {{"Keramos", [=] { return name_of(Keramos::transpose_in_place(Gpu(), *matrix)); }}});
}

template <class T>
void add_in_place(const char* type, int order)
{
  add_near(std::array<std::int64_t, 1>{order},
           [=](const auto& near) { add_in_place_at<T>(type, static_cast<int>(near[0])); });
}

} // namespace

void add_in_place_cases()
{
  const int part = sized(8, 1);
  add_in_place<float>("f32", 16384 / part);
  add_in_place<float>("f32", 15013 / part);
  add_in_place<float>("f32", 8191 / part);
  add_in_place<double>("f64", 10000 / part);
  add_in_place<double>("f64", 10001 / part);
}

} // namespace perf
