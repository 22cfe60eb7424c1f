// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture in memory, what one can draw on it, and its way into a PNG file.
#pragma once

#include <string>
#include <vector>

namespace demo {

/// Red, green and blue from 0 to 1.
struct Color {
  double red = 0, green = 0, blue = 0;
};

/// The colour between a and b; t = 0 is a.
Color mix(const Color& a, const Color& b, double t);

inline constexpr Color black{0, 0, 0}, white{1, 1, 1}, ink{0.13, 0.14, 0.17}, paper{0.992, 0.992, 0.988};

/// Colour maps: t runs from 0 to 1 and is clamped.
Color diverging(double t);  ///< blue, near white, red: signed values, 0.5 is zero
Color sequential(double t); ///< deep blue over teal to pale yellow, lightness grows evenly
Color grey(double t);       ///< black to white

enum class Align { left, centre, right };

/// Pixels count from the top left corner; coordinates are real, and pixel (x, y) has its middle at (x + 0.5, y + 0.5).
class Picture {
public:
  Picture(int width, int height, Color background = paper);

  int width() const { return width_; }
  int height() const { return height_; }
  Color pixel(int x, int y) const { return pixels_[static_cast<std::size_t>(y) * width_ + x]; }

  /// Paints over what is there; outside of the picture nothing happens.
  void blend(int x, int y, const Color& color, double opacity = 1);
  void fill(double x0, double y0, double x1, double y1, const Color& color);
  void line(double x0, double y0, double x1, double y1, const Color& color, double thickness = 1);
  void frame(double x0, double y0, double x1, double y1, const Color& color, double thickness = 1);
  void triangle(double x, double y, double size, const Color& color); ///< a receiver, tip down at (x, y)
  void star(double x, double y, double size, const Color& color);     ///< a source

  /// Lower-case letters, digits and - + . / ( ) = , in plotter strokes; `size` is the height of a digit, y its base
  /// line.
  void text(double x, double y, const std::string& text, double size, const Color& color, Align align = Align::left);
  /// The same, running upwards; x is the base line.
  void text_upwards(double x, double y, const std::string& text, double size, const Color& color);

  /// Throws std::runtime_error if it cannot write.
  void write_png(const std::string& file) const;

private:
  int width_, height_;
  std::vector<Color> pixels_;
};

} // namespace demo
