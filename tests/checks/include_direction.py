# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes go one way, and a few words stand nowhere in the library.

    public calls of a family -> the family's dispatch -> its part of every backend -> the family -> core

A family sees nothing of another, so that a public header compiles its own family only. What is distributed stands above: it makes
the calls of every family, sees no backend, and nobody but Keramos_Distributed.hpp sees it.
"""

import pathlib
import re

from toolchain import ROOT, finish

FAMILIES = ("stencil", "transpose", "gather_sum")
DISTRIBUTED = "distributed"
# Layer -> the layers of its own family that it may include, and of what belongs to no family.
ALLOWED = {
    "public": {"public", "dispatch", "family", "core"},
    "dispatch": {"backend", "family", "core"},
    "backend": {"backend", "family", "core"},
    "family": {"family", "core"},
    "core": {"core"},
}
# What belongs to a family although no folder says so.
PUBLIC = {"Keramos_Stencil": "stencil", "Keramos_FiniteDifference": "stencil", "Keramos_Transpose": "transpose",
          "Keramos_GatherSum": "gather_sum", "Keramos_Distributed": DISTRIBUTED}
BACKEND_FILES = {"Stencil": "stencil", "Transpose": "transpose", "GatherSum": "gather_sum"}
# Vector kernels are compiled once for every instruction set: an inline function from a header that they share with other
# sources could be merged by the linker and run where the processor cannot. Only headers without functions are safe.
SIMD_HEADERS = {"cstddef", "cstdint", "immintrin.h", "arm_neon.h"}
SIMD_CONSTANTS = "src/keramos/core/ExponentialConstants.hpp"  # numbers alone: with a function, copies for several sets would be merged

FORBIDDEN = {
    r"\bKokkos::Impl\b": "Kokkos' internals are not ours to use",
    r"\bnamespace\s+Kokkos\b": "nothing of ours stands in Kokkos' namespace",
    r"\bKokkos::fence\s*\(": "a call blocks nobody: work is ordered on the given instance",
    r"#\s*define\s+KOKKOS_": "Kokkos' macros are Kokkos' to define",
}


def place(path):
    """A file of the library: its layer, its family and its backend, as far as it has one."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "backends":
        if parts[1] in ("reference", "portable"):
            return "backend", BACKEND_FILES[path.stem], parts[1]
        return "backend", parts[2] if parts[2] in FAMILIES else None, parts[1]
    if len(parts) == 2:
        return "public", PUBLIC.get(path.stem), None
    if parts[2] == "core":
        return "core", None, None
    return "dispatch" if path.stem == "Dispatch" else "family", parts[2], None


def distributed_may_include(layer, there):
    other_layer, other_family, _ = there
    if layer == "public":
        return other_layer == "public" or other_family == DISTRIBUTED
    return other_layer in ("dispatch", "family", "core") or other_layer == "public" and other_family in FAMILIES


def may_include(here, there):
    layer, family, backend = here
    other_layer, other_family, other_backend = there
    if family == DISTRIBUTED:
        return distributed_may_include(layer, there)
    if other_family == DISTRIBUTED:
        return False
    if other_layer not in ALLOWED[layer] or (layer, other_layer) == ("public", "backend"):
        return False
    if layer == other_layer == "backend" and backend != other_backend:
        return False
    return family is None and layer == "public" or other_family in (None, family)


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
    here = place(path)
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', code, re.M):
        target = (path.parent / name).resolve()
        if not target.is_file() or not target.is_relative_to(ROOT):
            yield f'{where}: "{name}" is not a path from this file'
            continue
        if "simd" in where.parts and target.parent != path.parent and target != ROOT / SIMD_CONSTANTS:
            yield f'{where}: includes "{name}"; files compiled per instruction set include only their own folder and {SIMD_CONSTANTS}'
        implements = path.suffix == ".cpp" and here[0] == "family" and place(target)[:2] == ("public", here[1])
        if not implements and not may_include(here, place(target)):
            yield f'{where}: {here} must not include {place(target)} ("{name}")'


def strangers():
    """An application's include path is src/: what stands there can be included by mistake."""
    for path in (ROOT / "src").iterdir():
        is_there = path.is_file() or any(below.is_file() for below in path.rglob("*"))
        if is_there and path.name != "keramos" and not re.fullmatch(r"Keramos(_\w+)?\.hpp", path.name):
            yield f"{path.relative_to(ROOT)}: only Keramos*.hpp and keramos/ may stand in an application's include path"


files = sorted(p for folder in ("src", "backends") for p in (ROOT / folder).rglob("*.?pp"))
assert len(files) > 20, f"only {len(files)} files found under {ROOT}"
finish(f"include direction of {len(files)} files", [*strangers(), *(failure for path in files for failure in check(path))])
