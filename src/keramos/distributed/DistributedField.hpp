// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed<View>: the part of a global field that this rank owns, with a halo around it.
#pragma once

#include "../core/Error.hpp"
#include "../core/Field.hpp"
#include "../core/RefusedArguments.hpp"
#include "../core/Views.hpp"
#include "Partition.hpp"
#include "ViewParts.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Keramos {

/// How many points a field holds beyond those that it owns, below and above, along every axis.
///
///     Halo<3>{4}                    // four on every side
///     Halo<3>{{4, 0, 0}}            // on both sides along View index 0
///     Halo<3>{{4, 0, 0}, {3, 0, 0}} // below and above
template <int Rank>
struct Halo {
  std::array<std::int64_t, Rank> low{}, high{};

  constexpr Halo() = default;
  constexpr Halo(std::int64_t everywhere)
  {
    low.fill(everywhere);
    high.fill(everywhere);
  }
  constexpr Halo(const std::array<std::int64_t, Rank>& both) : low(both), high(both) {}
  constexpr Halo(const std::array<std::int64_t, Rank>& below, const std::array<std::int64_t, Rank>& above)
      : low(below), high(above)
  {
  }
};

namespace core {

/// What a field remembers from call to call, such as its exchanges: whoever adds something knows its type.
struct Remembered {
  virtual ~Remembered() = default;
};

} // namespace core

/// This rank's part of a global field: a View of what it owns, with a halo around it. A copy is another handle of the same
/// memory, as with Views.
///
///     Keramos::Distributed<Kokkos::View<float***>> u(exec, "u", cut, 4);   // owns a View of owned points and halo
///     Keramos::Distributed v(view, cut, 4);                                // an application's View of that shape
///     Keramos::Distributed<Kokkos::View<double***[3]>> e(exec, "e", cut, 4);  // three components at every point
///     Keramos::apply_stencil(exec, curl_0, e.component(1), h.component(0), Keramos::periodic);
///
/// A last extent that the View's type fixes counts components. They lie apart in memory with LayoutLeft, and interleaved with
/// LayoutRight, where fast kernels take none of them. Exchanges of halos take all in one message; other calls take one.
///
/// Cost     the halo's memory
template <core::KokkosView LocalView>
class Distributed {
public:
  static constexpr int rank =
      static_cast<int>(core::has_components<LocalView> ? LocalView::rank_dynamic : LocalView::rank);
  using view_type = LocalView;
  using value_type = typename LocalView::value_type;

  /// (collective) Allocates, filled with 0 in the order of `exec`.
  template <core::ExecutionArgument Exec>
  Distributed(const Exec& exec, const std::string& label, const Partition<rank>& partition, const Halo<rank>& halo = {})
      : Distributed(allocated(exec, label, partition, halo), partition, halo)
  {
  }

  /// (collective) Takes an application's View. Throws Error, on all ranks, unless its extents are those of the owned points
  /// and the halo.
  Distributed(const LocalView& local, const Partition<rank>& partition, const Halo<rank>& halo = {})
      : Distributed(Checked(), local, partition, halo)
  {
    core::agree(communicator(), [&] {
      std::array<std::int64_t, rank> expected = extents(partition, halo), got;
      for (int axis = 0; axis < rank; ++axis) {
        got[axis] = static_cast<std::int64_t>(local.extent(axis));
        if (halo.low[axis] < 0 || halo.high[axis] < 0)
          core::fail("Distributed", "halo", core::text("no negative width along axis ", axis),
                     core::text("{", halo.low[axis], ", ", halo.high[axis], "}"));
      }
      if (got != expected)
        core::fail("Distributed", "local", core::text("a View of extents ", core::tuple_text(expected)),
                   core::tuple_text(got));
    });
  }

  const LocalView& local() const { return state_->local; }
  const Partition<rank>& partition() const { return state_->partition; }
  const Halo<rank>& halo() const { return state_->halo; }
  core::Communicator& communicator() const { return partition().ranks().communicator(); }

  /// The global points that this rank owns: the offsets of input and output.
  Subdomain<rank> box() const { return partition().box(); }
  /// Those of the local View that it owns.
  auto owned() const { return around(std::array<std::int64_t, rank>{}); }
  /// The same with `width` more on both sides of every axis.
  auto around(const std::array<std::int64_t, rank>& width) const
  {
    std::array<std::int64_t, rank> begin, extent;
    for (int axis = 0; axis < rank; ++axis) {
      begin[axis] = halo().low[axis] - width[axis];
      extent[axis] = box().extent(axis) + 2 * width[axis];
    }
    return core::part_of_view(local(), begin, extent);
  }

  /// Of several components one, as a field of its own: always the same one. Throws Error where there is none such.
  const auto& component(int c) const requires(core::has_components<LocalView>)
  {
    const int count = static_cast<int>(state_->components.size());
    if (c < 0 || c >= count)
      core::fail("Distributed::component", "c", core::text("a component from 0 to ", count - 1), std::to_string(c));
    return state_->components[static_cast<std::size_t>(c)];
  }

  /// What calls remember with this field; not for applications.
  std::vector<std::unique_ptr<core::Remembered>>& remembered() const { return state_->remembered; }

private:
  template <core::KokkosView>
  friend class Distributed;

  static auto components_of(const LocalView& local, const Partition<rank>& partition, const Halo<rank>& halo)
  {
    if constexpr (core::has_components<LocalView>) {
      using One = Distributed<decltype(core::component_of_view(local, 0))>;
      std::vector<One> components;
      for (std::size_t c = 0; c < local.extent(rank); ++c)
        components.push_back(One(typename One::Checked(), core::component_of_view(local, c), partition, halo));
      return components;
    } else {
      return std::tuple<>();
    }
  }

  struct State {
    LocalView local;
    Partition<rank> partition;
    Halo<rank> halo;
    decltype(components_of(local, partition, halo)) components = components_of(local, partition, halo);
    std::vector<std::unique_ptr<core::Remembered>> remembered{};
  };

  /// The shape is right.
  struct Checked {};
  Distributed(Checked, const LocalView& local, const Partition<rank>& partition, const Halo<rank>& halo)
      : state_(std::make_shared<State>(State{local, partition, halo}))
  {
  }

  static std::array<std::int64_t, rank> extents(const Partition<rank>& partition, const Halo<rank>& halo)
  {
    std::array<std::int64_t, rank> result;
    for (int axis = 0; axis < rank; ++axis)
      result[axis] = halo.low[axis] + partition.box().extent(axis) + halo.high[axis];
    return result;
  }

  template <class Exec>
  static LocalView allocated(const Exec& exec, const std::string& label, const Partition<rank>& partition,
                             const Halo<rank>& halo)
  {
    auto extent = extents(partition, halo);
    for (std::int64_t& points : extent) points = std::max<std::int64_t>(points, 0); // a negative halo is refused later
    const auto on = core::on(exec);
    return [&]<std::size_t... axis>(std::index_sequence<axis...>)
    {
      return LocalView(Kokkos::view_alloc(on.space, label), static_cast<std::size_t>(extent[axis])...);
    }
    (std::make_index_sequence<rank>());
  }

  std::shared_ptr<State> state_;
};

namespace core {

template <class T>
inline constexpr bool is_distributed = false;
template <class View>
inline constexpr bool is_distributed<Distributed<View>> = true;
template <class View>
inline constexpr bool is_data<Distributed<View>> = true;

/// Distributed<View>, const or not.
template <class T>
concept DistributedField = is_distributed<std::remove_cv_t<T>>;

/// Memory for the points of a field with another halo, in the field's layout. That of LayoutStride is more than its type: the
/// order of the axes and the distance of neighbours, by which calls choose their kernels.
template <class Exec, class View>
View allocated_like(const Exec& exec, const std::string& label, const Distributed<View>& field,
                    const Halo<Distributed<View>::rank>& halo)
{
  if constexpr (!std::is_same_v<typename View::array_layout, Kokkos::LayoutStride>) {
    return Distributed<View>(exec, label, field.partition(), halo).local();
  } else {
    constexpr std::size_t rank = View::rank;
    const auto like = field_of(field.local());
    std::array<int, rank> order;
    std::iota(order.begin(), order.end(), 0);
    if (like.stride[0] >= like.stride[rank - 1]) std::reverse(order.begin(), order.end()); // where strides are equal
    order = fastest_first(like, order, rank);
    std::int64_t stride = std::max<std::int64_t>(std::abs(like.stride[order[0]]), 1);
    Kokkos::LayoutStride layout;
    for (const int axis : order) {
      const auto k = static_cast<std::size_t>(axis);
      const std::int64_t extent = halo.low[k] + field.box().extent(axis) + halo.high[k];
      layout.dimension[axis] = static_cast<std::size_t>(extent);
      layout.stride[axis] = static_cast<std::size_t>(stride);
      stride *= std::max<std::int64_t>(extent, 1);
    }
    return View(Kokkos::view_alloc(exec, label), layout);
  }
}

/// The fields of one component that a field is made of, by reference.
template <class View>
auto components_of(const Distributed<View>& field)
{
  if constexpr (has_components<View>) return [&]<std::size_t... c>(std::index_sequence<c...>)
    {
      return std::tie(field.component(static_cast<int>(c))...);
    }
  (std::make_index_sequence<View::static_extent(View::rank - 1)>());
  else return std::tie(field);
}

/// Compile-time: an argument of a call that takes fields of one component.
template <class View>
consteval void require_one_component()
{
  static_assert(!has_components<View>,
                "Keramos: this call takes a field of one component; of a field whose View has a "
                "last extent that is fixed, such as View<double***[3]>, name one: u.component(0).");
}

/// The same points on the same ranks; `like` names the other field.
template <class A, class B>
void check_same_partition(const char* function, const char* argument, const Distributed<A>& field, const char* like,
                          const Distributed<B>& other)
{
  bool same = &field.communicator() == &other.communicator();
  for (int axis = 0; axis < Distributed<A>::rank; ++axis)
    same = same && field.partition().cuts(axis) == other.partition().cuts(axis);
  if (!same) fail(function, argument, text("a field of the same ranks and cuts as ", like), "another partition");
}

} // namespace core
} // namespace Keramos
