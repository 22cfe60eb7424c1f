# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How distributed programs end: mpi_ends.py THREADS MPIEXEC... keramos_MpiEnds (tests/distributed/MpiEnds.cpp)

A rank that cannot go on ends all, wherever the others are, with its reason and a code that is not 0; and what a wrong use of MPI
is told, on every rank. THREADS: 1 where Kokkos is serial.
"""

import re
import subprocess
import sys
import time

from toolchain import finish

has_threads, command = sys.argv[1] != "1", sys.argv[2:]
SECONDS_TO_END = 5
REASON = {"abort": r"^Keramos: rank 1 of 4 ends all: no memory for a test$", "throw": "no memory for a test",
          "caught": "^no memory for a test$"}
TOLD = {
    "uninitialised": "expected MPI to be initialised, got a call before MPI_Init_thread",
    "outlived": "expected MPI to be initialised, got a call after MPI_Finalize",
    "null": "expected a communicator that this process belongs to, got MPI_COMM_NULL",
    "single": r"expected MPI_Init_thread with MPI_THREAD_FUNNELED at least, for Kokkos runs \w+, got MPI_THREAD_SINGLE "
              r"\(on rank 0 of 4\)",
    "other_thread": r"expected the thread that has initialised MPI, or MPI_THREAD_SERIALIZED, got another thread "
                    r"\(on rank 0 of 4\)",
}
if not has_threads:
    del TOLD["single"]


def run(kind):
    """(exit code, what it wrote on its output and on stderr); code None where it had to be ended."""
    with subprocess.Popen([*command, kind], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            return (*program.communicate(timeout=50), program.returncode)
        except subprocess.TimeoutExpired:
            program.terminate()
            return (*program.communicate(), None)


def check_end(kind):
    out, errors, code = run(kind)
    now = time.time()
    said = f"{kind}: it said\n{out}{errors}"
    failed = re.search(r"^failing at ([\d.e+]+)$", out, re.M)
    if not failed:
        yield f"no rank has failed: {said}"
    elif code is None or now - float(failed[1]) > SECONDS_TO_END:
        yield f"not ended after {now - float(failed[1]):.1f} s: {said}"
    if code == 0:
        yield f"the exit code is 0: {said}"
    if not re.search(REASON[kind.split(".")[0]], errors, re.M):
        yield f"the reason is not on stderr: {said}"


def check_told(kind, expected):
    out, errors, code = run(kind)
    told = re.findall(rf"^Keramos::Cartesian: argument 'comm': {expected}$", out, re.M)
    if code != 0 or len(told) != 4:
        yield f"{kind}: code {code}, told on {len(told)} of 4 ranks:\n{out}{errors}"


ends = [f"{way}.{where}" for way in REASON for where in ("message", "collective", "compute")]
failures = [failure for kind in ends for failure in check_end(kind)]
failures += [failure for kind, expected in TOLD.items() for failure in check_told(kind, expected)]
finish(f"{len(ends)} ends, {len(TOLD)} wrong uses of MPI", failures)
