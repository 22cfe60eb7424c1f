// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes beside plain Kokkos: an MDRangePolicy over the input, and deep_copy into a View of the other layout over the
// output's memory, which is the same thing. The table of cases is at the end.
#include "Arrays.hpp"
#include "Harness.hpp"
#include "TransposeArrays.hpp"

#include <Keramos_Transpose.hpp>

#include <array>
#include <cstdint>

namespace perf {
namespace {

template <class T>
Case transpose_case(const std::string& name, double elements, int streams = 2)
{
  const double bytes = static_cast<double>(streams * sizeof(T)) * elements;
  return {name, bytes, bytes, Yardstick::copy, {}, {}};
}

template <int Rank>
using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<Rank>, Kokkos::IndexType<int>>;

// ---- Two axes -------------------------------------------------------------------------------------------------------

template <class T>
Policy<2> over(const Matrix<T>& view, bool tiled)
{
  const Kokkos::Array<std::int64_t, 2> begin{0, 0}, end{view.extent_int(0), view.extent_int(1)};
  return tiled ? Policy<2>(begin, end, {8, 8}) : Policy<2>(begin, end);
}

template <class T>
void plain_transpose(const InAndOut<Matrix<T>>& arrays, bool tiled)
{
  const auto [in, out] = arrays;
  Kokkos::parallel_for("perf::plain transpose", over(in, tiled),
                       [in = in, out = out](int i, int j) { out(j, i) = in(i, j); });
}

template <class T>
void add_transpose(const std::string& name, int rows, int columns)
{
  const auto arrays = in_and_out<Matrix<T>>({rows, columns}, {1, 0});
  Case the_case = transpose_case<T>(name, static_cast<double>(rows) * columns);
  the_case.poison = [=] { poison(arrays->out); };
  the_case.mistake = [=](double) { return compare<T>(arrays->out.data(), {1, columns, rows}, {0, 1, columns}); };
  add("transpose", the_case,
      {{"Keramos", [=] { return name_of(Keramos::transpose(Space(), arrays->in, arrays->out)); }},
       {"Kokkos MDRange", [=] { return plain_transpose(*arrays, false), ""; }},
       {"Kokkos MDRange, tile 8x8", [=] { return plain_transpose(*arrays, true), ""; }},
       {"Kokkos deep_copy", [=] {
          const Kokkos::View<T**, Kokkos::LayoutLeft, Space> same(arrays->out.data(), rows, columns);
          return Kokkos::deep_copy(Space(), same, arrays->in), "";
        }}});
}

/// As an application writes it.
struct OneMore {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value) const
  {
    return value + 1;
  }
};

/// out = the transpose of in, and 1 more: with a mark it is exact.
template <class T>
void add_computed(const std::string& name, int rows, int columns)
{
  const auto arrays = in_and_out<Matrix<T>>({rows, columns}, {1, 0});
  Case the_case = transpose_case<T>(name, static_cast<double>(rows) * columns);
  the_case.poison = [=] { poison(arrays->out); };
  the_case.mistake = [=](double) { return compare<T>(arrays->out.data(), {1, columns, rows}, {0, 1, columns}, 1); };
  const auto plain = [=](bool tiled) {
    const auto [in, out] = *arrays;
    Kokkos::parallel_for("perf::plain computation", over(in, tiled),
                         [in = in, out = out](int i, int j) { out(j, i) = OneMore()(in(i, j)); });
    return "";
  };
  add("transpose", the_case,
      {{"Keramos", [=] { return name_of(Keramos::transpose(Space(), arrays->in, arrays->out, OneMore{})); }},
       {"Kokkos MDRange", [=] { return plain(false); }},
       {"Kokkos MDRange, tile 8x8", [=] { return plain(true); }}});
}

/// out = transpose of in + out, as in the Parallel Research Kernels. What out holds at first is 1: with a mark it is exact.
template <class T>
void add_accumulate(const std::string& name, int rows, int columns)
{
  const auto arrays = in_and_out<Matrix<T>>({rows, columns}, {1, 0});
  Case the_case = transpose_case<T>(name, static_cast<double>(rows) * columns, 3);
  the_case.poison = [=] { fill(arrays->out, [](std::int64_t) { return T(1); }); };
  the_case.mistake = [=](double) { return compare<T>(arrays->out.data(), {1, columns, rows}, {0, 1, columns}, 1); };
  const auto plain = [=](bool tiled) {
    const auto [in, out] = *arrays;
    Kokkos::parallel_for("perf::plain accumulation", over(in, tiled),
                         [in = in, out = out](int i, int j) { out(j, i) += in(i, j); });
    return "";
  };
  add("transpose", the_case,
      {{"Keramos",
        [=] { return name_of(Keramos::transpose(Space(), arrays->in, arrays->out, Keramos::Accumulate{})); }},
       {"Kokkos MDRange", [=] { return plain(false); }},
       {"Kokkos MDRange, tile 8x8", [=] { return plain(true); }}});
}

template <class T>
void add_in_place(const std::string& name, int side)
{
  const Lazy<Matrix<T>> matrix([=] { return large_array<Matrix<T>>("matrix", side, side); });
  Case the_case = transpose_case<T>(name, static_cast<double>(side) * side);
  the_case.poison = [=] { fill(*matrix, mark<T>); };
  the_case.mistake = [=](double) { return compare<T>(matrix->data(), {1, side, side}, {0, 1, side}); };
  const auto plain = [=](bool tiled) {
    const Matrix<T> m = *matrix;
    Kokkos::parallel_for("perf::plain transpose in place", over(m, tiled), [=](int i, int j) {
      if (i < j) Kokkos::kokkos_swap(m(i, j), m(j, i));
    });
    return "";
  };
  add("transpose", the_case,
      {{"Keramos", [=] { return name_of(Keramos::transpose_in_place(Space(), *matrix)); }},
       {"Kokkos MDRange", [=] { return plain(false); }},
       {"Kokkos MDRange, tile 8x8", [=] { return plain(true); }}});
}

/// Not square, in place. Each call takes the memory for a fresh rows x columns matrix.
template <class T>
void add_oblong(const std::string& type, int rows, int columns)
{
  struct Data {
    Matrix<T> in, out;
    Kokkos::View<char*, Space> scratch;
  };
  const Lazy<Data> data([=] {
    const auto in = large_array<Matrix<T>>("matrix", rows, columns);
    const Matrix<T> out(in.data(), columns, rows);
    const std::size_t bytes = Keramos::transpose_in_place_workspace_size(Space(), in, out);
    return Data{in, out, large_array<Kokkos::View<char*, Space>>("scratch", bytes)};
  });
  Case the_case =
      transpose_case<T>("in place, not square " + type + " " + std::to_string(rows) + "x" + std::to_string(columns),
                        static_cast<double>(rows) * columns);
  the_case.poison = [=] { fill(data->in, mark<T>); };
  the_case.mistake = [=](double) { return compare<T>(data->out.data(), {1, columns, rows}, {0, 1, columns}); };
  add("transpose", the_case,
      {{"Keramos", [=] {
          return name_of(Keramos::transpose_in_place(Space(), data->in, data->out, Keramos::Workspace{data->scratch}));
        }}});
}

// ---- Three axes -----------------------------------------------------------------------------------------------------

template <int A, int B, int C>
void plain_permute(const InAndOut<Volume<float>>& arrays, bool tiled)
{
  const auto [in, out] = arrays;
  const Kokkos::Array<std::int64_t, 3> begin{0, 0, 0}, end{in.extent_int(0), in.extent_int(1), in.extent_int(2)};
  Kokkos::parallel_for("perf::plain permute", tiled ? Policy<3>(begin, end, {8, 8, 8}) : Policy<3>(begin, end),
                       [in = in, out = out](int i, int j, int k) {
                         const int at[] = {i, j, k};
                         out(at[A], at[B], at[C]) = in(i, j, k);
                       });
}

/// out = in with the axes A, B, C.
template <int A, int B, int C>
void add_permute(const std::string& name, std::array<int, 3> extent)
{
  const auto arrays = in_and_out<Volume<float>>(extent, {A, B, C});
  const std::array<std::int64_t, 3> strides{std::int64_t{extent[1]} * extent[2], extent[2], 1};
  Case the_case = transpose_case<float>(name, static_cast<double>(extent[0]) * extent[1] * extent[2]);
  the_case.poison = [=] { poison(arrays->out); };
  the_case.mistake = [=](double) {
    return compare<float>(arrays->out.data(), {extent[A], extent[B], extent[C]}, {strides[A], strides[B], strides[C]});
  };
  std::vector<Contender> contenders{
      {"Keramos", [=] { return name_of(Keramos::permute<A, B, C>(Space(), arrays->in, arrays->out)); }},
      {"Kokkos MDRange", [=] { return plain_permute<A, B, C>(*arrays, false), ""; }},
      {"Kokkos MDRange, tile 8x8x8", [=] { return plain_permute<A, B, C>(*arrays, true), ""; }}};
  if (A == 2 && B == 1)
    contenders.push_back({"Kokkos deep_copy", [=] {
                            const Kokkos::View<float***, Kokkos::LayoutLeft, Space> same(arrays->out.data(), extent[0],
                                                                                         extent[1], extent[2]);
                            return Kokkos::deep_copy(Space(), same, arrays->in), "";
                          }});
  add("transpose", the_case, contenders);
}

/// LayoutLeft from LayoutRight.
void add_copy(const std::string& name, int side)
{
  using Left = Kokkos::View<float**, Kokkos::LayoutLeft, Space>;
  const auto arrays = in_and_out<Matrix<float>>({side, side}, {1, 0});
  const auto left = [=] { return Left(arrays->out.data(), side, side); };
  Case the_case = transpose_case<float>(name, static_cast<double>(side) * side);
  the_case.poison = [=] { poison(arrays->out); };
  the_case.mistake = [=](double) { return compare<float>(arrays->out.data(), {1, side, side}, {0, 1, side}); };
  add("transpose", the_case,
      {{"Keramos", [=] { return name_of(Keramos::copy(Space(), arrays->in, left())); }},
       {"Kokkos deep_copy", [=] { return Kokkos::deep_copy(Space(), left(), arrays->in), ""; }}});
}

std::string sizes(const std::string& what, int rows, int columns)
{
  return what + " " + std::to_string(rows) + "x" + std::to_string(columns);
}

template <int A, int B, int C>
void add_permute_by_name(std::array<int, 3> extent)
{
  const auto digits = [](int a, int b, int c, const char* between) {
    return std::to_string(a) + between + std::to_string(b) + between + std::to_string(c);
  };
  add_permute<A, B, C>("permute (" + digits(A, B, C, " ") + ") f32 " + digits(extent[0], extent[1], extent[2], "x"),
                       extent);
}

} // namespace

void add_cases()
{
  const int side = sized(2048, 8192), side64 = sized(1500, 6000), odd = sized(2503, 10001), odder = sized(1753, 7013);
  const int bytes = sized(4096, 16384);
  const int points = sized(1'000'000, 12'000'000); // 288 MB move
  const std::array<int, 3> volume = sized<std::array<int, 3>>({64, 96, 128}, {256, 384, 512});

  add_transpose<float>(sizes("transpose f32", side, side), side, side);
  add_transpose<float>(sizes("transpose f32", odd, odder), odd, odder);
  add_transpose<float>(sizes("transpose f32", points, 3), points, 3);
  add_transpose<float>(sizes("transpose f32", 3, points), 3, points);
  add_transpose<double>(sizes("transpose f64", side64, side64), side64, side64);
  add_transpose<std::int8_t>(sizes("transpose i8", bytes, bytes), bytes, bytes);
  add_computed<float>(sizes("transpose f32 by a functor", side, side), side, side);
  add_computed<float>(sizes("transpose f32 by a functor", odd, odder), odd, odder);
  add_accumulate<float>(sizes("B += transpose of A f32", side, side), side, side);
  add_accumulate<double>(sizes("B += transpose of A f64", side64, side64), side64, side64);
  add_permute_by_name<2, 1, 0>(volume);
  add_permute_by_name<1, 0, 2>(volume);
  add_permute_by_name<0, 2, 1>(volume);
  add_in_place<float>(sizes("in place f32", side, side), side);
  add_oblong<float>("f32", sized(1536, 6144), side);
  add_oblong<float>("f32", odd, odder);
  add_oblong<float>("f32", sized(9973, 999983), 97);
  add_oblong<float>("f32", 100, sized(10000, 1'000'000));
  add_oblong<float>("f32", points, 3);
  add_oblong<double>("f64", side64, sized(2000, 8000));
  add_oblong<double>("f64", odder, sized(1500, 6001));
  add_oblong<double>("f64", 3, points);
  add_copy(sizes("copy Right to Left f32", side, side), side);
}

} // namespace perf
