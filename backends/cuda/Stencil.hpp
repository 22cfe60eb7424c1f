// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA stencils: stars of two and three axes by a march (Star.hpp), lines by registers (Line.hpp), anything else by a tile
// in shared memory (Tile.hpp). The kernels that store or leap-frog are in the library (StencilLibrary.hpp); a user's
// functor is compiled here, into the kernels of its own operator.
#pragma once

#include "../../src/core/Epilogue.hpp"
#include "../../src/core/Execution.hpp"
#include "../../src/core/StencilProblem.hpp"
#include "Device.hpp"
#include "LineKernel.hpp"
#include "StarKernel.hpp"
#include "StencilLibrary.hpp"
#include "TileKernel.hpp"

#include <optional>
#include <variant>

namespace Keramos::cuda {

struct StencilPlan {
  Kernel kernel;
  std::variant<StarPlan, LinePlan, TilePlan> how;
};

/// Which kernels exist for an epilogue. The library has all, but no line that leap-frogs: a tile does it.
template <class Epilogue>
struct StencilForms {
  static constexpr bool built_in = true;
  static constexpr bool line = std::is_same_v<Epilogue, core::Store>;
};
template <class F, class T, int Rank, Shape S, int Radius>
struct StencilForms<core::UserFunctor<F, T, Rank, S, Radius>> {
  static constexpr bool built_in = false;
  static constexpr bool unrolled = Radius >= 1 && Radius <= largest_radius;
  static constexpr bool star = S == Shape::star && Rank >= 2 && unrolled;
  static constexpr bool line = (S == Shape::line || (Rank == 1 && S != Shape::sparse)) && unrolled;
  static constexpr bool box = S == Shape::box && Rank >= 2 && Radius >= 1 && Radius <= largest_box_radius;
  static constexpr int rank = Rank, radius = Radius;
};

template <class T, int Capacity, class Epilogue>
std::optional<StencilPlan> choose(const Device& device, const core::StencilProblem<T, Capacity>& problem,
                                  const Epilogue& epilogue)
{
  constexpr bool store = std::is_same_v<Epilogue, core::Store>, built_in = StencilForms<Epilogue>::built_in;
  const auto& call = problem.call;
  const auto plan = [&](const std::string& variant, const auto& how) {
    const char* const after = store ? "" : built_in ? " leap-frog" : " epilogue";
    return StencilPlan{{Backend::cuda, "apply_stencil", variant + after}, how};
  };
  if (const auto star = star_problem(problem))
    if (const auto how = choose_star(device, *star, epilogue)) return plan(star_variant(*star, *how), *how);
  if constexpr (StencilForms<Epilogue>::line) {
    if (const auto line = line_problem(problem))
      if (const auto how = choose_line(device, *line)) return plan(line_variant(*line, *how), *how);
  }
  if (const auto how = choose_tile(device, problem))
    return plan(tile_variant(core::shape_text(call.shape, call.rank, call.radius, call.taps.count), *how), *how);
  return std::nullopt;
}

/// The kernels of a user's functor.
template <class T, int Capacity, class Epilogue>
void launch_user(const StencilPlan& plan, const Kokkos::Cuda& space, const core::StencilProblem<T, Capacity>& problem,
                 const Epilogue& epilogue)
{
  using Forms = StencilForms<Epilogue>;
  const std::string name = plan.kernel.name();
  if constexpr (Forms::star) {
    if (const auto* how = std::get_if<StarPlan>(&plan.how))
      return launch_star_of<Forms::rank, Forms::radius>(name, space, *how, *star_problem(problem), epilogue);
  }
  if constexpr (Forms::line) {
    if (const auto* how = std::get_if<LinePlan>(&plan.how))
      return launch_line_of<Forms::radius>(name, space, *how, *line_problem(problem), epilogue);
  }
  if constexpr (Capacity <= largest_tap_capacity<T>) {
    const auto& how = std::get<TilePlan>(plan.how);
    if constexpr (Forms::box) {
      if (how.box_radius > 0) return launch_box_of<Forms::rank, Forms::radius>(name, space, how, problem, epilogue);
    }
    launch_taps(name, space, how, problem, epilogue);
  }
}

template <class T, int Capacity, class Epilogue>
void launch(const StencilPlan& plan, const Kokkos::Cuda& space, const core::StencilProblem<T, Capacity>& problem,
            const Epilogue& epilogue)
{
  if constexpr (StencilForms<Epilogue>::built_in) {
    const std::string name = plan.kernel.name();
    if (const auto* star = std::get_if<StarPlan>(&plan.how))
      return problem.call.rank == 2 ? library::launch_star<2>(name, space, *star, *star_problem(problem), epilogue)
                                    : library::launch_star<3>(name, space, *star, *star_problem(problem), epilogue);
    if constexpr (StencilForms<Epilogue>::line) {
      if (const auto* line = std::get_if<LinePlan>(&plan.how))
        return library::launch_line(name, space, *line, *line_problem(problem));
    }
    if constexpr (Capacity <= largest_tap_capacity<T>)
      library::launch_tile(name, space, std::get<TilePlan>(plan.how), problem, epilogue);
  } else {
    launch_user(plan, space, problem, epilogue);
  }
}

} // namespace Keramos::cuda
