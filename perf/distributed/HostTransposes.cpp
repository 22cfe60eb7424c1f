// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClassicTransposes.hpp"

#include <mpi.h>

namespace perf::distributed {
namespace {

class MpiTranspose final : public PackedTranspose {
public:
  using PackedTranspose::PackedTranspose;

private:
  void exchange() override
  {
    std::vector<MPI_Request> requests;
    for (int other = 0; other < ranks(); ++other) {
      if (other == rank()) continue;
      MPI_Irecv(arrived(other).data(), static_cast<int>(arrived(other).size()), MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
      MPI_Isend(packed(other).data(), static_cast<int>(packed(other).size()), MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }
};

} // namespace

std::vector<ClassicTransposeWay> classic_transposes()
{
  return {{"pack, MPI, unpack", [](const Shape& shape, int) { return std::make_unique<MpiTranspose>(shape); }}};
}

} // namespace perf::distributed
