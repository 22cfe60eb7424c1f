# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/tune.py on a run made by hand, whose rates are known; and `./keramos tune`: its help, its refusal without a GPU, and what it does with one, where the
compiler, the GPU and the program that measures are scripts."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from toolchain import ROOT, expecting, finish

CONTEXT = {"caches": [], "compiler": "g++", "copy_by_memcpy": "1 GB/s", "cpu_family_model": "6/1", "cpu_model": "A processor", "date": "today",
           "effort": "usual", "git_commit": "0123abc", "git_dirty": "false", "instruction_set": "avx2", "kokkos": "5.0.2 Cuda", "load_avg": [],
           "memory": "1 GiB", "threads": "2", "gpu": "A GPU", "gpu_architecture": "sm_90", "gpu_multiprocessors": "1", "gpu_clock_mhz": "1",
           "gpu_l2_bytes": "1", "gpu_memory_bytes": "1", "gpu_driver": "1.2.3", "cuda_driver_api": "13.0", "cuda_runtime": "13.0", "cuda_compiler": "13.0"}
failures = []
expect = expecting(failures)


def contender(case, who, rate, **more):
    """So many Gpoint/s of a billion points, in three repetitions."""
    return {"name": f"cuda_tune/{case}/{who}", "label": f"cuda: {who}", "work": 1e9, "more": more, "need": 8e9,
            "seconds": [1 / rate, 0.9 / rate, 1.1 / rate], "before": [4e12] * 3, "after": [4e12] * 3}


def shape(case, number, rate, table_rate, expected, chosen, min_row=0, slow_memory=0):
    return contender(case, f"Keramos shape {number}", rate, shape=number, table_rate=table_rate, expected=expected, min_row=min_row, chosen=chosen,
                     slow_memory=slow_memory)


def said_of(path):
    run = subprocess.run([sys.executable, "-B", ROOT / "perf/tune.py", path], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    # ---- Rates. Shape 0 fills its tiles by half and by 0.8: rates of 300 and 350 fit. Shape 1 is chosen and slower; shape 3 is not asked at rows of 97.
    odd, short = "star radius 4 f32 509x511x513", "star radius 4 f32 512x512x97"
    result = folder / "tuned.json"
    measured = [contender(odd, "Keramos", 100), shape(odd, 0, 150, 200, 100, 0), shape(odd, 1, 120, 400, 240, 1, slow_memory=1),
                contender(short, "Keramos", 310), shape(short, 0, 280, 200, 160, 0), shape(short, 3, 330, 500, 500, 0, min_row=161),
                {"name": f"cuda_tune/{short}/Keramos shape 2", "absent": "wrong"}]
    result.write_text(json.dumps({"context": CONTEXT, "contenders": measured}))
    code, said, error = said_of(result)
    expect("exit code, complaints", (code, error), (0, ""))
    for line in ("    shape 0: .rate = 325, // 200 in the table; 300 to 350",  # the median of both
                 "    shape 1: .slow_rate = 200, // 400 in the table",
                 "    shape 3: .rate = 330, // 500 in the table",
                 "| 509x511x513 | `cuda: Keramos` (100) | 1 (120) | 0 (150) | 0 (150) |",
                 "| 512x512x97 | `cuda: Keramos` (310) | none | none | 3 (330) |",
                 "## Rates of star radius 4 f32",
                 "|  | **Keramos shape 1** | 8.33 ms | 120 | 109 – 133 | 24% | 4000 |  | 400 | 240 | `cuda: Keramos shape 1` |", "| commit | 0123abc |"):
        expect(line, line in said.splitlines(), True)
    for words in ("A GPU (sm_90)", "1.2.3, CUDA 13.0", "`cuda: Keramos shape 1`"):
        expect(words, words in said, True)
    # Of shapes that are chosen now only those are asked that rows are long enough for.
    asked = "box radius 1 f32 512x512x97"
    result.write_text(json.dumps({"context": CONTEXT, "contenders": [
        contender(asked, "Keramos", 1), shape(asked, 0, 100, 200, 200, 1), shape(asked, 3, 300, 200, 200, 0, min_row=161)]}))
    expect("rows that are too short", "| 512x512x97 | `cuda: Keramos` (1) | 0 (100) | 0 (100) | 3 (300) |" in said_of(result)[1].splitlines(), True)
    for text in ("", json.dumps({"context": CONTEXT, "contenders": []})):
        result.write_text(text)
        code, said, error = said_of(result)
        expect("nothing measured", (code, said, "Nothing was measured" in error), (1, "", True))
    expect("no such file", said_of(folder / "nothing"), (1, "", f"{folder / 'nothing'}: expected a JSON file of the benchmarks\n"))
    result.write_text("no JSON")
    expect("another file", said_of(result), (1, "", f"{result}: expected a JSON file of the benchmarks\n"))
    for text in ("{}", "[1]"):
        result.write_text(text)
        expect(f"another JSON, {text}", said_of(result), (1, "", f"{result}: expected a JSON file of the benchmarks\n"))

    # ---- ./keramos tune
    clone = folder / "clone"
    program = clone / "build/cuda-perf/perf/keramos_cuda_tune"
    program.parent.mkdir(parents=True)
    shutil.copy(ROOT / "keramos", clone)
    shutil.copytree(ROOT / "perf", clone / "perf", ignore=shutil.ignore_patterns("__pycache__"))
    tools = folder / "tools"
    tools.mkdir()
    result.write_text(json.dumps({"context": CONTEXT, "contenders": measured}))
    scripts = {tools / "cmake": "echo cmake version 3.31.0 $*", tools / "id": "echo 1000", tools / "ninja": "", tools / "objdump": "", tools / "nvcc": "",
               tools / "nvidia-smi": "echo GPU 0",
               program: f'for word; do case $word in --benchmark_out=*) cp "{result}" "${{word#*=}}" ;; *=wrong) exit 1 ;; esac; done; echo "options: $*"'}
    for path, script in scripts.items():
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def tune(*options, gpu="yes"):
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "KERAMOS_GPU": gpu}
        run = subprocess.run([clone / "keramos", "tune", *options], cwd=folder, capture_output=True, text=True, env=environment)
        return run.returncode, run.stdout, run.stderr.strip()

    for gpu in ("yes", "no"):
        code, said, error = tune("--help", gpu=gpu)
        expect(f"help, KERAMOS_GPU={gpu}", (code, said.splitlines()[:1], "--extents=" in said, error), (0, ["usage: ./keramos tune [OPTION...]"], True, ""))
    code, said, error = tune(gpu="no")
    expect("without a GPU", (code, said, len(error.splitlines()), "tuning tables are those of the GPU kernels" in error), (1, "", 1, True))
    code, said, error = tune("--benchmark_filter=star radius 4 f32")
    expect("with a GPU", (code, error), (0, ""))
    for words in ("--preset cuda-perf --target keramos_cuda_tune", "options: --benchmark_filter=star radius 4 f32 --benchmark_out=build/cuda-perf/tuned.json", "    shape 0: .rate = 325,"):
        expect(words, words in said, True)
    code, said, error = tune("--benchmark_filter=wrong")
    expect("a wrong answer", (code, "./keramos tune: FAILED" in error, ".rate =" in said), (1, True, False))

finish("tuning", failures)
