// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same shot over several processes: slabs of the ground along x, and the same pictures, bit for bit.
#pragma once

#include "Acoustics.hpp"

#include <Keramos_Distributed.hpp>

#include <string>

namespace demo {

/// Called by all ranks; planes come out at the first one, and are empty on the others.
class DistributedShot {
public:
  /// Slabs along x, in which the receivers stand in their order. Of `velocity` each rank keeps its part.
  DistributedShot(const Where& where, const Keramos::Cartesian<3>& slabs, const Volume& velocity, const Survey& survey);

  /// The next `count` steps.
  void advance(int count);

  const Where& where() const { return where_; }
  int steps_done() const { return steps_done_; }
  double time_step() const { return time_step_; } ///< seconds
  const Survey& survey() const { return survey_; }
  std::string took() const;

  /// The wave in the plane (depth, x) through the source.
  Plane section() const;
  /// What the receivers heard: (step, receiver).
  Plane seismogram() const;

private:
  using Field = Keramos::Distributed<View3D>;

  template <class View>
  Plane turned_at_first(const Keramos::Distributed<View>& field) const;

  Where where_;
  Survey survey_;
  double time_step_;
  Keramos::Partition<3> cut_;
  Field now_, before_;
  View3D c2dt2_; ///< of the own points, as the tapers are
  View1D taper0_, taper1_, taper2_;
  Keramos::Distributed<View2D> record_; ///< (receiver, step): a rank has those that stand in its slab
  Receivers receivers_;                 ///< of this rank, in indices of the local View
  float source_scale_;
  int steps_done_ = 0;
  Keramos::DistributedKernel kernel_;
};

} // namespace demo
