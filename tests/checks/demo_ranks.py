# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demo over several processes: 1, 2 and 3 ranks leave the pictures and the grid of one process, byte for byte; what is wrong is
said once, on however many ranks, and ends all of them.

    demo_ranks.py FOLDER COMMAND... PROGRAM    where the command has RANKS for their number
"""

import json
import pathlib
import shutil
import subprocess
import sys

from toolchain import finish

folder, command, program = pathlib.Path(sys.argv[1]), sys.argv[2:-1], sys.argv[-1]
SMALL = ["--shot-size", "40", "--steps", "60", "--grid", "9"]
FILES = ["potential.dx", "potential.png", "seismogram.png", "wavefield.png"]
failures = []


def run(ranks, *arguments):
    """Without mpiexec for no ranks."""
    start = [str(ranks) if word == "RANKS" else word for word in command] if ranks else []
    return subprocess.run([*start, program, *arguments], capture_output=True, text=True)


def expect(what, condition, done):
    if not condition:
        failures.append(f"{what}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")


def pictures(ranks, *arguments):
    output, numbers = folder / f"{ranks}", folder / f"{ranks}.json"
    done = run(ranks, *SMALL, "--output", output, "--json", numbers, *arguments)
    expect(f"{ranks} ranks: succeed", done.returncode == 0, done)
    if done.returncode:
        return {}
    expect(f"{ranks} ranks: one process tells", done.stdout.count("Shot: 40 x 40 x 40 points") == 1, done)
    expect(f"{ranks} ranks: the way of the messages is told", ("messages by" in done.stdout) == (ranks > 0), done)
    checks = json.loads(numbers.read_text())["checks"]
    expect(f"{ranks} ranks: all checks are right", all(checks.values()) and len(checks) == 3, done)
    expect(f"{ranks} ranks: the files", sorted(path.name for path in output.iterdir()) == FILES, done)
    return {name: (output / name).read_bytes() for name in FILES}


def bad(what, ranks, *arguments, words):
    output = folder / "bad"
    done = run(ranks, "--output", output, *arguments)
    expect(f"{what}: exit code 2", done.returncode == 2, done)
    expect(f"{what}: said once with the words {words}", done.stderr.count(words) == 1, done)
    expect(f"{what}: nothing is written", not output.exists(), done)


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
alone = pictures(0)
for ranks, arguments in ((1, ("--ranks", "1")), (2, ()), (3, ("--ranks", "3"))):
    several = pictures(ranks, *arguments)
    for name in several:
        if several[name] != alone.get(name):
            failures.append(f"{ranks} ranks: {name} is not that of one process")

bad("more ranks than processes", 2, *SMALL, "--ranks", "3", words="--ranks 3: expected 3 processes")
bad("a missing PQR", 2, *SMALL, "--pqr", "no.pqr", words="no.pqr: expected a PQR file")
bad("an unknown option", 2, "--magic", words="--magic")
finish("the demo over several processes", failures)
