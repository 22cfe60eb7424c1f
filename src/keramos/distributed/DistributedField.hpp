// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributed<View>: the part of a global field that this rank owns, with a halo around it.
#pragma once

#include "../core/Error.hpp"
#include "../core/Field.hpp"
#include "../core/Views.hpp"
#include "Partition.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
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

/// The box of a View that begins at an index.
template <class View, std::size_t Rank>
auto part_of_view(const View& view, const std::array<std::int64_t, Rank>& begin,
                  const std::array<std::int64_t, Rank>& extent)
{
  const auto range = [&](std::size_t axis) {
    return Kokkos::pair<std::size_t, std::size_t>(static_cast<std::size_t>(begin[axis]),
                                                  static_cast<std::size_t>(begin[axis] + extent[axis]));
  };
  return [&]<std::size_t... axis>(std::index_sequence<axis...>) { return Kokkos::subview(view, range(axis)...); }
  (std::make_index_sequence<Rank>());
}

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
///
/// Cost     the halo's memory
template <core::KokkosView LocalView>
class Distributed {
public:
  static constexpr int rank = static_cast<int>(LocalView::rank);
  using view_type = LocalView;
  using value_type = typename LocalView::value_type;

  /// (collective) Allocates, filled with 0 in the order of `exec`.
  template <class Exec>
  Distributed(const Exec& exec, const std::string& label, const Partition<rank>& partition, const Halo<rank>& halo = {})
      : Distributed(allocated(exec, label, partition, halo), partition, halo)
  {
  }

  /// (collective) Takes an application's View. Throws Error, on all ranks, unless its extents are those of the owned points
  /// and the halo.
  Distributed(const LocalView& local, const Partition<rank>& partition, const Halo<rank>& halo = {})
      : state_(std::make_shared<State>(State{local, partition, halo, {}}))
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

  /// What calls remember with this field; not for applications.
  std::vector<std::unique_ptr<core::Remembered>>& remembered() const { return state_->remembered; }

private:
  struct State {
    LocalView local;
    Partition<rank> partition;
    Halo<rank> halo;
    std::vector<std::unique_ptr<core::Remembered>> remembered;
  };

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
    return [&]<std::size_t... axis>(std::index_sequence<axis...>)
    {
      return LocalView(Kokkos::view_alloc(exec, label), static_cast<std::size_t>(extent[axis])...);
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

/// Distributed<View>, const or not.
template <class T>
concept DistributedField = is_distributed<std::remove_cv_t<T>>;

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

/// Stands in what a field remembers, and so lives as long as the field. An address would not do: another field may get it
/// some day, and on one rank sooner than on the next.
struct FieldIdentity final : Remembered {
  std::shared_ptr<const int> token = std::make_shared<const int>();
};

/// The same field, or none in both: a field that is no more is still another one than none.
inline bool is_same_identity(const std::weak_ptr<const int>& one, const std::shared_ptr<const int>& other)
{
  return !one.owner_before(other) && !other.owner_before(one);
}

template <class View>
std::shared_ptr<const int> identity_of(const Distributed<View>& field)
{
  for (const auto& one : field.remembered())
    if (const auto* identity = dynamic_cast<const FieldIdentity*>(one.get())) return identity->token;
  auto identity = std::make_unique<FieldIdentity>();
  const auto token = identity->token;
  field.remembered().push_back(std::move(identity));
  return token;
}

} // namespace core
} // namespace Keramos
