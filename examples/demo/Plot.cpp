// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace demo {
namespace {

constexpr int left = 84, right = 146, top = 48, bottom = 68; // room for the axes and the colour bar, in pixels
constexpr double letter = 12;                                // height of a digit

/// 1, 2 or 5 times a power of ten, so that about `count` ticks fit.
double tick_step(double span, int count)
{
  const double raw = span / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

std::string number_text(double value, double step)
{
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value == 0 ? 0.0 : value);
  return text;
}

/// Calls draw(value, label) for every tick between two values.
template <class Draw>
void each_tick(double first, double last, int count, const Draw& draw)
{
  const double low = std::min(first, last), high = std::max(first, last);
  const double step = tick_step(high - low, count);
  for (double n = std::ceil(low / step - 1e-6); n <= high / step + 1e-6; ++n)
    draw(n * step, number_text(n * step, step));
}

} // namespace

ColorBar ColorBar::linear(std::function<Color(double)> color, double low, double high, std::string label)
{
  ColorBar bar{std::move(color), {}, std::move(label)};
  each_tick(low, high, 6, [&](double value, const std::string& text) {
    bar.ticks.push_back({(value - low) / (high - low), text});
  });
  return bar;
}

Plot::Plot(int width, int height, PlotAxis across, PlotAxis down)
    : width_(width), height_(height), across_(std::move(across)), down_(std::move(down)),
      picture_(left + width + right, top + height + bottom)
{
  draw_axes();
}

void Plot::image(const std::function<Color(double, double)>& color)
{
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) picture_.blend(left + x, top + y, color((y + 0.5) / height_, (x + 0.5) / width_));
  picture_.frame(left, top, left + width_, top + height_, ink, 1.2);
}

double Plot::pixel_across(double value) const
{
  return left + width_ * (value - across_.first) / (across_.last - across_.first);
}

double Plot::pixel_down(double value) const
{
  return top + height_ * (value - down_.first) / (down_.last - down_.first);
}

void Plot::draw_axes()
{
  const double low = top + height_;
  each_tick(across_.first, across_.last, 6, [&](double value, const std::string& label) {
    const double x = pixel_across(value);
    picture_.line(x, low, x, low + 6, ink, 1.2);
    picture_.text(x, low + 12 + letter, label, letter, ink, Align::centre);
  });
  each_tick(down_.first, down_.last, 6, [&](double value, const std::string& label) {
    const double y = pixel_down(value);
    picture_.line(left - 6, y, left, y, ink, 1.2);
    picture_.text(left - 11, y + letter / 2, label, letter, ink, Align::right);
  });
  picture_.text(left + width_ / 2.0, low + 42 + letter, across_.label, letter + 1, ink, Align::centre);
  picture_.text_upwards(left - 56, top + height_ / 2.0, down_.label, letter + 1, ink);
}

void Plot::color_bar(const ColorBar& bar)
{
  const double x = left + width_ + 24, wide = 18;
  for (int y = 0; y < height_; ++y)
    picture_.fill(x, top + y, x + wide, top + y + 1, bar.color(1 - (y + 0.5) / height_));
  picture_.frame(x, top, x + wide, top + height_, ink, 1.2);
  for (const auto& [place, label] : bar.ticks) {
    const double y = top + height_ * (1 - place);
    picture_.line(x + wide, y, x + wide + 5, y, ink, 1.2);
    picture_.text(x + wide + 10, y + letter / 2, label, letter, ink);
  }
  picture_.text_upwards(left + width_ + right - 12, top + height_ / 2.0, bar.label, letter + 1, ink);
}

void Plot::source(double across, double down)
{
  picture_.star(pixel_across(across), pixel_down(down), 12, white);
  picture_.star(pixel_across(across), pixel_down(down), 9.5, {0.85, 0.1, 0.1});
}

void Plot::receiver(double across, double down)
{
  picture_.triangle(pixel_across(across), pixel_down(down), 8, {0.1, 0.35, 0.2});
}

void Plot::caption(const std::string& text) { picture_.text(left, top - 18, text, letter + 1, ink); }

} // namespace demo
