# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cell lists, KeOps and NumPy beside Keramos on a host: the same work in the same session, in another process.

host_peers.py RESULT.json OUT.json   reads what keramos_gather_sum_benchmark or keramos_transpose_benchmark wrote a moment ago on this host, does the
                                     cases that matscipy, vesin, KeOps (those of them that are installed) and NumPy have a call for, and writes all
                                     of them as tables.py keeps them

Within a radius, matscipy and vesin list the pairs, with their distances, in double; who wants sums goes over that list, here by NumPy. Both
figures are given: a list alone does less than Keramos, which keeps none. They list the neighbours of points among each other, so that
targets are sources here: as many, as dense, with as many neighbours (matscipy, which takes a microsecond a pair, has a part of the box). KeOps sums directly, over the first targets of all. Answers are
compared with sums by NumPy. NumPy copies what its transpose views into an array that is there, by one thread. The others use all threads that they
can; the yardstick is the one beside Keramos.
"""

import importlib.metadata
import importlib.util
import json
import re
import statistics
import sys
import time

import numpy as np

from tables import kept, kept_text

CUTOFF, DIRECT = "Coulomb within a radius of 50 neighbours f32", "Coulomb at points f32"
EXTENT, NEIGHBOURS = 16.0, 50
SOURCES = 1000  # of a direct sum, as in the benchmark
FEW_TARGETS, SAMPLES, REPETITIONS = 1 << 18, 50, 3
PEERS = {"gather_sum": ("matscipy", "vesin", "pykeops", "numpy"), "transpose": ("numpy",)}
MOVE = re.compile(r"(?:transpose|permute \((?P<axes>[\d ]+)\)) (?P<type>f32|f64|i8) (?P<extents>[\dx]+)")
TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8}


def entry(name, of, call, check, share=1.0):
    """A contender as tables.py keeps it; `of` is Keramos' entry of the case."""
    check(call())
    seconds = []
    for _ in range(REPETITIONS):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return {"name": name, "label": "", "work": of["work"] * share, "more": {}, "seconds": seconds, "need": of["need"] * share,
            "before": [statistics.median(of["before"])] * REPETITIONS, "after": [statistics.median(of["after"])] * REPETITIONS}


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


def main(result, out):
    with open(result, encoding="utf-8") as file:
        document = kept(json.load(file))
    contenders = document["contenders"]
    family = contenders[0]["name"].split("/")[0]
    present = [f"{peer} {importlib.metadata.version(peer)}" for peer in PEERS[family] if installed(peer)]
    document["context"]["peers"] = ", ".join(present)
    for one in [one for one in contenders if one["name"].endswith("/Keramos") and "seconds" in one]:
        prefix = one["name"].removesuffix("/Keramos")
        sums = {CUTOFF: peers_within_radius, DIRECT: peers_of_direct_sum}
        found = peers_of_move if family == "transpose" else sums.get(prefix.removeprefix("gather_sum/"))
        last = max(n for n, other in enumerate(contenders) if other["name"].startswith(f"{prefix}/"))
        contenders[last + 1:last + 1] = found(prefix, one) if found else []
    with open(out, "w", encoding="utf-8") as file:
        file.write(kept_text(document))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 3 else sys.exit(__doc__)
