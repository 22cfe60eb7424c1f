// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../ClassicTransposes.hpp"

#include "Ipc.hpp"
#include "Nccl.hpp"

#include <keramos/distributed/CudaEvent.hpp>

#include <Keramos_Transpose.hpp>

#include <mpi.h>

#include <algorithm>

namespace perf::distributed {
namespace {

/// A tile of every other rank, fetched by a copy engine in round-robin order, so that no two ranks fetch from the same one at a
/// time, and transposed where it has arrived; as in
///
///   G. Ruetsch, M. Fatica, "CUDA Fortran for Scientists and Engineers" (2013), the transpose over several GPUs
class PeerTranspose final : public ClassicTranspose {
public:
  PeerTranspose(const Shape& shape, int sets)
      : shape_(shape), slab_(static_cast<std::size_t>(largest(shape.in) * shape.columns)),
        in_(slab_ * static_cast<std::size_t>(sets) * sizeof(float)),
        copies_(Kokkos::Experimental::partition_space(Exec(), 1)[0])
  {
    for (int other = 0; other < ranks(); ++other)
      tiles_.emplace_back("tile", shape.in_rows(other), shape.out_rows(rank()));
  }

  void take(int set, const Matrix& in) override
  {
    require_success(
        cudaMemcpyAsync(slab(rank(), set), in.data(), in.size() * sizeof(float), cudaMemcpyDefault, stream()),
        "a copy of the input");
  }

  void run(int set, const Matrix& in, const Matrix& out) override
  {
    all_are_here();
    begin_.record(stream());
    begin_.before(copies_.cuda_stream());
    for (int step = 1; step < ranks(); ++step) fetch((rank() + step) % ranks(), set);
    Keramos::transpose(exec(), columns_of(in, shape_.out, rank()), columns_of(out, shape_.in, rank()));
    for (int step = 1; step < ranks(); ++step) {
      const auto from = static_cast<std::size_t>((rank() + step) % ranks());
      arrived_[from].before(stream());
      Keramos::transpose(exec(), tiles_[from], columns_of(out, shape_.in, static_cast<int>(from)));
    }
    all_are_here();
  }

private:
  static std::int64_t largest(const std::vector<std::int64_t>& cuts)
  {
    std::int64_t result = 0;
    for (int other = 0; other < ranks(); ++other) result = std::max(result, Shape::length(cuts, other));
    return result;
  }
  float* slab(int of, int set) const { return static_cast<float*>(in_.of(of)) + slab_ * static_cast<std::size_t>(set); }

  /// The streams of all ranks have come to this: their inputs are written, or read by all.
  void all_are_here() const
  {
    done_.record();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 1; step < ranks(); ++step) done_.wait_for((rank() + step) % ranks());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void fetch(int from, int set) const
  {
    const auto n = static_cast<std::size_t>(from);
    const std::size_t width = tiles_[n].extent(1) * sizeof(float),
                      pitch = static_cast<std::size_t>(shape_.columns) * sizeof(float);
    const float* const source = slab(from, set) + shape_.out[static_cast<std::size_t>(rank())];
    require_success(cudaMemcpy2DAsync(tiles_[n].data(), width, source, pitch, width, tiles_[n].extent(0),
                                      cudaMemcpyDefault, copies_.cuda_stream()),
                    "a copy of a tile");
    arrived_[n].record(copies_.cuda_stream());
  }

  Shape shape_;
  std::size_t slab_; ///< elements of the largest
  SharedBuffer in_;
  SharedEvents done_;
  Exec copies_;
  Keramos::cuda::Event begin_;
  std::vector<Matrix> tiles_; ///< of every rank
  std::vector<Keramos::cuda::Event> arrived_{static_cast<std::size_t>(ranks())};
};

#ifdef Keramos_HAS_NCCL
class NcclTranspose final : public PackedTranspose {
public:
  using PackedTranspose::PackedTranspose;

private:
  void exchange() override
  {
    const ncclComm_t comm = nccl();
    require_nccl(ncclGroupStart(), "ncclGroupStart");
    for (int step = 1; step < ranks(); ++step) {
      const int to = (rank() + step) % ranks(), from = (rank() + ranks() - step) % ranks();
      require_nccl(ncclSend(packed(to).data(), packed(to).size(), ncclFloat, to, comm, stream()), "ncclSend");
      require_nccl(ncclRecv(arrived(from).data(), arrived(from).size(), ncclFloat, from, comm, stream()), "ncclRecv");
    }
    require_nccl(ncclGroupEnd(), "ncclGroupEnd");
  }
};
#endif

} // namespace

std::vector<ClassicTransposeWay> classic_transposes()
{
  return {
      {"peer copies, round robin",
       [](const Shape& shape, int sets) { return std::make_unique<PeerTranspose>(shape, sets); }},
#ifdef Keramos_HAS_NCCL
      {"pack, NCCL, unpack", [](const Shape& shape, int) { return std::make_unique<NcclTranspose>(shape); }},
#endif
  };
}

} // namespace perf::distributed
