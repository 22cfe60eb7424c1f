# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cell lists, KeOps, NumPy and Devito beside Keramos on a host: the same work in the same session, in another process.

host_peers.py RESULT.json OUT.json   reads what keramos_gather_sum_benchmark, keramos_transpose_benchmark or keramos_stencil_benchmark wrote a moment
                                     ago on this host, does the cases that matscipy, vesin, KeOps, Devito (those of them that are installed) and
                                     NumPy have a call for, and writes all of them as tables.py keeps them

Within a radius, matscipy and vesin list the pairs, with their distances, in double; who wants sums goes over that list, here by NumPy. Both
figures are given: a list alone does less than Keramos, which keeps none. They list the neighbours of points among each other, so that
targets are sources here: as many, as dense, with as many neighbours (matscipy, which takes a microsecond a pair, has a part of the box). KeOps sums directly, over the first targets of all. Answers are
compared with sums by NumPy. NumPy copies what its transpose views into an array that is there, by one thread. Devito's step is timed without what
Python does before it, at all points of the cube, whose neighbours outside are there; blocks are the fastest of some, where its autotuner, which times
each once, may choose worse. GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment puts its arrays on 2 MiB pages, as those beside Keramos
are. The others use all threads that they can; the yardstick is the one beside Keramos.
"""

import importlib.metadata
import importlib.util
import itertools
import math
import re
import statistics
import sys
import time

from tables import kept, kept_text, read

try:
    import numpy as np
except ImportError as error:
    sys.exit(f"host_peers.py: expected NumPy in this Python: {error}")

CUTOFF, DIRECT = "Coulomb within a radius of 50 neighbours f32", "Coulomb at points f32"
EXTENT, NEIGHBOURS = 16.0, 50
SOURCES = 1000  # of a direct sum, as in the benchmark
FEW_TARGETS, SAMPLES, REPETITIONS = 1 << 18, 50, 3
PEERS = {"gather_sum": ("matscipy", "vesin", "pykeops", "numpy"), "transpose": ("numpy",), "stencil": ("devito",)}
MOVE = re.compile(r"(?:transpose|permute \((?P<axes>[\d ]+)\)) (?P<type>f32|f64|i8) (?P<extents>[\dx]+)")
STEP = re.compile(r"(?P<work>star-25|star-7|star-5|wave update|d/dx(?P<axis>\d), 9 points) (?P<type>f32|f64) (?P<side>\d+)\^(?P<rank>\d)")
TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8}
STEPS = 9  # that are timed of Devito
BLOCKS = tuple(itertools.product((2, 8, 32), (8, 16, 32, 128)))  # along the first axes


def timed(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def entry(name, of, call, check, share=1.0, repetitions=REPETITIONS):
    """A contender as tables.py keeps it; `of` is Keramos' entry of the case."""
    check(call())
    return {"name": name, "label": "", "work": of["work"] * share, "more": {}, "need": of["need"] * share,
            "seconds": [timed(call) for _ in range(repetitions)],
            "before": [statistics.median(of["before"])] * repetitions, "after": [statistics.median(of["after"])] * repetitions}


def installed(peer):
    return importlib.util.find_spec(peer) is not None


def direct_sum(target, points, weights, radius=np.inf):
    distance = np.sqrt(((points - target) ** 2).sum(axis=1))
    near = (distance < radius) & (distance > 0)
    return (weights[near] / distance[near]).sum()


def is_right(sums, expected, tolerance, who):
    if not np.allclose(sums, expected, rtol=tolerance, atol=0):
        raise SystemExit(f"{who}: {sums} instead of {expected}")


def lists():
    """By name: the share of the case's points, and a call that returns the first points, the second ones and the distances of all pairs."""
    if installed("matscipy"):
        from matscipy.neighbours import neighbour_list
        yield "matscipy", 1 / 16, lambda points, extent, radius: neighbour_list(
            "ijd", positions=points, cell=np.eye(3) * extent, pbc=np.zeros(3, bool), cutoff=radius)
    if installed("vesin"):
        from vesin import NeighborList

        def of_vesin(points, extent, radius):
            calculator = NeighborList(cutoff=radius, full_list=True)
            return *calculator.compute(points, np.eye(3) * extent, False, "ijd", copy=False), calculator  # which owns the arrays

        yield "vesin", 1, of_vesin


def peers_within_radius(prefix, of):
    for who, share, pairs_of in lists():
        count = round(share * of["work"] / NEIGHBOURS)
        extent = EXTENT * np.cbrt(share)
        radius = np.cbrt(NEIGHBOURS * extent ** 3 / count / (4 * np.pi / 3))
        generator = np.random.default_rng(1)
        points, weights = generator.uniform(0, extent, (count, 3)), generator.uniform(0, 1, count)
        samples = generator.choice(count, SAMPLES, replace=False)
        expected = [direct_sum(points[n], points, weights, radius) for n in samples]

        def sums(pairs):
            first, second, distance, *_ = pairs
            return np.bincount(first, weights[second] / distance, count)

        def check(found):
            is_right(found[samples], expected, 1e-9, who)

        def listed():
            return pairs_of(points, extent, radius)

        yield entry(f"{prefix}/{who}, the list alone", of, listed, lambda pairs: check(sums(pairs)), share)
        yield entry(f"{prefix}/{who}, list and sums", of, lambda: sums(listed()), check, share)


def peers_of_direct_sum(prefix, of):
    if not installed("pykeops"):
        return
    from pykeops.numpy import Genred
    share = FEW_TARGETS * SOURCES / of["work"]
    if share > 1:  # a quick run
        return
    generator = np.random.default_rng(1)
    targets, sources = (generator.uniform(0, EXTENT, (n, 3)).astype(np.float32) for n in (FEW_TARGETS, SOURCES))
    weights = generator.uniform(0, 1, (SOURCES, 1)).astype(np.float32)
    sums = Genred("Rsqrt(SqDist(x, y)) * w", ["x = Vi(3)", "y = Vj(3)", "w = Vj(1)"], reduction_op="Sum", axis=1)
    expected = [direct_sum(target, sources.astype(float), weights[:, 0].astype(float)) for target in targets[:SAMPLES]]
    yield entry(f"{prefix}/KeOps", of, lambda: sums(targets, sources, weights, backend="CPU"),
                lambda found: is_right(found[:SAMPLES, 0], expected, 1e-4, "KeOps"), share)


def peers_of_move(prefix, of):
    move = MOVE.fullmatch(prefix.removeprefix("transpose/"))
    if not move:
        return
    extents = [int(extent) for extent in move["extents"].split("x")]
    axes = [int(axis) for axis in (move["axes"] or "1 0").split()]
    turned = np.resize(np.arange(127, dtype=TYPES[move["type"]]), extents).transpose(axes)
    result = np.empty(turned.shape, turned.dtype)

    def check(_):
        if not np.array_equal(result, turned):
            raise SystemExit(f"NumPy: {prefix}")

    yield entry(f"{prefix}/NumPy", of, lambda: np.copyto(result, turned), check)


def central_weights(derivative, radius):
    """Those of offsets -radius to radius, of the highest order."""
    powers = np.vander(np.arange(-radius, radius + 1), increasing=True).T
    return np.linalg.solve(powers, np.eye(2 * radius + 1)[derivative] * math.factorial(derivative))


class DevitoStep:
    """A step from u[now] to u[now + 1], which a wave, whose speeds are `scale`, also makes from u[now - 1]. Arrays have their halo."""

    def __init__(self, step):
        import devito
        devito.configuration["language"], devito.configuration["log-level"] = "openmp", "ERROR"
        self.rank, self.side, self.is_wave = int(step["rank"]), int(step["side"]), step["work"] == "wave update"
        self.axes = [int(step["axis"])] if step["axis"] else range(self.rank)
        self.derivative, self.radius = 1 if step["axis"] else 2, 1 if step["work"] in ("star-5", "star-7") else 4
        self.now = 1 if self.is_wave else 0
        self.grid = devito.Grid((self.side,) * self.rank, extent=(self.side - 1,) * self.rank, dtype=TYPES[step["type"]])
        u = devito.TimeFunction(name="u", grid=self.grid, space_order=2 * self.radius, time_order=self.now + 1)
        scale = devito.Function(name="scale", grid=self.grid, space_order=2 * self.radius)
        value = getattr(u, f"d{self.grid.dimensions[self.axes[0]].name}c") if step["axis"] else u.laplace
        self.operator = devito.Operator(devito.Eq(u.forward, 2 * u - u.backward + scale * value if self.is_wave else value))
        generator = np.random.default_rng(1)
        self.u, self.scale = u.data_with_halo.view(np.ndarray), scale.data_with_halo.view(np.ndarray) if self.is_wave else None
        for array in [*self.u[:self.now + 1]] + [self.scale] * self.is_wave:
            generator.random(out=array, dtype=array.dtype)
        self.samples = generator.integers(2 * self.radius, self.side + 2 * self.radius, (SAMPLES, self.rank))

    def by(self, block):
        names = [parameter.name for parameter in self.operator.parameters]
        sizes = {f"{dimension.name}0_blk0_size": size for dimension, size in zip(self.grid.dimensions, block)}
        arguments = self.operator.arguments(time_m=self.now, time_M=self.now, **{n: size for n, size in sizes.items() if n in names})
        values = [arguments[name] for name in names]
        return lambda: self.operator.cfunction(*values)

    def expected(self, point):
        weights, near = central_weights(self.derivative, self.radius), range(-self.radius, self.radius + 1)

        def moved(axis, by):
            return tuple(index + by * (n == axis) for n, index in enumerate(point))

        value = sum(weight * float(self.u[self.now][moved(axis, by)]) for axis in self.axes for weight, by in zip(weights, near))
        if not self.is_wave:
            return value
        return 2 * float(self.u[1][tuple(point)]) - float(self.u[0][tuple(point)]) + float(self.scale[tuple(point)]) * value

    def check(self, _):
        found = [self.u[self.now + 1][tuple(point)] for point in self.samples]
        expected = [self.expected(point) for point in self.samples]
        if not np.allclose(found, expected, rtol=0, atol=1e-5 if self.grid.dtype == np.float32 else 1e-7):  # weights have nine digits
            raise SystemExit("Devito is wrong")


def peers_of_step(prefix, of):
    step = STEP.fullmatch(prefix.removeprefix("stencil/"))
    if not (step and installed("devito")):
        return
    by_devito = DevitoStep(step)
    calls = [by_devito.by(block) for block in BLOCKS]
    best = min(calls, key=lambda call: min(timed(call) for _ in range(2)))
    yield entry(f"{prefix}/Devito", of, best, by_devito.check, by_devito.side ** by_devito.rank / of["work"], STEPS)


def main(result, out):
    document = kept(read(result))
    contenders = document["contenders"]
    family = contenders[0]["name"].split("/")[0]
    present = [f"{peer} {importlib.metadata.version(peer)}" for peer in PEERS[family] if installed(peer)]
    document["context"]["peers"] = ", ".join(present)
    for one in [one for one in contenders if one["name"].endswith("/Keramos") and "seconds" in one]:
        prefix = one["name"].removesuffix("/Keramos")
        sums = {CUTOFF: peers_within_radius, DIRECT: peers_of_direct_sum}
        found = {"transpose": peers_of_move, "stencil": peers_of_step}.get(family) or sums.get(prefix.removeprefix("gather_sum/"))
        last = max(n for n, other in enumerate(contenders) if other["name"].startswith(f"{prefix}/"))
        contenders[last + 1:last + 1] = found(prefix, one) if found else []
    with open(out, "w", encoding="utf-8") as file:
        file.write(kept_text(document))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 3 else sys.exit(__doc__)
