# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every header compiles alone, and twice in one source: headers_compile_alone.py BUILD_DIRECTORY"""

import sys

from toolchain import ROOT, Compiler, finish, in_parallel

compiler = Compiler(sys.argv[1])
headers = sorted(p for folder in ("src", "backends") for p in (ROOT / folder).rglob("*.hpp"))
if not compiler.has_cuda:
    headers = [p for p in headers if "cuda" not in p.parts]
assert len(headers) > 20, f"only {len(headers)} headers found under {ROOT}"


def check(header):
    good, said = compiler.check(header, text=f'#include "{header}"\n#include "{header}"\n')
    return None if good else f"{header.relative_to(ROOT)}\n{said}"


finish(f"{len(headers)} headers alone", [said for said in in_parallel(check, headers) if said])
