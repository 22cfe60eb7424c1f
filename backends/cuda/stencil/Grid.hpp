// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all kernels that march are told of a call's fields, axes and points, along x (fastest), y and z (the march).
#pragma once

#include "Edges.hpp"
#include "Points.hpp"
#include "Request.hpp"

namespace Keramos::cuda::stencil {

/// Sets the arguments that all these kernels have, for an operator of this radius.
template <class Arguments, class T>
void set_grid_arguments(Arguments& arguments, const StencilRequest<T>& request, const KernelOrder& order, int radius)
{
  arguments.in = request.in.data;
  arguments.out = request.out.data;
  for (int p = 0; p < 3; ++p) {
    const int from = order[p];
    arguments.axis[p] = edge_axis(request.axes[from], request.in.stride[from], radius);
    arguments.out_stride[p] = request.out.stride[from];
    arguments.range[p] = {request.begin[from], request.end[from]};
  }
}

} // namespace Keramos::cuda::stencil
