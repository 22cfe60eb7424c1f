// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two calls were given the same distributed field.
#pragma once

#include "DistributedField.hpp"

#include <memory>
#include <utility>

namespace Keramos::core {

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

} // namespace Keramos::core
