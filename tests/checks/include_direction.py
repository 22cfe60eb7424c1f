# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes go one way: public calls -> Dispatch -> backends -> core; and a few words stand nowhere in the library."""

import pathlib
import re

from toolchain import ROOT, finish

# Folder or file -> what it may include of this project; a backend may always include itself.
ALLOWED = {
    "public": {"public", "dispatch", "core"},
    "dispatch": {"backend", "core"},
    "backend": {"core"},
    "core": {"core"},
}
# Vector kernels are compiled once for every instruction set: an inline function from a header that they share with other
# sources could be merged by the linker and run where the processor cannot. Only headers without functions are safe.
SIMD_HEADERS = {"cstddef", "cstdint", "immintrin.h", "arm_neon.h"}

FORBIDDEN = {
    r"\bKokkos::Impl\b": "Kokkos' internals are not ours to use",
    r"\bnamespace\s+Kokkos\b": "nothing of ours stands in Kokkos' namespace",
    r"\bKokkos::fence\s*\(": "a call blocks nobody: work is ordered on the given instance",
    r"#\s*define\s+KOKKOS_": "Kokkos' macros are Kokkos' to define",
}


def layer(path):
    """The layer of a file of the library, and its backend's name if it is one."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "backends":
        return "backend", parts[1]
    if parts[:2] == ("src", "core"):
        return "core", None
    return ("dispatch" if path.name == "Dispatch.hpp" else "public"), None


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def check(path):
    where = path.relative_to(ROOT)
    text = path.read_text()
    if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in text:
        yield f"{where}: the two SPDX lines are missing"
    code = without_comments(text)
    for pattern, reason in FORBIDDEN.items():
        if found := re.search(pattern, code):
            yield f"{where}: {found.group()}: {reason}"
    if "simd" in where.parts:
        for name in re.findall(r'^\s*#\s*include\s*<([^>]+)>', code, re.M):
            if name not in SIMD_HEADERS:
                yield f"{where}: includes <{name}>; files compiled per instruction set may include {sorted(SIMD_HEADERS)}"
    here, backend = layer(path)
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', code, re.M):
        target = (path.parent / name).resolve()
        if not target.is_file() or not target.is_relative_to(ROOT):
            yield f'{where}: "{name}" is not a path from this file'
            continue
        there, other = layer(target)
        if there == "backend" and backend == other:
            if "simd" in where.parts and target.parent != path.parent:
                yield f'{where}: includes "{name}"; files compiled per instruction set include only their own folder'
        elif there not in ALLOWED[here]:
            yield f'{where}: {backend or here} must not include {other or there} ("{name}")'


files = sorted(p for folder in ("src", "backends") for p in (ROOT / folder).rglob("*.?pp"))
assert len(files) > 20, f"only {len(files)} files found under {ROOT}"
finish(f"include direction of {len(files)} files", [failure for path in files for failure in check(path)])
