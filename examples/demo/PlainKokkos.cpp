// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlainKokkos.hpp"

namespace demo {

void plain_wave_update(const Space& space, const Wave& wave)
{
  // The second derivative's weights of 8th order.
  const float w0 = -205.f / 72, w1 = 8.f / 5, w2 = -1.f / 5, w3 = 8.f / 315, w4 = -1.f / 560;
  const float scale = static_cast<float>(1 / (wave.spacing * wave.spacing));
  const View3D u = wave.now;
  const AbsorbingLeapFrog finish{wave.before, wave.c2dt2, wave.taper0, wave.taper1, wave.taper2};
  const int n0 = u.extent_int(0), n1 = u.extent_int(1), n2 = u.extent_int(2);
  Kokkos::parallel_for(
      "demo::plain wave update",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<3>>(space, {4, 4, 4}, {n0 - 4, n1 - 4, n2 - 4}),
      KOKKOS_LAMBDA(int i, int j, int k) {
        const auto ring = [&](int r) {
          return u(i - r, j, k) + u(i + r, j, k) + u(i, j - r, k) + u(i, j + r, k) + u(i, j, k - r) + u(i, j, k + r);
        };
        const float sum = 3 * w0 * u(i, j, k) + w1 * ring(1) + w2 * ring(2) + w3 * ring(3) + w4 * ring(4);
        finish.previous(i, j, k) = finish(scale * sum, u(i, j, k), i, j, k);
      });
}

void plain_transpose(const Space& space, const View2D& in, const View2D& out)
{
  Kokkos::parallel_for(
      "demo::plain transpose",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {in.extent_int(0), in.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j) { out(j, i) = in(i, j); });
}

void plain_potential(const Space& space, const Keramos::UniformGrid<3>& grid, const Charges& charges, const View3D& out,
                     int planes)
{
  const int n1 = out.extent_int(1), n2 = out.extent_int(2), count = charges.charge.extent_int(0);
  const auto position = charges.position;
  const View1D charge = charges.charge;
  const auto x0 = static_cast<float>(grid.origin[0]), y0 = static_cast<float>(grid.origin[1]),
             z0 = static_cast<float>(grid.origin[2]);
  const auto h0 = static_cast<float>(grid.spacing[0]), h1 = static_cast<float>(grid.spacing[1]),
             h2 = static_cast<float>(grid.spacing[2]);
  Kokkos::parallel_for(
      "demo::plain potential", Kokkos::RangePolicy(space, 0, planes * n1 * n2), KOKKOS_LAMBDA(int target) {
        const int i = target / (n1 * n2), j = target / n2 % n1, k = target % n2;
        const float x = x0 + i * h0, y = y0 + j * h1, z = z0 + k * h2;
        float sum = 0;
        for (int s = 0; s < count; ++s) {
          const float dx = x - position(s, 0), dy = y - position(s, 1), dz = z - position(s, 2);
          const float r2 = dx * dx + dy * dy + dz * dz;
          if (r2 > 0) sum += charge(s) / Kokkos::sqrt(r2);
        }
        out(i, j, k) = sum;
      });
}

} // namespace demo
