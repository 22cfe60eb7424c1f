// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Epilogues: what they are given, what they may read and write, and the ready-made leap-frog update.
#include "Support.hpp"

#include <gtest/gtest.h>

namespace {

using namespace test;
using Keramos::Backend;

/// value + 10 * centre + the place itself: every argument shows in the result.
template <class T>
struct ShowsItsArguments {
  KOKKOS_FUNCTION T operator()(T value, T centre, int i) const { return value + 10 * centre + 100 * i; }
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j) const
  {
    return value + 10 * centre + 100 * i + 10000 * j;
  }
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j, int k) const
  {
    return value + 10 * centre + 100 * i + 10000 * j + 1000000 * k;
  }
};

/// Returns void, so it stores by itself: a mask, and a second output.
struct StoresItself {
  StridedView<float, 2> out, other;
  KOKKOS_FUNCTION void operator()(float value, float, int i, int j) const
  {
    if ((i + j) % 2 == 0) out(i, j) = 2 * value;
    other(i, j) = -value;
  }
};

/// Counts how often it is called for a point.
template <class T>
struct CountsCalls {
  StridedView<int, 2> calls;
  KOKKOS_FUNCTION void operator()(T, T, int i, int j) const { ++calls(i, j); }
};

struct AddsToTheOutput {
  StridedView<double, 3> out;
  KOKKOS_FUNCTION double operator()(double, double centre, int i, int j, int k) const { return out(i, j, k) + centre; }
};

/// Reads a View by itself: value + 8 * centre + 512 * number(i, j, k), each part of which shows in the result.
template <class T>
struct ReadsAView {
  StridedView<T, 3> number;
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j, int k) const
  {
    return value + 8 * centre + 512 * number(i, j, k);
  }
};

/// The same memory, View indices 0 and 1 exchanged.
template <class T>
StridedView<T, 3> turned(const StridedView<T, 3>& view)
{
  Kokkos::LayoutStride layout;
  const int axis[3] = {1, 0, 2};
  for (int k = 0; k < 3; ++k) layout.dimension[k] = view.extent(axis[k]), layout.stride[k] = view.stride(axis[k]);
  return StridedView<T, 3>(view.data(), layout);
}

class Epilogues : public testing::TestWithParam<std::tuple<Backend, Memory, Memory>> {
protected:
  Backend backend() const { return std::get<Backend>(GetParam()); }
  Memory in_memory() const { return std::get<1>(GetParam()); }
  Memory out_memory() const { return std::get<2>(GetParam()); }

  template <int Rank>
  void check_arguments(const std::array<std::int64_t, Rank>& extents)
  {
    const Keramos::Star<Rank, 1> sum(1, {1});
    Array<double, Rank> in(extents, in_memory()), plain(extents, Memory::right), out(extents, out_memory());
    in.for_each([&](const auto& i) { in.at(i) = i[0] % 5; });
    const auto kernel = run(backend(), [&](const auto& exec) {
      return Keramos::apply_stencil(exec, sum, in.view, out.view, Keramos::nearest, ShowsItsArguments<double>());
    });
    run(Backend::reference,
        [&](const auto& exec) { return Keramos::apply_stencil(exec, sum, in.view, plain.view, Keramos::nearest); });
    EXPECT_EQ(kernel.backend, backend());
    out.for_each([&](const auto& i) {
      double expected = plain.at(i) + 10 * in.at(i), unit = 100;
      for (auto index : i) expected += unit * index, unit *= 100;
      EXPECT_EQ(out.at(i), expected) << testing::PrintToString(i);
    });
    EXPECT_EQ(out.touched_outside(), 0);
  }
};

TEST_P(Epilogues, AreGivenValueCentreAndViewIndices)
{
  check_arguments<1>({700});
  check_arguments<2>({9, 40});
  check_arguments<3>({9, 6, 37});
}

/// Threads all of whose points count go another way than those at the ends of tiles and of a region; so do axes that View indices
/// count forwards, backwards, and neither.
template <class T, int Radius>
class EveryTile {
public:
  EveryTile(Backend backend, Memory in_memory, Memory out_memory, const std::array<std::int64_t, 3>& extents)
      : backend_(backend), extents_(extents), in_(extents, in_memory), number_(extents, Memory::right),
        plain_(extents, Memory::right), out_(extents, out_memory)
  {
    in_.for_each([&](const auto& i) { in_.at(i) = T((i[0] + 2 * i[1] + 3 * i[2]) % 5); });
    number_.for_each([&](const auto& i) { number_.at(i) = T((i[0] * extents[1] + i[1]) * extents[2] + i[2]); });
  }

  void check(bool turn) const
  {
    const auto seen = [&](const Array<T, 3>& array) { return turn ? turned<T>(array.view) : array.view; };
    const Keramos::Star<3, Radius> sum(1, ones());
    const std::array end{extents_[turn], extents_[!turn], extents_[2] - 2};
    const Keramos::Region<3> region{std::array<std::int64_t, 3>{0, 1, 3}, end};
    out_.for_each([&](const auto& i) { out_.at(i) = T(-777); });
    plain_.for_each([&](const auto& i) { plain_.at(i) = T(-777); });
    run(backend_, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, sum, seen(in_), seen(out_), Keramos::nearest, ReadsAView<T>{seen(number_)},
                                    region);
    });
    run(Backend::reference, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, sum, seen(in_), seen(plain_), Keramos::nearest, region);
    });
    std::int64_t wrong = 0;
    out_.for_each([&](const auto& i) {
      const bool is_written = plain_.at(i) != T(-777);
      wrong += out_.at(i) != (is_written ? plain_.at(i) + 8 * in_.at(i) + 512 * number_.at(i) : T(-777));
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(out_.touched_outside(), 0);
  }

private:
  static std::array<double, Radius> ones()
  {
    std::array<double, Radius> result;
    result.fill(1);
    return result;
  }

  Backend backend_;
  std::array<std::int64_t, 3> extents_;
  Array<T, 3> in_, number_, plain_, out_;
};

template <class T, int Radius>
void check_every_tile(Backend backend, Memory in, Memory out)
{
  for (const std::int64_t rows : {152, 149})
    for (const bool turn : {false, true}) {
      SCOPED_TRACE(testing::Message() << "rows of " << rows << " turned " << turn);
      EveryTile<T, Radius>(backend, in, out, {9, 21, rows}).check(turn);
    }
}

TEST_P(Epilogues, AreGivenTheirPlaceInEveryTile)
{
  check_every_tile<float, 1>(backend(), in_memory(), out_memory());
  check_every_tile<float, 4>(backend(), in_memory(), out_memory());
  check_every_tile<double, 4>(backend(), in_memory(), out_memory());
}

TEST_P(Epilogues, MayStoreThemselves)
{
  Array<float, 2> in({12, 35}, in_memory()), out({12, 35}, out_memory()), other({12, 35}, Memory::left);
  in.randomise(5);
  const Keramos::Star<2, 2> centre(1, {0, 0});
  run(backend(), [&](const auto& exec) {
    return Keramos::apply_stencil(exec, centre, in.view, out.view, Keramos::mirror, StoresItself{out.view, other.view});
  });
  out.for_each([&](const auto& i) {
    EXPECT_EQ(out.at(i), (i[0] + i[1]) % 2 == 0 ? 2 * in.at(i) : -777);
    EXPECT_EQ(other.at(i), -in.at(i));
  });
}

/// out may be what the epilogue reads at its own point; the centre is right under ghost edges and in a region.
/// In rows of more than a warp's width as well, which begin anywhere.
TEST_P(Epilogues, AreCalledOnceAPoint)
{
  const auto check = [&]<class T>(T, const auto& op) {
    const std::array<std::int64_t, 2> extents{37, 301};
    Array<T, 2> in(extents, in_memory()), out(extents, out_memory());
    Array<int, 2> calls(extents, Memory::right);
    calls.for_each([&](const auto& i) { calls.at(i) = 0; });
    run(backend(), [&](const auto& exec) {
      return Keramos::apply_stencil(exec, op, in.view, out.view, Keramos::nearest, CountsCalls<T>{calls.view});
    });
    calls.for_each([&](const auto& i) { EXPECT_EQ(calls.at(i), 1) << testing::PrintToString(i); });
  };
  const auto weights = []<std::size_t Count>(std::array<double, Count> all) {
    all.fill(1);
    return all;
  };
  check(float{}, Keramos::Star<2, 1>(1, {1}));
  check(double{}, Keramos::Star<2, 1>(1, {1}));
  check(float{}, Keramos::Box<2, 1>(weights(std::array<double, 9>())));
  check(double{}, Keramos::Box<2, 2>(weights(std::array<double, 25>())));
}

TEST_P(Epilogues, MayReadTheOutputAtTheirPoint)
{
  Array<double, 3> in({10, 11, 37}, in_memory()), out({6, 7, 33}, out_memory());
  in.randomise(6);
  out.for_each([&](const auto& i) { out.at(i) = i[0] + 0.5 * i[2]; });
  const Keramos::Star<3, 2> zero;
  run(backend(), [&](const auto& exec) {
    return Keramos::apply_stencil(exec, zero, in.view, out.view, Keramos::ghost, AddsToTheOutput{out.view},
                                  Keramos::Region{std::array{1, 0, 2}, std::array{6, 7, 33}});
  });
  out.for_each([&](const auto& i) {
    const bool inside = i[0] >= 1 && i[2] >= 2;
    EXPECT_EQ(out.at(i), i[0] + 0.5 * i[2] + (inside ? in.at({i[0] + 2, i[1] + 2, i[2] + 2}) : 0));
  });
}

template <class T>
class LeapFrogStep {
public:
  /// One step on `backend`, with `previous` as the output itself or beside it, against the formula in double.
  static void check(Backend backend, Memory in_memory, Memory out_memory, bool in_place, bool field)
  {
    const std::array<std::int64_t, 3> extents{9, 10, 70};
    Array<T, 3> u(extents, in_memory), previous(extents, out_memory), scale(extents, in_memory),
        next(extents, out_memory), laplacian(extents, Memory::right);
    u.randomise(1);
    previous.randomise(2);
    scale.randomise(3);
    const auto star = Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0);
    run(Backend::reference, [&](const auto& exec) {
      return Keramos::apply_stencil(exec, star, u.view, laplacian.view, Keramos::constant(0));
    });
    const auto old = Array<T, 3>(previous);
    std::vector<T> before(previous.buffer.data(), previous.buffer.data() + previous.buffer.size());
    const auto& out = in_place ? previous : next;
    const auto kernel = run(backend, [&](const auto& exec) {
      return field ? Keramos::apply_stencil(exec, star, u.view, out.view, Keramos::constant(0),
                                            Keramos::LeapFrog{previous.view, scale.view})
                   : Keramos::apply_stencil(exec, star, u.view, out.view, Keramos::constant(0),
                                            Keramos::LeapFrog{previous.view, 0.3});
    });
    EXPECT_EQ(kernel.backend, backend);
    if (backend == Backend::openmp || backend == Backend::cuda) {
      EXPECT_NE(kernel.variant.str().find("leap-frog"), std::string::npos) << kernel;
    }
    std::int64_t wrong = 0;
    out.for_each([&](const auto& i) {
      const double was = before[&old.at(i) - old.buffer.data()], c = field ? double(scale.at(i)) : 0.3;
      const double expected = 2. * u.at(i) - was + c * laplacian.at(i);
      const double bound = 30 * std::numeric_limits<T>::epsilon() * 20; // 27 terms, magnitudes up to 20
      wrong += !(std::abs(out.at(i) - expected) <= bound);
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(out.touched_outside(), 0);
  }
};

TEST_P(Epilogues, LeapFrogIsOneStepOfTheWaveEquation)
{
  for (const bool in_place : {true, false})
    for (const bool field : {true, false}) {
      SCOPED_TRACE(testing::Message() << "in place " << in_place << " scale field " << field);
      LeapFrogStep<float>::check(backend(), in_memory(), out_memory(), in_place, field);
      LeapFrogStep<double>::check(backend(), in_memory(), out_memory(), in_place, field);
    }
}

/// Of so many bytes that it and many taps are no parameters of one CUDA kernel.
struct Tabulated {
  double table[300];
  KOKKOS_FUNCTION double operator()(double value, double, int i, int, int) const { return value + table[i]; }
};
TEST(StencilEpilogue, MayBeLargeBehindManyTaps)
{
  if (has_cuda && in_graphs())
    GTEST_SKIP() << "portable's, for whose parameters Kokkos allocates, which no capture allows";
  Keramos::Box<3, 6> box;
  box.at({0, 0, 0}) = 2;
  Tabulated adds{};
  for (int i = 0; i < 9; ++i) adds.table[i] = i;
  const Array<double, 3> in({9, 8, 7}, Memory::right, 1.), out({9, 8, 7}, Memory::right);
  run([&](const auto& exec) { return Keramos::apply_stencil(exec, box, in.view, out.view, Keramos::nearest, adds); });
  out.for_each([&](const auto& i) { ASSERT_EQ(out.at(i), 2 + adds.table[i[0]]); });
}

INSTANTIATE_TEST_SUITE_P(Backends, Epilogues,
                         testing::Combine(testing::ValuesIn(all_backends()),
                                          testing::Values(Memory::right, Memory::left_padded, Memory::inside),
                                          testing::Values(Memory::right, Memory::left, Memory::spread)));

} // namespace
