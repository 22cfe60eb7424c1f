// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue of a stencil call over distributed fields: what it is for one rank's call, and which distributed fields it declares.
#pragma once

#include "../../Keramos_Stencil.hpp"
#include "DistributedField.hpp"
#include "FieldIdentity.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>

namespace Keramos::core {

/// A functor of View indices gets global ones.
template <class F, int Rank>
struct AtGlobalIndices {
  F f;
  Kokkos::Array<std::int64_t, Rank> first;

  template <class T, class... Index>
  KOKKOS_FUNCTION decltype(auto) operator()(T value, T centre, Index... index) const
  {
    int axis = 0;
    const Kokkos::Array<std::int64_t, Rank> at{(first[axis++] + index)...};
    if constexpr (Rank == 1)
      return f(value, centre, at[0]);
    else if constexpr (Rank == 2)
      return f(value, centre, at[0], at[1]);
    else
      return f(value, centre, at[0], at[1], at[2]);
  }
};

/// A declared field as the local call takes it: the owned part of a distributed one; Views and numbers stay.
template <class Field>
auto local_field(const Field& field)
{
  if constexpr (is_distributed<Field>)
    return field.owned();
  else
    return field;
}

/// The epilogue of the local call.
template <int Rank, class F>
auto local_epilogue(const F& f, const Subdomain<Rank>& box)
{
  AtGlobalIndices<std::decay_t<F>, Rank> local{f, {}}; // a function that is named is kept as a pointer
  for (int axis = 0; axis < Rank; ++axis) local.first[axis] = box.begin[static_cast<std::size_t>(axis)];
  return local;
}
template <int Rank>
StoreValue local_epilogue(const StoreValue& store, const Subdomain<Rank>&)
{
  return store;
}
template <int Rank, class F, class... Fields>
auto local_epilogue(const Epilogue<F, Fields...>& epilogue, const Subdomain<Rank>&)
{
  return std::apply([&](const auto&... field) { return Epilogue(epilogue.f, local_field(field)...); }, epilogue.fields);
}
template <int Rank, class Previous, class Scale>
auto local_epilogue(const LeapFrog<Previous, Scale>& epilogue, const Subdomain<Rank>&)
{
  return LeapFrog{local_field(epilogue.previous), local_field(epilogue.scale)};
}

/// See FieldIdentity; nothing for Views and numbers.
template <std::size_t Count>
using Identities = std::array<std::shared_ptr<const int>, Count>;

/// Which distributed field an epilogue reads: what tells two kinds of calls apart.
template <class Field>
std::shared_ptr<const int> identity(const Field& field)
{
  if constexpr (is_distributed<Field>)
    return identity_of(field);
  else
    return nullptr;
}
template <class F>
Identities<0> fields_of(const F&)
{
  return {};
}
template <class F, class... Fields>
Identities<sizeof...(Fields)> fields_of(const Epilogue<F, Fields...>& epilogue)
{
  return std::apply([](const auto&... field) { return Identities<sizeof...(Fields)>{identity(field)...}; },
                    epilogue.fields);
}
template <class Previous, class Scale>
Identities<2> fields_of(const LeapFrog<Previous, Scale>& epilogue)
{
  return {identity(epilogue.previous), identity(epilogue.scale)};
}

/// Calls check(name, field) for every distributed field that an epilogue declares.
template <class F, class Check>
void for_fields(const F&, const Check&)
{
}
template <class F, class... Fields, class Check>
void for_fields(const Epilogue<F, Fields...>& epilogue, const Check& check)
{
  std::apply([&](const auto&... field) { (check("fields", field), ...); }, epilogue.fields);
}
template <class Previous, class Scale, class Check>
void for_fields(const LeapFrog<Previous, Scale>& epilogue, const Check& check)
{
  check("previous", epilogue.previous);
  check("scale", epilogue.scale);
}

} // namespace Keramos::core
