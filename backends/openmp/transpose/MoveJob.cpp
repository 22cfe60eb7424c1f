// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MoveJob.hpp"
#include "../../../src/keramos/core/Error.hpp"
#include "../../../src/keramos/transpose/Layout.hpp"
#include "../HostKernels.hpp"

#include <algorithm>

namespace Keramos::openmp::transpose {

core::Text MoveJob::variant(const char* behind) const
{
  return [kind = kind_, size = size_, behind] {
    constexpr const char* names[] = {"runs", "tiles", "groups", "components", "interleave", "boxes"};
    return core::text(names[static_cast<int>(kind)], " ", size, "B", behind, instruction_set_name());
  };
}

PerAxis MoveJob::in_strides() const
{
  PerAxis strides{};
  for (int k = 0; k < axes_.count; ++k) strides[k] = axes_[k].in;
  return strides;
}

PerAxis MoveJob::out_strides() const
{
  PerAxis strides{};
  for (int k = 0; k < axes_.count; ++k) strides[k] = axes_[k].out;
  return strides;
}

Part MoveJob::whole() const
{
  Part all;
  for (int k = 0; k < axes_.count; ++k) all.extent[k] = axes_[k].extent;
  return all;
}

std::int64_t MoveJob::count(const Part& what, const PerAxis& extent) const
{
  std::int64_t product = 1;
  for (int k = 0; k < axes_.count; ++k) product *= core::ceil_div(what.extent[k], extent[k]);
  return product;
}

Part MoveJob::cut(const Part& what, const PerAxis& extent, std::int64_t index) const
{
  Part part = what;
  for (int n = 0; n < axes_.count; ++n) {
    const int k = order_[n];
    const std::int64_t along = core::ceil_div(what.extent[k], extent[k]), begin = index % along * extent[k];
    index /= along;
    part.extent[k] = std::min(extent[k], what.extent[k] - begin);
    part.in += begin * axes_[k].in;
    part.out += begin * axes_[k].out;
  }
  return part;
}

/// Elements of a part along axis k, which is cut next where it is longest: an axis that continues another is cut before that one, of
/// which every stretch stands whole in the part.
std::int64_t MoveJob::side(int k) const
{
  const PerAxis& part = part_extent_;
  const auto elements = [&](int first, int beyond) -> std::int64_t {
    if (beyond < 0 || part[beyond] == 1) return k == first ? part[k] : 1;
    return k == beyond ? part[k] * part[first] : 1;
  };
  if (kind_ == MoveKind::groups && k == 0) return 1;
  if (k == x_ || k == beyond_x_) return elements(x_, beyond_x_);
  if (k == y_ || k == beyond_y_) return elements(y_, beyond_y_);
  return part[k];
}

void MoveJob::share(int threads)
{
  const std::int64_t wanted = wanted_tasks(axes_.size() * size_, threads);
  while (count(whole(), part_extent_) < wanted) { // halve the longest side of the parts, down to 64 elements
    int longest = 0;
    for (int k = 1; k < axes_.count; ++k)
      if (side(k) > side(longest)) longest = k;
    if (side(longest) < 128) break;
    std::int64_t& extent = part_extent_[longest];
    extent = extent == side(longest) ? core::round_up(extent / 2, 64) : core::ceil_div(extent, 2);
  }
  tasks_ = Tasks(count(whole(), part_extent_), wanted);
}

void MoveJob::move(const Part& part, const void* in, const PerAxis& in_stride, void* out, const PerAxis& out_stride,
                   const void* next) const
{
  const TransposeKernels& kernels = transpose_kernels();
  const int entry = table_entry(size_);
  const auto* from = static_cast<const unsigned char*>(in);
  auto* to = static_cast<unsigned char*>(out);
  const auto* const ahead = static_cast<const unsigned char*>(next);
  const std::int64_t nx = part.extent[x_], ny = y_ < 0 ? 1 : part.extent[y_];
  const auto all = [&] {
    Plane p = plane(part, from, in_stride, size_, to, out_stride);
    p.next = ahead;
    return p;
  };
  switch (kind_) {
  case MoveKind::runs: {
    const bool many = axes_.count > 1;
    kernels.runs({from, to, nx * size_, many ? ny : 1, many ? in_stride[y_] * size_ : 0,
                  many ? out_stride[y_] * size_ : 0, streaming_});
    break;
  }
  case MoveKind::tiles:
  case MoveKind::components:
    kernels.plane[entry](all());
    break;
  case MoveKind::groups:
    kernels.groups(all(), axes_[0].extent * size_);
    break;
  case MoveKind::interleave:
    kernels.interleave[entry]({from, to, ny, nx, in_stride[x_] * size_, streaming_, ahead});
    break;
  case MoveKind::boxes:
    kernels.box[entry](box(part, from, in_stride, to, out_stride, ahead));
    break;
  }
}

void MoveJob::convert(const Part& part, const void* in, void* out, const Conversion& conversion, const void* next) const
{
  Plane all = plane(part, static_cast<const unsigned char*>(in), in_strides(), conversion.in_size,
                    static_cast<unsigned char*>(out), out_strides());
  all.next = static_cast<const unsigned char*>(next);
  all.conversion = &conversion;
  transpose_kernels().plane[table_entry(size_)](all);
}

Plane MoveJob::plane(const Part& part, const unsigned char* in, const PerAxis& in_stride, std::int64_t in_size,
                     unsigned char* out, const PerAxis& out_stride) const
{
  const auto rows = [&](int k, int beyond, const PerAxis& stride, std::int64_t size) {
    const bool two = beyond > 0 && part.extent[beyond] > 1;
    return two ? PlaneRows{stride[k] * size, part.extent[k], stride[beyond] * size} : PlaneRows{stride[k] * size};
  };
  const auto extent = [&](int k, int beyond) { return part.extent[k] * (beyond > 0 ? part.extent[beyond] : 1); };
  return {in,
          out,
          extent(x_, beyond_x_),
          extent(y_, beyond_y_),
          rows(x_, beyond_x_, in_stride, in_size),
          rows(y_, beyond_y_, out_stride, size_),
          streaming_};
}

Box MoveJob::box(const Part& part, const unsigned char* in, const PerAxis& in_stride, unsigned char* out,
                 const PerAxis& out_stride, const unsigned char* next) const
{
  Box box{};
  box.in = in;
  box.out = out;
  box.next = next;
  box.axes = axes_.count;
  for (int k = 0; k < axes_.count; ++k) {
    box.extent[k] = part.extent[k];
    box.in_pitch[k] = in_stride[k] * size_;
    box.out_pitch[k] = out_stride[k] * size_;
  }
  const std::int64_t nx = part.extent[0], ny = y_ < 0 ? 1 : part.extent[y_];
  const bool unit = out_stride[0] == 1;
  box.across = unit && y_ > 0 && in_stride[y_] == 1 && nx >= 4 && ny >= 4 ? y_ : -1;
  const auto order = core::input_order(axes_);
  box.groups = unit && order[0] == 0 && in_stride[0] == 1 && axes_.count > 1 && nx > 1 && nx * size_ <= 64;
  box.inner = inner_loop(part, in_stride, order, box.groups);
  box.streaming = streaming_;
  return box;
}

/// The loop along the input's fastest axis, or if that is short the longest that stays near: starting a loop costs more than
/// visiting a line of the cache again.
int MoveJob::inner_loop(const Part& part, const PerAxis& in_stride, const std::array<int, core::max_rank>& order,
                        bool groups) const
{
  const int first = groups ? 1 : 0; // with groups, axis 0 is the fastest of both arrays
  int longest = order[first];
  if (part.extent[longest] >= 16) return longest;
  for (int p = first + 1; p < axes_.count; ++p)
    if (in_stride[order[p]] * size_ <= box_side_bytes && part.extent[order[p]] > part.extent[longest])
      longest = order[p];
  return longest;
}

void MoveJob::run(std::int64_t task, const void* in, void* out) const
{
  const PerAxis in_stride = in_strides(), out_stride = out_strides();
  const auto* from = static_cast<const unsigned char*>(in);
  const std::int64_t last = tasks_.end(task);
  Part now = part(tasks_.begin(task));
  for (std::int64_t p = tasks_.begin(task); p < last; ++p) {
    const Part next = p + 1 < last ? part(p + 1) : now;
    move(now, from + now.in * size_, in_stride, static_cast<unsigned char*>(out) + now.out * size_, out_stride,
         p + 1 < last ? from + next.in * size_ : nullptr);
    now = next;
  }
}

} // namespace Keramos::openmp::transpose
