# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scaling model of P. Micikevicius ("3D finite difference computation on GPUs using CUDA", GPGPU-2, 2009, section 4)
forecasts for the wave update on many GPUs: the messages of a step cost nothing while they take less time than the interior.

    model.py [--rate 209e9] [--points 512] ...

Weak scaling: every GPU owns points^3, as

    slabs of a bar     the grid grows along one axis; a GPU has two neighbours and a face of points^2
    slabs of a cube    the grid grows along all axes, and is cut along one: the faces grow with it
    blocks of a cube   the same grid cut along all axes: six neighbours, faces of points^2

A step packs its messages, sends them while the interior is computed, unpacks them and computes the boundary:

    step = pack + max(interior, messages) + unpack + boundary        without overlap: pack + messages + unpack + all points

The slowest GPU counts: one at the end of a node, whose messages to other nodes go through one link of the network, one behind
the other, and those within the node through another, both ways at once. Nothing else delays anybody: no contention in the network,
no noise of the system, no GPU slower than the others.
"""

import argparse
import dataclasses


@dataclasses.dataclass(frozen=True)
class Machine:
    rate: float               # points that one GPU alone updates in a second
    memory: float             # bytes that it reads and writes in a second
    launch: float             # seconds that a kernel takes however little it does
    node: int                 # GPUs in a node
    link: float               # bytes a second, one way, between two GPUs of a node
    link_latency: float       # seconds
    network: float            # the same between nodes, of one GPU
    network_latency: float


@dataclasses.dataclass(frozen=True)
class Grid:
    points: int               # along each axis of a cube as large as what one GPU owns
    radius: int
    value: int                # bytes of one


@dataclasses.dataclass(frozen=True)
class Axis:
    """What the busiest GPU has along one axis."""

    extent: float             # points of its own
    within: int = 0           # neighbours in its node
    outside: int = 0          # neighbours in other nodes


@dataclasses.dataclass(frozen=True)
class Step:
    interior: float           # seconds, as all
    messages: float
    around: float             # pack, unpack and boundary
    alone: float              # the points of this GPU in one call: the same without neighbours

    @property
    def overlapped(self):
        return max(self.interior, self.messages) + self.around


def near_cube(count):
    """Three factors, as equal as they can be, the largest first."""
    shapes = [(a, b, count // a // b) for a in range(1, count + 1) if count % a == 0
              for b in range(1, count // a + 1) if count // a % b == 0]
    return tuple(sorted(min(shapes, key=lambda shape: max(shape) - min(shape)), reverse=True))


def neighbours(gpus, node):
    """(in its node, in others) of the busiest of `gpus` along an axis, `node` of which stand in one node."""
    both = min(gpus - 1, 2)
    outside = 0 if gpus <= node else both if node == 1 else 1
    return both - outside, outside


def decompositions(gpus, machine, grid):
    """{name: the axes of the busiest GPU}, the faces of the cuts between them."""
    side = grid.points * gpus ** (1 / 3)
    slab = neighbours(gpus, machine.node)
    cut, in_node = near_cube(gpus), near_cube(min(machine.node, gpus))
    return {"slabs of a bar": (Axis(grid.points, *slab), Axis(grid.points), Axis(grid.points)),
            "slabs of a cube": (Axis(grid.points ** 3 / side ** 2, *slab), Axis(side), Axis(side)),
            "blocks of a cube": tuple(Axis(grid.points, *neighbours(*pair)) for pair in zip(cut, in_node))}


def step(axes, machine, grid):
    """One step of a star of `radius` on the busiest GPU, whose halos have no corners."""
    owned = axes[0].extent * axes[1].extent * axes[2].extent
    message = [grid.radius * owned / axis.extent * grid.value for axis in axes]  # thin slabs have theirs from several GPUs
    within, outside = (sum(getattr(axis, where) * size for axis, size in zip(axes, message)) for where in ("within", "outside"))
    count_within, count_outside = sum(axis.within for axis in axes), sum(axis.outside for axis in axes)
    inner = 1
    for axis in axes:
        inner *= max(axis.extent - (axis.within + axis.outside) * grid.radius, 0)
    messages = max(count_within * machine.link_latency + within / machine.link,
                   count_outside * machine.network_latency + outside / machine.network)
    calls = count_within + count_outside
    copies = 2 * ((2 * (within + outside)) / machine.memory + machine.launch) if calls else 0  # read and written, twice
    boundary = (owned - inner) / machine.rate + calls * machine.launch
    return Step(interior=inner / machine.rate, messages=messages, around=copies + boundary, alone=owned / machine.rate)


def efficiency(forecast):
    """(with overlap, without) against one GPU alone."""
    apart = forecast.messages + forecast.around + forecast.interior
    return forecast.alone / forecast.overlapped, forecast.alone / apart


def table(counts, machine, grid):
    lines = ["| GPUs | grid | interior | messages | step | of one GPU's speed | without overlap |",
             "|---|---|---|---|---|---|---|"]
    for gpus in counts:
        for name, axes in decompositions(gpus, machine, grid).items():
            one = step(axes, machine, grid)
            hidden, apart = efficiency(one)
            lines.append(f"| {gpus} | {name} | {1e6 * one.interior:.0f} µs | {1e6 * one.messages:.0f} µs | "
                         f"{1e6 * one.overlapped:.0f} µs | {100 * hidden:.0f}% | {100 * apart:.0f}% |")
    return "\n".join(lines)


def options(arguments=None):
    """(counts, machine, grid)"""
    parser = argparse.ArgumentParser(prog="model.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--gpus", type=int, nargs="+", default=[8, 16, 64, 512, 4096])
    add("--points", type=int, default=512, help="along each axis, of a GPU (%(default)s)")
    add("--radius", type=int, default=4, help="of the star (%(default)s)")
    add("--value", type=int, default=4, help="bytes of a value (%(default)s)")
    add("--rate", type=float, default=209e9, help="points a second of one GPU alone (%(default).3g: H200, perf/results)")
    add("--memory", type=float, default=4.2e12, help="bytes a second of its memory, read and written (%(default).3g)")
    add("--launch", type=float, default=4e-6, help="seconds of the least kernel (%(default).3g)")
    add("--node", type=int, default=8, help="GPUs of a node (%(default)s)")
    add("--link", type=float, default=305e9, help="bytes a second, one way, in a node (%(default).3g: NCCL on H200s)")
    add("--link-latency", type=float, default=16e-6, help="seconds (%(default).3g)")
    add("--network", type=float, default=45e9, help="the same between nodes (%(default).3g: 400 Gbit/s a GPU)")
    add("--network-latency", type=float, default=20e-6, help="seconds (%(default).3g)")
    read = vars(parser.parse_args(arguments))
    grid = Grid(*(read.pop(name) for name in ("points", "radius", "value")))
    return read.pop("gpus"), Machine(**read), grid


if __name__ == "__main__":
    print(table(*options()))
