// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First derivatives of 8th order on periodic cubes whose last points repeat the first: Keramos beside the classic pencils and
// plain Kokkos. Times are on random numbers; the errors are those of a cosine along the axis. The table of cases is at the
// end.
#include "Buffers.hpp"
#include "Derivatives.hpp"

#include <Keramos_Stencil.hpp>

namespace perf {

using Cube = Kokkos::View<float***, Kokkos::LayoutRight, Gpu>; // indices z, y, x

struct InAndOut {
  Cube in, out;
};

/// cos(2 pi x) along an axis of unit length and its derivative, in float as the originals compute both on the host: their
/// known errors, 7.1e-6 and 2.86e-5 on 64^3, are mostly the roundings of these, in the order of operations there.
struct Wave {
  int axis, side; ///< axis 0 is x
  Kokkos::View<float*, Gpu> value, slope;

  Wave(int the_axis, int the_side)
      : axis(the_axis), side(the_side), value("wave", the_side), slope("slope of the wave", the_side)
  {
    const float two_pi = 2 * 3.14159265f;
    const auto values = Kokkos::create_mirror_view(value), slopes = Kokkos::create_mirror_view(slope);
    for (int n = 0; n < side; ++n) {
      const float phase = two_pi * static_cast<float>(n) / (static_cast<float>(side) - 1);
      values(n) = std::cos(phase);
      slopes(n) = -two_pi * std::sin(phase);
    }
    Kokkos::deep_copy(value, values);
    Kokkos::deep_copy(slope, slopes);
  }
  __device__ int place(std::int64_t n) const
  {
    return static_cast<int>(axis == 0 ? n % side : axis == 1 ? n / side % side : n / side / side);
  }
};

__global__ void wave_kernel(float* in, std::int64_t count, const Wave wave)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) in[n] = wave.value(wave.place(n));
}

/// sums[0]: squares of the errors; sums[1]: the largest, as the bits of a double, which are ordered as its values.
__global__ void wave_error_kernel(const float* out, std::int64_t count, const Wave wave, double* sums)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const double error = n < count ? double(out[n]) - wave.slope(wave.place(n)) : 0;
  double squares = error * error, largest = fabs(error);
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    squares += __shfl_down_sync(0xffffffffu, squares, lanes);
    largest = fmax(largest, __shfl_down_sync(0xffffffffu, largest, lanes));
  }
  if (threadIdx.x % 32 != 0) return;
  atomicAdd(sums, squares);
  atomicMax(reinterpret_cast<unsigned long long*>(sums + 1),
            static_cast<unsigned long long>(__double_as_longlong(largest)));
}

/// The derivative at a point, in double, with the index map written out.
struct Exact {
  int axis, side;
  double weight[5];

  template <class Real>
  KOKKOS_FUNCTION double operator()(const Real* in, std::int64_t n) const
  {
    const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? side : std::int64_t{side} * side;
    const std::int64_t at = n / stride % side, first = n - at * stride;
    double sum = 0;
    for (int r = 1; r <= 4; ++r) {
      const std::int64_t above = at + r >= side ? at + r - (side - 1) : at + r;
      const std::int64_t below = at - r < 0 ? at - r + side - 1 : at - r;
      sum += weight[r] * (double{in[first + above * stride]} - double{in[first + below * stride]});
    }
    return sum;
  }
};

__global__ void count_wrong_kernel(const float* in, const float* out, std::int64_t count, const Exact exact,
                                   double tolerance, int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count && !(fabs(out[n] - exact(in, n)) <= tolerance)) atomicAdd(wrong, 1);
}

/// What Kokkos prefers on a GPU: the first index is contiguous.
using Left = Kokkos::View<float***, Kokkos::LayoutLeft, Gpu>;

/// As one writes it in Kokkos.
struct PlainDerivative {
  Left in, out;
  int axis;
  float weight[5];

  KOKKOS_FUNCTION static int wrapped(int n, int side) { return n < 0 ? n + side - 1 : n >= side ? n - (side - 1) : n; }
  KOKKOS_FUNCTION void operator()(int i, int j, int k) const
  {
    const int side = in.extent_int(0);
    float sum = 0;
    for (int r = 1; r <= 4; ++r) {
      if (axis == 0) sum += weight[r] * (in(wrapped(i + r, side), j, k) - in(wrapped(i - r, side), j, k));
      if (axis == 1) sum += weight[r] * (in(i, wrapped(j + r, side), k) - in(i, wrapped(j - r, side), k));
      if (axis == 2) sum += weight[r] * (in(i, j, wrapped(k + r, side)) - in(i, j, wrapped(k - r, side)));
    }
    out(i, j, k) = sum;
  }
};

namespace {

/// One axis of one cube: what all contenders are given.
struct Setting {
  int side, axis; ///< axis 0 is x, Keramos' View index 2
  Lazy<Ring<InAndOut>> sets;
  Keramos::Line<3, 4> op;

  Setting(int the_side, int the_axis, Lazy<Ring<InAndOut>> the_sets)
      : side(the_side), axis(the_axis), sets(std::move(the_sets)),
        op(Keramos::FiniteDifference::first_derivative<3, 8>(2 - axis, 1.0 / (side - 1)))
  {
  }
  std::int64_t points() const { return std::int64_t{side} * side * side; }
  double weight(int r) const { return op.weight(4 + r); }
  classic::ByValue classic_weights() const
  {
    classic::ByValue result{};
    for (int r = 1; r <= 4; ++r) result.weight[r] = static_cast<float>(weight(r));
    return result;
  }
};

Lazy<Ring<InAndOut>> cubes(int side)
{
  return Lazy<Ring<InAndOut>>([=] {
    const std::int64_t points = std::int64_t{side} * side * side;
    return Ring<InAndOut>(2 * points * sizeof(float), [=](std::uint64_t seed) {
      const InAndOut set{device_array<Cube>("in", side, side, side), device_array<Cube>("out", side, side, side)};
      fill_device_random(set.in.data(), points, seed + 1);
      return set;
    });
  });
}

std::string compare(const Setting& setting, const InAndOut& set)
{
  Exact exact{setting.axis, setting.side, {}};
  double sizes = 0;
  for (int r = 1; r <= 4; ++r) sizes += 2 * std::abs(exact.weight[r] = setting.weight(r));
  const Mistakes wrong;
  count_wrong_kernel<<<fill_blocks(setting.points()), fill_threads, 0, stream()>>>(
      set.in.data(), set.out.data(), setting.points(), exact, 9 * std::numeric_limits<float>::epsilon() * sizes,
      wrong.counter());
  require_launched("comparison");
  finish();
  return wrong.text();
}

using Call = std::function<std::string(const InAndOut&)>;

/// Root of the mean square and maximum of the errors on the wave.
Columns errors_of(const Setting& setting, const Call& call)
{
  const std::int64_t points = setting.points();
  const InAndOut set = setting.sets->next();
  const Wave wave(setting.axis, setting.side);
  const Kokkos::View<double[2], Gpu> sums("sums of errors");
  wave_kernel<<<fill_blocks(points), fill_threads, 0, stream()>>>(set.in.data(), points, wave);
  call(set);
  wave_error_kernel<<<fill_blocks(points), fill_threads, 0, stream()>>>(set.out.data(), points, wave, sums.data());
  require_launched("errors");
  fill_device_random(set.in.data(), points, 1);
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return {{"rms_error", std::sqrt(result(0) / static_cast<double>(points))}, {"max_error", result(1)}};
}

Contender contender(const Setting& setting, const std::string& name, const Call& call)
{
  Contender one{name, [=] { return call(setting.sets->next()); }};
  one.columns = [=] { return errors_of(setting, call); };
  return one;
}

template <int Pencils>
void add_classic(std::vector<Contender>& contenders, const Setting& setting)
{
  const char* const which = Pencils == 4 ? "small" : "large";
  const std::string shape = setting.axis == 0 ? "64x" + std::to_string(Pencils) : std::to_string(Pencils) + "x64";
  const std::string name = std::string(which) + " pencils " + shape;
  const auto weights = setting.classic_weights();
  const auto cube = [=](const InAndOut& set) { return classic::Cube{set.in.data(), set.out.data(), setting.side}; };
  contenders.push_back(contender(setting, name + ", symbol", [=](const InAndOut& set) -> std::string {
    return classic::derivative<Pencils>(setting.axis, cube(set), classic::BySymbol{}), "";
  }));
  contenders.push_back(contender(setting, name + ", by value", [=](const InAndOut& set) -> std::string {
    return classic::derivative<Pencils>(setting.axis, cube(set), weights), "";
  }));
}

using Tile = std::array<int, 3>;

Contender plain(const Setting& setting, const std::string& name, const Tile& tile)
{
  return contender(setting, name, [=](const InAndOut& set) -> std::string {
    using Policy = Kokkos::MDRangePolicy<Gpu, Kokkos::Rank<3>, Kokkos::IndexType<int>>;
    const int n = setting.side;
    PlainDerivative body{Left(set.in.data(), n, n, n), Left(set.out.data(), n, n, n), setting.axis, {}};
    for (int r = 1; r <= 4; ++r) body.weight[r] = static_cast<float>(setting.weight(r));
    const Kokkos::Array<std::int64_t, 3> begin{0, 0, 0}, end{n, n, n};
    Kokkos::parallel_for("perf::plain derivative",
                         tile[0] == 0 ? Policy(begin, end) : Policy(begin, end, {tile[0], tile[1], tile[2]}), body);
    return "";
  });
}

void add_derivative(const Setting& setting, const Tile& tile)
{
  const double bytes = 2.0 * sizeof(float) * setting.points();
  const std::string axis(1, "xyz"[setting.axis]);
  Case the_case{"d/d" + axis + " f32 " + std::to_string(setting.side) + "^3",
                bytes,
                bytes,
                Yardstick::copy,
                {},
                {},
                calls_for(bytes)};
  the_case.poison = [=] {
    classic::set_constant_weights(setting.classic_weights());
    for (const auto& set : setting.sets->all()) poison_device(set.out.data(), setting.points() * sizeof(float));
  };
  the_case.mistake = [=](double) { return compare(setting, setting.sets->last()); };
  std::vector<Contender> contenders{contender(setting, "Keramos", [=](const InAndOut& set) {
    return name_of(
        Keramos::apply_stencil(Gpu(), setting.op, set.in, set.out, Keramos::EdgeRules<3>(Keramos::periodic_closed)));
  })};
  add_classic<4>(contenders, setting);
  add_classic<32>(contenders, setting);
  contenders.push_back(plain(setting, "Kokkos MDRange", {}));
  contenders.push_back(plain(setting,
                             "Kokkos MDRange, tile " + std::to_string(tile[0]) + "x" + std::to_string(tile[1]) + "x" +
                                 std::to_string(tile[2]),
                             tile));
  add("cuda_derivative", the_case, contenders);
}

} // namespace

void add_cases()
{
  const Tile tile{32, 8, 1}; // of nine tried on an H200, where all but two are as fast
  for (const int side : {64, sized(128, 512)}) {
    const auto sets = cubes(side);
    for (int axis = 0; axis < 3; ++axis) add_derivative({side, axis, sets}, tile);
  }
}

} // namespace perf
