// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells on the standard error how far something has come: a moving bar on a terminal, a line every tenth in a log.
#pragma once

#include <chrono>
#include <string>

namespace demo {

class Progress {
public:
  Progress(std::string what, long total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of the total; cheap enough to call in every step.
  void at(long done);

private:
  using Clock = std::chrono::steady_clock;

  void draw_bar(double share, double seconds);
  void print_line(double share, double seconds);

  std::string what_;
  long total_;
  bool is_terminal_;
  int tenths_told_ = 0;
  Clock::time_point start_, last_drawn_;
};

} // namespace demo
