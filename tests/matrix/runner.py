# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configures, builds and tests the rows through their presets, several at once where cores and memory allow, with progress."""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import threading
import time

import facts
from results import judge, not_available, read_cells, read_entries

BYTES_A_COMPILER = 1500 << 20  # as in cmake/KeramosTopLevel.cmake
JOBS_A_ROW = 4                 # fewer make the slowest test binary of a row the time of all


class Failed(Exception):
    """A step of a row failed; says which, and where its output is."""


class Runner:
    def __init__(self, root, output, rows, machine, version):
        self.root, self.output, self.rows = root, output, rows
        self.machine, self.version = machine, version
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        jobs = max(1, min(len(os.sched_getaffinity(0)), memory // BYTES_A_COMPILER))
        self.at_once = max(1, min(len(rows), jobs // JOBS_A_ROW))
        self.jobs = str(jobs // self.at_once)
        self.begin = time.monotonic()
        self.print_lock = threading.Lock()
        self.kokkos_locks = collections.defaultdict(threading.Lock)
        self.gpu_lock = threading.Lock()
        (output / "logs").mkdir(parents=True, exist_ok=True)

    def say(self, row, text):
        seconds = int(time.monotonic() - self.begin)
        with self.print_lock:
            place = f"{self.rows.index(row) + 1}/{len(self.rows)}"
            print(f"[{seconds // 60:3d}:{seconds % 60:02d}] {place} {row.preset}: {text}", flush=True)

    def run(self):
        """The rows' results, in the order of the rows."""
        with concurrent.futures.ThreadPoolExecutor(self.at_once) as pool:
            return list(pool.map(self.run_row, self.rows))

    def run_row(self, row):
        said = {"preset": row.preset, "backend": row.backend, "compiler": row.compiler, "build": row.build,
                "tests": row.tests, "version": self.version}
        lack = row.missing()
        if lack:
            self.say(row, f"not available here: {lack}")
            return not_available(said, self.machine, lack)
        said.update(machine=self.machine, processor=facts.processor(row), date=facts.today(), state="ran", reason="", entries=[], cells=[])
        begin = time.monotonic()
        log = self.output / "logs" / f"{row.preset}.log"
        try:
            with open(log, "w") as stream:
                self.prove(row, said, stream)
        except (Failed, facts.WrongCompiler) as failure:
            said.update(state="failed", reason=str(failure))
        said["seconds"] = round(time.monotonic() - begin)
        judge(said)
        wrong = sum(item["state"] == "failed" for item in said["entries"] + said["cells"])
        ran = f"{len(said['entries'])} tests and {len(said['cells'])} cells, {wrong} failed"
        self.say(row, ran if said["state"] == "ran" else f"FAILED: {said['reason']}")
        return said

    def prove(self, row, said, log):
        def step(what, *command, environment=None, may_fail=False):
            log.write(f"\n$ {' '.join(command)}\n")
            log.flush()
            code = subprocess.run(command, cwd=self.root, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  env={**os.environ, **(environment or {})}).returncode
            if code and not may_fail:
                raise Failed(f"{what} failed, see {log.name}")
            return code

        build = self.root / "build" / row.preset
        kokkos = self.shared_kokkos(row, build, step)
        self.say(row, "configuring")
        step("configuring", "cmake", "--preset", row.preset, *kokkos)
        said.update(compiler_version=facts.compilers(build, row.compiler), kokkos=facts.kokkos(build))
        label = [] if row.tests == "all" else ["-L", row.tests]
        targets = [] if row.tests == "all" else ["--target", *test_programs(self.root, row.preset, label)]
        self.say(row, f"building {' '.join(targets[1:]) or 'everything'}")
        step("the build", "cmake", "--build", "--preset", row.preset, "--parallel", self.jobs, *targets)

        results = build / "matrix"
        shutil.rmtree(results, ignore_errors=True)
        results.mkdir(parents=True)
        junit = results / "ctest.xml"
        with self.gpu_lock if row.backend == "cuda" else contextlib.nullcontext():
            self.say(row, "testing")
            code = step("the tests", "ctest", "--preset", row.preset, "--parallel", self.jobs, "--output-junit", str(junit),
                        *label, environment={"GTEST_OUTPUT": f"json:{results}/"}, may_fail=True)
        if not junit.exists():
            raise Failed(f"ctest wrote no results, see {log.name}")
        said["entries"] = read_entries(junit)
        said["cells"] = read_cells(sorted(results.glob("keramos_Matrix*.json")))
        if code and not any(entry["state"] == "failed" for entry in said["entries"]):
            raise Failed(f"ctest ended with exit code {code}, see {log.name}")

    def shared_kokkos(self, row, build, step):
        """Options that point to a Kokkos for all rows that can share it; none where a row has its own already or is alone."""
        cache = build / "CMakeCache.txt"
        if cache.exists() and "Keramos_KOKKOS:" in cache.read_text() or "Kokkos_ROOT" in row.variables:
            return []
        alike = [other for other in self.rows if other.kokkos_key() == row.kokkos_key()]
        if len(alike) == 1:
            return []
        first = alike[0]
        prefix = self.output / f"kokkos-{first.preset}"
        tree = f"{prefix}-build"
        with self.kokkos_locks[prefix]:
            if not list(prefix.glob("lib*/cmake/Kokkos/KokkosConfig.cmake")):
                self.say(row, f"building Kokkos once for {', '.join(other.preset for other in alike)}")
                options = {**first.kokkos_options(), "CMAKE_INSTALL_PREFIX": prefix,
                           "CMAKE_BUILD_TYPE": first.variables["CMAKE_BUILD_TYPE"],
                           "Keramos_DOWNLOAD_DIR": self.root / "build" / "downloads"}
                if "CMAKE_CXX_COMPILER" in first.variables:
                    options["CMAKE_CXX_COMPILER"] = first.variables["CMAKE_CXX_COMPILER"]
                defines = [f"-D{name}={value}" for name, value in options.items()]
                source = str(pathlib.Path(__file__).parent / "kokkos")
                step("configuring Kokkos", "cmake", "-S", source, "-B", tree, "-G", "Ninja", *defines)
                step("the build of Kokkos", "cmake", "--build", tree, "--parallel", self.jobs)
                step("the install of Kokkos", "cmake", "--install", tree)
        return [f"-DKokkos_ROOT={prefix}"]


def test_programs(root, preset, label):
    """The targets of the entries that have the label: the programs in their commands. Of a test binary that is not built yet
    CTest tells no command, but its entries are named after it."""
    command = ["ctest", "--preset", preset, *label, "--show-only=json-v1"]
    shown = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if shown.returncode:
        raise Failed(f"ctest lists no tests: {shown.stderr.strip()}")
    programs = set()
    for test in json.loads(shown.stdout)["tests"]:
        in_command = {pathlib.Path(word).name for word in test.get("command", []) if "/keramos_" in word}
        programs |= in_command or {"keramos_" + test["name"].split(".")[0]}
    return sorted(programs)
