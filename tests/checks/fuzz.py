# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a fuzzer of tests/fuzz with clang's libFuzzer and sanitizers and lets it run for a while, from a corpus of small files.

usage: fuzz.py READER FOLDER SOURCE...    the name of tests/fuzz/READERFuzzer.cpp, where to work, the reader's sources

A run is bounded in tries, and the same each time; KERAMOS_FUZZ_SECONDS in the environment bounds it in seconds instead.
"""

import os
import pathlib
import shutil
import subprocess
import sys

from toolchain import ROOT, finish, lacks, require_program

READER, FOLDER, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
TRIES = 30000  # one or two seconds
LONGEST_FILE = 512  # bytes: the corpus has none longer
FLAGS = ["-std=c++20", "-O1", "-g1", "-D_GLIBCXX_ASSERTIONS", "-fsanitize=fuzzer,address,undefined",
         "-fno-sanitize-recover=all", "-Wall", "-Wextra"]


def run(command):
    done = subprocess.run([str(word) for word in command], cwd=FOLDER, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def compiler():
    """clang++ with a libFuzzer that links, or the reason why there is none."""
    clang = require_program("clang++", package="clang")
    probe = FOLDER / "probe.cpp"
    probe.write_text('#include <cstddef>\nextern "C" int LLVMFuzzerTestOneInput(const unsigned char*, std::size_t) { return 0; }\n')
    failed, said = run([clang, *FLAGS, probe, "-o", FOLDER / "probe"])
    if failed:
        print(said[-500:])
        lacks(f"{clang} has no libFuzzer with sanitizers", package="libclang-rt-VERSION-dev")
    return clang


def corpora():
    """Folders to start from: what is made up on the way goes to the first, which is empty."""
    found = FOLDER / "found"
    shutil.rmtree(found, ignore_errors=True)
    found.mkdir()
    name = READER.lower()
    return [folder for folder in (found, ROOT / "tests/fuzz/corpus" / name, ROOT / "tests/data" / name) if folder.is_dir()]


FOLDER.mkdir(parents=True, exist_ok=True)
fuzzer = FOLDER / f"{READER}Fuzzer"
sources = [ROOT / f"tests/fuzz/{READER}Fuzzer.cpp", *SOURCES]
failed, said = run([compiler(), *FLAGS, "-I", ROOT / "examples/demo", *sources, "-o", fuzzer])
if failed:
    finish(f"fuzzer of {READER}", [f"it does not compile:\n{said}"])

seconds = os.environ.get("KERAMOS_FUZZ_SECONDS")
bound = f"-max_total_time={seconds}" if seconds else f"-runs={TRIES}"
limits = [bound, "-seed=1", f"-max_len={LONGEST_FILE}", "-timeout=10", "-rss_limit_mb=1024"]
failed, said = run([fuzzer, *limits, "-print_final_stats=1", *corpora()])
print("\n".join(line for line in said.splitlines() if line.startswith(("stat::", "Done"))))
finish(f"fuzzer of {READER}", [f"the reader fails; the file that does it stands in {FOLDER}:\n{said[-6000:]}"] if failed else [])
