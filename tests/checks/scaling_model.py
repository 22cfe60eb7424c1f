# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scaling model (perf/distributed/model.py) against sums by hand, on a machine of round numbers; and the forecast in
docs/distributed.md, which is never typed, against what the command above it prints."""

import re
import shlex
import subprocess
import sys

from toolchain import ROOT, finish

sys.path.insert(0, str(ROOT / "perf" / "distributed"))
import model  # noqa: E402

failures = []


def expect(what, got, want):
    if isinstance(want, float):
        got, want = float(f"{got:.9g}"), float(f"{want:.9g}")
    if got != want:
        failures.append(f"{what}: expected {want!r}, got {got!r}")


# ---- Who stands beside whom -----------------------------------------------------------------------------------------------
for count, shape in ((1, (1, 1, 1)), (8, (2, 2, 2)), (12, (3, 2, 2)), (16, (4, 2, 2)), (7, (7, 1, 1)), (4096, (16, 16, 16))):
    expect(f"{count} GPUs as a block", model.near_cube(count), shape)
for gpus, node, both in ((1, 8, (0, 0)), (2, 8, (1, 0)), (8, 8, (2, 0)), (16, 8, (1, 1)), (2, 1, (0, 1)), (3, 1, (0, 2))):
    expect(f"neighbours of one of {gpus} GPUs, {node} in a node", model.neighbours(gpus, node), both)

# ---- One step -------------------------------------------------------------------------------------------------------------
# 10^3 points of 4 bytes and a radius of 2: a face's message is 2 * 100 * 4 = 800 bytes.
MACHINE = model.Machine(rate=1000, memory=1e4, launch=0.25, node=2, link=1600, link_latency=0.125, network=200,
                        network_latency=0.5)
GRID = model.Grid(points=10, radius=2, value=4)
bar = model.decompositions(4, MACHINE, GRID)["slabs of a bar"]
expect("a slab between two others, one in another node", bar[0], model.Axis(10, 1, 1))
one = model.step(bar, MACHINE, GRID)
expect("the interior: 6 planes of 100 points", one.interior, 0.6)
expect("messages: the network's, 0.5 + 800 / 200, and not the link's, 0.125 + 800 / 1600", one.messages, 4.5)
expect("pack and unpack 2 (2 1600 / 1e4 + 0.25), boundary 0.4 + 2 0.25", one.around, 1.14 + 0.9)
expect("with overlap messages hide the interior", one.overlapped, 4.5 + 2.04)
expect("of one GPU's speed, with overlap and without", model.efficiency(one), (1 / 6.54, 1 / 7.14))
alone = model.step(model.decompositions(1, MACHINE, GRID)["blocks of a cube"], MACHINE, GRID)
expect("one GPU has nobody to wait for", (alone.overlapped, alone.messages, model.efficiency(alone)), (1.0, 0, (1.0, 1.0)))

cube = model.decompositions(8, MACHINE, GRID)
expect("8 slabs of a cube of 20^3: 2.5 planes of 400 points", round(cube["slabs of a cube"][0].extent, 9), 2.5)
expect("a slab thinner than two halos has no interior", model.step(cube["slabs of a cube"], MACHINE, GRID).interior, 0.0)
expect("its messages: 2 planes of 400 points of 4 bytes", model.step(cube["slabs of a cube"], MACHINE, GRID).messages, 0.5 + 16.0)
expect("blocks, nodes of two: three neighbours, one in the node",
       [(axis.within, axis.outside) for axis in cube["blocks of a cube"]], [(1, 0), (0, 1), (0, 1)])
blocks = model.step(cube["blocks of a cube"], MACHINE, GRID)
expect("two messages through the network, one behind the other", blocks.messages, 2 * (0.5 + 4.0))
expect("the interior of a block with three neighbours", blocks.interior, 0.512)

# ---- The forecast in the documentation ------------------------------------------------------------------------------------
page = (ROOT / "docs" / "distributed.md").read_text()
found = re.search(r"<!-- (perf/distributed/model\.py[^>]*) -->\n((?:\|.*\n)+)", page)
if found:
    command = [sys.executable, "-B", *shlex.split(found[1])]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    expect(f"the table in docs/distributed.md, by python3 {found[1]}", found[2], said.stdout + said.stderr)
else:
    failures.append("docs/distributed.md has no forecast under a comment with its command")
finish("the scaling model", failures)
