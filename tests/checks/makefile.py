# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Makefile code finds the installed Keramos through pkg-config: makefile.py PREFIX BUILD_DIRECTORY CXX CXXFLAGS"""

import os
import pathlib
import shutil
import subprocess
import sys

from toolchain import ROOT, finish, require_program

prefix, build, cxx, flags = sys.argv[1:]
for program in ("make", "pkg-config"):
    require_program(program, package=program)
consumers = ROOT / "tests" / "consumer"
shutil.rmtree(build, ignore_errors=True)
pathlib.Path(build).mkdir(parents=True)
found = {str(path.parent) for path in pathlib.Path(prefix).rglob("keramos.pc")}
if len(found) != 1:
    finish("make", [f"{prefix} should hold one keramos.pc, and holds {len(found)}"])
environment = {**os.environ, "PKG_CONFIG_PATH": found.pop()}
failures = []
for command in (["make", "-f", str(consumers / "makefile" / "Makefile"), f"SOURCE={consumers / 'main.cpp'}", f"CXX={cxx}",
                 f"CXXFLAGS={flags}"], ["./consumer"]):
    run = subprocess.run(command, cwd=build, env=environment, capture_output=True, text=True)
    print(run.stdout)
    if run.returncode != 0:
        failures.append(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
        break
finish("make", failures)
