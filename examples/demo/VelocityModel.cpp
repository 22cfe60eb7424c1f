// SPDX-FileCopyrightText: 2026 The Keramos authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VelocityModel.hpp"

#include "InputError.hpp"
#include "Npy.hpp"

#include <algorithm>
#include <cmath>

namespace demo {
namespace {

/// Metres a second, and the depth at which a layer begins. Lengths are shares of the model's extent, here and below.
struct Layer {
  double top, speed;
};
constexpr double water_speed = 1500, salt_speed = 4400;
constexpr Layer layers[] = {{0.085, 1750}, {0.20, 2000}, {0.33, 2300}, {0.47, 2600}, {0.61, 2950}, {0.77, 3350}};

double bell(double distance, double width) { return std::exp(-distance * distance / (width * width)); }

/// From the axis of the dome, which leans a little with depth; the outline is no perfect circle.
double distance_from_axis(double x, double y, double depth)
{
  const double dx = x - 0.58 + 0.12 * (depth - 0.5), dy = 1.1 * (y - 0.5);
  return std::hypot(dx, dy) * (1 + 0.07 * std::cos(3 * std::atan2(dy, dx) + 7 * depth));
}

/// The dome's radius: a cap that bulges over a narrower stem, which widens into the salt layer that it rose from.
double dome_radius(double depth)
{
  constexpr double top = 0.325;
  const double down_the_roof = std::clamp((depth - top) / 0.15, 0.0, 1.0);
  const double roof = std::sqrt(1 - (1 - down_the_roof) * (1 - down_the_roof));
  return roof * (0.085 + 0.15 * bell(depth - 0.46, 0.10) + 0.17 * bell(depth - 0.935, 0.11));
}

/// Distance to the surface of the salt, negative inside; right to first order, which is enough to round off the steps
/// that a slanting surface would have on a grid.
double distance_to_salt(double x, double y, double depth)
{
  constexpr double nearby = 1e-3;
  const double slope = (dome_radius(depth + nearby) - dome_radius(depth - nearby)) / (2 * nearby);
  const double to_dome = (distance_from_axis(x, y, depth) - dome_radius(depth)) / std::hypot(1, slope);
  const double to_salt_layer = 0.925 + 0.012 * std::sin(9 * x + 3 * y) - depth;
  return std::min(to_dome, to_salt_layer);
}

/// How far the layers are lifted at this place: dip, folds, and the drag of the rising salt.
double lift(double x, double y, double depth)
{
  const double dip = 0.06 * (x - 0.5) + 0.03 * (y - 0.5);
  const double folds = 0.016 * std::sin(7.5 * x + 1.7 * y) + 0.008 * std::sin(15 * x - 5 * y);
  const double drag = 0.15 * bell(distance_from_axis(x, y, depth), 0.27);
  return 1.6 * depth * (dip + folds + drag);
}

/// A point that a boundary crosses belongs to both sides by shares: `depth` is how deep it lies, in points.
double share(double depth) { return std::clamp(depth + 0.5, 0.0, 1.0); }

double speed(double x, double y, double depth, int n)
{
  const double place = depth + lift(x, y, depth);
  double speed = water_speed;
  for (const Layer& layer : layers) {
    const double here = layer.speed + 350 * (place - layer.top); // compaction: faster with depth
    speed = std::lerp(speed, here, share(n * (place - layer.top)));
  }
  return std::lerp(speed, salt_speed, share(-n * distance_to_salt(x, y, depth)));
}

} // namespace

Volume salt_dome_model(int n)
{
  const auto points = static_cast<std::size_t>(n);
  Volume model({points, points, points});
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < points; ++j)
      for (std::size_t k = 0; k < points; ++k)
        model(i, j, k) = static_cast<float>(speed((i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n, n));
  return model;
}

Volume read_velocity_model(const std::string& file, std::size_t fewest)
{
  Volume model = read_npy(file);
  for (const std::size_t extent : model.extent)
    if (extent < fewest)
      throw InputError(file, "header item 'shape'", "at least " + std::to_string(fewest) + " points along each axis",
                       std::to_string(extent));
  for (std::size_t n = 0; n < model.value.size(); ++n)
    if (!(model.value[n] > 0 && std::isfinite(model.value[n])))
      throw InputError(file, "number " + std::to_string(n) + " in C order",
                       "a positive, finite speed in metres a second", std::to_string(model.value[n]));
  return model;
}

} // namespace demo
