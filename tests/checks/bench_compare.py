# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/compare.py on runs made by hand, whose changes are known, and on those of perf/results; perf/tables.py on a run of several places; and `./keramos bench --compare`, whose
build and benchmarks are replaced by scripts."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from toolchain import ROOT, expecting, finish

CONTEXT = {"caches": [], "compiler": "g++", "copy_by_memcpy": "1 GB/s", "cpu_family_model": "6/1", "cpu_model": "A processor", "date": "today",
           "effort": "usual", "git_commit": "0", "git_dirty": "false", "instruction_set": "avx2", "kokkos": "5.0.2 OpenMP", "load_avg": [],
           "memory": "1 GiB", "threads": "2", "threads_a_rank": "1"}
failures = []
expect = expecting(failures)


def contender(name, seconds, copy=None, kernel=""):
    """A billion points, which move a billion bytes, in each of `seconds`; beside a copy of so many GB/s."""
    one = {"name": name, "label": kernel, "work": 1e9, "more": {}, "seconds": seconds}
    if copy:
        one |= {"need": 1e9, "before": [rate * 1e9 for rate in copy], "after": [rate * 1e9 for rate in copy]}
    return one


def write(name, contenders, **context):
    path = folder / name
    path.write_text(json.dumps({"context": {**CONTEXT, **context}, "contenders": contenders}))
    return path


def compare(*runs):
    run = subprocess.run([sys.executable, "-B", ROOT / "perf/compare.py", *runs], cwd=ROOT, capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


def rows(said):
    """(case, by, change, verdict, kernel) of each line of the table."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in said.splitlines() if line.startswith("|")]
    return [(line[0], line[1], line[4], line[7], line[8]) for line in lines if len(line) == 9][2:]


def expect_refused(what, sentence, *runs):
    code, said, error = compare(*runs)
    expect(f"{what}: exit code, nothing printed, sentence", (code, said, sentence in error), (1, "", True))


# ---- Verdicts ---------------------------------------------------------------------------------------------------------------
STEADY, COPY = [1.0, 1.01, 0.99], [10, 10.1, 9.9]
MOVES = {  # case: seconds and copies before, and after; what is said
    "faster": (STEADY, COPY, [0.5, 0.51, 0.49], COPY, "+100.0%", "faster"),
    "slower": (STEADY, COPY, [1.25, 1.26, 1.24], COPY, "-20.0%", "slower"),
    "machine": (STEADY, COPY, [0.8, 0.81, 0.79], [12.5, 12.6, 12.4], "+25.0%", ""),
    "copy": (STEADY, COPY, STEADY, [20, 20.1, 19.9], "+0.0%", ""),
    "restless": ([1.0, 0.6, 1.4], COPY, [0.8, 0.81, 0.79], COPY, "+25.0%", ""),
    "restless after": ([1.0, 1.01, 0.99], COPY, [0.8, 0.81, 1.2], COPY, "+23.5%", ""),
    "outlier": ([1.0, 1.01, 0.99], COPY, [1.25, 1.26, 1.05], COPY, "-20.0%", "slower"),
    "once": ([1.0], [10], [0.5], [10], "+100.0%", ""),
}


def moves(side):
    return [contender(f"stencil/{case}/Keramos", *move[2 * side : 2 * side + 2]) for case, move in MOVES.items()]


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    gone, new = contender("stencil/old/Keramos", STEADY, COPY), contender("stencil/new/Keramos", STEADY, COPY)
    failing = {"name": "stencil/failing/Keramos", "absent": "wrong answer"}
    before = write("before.json", [*moves(0), gone, failing])
    after = write("after.json", [*moves(1), new, failing], git_commit="1")
    code, said, error = compare(before, after)
    expect("exit code", (code, error), (0, ""))
    found = rows(said)
    expect("changes and verdicts", {row[0]: row[2:4] for row in found}, {f"stencil/{case}": move[4:] for case, move in MOVES.items()})
    changes = [float(row[2][:-1]) for row in found]
    expect("the slowest change first", changes, sorted(changes))
    expect("the verdict", said.splitlines()[-1], "2 slower, 1 faster, 5 within their range; 1 measured only before, 1 only after")
    expect("what differs between the runs", "| commit | 0 | 1 |" in said and "compiler" not in said, True)
    turned = {row[0]: row[3] for row in rows(compare(after, before)[1])}
    opposite = {"faster": "slower", "slower": "faster", "": ""}
    expect("the other way round", turned, {f"stencil/{case}": opposite[move[5]] for case, move in MOVES.items()})

    # ---- Without a yardstick, as the time of a call, and by another kernel
    for family, figure in (("distributed", "1.00 GB/s | 2.00 GB/s"), ("call", "1.00 s | 500 ms")):
        pair = [write(f"{family}{side}.json", [contender(f"{family}/a/Keramos", seconds, kernel=kernel)], ranks="2")
                for side, (seconds, kernel) in enumerate(((STEADY, "x"), ([0.5, 0.51, 0.49], "y")))]
        said = compare(*pair)[1]
        expect(f"{family}: verdict", rows(said), [(f"{family}/a", "**Keramos**", "+100.0%", "faster", "`y`, before `x`")])
        expect(f"{family}: figures", figure in said, True)

    # ---- Of several extents and allocations the table shows the worst, and rivals as they were at the case's own
    worst, better = [2.0, 2.1, 1.9], [0.5, 0.51, 0.49]
    several = write("places.json", [contender("stencil/a/Keramos", STEADY, COPY), contender("stencil/a/plain", [4.0], [10]),
                                    contender("stencil/a @ 9, allocation 1/Keramos", worst, COPY),
                                    contender("stencil/a @ 9, allocation 2/Keramos", better, COPY), contender("stencil/b/Keramos", STEADY, COPY)], extents_seed="7")
    said = subprocess.run([sys.executable, "-B", ROOT / "perf/tables.py", several], capture_output=True, text=True).stdout
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in said.splitlines() if "**Keramos**" in line or "| plain |" in line]
    expect("the worst place", [(line[0], line[1], line[2], line[4], line[6]) for line in lines],
           [("a; worst of 3: 9, allocation 1", "**Keramos**", "0.50", "5%", "2.00 x"), ("", "plain", "0.25", "2%", ""),
            ("b", "**Keramos**", "1.00", "10%", "")])

    # ---- Refusals
    expect_refused("another processor", "processor A processor (family/model 6/1) before, B (family/model 6/1) after.",
                   before, write("b.json", moves(1), cpu_model="B"))
    expect_refused("another number of threads", "number of threads 2 before, 3 after.", before, write("b.json", moves(1), threads="3"))
    a_gpu = {"gpu": "GPU A", "gpu_architecture": "sm_90"}
    on_gpu = write("gpu.json", [contender("cuda_warp/a/Keramos", STEADY, COPY)], **a_gpu)
    expect_refused("a GPU and none", "Runs of different machines are not compared: GPU none before, GPU A (sm_90) after.", before, on_gpu)
    expect_refused("another GPU", "GPU GPU A (sm_90) before, GPU B (sm_90) after.",
                   on_gpu, write("b.json", [contender("cuda_warp/a/Keramos", STEADY, COPY)], gpu="GPU B", gpu_architecture="sm_90"))
    expect_refused("another number of ranks", "number of ranks 2 before, 3 after.", folder / "distributed0.json",
                   write("b.json", [contender("distributed/a/Keramos", STEADY)], ranks="3"))
    expect_refused("nothing in common", "no case in common", write("b.json", [gone]), write("c.json", [new]))
    expect_refused("nothing measured", "No benchmark ran after", before, write("b.json", []))
    expect_refused("an unknown run", "There is no run 'h200' to compare with", "h200", after)

    # ---- ./keramos bench --compare: the benchmark is a script that writes what was prepared
    clone = folder / "clone"
    (clone / "build/perf/perf/distributed").mkdir(parents=True)
    shutil.copy(ROOT / "keramos", clone)
    # Where MPI is installed, several ranks are asked for as well: they say nothing here.
    (clone / "build/perf/CMakeCache.txt").write_text("MPIEXEC_EXECUTABLE:FILEPATH=true\nMPIEXEC_NUMPROC_FLAG:STRING=-n\n")
    (clone / "cmake").mkdir()
    shutil.copy(ROOT / "cmake/mpi-on-one-machine.env", clone / "cmake")
    shutil.copytree(ROOT / "perf", clone / "perf", ignore=shutil.ignore_patterns("__pycache__"))
    tools = folder / "tools"
    tools.mkdir()
    scripts = {tools / "cmake": "echo cmake version 3.31.0", tools / "id": "echo 1000", tools / "ninja": "", tools / "objdump": "",
               clone / "build/perf/perf/keramos_stencil_benchmark":
                   f'for word; do case $word in --benchmark_out=*) cp "{after}" "${{word#*=}}" ;; esac; done; echo "options: $*"'}
    for path, script in scripts.items():
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def bench(*options, gpu="no"):
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "KERAMOS_GPU": gpu}
        run = subprocess.run([clone / "keramos", "bench", *options], cwd=folder, capture_output=True, text=True, env=environment)
        return run.returncode, run.stdout, run.stderr

    last_line = "2 slower, 1 faster, 5 within their range; 1 measured only before, 1 only after"
    results = clone / "build/perf/results"
    for options in (("--compare", "before.json", "--quick"), ("--quick", f"--compare={before}")):
        code, said, error = bench(*options)
        expect(f"bench {options}", (code, said.splitlines()[-1:]), (0, [last_line]))
        passed_on = re.findall(r"options: .*", said)
        expect(f"bench {options}: what the benchmarks hear", [line.split()[-1] for line in passed_on], ["--quick"])
        expect(f"bench {options}: only that", ["compare" in line or "before" in line for line in passed_on], [False])
    shutil.copy(before, results / "keramos_stencil.json")
    code, said, error = bench("--compare", str(results / "keramos_stencil.json"))
    expect("bench --compare with what the last run left", (code, said.splitlines()[-1:]), (0, [last_line]))
    code, said, error = bench("--compare", "zen4-2cores-2026-11-26")
    expect("bench --compare with a run of another machine", (code, "Runs of different machines" in error), (1, True))
    for options, sentence in ((["--compare", "nothing"], "there is neither a run perf/results/nothing.md nor such a JSON file"),
                              (["--compare"], "./keramos bench --compare RUN: which one?")):
        code, said, error = bench(*options)
        expect(f"bench {options} does nothing but say so", (code, said, sentence in error), (1, "", True))
    for command in ("test", "build", "bench"):
        run = subprocess.run([clone / "keramos", command, "--help"], capture_output=True, text=True)
        expect(f"./keramos {command} --help", (run.returncode, run.stdout.splitlines()[:1], run.stderr), (0, ["usage: ./keramos COMMAND"], ""))
    for command in ("test", "build"):
        run = subprocess.run([ROOT / "keramos", command, "nosuch"], capture_output=True, text=True, env={**os.environ, "KERAMOS_GPU": "no"})
        expect(f"./keramos {command} nosuch does nothing but say so",
               (run.returncode, run.stdout, f"./keramos {command}: there is no preset 'nosuch'" in run.stderr), (1, "", True))
    expect("KERAMOS_GPU=0 is named", "KERAMOS_GPU: expected one of yes, no, got 0; taking yes" in bench("--compare", "nothing", gpu="0")[2], True)

# ---- Runs that are kept ---------------------------------------------------------------------------------------------------
for page in sorted((ROOT / "perf/results").glob("*.md")):
    if not page.name.endswith(".note.md"):
        code, said, error = compare(page.stem, page.stem)
        expect(f"{page.stem} beside itself", (code, said.splitlines()[-1:] and said.splitlines()[-1].split(" faster")[0]), (0, "0 slower, 0"))
found = {row[:2]: row[3] for row in rows(compare("h200-2026-11-21", "h200-2026-11-22")[1])}
for case, verdict in (("order 10 (star-31)", "slower"), ("wave of order 8", "faster")):  # as docs/tuning/stencils.md says
    expect(case, found.get((f"cuda_finite_difference/{case} f32 640x640x400", "**Keramos**")), verdict)
finish("comparisons of runs", failures)
