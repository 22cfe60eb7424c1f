# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a row ran and with what: the date, the processor or GPU, and the Kokkos and the compilers of its build."""

import datetime
import pathlib
import platform
import re
import subprocess

COMPILER_IDS = {"gcc": "GNU", "nvcc with gcc": "GNU", "clang": "Clang"}


class WrongCompiler(Exception):
    """CMake took another compiler than the row names."""


def today():
    return datetime.date.today().isoformat()


def host_processor(cpuinfo=pathlib.Path("/proc/cpuinfo")):
    """Its name as Linux says it on x86; elsewhere the family, such as aarch64."""
    found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text() if cpuinfo.exists() else "", re.M)
    return found[1].strip() if found else platform.machine()


def processor(row):
    """What the tests of the row run on."""
    if row.backend == "cuda":
        said = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True)
        name, _, driver = said.stdout.partition("\n")[0].partition(", ")
        return f"{name}, driver {driver}" if name else "an unknown GPU"
    emulator = row.variables.get("CMAKE_CROSSCOMPILING_EMULATOR", "").split(";")[0]
    return f"{emulator} on {host_processor()}" if emulator else host_processor()


def compilers(build, expected):
    """Names and versions of the compilers that CMake took; that of C++ must be the one that the row names."""
    text = "".join(path.read_text() for path in build.glob("CMakeFiles/*/CMakeC*Compiler.cmake"))
    found = dict(re.findall(r'set\(CMAKE_((?:CXX|CUDA)_COMPILER_(?:ID|VERSION)) "([^"]*)"\)', text))
    name = found.get("CXX_COMPILER_ID")
    if COMPILER_IDS.get(expected, name) != name:
        raise WrongCompiler(f"the row is for {expected}, but CMake took {name}; what does CXX say?")
    nvcc = found.get("CUDA_COMPILER_VERSION")
    return f"{name} {found.get('CXX_COMPILER_VERSION')}" + (f", nvcc {nvcc}" if nvcc else "")


def kokkos(build):
    """Version and backends of the Kokkos that the build was configured with."""
    config = build / "KeramosConfig.cmake"
    found = re.search(r'^set\(Keramos_built_with "(.*)"\)$', config.read_text() if config.exists() else "", re.M)
    return found[1] if found else ""
