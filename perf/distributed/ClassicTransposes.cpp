// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClassicTransposes.hpp"

#include <Keramos_Transpose.hpp>

namespace perf::distributed {

PackedTranspose::PackedTranspose(const Shape& shape) : shape_(shape)
{
  for (int other = 0; other < ranks(); ++other) {
    const bool is_message = other != rank();
    packed_.emplace_back("packed", is_message ? shape.out_rows(other) : 0, is_message ? shape.in_rows(rank()) : 0);
    arrived_.emplace_back("arrived", is_message ? shape.out_rows(rank()) : 0, is_message ? shape.in_rows(other) : 0);
  }
}

void PackedTranspose::run(int, const Matrix& in, const Matrix& out)
{
  for (int step = 1; step < ranks(); ++step) {
    const int to = (rank() + step) % ranks();
    Keramos::transpose(exec(), columns_of(in, shape_.out, to), packed(to));
  }
  exchange();
  Keramos::transpose(exec(), columns_of(in, shape_.out, rank()), columns_of(out, shape_.in, rank()));
  for (int step = 1; step < ranks(); ++step) {
    const int from = (rank() + step) % ranks();
    Keramos::copy(exec(), arrived(from), columns_of(out, shape_.in, from));
  }
}

} // namespace perf::distributed
