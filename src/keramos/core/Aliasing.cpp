// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both questions are one: has a linear equation with bounded whole unknowns a solution? Nothing here allocates, because
// every call asks.

#include "Aliasing.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace Keramos::core {
namespace {

/// One unknown of the equation: 0 <= x <= max, worth `step` bytes each.
struct Term {
  std::int64_t step;
  std::int64_t max;
};
constexpr std::size_t max_terms = 2 * max_axes + 1; // the axes of two arrays, and the bytes of an element
using Terms = InplaceVector<Term, max_terms>;

/// Terms of equal step are one unknown; and where a step is c times another's and c <= max + 1, the sums of both leave
/// no gap and are one unknown as well. Without this, arrays that interleave would have to be searched pair by pair.
void merge(Terms& terms)
{
  std::sort(terms.begin(), terms.end(), [](Term a, Term b) { return a.step < b.step; });
  for (std::size_t slow = 1; slow < terms.size();) {
    const Term next = terms[slow];
    Term* const end = terms.begin() + slow;
    Term* const fast = std::find_if(terms.begin(), end, [&](Term term) {
      return next.step % term.step == 0 && next.step / term.step <= term.max + 1;
    });
    if (fast == end) {
      ++slow;
      continue;
    }
    fast->max += next.step / fast->step * next.max;
    terms.erase(end);
    slow = 1; // this one reaches further now
  }
}

/// Is there a solution of sum of x[k] * step[k] = target? Terms stand largest step first, so nested strides leave one
/// or two candidates per level; `budget` bounds the search for strides that do not nest.
class Equation {
public:
  explicit Equation(const Terms& terms) : terms_(terms) {}

  Answer solve(std::int64_t target)
  {
    prepare();
    if (search(0, target)) return Answer::yes;
    return budget_ < 0 ? Answer::unknown : Answer::no;
  }

private:
  void prepare()
  {
    merge(terms_);
    std::reverse(terms_.begin(), terms_.end());
    const std::size_t count = terms_.size();
    reach_[count] = 0;
    for (std::size_t k = count; k-- > 0;) {
      reach_[k] = reach_[k + 1] + terms_[k].step * terms_[k].max;
      std::int64_t divisor = 0;
      for (std::size_t last = k; last < count; ++last)
        divisor_[k][last] = divisor = std::gcd(divisor, terms_[last].step);
    }
  }

  /// Terms k to last add multiples of their divisor; those behind must make up for the remainder.
  bool remainders_are_possible(std::size_t k, std::int64_t target) const
  {
    for (std::size_t last = k; last < terms_.size(); ++last)
      if (target % divisor_[k][last] > reach_[last + 1]) return false;
    return true;
  }

  bool search(std::size_t k, std::int64_t target)
  {
    if (target < 0 || target > reach_[k]) return false;
    if (target == 0) return true;
    if (--budget_ < 0 || !remainders_are_possible(k, target)) return false;
    const Term term = terms_[k];
    const std::int64_t rest = reach_[k + 1];
    const std::int64_t first = target <= rest ? 0 : (target - rest + term.step - 1) / term.step;
    const std::int64_t last = std::min(term.max, target / term.step);
    // From the middle outwards, where arrays that overlap by much meet first.
    const std::int64_t middle = first + (last - first) / 2;
    for (std::int64_t d = 0; d <= last - first && budget_ >= 0; ++d) {
      const std::int64_t x = middle + (d % 2 ? (d + 1) / 2 : -d / 2);
      if (search(k + 1, target - x * term.step)) return true;
    }
    return false;
  }

  Terms terms_;
  // Both are set by prepare().
  std::int64_t reach_[max_terms + 1];          ///< the maximum of terms k and up
  std::int64_t divisor_[max_terms][max_terms]; ///< [k][last]: the greatest common divisor of the steps k to last
  std::int64_t budget_ = 100000;
};

/// The addresses of the first byte and of the one behind the last.
struct Range {
  std::uintptr_t begin, end;
};

Range range_of(const Footprint& array)
{
  Range range{array.address, array.address + static_cast<std::uintptr_t>(array.element)};
  for (const auto [extent, stride] : array.axes) {
    const std::int64_t span = (extent - 1) * stride;
    (span < 0 ? range.begin : range.end) += static_cast<std::uintptr_t>(span);
  }
  return range;
}

/// A term for each axis that moves.
void add_terms(const Footprint& array, Terms& terms)
{
  for (const auto [extent, stride] : array.axes)
    if (extent > 1 && stride != 0) terms.push_back({std::abs(stride), extent - 1});
}

bool empty(const Footprint& array)
{
  return std::any_of(array.axes.begin(), array.axes.end(), [](auto axis) { return axis.extent == 0; });
}

} // namespace

Answer share_a_byte(const Footprint& a, const Footprint& b)
{
  if (empty(a) || empty(b)) return Answer::no;
  const Range range_a = range_of(a), range_b = range_of(b);
  if (range_a.end <= range_b.begin || range_b.end <= range_a.begin)
    return Answer::no; // of two allocations: nearly always
  // begin_a + x + u = begin_b + y + v with u < element a, v < element b. Mirroring y and v, which ends at end_b - 1,
  // turns every coefficient positive.
  Terms terms{{1, a.element + b.element - 2}};
  add_terms(a, terms);
  add_terms(b, terms);
  return Equation(terms).solve(static_cast<std::int64_t>(range_b.end - 1 - range_a.begin));
}

Answer repeats_an_element(const Footprint& array)
{
  if (empty(array)) return Answer::no;
  Terms axes;
  for (const auto [extent, stride] : array.axes)
    if (extent > 1 && stride == 0) return Answer::yes;
  add_terms(array, axes);
  std::sort(axes.begin(), axes.end(), [](Term a, Term b) { return a.step < b.step; });

  // Let axis k have the largest step of those on which the indices differ, by d + 1 with 0 <= d < max, and let the
  // differences e of the others and w of the bytes have either sign: step[k] * (d + 1) = sum of step * e + w. Mirroring
  // d and shifting e and w turns every coefficient positive.
  Terms differences{{1, 2 * (array.element - 1)}};
  std::int64_t shift = array.element - 1;
  Answer answer = Answer::no;
  for (const auto [step, max] : axes) {
    if (step <= shift) { // else it is larger than all others together, as where strides nest
      Terms terms = differences;
      terms.push_back({step, max - 1});
      const Answer here = Equation(terms).solve(step * max + shift);
      if (here == Answer::yes) return here;
      if (here == Answer::unknown) answer = here;
    }
    differences.push_back({step, 2 * max});
    shift += step * max;
  }
  return answer;
}

} // namespace Keramos::core
