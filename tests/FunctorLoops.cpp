// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls with a functor, as an application has them. Never run: checks/vectorised.py reads what the compiler makes of the loop.
#include <Keramos_GatherSum.hpp>
#include <Keramos_Stencil.hpp>

namespace {

struct Root {
  static constexpr bool singular = true;
  KOKKOS_FUNCTION float operator()(float s) const { return Keramos::rsqrt(s); }
};
struct RootOfVectors {
  static constexpr bool singular = true, takes_vectors = true;
  template <class T>
  KOKKOS_FUNCTION T operator()(T s) const
  {
    return Keramos::rsqrt(s);
  }
  template <class T>
  KOKKOS_FUNCTION T derivative(T s) const
  {
    const T value = (*this)(s);
    return -0.5f * value * value * value;
  }
};
struct Inverse {
  static constexpr bool singular = true;
  KOKKOS_FUNCTION float operator()(float, float inverse) const { return inverse; }
  KOKKOS_FUNCTION float derivative(float, float inverse) const { return -0.5f * inverse * inverse * inverse; }
};
struct Decay {
  KOKKOS_FUNCTION double operator()(double s) const { return Keramos::exp(-s); }
};

template <class T>
using Points = Kokkos::View<T* [3], Kokkos::HostSpace>;
template <class T>
using Values = Kokkos::View<T*, Kokkos::HostSpace>;

template <class T>
using Volume = Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace>;
template <class T>
struct Scaled {
  KOKKOS_FUNCTION T operator()(T sum, T centre, T field) const { return centre + field * sum; }
};
template <class T>
struct ScaledAt {
  Volume<T> field;
  KOKKOS_FUNCTION T operator()(T sum, T centre, int i, int j, int k) const
  {
    return Scaled<T>()(sum, centre, field(i, j, k));
  }
};

template <class T>
void finish_stencil(const Volume<T>& in, const Volume<T>& out, const Volume<T>& field)
{
  const Kokkos::DefaultHostExecutionSpace exec;
  const auto laplacian = Keramos::FiniteDifference::laplacian<3, 2>(1.0, 1.0, 1.0);
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::interior, Keramos::Epilogue{Scaled<T>{}, field});
  Keramos::apply_stencil(exec, laplacian, in, out, Keramos::interior, ScaledAt<T>{field});
}

} // namespace

void finish_stencils(const Volume<float>& in, const Volume<float>& out, const Volume<double>& in64,
                     const Volume<double>& out64)
{
  finish_stencil(in, out, in);
  finish_stencil(in64, out64, in64);
}

void sum_functors(const Points<float>& points, const Values<float>& value, const Points<double>& points64,
                  const Values<double>& value64)
{
  const Kokkos::DefaultHostExecutionSpace exec;
  Keramos::gather_sum(exec, Root{}, points, Keramos::Sources{points, value}, value);
  Keramos::gather_sum(exec, RootOfVectors{}, points, Keramos::Sources{points, value}, value);
  Keramos::gather_sum(exec, RootOfVectors{}, points, Keramos::Sources{points, value},
                      Keramos::PotentialAndGradient{value, points});
  Keramos::gather_sum(exec, Inverse{}, points, Keramos::Sources{points, value}, value);
  Keramos::gather_sum(exec, Inverse{}, points, Keramos::Sources{points, value},
                      Keramos::PotentialAndGradient{value, points});
  Keramos::gather_sum(exec, Decay{}, points64, Keramos::Sources{points64, value64}, value64);
}
