// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a figure is taken. A case is one piece of work on given data; its contenders do it in turn: Keramos and others. Of
// every contender, the answer is checked once, over a poisoned output and at the timed size; then each repetition times one
// call between two looks at the yardstick. Google Benchmark registers, filters and writes JSON: a repetition is a run with
// manual time, and the tables (tables.py) are made of these raw runs.
#pragma once

#include "Nearby.hpp"
#include "Program.hpp"

#include <Kokkos_Core.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perf {

using Space = Kokkos::DefaultHostExecutionSpace;

/// What a figure is a fraction of, measured right before and right after it. Arithmetic is multiply-adds on the host and
/// reciprocal square roots on a GPU; launch is an empty Kokkos::parallel_for on the default space or on Kokkos::Serial.
enum class Yardstick { copy, arithmetic, launch, serial_launch };

struct Case {
  std::string name; ///< "star-25 f32 512^3"
  double work;      ///< points, bytes or pairs: what the figure counts
  double need;      ///< bytes that must move, or vector lanes of multiply-adds, in all
  Yardstick yardstick;
  std::function<void()> poison;                     ///< leaves no right answer in the output
  std::function<std::string(double share)> mistake; ///< what is wrong with the output; empty where it is right
  int calls = 1;                                    ///< in one repetition: so many that events on a GPU can time them
  bool host_time =
      false; ///< the figure is the host's time until its calls return; a contender's `run` does all `calls`
};

/// Figures of a contender that have columns of their own in the tables: {"rms_error", 7.1e-6}.
using Columns = std::vector<std::pair<std::string, double>>;

struct Contender {
  std::string name;                          ///< "Keramos", "Kokkos MDRange"
  std::function<std::string()> run;          ///< one call; returns the kernel it took, if that has a name
  double share = 1;                          ///< the part of the case's work that it does: slow ones need not do it all
  std::function<Columns()> columns = {};     ///< asked once, after the check
  std::function<std::string()> mistake = {}; ///< instead of the case's, for who does something else (a copy)
  bool by_host_clock = false;                ///< beside GPUs: a program for the host
  bool rival = true;                         ///< does the case's work; false for a copy beside transposes
  std::string absent = {};                   ///< why it cannot run here, if it cannot: the tables say so
};

/// Registers FAMILY/CASE/CONTENDER with Google Benchmark. Beside cases near those of the table there are no rivals.
void add(const std::string& family, const Case& the_case, std::vector<Contender> contenders);

/// Defined by each program: its table of cases.
void add_cases();

/// Data that several cases share: made when first asked for, freed when other data is asked for. One lives at a time.
inline std::function<void()> free_living_data = [] {};

template <class Data>
class Lazy {
public:
  explicit Lazy(std::function<Data()> make)
      : state_(std::make_shared<State>(State{std::move(make), {}, allocation_of_cases()}))
  {
  }

  Data& operator*() const
  {
    if (!state_->data) {
      free_living_data();
      gaps.allocation = state_->allocation;
      state_->data.emplace(state_->make());
      gaps = {};
      free_living_data = [state = state_] { state->data.reset(); };
    }
    return *state_->data;
  }
  Data* operator->() const { return &**this; }

private:
  struct State {
    std::function<Data()> make;
    std::optional<Data> data;
    int allocation;
  };
  std::shared_ptr<State> state_;
};

} // namespace perf
