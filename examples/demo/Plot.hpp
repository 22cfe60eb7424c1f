// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plot: one image with axes and a colour bar, drawn into a Picture. And the plane of numbers that such an image
// shows.
#pragma once

#include "Picture.hpp"

#include <functional>
#include <string>
#include <vector>

namespace demo {

/// What one axis shows: its values at both ends (of the image's first and last point) and its name.
struct PlotAxis {
  double first, last;
  std::string label;
};

/// A legend for the colours: their map from 0 (bottom) to 1, labels at places on it, and its name.
struct ColorBar {
  struct Tick {
    double place;
    std::string label;
  };
  std::function<Color(double)> color;
  std::vector<Tick> ticks;
  std::string label;

  /// With ticks at round values between the values at both ends.
  static ColorBar linear(std::function<Color(double)> color, double low, double high, std::string label);
};

class Plot {
public:
  /// An image of width x height pixels; `down` runs downwards from the top.
  Plot(int width, int height, PlotAxis across, PlotAxis down);

  /// Every pixel's colour, from its place between the axes' ends: color(down, across), both from 0 to 1.
  void image(const std::function<Color(double, double)>& color);
  void color_bar(const ColorBar& bar);
  /// Marks at values of the axes.
  void source(double across, double down);
  void receiver(double across, double down);
  void caption(const std::string& text);

  void write_png(const std::string& file) const { picture_.write_png(file); }

private:
  double pixel_across(double value) const;
  double pixel_down(double value) const;
  void draw_axes();

  int width_, height_;
  PlotAxis across_, down_;
  Picture picture_;
};

} // namespace demo
