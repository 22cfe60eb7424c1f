// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in place on a GPU the way of large ones, by bands and cells, at sizes which Keramos takes through scratch as a whole.
#pragma once

#include <Keramos_Transpose.hpp>

#include <stdexcept>

#ifdef KOKKOS_ENABLE_CUDA

namespace test {

template <class View>
Keramos::cuda::transpose::OblongCut cut_of(const View& in, const View& out)
{
  const auto call = Keramos::core::oblong_call(Kokkos::Cuda(), in, out);
  const auto cut = Keramos::cuda::transpose::cut_oblong(call.rows, call.columns, sizeof(*call.data), call.data);
  if (!cut) throw std::runtime_error("too small for bands and cells");
  return *cut;
}

template <class View>
std::size_t cells_workspace_size(const View& in, const View& out)
{
  return static_cast<std::size_t>(cut_of(in, out).scratch_bytes);
}

template <class Exec, class View, class Scratch>
Keramos::Kernel transpose_by_cells(const Exec& exec, const View& in, const View& out, const Scratch& scratch)
{
  namespace transpose = Keramos::cuda::transpose;
  const auto cut = cut_of(in, out);
  const Keramos::Kernel kernel{Keramos::Backend::cuda, "transpose_in_place", transpose::variant(cut)};
  char* const bytes = reinterpret_cast<char*>(scratch.data());
  transpose::launch({kernel, cut, reinterpret_cast<char*>(in.data()), bytes}, Keramos::core::on(exec).space);
  return kernel;
}

} // namespace test

#endif
