# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong use that must not compile, with the sentence that must come first: compile_fail.py BUILD_DIRECTORY HAS_MPI [COMPILER]

tests/compile_fail/*.cpp begin with

    // EXPECT: regex       to be found in the compiler's first error, and within its first lines
    // EXPECT-LINES        many calls: each line that ends in "// SAYS: text" is an error that begins with that text, and no
                           other line is one
    // EXPECT-COMPILES     the right use beside the wrong ones, so that nothing fails for a reason of its own

COMPILER takes the place of the one that the build uses, with the build's options. Without MPI distributed_*.cpp are left out.
The right uses are applications that hear of conversions and of casts in the library's headers, which are theirs, and not in Kokkos'.
"""

import re
import sys

from toolchain import ROOT, Compiler, finish, in_parallel, lacks, require_program

STRICT = ["-Werror=conversion", "-Wno-sign-conversion", "-Werror=old-style-cast"]  # clang's conversions are those of signs, too
FIRST_LINES = 12  # of which some say where a template was instantiated

snippets = sorted((ROOT / "tests" / "compile_fail").glob("*.cpp"))
compiler = Compiler(sys.argv[1])
compiler_with_mpi = Compiler(sys.argv[1], like="tests/distributed/MpiMain.cpp") if sys.argv[2] == "ON" else None
if not compiler_with_mpi:
    snippets = [s for s in snippets if not s.name.startswith("distributed_")]
extra = ["-fmax-errors=0"]
if len(sys.argv) > 3:
    for one in (compiler, compiler_with_mpi or compiler):
        one.words[0] = require_program(sys.argv[3], sys.argv[3].rstrip("+"))
    if "-fopenmp" in compiler.words and not compiler.check("", "#include <omp.h>")[0]:
        lacks(f"omp.h of {sys.argv[3]} is not on this machine", "libomp-dev")
for one in (compiler, compiler_with_mpi or compiler):
    one.words = [re.sub("^-I(?=.*/_deps/)", "-isystem", word) for word in one.words]
if "clang" in compiler.words[0]:
    extra[0] = "-ferror-limit=0"
right_uses = [s for s in snippets if s.read_text().startswith("// EXPECT-COMPILES")]
assert right_uses and len(snippets) > len(right_uses), f"{len(snippets)} snippets, {len(right_uses)} right uses"


def first_error(said):
    """Up to the second error, and of that no more than the first lines."""
    lines = said.splitlines()
    errors = [n for n, line in enumerate(lines) if re.search(r"\berror: ", line)]
    return "\n".join(lines[: min(FIRST_LINES, *errors[1:2], len(lines))])


def check_lines(snippet, said):
    """What is wrong with the errors of a file of many calls."""
    wanted = {}
    for number, line in enumerate(snippet.read_text().splitlines(), 1):
        if found := re.search(r"// SAYS: (.+)$", line):
            wanted[number] = found.group(1)
    assert wanted, f"{snippet.name} expects nothing"
    errors = {}
    for where, number, words in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error: (.+)$", said, re.M):
        if where != str(snippet):
            yield f"an error elsewhere: {where}:{number}: {words}"
        errors.setdefault(int(number), words)
    for number in sorted(wanted.keys() | errors.keys()):
        if number not in errors:
            yield f"line {number} compiles, and must say: {wanted[number]}"
        elif number not in wanted:
            yield f"line {number} must compile: {errors[number]}"
        elif f"is unavailable: {wanted[number]}" not in errors[number]:
            yield f"line {number} must say: {wanted[number]}\n  and says: {errors[number]}"


def check(snippet):
    chosen = compiler_with_mpi if snippet.name.startswith("distributed_") else compiler
    good, said = chosen.check(snippet, extra=extra + (STRICT if snippet in right_uses else []))
    text = snippet.read_text()
    if snippet in right_uses:
        return None if good else f"{snippet.name} must compile:\n{said}"
    if good:
        return f"{snippet.name}: compiles, and must not"
    if text.startswith("// EXPECT-LINES\n"):
        return "\n".join(f"{snippet.name}: {complaint}" for complaint in check_lines(snippet, said)) or None
    expected = re.match(r"// EXPECT: (.+)\n", text)
    if not expected:
        return f"{snippet.name}: the first line must be // EXPECT: regex, // EXPECT-LINES or // EXPECT-COMPILES"
    if not re.search(expected.group(1), first_error(said)):
        return f"{snippet.name}: the first error lacks: {expected.group(1)}\n{said}"
    return None


finish(f"{len(snippets)} snippets by {compiler.words[0]}", [said for said in in_parallel(check, snippets) if said])
