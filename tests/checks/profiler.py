# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf/counters.py and perf/redundancy.py on lines of a profiler made by hand: a script stands for ncu."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from toolchain import ROOT, expecting, finish

NCU = r'''#!/usr/bin/env python3
import json, os, sys
with open(os.environ["ASKED"], "w") as file:
    json.dump(sys.argv[1:], file)
out = next(a for a in sys.argv if a.startswith("--benchmark_out=")).split("=", 1)[1]
runs = [{"run_name": "cuda_some/star f32/Keramos/iterations:1/manual_time", "profiled_as": 1, "work": 1000},
        {"run_name": "cuda_some/sum f32/Keramos/iterations:1/manual_time", "profiled_as": 2, "work": 10}, {"run_name": "wrong"}]
json.dump({"benchmarks": runs}, open(out, "w"))
print("==PROF== Connected\n" + '"ID","Kernel Name","Grid Size","Metric Name","Metric Value"')
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
def launch(number, kernel, blocks, value):
    for metric in metrics:
        print(f'"{number}","{kernel}","({blocks}, 1, 1)","{metric}","{value}"')
launch(0, "mark_of_a_contender()", 1, 0)
launch(1, "void Keramos::cuda::stencil::star_kernel<float, 4>(Arguments<float>)", 132, "8,000")
launch(2, "mark_of_a_contender()", 2, 0)
launch(3, "void Keramos::cuda::gather_sum::sum_kernel<float>(Call)", 7, "20")
launch(4, "void Keramos::cuda::gather_sum::end_kernel<float>(Call)", 1, "60")
sys.exit(int("--fail" in sys.argv))
'''
failures = []
expect = expecting(failures)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    ncu, asked, out, result = (folder / n for n in ("ncu", "asked.json", "out.csv", "result.json"))
    ncu.write_text(NCU)
    ncu.chmod(0o755)

    def run(script, *arguments, profiler=ncu):
        environment = {**os.environ, "NCU": str(profiler), "ASKED": str(asked), "PYTHONPATH": str(folder)}
        return subprocess.run([sys.executable, "-B", ROOT / "perf" / script, *arguments], capture_output=True, text=True, env=environment)

    # ---- A row for each launch, in microseconds
    ran = run("counters.py", out, "keramos_cuda_some_benchmark", "--benchmark_filter=star|sum")
    expect("counters.py", (ran.returncode, ran.stderr), (0, ""))
    rows = list(csv.DictReader(out.open()))
    expect("rows", [(r["program"], r["case"], r["kernel"], r["us"], r["issue slots %"]) for r in rows],
           [("cuda_some", "star f32", "stencil::star_kernel<float, 4>", "8.0", "8000.0"),
            ("cuda_some", "sum f32", "gather_sum::sum_kernel<float>", "0.02", "20.0"),
            ("cuda_some", "sum f32", "gather_sum::end_kernel<float>", "0.06", "60.0")])
    expect("the filter", "--benchmark_filter=(star|sum).*/Keramos/" in json.loads(asked.read_text()), True)
    expect("no filter", (run("counters.py", out, "p").returncode, "--benchmark_filter=/Keramos/" in json.loads(asked.read_text())), (0, True))
    expect("a program that fails", (run("counters.py", out, "p", "--fail").returncode, run("counters.py").returncode), (1, 1))
    expect("what was there, after it", list(csv.DictReader(out.open()))[0]["kernel"], rows[0]["kernel"])
    ran = run("counters.py", out, "p", profiler=folder / "nothing")
    expect("no profiler", (ran.returncode, ran.stderr.splitlines()),
           (1, [f"{folder / 'nothing'}: No such file or directory; expected the profiler of NVIDIA's CUDA, ncu on the PATH or what NCU in the environment "
                "names"]))

    # ---- Accesses of four bytes a point, of all launches of a call, where there is such a contender
    other = {"run_name": "cuda_some/star f32/naive/iterations:9/manual_time"}
    result.write_text(json.dumps({"benchmarks": [{"run_name": "cuda_some/star f32/Keramos/iterations:9/manual_time"}, other,
                                                 {"run_name": "cuda_some/sum f32/Keramos/iterations:3/manual_time"}]}))
    ran = run("redundancy.py", "keramos_cuda_some_benchmark", result)
    expect("redundancy.py", (ran.returncode, ran.stdout, ran.stderr), (0, "2 contenders profiled\n", ""))
    expect("accesses", [(r.get("l2_accesses"), r.get("dram_accesses")) for r in json.loads(result.read_text())["benchmarks"]],
           [(2.0, 2.0), (None, None), (2.0, 2.0)])

    # ---- Peers that are not installed: modules of their names that cannot be imported stand before those that are
    for script, module, said in (("peers.py", "jax", "PyTorch and JAX"), ("host_peers.py", "numpy", "NumPy")):
        (folder / f"{module}.py").write_text("raise ImportError('not installed')\n")
        ran = run(script, result, out)
        expect(f"{script} without {module}", (ran.returncode, ran.stderr), (1, f"{script}: expected {said} in this Python: not installed\n"))

finish("the profiler's counters", failures)
