# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA kernels under one tool of compute-sanitizer: sanitize.py TOOL PROGRAM FILTER

Those of the tests of PROGRAM (tests/SanitizeTest.cpp) that FILTER names; "*" is every kernel. PROGRAM first makes a mistake of
the kind that TOOL must report. A machine whose tool does not is a machine without the tool: the check says so and is skipped,
never passed.
"""

import sys

from toolchain import compute_sanitizer, finish, require_working_sanitizer

tool, program, tests = sys.argv[1:]
require_working_sanitizer(tool, program)
_, code, said = compute_sanitizer(tool, program, ["--gtest_brief=1", f"--gtest_filter={tests}"])
print(said if len(said) < 8000 else said[:5000] + "\n[...]\n" + said[-3000:])
finish(f"compute-sanitizer --tool {tool}, tests {tests}", [] if code == 0 else [f"{tool}: exit code {code}"])
