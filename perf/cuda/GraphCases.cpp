// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small grids as an application steps them: calls from u to v and back in a CUDA graph, everything in the caches that fits there, beside
// the launches of an empty kernel and a copy of the same bytes in such a graph. The table of cases is at the end.
#include "StencilAnswer.hpp"

#include <Keramos_FiniteDifference.hpp>

#include <memory>

namespace perf {
namespace {

constexpr int steps = 100; ///< of a graph: from u to v, from v to u, ...

/// What `step` launches for steps 0, 1, ..., launched at once.
class Graph {
public:
  template <class Step>
  explicit Graph(const Step& step)
  {
    cudaGraph_t graph{};
    require_success(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "begin of a capture");
    for (int n = 0; n < steps; ++n) step(n);
    require_success(cudaStreamEndCapture(stream(), &graph), "end of a capture");
    require_success(cudaGraphInstantiate(&launchable_, graph, 0), "cudaGraphInstantiate");
    require_success(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  ~Graph() { cudaGraphExecDestroy(launchable_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch() const { require_success(cudaGraphLaunch(launchable_, stream()), "cudaGraphLaunch"); }

private:
  cudaGraphExec_t launchable_{};
};

__global__ void empty_kernel() {}

__global__ void copy_kernel(const float4* from, float4* to, std::int64_t count)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * fill_threads + threadIdx.x;
  if (n < count) to[n] = from[n];
}

template <class T>
__global__ void count_different_kernel(const T* one, const T* other, std::int64_t count, T tolerance, int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * fill_threads + threadIdx.x;
  if (n < count && !(fabs(one[n] - other[n]) <= tolerance)) atomicAdd(wrong, 1);
}

template <class T>
__global__ void drop_signs_kernel(T* data, std::int64_t count)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * fill_threads + threadIdx.x;
  if (n < count) data[n] = fabs(data[n]);
}

double points_of(const Extents3& extents) { return double(extents[0]) * double(extents[1]) * double(extents[2]); }

template <class T>
using Cube = Kokkos::View<T***, Kokkos::LayoutRight, Gpu>;

/// The two fields, what they were, and what a wave's speed is.
template <class T>
struct TwoFields {
  Cube<T> u, v, first_u, first_v, scale;

  explicit TwoFields(const Extents3& extents)
  {
    std::uint64_t seed = 0;
    for (Cube<T>* field : {&u, &v, &first_u, &first_v, &scale}) {
      *field = device_array<Cube<T>>("field", extents[0], extents[1], extents[2]);
      fill_device_random(field->data(), field->size(), ++seed);
    }
    const auto count = static_cast<std::int64_t>(scale.size()); // a wave of negative speed would grow
    drop_signs_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(scale.data(), count);
  }
  void begin_again() const
  {
    Kokkos::deep_copy(Gpu(), u, first_u);
    Kokkos::deep_copy(Gpu(), v, first_v);
  }
};

/// No field grows by it: the magnitudes of its weights add up to less than 1.
auto damped_star()
{
  const auto star = Keramos::FiniteDifference::laplacian<3, 8>(1.0, 1.0, 1.0);
  double sum = 0;
  for (int t = 0; t < star.tap_count; ++t) sum += std::abs(star.weight(t));
  const double h = std::sqrt(1.01 * sum);
  return Keramos::FiniteDifference::laplacian<3, 8>(h, h, h);
}

enum class Kind { star, wave, derivative };

/// Along View axis 1: the largest gain of any frequency is 1, so that fields neither grow nor fade.
auto damped_derivative() { return Keramos::FiniteDifference::first_derivative<3, 8>(1, 1.7307); }

/// Step n on this space.
template <Kind kind, class T, class Exec>
std::string step(const Exec& exec, const TwoFields<T>& fields, int n)
{
  const Cube<T>&in = n % 2 ? fields.v : fields.u, &out = n % 2 ? fields.u : fields.v;
  const auto edges = Keramos::constant(0);
  if constexpr (kind == Kind::wave)
    return name_of(Keramos::apply_stencil(exec, damped_star(), in, out, edges, Keramos::LeapFrog{out, fields.scale}));
  else if constexpr (kind == Kind::star)
    return name_of(Keramos::apply_stencil(exec, damped_star(), in, out, edges));
  else
    return name_of(Keramos::apply_stencil(exec, damped_derivative(), in, out, edges));
}

/// Against the same steps by plain Kokkos kernels. Rounding may add up, of a wave at most by so many times what one step leaves.
template <Kind kind, class T>
std::string mistakes_of_steps(const TwoFields<T>& fields)
{
  const auto copy_of = [](const Cube<T>& field) {
    const Cube<T> copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "copy"), field.layout());
    Kokkos::deep_copy(Gpu(), copy, field);
    return copy;
  };
  const Cube<T> u = copy_of(fields.u), v = copy_of(fields.v);
  fields.begin_again();
  for (int n = 0; n < steps; ++n) step<kind>(Keramos::with_backend(Gpu(), Keramos::Backend::portable), fields, n);
  const auto count = static_cast<std::int64_t>(u.size());
  const T tolerance = 25 * steps * (kind == Kind::wave ? steps : 1) * std::numeric_limits<T>::epsilon();
  const Mistakes wrong;
  const auto compare = [&](const Cube<T>& got, const Cube<T>& expected) {
    count_different_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(got.data(), expected.data(), count,
                                                                              tolerance, wrong.counter());
  };
  compare(u, fields.u);
  compare(v, fields.v);
  require_launched("comparison");
  finish();
  return wrong.text("wrong points");
}

/// Fields, and the graphs that work on them.
template <class T, Kind kind>
struct Steps {
  TwoFields<T> fields;
  Kokkos::View<float4*, Gpu> one, other; ///< what is read is as large as what is written
  std::string kernel;
  Graph calls, copies, launches;

  explicit Steps(const Extents3& extents)
      : fields(extents), one(device_array<Kokkos::View<float4*, Gpu>>("one", quads(extents))),
        other(device_array<Kokkos::View<float4*, Gpu>>("other", quads(extents))),
        calls([this](int n) { kernel = step<kind>(Gpu(), fields, n); }), copies([this](int n) { copy(n); }),
        launches([](int) { empty_kernel<<<1, 32, 0, stream()>>>(); })
  {
    poison_device(one.data(), one.size() * sizeof(float4));
  }
  static double bytes(const Extents3& extents)
  {
    return (kind == Kind::wave ? 4. : 2.) * sizeof(T) * points_of(extents);
  }
  static std::size_t quads(const Extents3& extents)
  {
    return static_cast<std::size_t>(bytes(extents) / 2 / sizeof(float4));
  }

  void copy(int n) const
  {
    const auto count = static_cast<std::int64_t>(one.size());
    copy_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(n % 2 ? other.data() : one.data(),
                                                                   n % 2 ? one.data() : other.data(), count);
  }
};

template <class T, Kind kind>
void add_steps(const std::string& name, const Extents3& extents)
{
  using Data = Steps<T, kind>;
  const Lazy<std::shared_ptr<Data>> data([=] { return std::make_shared<Data>(extents); });
  Case the_case{name, steps * points_of(extents), steps * Data::bytes(extents), Yardstick::copy, {}, {}};
  the_case.poison = [=] { (*data)->fields.begin_again(); };
  the_case.mistake = [=](double) { return mistakes_of_steps<kind>((*data)->fields); };
  const auto beside = [](const char* who, const std::function<std::string()>& run) {
    Contender contender{who, run};
    contender.mistake = [] { return std::string(); };
    contender.rival = false;
    return contender;
  };
  add("cuda_stencil", the_case,
      {{"Keramos",
        [=] {
          (*data)->calls.launch();
          return (*data)->kernel;
        }},
       beside("copy of the same bytes",
              [=] {
                (*data)->copies.launch();
                return std::string();
              }),
       beside("empty kernels", [=] {
         (*data)->launches.launch();
         return std::string();
       })});
}

template <class T>
void add_graphs_of()
{
  for (const std::int64_t side : {64, 96, 128, 256}) {
    if (effort() == Effort::quick && side > 64) continue;
    const std::string name =
        std::string(" radius 4 in a graph") + (sizeof(T) == 4 ? " f32 " : " f64 ") + std::to_string(side) + "^3";
    const Extents3 cube{side, side, side};
    add_near(cube, [&](const Extents3& near) { add_steps<T, Kind::star>("star" + name, near); });
    add_near(cube, [&](const Extents3& near) { add_steps<T, Kind::wave>("wave" + name, near); });
    if (side == 64)
      add_near(cube, [&](const Extents3& near) { add_steps<T, Kind::derivative>("derivative" + name, near); });
  }
}

} // namespace

void add_graph_cases()
{
  add_graphs_of<float>();
  add_graphs_of<double>();
}

} // namespace perf
