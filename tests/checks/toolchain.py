# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks in this folder share: how this build compiles a test, the cores they may use, and how they end."""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

SKIPPED = 77  # SKIP_RETURN_CODE in cmake/KeramosTest.cmake
ROOT = pathlib.Path(__file__).resolve().parents[2]


def skip(reason):
    """Ends the check as not run; CTest shows it as "Skipped"."""
    print(f"Skipped: {reason}")
    sys.exit(SKIPPED)


def finish(what, failures):
    """Ends the check with its verdict: one paragraph for every failure."""
    for failure in failures:
        print(f"FAILED {failure}\n")
    print(f"{what}: {len(failures)} failed" if failures else f"{what}: all right")
    sys.exit(1 if failures else 0)


class Compiler:
    """Compiles text or a file exactly as this build compiles tests/Main.cpp."""

    def __init__(self, build):
        database = pathlib.Path(build) / "compile_commands.json"
        if not database.exists():
            skip(f"{database} is missing: configure with Ninja or Makefiles and CMAKE_EXPORT_COMPILE_COMMANDS=ON")
        entry = next(e for e in json.loads(database.read_text()) if e["file"] == str(ROOT / "tests" / "Main.cpp"))
        words = shlex.split(entry["command"])
        for option in ("-o", "-c", "-MF", "-MT"):
            if option in words:
                at = words.index(option)
                del words[at : at + 2]
        self.words = [word for word in words if word not in ("-MD", "-MMD")]

    def check(self, source, text=None, extra=()):
        """Whether `source` (or `text`, standing in for it) compiles, and what the compiler said."""
        command = [*self.words, *extra, "-fsyntax-only", "-x", "c++", str(source) if text is None else "-"]
        run = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)
        return run.returncode == 0, run.stderr


def in_parallel(function, items):
    """[function(item) for item in items], on the cores that this process may use."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))
