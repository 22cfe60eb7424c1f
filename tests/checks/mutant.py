# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A library with one mistake in it must fail its tests: mutant.py NAME COPY TARGET PROGRAM BUILD_DIRECTORY

Copies the sources to COPY, makes the mistake NAME there (it must change exactly one line), builds TARGET, whose sources lie in
COPY, and runs PROGRAM: only test failures are a success here, neither a pass nor a crash. A race is for compute-sanitizer to see.
"""

import pathlib
import subprocess
import sys

from toolchain import ROOT, compute_sanitizer, finish, require_working_sanitizer

# name: (file, text on one line of it, what to write instead)
MUTANTS = {
    "coefficient": ("src/keramos/stencil/Arguments.hpp", "static_cast<T>(op.weight(t));",
                    "static_cast<T>(op.weight(t) * (t == 1 ? 1 + 1e-5 : 1));"),
    "halo_cell": ("backends/openmp/stencil/ExtendedRow.cpp", "axes[0].resolve(begin_ + x,",
                  "axes[0].resolve(begin_ + x - (begin_ + x == axes[0].valid_begin - 1),"),
    "barrier": ("backends/cuda/stencil/LineAlong.hpp", "  __syncthreads();", "  // no barrier"),
    "edge_rule": ("src/keramos/stencil/EdgeRule.hpp", "floor_modulo(index, extent - 1)", "floor_modulo(index, extent)"),
}


def copy_sources(to, mutated, old, new):
    """Writes only what differs, so that a second run compiles nothing again."""
    changed = 0
    for path in sorted(p for folder in ("src", "backends", "tests") for p in (ROOT / folder).rglob("*.?pp")):
        text = path.read_text()
        name = path.relative_to(ROOT)
        if str(name) == mutated:
            lines = text.splitlines(keepends=True)
            text = "".join(line.replace(old, new) for line in lines)
            changed = sum(a != b for a, b in zip(lines, text.splitlines(keepends=True)))
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != text:
            target.write_text(text)
    if changed != 1:
        sys.exit(f"the mistake changed {changed} lines of {mutated} instead of one; look for: {old}")


name, copy, target, program, build = sys.argv[1:]
copy_sources(pathlib.Path(copy), *MUTANTS[name])
made = subprocess.run(["cmake", "--build", build, "--target", target], capture_output=True, text=True)
if made.returncode != 0:
    sys.exit(f"{target} does not build:\n{made.stdout}{made.stderr}")
if name == "barrier":
    require_working_sanitizer("racecheck", program)
    found, code, said = compute_sanitizer("racecheck", program, ["--gtest_brief=1", "--gtest_filter=*StarsAndLinesInFloat"])
    finish("mutant barrier", [] if found else [f"nobody noticed the race, exit code {code}:\n{said[-4000:]}"])
run = subprocess.run([program, "--gtest_brief=1"], capture_output=True, text=True)
failed = run.stdout.count("[  FAILED  ]")
print(f"mutant {name}: exit code {run.returncode}, {failed} lines of failed tests")
finish(f"mutant {name}", [] if run.returncode == 1 and failed else [f"nobody noticed the mistake:\n{run.stdout}{run.stderr}"])
