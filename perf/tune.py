# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of a tuning table, made of what keramos_cuda_tune measured: tune.py RESULT.json (`./keramos tune` does both).

First what was tried, as tables.py shows it: every shape that the table has for an operator, beside the kernel that the library takes there.
Then for each operator which shape the table chooses, and which one is fastest; and the rates with which the table would expect what was
measured, as they stand in backends/cuda/stencil/MarchTuning.hpp.

A rate is what a shape makes where its tiles fit the grid (MarchShape.hpp). How full they are the library says: what it expects of a
shape is the table's rate times that. The rate written here is the measured one by the same, the median over the grids.
"""

import statistics
import sys

from tables import PLACE, contenders, machine, read, table

FAMILY = "cuda_tune"


def operator_and_grid(case):
    """"star radius 4 f32 509x511x513" in two: its last word is the grid, behind which another place may stand."""
    named, _, place = case.partition(PLACE)
    operator, _, grid = named.rpartition(" ")
    return operator, place or grid


class Grid:
    """What was measured of one operator on one grid: the library's kernel, and the shapes by their numbers."""

    def __init__(self, name):
        self.name, self.library, self.shapes = name, None, {}
        self.row = int(name.partition(",")[0].rpartition("x")[2])

    def add(self, one):
        if "shape" in one.more:
            self.shapes[int(one.more["shape"])] = one
        else:
            self.library = one

    def chosen(self):
        return next((number for number, one in self.shapes.items() if one.more["chosen"]), None)

    def fastest(self):
        return max(self.shapes, key=lambda number: self.shapes[number].rate)

    def expected(self, number, rate):
        one = self.shapes[number]
        return one.more["expected"] / one.more["table_rate"] * rate

    def fitting_rate(self, number):
        """With which the table would expect what was measured."""
        return self.shapes[number].rate / self.expected(number, 1)

    def would_choose(self, rates):
        """Of the shapes that are asked for such rows."""
        asked = [number for number, one in self.shapes.items() if self.row >= one.more["min_row"]]
        return max(asked, key=lambda number: self.expected(number, rates[number]), default=None)


def by_operator(measured):
    """operator: its grids, of those that have at least a shape that ran."""
    operators = {}
    for one in measured:
        operator, grid = operator_and_grid(one.case)
        grids = operators.setdefault(operator, {})
        if not one.absent:
            grids.setdefault(grid, Grid(grid)).add(one)
    kept = {operator: [grid for grid in grids.values() if grid.shapes] for operator, grids in operators.items()}
    return {operator: grids for operator, grids in kept.items() if grids}


def fitting_rates(grids):
    """Of each shape its table's name and value, and the rates that would fit the grids."""
    rates = {}
    for grid in grids:
        for number, one in grid.shapes.items():
            name = "slow_rate" if one.more["slow_memory"] else "rate"
            rates.setdefault(number, (name, one.more["table_rate"], []))[2].append(grid.fitting_rate(number))
    return dict(sorted(rates.items()))


def speed(grid, number):
    return "none" if number is None else f"{number} ({grid.shapes[number].rate:.0f})"


def grid_lines(grids, new_rates):
    yield "| grid | the library takes | the table chooses shape | new rates would | fastest shape |"
    yield "|---|---|---|---|---|"
    for grid in grids:
        taken = f"`{grid.library.kernel}` ({grid.library.rate:.0f})" if grid.library else ""
        # None: another kernel is expected to be faster, of which these rates say nothing.
        chosen = grid.chosen()
        new = None if chosen is None else grid.would_choose(new_rates)
        yield f"| {grid.name} | {taken} | {speed(grid, chosen)} | {speed(grid, new)} | {speed(grid, grid.fastest())} |"


def row(operator, grids):
    rates = fitting_rates(grids)
    new_rates = {number: statistics.median(fitting) for number, (_, _, fitting) in rates.items()}
    yield f"## Rates of {operator}"
    yield ""
    yield from grid_lines(grids, new_rates)
    yield ""
    for number, (name, now, fitting) in rates.items():
        spread = f"; {min(fitting):.0f} to {max(fitting):.0f}" if len(fitting) > 1 else ""
        yield f"    shape {number}: .{name} = {new_rates[number]:.0f}, // {now:.0f} in the table{spread}"
    yield ""


def tuned(document):
    measured = contenders(document)
    lines = [machine(document), table(document),
             "Behind each kernel its Gpoint/s. The library asks other tables before this one. none: a kernel that is not of this table is expected to be faster.", ""]
    for operator, grids in by_operator(measured).items():
        lines += row(operator, grids)
    return "\n".join(lines)


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    document = read(arguments[0])
    if not any(one.family == FAMILY for one in contenders(document)):
        sys.exit("Nothing was measured: the filter matches no case, or the table has no shape for this GPU or these extents.")
    print(tuned(document))


if __name__ == "__main__":
    main(sys.argv[1:])
