// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coulomb, Yukawa and Gaussian with a cutoff. Lanes are neighbouring sources; those that do not count are computed and not
// added. A target whose sum is not finite is summed again by the exact forms.

#include "Cutoff.hpp"
#include "Families.hpp"

namespace Keramos::openmp {
namespace {

constexpr int max_terms = 256;    ///< of a lane, before its sum goes to double
constexpr int piece_vectors = 64; ///< looked at once

template <class T>
KERAMOS_INLINE Wide<T> lane_numbers()
{
  Wide<T> number{};
  for (int lane = 0; lane < native_lanes<T>; ++lane) number[lane] = static_cast<T>(lane);
  return number;
}

template <class T, class Family, GatherParts Parts, bool Switched, bool Exact>
class TargetSum {
public:
  explicit TargetSum(const CutoffSources<T>& sources)
      : sources_(sources), family_(sources.parameter), floor_(sources.singular ? 0 : -1),
        shift_(sources.shift / family_.value_scale), slope_rate_(-12 * sources.switch_rate)
  {
  }

  KERAMOS_INLINE void add_run(const CutoffRun<T>& run)
  {
    constexpr int lanes = native_lanes<T>;
    constexpr std::int64_t most = std::int64_t{piece_vectors} * lanes;
    std::int64_t j = run.begin;
    for (std::int64_t left = run.count; left > 0; left -= most) {
      const int piece = static_cast<int>(left < most ? left : most);
      int done = 0;
      for (; done + lanes <= piece; done += lanes) add<false>(run.target, j + done, lanes);
      if (done < piece) add<true>(run.target, j + done, piece - done);
      j += piece;
      terms_ += (piece + lanes - 1) / lanes;
      if (terms_ > max_terms - piece_vectors) flush();
    }
  }

  /// False: a sum is not finite.
  KERAMOS_INLINE bool finish(double* total)
  {
    flush();
    double zero = 0;
    for (int k = first; k < end; ++k) {
      total[k] = total_[k];
      zero += total_[k] - total_[k];
    }
    return zero == 0;
  }

private:
  // What is summed, of the potential and the three components of the gradient.
  static constexpr bool with_potential = Parts != GatherParts::gradient,
                        with_gradient = Parts != GatherParts::potential;
  static constexpr int first = with_potential ? 0 : 1, end = with_gradient ? 4 : 1;

  /// The first `some` lanes, if it is the tail of a run.
  template <bool Tail>
  KERAMOS_INLINE void add(const T* target, std::int64_t j, int some)
  {
    Wide<T> d[3], ratio{};
    for (int k = 0; k < 3; ++k) d[k] = target[k] - load<Wide<T>>(sources_.source[k] + j);
    const Wide<T> r2 = d[0] * d[0] + (d[1] * d[1] + d[2] * d[2]), s = r2 + family_.offset;
    auto counts = (r2 < sources_.limit) & (r2 > floor_);
    if constexpr (Tail) counts &= lane_numbers<T>() < static_cast<T>(some);
    const Wide<T> value = Exact ? family_.exact(s, ratio) : family_.fast(s, ratio);
    const Wide<T> weight = load<Wide<T>>(sources_.weight + j), weighted = weight * value;
    Wide<T> kept = 1 + Wide<T>{}, slope = Family::has_ratio ? weighted * ratio : weighted;
    if constexpr (Switched) {
      const Wide<T> past = r2 - sources_.switch_on;
      const Wide<T> t = past > 0 ? past * sources_.switch_rate : Wide<T>{}, rest = 1 - t;
      kept = rest * rest * (1 + 2 * t);
      slope = kept * (family_.ratio_scale * slope) + slope_rate_ * (t * rest) * weighted;
    }
    if constexpr (with_potential) {
      const Wide<T> term = kept * (weight * (value - shift_));
      sum_[0] += counts ? term : Wide<T>{};
    }
    if constexpr (with_gradient) {
      slope = counts ? slope : Wide<T>{};
      for (int k = 0; k < 3; ++k) sum_[1 + k] += slope * d[k];
    }
  }

  KERAMOS_INLINE void flush()
  {
    for (int k = first; k < end; ++k) {
      const bool is_scaled = k == 0 || Switched; // but for the values' scale
      const double scale = is_scaled ? family_.value_scale : double{family_.value_scale} * family_.ratio_scale;
      double sum = 0;
      for (int lane = 0; lane < native_lanes<T>; ++lane) sum += static_cast<double>(sum_[k][lane]);
      total_[k] += sum * scale;
      sum_[k] = Wide<T>{};
    }
    terms_ = 0;
  }

  const CutoffSources<T>& sources_;
  const Family family_;
  const T floor_, shift_, slope_rate_; ///< in units of the family's values
  Wide<T> sum_[end] = {};
  double total_[end] = {};
  int terms_ = 0;
};

template <class T, class Family, GatherParts Parts, bool Switched, bool Exact>
KERAMOS_INLINE bool sum_runs(const CutoffSources<T>& sources, const CutoffRun<T>* runs, int count, double* total)
{
  TargetSum<T, Family, Parts, Switched, Exact> sum(sources);
  for (int run = 0; run < count; ++run) sum.add_run(runs[run]);
  return sum.finish(total);
}

template <class T, class Family, GatherParts Parts, bool Switched>
__attribute__((noinline)) void sum_exactly(const CutoffSources<T>& sources, const CutoffRun<T>* runs, int count,
                                           double* total)
{
  sum_runs<T, Family, Parts, Switched, true>(sources, runs, count, total);
}

template <class T, class Family, bool Switched, GatherParts Parts>
void sum_target(const CutoffSources<T>& sources, const CutoffRun<T>* runs, int count, double* total)
{
  if (!sum_runs<T, Family, Parts, Switched, false>(sources, runs, count, total))
    sum_exactly<T, Family, Parts, Switched>(sources, runs, count, total);
}

template <class T, class Family, bool Switched>
constexpr void set_parts(CutoffFunction<T> (&by_parts)[3])
{
  by_parts[static_cast<int>(GatherParts::potential)] = sum_target<T, Family, Switched, GatherParts::potential>;
  by_parts[static_cast<int>(GatherParts::both)] = sum_target<T, Family, Switched, GatherParts::both>;
  by_parts[static_cast<int>(GatherParts::gradient)] = sum_target<T, Family, Switched, GatherParts::gradient>;
}

template <class T, class Family>
constexpr void set_family(CutoffFunction<T> (&by_switch)[2][3])
{
  set_parts<T, Family, false>(by_switch[0]);
  set_parts<T, Family, true>(by_switch[1]);
}

template <class T>
constexpr CutoffFunctions<T> all_functions()
{
  CutoffFunctions<T> all{};
  set_family<T, CoulombFamily<T>>(all.target[0]);
  set_family<T, YukawaFamily<T>>(all.target[1]);
  set_family<T, GaussianFamily<T>>(all.target[2]);
  return all;
}

} // namespace

namespace KERAMOS_SIMD {
extern const CutoffKernels cutoff_kernels = {all_functions<float>(), all_functions<double>()};
}

} // namespace Keramos::openmp
