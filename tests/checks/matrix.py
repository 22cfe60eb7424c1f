# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of the matrix (tests/matrix) on made-up results, and that every preset can be configured, built and tested."""

import gzip
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from toolchain import ROOT, expecting, finish

sys.path.insert(0, str(ROOT / "tests" / "matrix"))
import facts    # noqa: E402
import presets  # noqa: E402
import report   # noqa: E402
import results  # noqa: E402

failures = []
expect = expecting(failures)


# ---- One result --------------------------------------------------------------------------------------------------------------
RAN = {"value_param": "float/right-left/star3d r4/periodic", "classname": "Stencils/Matrix", "status": "RUN",
       "result": "COMPLETED", "space": "OpenMP", "backends": "openmp", "kernels": "openmp: star<3,4>", "compared": "1067"}


def state(**changes):
    return results.cell_of({**RAN, **changes})["state"]


expect("a right answer", state(), "passed")
expect("a right answer by the portable kernel", state(backends="openmp, portable"), "portable")
expect("a wrong answer", state(failures=[{"failure": "at { 0 }: 1, reference 2"}]), "failed")
expect("a wrong answer by the portable kernel", state(backends="portable", failures=[{"failure": "wrong"}]), "failed")
expect("a cell that was not run", results.cell_of({"value_param": "a/b/c/d", "classname": "Stencils/Matrix", "status": "NOTRUN",
                                                   "result": "SUPPRESSED"})["state"], "failed")
expect("a cell that skipped itself", state(result="SKIPPED"), "failed")
expect("a cell that compared nothing", state(compared="0"), "failed")
expect("a cell that says nothing of what it compared", results.cell_of({k: RAN[k] for k in RAN if k != "compared"})["state"],
       "failed")

CTEST = """<testsuite>
<testcase name="A" status="run"><system-out>fine</system-out></testcase>
<testcase name="B" status="fail"><failure message="SEGFAULT"/><system-out>wrong</system-out></testcase>
<testcase name="C" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>Skipped: no tool</system-out></testcase>
<testcase name="D" status="notrun"><skipped message="Required Files Missing"/></testcase>
<testcase name="E" status="disabled"/>
</testsuite>"""


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


with tempfile.TemporaryDirectory() as folder:
    entries = results.read_entries(written(pathlib.Path(folder), "ctest.xml", CTEST))
    worse = {**RAN, "failures": [{"failure": "wrong"}]}
    files = [written(pathlib.Path(folder), f"{number}.json", json.dumps({"testsuites": [{"testsuite": [case]}]}))
             for number, case in enumerate((RAN, worse, RAN))]
    expect("a cell that failed in one of three runs", [cell["state"] for cell in results.read_cells(files)], ["failed"])
expect("CTest's entries", [entry["state"] for entry in entries], ["passed", "failed", "skipped", "failed", "failed"])
expect("why an entry failed", entries[1]["message"], "SEGFAULT\nwrong")
expect("what a skipped entry lacks", entries[2]["message"], "Skipped: no tool")


def row(backend, machine, cells=("a", "b"), **changes):
    spaces = {"cuda": "Cuda", "openmp": "OpenMP", "hip": "HIP"}
    return {"preset": backend, "backend": backend, "compiler": "gcc", "build": "release", "version": "1", "machine": machine,
            "state": "ran", "reason": "", "seconds": 61, "entries": [{"name": "Matrix", "state": "passed", "message": ""}],
            "cells": [{"name": f"float/right-left/{name}/periodic", "family": "Stencils", "kernels": "some kernel",
                       "space": spaces[backend], "state": "passed", "message": ""} for name in cells], **changes}


expect("a row of which everything passed", results.judge(row("openmp", "A"))["state"], "ran")
expect("a row without cells", results.judge(row("openmp", "A", cells=()))["reason"],
       "ran no test: there is no result of keramos_Matrix")
expect("a row of tests that have no cells", results.judge(row("openmp", "A", cells=(), tests="mpi"))["state"], "ran")
expect("such a row without entries", results.judge(row("openmp", "A", cells=(), tests="mpi", entries=[]))["state"], "failed")
expect("a row without entries", results.judge(row("openmp", "A", entries=[]))["state"], "failed")
expect("a row of which every entry skipped itself",
       results.judge(row("openmp", "A", entries=[{"name": "A", "state": "skipped", "message": ""}]))["state"], "failed")
expect("a row that ran elsewhere", results.judge({**row("openmp", "A"), "backend": "threads"})["state"], "failed")

# ---- Results of two machines -------------------------------------------------------------------------------------------------
NASTY = "<script>alert(1)</script> & \x1b[31mred\x00 ]]>"
absent = results.not_available({"preset": "cuda", "backend": "cuda", "compiler": "gcc", "build": "release"}, "A", "no GPU")
a = {"format": results.FORMAT, "rows": [row("openmp", "A"), absent]}
b = {"format": results.FORMAT, "rows": [row("openmp", "B"), row("cuda", "B")]}


def places(joined):
    return [(entry["backend"], entry["machine"], entry["state"]) for entry in joined]


never = [("hip", "", "never built"), ("sycl", "", "never built")]
expect("one machine alone", places(results.join([a])), [("openmp", "A", "ran"), ("cuda", "A", "not available"), *never])
expect("what one machine lacks and the other has", places(results.join([a, b])),
       [("openmp", "A", "ran"), ("openmp", "B", "ran"), ("cuda", "B", "ran"), *never])
hip = {"format": results.FORMAT, "rows": [row("hip", "C")]}
expect("a result with HIP", places(results.join([hip])), [("hip", "C", "ran"), never[1]])
again = {"format": results.FORMAT, "rows": [row("openmp", "A", state="failed", reason="the build failed")]}
expect("a later result of the same machine", places(results.join([a, again]))[0], ("openmp", "A", "failed"))
expect("a cell that only another machine has", results.count(results.join(
    [a, {"format": results.FORMAT, "rows": [row("cuda", "B", cells=("a",))]}])[1]["cells"]), {"passed": 1, "failed": 1})
mpi = {"format": results.FORMAT, "rows": [row("openmp", "A", cells=(), tests="mpi", build="release, mpi")]}
expect("cells that a row without them lacks", [(one["build"], one["state"], len(one["cells"]))
                                               for one in results.join([a, mpi])[:2]],
       [("release", "ran", 2), ("release, mpi", "ran", 0)])

# ---- The pages ---------------------------------------------------------------------------------------------------------------
bad = row("openmp", "A|<b>", cells=("a<b", "b"))
bad["cells"][0].update(state="failed", message=NASTY)
bad["cells"][1]["state"] = "portable"
joined = results.join([{"format": results.FORMAT, "rows": [bad, absent, row("cuda", "B", state="failed", reason=NASTY)]}])


class Page(html.parser.HTMLParser):
    """Every element is closed, and nothing is asked of elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        expect("elements left open in the page", self.open, [])

    def handle_starttag(self, tag, attributes):
        if tag != "meta":
            self.open.append(tag)
        expect(f"attributes of <{tag}>", [name for name, _ in attributes if name not in ("class", "lang", "charset")], [])
        expect(f"<{tag}>", tag in ("script", "link", "img", "iframe", "base"), False)

    def handle_endtag(self, tag):
        expect("an element that ends", tag, self.open.pop() if self.open else None)


page = report.html_page(joined)
Page(page)
expect("imports in the style", "@import" in page or "url(" in page, False)
expect("the page shows the failed cell", "float/right-left/a&lt;b/periodic" in page, True)
suites = ElementTree.fromstring(report.junit(joined))
expect("JUnit: tests, failures, skipped of each suite",
       [[suite.get(name) for name in ("tests", "failures", "skipped")] for suite in suites],
       [[str(len(suite)), str(len(suite.findall("*/failure"))), str(len(suite.findall("*/skipped")))] for suite in suites])
expect("JUnit: failures", [len(suite.findall("*/failure")) for suite in suites], [1, 1, 0, 0])
expect("JUnit: cells without a fast kernel", len(suites.findall("*/*/system-out")), 1)
lines = report.markdown(joined).splitlines()
expect("columns of the first Markdown table", {entry.replace("\\|", "").count("|") for entry in lines[6:12]},
       {len(report.HEAD) + 1})
origin = {"version": "v1-2-gabc", "date": "2026-01-02", "processor": "Some GPU", "kokkos": "5.0.2 (SERIAL)", "compiler_version": "GNU 1.2"}
from_there = results.join([{"format": results.FORMAT, "rows": [{**row("openmp", "A"), **origin}, absent]}])
expect("what ran where", report.provenance(from_there), [("openmp gcc release A", *origin.values())])
for name, page in (("Markdown", report.markdown(from_there)), ("HTML", report.html_page(from_there))):
    expect(f"what ran where in {name}", [word for word in origin.values() if word not in page], [])
expect("the failed rows of the table", report.text(joined).count("FAILED"), 3)

# ---- The command -------------------------------------------------------------------------------------------------------------
with tempfile.TemporaryDirectory() as folder:
    for name, result, code in (("good", [a, b], 0), ("bad", [a, again], 1), ("foreign", [{}], 1)):
        files = [written(pathlib.Path(folder), f"{name}{number}.json", json.dumps(one)) for number, one in enumerate(result)]
        done = subprocess.run([sys.executable, "-B", ROOT / "tests" / "matrix", "--output", folder, "--from", *files],
                              capture_output=True, text=True)
        expect(f"exit code of --from with a {name} result, which says {done.stdout}{done.stderr}", done.returncode, code)
    packed = pathlib.Path(folder) / "packed.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(a).encode()))
    done = subprocess.run([sys.executable, "-B", ROOT / "tests" / "matrix", "--output", folder, "--from", packed],
                          capture_output=True, text=True)
    expect(f"exit code of --from with a packed result, which says {done.stdout}{done.stderr}", done.returncode, 0)
    expect("what --from writes", sorted(path.suffix for path in pathlib.Path(folder).glob("matrix.*")), [".html", ".md", ".xml"])

# ---- The presets -------------------------------------------------------------------------------------------------------------
contents = [json.loads(path.read_text()) for path in
            (ROOT / "CMakePresets.json", ROOT / "cmake/presets/fragments.json", ROOT / "cmake/presets/matrix.json")]


def of_kind(kind):
    return {preset["name"]: preset for content in contents for preset in content.get(kind, [])}


visible = {name for name, preset in of_kind("configurePresets").items() if not preset.get("hidden")}
tests = of_kind("testPresets")
for kind in ("buildPresets", "testPresets", "workflowPresets"):
    # More than one test preset may run in one build: fuzz does in asan's.
    known = {name for name, preset in of_kind(kind).items() if not preset.get("hidden")
             and (kind != "testPresets" or preset["configurePreset"] == name)}
    expect(kind, known, visible)


def no_tests_action(preset):
    return preset.get("execution", {}).get("noTestsAction") or no_tests_action(tests[preset["inherits"]])


for name, workflow in of_kind("workflowPresets").items():
    expect(f"steps of {name}", [(step["type"], step["name"]) for step in workflow["steps"]],
           [(step, name) for step in ("configure", "build", "test")])
    expect(f"no tests under {name}", no_tests_action(tests[name]), "error")
default, full = ({row.preset for row in presets.rows(ROOT, tier, [])} for tier in ("default", "full"))
expect("the rows of the default tier are rows of --full", default < full, True)
expect("backends without a row in the default tier",
       {"serial", "threads", "openmp", "cuda"} - {row.backend for row in presets.rows(ROOT, "default", [])}, set())
expect("what --cells runs", {row.tests for row in presets.rows(ROOT, "cells", [])}, {"matrix", "mpi"})
expect("a row for MPI in the default tier", [row.tests for row in presets.rows(ROOT, "default", ["openmp-gcc-mpi"])], ["mpi"])
serial, asan, tsan = (presets.rows(ROOT, "default", [name])[0].kokkos_key() for name in ("serial", "asan", "tsan"))
emulated = presets.rows(ROOT, "default", ["aarch64"])[0]
emulated.variables["CMAKE_CROSSCOMPILING_EMULATOR"] = "no-such-emulator;-L;/somewhere"
expect("a row whose emulator is not here", emulated.missing(), "no no-such-emulator")
expect("what an emulated row runs on", facts.processor(emulated).startswith("no-such-emulator on "), True)
expect("serial and asan share a Kokkos", serial == asan, True)
expect("tsan shares its Kokkos", tsan == presets.rows(ROOT, "full", ["threads-clang-release"])[0].kokkos_key(), False)
finish("the matrix", failures)
