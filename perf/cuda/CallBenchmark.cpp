// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's time of one small call on a GPU, beside an empty Kokkos::parallel_for and an empty kernel on the same stream.
// The table of cases is at the end.
//
// Calls are asynchronous: what is timed is issuing them. A batch is so short that it fits into the queue of launches, and
// the queue is empty when it begins, so that a kernel that takes longer than its launch does not slow the host down. Whether
// it takes longer tells the column with the time until all of the batch is done.
#include "../Calls.hpp"
#include "Buffers.hpp"

namespace perf {

__global__ void empty_kernel() {}

namespace {

constexpr Yardstick launch = Yardstick::launch;

/// Nanoseconds per call from the first launch of a batch to the end of its last kernel: the median of five.
Columns until_done(const std::function<std::string()>& batch)
{
  std::array<double, 5> seconds;
  for (double& one : seconds) {
    finish();
    Kokkos::Timer timer;
    batch();
    finish();
    one = timer.seconds();
  }
  std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
  return {{"done_ns", seconds[2] / calls_per_batch * 1e9}};
}

void launch_empty_kernel(const Gpu& exec)
{
  empty_kernel<<<1, 1, 0, exec.cuda_stream()>>>();
  require_launched("an empty kernel");
}

template <class Data>
void add_call(CallCase<Data> call, const std::vector<Contender>& more = {})
{
  call.contenders.insert(call.contenders.begin() + 1, more.begin(), more.end());
  call.contenders.push_back(batch_without_work<Gpu>("empty kernel <<<>>>", launch_empty_kernel));
  for (Contender& contender : call.contenders)
    if (contender.name != "Keramos dry_run") contender.columns = [run = contender.run] { return until_done(run); };
  add("cuda_call", call.the_case, call.contenders);
}

/// The sum in scratch of the caller's.
Contender sums_with_workspace(const Lazy<ChargesOn<Gpu>>& charges)
{
  return {"Keramos with Workspace", batch_of<Gpu>([=](const Gpu& exec) {
            return Keramos::gather_sum(exec, Keramos::Coulomb{}, charges->points, Keramos::Sources{charges->sources},
                                       charges->out, Keramos::Workspace{charges->scratch});
          })};
}

/// With few sources a call takes no scratch; with more they are cut into chunks, and a call is two kernels.
void add_sums(const std::string& name, ChargesOn<Gpu> (*make)())
{
  const auto sums = call_case<Gpu>(name, launch, make, CoulombOf{});
  add_call(sums, {sums_with_workspace(sums.data)});
}

} // namespace

void add_cases()
{
  const auto cube = &make_cube<Gpu, 0>;
  add_call(call_case<Gpu>("star-7 f32 8^3, periodic", launch, cube, StencilOn<Keramos::Star<3, 1>>{small_star()}));
  add_call(call_case<Gpu>("star-7 f32 8^3, ghost", launch, &make_cube<Gpu, 1>,
                          StencilOn<Keramos::Star<3, 1>>{small_star()}));
  add_call(call_case<Gpu>("wave update, star-25 f32 8^3, periodic", launch, cube,
                          WaveOn<Keramos::Star<3, 4>>{large_star()}));
  add_call(call_case<Gpu>("box-27 f32 8^3, periodic", launch, cube, StencilOn<Keramos::Box<3, 1>>{random_box<1>()}));
  add_call(call_case<Gpu>("box-125 f32 8^3, periodic", launch, cube, StencilOn<Keramos::Box<3, 2>>{random_box<2>()}));
  add_call(call_case<Gpu>("transpose f32 64x64", launch, &make_matrices<Gpu>, TransposeOf{}));
  add_sums("Coulomb, 100 points, 100 sources f32", &make_charges<Gpu, 100>);
  add_sums("Coulomb, 100 points, 1000 sources f32", &make_charges<Gpu, 1000>);
}

} // namespace perf
