# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is installed can be moved: relocate.py PREFIX NEW_PREFIX

Copies the installed tree; nothing in it may name where it was first. Consumers are built against the copy.
"""

import pathlib
import shutil
import sys

from toolchain import finish

prefix, moved = map(pathlib.Path, sys.argv[1:])
shutil.rmtree(moved, ignore_errors=True)
shutil.copytree(prefix, moved)

failures = []
texts = [path for path in moved.rglob("*") if path.suffix in (".cmake", ".pc", ".hpp", ".h")]
if not any(path.name == "KeramosConfig.cmake" for path in texts):
    failures.append(f"{prefix}: no KeramosConfig.cmake is installed there")
for path in texts:
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if str(prefix) in line:
            failures.append(f"{path.relative_to(moved)}:{number} names the folder it was installed in:\n{line}")
finish(f"{len(texts)} installed text files moved", failures)
