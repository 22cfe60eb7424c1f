// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Picture.hpp"

#include "Letters.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>

namespace demo {
namespace {

/// Evenly spaced colours and what lies between.
template <std::size_t Count>
Color along(const Color (&stops)[Count], double t)
{
  const double place = std::clamp(t, 0.0, 1.0) * (Count - 1);
  const auto below = std::min(static_cast<std::size_t>(place), Count - 2);
  return mix(stops[below], stops[below + 1], place - static_cast<double>(below));
}

/// How much of a pixel a shape covers whose edge is `distance` pixels away (negative inside).
double coverage(double distance) { return std::clamp(0.5 - distance, 0.0, 1.0); }

double distance_to_segment(double x, double y, double x0, double y0, double x1, double y1)
{
  const double dx = x1 - x0, dy = y1 - y0;
  const double length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(x - x0 - t * dx, y - y0 - t * dy);
}

/// Calls draw(x0, y0, x1, y1) for every stroke of a text that begins at (0, 0), y upwards, in units of the letters'
/// grid.
template <class Draw>
void strokes(const std::string& text, const Draw& draw)
{
  double left = 0;
  for (const char letter : text) {
    const char* at = letter_strokes(letter);
    for (bool pen_down = false; *at; at += *at == ' ' ? 1 : 2) {
      const auto x = [&](int point) { return left + at[2 * point] - '0'; };
      const auto y = [&](int point) { return at[2 * point + 1] - '0' - 2.0; };
      if (*at == ' ') {
        pen_down = false;
        continue;
      }
      const bool goes_on = at[2] != '\0' && at[2] != ' ';
      if (goes_on)
        draw(x(0), y(0), x(1), y(1));
      else if (!pen_down)
        draw(x(0), y(0), x(0), y(0));
      pen_down = true;
    }
    left += letter_advance(letter);
  }
}

double text_width(const std::string& text)
{
  double width = -1.5; // the gap behind the last letter is no part of the text
  for (const char letter : text) width += letter_advance(letter);
  return width;
}

constexpr double digit_height = 6; // of the letters' grid

} // namespace

Color mix(const Color& a, const Color& b, double t)
{
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

Color diverging(double t)
{
  static constexpr Color stops[] = {{0.06, 0.13, 0.36}, {0.12, 0.33, 0.66}, {0.33, 0.60, 0.84},
                                    {0.70, 0.84, 0.93}, {0.97, 0.97, 0.96}, {0.98, 0.80, 0.67},
                                    {0.90, 0.50, 0.36}, {0.72, 0.17, 0.18}, {0.38, 0.03, 0.12}};
  return along(stops, t);
}

Color sequential(double t)
{
  static constexpr Color stops[] = {{0.11, 0.12, 0.33}, {0.12, 0.28, 0.50}, {0.11, 0.44, 0.55}, {0.20, 0.59, 0.55},
                                    {0.44, 0.72, 0.51}, {0.73, 0.83, 0.51}, {0.97, 0.93, 0.64}};
  return along(stops, t);
}

Color grey(double t)
{
  static constexpr Color stops[] = {black, white};
  return along(stops, t);
}

Picture::Picture(int width, int height, Color background)
    : width_(width), height_(height), pixels_(static_cast<std::size_t>(width) * height, background)
{
}

void Picture::blend(int x, int y, const Color& color, double opacity)
{
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  Color& under = pixels_[static_cast<std::size_t>(y) * width_ + x];
  under = mix(under, color, opacity);
}

void Picture::fill(double x0, double y0, double x1, double y1, const Color& color)
{
  for (int y = static_cast<int>(std::lround(y0)); y < std::lround(y1); ++y)
    for (int x = static_cast<int>(std::lround(x0)); x < std::lround(x1); ++x) blend(x, y, color);
}

void Picture::line(double x0, double y0, double x1, double y1, const Color& color, double thickness)
{
  const double margin = thickness + 1;
  for (int y = static_cast<int>(std::min(y0, y1) - margin); y <= std::max(y0, y1) + margin; ++y)
    for (int x = static_cast<int>(std::min(x0, x1) - margin); x <= std::max(x0, x1) + margin; ++x)
      blend(x, y, color, coverage(distance_to_segment(x + 0.5, y + 0.5, x0, y0, x1, y1) - thickness / 2));
}

void Picture::frame(double x0, double y0, double x1, double y1, const Color& color, double thickness)
{
  line(x0, y0, x1, y0, color, thickness);
  line(x1, y0, x1, y1, color, thickness);
  line(x1, y1, x0, y1, color, thickness);
  line(x0, y1, x0, y0, color, thickness);
}

void Picture::triangle(double x, double y, double size, const Color& color)
{
  for (int row = 0; row < static_cast<int>(std::ceil(size)); ++row) {
    const double half_width = 0.6 * (row + 0.5);
    const int pixel_row = static_cast<int>(y) - 1 - row;
    for (int column = static_cast<int>(x - size); column <= x + size; ++column)
      blend(column, pixel_row, color, coverage(std::abs(column + 0.5 - x) - half_width));
  }
}

void Picture::star(double x, double y, double size, const Color& color)
{
  for (int row = static_cast<int>(y - size - 1); row <= y + size + 1; ++row)
    for (int column = static_cast<int>(x - size - 1); column <= x + size + 1; ++column) {
      const double dx = column + 0.5 - x, dy = row + 0.5 - y;
      // In the fifth of the plane around the nearest point of the star, its side is the line from the tip to the notch.
      constexpr double fifth = 2 * std::numbers::pi / 5;
      const double turned = std::atan2(dx, -dy);
      const double angle = std::abs(turned - fifth * std::round(turned / fifth));
      const double radius = std::hypot(dx, dy);
      constexpr double notch = 0.42;
      const double tip_x = size, notch_x = notch * size * std::cos(fifth / 2),
                   notch_y = notch * size * std::sin(fifth / 2);
      const double along_x = notch_x - tip_x, along_y = notch_y;
      const double px = radius * std::cos(angle) - tip_x, py = radius * std::sin(angle);
      blend(column, row, color, coverage((py * along_x - px * along_y) / -std::hypot(along_x, along_y)));
    }
}

void Picture::text(double x, double y, const std::string& text, double size, const Color& color, Align align)
{
  const double unit = size / digit_height;
  if (align != Align::left) x -= text_width(text) * unit * (align == Align::centre ? 0.5 : 1);
  strokes(text, [&](double x0, double y0, double x1, double y1) {
    line(x + x0 * unit, y - y0 * unit, x + x1 * unit, y - y1 * unit, color, 0.14 * size);
  });
}

void Picture::text_upwards(double x, double y, const std::string& text, double size, const Color& color)
{
  const double unit = size / digit_height;
  y += text_width(text) * unit / 2;
  strokes(text, [&](double x0, double y0, double x1, double y1) {
    line(x - y0 * unit, y - x0 * unit, x - y1 * unit, y - x1 * unit, color, 0.14 * size);
  });
}

void Picture::write_png(const std::string& file) const
{
  std::vector<std::uint8_t> bytes;
  bytes.reserve(pixels_.size() * 3);
  for (const Color& color : pixels_)
    for (const double part : {color.red, color.green, color.blue})
      bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(part, 0.0, 1.0))));

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width_);
  image.height = static_cast<png_uint_32>(height_);
  image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, file.c_str(), 0, bytes.data(), 0, nullptr))
    throw std::runtime_error(file + ": could not be written: " + image.message);
}

} // namespace demo
