// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes and gather-sums for compute-sanitizer: see SanitizeTest.cpp.
#include "DeviceArray.hpp"
#include "GatherSumSupport.hpp"
#include "OblongCells.hpp"
#include "TransposeSupport.hpp"

#include <gtest/gtest.h>

#include <concepts>

namespace {

using namespace test;
using Keramos::Backend;

// ---- Transposes -----------------------------------------------------------------------------------------------------

template <class T, int Rank>
void number(const Array<T, Rank>& array)
{
  std::int64_t next = 0;
  array.for_each([&](const auto& i) { array.at(i) = static_cast<T>(next++ % 251); });
}

template <class T, int Rank>
void check_permute(const std::array<std::int64_t, Rank>& extents, const Numbers& axes, Memory memory,
                   std::int64_t shift, bool on_small_gpu = false)
{
  SCOPED_TRACE(testing::Message() << sizeof(T) << " bytes " << testing::PrintToString(extents) << " axes "
                                  << testing::PrintToString(axes) << " memory " << int(memory));
  std::array<std::int64_t, Rank> turned;
  for (int k = 0; k < Rank; ++k) turned[k] = extents[axes[k]];
  const Array<T, Rank> in(extents, memory, T(1)), out(turned, memory, T(1)), expected(turned, memory, T(1));
  number(in);
  const DeviceArray<T, Rank> in_there(in, shift), out_there(out, shift);
  const auto call = [&](const auto& exec, const auto& from, const auto& to) {
    return Keramos::permute(exec, axes_of<Rank>(axes), from, to);
  };
  run(Backend::reference, [&](const auto& exec) { return call(exec, in.view, expected.view); });
  const auto kernel = on_small_gpu
                          ? permute_on_small_gpu<Rank>(axes, in_there.view(), out_there.view())
                          : run([&](const auto& exec) { return call(exec, in_there.view(), out_there.view()); });
  EXPECT_EQ(kernel.backend, Backend::cuda);
  out_there.download(out);
  out.for_each([&](const auto& i) { ASSERT_EQ(out.at(i), expected.at(i)) << kernel; });
}

template <class T>
void check_in_place(std::int64_t order, Memory memory, std::int64_t shift)
{
  const Array<T, 3> matrix({3, order, order}, memory, T(1)), got({3, order, order}, memory, T(1));
  number(matrix);
  const DeviceArray<T, 3> there(matrix, shift);
  const auto kernel = run([&](const auto& exec) { return Keramos::transpose_in_place(exec, there.view()); });
  EXPECT_EQ(kernel.backend, Backend::cuda);
  there.download(got);
  got.for_each([&](const auto& i) { ASSERT_EQ(got.at(i), matrix.at({i[0], i[2], i[1]})) << kernel; });
}

/// Not square: through scratch as a whole, and by bands that move and cells that trade places.
template <class T>
void check_not_square(std::int64_t m, std::int64_t n, bool by_cells)
{
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  const Matrix in("matrix", m, n), out(in.data(), n, m);
  const auto before = Kokkos::create_mirror_view(in);
  for (std::int64_t k = 0; k < m * n; ++k) before.data()[k] = static_cast<T>(k % 251);
  Kokkos::deep_copy(in, before);
  const Kokkos::View<char*, Kokkos::CudaSpace> scratch(
      "scratch",
      by_cells ? cells_workspace_size(in, out) : Keramos::transpose_in_place_workspace_size(own_instance(), in, out));
  const auto kernel = run([&](const auto& exec) {
    return by_cells ? transpose_by_cells(exec, in, out, scratch)
                    : Keramos::transpose_in_place(exec, in, out, Keramos::Workspace{scratch});
  });
  EXPECT_EQ(kernel.backend, Backend::cuda);
  const auto after = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (std::int64_t k = 0; k < m * n; ++k)
    ASSERT_EQ(after.data()[k], static_cast<T>((k % m * n + k / m) % 251)) << kernel;
}

/// Sizes by which every element size meets every kernel: V elements are 16 bytes, where the fast paths begin.
template <class T>
void check_transposes()
{
  const std::int64_t v = 16 / sizeof(T);
  for (const auto& [memory, shift] : {std::pair(Memory::right, 0),
                                      {Memory::right, 1},
                                      {Memory::right_padded, 0},
                                      {Memory::inside, 1},
                                      {Memory::spread, 0}}) {
    for (const auto& extents :
         {std::array<std::int64_t, 2>{64, 64 * v}, {191, 250}, {245, 250}, {65, 131}, {1, 33}, {32, 8 * v}})
      check_permute<T, 2>(extents, {1, 0}, memory, shift);
    for (const std::int64_t k : {2, 3, 4, 5, 6, 8, 12, 16, 31}) {
      check_permute<T, 2>({16 * v + 1, k}, {1, 0}, memory, shift);
      check_permute<T, 2>({k, 16 * v + 1}, {1, 0}, memory, shift);
    }
    for (const std::int64_t k : {2, 3, 4}) { // enough for the shuffles
      check_permute<T, 2>({264 * v, k}, {1, 0}, memory, shift);
      check_permute<T, 2>({k, 264 * v}, {1, 0}, memory, shift);
    }
    for (const Numbers& axes : {Numbers{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
      check_permute<T, 3>({5, 4 * v, 33}, axes, memory, shift);
      check_permute<T, 3>({17, 3, 2 * v}, axes, memory, shift);
    }
    check_permute<T, 2>({9, 3 * v}, {0, 1}, memory, shift);
    check_permute<T, 2>({9, 9 * v - 1}, {0, 1}, memory, shift);         // rows
    check_permute<T, 3>({120, 130, 3}, {1, 0, 2}, memory, shift);       // boxes by runs, larger than one
    check_permute<T, 2>({304, 504}, {1, 0}, memory, shift, true);       // large tiles: their rows begin on sectors
    check_permute<T, 2>({512, 1344}, {1, 0}, memory, shift, true);      // and on units of memory
    check_permute<T, 2>({1344, 64}, {1, 0}, memory, shift, true);       // wide tiles, where there are some
    check_permute<T, 3>({23, 29, 37}, {2, 1, 0}, memory, shift, true);  // joined axes, if any
    check_permute<T, 3>({300, 13, 17}, {0, 2, 1}, memory, shift, true); // small matrices
    for (const std::int64_t order : {1, 31, 65, 97, 129, 144}) check_in_place<T>(order, memory, shift);
  }
  if (sizeof(T) == 1)
    check_permute<T, 2>({992, 1248}, {1, 0}, Memory::right, 0, true); // large tiles, where there are enough
  // Copies by every width of access: runs of so many bytes
  for (const std::int64_t bytes : {2, 4, 8, 16, 48})
    if (bytes >= static_cast<std::int64_t>(sizeof(T)))
      check_permute<T, 3>({6, 7, bytes / static_cast<std::int64_t>(sizeof(T))}, {1, 0, 2}, Memory::right, 0);
  check_not_square<T>(2053, 40, true);
  check_not_square<T>(40, 2048, true);
  check_not_square<T>(67, 130, false);
}

TEST(SanitizeTransposes, Of1Byte) { check_transposes<unsigned char>(); }
TEST(SanitizeTransposes, Of2Bytes) { check_transposes<unsigned short>(); }
TEST(SanitizeTransposes, Of4Bytes) { check_transposes<float>(); }
TEST(SanitizeTransposes, Of8Bytes) { check_transposes<double>(); }
TEST(SanitizeTransposes, Of16Bytes) { check_transposes<Kokkos::complex<double>>(); }

// ---- Gather-sums ----------------------------------------------------------------------------------------------------

enum class Wanted { potential, gradient, both };

/// Sum: as sum_on_small_gpu(), with the same arguments behind its first. More: a Cutoff.
template <class T, int Rank, Wanted wanted, class Sum, class K, class Targets, class TargetsThere, class... More>
void check_sum(const Sum& sum, const K& kernel, const std::array<std::int64_t, Rank>& extents, std::int64_t sources,
               const Targets& targets, const TargetsThere& targets_there, const More&... more_arguments)
{
  std::array<std::int64_t, Rank + 1> more;
  std::copy(extents.begin(), extents.end(), more.begin());
  more[Rank] = 3;
  const Array<T, 2> positions({sources, 3}, Memory::right);
  const Array<T, 1> weights({sources}, Memory::right);
  const Array<T, Rank> phi(extents, Memory::right), phi_got(extents, Memory::right);
  const Array<T, Rank + 1> grad(more, Memory::right), grad_got(more, Memory::right);
  positions.randomise(1);
  weights.randomise(2);
  const DeviceArray<T, 2> positions_there(positions);
  const DeviceArray<T, 1> weights_there(weights);
  const DeviceArray<T, Rank> phi_there(phi);
  const DeviceArray<T, Rank + 1> grad_there(grad);
  const auto output = [](const auto& out, const auto& gradient) {
    if constexpr (wanted == Wanted::both)
      return Keramos::PotentialAndGradient{out, gradient};
    else if constexpr (wanted == Wanted::gradient)
      return Keramos::Gradient{gradient};
    else
      return out;
  };
  run(Backend::reference, [&](const auto& exec) {
    return Keramos::gather_sum(exec, kernel, targets, Keramos::Sources{positions.view, weights.view},
                               output(phi.view, grad.view), more_arguments...);
  });
  const auto ran = run([&](const auto& exec) {
    return sum(exec, kernel, targets_there, Keramos::Sources{positions_there.view(), weights_there.view()},
               output(phi_there.view(), grad_there.view()), more_arguments...);
  });
  EXPECT_EQ(ran.backend, Backend::cuda);
  phi_there.download(phi_got); // which a gradient alone leaves as it was
  const double tolerance = 1e4 * std::numeric_limits<T>::epsilon();
  phi.for_each(
      [&](const auto& i) { ASSERT_NEAR(phi_got.at(i), phi.at(i), tolerance * (1 + std::abs(phi.at(i)))) << ran; });
  if (wanted == Wanted::potential) return;
  grad_there.download(grad_got);
  grad.for_each([&](const auto& i) {
    ASSERT_NEAR(grad_got.at(i), grad.at(i), 30 * tolerance * (1 + std::abs(grad.at(i)))) << ran;
  });
}

template <class T, Wanted wanted, class K>
void check_kernel(const K& kernel)
{
  const Keramos::UniformGrid<3> grid{{-2, -2, 1.1}, {0.11, 0.13, 0.17}};
  using Extents = std::array<std::int64_t, 3>;
  constexpr bool has_product = std::is_same_v<K, Keramos::Gaussian> && wanted == Wanted::potential;
  for (const bool has_shared_memory : {true, false}) {
    if (!has_shared_memory && !has_product) return;
    const auto sum = [&](const auto& exec, const auto&... arguments) {
      return sum_on_small_gpu(exec, has_shared_memory, arguments...);
    };
    for (const auto& [extents, sources] : {std::pair(Extents{12, 16, 128}, 300), // by wide tiles
                                           {Extents{16, 15, 31}, 257},
                                           {Extents{15, 8, 31}, 600},
                                           {Extents{9, 7, 43}, 257},
                                           {Extents{4, 8, 33}, 600},
                                           {Extents{1, 1, 300}, 257},
                                           {Extents{17, 2, 1}, 257},
                                           {Extents{8, 4, 16}, 3000}})
      check_sum<T, 3, wanted>(sum, kernel, extents, sources, grid, grid);
    if (!has_shared_memory) return;
    if (has_product) // in chunks, where there are multiprocessors for them
      check_sum<T, 3, wanted>([](const auto&... arguments) { return Keramos::gather_sum(arguments...); }, kernel,
                              {8, 4, 16}, 3000, grid, grid);
    for (const auto& [count, sources] :
         {std::pair(1100, 257), {500, 600}, {70, 300}, {5, 3000}, {1, 0}, {has_product ? 4100 : 2, 257}}) {
      const Array<T, 2> points({count, 3}, Memory::right);
      points.for_each([&](const auto& i) { points.at(i) = static_cast<T>(1.2 + 0.001 * i[0] + i[1]); });
      const DeviceArray<T, 2> points_there(points);
      check_sum<T, 1, wanted>(sum, kernel, {count}, sources, points.view, points_there.view());
    }
  }
}

/// With a cutoff that no r^2 comes near enough to be rounded to its other side.
template <class T, Wanted wanted, class K>
void check_cutoff(const K& kernel)
{
  const Keramos::Cutoff cutoff{
      .radius = 0.7, .form = Keramos::CutoffForm::switched, .switch_on = 0.5, .box = {0, 2, 0}};
  const auto sum = [](const auto& exec, const auto&... arguments) { return Keramos::gather_sum(exec, arguments...); };
  const Keramos::UniformGrid<3> grid{{-2, -2, -0.9}, {0.11, 0.13, 0.17}};
  check_sum<T, 3, wanted>(sum, kernel, {9, 7, 11}, 600, grid, grid, cutoff);
  for (const auto& [count, sources] : {std::pair(1100, 257), {33, 3000}, {1, 0}}) {
    const Array<T, 2> points({count, 3}, Memory::right);
    points.randomise(7);
    const DeviceArray<T, 2> points_there(points);
    check_sum<T, 1, wanted>(sum, kernel, {count}, sources, points.view, points_there.view(), cutoff);
  }
}

/// 1/r, from what a kernel has already computed.
struct InverseRoot {
  static constexpr bool singular = true;
  template <std::floating_point T>
  KOKKOS_FUNCTION T operator()(T, T inverse) const
  {
    return inverse;
  }
  template <std::floating_point T>
  KOKKOS_FUNCTION T derivative(T, T inverse) const
  {
    return inverse * inverse * inverse / -2;
  }
};

template <class T>
void check_sums()
{
  const auto all = [](const auto& kernel) {
    check_kernel<T, Wanted::potential>(kernel);
    check_kernel<T, Wanted::gradient>(kernel);
    check_kernel<T, Wanted::both>(kernel);
    check_cutoff<T, Wanted::potential>(kernel);
    check_cutoff<T, Wanted::gradient>(kernel);
    check_cutoff<T, Wanted::both>(kernel);
  };
  all(Keramos::Coulomb{});
  all(Keramos::Coulomb{.softening = 0.1});
  all(Keramos::Yukawa{.kappa = 0.5});
  all(Keramos::Gaussian{.sigma = 0.7});
  all(Keramos::InverseMultiquadric{.c = 0.4});
  all(InverseRoot());
}

TEST(SanitizeSums, InFloat) { check_sums<float>(); }
TEST(SanitizeSums, InDouble) { check_sums<double>(); }

} // namespace
