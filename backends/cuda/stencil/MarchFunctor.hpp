// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The march of MarchKernel.hpp with an application's functor behind a star. When a sum ends, its centre lies Radius planes behind the
// one that has come: so long planes stay in the ring.
#pragma once

#include "Lockstep.hpp"
#include "MarchFunctorTuning.hpp"
#include "MarchKernel.hpp"
#include "MarchPairFunctor.hpp"

namespace Keramos::cuda::stencil {

/// The points of a thread, of which it finishes a plane after the other; a functor that returns nothing stores by itself.
template <class T, int Radius, class Shape, class Epilogue>
struct MarchFinish : MarchOutput<T, Shape::value.rows, false> {
  using Output = MarchOutput<T, Shape::value.rows, false>;
  using Output::stored;
  static constexpr int kept = Radius, rows = Shape::value.rows, operands = Epilogue::operands;

  const Epilogue& epilogue;
  MarchRows<T, Radius, Shape> centre;
  std::int64_t x, y, z;
  T operand[rows][operands + 1]; ///< of the epilogue; the last one only because no array is empty

  template <class Tile>
  __device__ MarchFinish(const Tile& tile, SharedAddress shared, int column, int first_row,
                         const Epilogue& the_epilogue)
      : Output(tile, shared, column, first_row), epilogue(the_epilogue), centre(tile, column, first_row),
        x(tile.x + column), y(tile.y + first_row), z(tile.first)
  {
  }

  /// The epilogue's fields, early: they are on their way while a plane is summed.
  __device__ void load_operands(bool ends)
  {
    if constexpr (operands > 0) {
#pragma unroll
      for (int n = 0; n < operands; ++n) {
        const core::EpilogueOperand<T>& from = epilogue.operand[n];
        const auto& stride = from.field.stride;
        const T* const first = from.field.data + x * stride[0] + y * stride[1] + z * stride[2];
        const unsigned loaded = ends && from.is_field() ? stored : 0;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          operand[r][n] = from.number;
          load_if(loaded >> r & 1, operand[r][n], first + r * stride[1]);
        }
      }
    }
  }

  /// The centres are in this plane of the ring, which lay at `offset` in memory.
  __device__ void finish(const T (&sum)[rows], const T* plane, std::int64_t offset)
  {
    T value[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) value[r] = sum[r];
    centre.enter(plane, offset);
    finish_rows<0, rows>(value);
    if constexpr (core::returns_value<Epilogue, T>) Output::store(value); // after all is read: no load passes a store
    ++z;
  }

private:
  /// As many rows together as can be: between two of these the first one's loads are waited for.
  template <int Begin, int Count>
  __device__ void finish_rows(T (&value)[rows]) const
  {
    constexpr unsigned together = all_points<Count> << Begin;
    if ((stored & together) == together) {
#pragma unroll
      for (int r = Begin; r < Begin + Count; ++r) finish_row(value[r], r);
    } else if constexpr (Count > 1) {
      if ((stored & together) == 0) return;
      finish_rows<Begin, Count / 2>(value);
      finish_rows<Begin + Count / 2, Count - Count / 2>(value);
    }
  }

  __device__ void finish_row(T& value, int r) const
  {
    const OrderedEpilogue<core::usual_order<Epilogue>(), Epilogue> ordered{epilogue};
    T finished[1] = {value};
    const T at_centre[1] = {*centre[r]};
    const auto operands_of = [&](int) {
      Kokkos::Array<T, operands> at_point;
      if constexpr (operands > 0) {
#pragma unroll
        for (int n = 0; n < operands; ++n) at_point[n] = operand[r][n];
      }
      return at_point;
    };
    finish_points(ordered, finished, at_centre, operands_of, x, 1, y + r, z, 1u);
    value = finished[0];
  }
};

/// Those of threads by their shape, see march().
template <class T, int Radius, class Epilogue>
struct MarchFinishes {
  template <class Shape>
  using Of = MarchFinish<T, Radius, Shape, Epilogue>;
};

template <class T, class Sums, class Epilogue>
__global__ void __launch_bounds__(Sums::shape.threads(), Sums::shape.blocks)
    march_functor_kernel(const __grid_constant__ MarchArguments<T> arguments,
                         const __grid_constant__ typename Sums::Weights weights,
                         const __grid_constant__ Epilogue epilogue)
{
#if __CUDA_ARCH__ >= 900 // choose_march() takes it for no other
  extern __shared__ __align__(16) unsigned char march_shared[];
  if constexpr (Sums::shape.has_row_copies())
    march_by_pairs<T, Sums>(arguments, weights, march_shared, epilogue);
  else
    march<T, Sums, MarchFinishes<T, Sums::radius, Epilogue>>(arguments, weights, march_shared, epilogue);
#endif
}

/// The shape of its blocks as a type.
template <class T, int Radius, int Operands, int Number>
struct MarchFunctorShapeOf {
  static constexpr MarchShape value = march_functor_shape(Radius, sizeof(T), Operands, Number);
};

template <class Sums, class T, class Epilogue>
void launch_march_functor_by(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan,
                             const Epilogue& epilogue)
{
  MarchArguments<T> arguments = plan.arguments;
  if constexpr (Sums::shape.drift > 0) arguments.groups.launch = next_lockstep_launch();
  launch_kernel<march_functor_kernel<T, Sums, Epilogue>>(taken, space, plan.shape, arguments,
                                                         std::get<StarWeights<T>>(plan.weights), epilogue);
}

/// Where the layout leaves the order of View indices open, pairs of columns have a kernel for each: picked at run time, in a kernel for both, they
/// took registers (docs/tuning/stencil-march-functors.md, Functors behind stars in float).
template <int Radius, int Number, class T, class Epilogue>
void launch_march_functor_of_shape(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan,
                                   const Epilogue& epilogue)
{
  using Sums = MarchStarSums<T, Radius, MarchFunctorShapeOf<T, Radius, Epilogue::operands, Number>>;
  if constexpr (Sums::shape.has_row_copies() && core::leaves_order_open<Epilogue>) {
    if (core::axis_order(epilogue) == core::AxisOrder::forwards)
      launch_march_functor_by<Sums>(taken, space, plan, core::with_order<core::AxisOrder::forwards>(epilogue));
    else
      launch_march_functor_by<Sums>(taken, space, plan, core::with_order<core::AxisOrder::backwards>(epilogue));
  } else {
    launch_march_functor_by<Sums>(taken, space, plan, epilogue);
  }
}

/// The plan's radius is this, its number this one or a larger one.
template <int Radius, int Number = 0, class T, class Epilogue>
void launch_march_functor_of(const Kernel& taken, const Kokkos::Cuda& space, const MarchPlan<T>& plan,
                             const Epilogue& epilogue)
{
  if constexpr (has_march_functor_shape(Radius, sizeof(T), Epilogue::operands, Number)) {
    if (plan.number == Number) return launch_march_functor_of_shape<Radius, Number>(taken, space, plan, epilogue);
  }
  if constexpr (Number + 1 < march_shapes) launch_march_functor_of<Radius, Number + 1>(taken, space, plan, epilogue);
}

} // namespace Keramos::cuda::stencil
