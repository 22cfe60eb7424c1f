# SPDX-FileCopyrightText: 2026 The Keramos authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests said, as one dictionary a row, and the joining of several machines' rows.

A row that ran has "entries" (of CTest) and "cells" (of tests/MatrixTest.cpp), each with a "state":

    passed      a test ran and the answer was right
    portable    the same, by the portable kernel: no fast one covers the cell
    failed      an answer was wrong, or no test ran
    skipped     of entries only: what they need is not here, and the message says what

and itself the state "ran", "failed" (it could not be built or said nothing), "not available" or "never built", with a reason.
"""

import json
import xml.etree.ElementTree as ElementTree

FORMAT = 1


def cell_of(case):
    """One case of GoogleTest's JSON; its parameter names the cell."""
    cell = {"name": case["value_param"], "family": case["classname"].split("/")[0], "kernels": case.get("kernels", ""),
            "space": case.get("space", ""), "state": "passed", "message": ""}
    if "failures" in case:
        cell.update(state="failed", message=case["failures"][0]["failure"])
    elif case.get("result") != "COMPLETED" or int(case.get("compared", 0)) == 0:
        cell.update(state="failed", message="ran no test")
    elif "portable" in case.get("backends", ""):
        cell["state"] = "portable"
    return cell


def read_cells(files):
    """The cells of several runs (as such, in graphs); a cell is as bad as its worst."""
    cells = {}
    for file in files:
        for suite in json.loads(file.read_text())["testsuites"]:
            for case in suite["testsuite"]:
                cell = cell_of(case)
                old = cells.setdefault(cell["name"], cell)
                if old["state"] != "failed" and cell["state"] != "passed":
                    cells[cell["name"]] = cell
    return list(cells.values())


def read_entries(junit):
    """CTest's own report."""
    entries = []
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        why = {child.tag: child.get("message") or "" for child in case}  # "SEGFAULT", "Timeout", "SKIP_RETURN_CODE=77"
        entry = {"name": case.get("name"), "state": "passed", "message": ""}
        if case.get("status") == "fail":
            entry.update(state="failed", message=f"{why.get('failure', '')}\n{output[-2000:]}".strip())
        elif case.get("status") != "run":
            said = [line for line in output.splitlines() if "Skipped" in line or "SKIPPED" in line]
            reason = (said or [why.get("skipped", "")])[0]
            # Exit code 77 is a test that says what it lacks. Anything else that did not run proves nothing.
            skipped = "SKIP_RETURN_CODE" in why.get("skipped", "")
            entry.update(state="skipped" if skipped else "failed", message=reason if skipped else f"ran no test: {reason}")
        entries.append(entry)
    return entries


def has_cells(row):
    """A row of the tests with a label of their own, such as mpi, has entries alone."""
    return row.get("tests", "all") in ("all", "matrix")


def judge(row):
    """Fails a row that proves nothing: no entry or, where there should be some, no cell that passed, or tests that ran elsewhere than the row says."""
    if row["state"] != "ran":
        return row
    spaces = sorted({cell["space"].lower() for cell in row["cells"] if cell["space"]})
    if not any(entry["state"] == "passed" for entry in row["entries"]):
        row.update(state="failed", reason="ran no test: no entry of CTest passed")
    elif not has_cells(row):
        pass
    elif not row["cells"]:
        row.update(state="failed", reason="ran no test: there is no result of keramos_Matrix")
    elif spaces != [row["backend"]]:
        row.update(state="failed", reason=f"the tests ran on {', '.join(spaces)} instead of {row['backend']}")
    return row


def not_available(row, machine, reason):
    return {**row, "machine": machine, "state": "not available", "reason": reason, "entries": [], "cells": []}


def require_all_cells(rows):
    """A cell that another row of the same version has and this one lacks ran no test here."""
    for version in {row.get("version") for row in rows}:
        ran = [row for row in rows if row.get("version") == version and row["state"] == "ran" and has_cells(row)]
        families = {cell["name"]: cell["family"] for row in ran for cell in row["cells"]}
        for row in ran:
            for name in sorted(set(families) - {cell["name"] for cell in row["cells"]}):
                row["cells"].append({"name": name, "family": families[name], "kernels": "", "space": "",
                                     "state": "failed", "message": "ran no test"})


def key(row):
    return (row["backend"], row["compiler"], row["build"])


def join(results):
    """The rows of several results: the later of two of one machine; one that ran anywhere is nowhere missing."""
    by_place = {}
    for result in results:
        if result.get("format") != FORMAT:
            raise SystemExit("./keramos matrix --from: not a result of ./keramos matrix, or one of another version of it")
        for row in result["rows"]:
            by_place[key(row), row["machine"]] = row
    rows = list(by_place.values())
    tried = {key(row) for row in rows if row["state"] in ("ran", "failed")}
    lacking = {}
    for row in rows:
        if row["state"] == "not available" and key(row) not in tried:
            lacking.setdefault(key(row), row)
    joined = [row for row in rows if row["state"] in ("ran", "failed")] + list(lacking.values())
    for backend in ("hip", "sycl"):
        if all(row["backend"] != backend for row in joined):
            joined.append({"backend": backend, "compiler": "any", "build": "any", "machine": "", "state": "never built",
                           "reason": "no machine has sent a result: ./keramos matrix --from RESULT joins yours",
                           "entries": [], "cells": []})
    require_all_cells(joined)
    return joined


def count(items):
    """{state: how many}"""
    counts = {}
    for item in items:
        counts[item["state"]] = counts.get(item["state"], 0) + 1
    return counts


def has_failed(row):
    return row["state"] == "failed" or "failed" in count(row["entries"] + row["cells"])
