// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random cases for property tests. A case depends on its seed alone, whatever the machine and the standard library; the
// message of a failure is the command that runs this case again, as its first. KERAMOS_TEST_SEED in the environment is
// the first seed; without it every run is the same.
#pragma once

#include "Support.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>

namespace test {

/// What a case draws.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::int64_t between(std::int64_t least, std::int64_t largest)
  {
    return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(largest - least + 1));
  }
  bool coin() { return between(0, 1) == 1; }

  template <class List>
  auto one_of(const List& list)
  {
    return *(std::begin(list) + between(0, static_cast<std::int64_t>(std::size(list)) - 1));
  }
  std::int64_t one_of(std::initializer_list<std::int64_t> list)
  {
    return *(list.begin() + between(0, static_cast<std::int64_t>(list.size()) - 1));
  }
  Memory memory() { return one_of(memories); }

  /// 0, 1, the reach of an operator and the edges of vectors and tiles more often than chance would have them.
  std::int64_t extent(std::int64_t radius)
  {
    switch (between(0, 4)) {
    case 0:
      return one_of({0, 1, 2, radius, radius + 1, 2 * radius, 2 * radius + 1});
    case 1:
    case 2:
      return one_of({7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513});
    default:
      return between(1, 40);
    }
  }
  template <std::size_t Rank>
  std::array<std::int64_t, Rank> extents(std::int64_t radius, std::int64_t max_points)
  {
    std::array<std::int64_t, Rank> result{};
    std::int64_t points;
    do {
      points = 1; // of the other axes, where one has none: they still take memory
      for (auto& extent : result) {
        extent = this->extent(radius);
        points *= std::max<std::int64_t>(1, extent);
      }
    } while (points > max_points);
    return result;
  }

  std::vector<std::int64_t> permutation(int count)
  {
    std::vector<std::int64_t> order(count);
    for (int k = 0; k < count; ++k) {
      const auto place = between(0, k);
      order[k] = order[place];
      order[place] = k;
    }
    return order;
  }

  /// Integers of at most this magnitude: sums of their products are exact, in any order.
  template <class T, int Rank>
  void fill(const Array<T, Rank>& array, std::int64_t magnitude)
  {
    array.for_each([&](const auto& i) { array.at(i) = static_cast<T>(between(-magnitude, magnitude)); });
  }

private:
  std::mt19937_64 engine_;
};

inline std::uint64_t first_seed()
{
  const char* const text = std::getenv("KERAMOS_TEST_SEED");
  if (!text) return 20260101;
  std::uint64_t seed = 0;
  const char* const text_end = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, text_end, seed);
  if (error != std::errc() || end != text_end || end == text)
    throw std::runtime_error(std::string("KERAMOS_TEST_SEED: expected a number, got ") + text);
  return seed;
}

/// property(dice) for `count` seeds, until one fails.
template <class Property>
void for_random_cases(int count, const Property& property)
{
  const std::uint64_t first = first_seed();
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  for (std::uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    const testing::ScopedTrace trace("", 0,
                                     Keramos::core::text("once more: KERAMOS_TEST_SEED=", seed, " ",
                                                         program_invocation_name,
                                                         " --gtest_filter=", test.test_suite_name(), ".", test.name()));
    try {
      Dice dice(seed);
      property(dice);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// The backends beside the reference: Keramos' own choice, for which nothing stands here, so that a call that the first
/// backend does not cover is asked all the same, and the others.
inline std::vector<std::optional<Keramos::Backend>> asked_backends()
{
  std::vector<std::optional<Keramos::Backend>> backends{std::nullopt};
  for (const auto backend : fast_backends())
    if (backend != first_backend) backends.push_back(backend);
  return backends;
}

/// call(exec) on one of them.
template <class Call>
Keramos::Kernel run_on(std::optional<Keramos::Backend> backend, const Call& call)
{
  return backend ? run(*backend, call) : run(call);
}

/// The call on a host space with another number of threads, or on the usual instance.
template <class Call>
Keramos::Kernel run_anywhere(Dice& dice, Keramos::Backend backend, const Call& call)
{
  [[maybe_unused]] const auto choice = dice.between(0, 2);
  if (backend == Keramos::Backend::openmp || backend == Keramos::Backend::reference) {
#ifdef KOKKOS_ENABLE_SERIAL
    if (choice == 0) return call(Keramos::with_backend(Kokkos::Serial(), backend));
#endif
#ifdef KOKKOS_ENABLE_OPENMP
    if (choice == 1) {
      const Kokkos::OpenMP one_thread(1);
      const auto kernel = call(Keramos::with_backend(one_thread, backend));
      one_thread.fence("the test reads what was written");
      return kernel;
    }
#endif
  }
  return test::run(backend, call);
}

} // namespace test
