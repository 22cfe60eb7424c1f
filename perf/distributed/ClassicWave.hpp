// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of the wave equation over slabs as
//
//   P. Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2 (2009), section 4
//
// has it: the planes that neighbours wait for are computed first, and are on their way (from a GPU through pinned memory, by MPI)
// while the others are computed. The sums themselves are Keramos' local kernels, so that schemes are compared.
#pragma once

#include "WaveFields.hpp"

#include <mpi.h>

#include <array>
#include <string>
#include <vector>

namespace perf::distributed {

class ClassicWave {
public:
  /// Over slabs like this one. Halos of `now` are there when a step begins, and those of `next` when it ends.
  ClassicWave(const Laplacian& op, const Wave& slab);

  std::string step(Wave& wave);
  /// (collective) The planes at both ends of a slab become the neighbours' halos.
  void exchange(const Volume& slab);

private:
  using Staging = Kokkos::View<float***, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>;
  /// One end of the slab, if somebody is there.
  struct End {
    int neighbour;
    std::int64_t own, halo; ///< where the planes begin that are sent and received
    Staging down, up;       ///< of a GPU
  };

  std::string planes(const Exec& space, const Wave& wave, std::int64_t begin, std::int64_t end) const;
  void begin_exchange(const Volume& slab);
  void send(const Volume& slab);
  void finish_exchange(const Volume& slab);

  Laplacian op_;
  std::int64_t extent_; ///< planes of the slab
  Exec boundary_;
  std::vector<End> ends_;
  std::vector<MPI_Request> requests_;
};

} // namespace perf::distributed
