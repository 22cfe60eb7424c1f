# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which Kokkos Keramos takes and which Keramos an application gets, and what is said of the others: packages.py CMAKE CXX FOLDER

Only configures. Every Kokkos here is a package that the test writes, every Keramos the one that this tree configures with it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from kokkos_package import write_keramos_package, write_kokkos_package
from toolchain import ROOT, finish

cmake, cxx, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
NO_TESTS = ["-DKeramos_ENABLE_TESTS=OFF", "-DKeramos_ENABLE_EXAMPLES=OFF"]
EMBEDDING = f"find_package(Kokkos REQUIRED)\nadd_subdirectory({ROOT} keramos)\n"
failures = []


def configure(name, source, *options, kokkos=None):
    """(whether it went well, what was said) of configuring a source folder, without this machine's own Kokkos."""
    clean = {key: value for key, value in os.environ.items() if key not in ("Kokkos_ROOT", "CMAKE_PREFIX_PATH")}
    root = [f"-DKokkos_ROOT={kokkos}"] if kokkos else []
    run = subprocess.run([cmake, "-S", str(source), "-B", str(folder / name / "build"), f"-DCMAKE_CXX_COMPILER={cxx}", *NO_TESTS,
                          *root, *options], env=clean, capture_output=True, text=True)
    return run.returncode == 0, " ".join((run.stdout + run.stderr).split())


def project(name, text):
    """A source folder with this project, and no other language than C++."""
    source = folder / name
    source.mkdir(parents=True)
    (source / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES CXX)\n{text}")
    return source


def expect(what, got, good, *words):
    went_well, said = got
    if went_well != good or not all(word in said for word in words):
        failures.append(f"{what}: expected {'success' if good else 'an error'} and {words}; got\n{said[-2000:]}")


def check_kokkos_4():
    expect("an installed Kokkos 4", configure("installed_4", ROOT, kokkos=kokkos_4), False, "Kokkos 5", "4.7.1", str(kokkos_4))
    for kokkos, good, version in ((kokkos_4, False, "4.7.1"), (kokkos_5, True, "5.0.2")):
        name = f"surrounding_{version}"
        expect(name, configure(name, project(name, EMBEDDING), kokkos=kokkos), good, "Kokkos 5", version, "surrounding project")


def check_installed_keramos():
    expect("Keramos itself", configure("keramos", ROOT, kokkos=kokkos_5), True)
    prefix = write_keramos_package(folder / "keramos", build=folder / "keramos/build")
    source = project("application", "find_package(Keramos REQUIRED)\nmessage(STATUS \"taken: ${Kokkos_DIR}\")\n")

    def application(name, kokkos=None):
        return configure(f"application_{name}", source, f"-DKeramos_ROOT={prefix}", kokkos=kokkos)

    without_mpi, unknown = ("built without MPI", "-DKeramos_ENABLE_MPI=ON"), "Keramos has no component 'mpi'; there is one, 'distributed'."
    for name, components, good, *words in (
            ("distributed", "COMPONENTS distributed", False, *without_mpi), ("mpi", "COMPONENTS mpi", False, unknown),
            ("two", "COMPONENTS mpi distributed", False, unknown, *without_mpi),
            ("optional", "OPTIONAL_COMPONENTS distributed", True),
            ("mixed", "COMPONENTS mpi OPTIONAL_COMPONENTS distributed", False, unknown)):
        asking = project(f"component_{name}", f"find_package(Keramos REQUIRED {components})\n")
        expect(components, configure(asking.name, asking, f"-DKeramos_ROOT={prefix}"), good, *words)
    halves = project("halves", "find_package(Keramos COMPONENTS mpi OPTIONAL_COMPONENTS distributed)\n"
                     "if(Keramos_FOUND OR TARGET Keramos::keramos)\n  message(FATAL_ERROR \"a half\")\nendif()\n")
    expect("a component that there is not, not REQUIRED", configure(halves.name, halves, f"-DKeramos_ROOT={prefix}"), True, unknown)
    expect("the Kokkos that was recorded", application("recorded"), True, f"taken: {kokkos_5}/")
    expect("another place", application("pointed", kokkos_moved), True, f"taken: {kokkos_moved}/")
    for other, said in ((kokkos_newer, "5.1.0 (SERIAL)"), (kokkos_openmp, "5.0.2 (SERIAL, OPENMP)")):
        expect(other.name, application(other.name, other), False, "5.0.2 (SERIAL)", said, str(kokkos_5))
    expect("Kokkos 4 beside it", application("beside_4", kokkos_4), True, f"taken: {kokkos_5}/")
    shutil.rmtree(kokkos_5)
    expect("Kokkos 4 alone", application("only_4", kokkos_4), False, "5.0.2 (SERIAL)", "4.7.1 in")


def check_versions():
    """While the major version is 0, a minor version may change the interface."""
    major, minor = map(int, re.search(r"project\(Keramos VERSION (\d+)\.(\d+)", (ROOT / "CMakeLists.txt").read_text()).groups())
    wanted = {f"{major}.{minor}": True, f"{major}.{minor}.0": True, f"{major}.{minor + 1}": False, f"{major + 1}": False}
    if minor > 0:
        wanted[f"{major}.{minor - 1}"] = major > 0
    script = folder / "version.cmake"
    for version, good in wanted.items():
        asked_major, asked_minor = f"{version}.0".split(".")[:2]
        script.write_text(f"set(PACKAGE_FIND_VERSION {version})\nset(PACKAGE_FIND_VERSION_MAJOR {asked_major})\n"
                          f"set(PACKAGE_FIND_VERSION_MINOR {asked_minor})\n"
                          f"include({folder}/keramos/build/KeramosConfigVersion.cmake)\n"
                          "message(\"compatible: ${PACKAGE_VERSION_COMPATIBLE}\")\n")
        said = subprocess.run([cmake, "-P", str(script)], capture_output=True, text=True).stderr
        if ("compatible: TRUE" in said) != good:
            failures.append(f"find_package(Keramos {version}) of {major}.{minor}: {said}")


def check_shared():
    """A static Kokkos without position-independent code cannot go into a shared library."""
    kokkos = write_kokkos_package(folder / "kokkos_static")
    source, compiled, library = folder / "core.cpp", folder / "core.o", kokkos / "lib/libkokkoscore.a"
    source.write_text("extern int number;\nint* address() { return &number; }\nint number = 1;\n")
    for option, good, words in (("-fno-pie", False, ["position-independent"]), ("-fPIC", True, [])):
        library.unlink(missing_ok=True)
        subprocess.run([cxx, "-c", option, str(source), "-o", str(compiled)], check=True)
        subprocess.run(["ar", "rcs", str(library), str(compiled)], check=True)
        got = configure(f"shared{option}", ROOT, "-DBUILD_SHARED_LIBS=ON", kokkos=kokkos)
        expect(f"shared, with Kokkos compiled by {option}", got, good, *words)


shutil.rmtree(folder, ignore_errors=True)
kokkos_4 = write_kokkos_package(folder / "kokkos_4", version="4.7.1")
kokkos_5 = write_kokkos_package(folder / "kokkos_5")
kokkos_moved = write_kokkos_package(folder / "kokkos_moved")
kokkos_newer = write_kokkos_package(folder / "kokkos_newer", version="5.1.0")
kokkos_openmp = write_kokkos_package(folder / "kokkos_openmp", backends=["SERIAL", "OPENMP"])
check_kokkos_4()
check_installed_keramos()
check_versions()
check_shared()
finish("packages", failures)
