# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installed Kokkos as CMake sees it, of any version and with any backends, and an installed Keramos, for tests of what is
taken and what is refused. There is nothing in them to compile or to link: who uses them only configures."""

import shutil

from toolchain import ROOT

VERSION_FILE = """set(PACKAGE_VERSION {version})
if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""

CONFIG = """set(Kokkos_DEVICES {backends})
set(Kokkos_OPTIONS {options})
set(Kokkos_ARCH {architecture})
set(Kokkos_CXX_COMPILER_ID ${{CMAKE_CXX_COMPILER_ID}})
foreach(name IN LISTS Kokkos_DEVICES Kokkos_OPTIONS)
  set(Kokkos_ENABLE_${{name}} ON)
endforeach()
if(NOT TARGET Kokkos::kokkos)
  add_library(Kokkos::kokkoscore STATIC IMPORTED)
  set_target_properties(Kokkos::kokkoscore PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "{prefix}/include"
    IMPORTED_LOCATION "{prefix}/lib/libkokkoscore.a")
  add_library(Kokkos::kokkos INTERFACE IMPORTED)
  set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_LINK_LIBRARIES Kokkos::kokkoscore)
endif()
"""


def write_kokkos_package(prefix, version="5.0.2", backends=("SERIAL",), options=(), architecture=""):
    """Writes the package to `prefix`, a pathlib.Path, and returns that."""
    package = prefix / "lib/cmake/Kokkos"
    for folder in (package, prefix / "include", prefix / "lib"):
        folder.mkdir(parents=True, exist_ok=True)
    (package / "KokkosConfigVersion.cmake").write_text(VERSION_FILE.format(version=version))
    (package / "KokkosConfig.cmake").write_text(CONFIG.format(
        prefix=prefix, backends=";".join(backends), options=";".join(options), architecture=architecture))
    major, minor, patch = map(int, version.split("."))
    names = [f"ENABLE_{name}" for name in backends] + [f"ARCH_{architecture}"] * bool(architecture)
    (prefix / "include/KokkosCore_config.h").write_text(
        f"#define KOKKOS_VERSION {major * 10000 + minor * 100 + patch}\n" + "".join(f"#define KOKKOS_{name}\n" for name in names))
    return prefix


def write_keramos_package(prefix, build):
    """What find_package(Keramos) reads once the Keramos that was configured in `build` is installed in `prefix`."""
    package = prefix / "lib/cmake/Keramos"
    package.mkdir(parents=True)
    for path in [*build.glob("KeramosConfig*.cmake"), *(ROOT / "cmake").glob("Keramos*.cmake")]:
        shutil.copy(path, package)
    (package / "KeramosTargets.cmake").write_text("add_library(Keramos::keramos INTERFACE IMPORTED)\n")
    return prefix
