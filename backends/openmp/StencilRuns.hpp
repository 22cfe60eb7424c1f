// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of one run of points, or of the same run in four planes: which rows of `in` the taps read, with everything
// that edges make of them. Compiled once.
//
//     fastest axis ->   | low end |        clear points          | high end |
//
// At a clear point every tap stays inside its row, so a tap is a pointer: into `in`, or into a row of constants where the
// rule of another axis says so. The ends are as long as the operator reaches; there the rows that are read at an offset
// are copied, edges applied, into padded pieces, and those taps point into the pieces. Where there is only one such row (a
// star, a line along the run) the piece is as long as the run: copying it costs less than two short kernel calls more.
//
// From one row of a tile to the next, away from the edges, all pointers into `in` move by the same distance: they are set
// once, and the kernels are told the distance (`shift`).
//
// Where the contiguous axis has a single point, runs lie along another one, and every row that taps read is copied.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "simd/Stencil.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace Keramos::openmp {

/// Points a run at most: the epilogue's buffers of a block are 8 or 16 KiB.
inline constexpr std::int64_t longest_run = 512;
/// What the taps may reach along a run, both sides together: where it meets an edge, its rows are copied with that much
/// more, and a task keeps up to 32 such copies (70 MB with one row of float).
inline constexpr std::int64_t longest_reach = std::int64_t{1} << 17;

/// A list of taps as the kernels want it, in the order of the problem's.
template <class T>
struct TapList {
  /// Neighbours in the list, up to `end`, of which all or none read pieces where there are any.
  struct Stretch {
    int end;
    bool piece;
  };
  std::vector<int> tap;
  std::vector<T> weight;
  std::vector<Stretch> stretches;
};

/// What all tasks of a call share.
template <class T>
struct StencilArguments {
  core::Field<const T, 3> in;
  core::Field<T, 3> out;
  core::ProblemAxes<T> axes;
  const T* weight;
  const Kokkos::Array<int, 3>* offset;
  int taps;
  bool fused = false; ///< the kernel writes `out` itself, and reads the fields of the wave update

  /// The column is (0, 0, -radius ... radius) if no other taps lie across the planes; radius 0: there is none.
  int column_radius = 0;
  std::vector<T> column_weight;  ///< the centre's is not asked for
  TapList<T> all, rest;          ///< rest: without the column, but with its centre
  std::vector<int> piece_tap;    ///< of every row that taps read at an offset along the run: one of these taps
  std::vector<int> piece_of_tap; ///< of every tap: its row in piece_tap, or -1

  StencilArguments(const core::Field<const T, 3>& in, const core::Field<T, 3>& out, const core::ProblemAxes<T>& axes,
                   const T* weight, const Kokkos::Array<int, 3>* offset, int taps);

  /// The rows are strided: all of them are copied into pieces.
  bool gathers() const { return in.stride[0] != 1; }
  /// Planes a call of StencilRuns::select takes at once.
  int planes() const { return axes[2].reach_low > 0 || axes[2].reach_high > 0 ? block_planes : 1; }

private:
  void find_column();
  void find_pieces();
  void add(TapList<T>& list, int tap);
};

/// A task's view of one run after the other.
template <class T>
class StencilRuns {
public:
  explicit StencilRuns(const StencilArguments<T>& arguments) : arguments_(arguments) {}

  /// The run [first, last), at most longest_run long, at (j, k), (j, k + 1), ... in `planes` planes: 1 or block_planes.
  void select(std::int64_t first, std::int64_t last, std::int64_t j, std::int64_t k, int planes);
  /// out[p][0 ... last - first) = the sums of plane k + p.
  void sum(T* const* out);
  /// The wave update, into the output field.
  void leap_frog(const core::LeapFrogFields<T>& fields);

private:
  /// A stretch [begin, end) of the runs of this task in so many planes.
  struct Part {
    std::int64_t begin, end;
    int planes;
    bool padded; ///< taps along the run read pieces
    // The pieces: where each element comes from is the same for every row.
    std::int64_t piece_begin = 0, piece_length = 0;
    std::vector<std::int64_t> place{}; ///< where the edge rule finds the element in its row, or no_index
    std::vector<T> value{};            ///< of the rule, where place is no_index
    std::vector<T> pieces{};           ///< plane by plane
    // The taps: those that read pieces stay, the others are where they were at (set_j, set_k); plain_ rows are there
    // shifted.
    std::vector<const T*> column{}, tap{};
    std::vector<TapSegment> segments{};
    bool is_set = false;
    std::int64_t set_j = 0, set_k = 0;
  };

  bool plain() const;
  const T* constant_row(T value);
  Part& part_at(std::int64_t begin, std::int64_t end, bool padded);
  void make_pieces(Part& part);
  void fill_pieces(Part& part);
  void fill_piece(const Part& part, int tap, int plane, T* to) const;
  const TapList<T>& taps_of(const Part& part) const
  {
    return part.planes == block_planes ? arguments_.rest : arguments_.all;
  }
  const T* row(const Part& part, const Kokkos::Array<int, 3>& offset, int plane);
  std::int64_t set_rows(Part& part);
  void select_fields(const core::LeapFrogFields<T>& fields);
  void gather_fields(const core::LeapFrogFields<T>& fields);
  void scatter_fields();
  void run_parts(bool leap_frog);
  void run_part(Part& part, bool leap_frog);

  const StencilArguments<T>& arguments_;
  std::deque<Part> parts_;
  std::vector<std::vector<T>> constants_;
  std::vector<T> gathered_; ///< fields of the wave update whose runs are strided
  std::int64_t first_ = 0, last_ = 0, j_ = 0, k_ = 0;
  int planes_ = 1;
  bool plain_ = false; ///< every row of every plane is a row of `in`, in its own place
  T* out_[block_planes] = {};
  LeapFrogRow<T> leap_frog_[block_planes] = {};
};

extern template struct StencilArguments<float>;
extern template struct StencilArguments<double>;
extern template class StencilRuns<float>;
extern template class StencilRuns<double>;

} // namespace Keramos::openmp
