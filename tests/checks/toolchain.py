# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks in this folder share: how this build compiles a test, the cores they may use, and how they end."""

import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

SKIPPED = 77  # SKIP_RETURN_CODE in cmake/KeramosTest.cmake
ROOT = pathlib.Path(__file__).resolve().parents[2]


def skip(reason):
    """Ends the check as not run; CTest shows it as "Skipped"."""
    print(f"Skipped: {reason}")
    sys.exit(SKIPPED)


def require_program(name, package):
    """The path of a program. Where it is missing the check ends: skipped, or, under KERAMOS_TEST_TOOLS=required, failed."""
    return shutil.which(name) or lacks(f"{name} is not on this machine", package)


def lacks(what, package):
    """Ends the check for want of a package that `./keramos test` installs where it may: the caller then says "required"."""
    reason = f"{what} (Debian, Ubuntu: package {package})"
    if os.environ.get("KERAMOS_TEST_TOOLS") == "required":
        finish("tools", [reason])
    skip(reason)


def compute_sanitizer(tool, program, arguments, environment=None):
    """PROGRAM under one tool of compute-sanitizer: (did the tool report a mistake, what was said). Skips where there is none."""
    path = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    if not pathlib.Path(path).exists():
        skip("compute-sanitizer, which comes with the CUDA toolkit, is not on this machine")
    reported = 99
    command = [path, "--tool", tool, "--error-exitcode", str(reported), program, *arguments]
    if tool == "synccheck":  # its own guess is too few for kernels with barriers in shared memory, and it ends them
        command[1:1] = ["--num-cuda-barriers", "4096"]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    return run.returncode == reported, run.returncode, run.stdout + run.stderr


def require_working_sanitizer(tool, program):
    """Skips where the tool does not find the mistake that tests/SanitizeTest.cpp makes for it."""
    arguments = ["--gtest_also_run_disabled_tests", "--gtest_filter=Planted.*"]
    found, _, said = compute_sanitizer(tool, program, arguments, {"KERAMOS_PLANT": tool})
    if not found:
        skip(f"compute-sanitizer --tool {tool} does not find a planted mistake on this machine:\n{said[-2000:]}")


def expecting(failures):
    """expect(what, got, want): what differs is written down among the failures."""
    def expect(what, got, want):
        if got != want:
            failures.append(f"{what}: expected {want!r}, got {got!r}")
    return expect


def finish(what, failures):
    """Ends the check with its verdict: one paragraph for every failure."""
    for failure in failures:
        print(f"FAILED {failure}\n")
    print(f"{what}: {len(failures)} failed" if failures else f"{what}: all right")
    sys.exit(1 if failures else 0)


@functools.cache
def includes_kokkos(path):
    """Whether a file of this tree, or one that it includes, includes Kokkos_Core.hpp."""
    return path.exists() and text_includes_kokkos(path.read_text(), path.parent)


def text_includes_kokkos(text, folder):
    named = [ROOT / "src" / name for name in re.findall(r"^ *#include <(Keramos\w*\.hpp)>", text, re.M)]
    named += [(folder / name).resolve() for name in re.findall(r'^ *#include "(.*)"', text, re.M)]
    return "#include <Kokkos_Core.hpp>" in text or any(includes_kokkos(path) for path in named)


def comes_after_kokkos(text, folder):
    """Whether all that is written here comes after Kokkos_Core.hpp, for it comes after all that is included: then it may as well be
    compiled after that alone. What it includes sees Kokkos earlier than it would, and is to be asked the same for itself."""
    before = re.sub(r"//[^\n]*", "", text).rpartition("#include")[0]
    is_code_before = re.search(r"^(?! *(#(include|pragma once|if|ifdef|endif)\b|$))", before, re.M)
    return not is_code_before and text_includes_kokkos(text, folder)


class Compiler:
    """Compiles text or a file exactly as this build compiles one of its sources."""

    def __init__(self, build, like="tests/Main.cpp"):
        database = pathlib.Path(build) / "compile_commands.json"
        if not database.exists():
            skip(f"{database} is missing: configure with Ninja or Makefiles and CMAKE_EXPORT_COMPILE_COMMANDS=ON")
        entry = next(e for e in json.loads(database.read_text()) if e["file"] == str(ROOT / like))
        words = shlex.split(entry["command"])
        for option in ("-o", "-c", "-MF", "-MT"):
            if option in words:
                at = words.index(option)
                del words[at : at + 2]
        self.words = [word for word in words if word not in ("-MD", "-MMD")]
        self.has_cuda = pathlib.Path(words[0]).name == "nvcc"
        self.folder, self.lock = tempfile.TemporaryDirectory(), threading.Lock()  # of kokkos()

    def kokkos(self):
        """Options that bring Kokkos_Core.hpp, precompiled at the first call: to read it takes most of the time of a source."""
        with self.lock:
            header, is_clang = pathlib.Path(self.folder.name) / "Kokkos.hpp", "clang" in self.words[0]
            precompiled = f"{header}.{'pch' if is_clang else 'gch'}"
            if not header.exists():
                header.write_text("#include <Kokkos_Core.hpp>\n")
                subprocess.run([*self.words, "-x", "c++-header", str(header), "-o", precompiled], check=True, cwd=ROOT)
        return ["-include-pch", precompiled] if is_clang else ["-Winvalid-pch", "-include", str(header)]

    def check(self, source, text=None, extra=(), after_kokkos=None):
        """Whether `source` (or `text`, standing in for it) compiles, and what the compiler said. `after_kokkos`: what
        comes_after_kokkos() says of it, or of a file for which it stands."""
        if self.has_cuda:  # which has no check of the syntax alone and reads no text from its input
            with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
                file.write(text if text is not None else pathlib.Path(source).read_text())
                file.flush()
                command = [*self.words, *extra, "-ptx", "-o", "/dev/null", file.name]
                run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        else:
            if after_kokkos is None:
                code = text if text is not None else pathlib.Path(source).read_text()
                after_kokkos = comes_after_kokkos(code, pathlib.Path(source).parent)
            command = [*self.words, *extra, *(self.kokkos() if after_kokkos else []), "-fsyntax-only", "-x", "c++", str(source) if text is None else "-"]
            run = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)
        return run.returncode == 0, run.stderr


def in_parallel(function, items):
    """[function(item) for item in items], on the cores that this process may use."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))
