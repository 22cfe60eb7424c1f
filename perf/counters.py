# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which unit of a GPU is busy in Keramos' kernels: the profiler's counters, a row for each launch.

counters.py OUT.csv PROGRAM... [OPTION...]

Runs each benchmark PROGRAM once under ncu, every case one call of Keramos, with OPTION... (--benchmark_filter=REGEX is taken for cases:
contenders other than Keramos are left out), and writes OUT.csv. NCU names the profiler, by default the `ncu` on the PATH.
"""

import csv
import pathlib
import sys

import profiler

PERCENT = "pct_of_peak_sustained_"
STALL = "smsp__average_warps_issue_stalled_"
METRICS = {  # column: metric
    "us": "gpu__time_duration.sum",
    "memory %": f"gpu__dram_throughput.avg.{PERCENT}elapsed",
    "memory bytes": "dram__bytes.sum",
    "L2 %": f"lts__throughput.avg.{PERCENT}elapsed",
    "L1 %": f"l1tex__throughput.avg.{PERCENT}active",
    "issue slots %": f"smsp__issue_active.avg.{PERCENT}active",
    "FMA pipe %": f"sm__inst_executed_pipe_fma.avg.{PERCENT}active",
    "double pipe %": f"sm__inst_executed_pipe_fp64.avg.{PERCENT}active",
    "special functions %": f"sm__inst_executed_pipe_xu.avg.{PERCENT}active",
    "load and store %": f"sm__inst_executed_pipe_lsu.avg.{PERCENT}active",
    "warps %": f"sm__warps_active.avg.{PERCENT}active",
    "instructions": "smsp__inst_executed.sum",
    "registers": "launch__registers_per_thread",
    "waits: memory": f"{STALL}long_scoreboard_per_issue_active.ratio",
    "waits: shared memory": f"{STALL}short_scoreboard_per_issue_active.ratio",
    "waits: barrier": f"{STALL}barrier_per_issue_active.ratio",
    "waits: queue of loads": f"{STALL}lg_throttle_per_issue_active.ratio",
    "waits: queue of other units": f"{STALL}mio_throttle_per_issue_active.ratio",
    "waits: arithmetic": f"{STALL}math_pipe_throttle_per_issue_active.ratio",
    "waits: fixed": f"{STALL}wait_per_issue_active.ratio",
    "waits: another chosen": f"{STALL}not_selected_per_issue_active.ratio",
}


def value(column, number):
    return round(number / 1000, 2) if column == "us" else round(number, 2)


def short(kernel):
    """Without its arguments."""
    name = kernel.replace("Keramos::cuda::", "").removeprefix("void ")
    return name[:name.rfind("(")]


def main(out, *arguments):
    programs = [a for a in arguments if not a.startswith("--")]
    options = [a for a in arguments if a.startswith("--")]
    options = [f"{o.replace('=', '=(', 1)}).*/Keramos/" if o.startswith("--benchmark_filter=") else o for o in options]
    if not any(o.startswith("--benchmark_filter=") for o in options):
        options.append("--benchmark_filter=/Keramos/")
    rows = [["program", "case", "kernel", *METRICS]]
    for program in programs:
        name = pathlib.Path(program).name.removeprefix("keramos_").removesuffix("_benchmark")
        for result, launches in profiler.profile(program, options, list(METRICS.values())):
            case = profiler.run_name(result).removeprefix(f"{name}/").removesuffix("/Keramos")
            for kernel, counted in launches:
                row = [value(c, counted[m]) if m in counted else "" for c, m in METRICS.items()]
                rows.append([name, case, short(kernel), *row])
        with open(out, "w", newline="") as file:  # nothing is written, or lost, where the profiler fails
            csv.writer(file).writerows(rows)
        print(f"{program}: profiled", flush=True)


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
