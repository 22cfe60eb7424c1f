// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The volumes of the finite-difference benchmarks, and the check of every point in double. All contenders work on the same
// memory, an application's arrays with a halo around the points that are written: the first point of every row lies on 128 bytes,
// as the originals have it. What the halo holds is random too. Keramos is asked once more for arrays without halo, with zero
// outside.
#pragma once

#include "Buffers.hpp"
#include "FiniteDifferences.hpp"

#include <cmath>
#include <limits>

namespace perf {

constexpr int max_radius = 6, margin_x = 32; // points of halo along y and z, and along x

struct Extents {
  int nx, ny, nz;
  std::int64_t points() const { return std::int64_t{nx} * ny * nz; }
  std::string text() const { return std::to_string(nx) + "x" + std::to_string(ny) + "x" + std::to_string(nz); }
};

/// Index order z, y, x.
using Strided = Kokkos::View<float***, Kokkos::LayoutStride, Gpu, Kokkos::MemoryUnmanaged>;
using Dense = Kokkos::View<float***, Kokkos::LayoutRight, Gpu>;
/// Kokkos' own choice on a GPU, index order x, y, z.
using Left = Kokkos::View<float***, Kokkos::LayoutLeft, Gpu, Kokkos::MemoryUnmanaged>;

/// One array with its halo.
class Padded {
public:
  using Memory = Kokkos::View<float*, Gpu>;

  Padded() = default;
  Padded(const char* label, const Extents& extents)
      : extents_(extents), memory_(device_array<Memory>(label, std::size_t(planes()) * rows() * pitch()))
  {
  }

  classic::Volume volume() const
  {
    return {extents_.nx, extents_.ny, extents_.nz, pitch(), std::int64_t{pitch()} * rows()};
  }
  float* first() const
  {
    return memory_.data() + (std::int64_t{max_radius} * rows() + max_radius) * pitch() + margin_x;
  }
  const Memory& memory() const { return memory_; }

  /// With `radius` points of the halo on every side.
  Strided view(int radius) const
  {
    const classic::Volume v = volume();
    const Kokkos::LayoutStride layout(v.nz + 2 * radius, v.plane, v.ny + 2 * radius, v.row, v.nx + 2 * radius, 1);
    return Strided(first() - radius * (v.plane + v.row + 1), layout);
  }
  /// All of it, with x first.
  Left left() const { return Left(memory_.data(), pitch(), rows(), planes()); }

private:
  int pitch() const { return (extents_.nx + 31) / 32 * 32 + 2 * margin_x; }
  int rows() const { return extents_.ny + 2 * max_radius; }
  int planes() const { return extents_.nz + 2 * max_radius; }

  Extents extents_{};
  Memory memory_;
};

struct Fields {
  Padded in, out, previous, scale;
  Dense dense_in, dense_out;
};

inline Lazy<Ring<Fields>> make_fields(const Extents& extents)
{
  return Lazy<Ring<Fields>>([=] {
    return Ring<Fields>(2 * extents.points() * sizeof(float), [=](std::uint64_t seed) {
      const auto padded = [&](const char* label, int number) {
        const Padded array(label, extents);
        fill_device_random(array.memory().data(), array.memory().size(), 4 * seed + number);
        return array;
      };
      const auto dense = [&](const char* label) {
        return device_array<Dense>(label, extents.nz, extents.ny, extents.nx);
      };
      const Fields fields{padded("in", 1),    padded("out", 2),     padded("previous", 3),
                          padded("scale", 4), dense("in, no halo"), dense("out, no halo")};
      fill_device_random(fields.dense_in.data(), extents.points(), 4 * seed + 5);
      return fields;
    });
  });
}

/// The star at a point in double, and what the sizes of its terms add up to.
struct ExactStar {
  int radius;
  double weight[max_radius + 1];
  bool zero_outside;

  double sizes() const
  {
    double sum = std::abs(weight[0]);
    for (int r = 1; r <= radius; ++r) sum += 6 * std::abs(weight[r]);
    return sum;
  }
  __device__ double operator()(const float* p, const classic::Volume& v, int x, int y, int z) const
  {
    const auto at = [&](int dx, int dy, int dz) -> double {
      const int i = x + dx, j = y + dy, k = z + dz;
      if (zero_outside && (i < 0 || i >= v.nx || j < 0 || j >= v.ny || k < 0 || k >= v.nz)) return 0;
      return p[k * v.plane + j * v.row + i];
    };
    double sum = weight[0] * at(0, 0, 0);
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (at(r, 0, 0) + at(-r, 0, 0) + at(0, r, 0) + at(0, -r, 0) + at(0, 0, r) + at(0, 0, -r));
    return sum;
  }
};

/// Pointers are to the first point that is written; the wave's are null where it is the star alone.
struct Answer {
  classic::Volume volume;
  const float *in, *out, *previous, *scale;
};

static __global__ void count_wrong_points_kernel(const Answer answer, const __grid_constant__ ExactStar star,
                                                 double tolerance, int* wrong)
{
  const classic::Volume& v = answer.volume;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= v.nx) return;
  const std::int64_t at = z * v.plane + y * v.row + x;
  double exact = star(answer.in, v, x, y, z);
  if (answer.previous) exact = 2.0 * answer.in[at] - answer.previous[at] + answer.scale[at] * exact;
  if (!(fabs(answer.out[at] - exact) <= tolerance)) atomicAdd(wrong, 1);
}

/// Every point, to the rounding of as many additions.
inline std::string compare(const Answer& answer, const ExactStar& star)
{
  const classic::Volume& v = answer.volume;
  const Mistakes wrong;
  const double additions = 6 * star.radius + 1 + (answer.previous ? 3 : 0);
  const double sizes = star.sizes() + (answer.previous ? 3 : 0);
  count_wrong_points_kernel<<<dim3(classic::over(v.nx, 128), v.ny, v.nz), 128, 0, stream()>>>(
      answer, star, additions * std::numeric_limits<float>::epsilon() * sizes, wrong.counter());
  require_launched("comparison");
  finish();
  return wrong.text("wrong points");
}

} // namespace perf
