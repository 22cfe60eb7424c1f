// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every CUDA kernel of the library, at the edges of its tiles, on arrays that end with their last element: made for
// compute-sanitizer (checks/sanitize.py), and compared with the reference on the way. The last test demands that the
// kernels that ran are the kernels that the binary holds.
#include "DeviceArray.hpp"
#include "TransposeSupport.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>

// ---- What the linker routes through here (options --wrap in CMakeLists.txt): kernels registered, kernels launched
namespace {

std::map<const void*, std::string>& registered()
{
  static std::map<const void*, std::string> names;
  return names;
}
std::set<const void*>& launched()
{
  static std::set<const void*> kernels;
  return kernels;
}

} // namespace

extern "C" {
void __real___cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
void __wrap___cudaRegisterFunction(void** fatbin, const char* host, char* device, const char* name, int limit,
                                   uint3* thread, uint3* block, dim3* threads, dim3* blocks, int* warp)
{
  registered()[host] = name;
  __real___cudaRegisterFunction(fatbin, host, device, name, limit, thread, block, threads, blocks, warp);
}
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* shape, const void* kernel, void** arguments)
{
  launched().insert(kernel);
  return __real_cudaLaunchKernelExC(shape, kernel, arguments);
}
}

namespace {

using namespace test;
using Keramos::Backend;

// ---- Mistakes on purpose, by which checks/sanitize.py learns whether a tool works on this machine -------------------

__global__ void reads_beyond(const int* data, int* out) { *out = data[1 << 20]; }
__global__ void reads_what_nobody_wrote(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }
__global__ void races(int* out)
{
  __shared__ int shared[64];
  shared[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = shared[63 - threadIdx.x]; // no barrier
}
__global__ void diverges(int* out)
{
  if (threadIdx.x < 13) __syncthreads();
  out[threadIdx.x] = 1;
}

TEST(Planted, DISABLED_Mistake)
{
  const std::string tool = std::getenv("KERAMOS_PLANT") ? std::getenv("KERAMOS_PLANT") : "";
  int *data = nullptr, *out = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 64 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&out, 64 * sizeof(int)), cudaSuccess);
  if (tool == "memcheck") reads_beyond<<<1, 1>>>(data, out);
  if (tool == "initcheck") reads_what_nobody_wrote<<<1, 64>>>(data, out);
  if (tool == "racecheck") races<<<1, 64>>>(out);
  if (tool == "synccheck") diverges<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}

// ---- Stencils -------------------------------------------------------------------------------------------------------

const Keramos::AxisRule rules[] = {Keramos::periodic,
                                   Keramos::constant(0.5),
                                   Keramos::mirror,
                                   Keramos::nearest,
                                   Keramos::reflect,
                                   Keramos::ghost,
                                   Keramos::sides(Keramos::ghost, Keramos::mirror)};

/// What happens at a point. OneField, ThreeFields and OfIndices are a user's: their kernels are compiled here.
struct Nothing {
  static constexpr const char* name = "";
  static constexpr int fields = 0;
};
struct WaveUpdate {
  static constexpr const char* name = " leap-frog";
  static constexpr int fields = 0; // the bound of the sum holds for it, too
};
struct OneField {
  static constexpr const char* name = " one field";
  static constexpr int fields = 1;
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a) const
  {
    return value - a * centre;
  }
};
struct ThreeFields {
  static constexpr const char* name = " three fields";
  static constexpr int fields = 3;
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, T a, T b, T c) const
  {
    return value - a * centre + b * c;
  }
};

/// Reads a View by itself.
struct OfIndices {
  static constexpr const char* name = " indices";
  static constexpr int fields = 0;
};
template <class View>
struct ReadsView {
  View view;
  template <class T>
  KOKKOS_FUNCTION T operator()(T value, T centre, int i, int j, int k) const
  {
    return value - view(i, j, k) * centre;
  }
};

/// Lines on large grids have kernels of their own: without multiprocessors every grid is a large one. Some are for an H200's memory.
template <class Op, class View, class Epilogue>
void run_as_large(const Op& op, const Keramos::AxisRule& rule, const View& in, const View& out, const Epilogue& how)
{
  namespace core = Keramos::core;
  Keramos::cuda::Device device = Keramos::cuda::device_of(own_instance());
  device.multiprocessors = 0;
  device.memory_bits = 6016;
  const Keramos::EdgeRules<Op::rank> edges = rule;
  const Keramos::Region<Op::rank>* const everywhere = nullptr;
  const core::StencilProblem problem(core::stencil_call(op, in, out, edges, everywhere));
  const auto plan = Keramos::cuda::stencil::choose(device, problem, core::bind_epilogue<Op, Exec, View>(problem, how));
  ASSERT_TRUE(plan);
  Keramos::cuda::stencil::launch(*plan, own_instance());
  own_instance().fence("the test reads what was written");
}

template <class Op>
inline constexpr bool goes_as_line = Op::shape == Keramos::Shape::line || Op::rank == 1;

template <class T, class Op>
class StencilCase {
public:
  static constexpr int rank = Op::rank;
  using Index = std::array<std::int64_t, rank>;

  template <class How, class Out>
  static auto epilogue_of(const Out& out, const Out& field)
  {
    if constexpr (std::is_same_v<How, Nothing>)
      return Keramos::core::StoreValue();
    else if constexpr (std::is_same_v<How, WaveUpdate>)
      return Keramos::LeapFrog{out, 0.5};
    else if constexpr (std::is_same_v<How, OneField>)
      return Keramos::Epilogue{How(), field};
    else if constexpr (std::is_same_v<How, OfIndices>)
      return ReadsView<Out>{field};
    else
      return Keramos::Epilogue{How(), field, out, field};
  }

  template <class How, class Exec, class In, class Out>
  static Keramos::Kernel call(const Exec& exec, const Op& op, const Keramos::AxisRule& rule, const In& in,
                              const Out& out, const Out& field)
  {
    if constexpr (std::is_same_v<How, Nothing>)
      return Keramos::apply_stencil(exec, op, in, out, rule);
    else
      return Keramos::apply_stencil(exec, op, in, out, rule, epilogue_of<How>(out, field));
  }

  /// Each call takes the next edge rule.
  template <class How>
  static void check(const Op& op, const Index& extents, Memory memory, std::int64_t shift)
  {
    check<How>(op, extents, memory, shift, shift);
  }

  template <class How>
  static void check(const Op& op, const Index& extents, Memory memory, std::int64_t shift, std::int64_t in_shift)
  {
    static int turn = 0;
    const Keramos::AxisRule rule = rules[turn++ % std::size(rules)];
    SCOPED_TRACE(testing::Message() << Keramos::core::shape_text(Op::shape, rank, Op::radius, Op::tap_count) << " "
                                    << to_string(rule.low.kind) << "|" << to_string(rule.high.kind) << " "
                                    << testing::PrintToString(extents) << " memory " << int(memory) << " shift "
                                    << shift << How::name);
    Index in_extents = extents;
    for (int axis = 0; axis < rank; ++axis) {
      int reach = 0;
      for (int t = 0; t < Op::tap_count; ++t) reach = std::max(reach, std::abs(op.offset(t)[axis]));
      in_extents[axis] += ghost_sides(rule) * reach;
    }
    const Array<T, rank> in(in_extents, memory), out(extents, memory), expected(extents, memory), got(extents, memory);
    const Array<T, rank> field(extents, memory);
    in.randomise(1);
    out.randomise(2);
    field.randomise(3);
    out.for_each([&](const auto& i) { expected.at(i) = out.at(i); });
    const DeviceArray<T, rank> in_there(in, in_shift), out_there(out, shift), field_there(field, shift);
    run(Backend::reference,
        [&](const auto& exec) { return call<How>(exec, op, rule, in.view, expected.view, field.view); });
    const auto kernel = run([&](const auto& exec) {
      return call<How>(exec, op, rule, in_there.view(), out_there.view(), field_there.view());
    });
    EXPECT_EQ(kernel.backend, Backend::cuda) << kernel;
    const auto compare = [&](const auto& result) {
      result.download(got);
      const double bound = 4. * (Op::tap_count + How::fields) * std::numeric_limits<T>::epsilon();
      got.for_each([&](const auto& i) {
        ASSERT_NEAR(got.at(i), expected.at(i), bound) << kernel << " at " << testing::PrintToString(i);
      });
    };
    compare(out_there);
    if constexpr (goes_as_line<Op> && !std::is_same_v<How, WaveUpdate>) {
      const DeviceArray<T, rank> again(out, shift);
      run_as_large(op, rule, in_there.view(), again.view(), epilogue_of<How>(again.view(), field_there.view()));
      compare(again);
    }
  }
};

/// Weights of magnitude 1 or less.
template <class Op>
struct Weighted {
  static constexpr auto shape = Op::shape;
  static constexpr int rank = Op::rank, radius = Op::radius, tap_count = Op::tap_count;
  Op op;
  auto offset(int t) const { return op.offset(t); }
  double weight(int t) const { return std::sin(1.0 + 0.7 * t); }
};

template <class Op>
using Sizes = std::vector<std::array<std::int64_t, Op::rank>>;

template <class T, class... Hows, class Op>
void check_hows(const Op& op, const Sizes<Op>& sizes)
{
  std::vector<std::pair<Memory, int>> memories{{Memory::right, 0}, {Memory::inside, 1}};
  if (goes_as_line<Op>) memories.push_back({Memory::spread, 0}); // whose elements lie apart, which is another kernel
  for (const auto& extents : sizes)
    for (const auto& [memory, shift] : memories)
      (StencilCase<T, Op>::template check<Hows>(op, extents, memory, shift), ...);
}

template <class T, class Op>
void check_stencil(const Op& op, const Sizes<Op>& sizes)
{
  check_hows<T, Nothing, WaveUpdate>(Weighted<Op>{op}, sizes);
}

/// It calls itself what Op is, and is not: of a user's functor, the tile kernel takes it.
template <class Op>
struct Irregular {
  static constexpr auto shape = Op::shape;
  static constexpr int rank = Op::rank, radius = Op::radius, tap_count = 2;
  std::array<int, rank> offset(int t) const { return {t * (radius + 1)}; }
  double weight(int t) const { return 1 - 0.5 * t; }
};

/// A user's functor on the kernels of its operator, the tile kernel among them.
template <class T, class Op>
void check_fields(const Op& op, const Sizes<Op>& sizes)
{
  check_hows<T, OneField, ThreeFields>(Weighted<Op>{op}, sizes);
  check_hows<T, OneField, ThreeFields>(Irregular<Op>(), sizes);
}

/// Small stars and boxes over two axes, in rows on 16 bytes, in others, alike in the input and the output and not, and of elements that lie
/// apart; with whole warps.
template <class T, class... Hows, class Plane>
void check_plane(const Plane& plane)
{
  const auto check = [&](Memory memory, int shift, int in_shift) {
    (StencilCase<T, Weighted<Plane>>::template check<Hows>(Weighted<Plane>{plane}, {20, 532}, memory, shift, in_shift),
     ...);
  };
  check(Memory::right, 0, 0);
  check(Memory::inside, 1, 1);
  check(Memory::inside, 1, 0);
  check(Memory::spread, 0, 0);
}

template <class T, int Radius>
void check_radius()
{
  constexpr int r = Radius;
  check_stencil<T>(Keramos::Star<3, r>(), {{2, 3, 132}, {r + 1, 2 * r + 1, 36}});
  check_stencil<T>(Keramos::Star<2, r>(), {{5, 260}, {2 * r + 1, 36}});
  check_stencil<T>(Keramos::Star<1, r>(), {{36}, {1030}});
  for (int axis = 0; axis < 3; ++axis) check_stencil<T>(Keramos::Line<3, r>(axis, {}), {{5, 6, 36}, {2, 3, 132}});
  if constexpr (r <= 4) check_plane<T, Nothing, WaveUpdate>(Keramos::Star<2, r>());
  if constexpr (r <= 2) check_plane<T, Nothing>(Keramos::Box<2, r>());
}

template <class T>
void check_radii()
{
  [&]<int... Radius>(std::integer_sequence<int, Radius...>) { (check_radius<T, Radius + 1>(), ...); }
  (std::make_integer_sequence<int, 8>());
}

template <class T>
void check_tiles()
{
  check_stencil<T>(Keramos::Box<3, 1>(), {{3, 5, 36}, {2, 2, 131}});
  check_stencil<T>(Keramos::Box<3, 2>(), {{3, 5, 36}});
  check_stencil<T>(Keramos::Box<2, 1>(), {{5, 36}, {3, 131}});
  check_stencil<T>(Keramos::Box<2, 2>(), {{5, 36}, {3, 131}});
  check_stencil<T>(Keramos::Box<2, 3>(), {{9, 36}});
  check_stencil<T>(Keramos::Box<1, 2>(), {{131}});
  check_stencil<T>(Keramos::Star<3, 0>(), {{2, 3, 36}});
  check_stencil<T>(Keramos::SparseStencil<3, 5>({{{1, 2, 3}, {-1, 0, 0}, {0, 0, 2}, {0, -3, 1}, {2, 0, -1}}}, {}),
                   {{5, 6, 37}});
  // So many taps that each has a capacity of its own; the last does not fit into the parameters in double.
  check_stencil<T>(Keramos::Box<3, 3>(), {{3, 4, 33}});
  check_stencil<T>(Keramos::Box<3, 5>(), {{2, 3, 5}});
  check_stencil<T>(Keramos::Box<3, 6>(), {{2, 3, 5}});
  if constexpr (std::is_same_v<T, float>) {
    check_stencil<T>(Keramos::Box<3, 7>(), {{2, 3, 5}});
    check_stencil<T>(Keramos::Box<3, 8>(), {{2, 3, 5}});
  }
}

/// Lines along the slowest axis march, those along the middle one go by slabs, where rows begin anywhere and zeros are beyond their ends.
template <class T, int Radius>
void check_bulk_line(int axis)
{
  using Op = Weighted<Keramos::Line<3, Radius>>;
  const Op op{Keramos::Line<3, Radius>(axis, {})};
  const Array<T, 3> in({33, 9, 131}, Memory::right), expected(in.extents, Memory::right),
      got(in.extents, Memory::right);
  in.randomise(1);
  const DeviceArray<T, 3> in_there(in, 1), out_there(expected, 0);
  run_as_large(op, Keramos::constant(0), in_there.view(), out_there.view(), Keramos::core::StoreValue());
  out_there.download(got);
  run(Backend::reference,
      [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in.view, expected.view, Keramos::constant(0)); });
  const double bound = 4. * Op::tap_count * std::numeric_limits<T>::epsilon();
  got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << testing::PrintToString(i); });
}

TEST(Sanitize, LinesByBulkCopies)
{
  [&]<int... Radius>(std::integer_sequence<int, Radius...>)
  {
    (check_bulk_line<float, Radius + 1>(0), ...);
    (check_bulk_line<double, Radius + 1>(0), ...);
    (check_bulk_line<float, Radius + 1>(1), ...);
  }
  (std::make_integer_sequence<int, Keramos::cuda::stencil::max_line_march_radius>());
}

TEST(Sanitize, StarsAndLinesInFloat) { check_radii<float>(); }
TEST(Sanitize, StarsAndLinesInDouble) { check_radii<double>(); }
TEST(Sanitize, BoxesInFloat) { check_tiles<float>(); }
TEST(Sanitize, BoxesInDouble) { check_tiles<double>(); }

TEST(Sanitize, FieldsInFloat)
{
  check_fields<float>(Keramos::Star<3, 1>(), {{2, 5, 132}, {3, 4, 36}});
  check_fields<float>(Keramos::Star<3, 4>(), {{2, 5, 132}, {7, 18, 36}});
  check_fields<float>(Keramos::Star<2, 4>(), {{5, 260}, {9, 36}});
  check_plane<float, OneField, ThreeFields>(Keramos::Star<2, 4>());
  for (int axis = 0; axis < 3; ++axis) check_fields<float>(Keramos::Line<3, 2>(axis, {}), {{5, 6, 36}, {3, 5, 132}});
  check_fields<float>(Keramos::Box<3, 1>(), {{3, 5, 36}, {4, 2, 131}});
}
TEST(Sanitize, FieldsInDouble)
{
  check_fields<double>(Keramos::Star<3, 4>(), {{2, 5, 132}, {7, 18, 36}});
  check_fields<double>(Keramos::Box<2, 1>(), {{5, 36}, {3, 131}});
}

/// A kernel that large grids take, launched on a small one in each shape that plan_of(request, number) has; how many ran.
template <class T, class Taps, class PlanOf, class Launch>
int check_shapes(const std::array<std::int64_t, 3>& extents, const Keramos::EdgeRules<3>& edges, int shift, int shapes,
                 const PlanOf& plan_of, const Launch& launch)
{
  namespace stencil = Keramos::cuda::stencil;
  namespace core = Keramos::core;
  using Op = Weighted<Taps>;
  const Op op{};
  const Array<T, 3> in(extents, Memory::right), expected(extents, Memory::right), got(extents, Memory::right);
  in.randomise(1);
  run(Backend::reference,
      [&](const auto& exec) { return Keramos::apply_stencil(exec, op, in.view, expected.view, edges); });
  const DeviceArray<T, 3> in_there(in, shift), out_there(got, 0);
  const Keramos::Region<3>* const everywhere = nullptr;
  const core::StencilProblem problem(core::stencil_call(op, in_there.view(), out_there.view(), edges, everywhere));
  const auto device = Keramos::cuda::device_of(own_instance());
  int ran = 0;
  for (int number = 0; number < shapes; ++number) {
    const auto plan = plan_of(stencil::request_of(device, problem, core::StoreValue()), number);
    if (!plan) continue;
    launch({Backend::cuda, "apply_stencil", plan->variant}, own_instance(), *plan);
    own_instance().fence("the test reads what was written");
    out_there.download(got);
    const double bound = 4. * Op::tap_count * std::numeric_limits<T>::epsilon();
    got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << plan->variant.str(); });
    ++ran;
  }
  return ran;
}

/// Sums by planes.
template <class T, class Taps>
void check_march()
{
  namespace stencil = Keramos::cuda::stencil;
  int ran = 0;
  const auto check = [&](const auto& rule, std::int64_t columns, int shift) {
    ran += check_shapes<T, Taps>({6, 33, columns}, rule, shift, stencil::march_shapes, stencil::plan_march<T>,
                                 stencil::library::launch_march<T>);
  };
  for (int turn = 0; turn < 4; ++turn) check(rules[turn], turn < 2 ? 257 : 509, turn);
  check(Keramos::EdgeRule(Keramos::constant(0)), 509, 3); // which pairs of columns want
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) EXPECT_GE(ran, 4);
}

/// The same behind which an epilogue stands: of large grids of odd rows, by the shape of this number, launch(kernel, space, plan, epilogue).
template <class T, int Radius, class How, class Launch>
void check_march_epilogue(int number, const Keramos::AxisRule& rule, const Launch& launch)
{
  namespace stencil = Keramos::cuda::stencil;
  namespace core = Keramos::core;
  using Op = Weighted<Keramos::Star<3, Radius>>;
  using Case = StencilCase<T, Op>;
  using View = typename DeviceArray<T, 3>::View;
  const int row = Radius == 4 ? 513 : 509; // 513: a column beside those of whole warps
  const std::array<std::int64_t, 3> extents{6, 33, row};
  const Array<T, 3> in(extents, Memory::right), out(extents, Memory::right), expected(extents, Memory::right),
      got(extents, Memory::right), field(extents, Memory::right);
  in.randomise(1);
  out.randomise(2);
  field.randomise(3);
  out.for_each([&](const auto& i) { expected.at(i) = out.at(i); });
  run(Backend::reference,
      [&](const auto& exec) { return Case::template call<How>(exec, Op{}, rule, in.view, expected.view, field.view); });
  const auto device = Keramos::cuda::device_of(own_instance());
  const DeviceArray<T, 3> in_there(in, 1), out_there(out, 0), field_there(field, 1);
  const Keramos::Region<3>* const everywhere = nullptr;
  const Keramos::EdgeRules<3> edges = rule;
  const core::StencilProblem problem(core::stencil_call(Op{}, in_there.view(), out_there.view(), edges, everywhere));
  const auto epilogue = core::bind_epilogue<Op, Exec, View>(
      problem, Case::template epilogue_of<How>(out_there.view(), field_there.view()));
  const auto plan = stencil::plan_march_functor(stencil::request_of(device, problem, epilogue), number);
  if (device.architecture >= 90) ASSERT_TRUE(plan) << "radius " << Radius << " shape " << number;
  if (!plan) return;
  const Keramos::Kernel kernel{Backend::cuda, "apply_stencil", plan->variant};
  launch(kernel, own_instance(), *plan, epilogue);
  own_instance().fence("the test reads what was written");
  out_there.download(got);
  const double bound = 4. * (Op::tap_count + How::fields) * std::numeric_limits<T>::epsilon();
  got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << kernel; });
}

/// A user's functor.
template <class T, int Radius, class How>
void check_march_functor()
{
  namespace stencil = Keramos::cuda::stencil;
  for (int number = 0; stencil::has_march_functor_shape(Radius, sizeof(T), How::fields, number); ++number) {
    const bool wants_zeros = stencil::has_functor_pairs(Radius, How::fields, number) ||
                             stencil::has_functor_singles(Radius, sizeof(T), number);
    check_march_epilogue<T, Radius, How>(
        number, wants_zeros ? Keramos::AxisRule(Keramos::constant(0)) : rules[Radius % 4],
        [](const auto&... arguments) { stencil::launch_march_functor_of<Radius>(arguments...); });
  }
}

TEST(Sanitize, MarchesOfFunctors)
{
  check_march_functor<float, 1, OneField>();
  check_march_functor<float, 1, ThreeFields>();
  check_march_functor<float, 4, OneField>();
  check_march_functor<float, 4, ThreeFields>();
  check_march_functor<double, 4, OneField>();
  check_march_functor<double, 4, ThreeFields>();
  check_march_functor<float, 2, OfIndices>();
  check_march_functor<float, 4, OfIndices>();
  check_march_functor<double, 4, OfIndices>();
}

template <class T>
void check_march_waves()
{
  namespace stencil = Keramos::cuda::stencil;
  constexpr int radius = stencil::march_epilogue_radius;
  for (int number = stencil::functor_pairs;
       stencil::has_march_functor_shape(radius, sizeof(T), Keramos::core::LeapFrogEpilogue<T>::operands, number);
       ++number)
    check_march_epilogue<T, radius, WaveUpdate>(number, Keramos::constant(0), [](const auto&... arguments) {
      stencil::library::launch_march_epilogue(arguments...);
    });
}

TEST(Sanitize, MarchesOfWaves)
{
  check_march_waves<float>();
  check_march_waves<double>();
}

/// A box without its centre.
template <int Radius>
struct Shell : Keramos::Box<3, Radius> {
  static constexpr Keramos::Shape shape = Keramos::Shape::sparse;
  static constexpr int tap_count = Keramos::Box<3, Radius>::tap_count - 1;
  auto offset(int t) const { return Keramos::Box<3, Radius>::offset(t < tap_count / 2 ? t : t + 1); }
};

template <class T>
void check_marches()
{
  check_march<T, Keramos::Star<3, 3>>();
  check_march<T, Keramos::Star<3, 4>>();
  check_march<T, Keramos::Box<3, 1>>();
  check_march<T, Keramos::Box<3, 2>>();
  check_march<T, Shell<1>>();
  check_march<T, Shell<2>>();
}

TEST(Sanitize, Marches)
{
  check_march<float, Keramos::Star<3, 1>>();
  check_march<float, Keramos::Star<3, 2>>();
  check_marches<float>();
  check_marches<double>();
}

namespace stencil = Keramos::cuda::stencil;
namespace core = Keramos::core;

/// A star by the kernel that `plan_of(request)` has for newer GPUs.
template <class T, int Radius, class PlanOf, class Launch>
void check_planned_star(const Keramos::EdgeRules<3>& edges, const PlanOf& plan_of, const Launch& launch,
                        const Keramos::cuda::Device& device = Keramos::cuda::device_of(own_instance()),
                        const std::array<std::int64_t, 3>& extents = {11, 36, 132},
                        std::optional<Keramos::Region<3>> region = std::nullopt)
{
  using Op = Weighted<Keramos::Star<3, Radius>>;
  using View = typename DeviceArray<T, 3>::View;
  const Array<T, 3> in(extents, Memory::right), expected(extents, Memory::right), got(extents, Memory::right);
  in.randomise(1);
  const auto check = [&](const auto& epilogue_of) {
    expected.randomise(2);
    const DeviceArray<T, 3> in_there(in), out_there(expected);
    const auto there = region.value_or(Keramos::Region<3>{{0, 0, 0}, extents});
    const core::StencilProblem problem(core::stencil_call(Op{}, in_there.view(), out_there.view(), edges, &there));
    const auto epilogue = core::bind_epilogue<Op, Exec, View>(problem, epilogue_of(out_there.view()));
    const auto plan = plan_of(stencil::request_of(device, problem, epilogue));
    ASSERT_TRUE(plan.has_value());
    launch(Keramos::Kernel{Backend::cuda, "apply_stencil", plan->variant}, *plan, epilogue);
    own_instance().fence("the test reads what was written");
    out_there.download(got);
    run(Backend::reference, [&](const auto& exec) {
      if constexpr (core::only_stores<std::decay_t<decltype(epilogue)>>)
        return Keramos::apply_stencil(exec, Op{}, in.view, expected.view, edges, there);
      else
        return Keramos::apply_stencil(exec, Op{}, in.view, expected.view, edges, epilogue_of(expected.view), there);
    });
    const double bound = 4. * Op::tap_count * std::numeric_limits<T>::epsilon();
    got.for_each([&](const auto& i) { ASSERT_NEAR(got.at(i), expected.at(i), bound) << plan->variant.str(); });
  };
  check([](const auto& out) { return Keramos::LeapFrog{out, 0.5}; });
  check([](const auto&) { return core::StoreValue(); });
}

/// Tensor copies are for large grids, too: those that leave zero beyond edges, and those that settle what is there.
template <class T, int Radius>
void check_tensor_star()
{
  const auto check = [](const Keramos::EdgeRules<3>& edges) {
    check_planned_star<T, Radius>(
        edges, [](const auto& request) { return stencil::plan_tensor_star(request); },
        [](const auto& kernel, const auto& plan, const auto& epilogue) {
          stencil::library::launch_tensor_star(kernel, own_instance(), plan, epilogue);
        });
  };
  check(Keramos::constant(0));
  if constexpr (Radius <= stencil::max_settled_radius) check(Keramos::periodic);
}

/// Those by registers are for thin Regions.
template <class T, int Radius>
void check_direct_star(const Keramos::EdgeRules<3>& edges, const std::array<std::int64_t, 3>& extents,
                       const Keramos::Region<3>& region)
{
  check_planned_star<T, Radius>(
      edges, [](const auto& request) { return stencil::plan_direct(request); },
      [](const auto& kernel, const auto& plan, const auto& epilogue) {
        stencil::library::launch_direct(kernel, own_instance(), plan, stencil::reordered(epilogue, plan.order));
      },
      Keramos::cuda::device_of(own_instance()), extents, region);
}

/// Everywhere, and where there is nothing to ask.
template <class T, int Radius>
void check_direct_stars()
{
  const std::array<std::int64_t, 3> extents{11, 36, 132}, deeper{12, 36, 132};
  check_direct_star<T, Radius>(Keramos::periodic, extents, {{0, 0, 0}, extents});
  check_direct_star<T, Radius>(Keramos::constant(0), deeper, {{4, 0, 0}, {8, 36, 132}});
}

/// Those of small grids, and the tiles that nothing else in this suite is large enough for: of rows on 16 bytes.
template <class T>
void check_small_star()
{
  constexpr int radius = stencil::max_small_star_radius;
  const auto plan_of = [](const auto& request, auto...) { return stencil::plan_small_star(request); };
  const auto launch = [](const auto& kernel, const auto& plan, const auto& epilogue) {
    stencil::library::launch_small_star(kernel, own_instance(), plan, epilogue);
  };
  auto device = Keramos::cuda::device_of(own_instance());
  for (const int multiprocessors : {device.multiprocessors, 8, 0}) { // by rows, planes, a march
    device.multiprocessors = multiprocessors;
    for (const Keramos::EdgeRules<3>& edges : {Keramos::EdgeRules<3>(Keramos::constant(0)), {Keramos::periodic}})
      check_planned_star<T, radius>(edges, plan_of, launch, device);
  }
  const int ran = check_shapes<T, Keramos::Star<3, radius>>( // of single elements
      {6, 33, 131}, Keramos::constant(0), 1, 1, plan_of,
      [&](const Keramos::Kernel& kernel, const auto&, const auto& plan) { launch(kernel, plan, core::StoreValue()); });
  EXPECT_EQ(ran, 1);
  check_planned_star<T, radius>(
      Keramos::periodic, [](const auto& request) { return stencil::choose_star(request); },
      [](const auto& kernel, const auto& plan, const auto& epilogue) {
        stencil::library::launch_star<3>(kernel, own_instance(), plan, epilogue);
      });
}

template <class T, int... Tensor, int... Direct>
void check_stars(std::integer_sequence<int, Tensor...>, std::integer_sequence<int, Direct...>)
{
  (check_direct_stars<T, Direct + 1>(), ...);
  const std::array<std::int64_t, 3> narrow{19, 18, 4}; // by rows in shared memory
  check_direct_star<T, stencil::max_direct_radius>(Keramos::periodic, narrow, {{0, 0, 0}, narrow});
  check_small_star<T>();
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) (check_tensor_star<T, Tensor + 1>(), ...);
}

TEST(Sanitize, TensorDirectAndSmallStars)
{
  const std::make_integer_sequence<int, stencil::max_tensor_star_radius> tensor;
  const std::make_integer_sequence<int, stencil::max_direct_radius> direct;
  check_stars<float>(tensor, direct);
  check_stars<double>(tensor, direct);
}

/// From one of three interleaved components, by partial sums; StencilMarchComponentsTest.cpp compares the bits.
template <class T, int Radius>
void check_march_component()
{
  const std::int64_t nz = 6, ny = 33, nx = 130;
  const Kokkos::View<T*, Kokkos::CudaSpace> memory("components", 4 * nz * ny * nx);
  Kokkos::deep_copy(own_instance(), memory, T(1));
  const StridedView<T, 3> in(memory.data() + 1, Kokkos::LayoutStride(nz, ny * nx * 3, ny, nx * 3, nx, 3));
  const StridedView<T, 3> out(memory.data() + 3 * nz * ny * nx, Kokkos::LayoutStride(nz, ny * nx, ny, nx, nx, 1));
  const Keramos::EdgeRules<3> edges = Keramos::reflect;
  const Keramos::Region<3>* const everywhere = nullptr;
  const core::StencilProblem problem(
      core::stencil_call(Weighted<Keramos::Star<3, Radius>>{}, in, out, edges, everywhere));
  const auto device = Keramos::cuda::device_of(own_instance());
  const auto request = stencil::request_of(device, problem, core::StoreValue());
  const auto plan = stencil::plan_march(request, stencil::march_of_components);
  if (device.architecture >= 90) ASSERT_TRUE(plan) << "radius " << Radius;
  if (plan) stencil::library::launch_march({Backend::cuda, "apply_stencil", plan->variant}, own_instance(), *plan);
  own_instance().fence("the memory goes");
}

TEST(Sanitize, MarchesFromComponents)
{
  check_march_component<float, 1>();
  check_march_component<float, 2>();
  check_march_component<float, 3>();
  check_march_component<float, 4>();
  check_march_component<double, 3>();
  check_march_component<double, 4>();
}

TEST(Sanitize, StridedStars)
{
  namespace stencil = Keramos::cuda::stencil;
  int ran = 0;
  const auto check = [&]<class Star>(const Star&, std::int64_t columns) {
    ran += check_shapes<double, Star>(
        {7, 67, columns}, Keramos::constant(0), 1, 1,
        [](const auto& request, int) { return stencil::plan_strided_star(request); },
        stencil::library::launch_strided_star<double>);
  };
  check(Keramos::Star<3, 1>(), 129);
  check(Keramos::Star<3, 2>(), 257);
  check(Keramos::Star<3, 3>(), 257);
  check(Keramos::Star<3, 4>(), 262);
  if (Keramos::cuda::device_of(own_instance()).architecture >= 90) EXPECT_EQ(ran, 4);
}

// ---- The kernels that the binary holds, and those that ran ------------------------------------------------------------

/// Sums by planes and tensor copies are for Hopper and later; for others their kernels are empty. Products of matrices want
/// its shared memory.
bool is_for_newer(const std::string& name)
{
  const Keramos::cuda::Device device = Keramos::cuda::device_of(own_instance());
  bool is_for_hopper = false;
  for (const char* kernel : {"march_kernel", "march_functor_kernel", "tensor_star_kernel", "strided_star_kernel"})
    is_for_hopper = is_for_hopper || name.find(kernel) != std::string::npos;
  return (is_for_hopper && device.architecture < 90) || (name.find("gather_product") != std::string::npos &&
                                                         !Keramos::cuda::gather_sum::has_product_tiles<float>(device));
}

/// Of a user's functor that reads a View by itself: the reference's call compiles kernels for Views of its own memory, and of two orders of indices a
/// call takes one. Which of them ran, their tests say.
bool is_for_other_views(const std::string& name) { return name.find("ReadsView") != std::string::npos; }

class EveryKernelRan : public testing::Environment {
public:
  void TearDown() override
  {
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    if (tests.test_to_run_count() + tests.disabled_test_count() < tests.total_test_count())
      return; // a part, by a filter
    int held = 0;
    std::string idle;
    for (const auto& [kernel, name] : registered()) {
      if (name.rfind("_ZN7Keramos4cuda", 0) != 0) continue;
      ++held;
      if (!launched().count(kernel) && !is_for_newer(name) && !is_for_other_views(name)) idle += name + "\n";
    }
    EXPECT_EQ(idle, "") << "kernels of the library that never ran";
    EXPECT_GT(held, 100);
    std::cout << held << " device kernels of the library\n";
  }
};
const testing::Environment* const every_kernel = testing::AddGlobalTestEnvironment(new EveryKernelRan);

} // namespace
