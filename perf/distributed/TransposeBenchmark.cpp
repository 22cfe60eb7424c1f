// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of a matrix in slabs of rows, by Keramos' one call and by hand. Small matrices take turns, so that not all is in
// caches.
#include "../Arrays.hpp"
#include "ClassicTransposes.hpp"
#include "Links.hpp"

#include <map>
#include <sstream>
#include <utility>

namespace perf::distributed {
namespace {

using MatrixField = Keramos::Distributed<Matrix>;

KOKKOS_INLINE_FUNCTION float element_at(int set, std::int64_t i, std::int64_t j)
{
  return random_number<float>(static_cast<std::uint64_t>(set) << 56 ^ static_cast<std::uint64_t>(i) << 28 ^
                              static_cast<std::uint64_t>(j));
}

using Elements = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
Elements elements(const Matrix& matrix)
{
  return {exec(), {0, 0}, {static_cast<std::int64_t>(matrix.extent(0)), static_cast<std::int64_t>(matrix.extent(1))}};
}

struct FillMatrix {
  Matrix matrix;
  int set;
  std::int64_t first_row;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const
  {
    matrix(i, j) = element_at(set, first_row + i, j);
  }
};

struct Poison {
  Matrix matrix;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const
  {
    matrix(i, j) = Kokkos::Experimental::quiet_NaN_v<float>;
  }
};

struct NotTransposed {
  Matrix matrix;
  int set;
  std::int64_t first_row;

  KOKKOS_FUNCTION void operator()(std::int64_t j, std::int64_t i, std::int64_t& count) const
  {
    if (matrix(j, i) != element_at(set, i, first_row + j)) ++count;
  }
};

struct Set {
  Matrix in, out;
  std::map<std::string, std::pair<MatrixField, MatrixField>> by_way;
};

class Matrices {
public:
  Matrices(const Shape& shape, int sets) : shape_(shape)
  {
    for (int set = 0; set < sets; ++set)
      sets_.push_back(
          {Matrix("in", shape.in_rows(rank()), shape.columns), Matrix("out", shape.out_rows(rank()), shape.rows), {}});
  }

  void poison()
  {
    next_ = 0;
    for (int set = 0; set < count(); ++set) {
      Kokkos::parallel_for("perf::fill", elements(at(set).in), FillMatrix{at(set).in, set, shape_.in[me()]});
      Kokkos::parallel_for("perf::poison", elements(at(set).out), Poison{at(set).out});
    }
  }
  /// Of the first set, after one run.
  std::string mistake() const
  {
    std::int64_t wrong = 0;
    const Matrix& out = sets_[0].out;
    Kokkos::parallel_reduce("perf::transposed", elements(out), NotTransposed{out, 0, shape_.out[me()]}, wrong);
    return wrong == 0 ? "" : std::to_string(wrong) + " wrong elements";
  }

  std::string transpose(const Way& way)
  {
    const auto& [in, out] = fields(at(take_turn()), way);
    std::ostringstream kernel;
    kernel << Keramos::transpose(exec(), in, out);
    return kernel.str();
  }

  /// The input of the first set goes there as well.
  void begin(const ClassicTransposeWay& way)
  {
    auto& classic = classics_[way.name];
    if (!classic) classic = way.make(shape_, count());
    for (int set = 0; set < count(); ++set) classic->take(set, at(set).in);
  }
  std::string transpose(const ClassicTransposeWay& way)
  {
    const int set = take_turn();
    classics_[way.name]->run(set, at(set).in, at(set).out);
    return "";
  }

private:
  static std::size_t me() { return static_cast<std::size_t>(rank()); }
  int count() const { return static_cast<int>(sets_.size()); }
  Set& at(int set) { return sets_[static_cast<std::size_t>(set)]; }
  int take_turn() { return std::exchange(next_, (next_ + 1) % count()); }

  const std::pair<MatrixField, MatrixField>& fields(Set& set, const Way& way)
  {
    const auto known = set.by_way.find(way.name);
    if (known != set.by_way.end()) return known->second;
    const Keramos::Cartesian<2> slabs(way.ranks(), {0, 1});
    const MatrixField in(set.in, Keramos::Partition<2>(slabs, {shape_.rows, shape_.columns}));
    const MatrixField out(set.out, Keramos::Partition<2>(slabs, {shape_.columns, shape_.rows}));
    return set.by_way.emplace(way.name, std::pair(in, out)).first->second;
  }

  Shape shape_;
  std::vector<Set> sets_;
  std::map<std::string, std::unique_ptr<ClassicTranspose>> classics_;
  int next_ = 0;
};

/// The time in which the bare link carries what a rank sends: of N ranks (N - 1) / N^2 of the matrix.
Columns floor_of(double bytes) { return {{"floor_s", bytes / large_message_rate()}}; }

void add_transpose(std::int64_t rows, std::int64_t columns, int sets, int calls)
{
  const Lazy<Matrices> matrices([=] { return Matrices({rows, columns}, sets); });
  const double share = static_cast<double>(ranks() - 1) / ranks() / ranks();
  const double bytes = static_cast<double>(rows * columns) * sizeof(float) * share;
  Case the_case{"transpose " + std::to_string(rows) + "x" + std::to_string(columns), bytes, calls, {}, {}};
  the_case.poison = [=] { matrices->poison(); };
  the_case.mistake = [=] { return matrices->mistake(); };
  std::vector<Contender> contenders;
  for (const Way& way : ways())
    contenders.push_back({"Keramos, " + way.name, [=] { return matrices->transpose(way); }});
  for (const ClassicTransposeWay& way : classic_transposes()) {
    Contender contender{way.name, [=] { return matrices->transpose(way); }};
    contender.before = [=] { matrices->begin(way); };
    contenders.push_back(contender);
  }
  for (Contender& contender : contenders) contender.columns = [=] { return floor_of(bytes); };
  add(the_case, contenders);
}

} // namespace

void add_transposes()
{
  if (ranks() == 1) return;
  add_transpose(1024, 768, sized(2, 32), sized(2, 64));
  if (effort() == Effort::quick) return;
  const std::int64_t side = Keramos::core::is_host<Exec> ? 8192 : 32768;
  add_transpose(side, side, 1, 3);
}

} // namespace perf::distributed
