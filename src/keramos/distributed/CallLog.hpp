// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What KERAMOS_LOG prints of calls over several processes: one line a call on every rank, however many kernels it is made
// of; with "summary" each line once.
#pragma once

#include "../core/Error.hpp"
#include "../core/Execution.hpp"
#include "../core/Log.hpp"
#include "Communicator.hpp"
#include "DistributedKernel.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace Keramos::core {

/// Lives as long as the call, and refers to its execution argument.
class CallLog {
public:
  template <class Space>
  CallLog(const char* function, const On<Space>& on, const Communicator& ranks)
      : function_(function), space_(on.space.name()), label_(on.label), ranks_(ranks)
  {
  }

  /// "Keramos: copy on OpenMP, rank 1 of 3: openmp: rows 4B; boundary openmp: rows 4B; by mpi (the first choice)"
  void took(const DistributedKernel& kernel, bool dry) const
  {
    if (logs_calls()) write(kernel, text(" (", parts_.reason(), dry ? "; dry run" : "", ")"));
  }
  /// "Keramos: exchange_halo on OpenMP, rank 1 of 3: 2 messages, 4096 bytes sent; by mpi"
  void sent(const std::vector<Message>& sends, const char* transport, bool dry) const
  {
    if (!logs_calls()) return;
    std::size_t bytes = 0;
    for (const Message& message : sends) bytes += message.bytes;
    write(text(sends.size(), sends.size() == 1 ? " message, " : " messages, ", bytes, " bytes sent; by ", transport),
          dry ? " (dry run)" : "");
  }

private:
  template <class What>
  void write(const What& what, const std::string& behind) const
  {
    log_call(text("Keramos: ", labelled(label_, function_), " on ", space_, ", rank ", ranks_.rank(), " of ",
                  ranks_.size(), ": ", what, behind),
             parts_.fell());
  }

  const char *function_, *space_;
  const std::string& label_;
  const Communicator& ranks_;
  LogOfParts parts_;
};

} // namespace Keramos::core
