# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demo as a user meets it, small: what it leaves behind, that a named backend takes all three operators, and that broken
input ends with a sentence, exit code 2 and nothing written.

    demo.py PROGRAM FOLDER TEST_DATA
"""

import json
import pathlib
import shutil
import subprocess
import sys

from toolchain import finish

program, folder, data = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
SMALL = ["--shot-size", "40", "--steps", "30", "--grid", "9"]
failures = []


def run(name, *arguments):
    output = folder / name
    done = subprocess.run([program, "--output", output, *arguments], capture_output=True, text=True)
    return output, done


def expect(what, condition, done):
    if not condition:
        failures.append(f"{what}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")


def good(backend):
    numbers = folder / f"{backend}.json"
    output, done = run(backend, *SMALL, "--backend", backend, "--json", numbers)
    expect(f"{backend}: a small run succeeds", done.returncode == 0, done)
    if done.returncode:
        return
    native = "cuda" if "Kokkos::Cuda" in done.stdout.partition("\n")[0] else "openmp"
    listed = [pathlib.Path(line.strip()) for line in done.stdout.partition("To look at:\n")[2].splitlines()]
    expect(f"{backend}: the files printed at the end are those written",
           set(listed) == {*output.iterdir(), numbers}, done)
    for name in ("seismogram.png", "wavefield.png", "potential.png", "potential.dx"):
        expect(f"{backend}: {name} is written", (output / name).stat().st_size > 1000, done)
    content = json.loads(numbers.read_text())
    expect(f"{backend}: all checks are right", all(content["checks"].values()) and len(content["checks"]) == 3, done)
    kernels = [operator["kernel"] for operator in content["operators"]]
    wanted = native if backend == "auto" else backend
    expect(f"{backend}: it takes all three operators: {kernels}",
           len(kernels) == 3 and all(f"::{wanted}::" in kernel for kernel in kernels), done)
    return native


def few_steps(steps):
    """The wave reaches the first receiver in the third step: a shorter record is silent, and that is right."""
    numbers = folder / "few.json"
    _, done = run("few", "--shot-size", "40", "--grid", "9", "--steps", str(steps), "--json", numbers)
    expect(f"{steps} steps: succeeds", done.returncode == 0 and "WRONG" not in done.stdout, done)
    content = json.loads(numbers.read_text())
    expect(f"{steps} steps: all checks are right", all(content["checks"].values()) and len(content["checks"]) == 3, done)
    expect(f"{steps} steps: silence until the wave arrives", (content["shot"]["seismogram_peak"] > 0) == (steps > 2), done)


def bad(what, *arguments, words):
    output, done = run("bad", *arguments)
    expect(f"{what}: exit code 2", done.returncode == 2, done)
    expect(f"{what}: said with the words {words}", all(word in done.stderr for word in words), done)
    expect(f"{what}: nothing is written", not output.exists(), done)


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
native = good("auto")
for backend in {"cuda": ("cuda", "portable"), "openmp": ("openmp", "portable", "reference")}.get(native, ()):
    good(backend)

for steps in (1, 2, 3):
    few_steps(steps)

broken = folder / "broken.pqr"
broken.write_text("REMARK\nATOM 1 N MET 1 0 0 zero 1 1\n")
bad("a broken PQR", *SMALL, "--pqr", broken, words=[f"{broken}: line 2: expected a number for z, got 'zero'"])
broken.write_text("ATOM 1 N MET 1 0 0 0 1 1\nATOM 2 N MET 1 1e39 0 0 1 1\n")
bad("numbers beyond float", *SMALL, "--pqr", broken, words=[f"{broken}: line 2: expected a number for x", "got '1e39'"])
bad("a missing PQR", *SMALL, "--pqr", "no.pqr", words=["no.pqr: expected a PQR file"])
big_endian = data / "npy" / "big_endian.npy"
bad("a broken model", "--velocity", big_endian, words=[f"{big_endian}: header item 'descr'", "little-endian"])
small_model = data / "npy" / "c_f4.npy"
bad("a model too small", "--velocity", small_model, words=["header item 'shape': expected at least 32 points"])
bad("an unknown backend", "--backend", "magic", words=["--backend", "magic"])
bad("a backend of elsewhere", "--backend", "openmp" if native == "cuda" else "cuda", words=["--backend", "portable"])
bad("ranks that nobody has started", *SMALL, "--ranks", "2", words=["--ranks 2: expected", "./keramos demo --ranks 2"])
bad("no steps", "--steps", "0", words=["--steps"])
finish("the demo", failures)
