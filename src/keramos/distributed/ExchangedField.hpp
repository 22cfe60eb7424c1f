// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an exchange of halos is asked for, its pieces, and where a field has them.
#pragma once

#include "BoxCopies.hpp"
#include "DistributedField.hpp"
#include "FieldIdentity.hpp"
#include "HaloPlan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace Keramos::core {

/// The same rules, also where a constant is no number.
inline bool is_same_rule(const AxisRule& a, const AxisRule& b)
{
  const auto same = [](const EdgeRule& one, const EdgeRule& other) {
    return one.kind == other.kind &&
           std::bit_cast<std::uint64_t>(one.value) == std::bit_cast<std::uint64_t>(other.value);
  };
  return same(a.low, b.low) && same(a.high, b.high);
}

/// What an exchange is for: two that agree in this are one.
struct HaloRequest {
  std::array<std::int64_t, 3> low{}, high{}; ///< widths to fill; 0 along axes that are left out
  std::array<AxisRule, 3> edges{periodic, periodic, periodic};
  bool corners = true;
  bool beside = true; ///< something is computed while messages travel

  friend bool operator==(const HaloRequest& a, const HaloRequest& b)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!is_same_rule(a.edges[axis], b.edges[axis])) return false;
    return a.low == b.low && a.high == b.high && a.corners == b.corners && a.beside == b.beside;
  }
};

/// The axes of a field, the fastest in memory first.
using AxesInMemory = std::array<int, 3>;

/// What a rank tells the others of each field at the first exchange of a kind.
struct HaloTerms {
  HaloRequest request;
  AxesInMemory order{}; ///< of this rank's View; with LayoutStride another rank's may differ
};
static_assert(std::is_trivially_copyable_v<HaloTerms>, "Keramos: what ranks tell each other is bytes.");

/// All that a field has beyond its own points.
template <class View>
HaloRequest whole_halo(const Distributed<View>& field, const EdgeRules<Distributed<View>::rank>& edges, bool beside)
{
  HaloRequest request;
  request.beside = beside;
  for (std::size_t axis = 0; axis < View::rank; ++axis) {
    request.low[axis] = field.halo().low[axis];
    request.high[axis] = field.halo().high[axis];
    request.edges[axis] = edges[static_cast<int>(axis)];
  }
  return request;
}

/// An axis of a partition, or one of a single point behind its rank.
template <int Rank>
HaloAxis halo_axis(const Partition<Rank>& partition, const HaloRequest& request, std::size_t axis)
{
  if (axis >= Rank) return {{0, 1}};
  return {partition.cuts(static_cast<int>(axis)), request.low[axis], request.high[axis], request.edges[axis]};
}

/// The pieces of one rank's halo.
template <int Rank>
std::vector<HaloPiece> pieces_of(const Partition<Rank>& partition, const HaloRequest& request, int rank)
{
  const auto at = partition.ranks().coordinates(rank);
  Kokkos::Array<int, 3> part{};
  for (int axis = 0; axis < Rank; ++axis) part[axis] = at[static_cast<std::size_t>(axis)];
  return halo_pieces(
      {halo_axis(partition, request, 0), halo_axis(partition, request, 1), halo_axis(partition, request, 2)}, part,
      request.corners);
}

/// The rank that owns a piece's images.
template <int Rank>
int source_rank(const Partition<Rank>& partition, const HaloPiece& piece)
{
  std::array<int, Rank> at;
  for (int axis = 0; axis < Rank; ++axis) at[static_cast<std::size_t>(axis)] = piece.part[axis];
  return partition.ranks().rank_at(at);
}

/// What `reader` reads of `owner`, in the order in which it is sent.
template <int Rank>
std::vector<HaloPiece> pieces_between(const Partition<Rank>& partition, const HaloRequest& request, int reader,
                                      int owner)
{
  std::vector<HaloPiece> pieces = pieces_of(partition, request, reader);
  std::erase_if(pieces,
                [&](const HaloPiece& piece) { return piece.is_constant || source_rank(partition, piece) != owner; });
  return pieces;
}

/// Does `owner` send `reader` the same points by both requests? What a constant is stays a matter of each rank.
template <int Rank>
bool sends_the_same(const Partition<Rank>& partition, const HaloRequest& one, const HaloRequest& other, int reader,
                    int owner)
{
  return one == other ||
         std::ranges::equal(pieces_between(partition, one, reader, owner),
                            pieces_between(partition, other, reader, owner), [](const auto& a, const auto& b) {
                              return a.extent == b.extent && a.source == b.source && a.step == b.step;
                            });
}

inline std::int64_t points_of(const HaloPiece& piece) { return piece.extent[0] * piece.extent[1] * piece.extent[2]; }

/// A field of an exchange, with the type of its View taken away.
template <class T>
struct ExchangedField {
  Field<T, 3> local;
  AxesInMemory order{};         ///< of the local View
  Index3 own_begin{}, offset{}; ///< of the first own point: global, and in the local View
  HaloRequest request;
  std::weak_ptr<const int> identity; ///< see FieldIdentity

  template <class View>
  ExchangedField(const Distributed<View>& field, const HaloRequest& the_request)
      : local(padded<3>(field_of(field.local()))),
        order(fastest_first(local, AxesInMemory{0, 1, 2}, Distributed<View>::rank)), request(the_request),
        identity(identity_of(field))
  {
    for (int axis = 0; axis < Distributed<View>::rank; ++axis) {
      own_begin[axis] = field.box().begin[static_cast<std::size_t>(axis)];
      offset[axis] = field.halo().low[static_cast<std::size_t>(axis)];
    }
  }

  template <class View>
  bool is(const Distributed<View>& field, const HaloRequest& the_request) const
  {
    return request == the_request && is_same_identity(identity, identity_of(field));
  }

  T* at(const Index3& index) const
  {
    Index3 in_view;
    for (int axis = 0; axis < 3; ++axis) in_view[axis] = index[axis] + offset[axis];
    return &local[in_view];
  }

  /// Of a piece, with the axes in an order that its sender and its receiver have agreed on; so are both ends below.
  static BoxCopy<T> box_of(const HaloPiece& piece, const AxesInMemory& axes)
  {
    BoxCopy<T> box;
    for (int p = 0; p < 3; ++p) box.extent[p] = piece.extent[axes[p]];
    return box;
  }
  /// The images of a piece, in this rank's memory.
  void set_source(BoxCopy<T>& box, const HaloPiece& piece, const AxesInMemory& axes) const
  {
    Index3 source;
    for (int axis = 0; axis < 3; ++axis) source[axis] = piece.source[axis] - own_begin[axis];
    box.from = at(source);
    for (int p = 0; p < 3; ++p) box.from_stride[p] = local.stride[axes[p]] * piece.step[axes[p]];
  }
  void set_target(BoxCopy<T>& box, const HaloPiece& piece, const AxesInMemory& axes) const
  {
    box.to = at(piece.begin);
    for (int p = 0; p < 3; ++p) box.to_stride[p] = local.stride[axes[p]];
  }
};

} // namespace Keramos::core
