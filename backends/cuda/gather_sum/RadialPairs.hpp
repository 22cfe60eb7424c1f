// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one source adds to one target, as the kernels of gather-sums call it: the built-in kernels in their fast form,
// with the exact one beside it, and a user's functor as it is.
//
//     sums of a block of up to 256 sources in the value type   add()      the hot loop: no branch, no mask
//     again, if a sum is not finite and the kernel singular    add()      coincident sources left out by a mask
//     the same as double                                       total()    what still is not finite is computed exactly
//
// What adds up is written as fma, or cannot be fused: whichever loop a compiler makes of add(), a sum has the same bits,
// and a target whose neighbour is computed again keeps its own.
#pragma once

#include "../../../src/keramos/gather_sum/Interaction.hpp"
#include "RadialMath.hpp"

namespace Keramos::cuda::gather_sum {

/// A source in shared memory. On a grid x, y, z are the coordinates of the user's first, second and third axis.
template <class T>
struct alignas(16) SourceRecord {
  T x, y, z, weight;
};

/// K / value_scale, and weight * K'(r) / r / gradient_scale().
template <class T>
struct RadialTerms {
  T value, slope;
};

// ---- The built-in kernels as functions of s = r^2 + shift -----------------------------------------------------------

inline constexpr double log2_e = 1.4426950408889634;

template <class K, class T>
struct FastRadial;

template <class T>
struct FastRadial<Coulomb, T> {
  static constexpr double value_scale = root_scale<T>;
  T shift;

  explicit FastRadial(const Coulomb& kernel) : shift(static_cast<T>(kernel.softening * kernel.softening)) {}
  __device__ double gradient_scale() const { return value_scale * value_scale * value_scale; }
  template <class Powers = PowersInGlobalMemory>
  __device__ RadialTerms<T> operator()(T s, T weight, Powers = {}) const
  {
    const T p = reciprocal_square_root(s);
    return {p, -(weight * p) * (p * p)};
  }
};

template <class T>
struct FastRadial<Yukawa, T> {
  static constexpr double value_scale = root_scale<T> * PowerOfTwo<T>::scale;
  static constexpr T shift = 0;
  T kappa;             ///< of r / root_scale, as are
  PowerOfTwo<T> decay; ///< exp(-kappa r)

  explicit FastRadial(const Yukawa& kernel)
      : kappa(static_cast<T>(root_scale<T> * kernel.kappa)), decay(-log2_e * root_scale<T> * kernel.kappa)
  {
  }
  __device__ double gradient_scale() const { return value_scale * root_scale<T> * root_scale<T>; }
  template <class Powers = PowersInGlobalMemory>
  __device__ RadialTerms<T> operator()(T s, T weight, Powers powers = {}) const
  {
    const T p = reciprocal_square_root(s), r = s * p, value = p * decay(r, powers);
    return {value, -(weight * value * fma(kappa, r, T(1))) * (p * p)};
  }
};

/// The constant factor of the gradient waits for the total.
template <class T>
struct FastRadial<Gaussian, T> {
  static constexpr double value_scale = PowerOfTwo<T>::scale;
  static constexpr T shift = 0;
  PowerOfTwo<T> decay; ///< exp(-r^2 / (2 sigma^2)), of r^2
  double scale;

  explicit FastRadial(const Gaussian& kernel) : decay(-log2_e * kernel.rate()), scale(-2 * value_scale * kernel.rate())
  {
  }
  __device__ double gradient_scale() const { return scale; }
  template <class Powers = PowersInGlobalMemory>
  __device__ RadialTerms<T> operator()(T s, T weight, Powers powers = {}) const
  {
    const T value = decay(s, powers);
    return {value, weight * value};
  }
};

/// |d|^2 + shift in the order of every kernel: on a grid the targets of a thread share what does not depend on dy.
template <class T>
__device__ T squared(T dx, T dy, T dz, T shift)
{
  return fma(dy, dy, fma(dx, dx, fma(dz, dz, shift)));
}

template <class T>
__device__ core::Point<T> position(const SourceRecord<T>& source)
{
  return {source.x, source.y, source.z};
}

template <bool WithGradient, class T>
__device__ bool is_finite(const core::GatherTotal<T>& sum)
{
  T zero = 0 * sum.potential;
  if constexpr (WithGradient)
    for (int d = 0; d < 3; ++d) zero += 0 * sum.gradient[d];
  return zero == 0;
}

// ---- A built-in kernel ----------------------------------------------------------------------------------------------

/// K is the kernel, or GradientOnly of it. Powers: where those of two are read from.
template <class T, class K, class Powers = PowersInGlobalMemory>
struct FastPair {
  using value_type = T;
  using Exact = core::Interaction<T, K>;
  template <bool WithGradient>
  static constexpr bool is_coulomb = std::is_same_v<core::BareKernel<K>, Coulomb> && !WithGradient;
  /// Sources per round of the hot loop: enough instructions that the special function unit and the arithmetic of
  /// neighbouring sources overlap. H200, Coulomb in float, Gpairs/s: 8 targets on a grid 3574, 3769, 3836 with 2, 4, 8, since then
  /// 3879, 3931 with 8, 16;
  /// 4 targets at points 2644, 2917, 3177 with 4, 8, 16. In double 1760, 1850, 1890 with 8 targets and 1, 2, 4; Yukawa
  /// 783, 807, 829.
  template <bool WithGradient>
  static constexpr int grid_unroll = sizeof(T) == 4 ? (is_coulomb<WithGradient> ? 16 : 8) : (WithGradient ? 2 : 4);
  /// Blocks that a multiprocessor should hold at least: bounds the registers. H200, Coulomb in float, Gpairs/s, on a grid 3910, 3841 with 5,
  /// 6, with the gradient 2357, 2326 with 3, 4.
  template <bool WithGradient>
  static constexpr int grid_blocks = sizeof(T) == 4 ? (WithGradient ? 3 : 5) : (WithGradient ? 2 : 3);
  template <bool WithGradient>
  static constexpr int point_unroll = sizeof(T) == 4 ? (WithGradient ? 8 : 16) : 4;

  FastRadial<core::BareKernel<K>, T> radial;
  Exact exact;

  explicit FastPair(const K& kernel)
      : radial(core::KernelTraits<K>::bare(kernel)), exact(core::KernelTraits<K>::bare(kernel))
  {
  }
  template <class Others>
  __device__ explicit FastPair(const FastPair<T, K, Others>& other) : radial(other.radial), exact(other.exact)
  {
  }
  __device__ T shift() const { return radial.shift; }
  __device__ bool skips() const { return exact.singular; }

  /// d = target - source, s = |d|^2 + shift. Skips: s = 0 adds nothing.
  template <bool WithGradient, bool Skips>
  __device__ void add(core::GatherTotal<T>& sum, T s, T weight, T dx, T dy, T dz) const
  {
    const RadialTerms<T> terms = radial(s, weight, Powers());
    const bool skips = Skips && s == 0;
    const auto add = [&](T& to, T factor, T value) { to = skips ? to : fma(factor, value, to); };
    if constexpr (Exact::with_potential) add(sum.potential, weight, terms.value);
    if constexpr (WithGradient) {
      add(sum.gradient[0], terms.slope, dx);
      add(sum.gradient[1], terms.slope, dy);
      add(sum.gradient[2], terms.slope, dz);
    }
  }

  template <bool WithGradient, bool Skips>
  __device__ void add(core::GatherTotal<T>& sum, const core::Point<T>& target, const SourceRecord<T>& source) const
  {
    const T dx = target[0] - source.x, dy = target[1] - source.y, dz = target[2] - source.z;
    add<WithGradient, Skips>(sum, squared(dx, dy, dz, shift()), source.weight, dx, dy, dz);
  }

  template <bool WithGradient, class Sources>
  __device__ core::GatherTotal<double> total(const core::GatherTotal<T>& sum, const core::Point<T>& target,
                                             const Sources& sources) const
  {
    if (!is_finite<WithGradient>(sum)) return exact_total<WithGradient>(target[0], target[1], target[2], sources);
    core::GatherTotal<double> total{sum.potential * radial.value_scale, {}};
    if constexpr (WithGradient)
      for (int d = 0; d < 3; ++d) total.gradient[d] = sum.gradient[d] * radial.gradient_scale();
    return total;
  }

private:
  /// As the reference does it: products in the value type, sums in double. Out of line, because it is rare and every
  /// target of a thread may need it; by value, because what has an address leaves the registers.
  template <bool WithGradient, class Sources>
  __device__ __noinline__ core::GatherTotal<double> exact_total(T x, T y, T z, Sources sources) const
  {
    core::GatherTotal<double> total;
    auto cursor = sources.cursor();
    for (int j = 0; j < sources.count; ++j) {
      const SourceRecord<T> source = cursor.next();
      exact.template add<WithGradient>(total, {x, y, z}, position(source), source.weight);
    }
    return total;
  }
};

/// The pair for threads that have many: powers of two in shared memory, behind the next barrier. Bits are the same.
template <class Pair>
__device__ const Pair& with_powers_at_hand(const Pair& pair)
{
  return pair;
}
template <class K>
  requires(!std::is_same_v<core::BareKernel<K>, Coulomb>)
__device__ FastPair<double, K, PowersInSharedMemory> with_powers_at_hand(const FastPair<double, K>& pair)
{
  PowersInSharedMemory::fill();
  return FastPair<double, K, PowersInSharedMemory>(pair);
}

// ---- A user's functor -----------------------------------------------------------------------------------------------

/// Its sums are as they are, and coincident sources are left out where it adds. Rounds are short, because one line of code
/// there becomes many. H200, float, Gpairs/s of 8 targets on a grid with 4, 8, 16 sources a round: Keramos::rsqrt 3697,
/// 3855, 3918; Keramos::exp 3414 and 3535 with 4 and 8. The rounds at points were chosen. Singular ones have roots and divisions, which as
/// IEEE has them branch, so that targets wait one by one and more warps are worth more: rounds of 4 by 5 blocks a multiprocessor and of 2 by 8,
/// 1/sqrt 1087, 1160, rsqrt 3692, 3739, exp(-r)/r 761, 807, 1/r^12 - 1/r^6 1623, 1661, erfc(r)/r 190, 249 (4 by 8 1135, 3814, 801, 1653, 197); but
/// 1 + log(1 + r^2) 1026, 878, exp 3411, 3272.
template <class T, class K>
struct FunctorPair {
  using value_type = T;
  using Interaction = core::Interaction<T, K>;
  template <bool WithGradient>
  static constexpr bool branches = sizeof(T) == 4 && !WithGradient && Interaction::may_be_singular;
  template <bool WithGradient>
  static constexpr int grid_unroll = branches<WithGradient> ? 2 : 4;
  template <bool WithGradient>
  static constexpr int grid_blocks =
      branches<WithGradient> ? 8 : FastPair<T, Coulomb>::template grid_blocks<WithGradient>;
  template <bool>
  static constexpr int point_unroll = Interaction::is_radial ? 4 : 2;

  Interaction interaction;

  __device__ T shift() const { return 0; }
  __device__ bool skips() const { return false; }

  /// Of a functor of s = r^2, or of this and 1/r.
  template <bool WithGradient, bool>
  __device__ void add(core::GatherTotal<T>& sum, T s, T weight, T dx, T dy, T dz) const
  {
    T inverse = 0, slope = 0;
    if constexpr (Interaction::takes_inverse) inverse = Keramos::rsqrt(s);
    if constexpr (WithGradient) slope = 2 * core::radial_derivative(interaction.kernel, s, inverse);
    T value = 0;
    if constexpr (Interaction::with_potential) value = core::radial_value(interaction.kernel, s, inverse);
    add_unless_skipped<WithGradient>(sum, s, weight, value, {slope * dx, slope * dy, slope * dz});
  }

  template <bool WithGradient, bool Skips>
  __device__ void add(core::GatherTotal<T>& sum, const core::Point<T>& target, const SourceRecord<T>& source) const
  {
    const T dx = target[0] - source.x, dy = target[1] - source.y, dz = target[2] - source.z;
    const T s = squared(dx, dy, dz, T(0));
    if constexpr (Interaction::is_radial) {
      add<WithGradient, Skips>(sum, s, source.weight, dx, dy, dz);
    } else {
      T value = 0;
      core::Point<T> gradient{};
      if constexpr (WithGradient) gradient = interaction.kernel.gradient(target, position(source));
      if constexpr (Interaction::with_potential) value = static_cast<T>(interaction.kernel(target, position(source)));
      add_unless_skipped<WithGradient>(sum, s, source.weight, value, gradient);
    }
  }

  template <bool WithGradient, class Sources>
  __device__ core::GatherTotal<double> total(const core::GatherTotal<T>& sum, const core::Point<T>&,
                                             const Sources&) const
  {
    core::GatherTotal<double> total{sum.potential, {}};
    if constexpr (WithGradient)
      for (int d = 0; d < 3; ++d) total.gradient[d] = sum.gradient[d];
    return total;
  }

private:
  /// The functor is evaluated where a source coincides, too, for a branch there would keep the targets of a thread from
  /// overlapping; what it returns is not added.
  template <bool WithGradient>
  __device__ void add_unless_skipped(core::GatherTotal<T>& sum, T s, T weight, T value, core::Point<T> gradient) const
  {
    bool skips = false;
    if constexpr (Interaction::may_be_singular) {
      skips = interaction.singular && s == 0;
      if constexpr (Interaction::with_potential) evaluate_always(value);
    }
    const auto add = [&](T& to, T term) { to = skips ? to : fma(weight, term, to); };
    if constexpr (Interaction::with_potential) add(sum.potential, value);
    if constexpr (WithGradient)
      for (int d = 0; d < 3; ++d) {
        if constexpr (Interaction::may_be_singular) evaluate_always(gradient[d]);
        add(sum.gradient[d], gradient[d]);
      }
  }
};

} // namespace Keramos::cuda::gather_sum
