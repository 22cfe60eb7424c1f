// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of a matrix in slabs of rows as they are written by hand: out(j, i) = in(i, j). A rank's tile for another one is the
// part of its slab in the columns that are the other's rows of `out`.
#pragma once

#include "Ranks.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perf::distributed {

using Matrix = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;

/// Of the whole matrix, and where every rank's slab of `in` and of `out` begins.
struct Shape {
  std::int64_t rows, columns;
  std::vector<std::int64_t> in = Keramos::core::even_cuts(rows, ranks());
  std::vector<std::int64_t> out = Keramos::core::even_cuts(columns, ranks());

  static std::int64_t length(const std::vector<std::int64_t>& cuts, int of)
  {
    return cuts[static_cast<std::size_t>(of) + 1] - cuts[static_cast<std::size_t>(of)];
  }
  std::int64_t in_rows(int of) const { return length(in, of); }
  std::int64_t out_rows(int of) const { return length(out, of); }
};

/// The columns of a slab of `in` that are rank `of`'s rows of `out`, or the other way round.
inline auto columns_of(const Matrix& slab, const std::vector<std::int64_t>& cuts, int of)
{
  const auto n = static_cast<std::size_t>(of);
  return Kokkos::subview(slab, Kokkos::ALL, Kokkos::pair<std::int64_t, std::int64_t>(cuts[n], cuts[n + 1]));
}

/// What a rank does over several matrices of one shape, whose slabs are used in turn.
class ClassicTranspose {
public:
  virtual ~ClassicTranspose() = default;
  /// (collective) Before the first run, who wants it elsewhere takes the input of a set.
  virtual void take(int, const Matrix&) {}
  /// (collective)
  virtual void run(int set, const Matrix& in, const Matrix& out) = 0;
};

/// Every tile is transposed into a message, and what arrives is copied to its columns of `out`.
class PackedTranspose : public ClassicTranspose {
public:
  explicit PackedTranspose(const Shape& shape);
  void run(int set, const Matrix& in, const Matrix& out) override;

protected:
  /// (collective) What was packed for rank r, of `packed(r)`, arrives in its `arrived(rank())`.
  virtual void exchange() = 0;
  const Matrix& packed(int to) const { return packed_[static_cast<std::size_t>(to)]; }
  const Matrix& arrived(int from) const { return arrived_[static_cast<std::size_t>(from)]; }

private:
  Shape shape_;
  std::vector<Matrix> packed_, arrived_; ///< of every rank; nothing of this one
};

struct ClassicTransposeWay {
  std::string name;
  std::function<std::unique_ptr<ClassicTranspose>(const Shape&, int sets)> make; ///< (collective)
};
/// On GPUs peer copies and NCCL, on hosts MPI.
std::vector<ClassicTransposeWay> classic_transposes();

} // namespace perf::distributed
