# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every C++ source is as clang-format writes it by .clang-format. Only the version that the tree was formatted by is asked: others write
some lines in another way."""

import re
import subprocess

from toolchain import ROOT, finish, in_parallel, require_program, skip

VERSION = "14"  # Debian 12's

clang_format = require_program("clang-format", package="clang-format")
version = re.search(r"version (\d+)", subprocess.run([clang_format, "--version"], capture_output=True, text=True).stdout)
if not version or version[1] != VERSION:
    skip(f"clang-format is version {version[1] if version else 'unknown'}, and the tree is formatted by {VERSION}")
files = sorted(path for folder in ("src", "backends", "tests", "perf", "examples") for path in (ROOT / folder).rglob("*.?pp"))
assert len(files) > 100, f"only {len(files)} sources found under {ROOT}"


def check(path):
    written = subprocess.run([clang_format, path], capture_output=True, text=True)
    if written.returncode == 0 and written.stdout == path.read_text():
        return None
    return f"{path.relative_to(ROOT)}: clang-format -i writes it in another way {written.stderr}"


finish(f"the format of {len(files)} sources", [said for said in in_parallel(check, files) if said])
