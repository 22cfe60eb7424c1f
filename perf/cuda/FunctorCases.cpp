// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes and copies that compute on the way: scaled, by a user's functor, converted, conjugated, and added to what the output
// holds. Keramos beside plain Kokkos, and beside cuBLAS where it has a call. What a case moves is what it must: an accumulation reads its output, too.
#include "Buffers.hpp"
#include "CublasGeam.hpp"
#include "PermuteCases.hpp"

#include <Keramos_Transpose.hpp>

namespace perf {

// How a case computes: what Keramos gets, the element that must come of it, and what cuBLAS gets, if it can do that.

struct Scaled {
  static constexpr bool adds = false;
  static constexpr GeamFactors geam{0.5f};
  static auto how() { return Keramos::Scale{0.5f}; }
  template <class Out, class In>
  KOKKOS_FUNCTION static Out result(const In& value)
  {
    return 0.5f * value;
  }
};

struct Converted {
  static constexpr bool adds = false;
  static auto how() { return Keramos::Convert{}; }
  template <class Out, class In>
  KOKKOS_FUNCTION static Out result(const In& value)
  {
    return static_cast<Out>(value);
  }
};

struct Conjugated {
  static constexpr bool adds = false;
  static constexpr GeamFactors geam{1, 0, true};
  static auto how() { return Keramos::Conjugate{}; }
  template <class Out, class In>
  KOKKOS_FUNCTION static Out result(const In& value)
  {
    return Kokkos::conj(value);
  }
};

/// As an application writes it: f(v) = v^2 - v / 2.
struct Parabola {
  KOKKOS_FUNCTION float operator()(float v) const { return v * v - 0.5f * v; }
};
struct ByUsersFunctor {
  static constexpr bool adds = false;
  static auto how() { return Parabola{}; }
  template <class Out, class In>
  KOKKOS_FUNCTION static Out result(const In& value)
  {
    return Parabola{}(value);
  }
};

/// The output holds 1 before.
struct Added {
  static constexpr bool adds = true;
  static constexpr GeamFactors geam{1, 1};
  static auto how() { return Keramos::Accumulate{}; }
  template <class Out, class In>
  KOKKOS_FUNCTION static Out result(const In& value)
  {
    return static_cast<Out>(value) + Out(1);
  }
};

template <class In, class Out, class How, bool Turned>
struct ComputedMove {
  Kokkos::View<In**, Kokkos::LayoutRight, Gpu> in;
  Kokkos::View<Out**, Kokkos::LayoutRight, Gpu> out;

  KOKKOS_FUNCTION Out& at(int i, int j) const { return Turned ? out(j, i) : out(i, j); }
  KOKKOS_FUNCTION void operator()(int i, int j) const
  {
    if constexpr (How::adds)
      at(i, j) += static_cast<Out>(in(i, j));
    else
      at(i, j) = How::template result<Out>(in(i, j));
  }
  KOKKOS_FUNCTION void operator()(int i, int j, int& wrong) const
  {
    const Out right = How::template result<Out>(in(i, j));
    wrong += at(i, j) == right ? 0 : 1;
  }
};

namespace {

template <class In, class Out, class How, bool Turned>
ComputedMove<In, Out, How, Turned> computed_move(std::int64_t rows, std::int64_t columns, std::uint64_t seed)
{
  using Move = ComputedMove<In, Out, How, Turned>;
  const Move move{device_array<decltype(Move::in)>("in", rows, columns),
                  device_array<decltype(Move::out)>("out", Turned ? columns : rows, Turned ? rows : columns)};
  if constexpr (Keramos::core::is_complex<In>)
    fill_device_random(reinterpret_cast<typename In::value_type*>(move.in.data()), 2 * rows * columns, seed + 1);
  else
    fill_device_random(move.in.data(), rows * columns, seed + 1);
  return move;
}

/// A matrix turned, or copied.
template <class In, class Out, class How, bool Turned>
void add_computed_at(const std::string& what, std::int64_t rows, std::int64_t columns)
{
  using Move = ComputedMove<In, Out, How, Turned>;
  const double bytes = static_cast<double>(sizeof(In) + (How::adds ? 2 : 1) * sizeof(Out)) * rows * columns;
  const Lazy<Ring<Move>> arrays([=] {
    return Ring<Move>(static_cast<std::int64_t>(bytes),
                      [=](std::uint64_t seed) { return computed_move<In, Out, How, Turned>(rows, columns, seed); });
  });
  const auto policy = [=] {
    return Kokkos::MDRangePolicy<Gpu, Kokkos::Rank<2>, Kokkos::IndexType<int>>({0, 0}, {rows, columns});
  };
  Case the_case{what + " " + std::to_string(rows) + "x" + std::to_string(columns),
                bytes,
                bytes,
                Yardstick::copy,
                {},
                {},
                calls_for(bytes)};
  the_case.poison = [=] {
    for (const auto& set : arrays->all())
      if (How::adds)
        Kokkos::deep_copy(Gpu(), set.out, Out(1));
      else
        poison_device(set.out.data(), set.out.size() * sizeof(Out));
  };
  the_case.mistake = [=](double) -> std::string {
    int wrong = 0;
    Kokkos::parallel_reduce("perf::compare", policy(), arrays->last(), wrong);
    return wrong == 0 ? "" : std::to_string(wrong) + " wrong elements";
  };
  const auto keramos = [=] {
    const auto& set = arrays->next();
    if constexpr (Turned)
      return name_of(Keramos::transpose(Gpu(), set.in, set.out, How::how()));
    else
      return name_of(Keramos::copy(Gpu(), set.in, set.out, How::how()));
  };
  const auto plain = [=]() -> std::string {
    Kokkos::parallel_for("perf::plain move", policy(), arrays->next());
    return "";
  };
  std::vector<Contender> contenders{{"Keramos", keramos}, {"Kokkos MDRange", plain}};
  if constexpr (Turned && requires { How::geam; })
    contenders.push_back(by_cublas<Out>([=] {
      const auto& set = arrays->next();
      return GeamCall<Out>{set.in.data(), set.out.data(), rows, columns, How::geam};
    }));
  add("cuda_transpose", the_case, contenders);
}

template <class In, class Out, class How, bool Turned = true>
void add_computed(const std::string& what, std::int64_t rows, std::int64_t columns)
{
  add_near(std::array<std::int64_t, 2>{rows, columns},
           [&](const auto& near) { add_computed_at<In, Out, How, Turned>(what, near[0], near[1]); });
}

} // namespace

void add_functor_cases()
{
  using Half = Kokkos::Experimental::half_t;
  using Complex = Kokkos::complex<float>;
  const std::int64_t part = sized(16, 1), points = 100'000'000 / part;
  const std::int64_t sizes[][2] = {{sized(2048, 16384), sized(2048, 16384)},
                                   {10001 / part, 15013 / part},
                                   {points, 3},
                                   {3, points},
                                   {points / 4, 31}};
  for (const auto& [rows, columns] : sizes) {
    add_computed<float, float, Scaled>("scaled transpose f32", rows, columns);
    add_computed<float, float, ByUsersFunctor>("transpose f32 by a functor", rows, columns);
    add_computed<float, double, Converted>("transpose f32 to f64", rows, columns);
    add_computed<float, Half, Converted>("transpose f32 to f16", rows, columns);
    add_computed<Complex, Complex, Conjugated>("conjugate transpose c64", rows, columns);
    add_computed<float, float, Added>("B += transpose of A f32", rows, columns);
    add_computed<double, double, Added>("B += transpose of A f64", rows, columns);
  }
  add_computed<float, float, Scaled, false>("scaled copy f32", sizes[1][0], sizes[1][1]);
  add_computed<float, double, Converted, false>("copy f32 to f64", sizes[1][0], sizes[1][1]);
  add_computed<float, float, Added, false>("B += A f32", sizes[1][0], sizes[1][1]);
}

} // namespace perf
