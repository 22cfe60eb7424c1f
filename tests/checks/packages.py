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

from kokkos_package import write_kokkos_package
from toolchain import ROOT, finish

cmake, cxx, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
NO_TESTS = ["-DKeramos_ENABLE_TESTS=OFF", "-DKeramos_ENABLE_EXAMPLES=OFF"]
EMBEDDING = f"find_package(Kokkos REQUIRED)\nadd_subdirectory({ROOT} keramos)\n"
failures = []


def configure(name, source, *options):
    """(whether it went well, what was said) of configuring a source folder, without this machine's own Kokkos."""
    clean = {key: value for key, value in os.environ.items() if key not in ("Kokkos_ROOT", "CMAKE_PREFIX_PATH")}
    run = subprocess.run([cmake, "-S", str(source), "-B", str(folder / name / "build"), f"-DCMAKE_CXX_COMPILER={cxx}",
                          *options], env=clean, capture_output=True, text=True)
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


def install_package(prefix, kokkos):
    """What find_package reads of a Keramos that was configured with a Kokkos; the targets themselves hold nothing."""
    expect(f"Keramos with {kokkos.name}", configure(prefix.name, ROOT, f"-DKokkos_ROOT={kokkos}", *NO_TESTS), True)
    package = prefix / "lib/cmake/Keramos"
    package.mkdir(parents=True)
    for path in [*(prefix / "build").glob("KeramosConfig*.cmake"), *(ROOT / "cmake").glob("Keramos*.cmake")]:
        shutil.copy(path, package)
    (package / "KeramosTargets.cmake").write_text("add_library(Keramos::keramos INTERFACE IMPORTED)\n")


def check_kokkos_4():
    expect("an installed Kokkos 4", configure("installed_4", ROOT, f"-DKokkos_ROOT={kokkos_4}", *NO_TESTS), False,
           "Kokkos 5", "4.7.1", str(kokkos_4))
    expect("the surrounding project's Kokkos 4", configure("target_4", project("target_4", EMBEDDING), f"-DKokkos_ROOT={kokkos_4}"), False,
           "Kokkos 5", "4.7.1", "surrounding project")
    expect("the surrounding project's Kokkos 5", configure("target_5", project("target_5", EMBEDDING), f"-DKokkos_ROOT={kokkos_5}"), True,
           "5.0.2", "surrounding project")


def check_installed_keramos():
    prefix = folder / "keramos"
    install_package(prefix, kokkos_5)
    keramos = f"-DKeramos_ROOT={prefix}"
    application = project("application", "find_package(Keramos REQUIRED)\nmessage(STATUS \"taken: ${Kokkos_DIR}\")\n")
    moved = shutil.copytree(kokkos_5, folder / "moved_kokkos")
    write_kokkos_package(moved)  # names its own folder
    expect("the Kokkos that was recorded", configure("recorded", application, keramos), True, f"taken: {kokkos_5}/")
    expect("a Kokkos that is pointed to", configure("pointed", application, keramos, f"-DKokkos_ROOT={moved}"), True, f"taken: {moved}/")
    for other in (kokkos_newer, kokkos_openmp):
        expect(other.name, configure(other.name, application, keramos, f"-DKokkos_ROOT={other}"), False,
               "5.0.2 (SERIAL)", facts[other], str(kokkos_5))
    expect("Kokkos 4 beside it", configure("beside_4", application, keramos, f"-DKokkos_ROOT={kokkos_4}"), True, f"taken: {kokkos_5}/")
    shutil.rmtree(kokkos_5)
    expect("Kokkos 4 alone", configure("only_4", application, keramos, f"-DKokkos_ROOT={kokkos_4}"), False, "5.0.2 (SERIAL)", "4.7.1 in")


def check_versions():
    """While the major version is 0, a minor version may change the interface."""
    major, minor = map(int, re.search(r"project\(Keramos VERSION (\d+)\.(\d+)", (ROOT / "CMakeLists.txt").read_text()).groups())
    wanted = {f"{major}.{minor}": True, f"{major}.{minor}.0": True, f"{major}.{minor + 1}": False, f"{major + 1}": False}
    if minor > 0:
        wanted[f"{major}.{minor - 1}"] = major > 0
    version_file = folder / "keramos/build/KeramosConfigVersion.cmake"
    for version, good in wanted.items():
        parts = dict(zip(("MAJOR", "MINOR"), f"{version}.0".split(".")))
        asked = "".join(f"set(PACKAGE_FIND_VERSION_{part} {number})\n" for part, number in parts.items())
        script = folder / "version.cmake"
        script.write_text(f"set(PACKAGE_FIND_VERSION {version})\n{asked}include({version_file})\nmessage(\"is ${{PACKAGE_VERSION_COMPATIBLE}}\")\n")
        said = subprocess.run([cmake, "-P", str(script)], capture_output=True, text=True).stderr
        if ("is TRUE" in said) != good:
            failures.append(f"find_package(Keramos {version}) of {major}.{minor}: {said}")


def check_shared():
    """A static Kokkos without position-independent code cannot go into a shared library."""
    kokkos = write_kokkos_package(folder / "kokkos_static")
    source, library = folder / "core.cpp", kokkos / "lib/libkokkoscore.a"
    source.write_text("extern int number;\nint* address() { return &number; }\nint number = 1;\n")
    for options, good, words in ((["-fno-pie"], False, ["position-independent"]),
                                 (["-fPIC"], True, [])):
        library.unlink(missing_ok=True)
        subprocess.run([cxx, "-c", *options, str(source), "-o", str(folder / "core.o")], check=True)
        subprocess.run(["ar", "rcs", str(library), str(folder / "core.o")], check=True)
        expect(f"shared, Kokkos by {options}", configure(f"shared_{good}", ROOT, "-DBUILD_SHARED_LIBS=ON", f"-DKokkos_ROOT={kokkos}", *NO_TESTS),
               good, *words)


shutil.rmtree(folder, ignore_errors=True)
kokkos_4 = write_kokkos_package(folder / "kokkos_4", version="4.7.1")
kokkos_5 = write_kokkos_package(folder / "kokkos_5")
kokkos_newer = write_kokkos_package(folder / "kokkos_newer", version="5.1.0")
kokkos_openmp = write_kokkos_package(folder / "kokkos_openmp", backends=["SERIAL", "OPENMP"])
facts = {kokkos_newer: "5.1.0 (SERIAL)", kokkos_openmp: "5.0.2 (SERIAL, OPENMP)"}
check_kokkos_4()
check_installed_keramos()
check_versions()
check_shared()
finish("packages", failures)
