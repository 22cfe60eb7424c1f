# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the L2 cache and the memory of a GPU move for each point, from the profiler's counters, as columns of the tables.

redundancy.py PROGRAM RESULT.json [OPTION...]

Runs the benchmark PROGRAM once under ncu, every contender one call, with OPTION... (--benchmark_filter=REGEX, --quick), and
adds to its repetitions in RESULT.json, the program's --benchmark_out of a run without profiler:

  l2_accesses, dram_accesses   bytes through the L2 cache, and from and to memory, in accesses of four bytes a point

NCU names the profiler, by default the `ncu` on the PATH. Counters need the driver's permission; without it nothing is
changed and the tables say – there. Clocks are left as they are: bytes do not depend on them.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

METRICS = {"lts__t_bytes.sum": "l2_accesses", "dram__bytes.sum": "dram_accesses"}
MARK = "mark_of_a_contender"  # a launch with as many blocks as the contender that follows has as its number
ACCESS = 4  # bytes


def profile(program, options):
    """The profiler's lines, and the names of the contenders by their numbers."""
    with tempfile.TemporaryDirectory() as folder:
        names = pathlib.Path(folder) / "names.json"
        command = [os.environ.get("NCU", "ncu"), "--clock-control", "none", "--profile-from-start", "off", "--csv",
                   "--print-units", "base", "--metrics", ",".join(METRICS), program, "--profile",
                   f"--benchmark_out={names}", "--benchmark_out_format=json", *options]
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if ran.returncode != 0:
            sys.exit(f"{' '.join(command)}: failed\n{ran.stdout[-2000:]}")
        runs = json.loads(names.read_text())["benchmarks"]
    lines = ran.stdout.splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    if start == len(lines):
        sys.exit("the profiler counted nothing:\n" + ran.stdout[-2000:])
    table = [line for line in lines[start:] if line.startswith('"')]
    return list(csv.DictReader(table)), {int(run["profiled_as"]): run for run in runs if "profiled_as" in run}


def bytes_by_contender(lines):
    """{number: {metric: bytes}}, of all launches of one call together."""
    result, number = {}, 0
    for line in lines:
        if line["Kernel Name"].startswith(MARK):
            number = int(line["Grid Size"].strip("()").split(",")[0])
            continue
        counted = result.setdefault(number, dict.fromkeys(METRICS, 0.0))
        counted[line["Metric Name"]] += float(line["Metric Value"].replace(",", ""))
    return result


def run_name(run):
    return run["run_name"].rsplit("/iterations:", 1)[0]


def main(program, result, *options):
    lines, runs = profile(program, options)
    found = {}
    for number, counted in bytes_by_contender(lines).items():
        points = runs[number]["work"]
        found[run_name(runs[number])] = {METRICS[metric]: count / ACCESS / points for metric, count in counted.items()}
    path = pathlib.Path(result)
    document = json.loads(path.read_text())
    for run in document["benchmarks"]:
        run.update(found.get(run_name(run), {}))
    path.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{len(found)} contenders profiled")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
