#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes edges.txt: stencils at the edges as SciPy and NumPy compute them, which tests/EdgeRuleTest.cpp must reproduce.

One axis with the same rule on both sides: the line extended by scipy.ndimage.map_coordinates (whose modes wrap, grid-wrap,
grid-constant, nearest, reflect and mirror are our periodic_closed, periodic, constant, nearest, reflect and mirror).
Mixed rules, corners, both sides apart: the array extended by numpy.pad, side by side and axis by axis.
All numbers are small integers, so that float and double must agree to the last bit. Needs numpy and scipy.

A case is five lines: "case RANK RADIUS RULE[/RULE] ..." (an axis each, low/high), extents, input, weights (a box, the last index
fastest), output; arrays in row-major order.
"""
import itertools
import pathlib

import numpy as np
from scipy import ndimage

rng = np.random.default_rng(20260101)
PAD = {"periodic": "wrap", "nearest": "edge", "reflect": "symmetric", "mirror": "reflect"}
COORDINATES = {"periodic": "grid-wrap", "periodic_closed": "wrap", "nearest": "nearest", "reflect": "reflect",
               "mirror": "mirror"}
CONSTANT = {"low": 3, "high": -2}


def extended(line, radius, rule):
    """One axis by ndimage; order 1 at integer coordinates is the sample itself."""
    at = np.arange(-radius, len(line) + radius, dtype=float)
    if rule == "constant":
        return ndimage.map_coordinates(line, [at], order=1, mode="grid-constant", cval=CONSTANT["low"])
    if len(line) == 1:  # every map of one point is that point
        return np.full(len(at), line[0])
    return ndimage.map_coordinates(line, [at], order=1, mode=COORDINATES[rule])


def padded(array, radius, rules):
    """numpy.pad, one axis after the other; each side extends the array as if both sides had its rule."""
    for axis, (low, high) in enumerate(rules):
        def one(rule, side):
            width = [(0, 0)] * array.ndim
            width[axis] = (radius, 0) if side == "low" else (0, radius)
            if rule == "constant":
                return np.pad(array, width, mode="constant", constant_values=CONSTANT[side] + axis)
            return np.pad(array, width, mode=PAD[rule])
        low_part = np.take(one(low, "low"), range(radius), axis=axis)
        high_all = one(high, "high")
        high_part = np.take(high_all, range(high_all.shape[axis] - radius, high_all.shape[axis]), axis=axis)
        array = np.concatenate([low_part, array, high_part], axis=axis)
    return array


def correlate(extended_array, weights, shape):
    out = np.zeros(shape)
    for offset in np.ndindex(weights.shape):
        out += weights[offset] * extended_array[tuple(slice(o, o + n) for o, n in zip(offset, shape))]
    return out


def check_words():
    """What src/keramos/stencil/EdgeRule.hpp says of SciPy's word "wrap": one rule in correlate and convolve, another in map_coordinates."""
    line, weights = np.array([5.0, -2.0, 7.0, 5.0]), np.array([1.0, -3.0, 2.0, 8.0, 4.0])
    for filtered, by in ((ndimage.correlate, weights), (ndimage.convolve, weights[::-1])):
        for mode in ("wrap", "grid-wrap"):
            assert np.array_equal(filtered(line, by, mode=mode), correlate(extended(line, 2, "periodic"), weights, (4,)))
    assert np.array_equal(extended(line, 4, "periodic_closed"), line[np.arange(-4, 8) % 3])


def row(values):
    assert np.array_equal(values, np.rint(values))
    return " ".join(str(int(v)) for v in np.ravel(values))


def write(file, radius, names, array, weights, out):
    file.write(f"case {array.ndim} {radius} {' '.join(names)}\n{row(array.shape)}\n{row(array)}\n{row(weights)}\n{row(out)}\n")


def main():
    check_words()
    with open(pathlib.Path(__file__).with_name("edges.txt"), "w") as file:
        for radius in (1, 4):
            weights = rng.integers(-9, 10, 2 * radius + 1)
            for rule, n in itertools.product([*COORDINATES, "constant"], range(1, 2 * radius + 3)):
                line = rng.integers(-9, 10, n).astype(float)
                if rule == "periodic_closed":
                    line[-1] = line[0]
                write(file, radius, [rule], line, weights, correlate(extended(line, radius, rule), weights, (n,)))
        sides = [*PAD, "constant"]
        apart = [(a, b) for a, b in itertools.product(sides, sides) if a == b or "periodic" not in (a, b)]
        for radius, (low, high) in itertools.product((1, 4), apart):
            weights = rng.integers(-9, 10, 2 * radius + 1)
            for n in range(1, 2 * radius + 3):
                line = rng.integers(-9, 10, n).astype(float)
                write(file, radius, [f"{low}/{high}"], line, weights,
                      correlate(padded(line, radius, [(low, high)]), weights, (n,)))
        for radius, rank in ((2, 2), (1, 3)):
            for _ in range(60):
                rules = [apart[k] for k in rng.integers(0, len(apart), rank)]
                shape = tuple(rng.integers(1, 2 * radius + 3, rank))
                array = rng.integers(-9, 10, shape).astype(float)
                weights = rng.integers(-9, 10, (2 * radius + 1,) * rank)
                write(file, radius, ["/".join(rule) for rule in rules], array, weights,
                      correlate(padded(array, radius, rules), weights, shape))


main()
