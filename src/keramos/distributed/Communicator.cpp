// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Communicator.hpp"

#include "../core/Error.hpp"

#include <algorithm>

namespace Keramos::core {

void agree(Communicator& communicator, const std::function<void()>& check)
{
  std::string said;
  try {
    check();
  } catch (const Error& error) {
    said = error.what();
  }
  const std::size_t mine = said.size();
  std::vector<std::size_t> sizes(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&mine, sizeof mine, sizes.data());
  const auto first = std::find_if(sizes.begin(), sizes.end(), [](std::size_t size) { return size != 0; });
  if (first == sizes.end()) return;
  const int rank = static_cast<int>(first - sizes.begin());
  said.resize(*first);
  communicator.broadcast(said.data(), said.size(), rank);
  throw Error(text(said, " (on rank ", rank, " of ", communicator.size(), ")"));
}

bool is_same_everywhere(Communicator& communicator, std::uint64_t mine)
{
  std::vector<std::uint64_t> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(&mine, sizeof mine, all.data());
  return std::ranges::count(all, all.front()) == communicator.size();
}

bool any_rank(Communicator& communicator, bool mine)
{
  std::vector<char> all(static_cast<std::size_t>(communicator.size()));
  const char answer = mine ? 1 : 0;
  communicator.all_gather(&answer, sizeof answer, all.data());
  return std::ranges::count(all, 1) > 0;
}

} // namespace Keramos::core
