// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each shape of a tuning table makes on this GPU, whichever of them the table chooses: those of the marches with partial sums
// (MarchTuning.hpp), beside the kernel that the library takes. Every shape must give the bits of that kernel. `./keramos tune` runs this
// program, and tune.py makes rows of the table of its JSON. The table of cases is at the end.
#include "StencilAnswer.hpp"

#include "../../backends/cuda/stencil/MarchChoice.hpp"
#include "../../backends/cuda/stencil/MarchTuning.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>

namespace perf {

template <class T>
static __global__ void count_different_kernel(const T* one, const T* other, std::int64_t count, int* different)
{
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count && reinterpret_cast<const Bits*>(one)[n] != reinterpret_cast<const Bits*>(other)[n])
    atomicAdd(different, 1);
}

namespace {

namespace stencil = Keramos::cuda::stencil;
namespace core = Keramos::core;

template <class T>
using Plain = Kokkos::View<T***, Kokkos::LayoutRight, Gpu, Kokkos::MemoryUnmanaged>;

template <class T>
struct Fields {
  Kokkos::View<T***, Kokkos::LayoutRight, Gpu> in, out, expected;
};
template <class T>
using Sets = Lazy<Ring<Fields<T>>>;

Keramos::EdgeRules<3> edges() { return Keramos::constant(0); }

/// What `use` makes of the request that a call on these Views comes down to.
template <class T, class Op, class Use>
auto with_request(const Op& op, const Plain<T>& in, const Plain<T>& out, const Use& use)
{
  const Keramos::Region<3>* const everywhere = nullptr;
  const Keramos::EdgeRules<3> rules = edges();
  const core::StencilProblem problem(core::stencil_call(op, in, out, rules, everywhere));
  const Keramos::cuda::Device device = Keramos::cuda::device_of(Gpu());
  return use(stencil::request_of(device, problem, core::StoreValue()));
}

/// The library's kernel on the set that was last written, to `expected`: empty where `out` has the same bits.
template <class T, class Op>
std::string different_bits(const Op& op, const Fields<T>& set)
{
  Keramos::apply_stencil(Gpu(), op, set.in, set.expected, edges());
  const Mistakes different;
  const auto count = static_cast<std::int64_t>(set.out.size());
  count_different_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(set.out.data(), set.expected.data(), count,
                                                                            different.counter());
  require_launched("comparison");
  finish();
  return different.text("points with other bits than the library's kernel gives");
}

/// One shape. What its row of the table says of it stands in the JSON: which it is, its rate now, what the choice expects of it here, from
/// which length of rows it is asked, and whether it is chosen.
template <class T, class Op>
Contender shape_of_march(const Op& op, const Sets<T>& sets, const stencil::MarchPlan<T>& plan, bool is_chosen)
{
  const int number = plan.number;
  const stencil::MarchShape shape = stencil::march_shape(plan.kind, plan.radius, sizeof(T), number);
  const bool fast = Keramos::cuda::has_fast_memory(Keramos::cuda::device_of(Gpu()));
  const bool is_slow_rate = !fast && shape.slow_rate > 0;
  Contender contender{"Keramos shape " + std::to_string(number), [=] {
                        const Fields<T>& set = sets->next();
                        const auto here = with_request<T>(op, set.in, set.out, [=](const auto& request) {
                          return stencil::plan_march(request, number);
                        });
                        const Keramos::Kernel kernel{Keramos::Backend::cuda, "apply_stencil", here.value().variant};
                        stencil::library::launch_march(kernel, Gpu(), *here);
                        return name_of(kernel);
                      }};
  contender.mistake = [=] { return different_bits(op, sets->last()); };
  const Columns columns{{"shape", number},
                        {"table_rate", is_slow_rate ? shape.slow_rate : shape.rate},
                        {"expected", stencil::expected_rate(plan, shape, fast)},
                        {"min_row", shape.min_row},
                        {"chosen", is_chosen},
                        {"slow_memory", !fast}};
  contender.columns = [columns] { return columns; };
  return contender;
}

/// Every shape that there is for these extents. Planning reads no memory: it asks where Views lie, and these are on boundaries as
/// allocations are.
template <class T, class Op>
std::vector<Contender> shapes_of_march(const Op& op, const Sets<T>& sets, const Extents3& extents)
{
  const auto at = [&](std::uintptr_t address) {
    return Plain<T>(reinterpret_cast<T*>(address), extents[0], extents[1], extents[2]);
  };
  std::vector<Contender> contenders;
  with_request<T>(op, at(std::uintptr_t{1} << 40), at(std::uintptr_t{1} << 41), [&](const auto& request) {
    const auto chosen = stencil::choose_march(request);
    for (int number = 0; number < stencil::march_shapes; ++number)
      if (const auto plan = stencil::plan_march(request, number))
        contenders.push_back(shape_of_march(op, sets, *plan, chosen && chosen->number == number));
  });
  return contenders;
}

/// False where there is nothing to choose: of this operator, on this GPU or at these extents, the table has no shape.
template <class T, class Op>
bool add_operator_at(const std::string& name, const Op& op, const Extents3& extents)
{
  const auto [n0, n1, n2] = extents;
  const double points = double(n0) * double(n1) * double(n2), bytes = 2 * sizeof(T) * points;
  const Sets<T> sets([=, n0 = n0, n1 = n1, n2 = n2] {
    using Field = Kokkos::View<T***, Kokkos::LayoutRight, Gpu>;
    return Ring<Fields<T>>(bytes, [=](std::uint64_t seed) {
      const Fields<T> set{device_array<Field>("in", n0, n1, n2), device_array<Field>("out", n0, n1, n2),
                          device_array<Field>("expected", n0, n1, n2)};
      fill_device_random(set.in.data(), set.in.size(), seed);
      return set;
    });
  });
  const std::string where = std::to_string(n0) + "x" + std::to_string(n1) + "x" + std::to_string(n2);
  Case the_case{
      name + (sizeof(T) == 4 ? " f32 " : " f64 ") + where, points, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] {
    for (const Fields<T>& set : sets->all()) poison_device(set.out.data(), set.out.size() * sizeof(T));
  };
  the_case.mistake = [=](double) {
    Answer<T> answer = answer_of<T>(op);
    answer.in = sets->last().in;
    answer.out = sets->last().out;
    return mistakes_of(answer);
  };
  std::vector<Contender> contenders = shapes_of_march(op, sets, extents);
  if (contenders.empty()) return false;
  contenders.insert(contenders.begin(), {"Keramos", [=] {
                                           const Fields<T>& set = sets->next();
                                           return name_of(Keramos::apply_stencil(Gpu(), op, set.in, set.out, edges()));
                                         }});
  add("cuda_tune", the_case, contenders);
  return true;
}

/// At the extents of --extents, or at those by which the table was made: rows of whole lines, and of 513 and 509 points.
template <class T, class Op>
void add_operator(const std::string& name, const Op& op)
{
  std::vector<Extents3> all{{512, 512, 512}, {509, 511, 513}, {513, 511, 509}};
  if (effort() == Effort::quick) all = {{170, 172, 261}};
  if (wanted_extents()) all = {*wanted_extents()};
  for (const Extents3& extents : all) {
    bool has_shapes = true; // there, without which nothing near it has a name
    add_near(extents, [&](const Extents3& near) { has_shapes = has_shapes && add_operator_at<T>(name, op, near); });
  }
}

template <class T, int Radius>
void add_star()
{
  add_operator<T>("star radius " + std::to_string(Radius),
                  Keramos::FiniteDifference::laplacian<3, 2 * Radius>(1.0, 1.0, 1.0));
}

template <class T>
void add_type()
{
  add_star<T, 1>();
  add_star<T, 2>();
  add_star<T, 3>();
  add_star<T, 4>();
  add_operator<T>("box radius 1", box_of_sines<3, 1>());
  add_operator<T>("box radius 2", box_of_sines<3, 2>());
}

} // namespace

void add_cases()
{
  add_type<float>();
  add_type<double>();
}

} // namespace perf
