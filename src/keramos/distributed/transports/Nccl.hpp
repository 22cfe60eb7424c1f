// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transport "nccl": messages of GPUs by ncclSend and ncclRecv, in a stream, within a machine and between machines.
#pragma once

#include "../Communicator.hpp"

#include <memory>
#include <vector>

namespace Keramos::core {

/// The group's communicator of NCCL.
class Nccl {
public:
  virtual ~Nccl() = default;
  virtual std::unique_ptr<Channel> open(const std::vector<Message>& sends, const std::vector<Message>& receives) = 0;
};

/// (collective) Null, on all ranks, where Keramos was built without NCCL or NCCL refuses: a GPU for each rank is missing.
std::unique_ptr<Nccl> nccl_of(Communicator& ranks);

} // namespace Keramos::core
