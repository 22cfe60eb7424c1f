// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and scans by warp shuffles and through shared memory, beside plain Kokkos and CUB. Not a family of Keramos: what its
// gather-sums over many sources are built of. Unsigned integers, so that every order of the additions gives the same answer.
// The table of cases is at the end.
#include "Buffers.hpp"
#include "WarpPrimitives.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace perf {

using Numbers = Kokkos::View<unsigned*, Gpu>;

struct Arrays {
  Numbers in, out, scratch;
  std::int64_t count() const { return in.extent(0); }
};

__global__ void bytes_kernel(unsigned* data, std::int64_t count)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) data[n] = static_cast<unsigned>(mixed(n) & 0xff);
}

/// A scan is right where every element is the one before plus its own number, except at the start of a segment.
__global__ void count_wrong_scans_kernel(const unsigned* in, const unsigned* out, std::int64_t count,
                                         std::int64_t segment, int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count && out[n] != in[n] + (n % segment == 0 ? 0 : out[n - 1])) atomicAdd(wrong, 1);
}

/// One thread a segment.
__global__ void count_wrong_sums_kernel(const unsigned* in, const unsigned* out, std::int64_t count,
                                        std::int64_t segment, int* wrong)
{
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n * segment >= count) return;
  unsigned sum = 0;
  for (std::int64_t k = 0; k < segment; ++k) sum += in[n * segment + k];
  if (sum != out[n]) atomicAdd(wrong, 1);
}

struct PlainSum {
  Numbers in;
  KOKKOS_FUNCTION void operator()(std::int64_t n, unsigned& sum) const { sum += in(n); }
};
struct PlainScan {
  Numbers in, out;
  KOKKOS_FUNCTION void operator()(std::int64_t n, unsigned& sum, bool last) const
  {
    sum += in(n);
    if (last) out(n) = sum;
  }
};

namespace {

using Data = Lazy<Arrays>;
using Range = Kokkos::RangePolicy<Gpu, Kokkos::IndexType<std::int64_t>>;
using Call = std::function<void(const Arrays&)>;

enum class Check { sum, segment_sums, scan, segment_scans };

std::string compare(const Arrays& a, Check check)
{
  const Mistakes wrong;
  const bool scans = check == Check::scan || check == Check::segment_scans;
  const std::int64_t segment =
      check == Check::segment_sums || check == Check::segment_scans ? classic::segment : a.count();
  if (check == Check::sum) {
    unsigned expected = 0, got = 0;
    Kokkos::parallel_reduce("perf::expected sum", Range(0, a.count()), PlainSum{a.in}, expected);
    Kokkos::deep_copy(got, Kokkos::subview(a.out, 0));
    return got == expected ? "" : "expected " + std::to_string(expected) + ", got " + std::to_string(got);
  }
  (scans ? count_wrong_scans_kernel : count_wrong_sums_kernel)<<<fill_blocks(a.count()), fill_threads, 0, stream()>>>(
      a.in.data(), a.out.data(), a.count(), segment, wrong.counter());
  require_launched("comparison");
  finish();
  return wrong.text();
}

Data arrays_of(std::int64_t count)
{
  return Data([=] {
    const Arrays arrays{device_array<Numbers>("in", count), device_array<Numbers>("out", count),
                        device_array<Numbers>("scratch", count / 4096 + (1 << 20))};
    bytes_kernel<<<fill_blocks(count), fill_threads, 0, stream()>>>(arrays.in.data(), count);
    require_launched("random numbers");
    return arrays;
  });
}

void add_case(const std::string& name, const Data& data, std::int64_t count, Check check,
              const std::vector<std::pair<std::string, Call>>& calls)
{
  const bool scans = check == Check::scan || check == Check::segment_scans;
  const double bytes = (scans ? 2.0 : 1.0) * sizeof(unsigned) * count;
  Case the_case{name + " u32 " + std::to_string(count), bytes, bytes, Yardstick::copy, {}, {}, calls_for(bytes)};
  the_case.poison = [=] { poison_device(data->out.data(), count * sizeof(unsigned)); };
  the_case.mistake = [=](double) { return compare(*data, check); };
  std::vector<Contender> contenders;
  for (const auto& [who, call] : calls) contenders.push_back({who, [=, call = call] { return call(*data), ""; }});
  add("cuda_warp", the_case, contenders);
}

template <class Way>
std::vector<Call> classics()
{
  const int multiprocessors = Gpu().cuda_device_prop().multiProcessorCount;
  const auto blocks = [](const Arrays& a) { return static_cast<unsigned>(a.count() / classic::segment); };
  return {[=](const Arrays& a) {
            classic::sum<Way>(a.in.data(), a.count(), a.out.data(), a.scratch.data(), multiprocessors);
          },
          [=](const Arrays& a) {
            classic::sum_segments_kernel<Way><<<blocks(a), classic::segment, 0, stream()>>>(a.in.data(), a.out.data());
            require_launched("sums of segments");
          },
          [=](const Arrays& a) { classic::scan<Way>(a.in.data(), a.count(), a.out.data(), a.scratch.data()); },
          [=](const Arrays& a) {
            classic::scan_segments_kernel<Way><<<blocks(a), classic::segment, 0, stream()>>>(a.in.data(), a.out.data());
            require_launched("scans of segments");
          }};
}

void cub_sum(const Arrays& a)
{
  std::size_t bytes = a.scratch.size() * sizeof(unsigned);
  require_success(cub::DeviceReduce::Sum(a.scratch.data(), bytes, a.in.data(), a.out.data(), a.count(), stream()),
                  "cub::DeviceReduce");
}

void cub_scan(const Arrays& a)
{
  std::size_t bytes = a.scratch.size() * sizeof(unsigned);
  require_success(
      cub::DeviceScan::InclusiveSum(a.scratch.data(), bytes, a.in.data(), a.out.data(), a.count(), stream()),
      "cub::DeviceScan");
}

void kokkos_sum(const Arrays& a)
{
  Kokkos::parallel_reduce("perf::plain sum", Range(0, a.count()), PlainSum{a.in}, Kokkos::subview(a.out, 0));
}

void kokkos_scan(const Arrays& a)
{
  Kokkos::parallel_scan("perf::plain scan", Range(0, a.count()), PlainScan{a.in, a.out});
}

} // namespace

void add_cases()
{
  const std::int64_t count = std::int64_t{1} << sized(24, 28);
  const Data data = arrays_of(count);
  const auto shared = classics<classic::BySharedMemory>(), shuffled = classics<classic::ByShuffles>();
  const std::string one = classic::BySharedMemory::name, other = classic::ByShuffles::name;
  add_case("sum", data, count, Check::sum,
           {{other, shuffled[0]}, {one, shared[0]}, {"CUB", cub_sum}, {"Kokkos parallel_reduce", kokkos_sum}});
  add_case("sums of 1024", data, count, Check::segment_sums, {{other, shuffled[1]}, {one, shared[1]}});
  add_case("scan", data, count, Check::scan,
           {{other, shuffled[2]}, {one, shared[2]}, {"CUB", cub_scan}, {"Kokkos parallel_scan", kokkos_scan}});
  add_case("scans of 1024", data, count, Check::segment_scans, {{other, shuffled[3]}, {one, shared[3]}});
}

} // namespace perf
