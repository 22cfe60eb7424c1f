// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.hpp"

#include "PlainKokkos.hpp"

#include <Keramos_Transpose.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <utility>

namespace demo {
namespace {

constexpr double billion = 1e9;

/// What a Coulomb pair on a grid asks of the multiply-add units: the square of one coordinate's difference added to the others',
/// an estimate of the reciprocal root, three for a Newton step to float precision, and the weighted sum. The difference
/// itself is not counted: some processors have adders beside those units.
constexpr double multiply_adds_a_pair = 6;

template <class... Parts>
std::string text(const Parts&... parts)
{
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

std::string number(const char* format, double value)
{
  char digits[64];
  std::snprintf(digits, sizeof(digits), format, value);
  return digits;
}

/// The yardstick right before and right after the work, because other users of the machine make it drift.
template <class Yardstick, class Work>
double beside(const Yardstick& yardstick, const Work& work)
{
  const double before = yardstick();
  work();
  return (before + yardstick()) / 2;
}

} // namespace

Comparison compare_wave_update(const Where& where, Wave& wave, const CopyBandwidth& copy)
{
  constexpr int steps = 4;
  Keramos::Kernel kernel;
  double seconds = 0;
  const double bandwidth = beside([&] { return copy.measure(); },
                                  [&] {
                                    seconds = fastest(where.space, 4, [&] {
                                      for (int step = 0; step < steps; ++step) kernel = wave.advance(where);
                                    });
                                  });
  const double plain_seconds = fastest(where.space, 3, [&] {
    plain_wave_update(where.space, wave);
    std::swap(wave.now, wave.before);
  });
  const View3D& u = wave.now;
  const auto points = static_cast<double>(u.size());
  const double bytes =
      4.0 * sizeof(float); // a point: the wave at two times and c^2 dt^2 are read, the new wave is written
  return {"wave update",
          text(u.extent(0), " x ", u.extent(1), " x ", u.extent(2), " points, float"),
          kernel,
          points * steps / seconds / billion,
          points / plain_seconds / billion,
          "Gpoint/s",
          points * bytes * steps / seconds / bandwidth,
          "copy",
          number("%.1f GB/s", bandwidth / billion)};
}

Comparison compare_transpose(const Where& where, int receivers, int steps, const CopyBandwidth& copy)
{
  // One record is soon turned; as many as fill 128 MiB say more.
  constexpr int fill = 1 << 25;
  const int records = std::max(1, fill / (receivers * steps));
  const View2D in("receiver-major", records * receivers, steps), out("time-major", steps, records * receivers);
  Keramos::Kernel kernel;
  double seconds = 0;
  const double bandwidth =
      beside([&] { return copy.measure(); },
             [&] { seconds = fastest(where.space, 5, [&] { kernel = Keramos::transpose(where, in, out); }); });
  const double plain_seconds = fastest(where.space, 3, [&] { plain_transpose(where.space, in, out); });
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(in.size());
  return {"transpose",
          text(in.extent(0), " x ", in.extent(1), ", float"),
          kernel,
          bytes / seconds / billion,
          bytes / plain_seconds / billion,
          "GB/s",
          bytes / seconds / bandwidth,
          "copy",
          number("%.1f GB/s", bandwidth / billion)};
}

Comparison compare_gather_sum(const Where& where, const Keramos::UniformGrid<3>& grid, const Charges& charges,
                              const View3D& potential)
{
  const int planes = std::min(32, potential.extent_int(0));
  const auto part = Kokkos::subview(potential, std::pair(0, planes), Kokkos::ALL, Kokkos::ALL);
  Keramos::Kernel kernel;
  double seconds = 0;
  const double multiply_adds =
      beside([&] { return multiply_add_rate(where.space); },
             [&] {
               seconds = fastest(where.space, 3, [&] {
                 kernel = Keramos::gather_sum(where, Keramos::Coulomb{}, grid, charges.sources(), part);
               });
             });
  const double plain_seconds =
      fastest(where.space, 1, [&] { plain_potential(where.space, grid, charges, potential, planes); });
  const double pairs = static_cast<double>(part.size()) * static_cast<double>(charges.charge.size());
  return {"gather-sum",
          text(planes, " x ", part.extent(1), " x ", part.extent(2), " points, ", charges.charge.size(), " charges"),
          kernel,
          pairs / seconds / billion,
          pairs / plain_seconds / billion,
          "Gpair/s",
          pairs / seconds * multiply_adds_a_pair / multiply_adds,
          "arithmetic",
          number("%.0f Gmultiply-add/s", multiply_adds / billion)};
}

std::string table(const std::vector<Comparison>& comparisons)
{
  using Line = std::array<std::string, 7>;
  std::vector<Line> lines{
      {"operator", "work", "kernel", "speed", "plain Kokkos", "speed-up", "of this machine's best"}};
  for (const Comparison& c : comparisons)
    lines.push_back({c.operation, c.work, text(c.kernel), number("%.2f ", c.speed) + c.unit,
                     number("%.2f ", c.plain_speed) + c.unit, number("%.1fx", c.speed / c.plain_speed),
                     number("%.0f", 100 * c.fraction) + "% of " + c.ceiling + ", " + c.ceiling_text});

  Line::size_type width[7] = {};
  for (const Line& line : lines)
    for (std::size_t column = 0; column < line.size(); ++column)
      width[column] = std::max(width[column], line[column].size());
  std::string result;
  for (const Line& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column)
      result += line[column] + std::string(width[column] - line[column].size() + 2, ' ');
    result.erase(result.find_last_not_of(' ') + 1);
    result += '\n';
    if (&line == lines.data()) result += std::string(result.size() - 1, '-') + '\n';
  }
  return result;
}

} // namespace demo
