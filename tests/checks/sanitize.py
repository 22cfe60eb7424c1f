# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every CUDA kernel under one tool of compute-sanitizer: sanitize.py TOOL PROGRAM

PROGRAM (tests/SanitizeTest.cpp) first makes a mistake of the kind that TOOL must report. A machine whose tool does not is a
machine without the tool: the check says so and is skipped, never passed.
"""

import os
import shutil
import subprocess
import sys

from toolchain import finish, skip

ERROR = 99


def sanitizer(tool, program, arguments, environment=None):
    command = [program_of_tool, "--tool", tool, "--error-exitcode", str(ERROR), program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})


tool, program = sys.argv[1:]
program_of_tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
if not os.path.exists(program_of_tool):
    skip("compute-sanitizer, which comes with the CUDA toolkit, is not on this machine")

planted = sanitizer(tool, program, ["--gtest_also_run_disabled_tests", "--gtest_filter=Planted.*"], {"KERAMOS_PLANT": tool})
if planted.returncode != ERROR:
    skip(f"compute-sanitizer --tool {tool} does not find a planted mistake on this machine:\n{planted.stdout[-2000:]}")

run = sanitizer(tool, program, ["--gtest_brief=1"])
print(run.stdout[-6000:], run.stderr[-2000:])
finish(f"compute-sanitizer --tool {tool}", [] if run.returncode == 0 else [f"{tool}: exit code {run.returncode}"])
