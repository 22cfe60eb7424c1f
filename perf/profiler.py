# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A benchmark program run once under the GPU's profiler, every contender one call. NCU in the environment names the profiler, by default the
`ncu` on the PATH. Counters need the driver's permission. Clocks are left as they are."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MARK = "mark_of_a_contender"  # a launch with as many blocks as the contender that follows has as its number


def run(program, options, metrics):
    """The profiler's lines, and the program's results by the contenders' numbers."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "results.json"
        command = [os.environ.get("NCU", "ncu"), "--clock-control", "none", "--profile-from-start", "off", "--csv",
                   "--print-units", "base", "--metrics", ",".join(metrics), program, "--profile",
                   f"--benchmark_out={results}", "--benchmark_out_format=json", *options]
        try:
            ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            sys.exit(f"{command[0]}: {error.strerror}; expected the profiler of NVIDIA's CUDA, ncu on the PATH or what NCU in the environment names")
        if ran.returncode != 0:
            sys.exit(f"{' '.join(command)}: failed\n{ran.stdout[-2000:]}")
        document = json.loads(results.read_text())
    lines = ran.stdout.splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    if start == len(lines):
        sys.exit("the profiler counted nothing:\n" + ran.stdout[-2000:])
    table = csv.DictReader(line for line in lines[start:] if line.startswith('"'))
    return list(table), {int(result["profiled_as"]): result for result in document["benchmarks"] if "profiled_as" in result}


def run_name(result):
    return result["run_name"].rsplit("/iterations:", 1)[0]


def profile(program, options, metrics):
    """[(result, launches)] by contender; a launch is (kernel, {metric: number})."""
    lines, results = run(program, options, metrics)
    launches, number, last = {n: {} for n in results}, 0, None
    for line in lines:
        kernel = line["Kernel Name"]
        if kernel.startswith(MARK):
            number = int(line["Grid Size"].strip("()").split(",")[0])
        elif number in launches:
            counted = launches[number].setdefault(line["ID"], (kernel, {}))[1]
            counted[line["Metric Name"]] = float(line["Metric Value"].replace(",", "") or "nan")
    return [(results[n], list(launches[n].values())) for n in sorted(results)]
