// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of float matrices on a GPU: Keramos beside the classics, plain Kokkos and cuBLAS. The table of cases is at the
// end.
#include "Buffers.hpp"
#include "CublasGeam.hpp"
#include "PermuteCases.hpp"
#include "Transposes.hpp"

#include <Keramos_Transpose.hpp>

namespace perf {

using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, Gpu>;

struct InAndOut {
  Matrix in, out;
};

/// One element of the matrix at a time, as one writes it in Kokkos.
struct PlainTranspose {
  Matrix in, out;
  KOKKOS_FUNCTION void operator()(int i, int j) const { out(j, i) = in(i, j); }
};

__global__ void count_wrong_kernel(const classic::Matrices m, bool transposed, int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= m.rows * m.columns) return;
  const std::int64_t row = n / m.columns, column = n % m.columns;
  if (m.out[transposed ? column * m.rows + row : n] != m.in[n]) atomicAdd(wrong, 1);
}

/// By four, and what is left by one thread.
__global__ void copy_quads_kernel(const float* from, float* to, std::int64_t count)
{
  const std::int64_t n = 4 * (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (n + 4 <= count)
    *reinterpret_cast<float4*>(to + n) = *reinterpret_cast<const float4*>(from + n);
  else
    for (std::int64_t rest = n; rest < count; ++rest) to[rest] = from[rest];
}

namespace {

classic::Matrices raw(const InAndOut& arrays)
{
  return {arrays.in.data(), arrays.out.data(), arrays.in.extent_int(0), arrays.in.extent_int(1)};
}

std::string compare(const InAndOut& arrays, bool transposed)
{
  const Mistakes wrong;
  const auto count = static_cast<std::int64_t>(arrays.in.size());
  count_wrong_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(raw(arrays), transposed, wrong.counter());
  require_launched("comparison");
  finish();
  return wrong.text();
}

using Arrays = Lazy<Ring<InAndOut>>;

/// `hot`: each call moves the same data, which small matrices find in the L2 cache; else as many sets as it cannot keep.
Arrays matrices(int rows, int columns, bool hot = false)
{
  return Arrays([=] {
    const std::int64_t elements = std::int64_t{rows} * columns, bytes = 2 * elements * sizeof(float);
    return Ring<InAndOut>(hot ? 8 * l2_bytes() : bytes, [=](std::uint64_t seed) {
      const InAndOut arrays{device_array<Matrix>("in", rows, columns), device_array<Matrix>("out", columns, rows)};
      fill_device_random(arrays.in.data(), elements, seed + 1);
      return arrays;
    });
  });
}

using Tile = std::array<int, 2>;

/// A tile of zeros is Kokkos' own choice.
std::string plain_transpose(const InAndOut& arrays, Tile tile)
{
  using Policy = Kokkos::MDRangePolicy<Gpu, Kokkos::Rank<2>, Kokkos::IndexType<int>>;
  const Kokkos::Array<std::int64_t, 2> begin{0, 0}, end{arrays.in.extent_int(0), arrays.in.extent_int(1)};
  Kokkos::parallel_for("perf::plain transpose",
                       tile[0] == 0 ? Policy(begin, end) : Policy(begin, end, {tile[0], tile[1]}),
                       PlainTranspose{arrays.in, arrays.out});
  return "";
}

std::string deep_copy_transpose(const InAndOut& arrays)
{
  using Left = Kokkos::View<float**, Kokkos::LayoutLeft, Gpu>;
  Kokkos::deep_copy(Gpu(), Left(arrays.out.data(), arrays.in.extent(0), arrays.in.extent(1)), arrays.in);
  return "";
}

std::vector<Contender> classics(const Arrays& arrays)
{
  std::vector<Contender> result;
  for (const auto& transpose : classic::transposes) {
    Contender one{transpose.name, [=]() -> std::string { return classic::launch(transpose, raw(arrays->next())), ""; }};
    if (!transpose.transposes) {
      one.mistake = [=] { return compare(arrays->last(), false); };
      one.rival = false;
    }
    result.push_back(one);
  }
  return result;
}

Case transpose_case(const Arrays& arrays, int rows, int columns, const std::string& how = "")
{
  const double bytes = 2.0 * sizeof(float) * rows * columns;
  const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
  Case the_case{"transpose f32 " + size + how, bytes, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : arrays->all()) poison_device(set.out.data(), set.out.size() * sizeof(float));
  };
  the_case.mistake = [=](double) { return compare(arrays->last(), true); };
  return the_case;
}

Contender by_keramos(const Arrays& arrays)
{
  return {"Keramos", [=] {
            const auto& set = arrays->next();
            return name_of(Keramos::transpose(Gpu(), set.in, set.out));
          }};
}

/// Copies of the same matrices, in the same state of the cache: what a small transpose is compared with.
Contender by_copy(const Arrays& arrays, const char* name, void (*copy)(const InAndOut&))
{
  Contender one{name, [=]() -> std::string { return copy(arrays->next()), ""; }};
  one.mistake = [=] { return compare(arrays->last(), false); };
  one.rival = false;
  return one;
}

void copy_by_memcpy(const InAndOut& arrays)
{
  require_success(cudaMemcpyAsync(arrays.out.data(), arrays.in.data(), arrays.in.size() * sizeof(float),
                                  cudaMemcpyDeviceToDevice, stream()),
                  "cudaMemcpyAsync");
}

void copy_by_quads(const InAndOut& arrays)
{
  const auto count = static_cast<std::int64_t>(arrays.in.size());
  copy_quads_kernel<<<fill_blocks((count + 3) / 4), fill_threads, 0, stream()>>>(arrays.in.data(), arrays.out.data(),
                                                                                 count);
  require_launched("copy");
}

void add_small_transpose(int order, bool hot)
{
  const auto arrays = matrices(order, order, hot);
  const Case the_case = transpose_case(arrays, order, order, hot ? ", hot" : ", from memory");
  add("cuda_transpose", the_case,
      {by_keramos(arrays), by_copy(arrays, "cudaMemcpyAsync", copy_by_memcpy),
       by_copy(arrays, "copy, float4", copy_by_quads)});
}

void add_transpose(int rows, int columns, Tile tile)
{
  const auto arrays = matrices(rows, columns);
  const Case the_case = transpose_case(arrays, rows, columns);
  std::vector<Contender> contenders{by_keramos(arrays)};
  for (const auto& classic : classics(arrays)) contenders.push_back(classic);
  contenders.push_back(by_cublas<float>([=] {
    const classic::Matrices m = raw(arrays->next());
    return GeamCall<float>{m.in, m.out, m.rows, m.columns};
  }));
  contenders.push_back({"Kokkos MDRange", [=] { return plain_transpose(arrays->next(), {}); }});
  contenders.push_back({"Kokkos MDRange, tile " + std::to_string(tile[0]) + "x" + std::to_string(tile[1]),
                        [=] { return plain_transpose(arrays->next(), tile); }});
  contenders.push_back({"Kokkos deep_copy", [=] { return deep_copy_transpose(arrays->next()); }});
  add("cuda_transpose", the_case, contenders);
}

} // namespace

void add_cases()
{
  const int large = sized(4096, 16384, 32768), odd = sized(2501, 10001), odder = sized(3753, 15013);
  const int points = sized(10'000'000, 100'000'000);
  const auto add = [](int rows, int columns, Tile tile) {
    add_near(std::array<std::int64_t, 2>{rows, columns},
             [=](const auto& near) { add_transpose(static_cast<int>(near[0]), static_cast<int>(near[1]), tile); });
  };
  // Kokkos' tiles are the best of thirteen tried on an H200, from 8x8 to 32x32 and 4x64 to 256x3.
  add(1024, 1024, {8, 32});
  add(large, large, {8, 32});
  add(odd, odder, {8, 32});
  add(points, 3, {64, 3});
  for (const int order : {512, 1024, 2048, 4096})
    for (const bool hot : {true, false})
      add_near(std::array<std::int64_t, 1>{order / sized(4, 1)},
               [=](const auto& near) { add_small_transpose(static_cast<int>(near[0]), hot); });
  add_permute_cases();
  add_matrix_cases();
  add_in_place_cases();
  add_functor_cases();
}

} // namespace perf
