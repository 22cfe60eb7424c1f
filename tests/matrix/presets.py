# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of the matrix: the configure presets that have an entry "keramos/matrix", and what this machine lacks for them."""

import json
import os
import re
import shutil
import subprocess


def read(root):
    """{name: configure preset} of CMakePresets.json, of CMakeUserPresets.json and of what they include."""
    presets, seen = {}, set()

    def visit(path):
        if path in seen or not path.exists():
            return
        seen.add(path)
        content = json.loads(path.read_text())
        for included in content.get("include", []):
            visit((path.parent / included).resolve())
        presets.update({preset["name"]: preset for preset in content.get("configurePresets", [])})

    visit(root / "CMakePresets.json")
    visit(root / "CMakeUserPresets.json")
    return presets


def cache_variables(presets, name):
    """What CMake passes as -D: a preset's own variables before those that it inherits, in their order."""
    preset = presets[name]
    parents = preset.get("inherits", [])
    variables = {}
    for parent in reversed([parents] if isinstance(parents, str) else parents):
        variables.update(cache_variables(presets, parent))
    for key, value in preset.get("cacheVariables", {}).items():
        variables[key] = value["value"] if isinstance(value, dict) else value
    return variables


class Row:
    """One preset of the matrix."""

    def __init__(self, presets, name, tier):
        entry = presets[name]["vendor"]["keramos/matrix"]
        self.preset = name
        self.backend, self.compiler, self.build = entry["backend"], entry["compiler"], entry["build"]
        self.default = "tests" in entry
        self.tests = "all" if tier == "full" else entry.get("tests", "matrix")  # or the label of those that run
        if tier == "cells" and self.tests == "all":
            self.tests = "matrix"
        self.variables = cache_variables(presets, name)

    def kokkos_options(self):
        return {key: value for key, value in self.variables.items() if key.startswith("Kokkos_")}

    def kokkos_key(self):
        """Rows with the same key can share one Kokkos. A thread sanitizer must see inside of Kokkos; the others need not."""
        alone = self.preset if self.build == "tsan" else ""
        return (self.variables.get("CMAKE_CXX_COMPILER", ""), alone, tuple(sorted(self.kokkos_options().items())))

    def missing(self):
        """Why this machine cannot run the row, or None."""
        if self.backend == "cuda":
            lack = missing_for_cuda()
            if lack:
                return lack
        if self.variables.get("Keramos_ENABLE_MPI") == "ON" and not (shutil.which("mpicxx") and shutil.which("mpiexec")):
            return "no MPI (mpicxx and mpiexec)"
        emulator = self.variables.get("CMAKE_CROSSCOMPILING_EMULATOR", "").split(";")[0]
        if emulator and not shutil.which(emulator):
            return f"no {emulator}"
        compiler = self.variables.get("CMAKE_CXX_COMPILER") or os.environ.get("CXX", "c++")
        if not shutil.which(compiler):
            return f"no {compiler}"
        flags = self.variables.get("CMAKE_CXX_FLAGS", "").split() + (["-fopenmp"] if self.backend == "openmp" else [])
        return does_not_link(compiler, flags)


def does_not_link(compiler, flags):
    """None, or which of the runtimes (OpenMP, sanitizers) that `flags` ask for is not there."""
    command = [compiler, "-std=c++20", *flags, "-x", "c++", "-", "-o", os.devnull]
    done = subprocess.run(command, input="#include <version>\nint main() {}\n", capture_output=True, text=True)
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if re.search("error|cannot find", line)] or ["it says nothing"]
    return f"{compiler} {' '.join(flags)} links no program: {lines[0]}"


def missing_for_cuda():
    if os.environ.get("KERAMOS_GPU") == "no":
        return "KERAMOS_GPU=no"
    if not (shutil.which("nvcc") or os.access("/usr/local/cuda/bin/nvcc", os.X_OK)):
        return "no nvcc"
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True) if shutil.which("nvidia-smi") else None
    if listed is None or "GPU" not in listed.stdout:
        return "no NVIDIA GPU (preset cuda-compile-only builds without one)"
    version = subprocess.run(["cmake", "--version"], capture_output=True, text=True).stdout.split()[2]
    if tuple(int(part) for part in re.findall(r"\d+", version)[:3]) < (3, 25, 2):
        return f"CMake {version}, and CUDA needs 3.25.2"
    return None


def rows(root, tier, only):
    """The rows to run in a tier, "cells", "default" or "full"; `only` names presets and comes before what it chooses."""
    presets = read(root)
    named = [name for name, preset in presets.items() if "keramos/matrix" in preset.get("vendor", {})]
    unknown = set(only) - set(named)
    if unknown:
        raise SystemExit(f"./keramos matrix: no row {', '.join(sorted(unknown))}; there are {', '.join(named)}")
    all_rows = [Row(presets, name, tier) for name in named if not only or name in only]
    return [row for row in all_rows if tier == "full" or only or row.default]
