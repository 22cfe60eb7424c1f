# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hot loops of the built library are vectorised: vectorised.py SET OBJECT...

Disassembles the objects that the library holds for one instruction set (baseline, avx2, avx512). For every kernel in HOT there
must be an innermost loop that does its arithmetic on whole registers of that set, and nothing of it one element at a time.
"""

import re
import shutil
import subprocess
import sys

from toolchain import finish, skip

REGISTER = {"baseline": "xmm", "avx2": "ymm", "avx512": "zmm"}

# What a loop must hold, for every instruction set: mnemonics, of which each must occur so many times on whole registers.
FMA = {"ps": {"avx2": {r"fn?m(add|sub)\d+ps": 1}, "baseline": {r"mulps": 1, r"(add|sub)ps": 1}},
       "pd": {"avx2": {r"fn?m(add|sub)\d+pd": 1}, "baseline": {r"mulpd": 1, r"(add|sub)pd": 1}}}


def arithmetic(suffix, count):
    """`count` packed multiply-adds of one element type."""
    wanted = {name: {m: count for m in table} for name, table in FMA[suffix].items()}
    return {**wanted, "avx512": wanted["avx2"]}


# Source, demangled kernel, what its hottest loop must hold, what it must not.
HOT = [
    ("Stencil.cpp", r"run<false, float>", arithmetic("ps", 8), r"(mul|add|fmadd\d+)ss"),
    ("Stencil.cpp", r"run<false, double>", arithmetic("pd", 8), r"(mul|add|fmadd\d+)sd"),
    ("Stencil.cpp", r"run<true, float>", arithmetic("ps", 8), r"(mul|add|fmadd\d+)ss"),
    ("Stencil.cpp", r"run<true, double>", arithmetic("pd", 8), r"(mul|add|fmadd\d+)sd"),
]


def functions(objects):
    """{(source, demangled name): [(address, instruction)]}"""
    found = {}
    for path in objects:
        source = re.sub(r".*/|\.o$", "", path)
        text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", "-w", path],
                              capture_output=True, text=True, check=True).stdout
        body = None
        for line in text.splitlines():
            if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
                body = found.setdefault((source, head.group(1)), [])
            elif body is not None and (at := re.match(r"\s+([0-9a-f]+):\s+(.*)", line)):
                body.append((int(at.group(1), 16), at.group(2)))
    return found


def innermost_loops(body):
    """Bodies of the loops that hold no other loop: from the target of a jump backwards to the jump."""
    spans = set()
    for address, text in body:
        jump = re.match(r"(?:bnd )?j\w+\s+([0-9a-f]+)\b", text)
        if jump and int(jump.group(1), 16) <= address:
            spans.add((int(jump.group(1), 16), address))
    inner = [s for s in spans if not any(t != s and s[0] <= t[0] and t[1] <= s[1] for t in spans)]
    return [[text for address, text in body if first <= address <= last] for first, last in inner]


def holds(loop, wanted, unwanted, register):
    def count(mnemonic):
        return sum(register in text and bool(re.match(rf"v?(?:{mnemonic})\b", text)) for text in loop)

    return all(count(m) >= n for m, n in wanted.items()) and not any(re.match(rf"v?{unwanted}\b", t) for t in loop)


if __name__ == "__main__":
    instruction_set, objects = sys.argv[1], sys.argv[2:]
    if not shutil.which("objdump"):
        skip("objdump (package binutils) is not there")
    known = functions(objects)
    failures = []
    for source, kernel, wanted, unwanted in HOT:
        bodies = [body for (where, name), body in known.items() if where == source and re.search(kernel, name)]
        if not bodies:
            failures.append(f"{source}: no function {kernel} in {objects}")
        for body in bodies:
            loops = innermost_loops(body)
            if not any(holds(loop, wanted[instruction_set], unwanted, REGISTER[instruction_set]) for loop in loops):
                failures.append(f"{source}: {kernel}: none of {len(loops)} innermost loops holds "
                                f"{wanted[instruction_set]} on {REGISTER[instruction_set]} and no {unwanted}")
    finish(f"{len(HOT)} hot kernels for {instruction_set}", failures)
