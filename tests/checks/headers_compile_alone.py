# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every header compiles alone, and twice in one source: headers_compile_alone.py BUILD_DIRECTORY HAS_MPI

What is distributed includes mpi.h; without MPI it is left out. Applications that ask for -Wshadow hear nothing from the headers
that they include; nvcc is not asked.
"""

import sys

from toolchain import ROOT, Compiler, comes_after_kokkos, finish, in_parallel

compiler = Compiler(sys.argv[1])
compiler_with_mpi = Compiler(sys.argv[1], like="tests/distributed/MpiMain.cpp") if sys.argv[2] == "ON" else None
headers = sorted(p for folder in ("src", "backends") for p in (ROOT / folder).rglob("*.hpp"))
if not compiler.has_cuda:
    headers = [p for p in headers if "cuda" not in p.parts]
distributed = {p for p in headers if "distributed" in p.parts or p.stem == "Keramos_Distributed"}
if not compiler_with_mpi:
    headers = [p for p in headers if p not in distributed]
assert len(headers) > 20, f"only {len(headers)} headers found under {ROOT}"


def check(header):
    chosen = compiler_with_mpi if header in distributed else compiler
    strict = ["-Werror=shadow"] if header.parent == ROOT / "src" and not chosen.has_cuda else []
    good, said = chosen.check(header, text=f'#include "{header}"\n' * 2, extra=strict, after_kokkos=comes_after_kokkos(header.read_text(), header.parent))
    return None if good else f"{header.relative_to(ROOT)}\n{said}"


finish(f"{len(headers)} headers alone", [said for said in in_parallel(check, headers) if said])
