# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./keramos refuses options that there are not before it installs or builds anything, and hands on those that there are. All that it
calls is a script."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from toolchain import ROOT, expecting, finish

failures = []
expect = expecting(failures)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    clone, tools = folder / "clone", folder / "tools"
    for source in ("keramos", "examples/demo/Options.cpp", "perf/Program.cpp", "perf/tables.py", "tests/matrix/__main__.py"):
        (clone / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / source, clone / source)
    says = 'echo "hears: $*"'
    scripts = {tools / "cmake": "echo cmake version 3.31.0", tools / "id": "echo 1000", tools / "python3": says,
               clone / "build/openmp/examples/keramos_demo": says, clone / "build/perf/perf/keramos_copy_benchmark": says,
               clone / "build/cuda-perf/perf/keramos_cuda_tune": says,
               **{tools / tool: "echo GPU 0" for tool in ("nvcc", "nvidia-smi")},
               **{tools / tool: "" for tool in ("c++", "mpicxx", "mpiexec", "ninja", "objdump")}}
    for path, script in scripts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    (clone / "build/perf/CMakeCache.txt").write_text("MPIEXEC_EXECUTABLE:FILEPATH=true\nMPIEXEC_NUMPROC_FLAG:STRING=-n\n")
    (clone / "cmake").mkdir()
    shutil.copy(ROOT / "cmake/mpi-on-one-machine.env", clone / "cmake")

    def keramos(command, *options):
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CXX": "c++", "KERAMOS_GPU": "yes" if command == "tune" else "no"}
        run = subprocess.run([clone / "keramos", command, *options], capture_output=True, text=True, env=environment)
        return run.returncode, run.stdout, run.stderr.strip()

    for command, *options, unknown in (("demo", "--nosuch"), ("demo", "--grid", "33", "--nosuch=3"), ("demo", "--steps", "7", "--step"),
                                       ("demo", "-x"), ("demo", "--benchmark_filter=x"), ("bench", "--nosuch"), ("bench", "--quick", "quick"),
                                       ("bench", "--profiles"), ("tune", "--nosuch"), ("tune", "--quick", "--grid=3"),
                                       ("matrix", "--nosuch"), ("matrix", "--cells", "--only", "openmp", "--ful")):
        code, said, error = keramos(command, *options, unknown)
        sentence = f"./keramos {command}: there is no option '{unknown.split('=')[0]}'; ./keramos {command} --help lists them."
        expect(f"{command} {options} {unknown}", (code, said, error), (1, "", sentence))

    for command, *options in (("demo", "--help"), ("demo", "-h"), ("demo", "--grid", "33", "--spacing=-5", "--output", "somewhere"),
                              ("demo", "--steps", "-3"), ("bench", "--quick", "--benchmark_filter=star"), ("bench", "--kokkos-num-threads=1", "--v=1"),
                              ("bench", "--extents-seed=7", "--help"), ("tune", "--extents=1x2x3"), ("matrix", "--cells", "--only", "openmp", "serial"),
                              ("matrix", "--output=/tmp", "--name", "here"), ("matrix", "--list", "--full"), ("matrix", "--from", "a.json")):
        code, said, error = keramos(command, *options)
        heard = [line for line in said.splitlines() if line.startswith("hears: ") and " ".join(options) in line]
        expect(f"{command} {options}: heard, {said}{error}", (code, len(heard) > 0), (0, True))

finish("the command line", failures)
