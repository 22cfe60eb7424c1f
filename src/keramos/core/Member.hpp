// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keramos::member: a member of every struct in a View of structs, as a View.
#pragma once

#include "Views.hpp"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace Keramos {
namespace core {

/// A member's element, and how many of them it has: 0 is a number, which is no array.
template <class Member>
struct MemberElements {
  using type = Member;
  static constexpr std::size_t count = 0;
};
template <class Element, std::size_t Count>
struct MemberElements<Element[Count]> {
  using type = Element;
  static constexpr std::size_t count = Count;
};
/// std::array, Kokkos::Array: not what only points to its elements.
template <class Member>
  requires(std::tuple_size<std::remove_const_t<Member>>::value > 0 && requires(Member & member) { member.data(); })
struct MemberElements<Member> {
  using type = std::remove_pointer_t<decltype(std::declval<Member&>().data())>;
  static constexpr std::size_t count = std::tuple_size_v<std::remove_const_t<Member>>;
};

/// A number or the like, and neither an array nor a pointer to numbers, as a std::vector or a View is.
template <class Element>
consteval bool holds_its_value()
{
  return std::is_trivially_copyable_v<Element> && !std::is_array_v<Element> && !std::is_pointer_v<Element> &&
         !requires(Element & e)
  {
    e.data();
  };
}

template <class View>
consteval bool is_view_of_structs()
{
  if constexpr (KokkosView<View>)
    return static_cast<int>(View::rank) == 1 && std::is_class_v<typename View::value_type>;
  else
    return false;
}

} // namespace core

/// The member of every struct of a View, where it lies: a strided View, of rank 2 where the member is an array of numbers.
///
///     struct Atom { double position[3]; float charge; int kind; };
///     Keramos::member(atoms, &Atom::position)                // (n, 3)
///     Keramos::member(atoms, &Atom::charge)                  // n
///     Keramos::member(atoms, &Atom::place, &Place::x)        // n: of a struct in the struct
///
/// structs  a View of rank 1, of any layout and memory space. It must live as long as what this returns, which owns nothing
/// path     pointers to data members, the outermost first
///
/// Errors   (at compile time) what is no View of structs; a path of anything but pointers to data members; a member that only
///          points to its elements; an element that does not divide the size of the structs, as in packed ones
/// Cost     none: nothing is copied
template <class Structs, class... Pointers>
  requires(sizeof...(Pointers) > 0)
auto member(const Structs& structs, Pointers... path)
{
  static_assert(core::is_view_of_structs<Structs>(),
                "Keramos::member: the first argument must be a Kokkos::View of structs, of rank 1.");
  constexpr bool is_path = (std::is_member_object_pointer_v<Pointers> && ...);
  static_assert(is_path, "Keramos::member: what follows the structs must be pointers to data members, as in "
                         "member(atoms, &Atom::charge).");
  if constexpr (core::is_view_of_structs<Structs>() && is_path) {
    using Struct = typename Structs::value_type;
    using Member = std::remove_reference_t<decltype((std::declval<Struct&>().*....*path))>;
    using Element = typename core::MemberElements<Member>::type;
    constexpr std::size_t count = core::MemberElements<Member>::count;
    static_assert(
        core::holds_its_value<Element>(),
        "Keramos::member: the member must be a number or an array of numbers, T[n], std::array or Kokkos::Array.");
    static_assert(
        sizeof(Struct) % sizeof(Element) == 0 && alignof(Struct) >= alignof(Element),
        "Keramos::member: the size and the alignment of the struct must be multiples of those of the member's "
        "elements, or no strides lead from one to the next: is the struct a packed one?");
    Element* first = structs.data() ? reinterpret_cast<Element*>(&(*structs.data().*....*path)) : nullptr;
    const std::size_t stride = structs.stride(0) * (sizeof(Struct) / sizeof(Element));
    using Traits = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    using Device = typename Structs::device_type;
    if constexpr (count == 0)
      return Kokkos::View<Element*, Kokkos::LayoutStride, Device, Traits>(
          first, Kokkos::LayoutStride(structs.extent(0), stride));
    else
      return Kokkos::View<Element**, Kokkos::LayoutStride, Device, Traits>(
          first, Kokkos::LayoutStride(structs.extent(0), stride, count, 1));
  }
}

} // namespace Keramos
