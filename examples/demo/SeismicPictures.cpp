// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SeismicPictures.hpp"

#include "Plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace demo {
namespace {

std::string caption(const char* format, double a, double b)
{
  char text[128];
  std::snprintf(text, sizeof(text), format, a, b);
  return text;
}

/// Automatic gain control: every trace divided by its own root mean square over `window` steps around each sample, so
/// that echoes from the deep show beside the direct wave. The small constant keeps silence silent.
Plane with_gain_control(const Plane& gather, std::size_t window)
{
  double square = 0;
  for (const float v : gather.value) square += double(v) * v;
  const double silence = 1e-4 * square / static_cast<double>(std::max<std::size_t>(gather.value.size(), 1));

  Plane gained = gather;
  std::vector<double> sum(gather.rows + 1); // of squares before a step
  for (std::size_t r = 0; r < gather.columns; ++r) {
    for (std::size_t step = 0; step < gather.rows; ++step)
      sum[step + 1] = sum[step] + double(gather(step, r)) * gather(step, r);
    for (std::size_t step = 0; step < gather.rows; ++step) {
      const std::size_t begin = step > window / 2 ? step - window / 2 : 0;
      const std::size_t end = std::min(gather.rows, step + window / 2 + 1);
      const double mean = (sum[end] - sum[begin]) / static_cast<double>(end - begin);
      gained(step, r) = static_cast<float>(gather(step, r) / std::sqrt(mean + silence + 1e-300));
    }
  }
  return gained;
}

} // namespace

void draw_seismogram(const std::string& file, const Plane& gather, const Survey& survey, double time_step)
{
  const double km = survey.spacing / 1000;
  const double first = (survey.receivers.front()[0] - survey.source[0]) * km;
  const double last = (survey.receivers.back()[0] - survey.source[0]) * km;
  const double duration = static_cast<double>(std::max<std::size_t>(gather.rows, 2) - 1) * time_step; // never nothing
  const Plane gained = with_gain_control(gather, static_cast<std::size_t>(0.4 / time_step));
  const double full = std::max<double>(gained.magnitude(0.97), 1e-30);

  Plot plot(720, 840, {first, last, "offset (km)"}, {0, duration, "time (s)"});
  plot.image([&](double down, double across) {
    const double value =
        gained.at(down * static_cast<double>(gather.rows - 1), across * static_cast<double>(gather.columns - 1));
    return grey(0.5 - 0.5 * value / full); // a positive peak is black, as on paper
  });
  plot.caption(caption("seismogram, ricker wavelet of %.0f hertz, automatic gain", survey.peak_frequency, 0));
  plot.color_bar(ColorBar::linear([](double t) { return grey(1 - t); }, -1, 1, "pressure, relative"));
  plot.write_png(file);
}

void draw_wavefield(const std::string& file, const Plane& wave, const Plane& velocity, const Survey& survey,
                    double time)
{
  const double km = survey.spacing / 1000;
  const double rows = static_cast<double>(wave.rows - 1), columns = static_cast<double>(wave.columns - 1);
  const auto [slowest, fastest] = std::minmax_element(velocity.value.begin(), velocity.value.end());
  const double low = *slowest, high = std::max<double>(*fastest, low + 1);
  const double full = std::max<double>(wave.magnitude(0.985), 1e-30);

  const int width = 760, height = static_cast<int>(std::lround(width * rows / columns));
  Plot plot(width, height, {0, columns * km, "x (km)"}, {0, rows * km, "depth (km)"});
  plot.image([&](double down, double across) {
    const Color ground = sequential((velocity.at(down * rows, across * columns) - low) / (high - low));
    const double value = wave.at(down * rows, across * columns) / full;
    const double strength = std::min(1.0, std::abs(value));
    return mix(ground, value > 0 ? black : white, 0.85 * std::pow(strength, 0.8));
  });
  for (const Point& receiver : survey.receivers)
    if ((&receiver - survey.receivers.data()) % 8 == 0) plot.receiver(receiver[0] * km, receiver[2] * km);
  plot.source(survey.source[0] * km, survey.source[2] * km);
  plot.caption(caption("pressure after %.2f s over the speed of sound", time, 0));
  plot.color_bar(ColorBar::linear(sequential, low / 1000, high / 1000, "speed (km/s)"));
  plot.write_png(file);
}

} // namespace demo
