// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a channel's messages.
#pragma once

#include "../Communicator.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace Keramos::core {

/// pinned: of the host, where a GPU copies at full speed.
enum class Memory { host, pinned, device };

struct FreeMemory {
  Memory memory = Memory::host;
  void operator()(std::byte* bytes) const;
};
using Allocation = std::unique_ptr<std::byte, FreeMemory>;

/// At least 256 bytes aligned on a GPU, 64 on the host. Throws what CUDA says where there is no such memory.
Allocation allocate(std::size_t bytes, Memory memory);

/// Where a message of so many bytes begins, the first place at or behind `end`: in cache lines of its own; a large one in pages
/// of a GPU's own, where copy engines keep their rate beside kernels.
std::size_t message_place(std::size_t end, std::size_t bytes);

/// The buffers of all messages of one direction; a message that has a place stays there.
class Buffers {
public:
  Buffers(const std::vector<Message>& messages, Memory memory);

  std::byte* operator[](std::size_t message) const { return begin_[message]; }
  /// Somebody else may still use it: it is never freed.
  void leave() { static_cast<void>(allocation_.release()); }

private:
  Allocation allocation_;
  std::vector<std::byte*> begin_;
};

} // namespace Keramos::core
