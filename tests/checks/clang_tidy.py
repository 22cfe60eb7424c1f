# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy, by .clang-tidy, on the sources of the library that changed: clang_tidy.py BUILD_DIRECTORY

What changed is what differs from the commit KERAMOS_CHANGED_SINCE, or from where the branch left origin/main, or on main itself from the
commit before: whoever brings several commits to main at once names the commit before them. A changed header is seen through the
sources that changed with it.
"""

import json
import os
import pathlib
import subprocess
import sys

from toolchain import ROOT, finish, in_parallel, require_program, skip

build = pathlib.Path(sys.argv[1])


def git(*command):
    """What git says, or nothing where it does not know."""
    run = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else ""


def commit(name):
    return git("rev-parse", "--verify", "--quiet", name + "^{commit}")


def commit_before():
    named = os.environ.get("KERAMOS_CHANGED_SINCE", "")
    if named.strip("0"):  # a forge calls what was before the first push 000...
        return commit(named) or finish("clang-tidy", [f"KERAMOS_CHANGED_SINCE: expected a commit of this clone, got {named}"])
    base = git("merge-base", "HEAD", "origin/main")
    if base in ("", commit("HEAD")):
        base = commit("HEAD~1")
    return base or skip("git knows no commit to compare with")


def check(path):
    command = [clang_tidy, "-p", build, "--quiet", f"--header-filter=^{ROOT}/(src|backends)/", "--extra-arg=-Wno-everything", path]
    run = subprocess.run(command, capture_output=True, text=True)
    return None if run.returncode == 0 else f"{path.relative_to(ROOT)}\n{run.stdout}{run.stderr}"


require_program("git", package="git")
clang_tidy = require_program("clang-tidy", package="clang-tidy")
if not (build / "compile_commands.json").exists():
    skip(f"{build} has no compile_commands.json: configure with Ninja or Makefiles and CMAKE_EXPORT_COMPILE_COMMANDS=ON")
compiled = {entry["file"] for entry in json.loads((build / "compile_commands.json").read_text())}
base = commit_before()
changed = git("diff", "--name-only", "--diff-filter=d", base, "--", "src/*.cpp", "backends/*.cpp").split()
sources = [ROOT / name for name in changed if str(ROOT / name) in compiled]
finish(f"clang-tidy on {len(sources)} sources that changed since {base[:8]}", [said for said in in_parallel(check, sources) if said])
