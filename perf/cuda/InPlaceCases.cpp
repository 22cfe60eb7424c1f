// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in place, square ones and others, which get a workspace. Each call turns the matrix once more, so that only the first, over
// fresh data, is compared.
#include "Buffers.hpp"
#include "PermuteCases.hpp"

#include <Keramos_Transpose.hpp>

namespace perf {

/// Element n was random_number(seed, n) as fill_device_random makes it, of `rows` rows.
template <class T>
__global__ void count_unturned_kernel(const T* data, std::int64_t rows, std::int64_t columns, std::uint64_t seed,
                                      int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= rows * columns) return;
  const std::int64_t from = n % rows * columns + n / rows;
  if (data[n] != random_number<T>(seed << 40 ^ static_cast<std::uint64_t>(from))) atomicAdd(wrong, 1);
}

namespace {

template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Gpu>;

/// Of a matrix that is made when the case runs.
template <class T>
Case in_place_case(const char* type, std::int64_t rows, std::int64_t columns, const std::function<T*()>& data)
{
  constexpr std::uint64_t seed = 1;
  const double bytes = 2.0 * sizeof(T) * rows * columns;
  const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
  Case the_case{
      std::string("transpose in place ") + type + " " + size, bytes, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] { fill_device_random(data(), rows * columns, seed); };
  the_case.mistake = [=](double) {
    const Mistakes wrong;
    count_unturned_kernel<<<fill_blocks(rows * columns), fill_threads, 0, stream()>>>(data(), rows, columns, seed,
                                                                                      wrong.counter());
    require_launched("comparison");
    finish();
    return wrong.text();
  };
  return the_case;
}

template <class T>
void add_square_at(const char* type, int order)
{
  const Lazy<Matrix<T>> matrix([=] { return device_array<Matrix<T>>("matrix", order, order); });
  add("cuda_transpose", in_place_case<T>(type, order, order, [=] { return matrix->data(); }),
      {{"Keramos", [=] { return name_of(Keramos::transpose_in_place(Gpu(), *matrix)); }}});
}

template <class T>
void add_square(const char* type, int order)
{
  add_near(std::array<std::int64_t, 1>{order},
           [=](const auto& near) { add_square_at<T>(type, static_cast<int>(near[0])); });
}

template <class T>
struct OblongMatrix {
  Matrix<T> in, out; ///< the same memory
  Kokkos::View<char*, Gpu> scratch;
};

template <class T>
void add_oblong_at(const char* type, std::int64_t rows, std::int64_t columns)
{
  const Lazy<OblongMatrix<T>> matrix([=] {
    const auto in = device_array<Matrix<T>>("matrix", rows, columns);
    const Matrix<T> out(in.data(), columns, rows);
    const std::size_t bytes = Keramos::transpose_in_place_workspace_size(Gpu(), in, out);
    return OblongMatrix<T>{in, out, device_array<Kokkos::View<char*, Gpu>>("scratch", bytes)};
  });
  add("cuda_transpose", in_place_case<T>(type, rows, columns, [=] { return matrix->in.data(); }),
      {{"Keramos", [=] {
          return name_of(
              Keramos::transpose_in_place(Gpu(), matrix->in, matrix->out, Keramos::Workspace{matrix->scratch}));
        }}});
}

template <class T>
void add_oblong(const char* type, std::int64_t rows, std::int64_t columns)
{
  add_near(std::array<std::int64_t, 2>{rows, columns},
           [=](const auto& near) { add_oblong_at<T>(type, near[0], near[1]); });
}

} // namespace

void add_in_place_cases()
{
  const int part = sized(8, 1);
  add_square<float>("f32", 16384 / part);
  add_square<float>("f32", 15013 / part);
  add_square<float>("f32", 8191 / part);
  add_square<double>("f64", 10000 / part);
  add_square<double>("f64", 10001 / part);
  add_oblong<float>("f32", 12288 / part, 16384 / part);
  add_oblong<float>("f32", 15013 / part, 10001 / part);
  add_oblong<float>("f32", 66'666'666 / part, 3);
  add_oblong<float>("f32", 100, 1'000'000 / part);
  add_oblong<double>("f64", 9011 / part, 8005 / part);
  add_oblong<float>("f32", 4001 / part, 4003 / part); // through scratch as a whole, as is the next one
  add_oblong<float>("f32", 2053 / part, 1031 / part);
}

} // namespace perf
