# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""With CUDA everything is compiled for what Kokkos is built for: cuda_architectures.py CMAKE FOLDER DOWNLOADS

Only configures, and reads the commands that CMake would run: the README's embedding with a Kokkos that is fetched (from its
archive in DOWNLOADS), and an application with an installed Kokkos, for which the test writes a package that holds nothing.
The compiler's own default is another architecture than the two asked for, and a different request of the user's is an error.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from kokkos_package import write_keramos_package, write_kokkos_package
from toolchain import ROOT, finish, skip

OPTIONS = ["-DKokkos_ENABLE_CUDA=ON", "-DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON"]  # as the README says
cmake, folder, downloads = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def new_enough(program):
    """CUDA as a language with C++20 wants CMake 3.25.2."""
    run = subprocess.run([program, "--version"], capture_output=True, text=True) if shutil.which(program) else None
    return run and tuple(map(int, re.search(r"(\d+)\.(\d+)\.(\d+)", run.stdout).groups())) >= (3, 25, 2)


def configure(name, text, *options, environment=None):
    """(exit code, what was said, the architectures that each source is compiled for) of a project."""
    project = folder / name
    project.mkdir(parents=True)
    (project / "main.cpp").write_text("int main() {}\n")
    (project / "keramos").symlink_to(ROOT)
    (project / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES CXX CUDA)\n{text}")
    return configure_again(name, "-DCMAKE_BUILD_TYPE=Release",
                           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DCMAKE_CUDA_COMPILER={nvcc}",
                           f"-DKeramos_DOWNLOAD_DIR={downloads}", *OPTIONS, *options, environment=environment)


def configure_again(name, *options, environment=None):
    project, build = folder / name, folder / name / "build"
    clean = {name: value for name, value in os.environ.items() if name not in ("CUDAARCHS", "Kokkos_ROOT", "CMAKE_PREFIX_PATH")}
    run = subprocess.run([cmake, "-S", str(project), "-B", str(build), *options], env={**clean, **(environment or {})},
                         capture_output=True, text=True)
    commands = build / "compile_commands.json"
    compiled = {}
    if run.returncode == 0 and commands.exists():
        for entry in json.loads(commands.read_text()):
            if "arch=compute_" in entry["command"] or " -arch" in entry["command"]:
                compiled[entry["file"]] = set(re.findall(r"sm_(\d+)", entry["command"]))
    return run.returncode, " ".join((run.stdout + run.stderr).split()), compiled


def expect_all(what, got, architecture, sources):
    code, said, compiled = got
    if code != 0:
        return [f"{what}: is not configured:\n{said[-3000:]}"]
    wrong = {file: found for file, found in compiled.items() if found != {architecture}}
    missing = [name for name in sources if not any(name in file for file in compiled)]
    return [f"{what}: not for sm_{architecture} alone: {wrong}"] * bool(wrong) + [
        f"{what}: not compiled as CUDA: {missing}"] * bool(missing)


def expect_error(what, got, *words):
    code, said, _ = got
    return [] if code != 0 and all(word in said for word in words) else [f"{what}: no error with {words}:\n{said[-3000:]}"]


nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
if not pathlib.Path(nvcc).exists():
    skip("nvcc is not on this machine")
cmake = next((c for c in (cmake, "cmake", str(ROOT / "build/tools/bin/cmake")) if new_enough(c)), None)
if not cmake:
    skip("CUDA wants CMake 3.25.2, which is not on this machine")

shutil.rmtree(folder, ignore_errors=True)
block = re.search(r"```cmake\n(.*?FetchContent_MakeAvailable.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
embedding = re.sub(r"(add_executable\(app [^\n]*\n)", r"\1keramos_kokkos_sources(app)\n", block)
ours = ["app/main.cpp", "backends/cuda/stencil/LineFloat.cpp"]
failures = []
has_archive = bool(list(downloads.glob("kokkos-*.tar.gz")))
if has_archive:
    got = configure("app", embedding, "-DKokkos_ARCH_HOPPER90=ON")
    failures += expect_all("README's embedding", got, "90", [*ours, "kokkoscore.dir/Unity/"])
    failures += expect_error("a later -D", configure_again("app", "-DCMAKE_CUDA_ARCHITECTURES=80"), "90", "asks for 80")

kokkos = write_kokkos_package(folder / "kokkos", backends=["SERIAL", "CUDA"], architecture="AMPERE80",
                              options=["COMPILE_AS_CMAKE_LANGUAGE"])
installed = f"-DKokkos_ROOT={kokkos}"
failures += expect_all("an installed Kokkos", configure("installed/app", embedding, installed), "80", ours)
keramos = write_keramos_package(folder / "keramos", build=folder / "installed/app/build/_deps/keramos-build")
application = "find_package(Keramos REQUIRED)\nadd_executable(app main.cpp)\nkeramos_kokkos_sources(app)\n"
failures += expect_all("an installed Keramos", configure("found/app", application, f"-DKeramos_ROOT={keramos}"), "80", ours[:1])
got = configure("same/app", embedding, installed, "-DCMAKE_CUDA_ARCHITECTURES=80-real")
failures += expect_all("the same request", got, "80", ours)
failures += expect_error("-D", configure("option/app", embedding, installed, "-DCMAKE_CUDA_ARCHITECTURES=90"), "80", "asks for 90")
failures += expect_error("CUDAARCHS", configure("environment/app", embedding, installed, environment={"CUDAARCHS": "90"}),
                         "80", "asks for 90")
if not failures and not has_archive:
    skip(f"there is no archive of Kokkos in {downloads} for the README's embedding; with an installed Kokkos all is right")
finish("CUDA architectures", failures)
