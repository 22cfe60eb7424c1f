// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Progress.hpp"

#include <cstdio>
#include <unistd.h>
#include <utility>

namespace demo {

Progress::Progress(std::string what, long total)
    : what_(std::move(what)), total_(total), is_terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()),
      last_drawn_(start_)
{
}

Progress::~Progress()
{
  if (is_terminal_) std::fputs("\r\033[K", stderr); // the bar leaves nothing behind
}

void Progress::at(long done)
{
  const auto now = Clock::now();
  const double share = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  if (!is_terminal_) {
    print_line(share, seconds);
  } else if (now - last_drawn_ > std::chrono::milliseconds(100)) {
    last_drawn_ = now;
    draw_bar(share, seconds);
  }
}

void Progress::draw_bar(double share, double seconds)
{
  constexpr int width = 32;
  const int filled = static_cast<int>(share * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  const double left = share > 0 ? seconds * (1 - share) / share : 0;
  std::fprintf(stderr, "\r\033[K%s [%s] %3.0f%%, %.0f s left", what_.c_str(), bar.c_str(), 100 * share, left);
  std::fflush(stderr);
}

void Progress::print_line(double share, double seconds)
{
  const int tenths = static_cast<int>(share * 10 + 1e-9);
  if (tenths <= tenths_told_) return;
  tenths_told_ = tenths;
  std::fprintf(stderr, "%s: %d%% after %.1f s\n", what_.c_str(), 10 * tenths, seconds);
}

} // namespace demo
