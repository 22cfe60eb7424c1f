# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the L2 cache and the memory of a GPU move for each point, from the profiler's counters, as columns of the tables.

redundancy.py PROGRAM RESULT.json [OPTION...]

Runs the benchmark PROGRAM once under ncu, every contender one call, with OPTION... (--benchmark_filter=REGEX, --quick), and
adds to its repetitions in RESULT.json, the program's --benchmark_out of a run without profiler:

  l2_accesses, dram_accesses   bytes through the L2 cache, and from and to memory, in accesses of four bytes a point

NCU names the profiler, by default the `ncu` on the PATH. Counters need the driver's permission; without it nothing is
changed and the tables say – there. Bytes do not depend on clocks.
"""

import json
import pathlib
import sys

import profiler

METRICS = {"lts__t_bytes.sum": "l2_accesses", "dram__bytes.sum": "dram_accesses"}
ACCESS = 4  # bytes


def main(program, result, *options):
    found = {}
    for run, launches in profiler.profile(program, options, list(METRICS)):
        found[profiler.run_name(run)] = {name: sum(counted[metric] for _, counted in launches) / ACCESS / run["work"]
                                         for metric, name in METRICS.items()}
    path = pathlib.Path(result)
    document = json.loads(path.read_text())
    for run in document["benchmarks"]:
        run.update(found.get(profiler.run_name(run), {}))
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{len(found)} contenders profiled")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
