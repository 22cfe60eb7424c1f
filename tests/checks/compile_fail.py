# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong use that must not compile, with the sentence that must come: compile_fail.py BUILD_DIRECTORY

tests/compile_fail/*.cpp begin with "// EXPECT: regex", to be found in the compiler's message; with "// EXPECT-COMPILES" the
file is the right use beside the wrong ones and must compile, so that nothing fails for a reason of its own.
"""

import re
import sys

from toolchain import ROOT, Compiler, finish, in_parallel

compiler = Compiler(sys.argv[1])
snippets = sorted((ROOT / "tests" / "compile_fail").glob("*.cpp"))
right_uses = [s for s in snippets if s.read_text().startswith("// EXPECT-COMPILES")]
assert right_uses and len(snippets) > len(right_uses), f"{len(snippets)} snippets, {len(right_uses)} right uses"


def check(snippet):
    good, said = compiler.check(snippet)
    if snippet in right_uses:
        return None if good else f"{snippet.name} must compile:\n{said}"
    expected = re.match(r"// EXPECT: (.+)\n", snippet.read_text())
    if not expected:
        return f"{snippet.name}: the first line must be // EXPECT: regex"
    if good:
        return f"{snippet.name}: compiles, and must not"
    if not re.search(expected.group(1), said):
        return f"{snippet.name}: the message lacks: {expected.group(1)}\n{said}"
    return None


finish(f"{len(snippets)} snippets", [said for said in in_parallel(check, snippets) if said])
