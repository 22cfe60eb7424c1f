// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Overlap.hpp"

#include <algorithm>
#include <numeric>

namespace Keramos::core {
namespace {

/// One unknown of the equation: 0 <= x <= most, worth `step` bytes each.
struct Term {
  std::int64_t step;
  std::int64_t most;
};

/// Is there a solution of sum of x[k] * step[k] = target? Terms stand largest step first, so nested strides leave one
/// or two candidates a level; `budget` bounds the search for strides that do not nest.
class Equation {
public:
  explicit Equation(std::vector<Term> terms) : terms_(std::move(terms)), reach_(terms_.size() + 1, 0), divisor_(reach_)
  {
    std::sort(terms_.begin(), terms_.end(), [](Term a, Term b) { return a.step > b.step; });
    for (std::size_t k = terms_.size(); k-- > 0;) {
      reach_[k] = reach_[k + 1] + terms_[k].step * terms_[k].most;
      divisor_[k] = std::gcd(divisor_[k + 1], terms_[k].step);
    }
  }

  bool solvable(std::int64_t target) { return search(0, target); }

private:
  bool search(std::size_t k, std::int64_t target)
  {
    if (target < 0 || target > reach_[k]) return false;
    if (target == 0 || --budget_ < 0) return true;
    if (target % divisor_[k] != 0) return false;
    const Term term = terms_[k];
    const std::int64_t rest = reach_[k + 1];
    const std::int64_t first = target <= rest ? 0 : (target - rest + term.step - 1) / term.step;
    const std::int64_t last = std::min(term.most, target / term.step);
    for (std::int64_t x = last; x >= first; --x)
      if (search(k + 1, target - x * term.step)) return true;
    return false;
  }

  std::vector<Term> terms_;
  std::vector<std::int64_t> reach_;   ///< the largest value of terms k and up
  std::vector<std::int64_t> divisor_; ///< the greatest common divisor of the steps k and up
  std::int64_t budget_ = 100000;
};

/// The lowest address, and a term for each axis that moves.
std::uintptr_t add_terms(const Footprint& array, std::vector<Term>& terms)
{
  std::uintptr_t lowest = array.address;
  for (const auto [extent, stride] : array.axes) {
    if (stride < 0) lowest += static_cast<std::uintptr_t>((extent - 1) * stride);
    if (stride != 0 && extent > 1) terms.push_back({stride < 0 ? -stride : stride, extent - 1});
  }
  return lowest;
}

bool empty(const Footprint& array)
{
  return std::any_of(array.axes.begin(), array.axes.end(), [](auto axis) { return axis.extent == 0; });
}

} // namespace

bool share_a_byte(const Footprint& a, const Footprint& b)
{
  if (empty(a) || empty(b)) return false;
  // low_a + x + u = low_b + y + v with u < element a, v < element b. Mirroring y and v turns every coefficient
  // positive.
  std::vector<Term> terms;
  const std::uintptr_t low_a = add_terms(a, terms);
  const std::size_t first_of_b = terms.size();
  const std::uintptr_t low_b = add_terms(b, terms);
  std::int64_t reach_b = b.element - 1;
  for (std::size_t k = first_of_b; k < terms.size(); ++k) reach_b += terms[k].step * terms[k].most;
  if (a.element > 1) terms.push_back({1, a.element - 1});
  if (b.element > 1) terms.push_back({1, b.element - 1});
  return Equation(std::move(terms)).solvable(static_cast<std::int64_t>(low_b - low_a) + reach_b);
}

bool repeats_an_element(const Footprint& array)
{
  if (empty(array)) return false;
  std::vector<Term> terms;
  for (const auto [extent, stride] : array.axes) {
    if (extent > 1 && stride == 0) return true;
    if (extent > 1) terms.push_back({stride < 0 ? -stride : stride, extent - 1});
  }
  std::sort(terms.begin(), terms.end(), [](Term a, Term b) { return a.step < b.step; });
  std::int64_t span = array.element;
  for (const Term term : terms) { // nested strides never repeat; what does not nest is refused
    if (term.step < span) return true;
    span += term.step * term.most;
  }
  return false;
}

} // namespace Keramos::core
