// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA stencils: stars of two and three axes by a march (Star.hpp, TensorStar.hpp, StridedStar.hpp, MarchChoice.hpp), on thin Regions and
// small grids by registers (Direct.hpp, SmallStar.hpp), lines, and small stars and boxes over two axes, by registers too (Line.hpp,
// Plane.hpp), anything else by a tile in shared memory (Tile.hpp). A kernel knows no epilogue by name: those of the library's
// epilogues are in the library (Library.hpp); a user's functor is compiled here, into the kernels of its own operator.
#pragma once

#include "../../../src/keramos/core/Execution.hpp"
#include "Library.hpp"
#include "LineKernel.hpp"
#include "MarchChoice.hpp"
#include "MarchFunctor.hpp"
#include "NarrowMarchKernel.hpp"
#include "NarrowRowsKernel.hpp"
#include "PlaneKernel.hpp"
#include "StarKernel.hpp"
#include "TileKernel.hpp"

#include <optional>
#include <variant>

namespace Keramos::cuda::stencil {

/// All that a launch needs.
template <class T, int Capacity, class Epilogue>
struct StencilPlan {
  Kernel kernel;
  Epilogue epilogue; ///< in the order of the kernel's axes
  std::variant<StarPlan<T>, TensorStarPlan<T>, StridedStarPlan<T>, DirectPlan<T>, SmallStarPlan<T>, NarrowMarchPlan<T>,
               NarrowRowsPlan<T>, MarchPlan<T>, PlanePlan<T>, LinePlan<T>, LineMarchPlan<T>, LineSlabPlan<T>,
               TilePlan<T, Capacity>>
      how;
};

/// Which kernels exist for an epilogue. The library has all but lines whose epilogue reads operands, which a tile does, and sums by planes, for
/// which the centre is long gone when they end: they store, but for what march_epilogue names.
template <class Form, int Operands>
struct CompiledKernels {
  static constexpr bool line = Operands == 0, line_march = Operands == 0, plane = true, march = Operands == 0,
                        march_functor = false, march_epilogue = Operands > 0, tensor_star = true, direct = true,
                        small_star = true, narrow_march = true, narrow_rows = true;
};
template <int Rank, Shape S, int Radius, int Operands>
struct CompiledKernels<core::OperatorForm<Rank, S, Radius>, Operands> {
  static constexpr bool unrolled = Radius >= 1 && Radius <= max_radius;
  static constexpr bool plane_star = S == Shape::star && Radius <= max_plane_star;
  static constexpr bool plane_box = S == Shape::box && Radius <= max_plane_radius && Operands == 0;
  static constexpr bool plane = Rank == 2 && unrolled && (plane_star || plane_box);
  static constexpr bool box = S == Shape::box && Rank >= 2 && Radius >= 1 && Radius <= max_box_radius;
  static constexpr bool star = S == Shape::star && Rank >= 2 && unrolled, march = false, tensor_star = false,
                        march_functor = star && Rank == 3 && Radius <= max_march_radius,
                        narrow_march =
                            Rank == 3 && ((star && Radius <= max_narrow_radius) || box || S == Shape::sparse),
                        narrow_rows = Rank == 2 && ((star && Radius <= max_narrow_radius) || box),
                        march_epilogue = false, direct = false, small_star = false;
  static constexpr bool line_march = false, line = (S == Shape::line || (Rank == 1 && S != Shape::sparse)) && unrolled;
};
template <class Epilogue>
using KernelsOf = CompiledKernels<typename Epilogue::form, Epilogue::operands>;
template <class T, class Epilogue>
constexpr bool has_march_functor_of()
{
  if constexpr (KernelsOf<Epilogue>::march_functor)
    return has_any_march_functor_shape(Epilogue::form::radius, sizeof(T), Epilogue::operands);
  else
    return false;
}
template <class T, class Epilogue>
inline constexpr bool has_march_functor = has_march_functor_of<T, Epilogue>();

/// What stands behind the sums, as a march through narrow rows asks.
template <class Epilogue>
inline constexpr NarrowWork narrow_work = !Epilogue::form::in_library   ? NarrowWork::functor
                                          : core::only_stores<Epilogue> ? NarrowWork::plain
                                                                        : NarrowWork::wave;

/// The library has kernels of boxes for plain sums alone.
template <class Epilogue, class T>
bool has_narrow_rows(const NarrowRowsPlan<T>& plan)
{
  return plan.is_star || !Epilogue::form::in_library || core::only_stores<Epilogue>;
}

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan<T, Capacity, Epilogue>>
choose(const Device& device, const core::StencilProblem<T, Capacity>& problem, const Epilogue& epilogue)
{
  using Plan = StencilPlan<T, Capacity, Epilogue>;
  const StencilRequest<T> request = request_of(device, problem, epilogue);
  const auto kernel = [](const core::Text& variant) {
    return Kernel{Backend::cuda, "apply_stencil", variant.followed_by(core::epilogue_text<Epilogue>())};
  };
  if constexpr (KernelsOf<Epilogue>::direct) {
    if (const auto direct = choose_direct(request))
      return Plan{kernel(direct->variant), reordered(epilogue, direct->order), *direct};
  }
  if constexpr (KernelsOf<Epilogue>::small_star) {
    if (const auto star = choose_small_star(request)) return Plan{kernel(star->variant), epilogue, *star};
  }
  const bool is_compiled_for = request.rank < 3 || core::has_usual_order(epilogue); // tiles are for any
  if constexpr (KernelsOf<Epilogue>::narrow_march) {
    if (const auto march = is_compiled_for ? choose_narrow_march(request, narrow_work<Epilogue>) : std::nullopt)
      return Plan{kernel(march->variant), epilogue, *march};
  }
  if constexpr (KernelsOf<Epilogue>::narrow_rows) {
    if (const auto rows = choose_narrow_rows(request); rows && has_narrow_rows<Epilogue>(*rows))
      return Plan{kernel(rows->variant), epilogue, *rows};
  }
  if constexpr (KernelsOf<Epilogue>::march) {
    if constexpr (has_strided_stars<T>) {
      if (const auto star = choose_strided_star(request)) return Plan{kernel(star->variant), epilogue, *star};
    }
    if (const auto march = choose_march(request)) return Plan{kernel(march->variant), epilogue, *march};
  }
  if constexpr (KernelsOf<Epilogue>::march_epilogue) {
    if (const auto march = choose_march_epilogue(request)) return Plan{kernel(march->variant), epilogue, *march};
  }
  if constexpr (KernelsOf<Epilogue>::tensor_star) {
    if (const auto star = choose_tensor_star(request)) return Plan{kernel(star->variant), epilogue, *star};
  }
  if constexpr (KernelsOf<Epilogue>::plane) {
    const auto plane = choose_plane(request);
    if (plane && has_plane_kernel<Epilogue>(*plane)) return Plan{kernel(plane->variant), epilogue, *plane};
  }
  if constexpr (has_march_functor<T, Epilogue>) {
    if (const auto march = is_compiled_for ? choose_march_functor(request) : std::nullopt)
      return Plan{kernel(march->variant), epilogue, *march};
  }
  if (const auto star = is_compiled_for ? choose_star(request) : std::nullopt)
    return Plan{kernel(star->variant), reordered(epilogue, star->order), *star};
  if constexpr (KernelsOf<Epilogue>::line_march) {
    if (const auto line = choose_line_march(request)) return Plan{kernel(line->variant), epilogue, *line};
    if constexpr (has_line_slabs<T>) {
      if (const auto line = choose_line_slab(request)) return Plan{kernel(line->variant), epilogue, *line};
    }
  }
  if constexpr (KernelsOf<Epilogue>::line) {
    if (const auto line = choose_line(request))
      return Plan{kernel(line->variant), reordered(epilogue, line->order), *line};
  }
  if constexpr (has_tiles<T, Capacity, Epilogue>) {
    if (const auto grid = choose_tile(request)) {
      TilePlan<T, Capacity> tile{*grid, {}};
      tile.taps.count = request.taps;
      set_tile_taps(request, *grid, tile.taps.weight, tile.taps.offset);
      return Plan{kernel(tile.variant), epilogue, tile};
    }
  }
  return std::nullopt;
}

/// The kernels of the library.
template <class T, int Capacity, class Epilogue>
void launch_from_library(const StencilPlan<T, Capacity, Epilogue>& plan, const Kokkos::Cuda& space)
{
  if (const auto* star = std::get_if<StarPlan<T>>(&plan.how))
    return star->rank == 2 ? library::launch_star<2>(plan.kernel, space, *star, plan.epilogue)
                           : library::launch_star<3>(plan.kernel, space, *star, plan.epilogue);
  if (const auto* star = std::get_if<TensorStarPlan<T>>(&plan.how))
    return library::launch_tensor_star(plan.kernel, space, *star, plan.epilogue);
  if constexpr (KernelsOf<Epilogue>::direct) {
    if (const auto* direct = std::get_if<DirectPlan<T>>(&plan.how))
      return library::launch_direct(plan.kernel, space, *direct, plan.epilogue);
  }
  if constexpr (KernelsOf<Epilogue>::small_star) {
    if (const auto* star = std::get_if<SmallStarPlan<T>>(&plan.how))
      return library::launch_small_star(plan.kernel, space, *star, plan.epilogue);
  }
  if constexpr (KernelsOf<Epilogue>::narrow_march) {
    if (const auto* march = std::get_if<NarrowMarchPlan<T>>(&plan.how))
      return library::launch_narrow_march(plan.kernel, space, *march, plan.epilogue);
  }
  if constexpr (KernelsOf<Epilogue>::narrow_rows) {
    if (const auto* rows = std::get_if<NarrowRowsPlan<T>>(&plan.how))
      return library::launch_narrow_rows(plan.kernel, space, *rows, plan.epilogue);
  }
  if constexpr (KernelsOf<Epilogue>::march) {
    if constexpr (has_strided_stars<T>) {
      if (const auto* star = std::get_if<StridedStarPlan<T>>(&plan.how))
        return library::launch_strided_star(plan.kernel, space, *star);
    }
    if (const auto* march = std::get_if<MarchPlan<T>>(&plan.how))
      return library::launch_march(plan.kernel, space, *march);
  }
  if constexpr (KernelsOf<Epilogue>::march_epilogue) {
    if (const auto* march = std::get_if<MarchPlan<T>>(&plan.how))
      return library::launch_march_epilogue(plan.kernel, space, *march, plan.epilogue);
  }
  if constexpr (KernelsOf<Epilogue>::plane) {
    if (const auto* plane = std::get_if<PlanePlan<T>>(&plan.how))
      return library::launch_plane(plan.kernel, space, *plane, plan.epilogue);
  }
  if constexpr (KernelsOf<Epilogue>::line_march) {
    if (const auto* line = std::get_if<LineMarchPlan<T>>(&plan.how))
      return library::launch_line_march(plan.kernel, space, *line);
    if constexpr (has_line_slabs<T>) {
      if (const auto* line = std::get_if<LineSlabPlan<T>>(&plan.how))
        return library::launch_line_slab(plan.kernel, space, *line);
    }
  }
  if constexpr (KernelsOf<Epilogue>::line) {
    if (const auto* line = std::get_if<LinePlan<T>>(&plan.how))
      return library::launch_line(plan.kernel, space, *line, plan.epilogue);
  }
  if constexpr (has_tiles<T, Capacity, Epilogue>)
    library::launch_tile(plan.kernel, space, std::get<TilePlan<T, Capacity>>(plan.how), plan.epilogue);
}

/// That of the operator's form. What is sparse tells its radius at run time.
template <class Form, class T, class Epilogue>
void launch_narrow_march_by(const Kernel& taken, const Kokkos::Cuda& space, const NarrowMarchPlan<T>& plan,
                            const Epilogue& epilogue)
{
  if constexpr (Form::shape != Shape::sparse)
    launch_narrow_march_of<Form::shape == Shape::star ? MarchKind::star : MarchKind::box, Form::radius>(taken, space,
                                                                                                        plan, epilogue);
  else if (plan.radius == 1)
    launch_narrow_march_of<MarchKind::sparse, 1>(taken, space, plan, epilogue);
  else
    launch_narrow_march_of<MarchKind::sparse, 2>(taken, space, plan, epilogue);
}

/// The kernels of a user's functor.
template <class T, int Capacity, class Epilogue>
void launch_compiled_here(const StencilPlan<T, Capacity, Epilogue>& plan, const Kokkos::Cuda& space)
{
  using Kernels = KernelsOf<Epilogue>;
  using Form = typename Epilogue::form;
  if constexpr (Kernels::narrow_march) {
    if (const auto* march = std::get_if<NarrowMarchPlan<T>>(&plan.how))
      return launch_narrow_march_by<Form>(plan.kernel, space, *march, plan.epilogue);
  }
  if constexpr (Kernels::narrow_rows) {
    if (const auto* rows = std::get_if<NarrowRowsPlan<T>>(&plan.how))
      return launch_narrow_rows_of<Kernels::star, Form::radius>(plan.kernel, space, *rows, plan.epilogue);
  }
  if constexpr (has_march_functor<T, Epilogue>) {
    if (const auto* march = std::get_if<MarchPlan<T>>(&plan.how))
      return launch_march_functor_of<Form::radius>(plan.kernel, space, *march, plan.epilogue);
  }
  if constexpr (Kernels::star) {
    if (const auto* star = std::get_if<StarPlan<T>>(&plan.how))
      return launch_star_of<Form::rank, Form::radius>(plan.kernel, space, *star, plan.epilogue);
  }
  if constexpr (Kernels::plane) {
    if (const auto* plane = std::get_if<PlanePlan<T>>(&plan.how))
      return launch_plane_of<Form::shape == Shape::star, Form::radius>(plan.kernel, space, *plane, plan.epilogue);
  }
  if constexpr (Kernels::line) {
    if (const auto* line = std::get_if<LinePlan<T>>(&plan.how))
      return launch_line_of<Form::radius>(plan.kernel, space, *line, plan.epilogue);
  }
  if constexpr (has_tiles<T, Capacity, Epilogue>) {
    const auto& tile = std::get<TilePlan<T, Capacity>>(plan.how);
    if constexpr (Kernels::box) {
      if (tile.box_radius > 0) return launch_box_of<Form::rank, Form::radius>(plan.kernel, space, tile, plan.epilogue);
    }
    launch_taps(plan.kernel, space, tile, plan.epilogue);
  }
}

template <class T, int Capacity, class Epilogue>
void launch(const StencilPlan<T, Capacity, Epilogue>& plan, const Kokkos::Cuda& space)
{
  if constexpr (Epilogue::form::in_library)
    launch_from_library(plan, space);
  else
    launch_compiled_here(plan, space);
}

} // namespace Keramos::cuda::stencil
